"""``mcpfusion decode``: one failed result, explained for a person."""

import json
from datetime import UTC, datetime
from typing import TextIO

import attrs
import click
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.decode_jsonl import as_json as json_text
from mcpfusion_client.cli.json_form import beside_json, failure_json
from mcpfusion_client.cli.wording import decision, next_step
from mcpfusion_client.decode import Reading
from mcpfusion_client.decode.jsonl import has_form, read_object
from mcpfusion_client.model import (
    ContractChange,
    Effects,
    ErrorInfo,
    FieldError,
    HttpEvidence,
    JsonObject,
    JsonValue,
    redact,
)
from mcpfusion_client.model.json import is_object, is_sequence
from mcpfusion_client.model.text import one_line
from mcpfusion_client.retry import Retry, RetryPolicy

_MAX_VALUE = 500
_MAX_KEYS = 100
"""Characters of the keys of what is not a result."""

_MIDDLE = 0.5
_KINDS = {
    "a read-only or idempotent tool": Effects(read_only=True),
    "a tool nobody describes": Effects(),
    "a write": Effects(read_only=False),
}


@click.command()
@click.argument(
    "file", type=click.File(encoding="utf-8", errors="replace"), default="-"
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--jsonl", is_flag=True, help="One wire object a line in, one JSON object out."
)
@click.option(
    "--category",
    type=click.Choice(["category", "family"]),
    help="What to print under category with --jsonl.",
)
@click.option(
    "--detect-disguised",
    is_flag=True,
    help="Look for a failure that was sent as a success.",
)
def command(
    *,
    file: TextIO,
    as_json: bool,
    jsonl: bool,
    category: str | None,
    detect_disguised: bool,
) -> None:
    """Explain one result: what failed, who said so, what the client would do.

    FILE holds a tools/call result as JSON, a JSON-RPC error object, or just the
    text of a failed result; - is standard input.
    """
    del jsonl  # handled before click is loaded
    if category is not None:
        msg = "--category goes with --jsonl"
        raise click.UsageError(msg)
    text = file.read()
    if not text.strip():
        msg = f"{file.name} is empty: give it a tools/call result, or its text"
        raise click.UsageError(msg)
    wire = _wire(text)
    reading = read_object(
        wire, now=datetime.now(UTC), detect_disguised=detect_disguised
    )
    if as_json:
        click.echo(json_text(_plain(reading), indent=2))
        if reading.error is None and not has_form(wire):
            click.echo(f"mcpfusion: warning: {_no_form(wire)}", err=True)
    else:
        Console(soft_wrap=False).print(_explained(reading, wire))


def _wire(text: str) -> JsonValue:
    """Return the wire object in *text*; what is not one is a failed result's text."""
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not is_object(parsed):
        return {"content": [{"type": "text", "text": text.strip()}], "isError": True}
    if isinstance(parsed.get("error"), dict) and "jsonrpc" in parsed:
        return {"protocol_error": parsed["error"]}
    if "result" in parsed and "jsonrpc" in parsed:
        return {"result": parsed["result"]}
    return parsed


def _plain(reading: Reading) -> JsonObject:
    """Return *reading* as JSON can hold it, in the words of ``call --json``."""
    info = reading.error
    shown = info or reading.suspected_failure
    return {
        "ok": info is None,
        "error": None if info is None else failure_json(info),
        **beside_json(reading),
        "reason": reading.reason,
        "would_do": None if shown is None else _would_do(shown),
    }


def _explained(reading: Reading, wire: JsonValue) -> RenderableType:
    if reading.error is not None:
        return Group(Text("A failure."), _facts(reading.error), _plans(reading.error))
    if reading.suspected_failure is not None:
        suspect = reading.suspected_failure
        why = Text(f"A success that looks like a failure: {reading.reason}")
        return Group(why, _facts(suspect))
    parts: list[RenderableType] = [
        Text("A success." if has_form(wire) else _no_form(wire))
    ]
    for warning in reading.warnings:
        parts += [Text("It came with a warning."), _facts(warning)]
    return Group(*parts)


def _no_form(wire: JsonValue) -> str:
    keys = ", ".join(wire) if is_object(wire) else ""
    return (
        f"Not a tools/call result: the keys are {one_line(keys, _MAX_KEYS) or 'none'},"
        " and a result has content, structuredContent or isError. As it stands, a"
        " client takes it for a success. Give the whole JSON-RPC message, the result,"
        " or only the text of a failed result."
    )


def _facts(info: ErrorInfo) -> Table:
    table = Table("what", "value", "who says so")
    for field in attrs.fields(ErrorInfo):
        value = getattr(info, field.name)
        empty = value in (None, (), {}, False)
        if field.name == "stated" or (empty and field.name not in _ALWAYS):
            continue
        shown = "-" if value is None else _shown(value)
        table.add_row(Text(field.name), Text(shown), Text(_source(info, field.name)))
    table.add_row(
        Text("next step"), Text(next_step(info.next_step)), Text("this client")
    )
    return table


_ALWAYS = frozenset({"code", "is_retryable", "retry_after", "side_effects"})
_OURS = frozenset({"dialect", "origin", "lossy", "http", "advice"})


def _source(info: ErrorInfo, name: str) -> str:
    if name in info.stated:
        return "the server"
    if name in _OURS:
        return "this client"
    return "nobody" if getattr(info, name) is None else "inferred"


def _shown(value: JsonValue) -> str:
    if isinstance(value, str):
        return one_line(value, _MAX_VALUE)
    if is_sequence(value):
        return one_line("; ".join(_shown(part) for part in value), _MAX_VALUE)
    if isinstance(value, HttpEvidence | FieldError | ContractChange):
        value = {k: v for k, v in attrs.asdict(value).items() if v is not None}
    return one_line(
        redact(json.dumps(value, default=str, ensure_ascii=False)), _MAX_VALUE
    )


def _plans(info: ErrorInfo) -> Table:
    table = Table("called on", "the client would", title="What the client would do")
    for kind, (does, why) in _decisions(info).items():
        said = why.rstrip(".").lower() in does
        table.add_row(Text(kind), Text(does if said else f"{does}. {why}"))
    return table


def _would_do(info: ErrorInfo) -> dict[str, str]:
    return {kind: does for kind, (does, _) in _decisions(info).items()}


def _decisions(info: ErrorInfo) -> dict[str, tuple[str, str]]:
    plans: dict[str, tuple[str, str]] = {}
    for kind, effects in _KINDS.items():
        outcome = RetryPolicy().decide(
            info, effects, attempt=1, elapsed=0.0, jitter=_MIDDLE
        )
        if isinstance(outcome, Retry):
            plans[kind] = (
                f"send it again after about {outcome.delay:.1f} s",
                outcome.why,
            )
        else:
            plans[kind] = (decision(outcome.reason, info.category), outcome.why)
    return plans
