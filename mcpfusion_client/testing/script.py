"""Read from a file what a scripted session or server plays.

The file is meant to be written by hand and by recorders, so every mistake in it is
named with its place. Nothing in it is run.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from mcpfusion_client.encode import tool_error, validation_error
from mcpfusion_client.model import FieldError, JsonObject, JsonValue, ToolInfo
from mcpfusion_client.model.json import is_array, is_object
from mcpfusion_client.sessions.tool_list import tool_info
from mcpfusion_client.testing.outcomes import (
    After,
    Hang,
    Progress,
    ProtocolFailure,
    ScriptedOutcome,
)

_LINES = frozenset({".jsonl", ".ndjson"})
_MOST_TIMES = 10_000


@attrs.frozen(kw_only=True)
class Step:
    """One outcome of a script.

    Attributes:
        tool: Whose call it ends, by wire name; None: that of any tool which has
            no steps of its own.
        outcome: What the call ends with.
    """

    tool: str | None = None
    outcome: ScriptedOutcome


@attrs.frozen(kw_only=True)
class Script:
    """What a scripted session or server lists and plays.

    Attributes:
        tools: What it lists.
        steps: What it plays, in order.
    """

    tools: tuple[ToolInfo, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def outcomes(self) -> tuple[ScriptedOutcome, ...]:
        """The outcomes for tools without steps of their own."""
        return tuple(step.outcome for step in self.steps if step.tool is None)

    @property
    def by_tool(self) -> Mapping[str, tuple[ScriptedOutcome, ...]]:
        """The outcomes for the others, by wire name."""
        by_tool: dict[str, tuple[ScriptedOutcome, ...]] = {}
        for step in self.steps:
            if step.tool is not None:
                by_tool[step.tool] = (*by_tool.get(step.tool, ()), step.outcome)
        return by_tool


def load_script(path: str | Path) -> Script:
    """Read a script.

    A ``.jsonl`` file holds one JSON object a line: a step, or ``{"tools": [...]}``.
    Any other file is one JSON document: a list of these objects, or
    ``{"tools": [...], "steps": [...]}``. The keys of a step are in the
    documentation of this module's users, "Test your agent's error handling".

    Args:
        path: The file, UTF-8.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no script; the message says where and why.
    """
    file = Path(path)
    tools: list[ToolInfo] = []
    steps: list[Step] = []
    for place, entry in _entries(file):
        try:
            _take(entry, tools, steps)
        except (KeyError, TypeError, ValueError) as mistake:
            reason = mistake if isinstance(mistake, _ScriptError) else _told(mistake)
            msg = f"{file.name}, {place}: {reason}"
            raise ValueError(msg) from mistake
    listed = {tool.name for tool in tools}
    named = dict.fromkeys(step.tool for step in steps if step.tool is not None)
    tools += [ToolInfo(name=name) for name in named if name not in listed]
    return Script(tools=tuple(tools), steps=tuple(steps))


class _ScriptError(ValueError):
    """A mistake in a script, in words for who wrote it."""


def _told(mistake: Exception) -> str:
    if isinstance(mistake, KeyError):
        return f"the key {mistake.args[0]!r} is missing"
    return str(mistake)


def _entries(file: Path) -> Iterator[tuple[str, object]]:
    """Yield the objects of a file, each with its place in words."""
    text = file.read_text(encoding="utf-8")
    if file.suffix.lower() in _LINES:
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                yield f"line {number}", _json(file, f"line {number}", line)
        return
    document = _json(file, "the document", text)
    if is_object(document):
        unknown = sorted(set(document) - {"tools", "steps"})
        if unknown:
            msg = f"{file.name}: unknown keys {unknown}; known are 'tools' and 'steps'"
            raise ValueError(msg)
        yield "tools", {"tools": document.get("tools", [])}
        document = document.get("steps", [])
    if not is_array(document):
        msg = f"{file.name}: the steps must be a list, not {type(document).__name__}"
        raise ValueError(msg)
    for number, entry in enumerate(document, start=1):
        yield f"step {number}", entry


def _json(file: Path, place: str, text: str) -> object:
    try:
        loaded: object = json.loads(text)
    except (ValueError, RecursionError) as broken:
        msg = f"{file.name}, {place}: no JSON: {broken}"
        raise ValueError(msg) from broken
    return loaded


def _take(entry: object, tools: list[ToolInfo], steps: list[Step]) -> None:
    if not is_object(entry):
        msg = f"a step must be a JSON object, not {type(entry).__name__}"
        raise _ScriptError(msg)
    if "tools" in entry:
        tools += [tool_info(_object("a tool", tool)) for tool in entry["tools"]]
        return
    step, times = _step(entry)
    steps += [step] * times


_Answer: TypeAlias = Callable[[JsonObject], ScriptedOutcome]

_AROUND = frozenset({"tool", "after", "progress", "times"})
_IGNORED = frozenset({"id", "received_at", "comment"})
_WITH_TEXT = frozenset({"isError", "structuredContent", "_meta"})


def _step(entry: JsonObject) -> tuple[Step, int]:
    answers = [key for key in _ANSWERS if key in entry]
    if len(answers) != 1:
        msg = f"a step needs one of {sorted(_ANSWERS)}, not {answers or 'none'}"
        raise _ScriptError(msg)
    (answer,) = answers
    known = _AROUND | _IGNORED | {answer}
    if answer == "text":
        known |= _WITH_TEXT
    unknown = sorted(set(entry) - known)
    if unknown:
        msg = f"unknown keys {unknown}; beside {answer!r} there may be {sorted(known)}"
        raise _ScriptError(msg)
    outcome = _ANSWERS[answer](entry)
    for progress in reversed(_numbers(entry.get("progress", []))):
        outcome = Progress(progress, outcome)
    if "after" in entry:
        (seconds,) = _numbers([entry["after"]])
        outcome = After(seconds, outcome)
    tool = entry.get("tool")
    if tool is not None and (not isinstance(tool, str) or not tool):
        msg = f"'tool' must be a wire name, not {tool!r}"
        raise _ScriptError(msg)
    return Step(tool=tool, outcome=outcome), _times(entry.get("times", 1))


def _times(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"'times' must be a whole number, not {value!r}"
        raise _ScriptError(msg)
    if not 1 <= value <= _MOST_TIMES:
        msg = f"'times' must be from 1 to {_MOST_TIMES}, not {value!r}"
        raise _ScriptError(msg)
    return value


def _numbers(values: object) -> list[float]:
    if not is_array(values):
        msg = f"expected a list of numbers, not {values!r}"
        raise _ScriptError(msg)
    numbers: list[float] = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            msg = f"expected a number that is not negative, not {value!r}"
            raise _ScriptError(msg)
        numbers.append(float(value))
    return numbers


def _object(what: str, value: object) -> JsonObject:
    if is_object(value):
        return value
    msg = f"{what} must be a JSON object, not {value!r}"
    raise _ScriptError(msg)


def _text(entry: JsonObject) -> ScriptedOutcome:
    text = entry["text"]
    if not isinstance(text, str):
        msg = f"'text' must be text, not {text!r}"
        raise _ScriptError(msg)
    more = {key: entry[key] for key in _WITH_TEXT if key in entry}
    if not more:
        return text
    return {"content": [{"type": "text", "text": text}], "isError": False, **more}


def _result(entry: JsonObject) -> ScriptedOutcome:
    return _object("'result'", entry["result"])


def _tool_error(entry: JsonObject) -> ScriptedOutcome:
    given: dict[str, Any] = {**_object("'tool_error'", entry["tool_error"])}
    return tool_error(given.pop("code"), given.pop("message"), **given)


def _validation_error(entry: JsonObject) -> ScriptedOutcome:
    given = _object("'validation_error'", entry["validation_error"])
    fields: Sequence[FieldError] = [
        FieldError(name=name, message=str(message))
        for name, message in _object("'fields'", given["fields"]).items()
    ]
    return validation_error(given.get("action"), fields)


def _protocol_error(entry: JsonObject) -> ScriptedOutcome:
    given = _object("'protocol_error'", entry["protocol_error"])
    return ProtocolFailure(int(given["code"]), str(given["message"]), given.get("data"))


def _hang(entry: JsonObject) -> ScriptedOutcome:
    if entry["hang"] is not True:
        msg = f"'hang' must be true, not {entry['hang']!r}"
        raise _ScriptError(msg)
    return Hang()


_ANSWERS: Mapping[str, _Answer] = {
    "text": _text,
    "result": _result,
    "tool_error": _tool_error,
    "validation_error": _validation_error,
    "protocol_error": _protocol_error,
    "hang": _hang,
}
