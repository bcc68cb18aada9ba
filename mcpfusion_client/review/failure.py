"""One recorded failure, with everything the rules look at."""

import json
from collections.abc import Iterator
from datetime import datetime

import attrs

from mcpfusion_client.decode import Decoder
from mcpfusion_client.decode.jsonl import read_object
from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.model import Effects, ErrorInfo, JsonObject, JsonValue, ToolInfo
from mcpfusion_client.model.json import is_mapping, is_sequence
from mcpfusion_client.model.text import one_line
from mcpfusion_client.retry.safety import from_tool

UNNAMED = "(no tool named)"
"""The tool of a line that names none."""

_MAX_TEXT = 64 * 1024
"""Characters of a failure that are searched for leaks."""
_MAX_STRINGS = 2000
_MAX_NAME = 80
_WIRE_KEYS = ("result", "protocol_error", "http", "raw")


@attrs.frozen(kw_only=True)
class Failure:
    """A failure as the rules see it.

    Attributes:
        line: Where it was read, counted from 1.
        tool: Untrusted, but printable; the tool that failed, or `UNNAMED`.
        info: The failure, decoded.
        disguised: It was sent as a success.
        effects: What the recorded annotations say the tool does.
        text: Untrusted; every text the server sent, the start of each bounded.
        arguments: Untrusted; the recorded arguments as JSON. What the caller sent
            itself is no leak.
    """

    line: int
    tool: str
    info: ErrorInfo
    disguised: bool = False
    effects: Effects = attrs.field(factory=Effects)
    text: str = ""
    arguments: str = ""


def failure_of(
    parsed: JsonValue, *, line: int, now: datetime, decoder: Decoder
) -> Failure | None:
    """Return the failure recorded in one parsed line; None when it is none.

    Args:
        parsed: A form of ``decode --jsonl``, or a JSON-RPC answer; optionally with
            ``tool``, ``arguments`` and ``annotations`` beside it.
        line: Its number, counted from 1.
        now: What absolute times are relative to when the line does not say.
        decoder: Reads it.
    """
    record = _record(parsed)
    reading = read_object(record, now=now, decoder=decoder, detect_disguised=True)
    info = reading.error or reading.suspected_failure
    if info is None:
        return None
    beside: JsonObject = parsed if is_mapping(parsed) else {}
    annotations: JsonValue = beside.get("annotations")
    described = ToolInfo(
        name="", annotations=annotations if is_mapping(annotations) else {}
    )
    return Failure(
        line=line,
        tool=_tool(beside, info),
        info=info,
        disguised=reading.error is None,
        effects=from_tool(described, trusted=True),
        text="\n".join(_strings(_wire(record)))[:_MAX_TEXT],
        arguments=_dumped(beside.get("arguments")),
    )


def _record(parsed: JsonValue) -> JsonValue:
    """Return a JSON-RPC error answer in the form the decoder knows."""
    if is_mapping(parsed) and "jsonrpc" in parsed and is_mapping(parsed.get("error")):
        return {"protocol_error": parsed["error"]}
    return parsed


def _tool(beside: JsonObject, info: ErrorInfo) -> str:
    named = beside.get("tool")
    name = named if isinstance(named, str) and named else info.action
    return (one_line(name, _MAX_NAME) if name else "") or UNNAMED


def _wire(record: JsonValue) -> JsonValue:
    """Return only what the server sent."""
    if not is_mapping(record):
        return record
    wire = {key: record[key] for key in _WIRE_KEYS if key in record}
    if isinstance(wire.get("raw"), str):
        return parse_json(wire["raw"])
    return wire or {
        key: part for key, part in record.items() if key not in _BESIDE_KEYS
    }


_BESIDE_KEYS = frozenset({"tool", "arguments", "annotations", "id", "received_at"})


def _strings(value: JsonValue) -> Iterator[str]:
    """Yield every text in *value*; one under a key comes as ``key: text``."""
    pending: list[tuple[str, JsonValue]] = [("", value)]
    for _ in range(_MAX_STRINGS):
        if not pending:
            return
        key, part = pending.pop()
        if isinstance(part, str) and key != "type":
            yield (f"{key}: {part}" if key not in _TEXT_KEYS else part)[:_MAX_TEXT]
        elif is_mapping(part):
            pending += reversed([(str(name), inner) for name, inner in part.items()])
        elif is_sequence(part):
            pending += [(key, inner) for inner in reversed(part)]


_TEXT_KEYS = frozenset({"", "text", "message", "body"})


def _dumped(arguments: JsonValue) -> str:
    try:
        return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""
