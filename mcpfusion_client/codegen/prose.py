"""The docstrings of the generated module, made of what the server wrote."""

import json
from collections.abc import Iterable
from typing import Final

from mcpfusion_client.codegen.module import Method, NamedType, Parameter
from mcpfusion_client.codegen.text import clean, clean_line, docstring, wrap
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object

_LONGEST_DEFAULT: Final = 80
_LONGEST_NAME: Final = 120
_MAX_NOTES: Final = 10
_HINTS: Final = (
    ("readOnlyHint", "changes nothing", "changes something"),
    ("destructiveHint", "may delete or overwrite", "deletes and overwrites nothing"),
    ("idempotentHint", "may be repeated", "does more when repeated"),
)


def of_namespace(path: Iterable[str]) -> list[str]:
    """Return the docstring of a namespace class or property."""
    return wrap(f"The tools under {code('.'.join(path))}.", indent=0)


def of_method(method: Method) -> list[str]:
    """Return the docstring of a method."""
    tool = method.action.tool
    told = clean(tool.get("description")) or clean_line(tool.get("title"))
    name = code(tool["name"])
    calls = f"Calls the tool {name}"
    for key, value in method.action.fixed.items():
        calls += f" with {code(key)} {code(value)}"
    lines = [*wrap(told, indent=8), ""] if told else []
    lines += wrap(f"{calls}.", indent=8)
    effects = _effects(tool.get("annotations"))
    if effects:
        lines += wrap(f"The server says: it {effects}.", indent=8)
    lines += _arguments(method.parameters)
    lines += _notes(method.notes)
    return docstring(lines, indent=8)


def of_type(named: NamedType, tokens: Iterable[str]) -> list[str]:
    """Return the docstring of a TypedDict; empty without a description."""
    source: JsonObject = named.source if is_object(named.source) else {}
    properties = source.get("properties")
    listed: JsonObject = properties if is_object(properties) else {}
    told = clean(source.get("description"))
    fields: list[str] = []
    for token in tokens:
        wire = named.keys[token]
        about = _about(listed.get(wire))
        if about:
            fields += wrap(f"{_name(wire)}: {about}", indent=8, hang=4)
    if not told and not fields:
        return []
    lines = wrap(told or "Attributes, as the server describes them.", indent=4)
    if fields:
        lines += ["", "    Attributes:", *fields]
    return docstring(lines, indent=4)


def code(wire: str) -> str:
    """Return an untrusted name as a literal of a docstring."""
    return f"``{_name(wire)}``"


def _name(wire: str) -> str:
    return clean_line(wire, limit=_LONGEST_NAME).replace("`", "'") or "?"


def _effects(annotations: JsonValue) -> str:
    hints = annotations if is_object(annotations) else {}
    said = [
        yes if hints[hint] else no
        for hint, yes, no in _HINTS
        if isinstance(hints.get(hint), bool)
    ]
    return ", ".join(said)


def _arguments(parameters: Iterable[Parameter]) -> list[str]:
    lines: list[str] = []
    for parameter in parameters:
        about = _about(parameter.schema)
        if parameter.name != parameter.wire:
            about = f"Sent as {code(parameter.wire)}. {about}".rstrip()
        if about:
            lines += wrap(f"{parameter.name}: {about}", indent=12, hang=4)
    return ["", "        Args:", *lines] if lines else []


def _about(schema: JsonValue) -> str:
    if not is_object(schema):
        return ""
    told = clean_line(schema.get("description"))
    if "default" not in schema:
        return told
    default = _default(schema["default"])
    if told and not told.endswith((".", "…", "!", "?")):
        told += "."
    return f"{told} Default: {default}.".strip()


def _default(value: JsonValue) -> str:
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return "not shown"
    shown = written[:_LONGEST_DEFAULT].replace("`", "'")
    return clean_line(f"``{shown}``")


def _notes(notes: Iterable[str]) -> list[str]:
    told = [clean_line(note) for note in notes]
    if not told:
        return []
    lines = ["", "        Note:"]
    for note in told[:_MAX_NOTES]:
        lines += wrap(f"Not fully typed: {note}.", indent=12, hang=4)
    if len(told) > _MAX_NOTES:
        lines.append(f"            And {len(told) - _MAX_NOTES} more.")
    return lines
