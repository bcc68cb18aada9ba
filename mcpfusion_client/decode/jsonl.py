"""The pure part of ``mcpfusion decode --jsonl``: one object in, one object out.

Nothing here reads a file or prints; the command does. The keys are those of the
command's documentation.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Literal

from mcpfusion_client.decode.front import Decoder, Reading
from mcpfusion_client.decode.hints import moment as moment_of
from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.decode.safe_json import prefix as parse_prefix
from mcpfusion_client.model import (
    ErrorInfo,
    Execution,
    JsonObject,
    JsonValue,
)
from mcpfusion_client.model.json import is_array, is_mapping

CategoryForm = Literal["category", "family"]

_EXECUTED = {
    Execution.EXECUTED: "yes",
    Execution.NOT_EXECUTED: "no",
    Execution.UNKNOWN: "unknown",
}
_WRAPPED = ("result", "protocol_error", "http")
_FORMS = frozenset(
    {"content", "structuredContent", "isError", "protocol_error", "http"}
)


def read_object(
    line: JsonValue,
    *,
    now: datetime,
    decoder: Decoder | None = None,
    detect_disguised: bool = False,
) -> Reading:
    """Return what one line of input turned out to be.

    Args:
        line: The parsed line: a wrapped form or a bare ``CallToolResult``.
        now: What absolute times are relative to when the line does not say.
        decoder: Knows further codes and phrases.
        detect_disguised: Look for failures that were sent as successes.
    """
    reader = decoder or Decoder()
    wrapped: JsonObject = line if is_mapping(line) else {}
    return reader.read(
        _wire(line),
        received_at=_time(wrapped.get("received_at")) or now,
        detect_disguised=detect_disguised,
    )


def describe(
    line: JsonValue, reading: Reading, category: CategoryForm = "category"
) -> JsonObject:
    """Return the keys the command prints for a line that was read.

    Args:
        line: The parsed line; its ``id`` is handed through.
        reading: What `read_object` returned for it.
        category: ``family`` prints the coarse category under ``category``.
    """
    return {
        "id": line.get("id") if is_mapping(line) else None,
        **_row(reading.error, category),
        "warnings": [_row(warning, category) for warning in reading.warnings],
        "suspected_failure": _suspected(reading, category),
    }


def decode_object(
    line: JsonValue,
    *,
    now: datetime,
    decoder: Decoder | None = None,
    detect_disguised: bool = False,
    category: CategoryForm = "category",
) -> JsonObject:
    """Return what one line of input means; see `read_object` and `describe`."""
    reading = read_object(
        line, now=now, decoder=decoder, detect_disguised=detect_disguised
    )
    return describe(line, reading, category)


def decode_lines(
    lines: Iterable[str],
    *,
    now: datetime,
    decoder: Decoder | None = None,
    detect_disguised: bool = False,
    category: CategoryForm = "category",
) -> Iterator[tuple[JsonObject, bool]]:
    """Yield one object for every line that is not blank, and whether it was JSON."""
    reader = decoder or Decoder()
    for line in lines:
        text = line.strip()
        if not text:
            continue
        parsed, end = parse_prefix(text, 0)
        if end != len(text):
            yield {"id": None, "error": "not a JSON value"}, False
            continue
        yield (
            decode_object(
                parsed,
                now=now,
                decoder=reader,
                detect_disguised=detect_disguised,
                category=category,
            ),
            True,
        )


def has_form(line: JsonValue) -> bool:
    """Return whether *line* has a key of a form that a result comes in.

    What has none is still taken as a bare result, and so as a success.
    """
    wire = _wire(line)
    if is_mapping(wire) and is_mapping(wire.get("result")):
        wire = wire["result"]
    return is_mapping(wire) and not _FORMS.isdisjoint(wire)


def _wire(line: JsonValue) -> JsonValue:
    if not is_mapping(line):
        return line
    if isinstance(line.get("raw"), str):
        return parse_json(line["raw"])
    return {key: line[key] for key in _WRAPPED if key in line} or line


def _time(value: JsonValue) -> datetime | None:
    return moment_of(value) if isinstance(value, str) else None


def _suspected(reading: Reading, category: CategoryForm) -> JsonValue:
    if reading.suspected_failure is None:
        return None
    return {**_row(reading.suspected_failure, category), "reason": reading.reason}


def _row(info: ErrorInfo | None, category: CategoryForm) -> dict[str, JsonValue]:
    if info is None:
        return dict(_EMPTY)
    family = info.category.family
    return {
        "failed": True,
        "category": (family if category == "family" else info.category).value,
        "family": family.value,
        "category_detail": info.category_detail,
        "retryable": info.is_retryable,
        "retryable_source": info.retryable_source,
        "retry_after_s": info.retry_after,
        "code": info.code,
        "severity": info.severity.value,
        "message": info.message,
        "recovery": info.recovery,
        "available_actions": list(info.available_actions),
        "details": dict(info.details),
        "fields": [_field(field) for field in info.fields],
        "field_names": [field.name for field in info.fields],
        "action": info.action,
        "attempted_query": info.attempted_query,
        "partial_results": info.partial_results,
        "executed": _EXECUTED[info.execution],
        "side_effects": info.side_effects.value if info.side_effects else None,
        "contract_changes": [_change(change) for change in info.contract_changes],
        "origin": info.origin.value,
        "http_status": info.http.status if info.http else None,
        "dialect": info.dialect,
        "lossy": info.lossy,
        "next_step": info.next_step.value,
    }


def _field(field: object) -> JsonObject:
    return {
        name: getattr(field, name) for name in ("name", "message", "sent", "expected")
    }


def _change(change: object) -> JsonObject:
    names = ("severity", "field", "description", "before", "after")
    return {name: getattr(change, name) for name in names}


def _empty(value: JsonValue) -> JsonValue:
    return type(value)() if is_array(value) or is_mapping(value) else None


_EMPTY: JsonObject = {
    key: _empty(value) for key, value in _row(ErrorInfo(message=""), "category").items()
} | {"failed": False}
