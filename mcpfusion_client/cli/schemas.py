"""What a tool's input schema says about each argument, as far as people need it.

Everything here is untrusted and may be malformed: what makes no sense says nothing.
"""

import json
from collections.abc import Iterator
from typing import Final

import attrs

from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping, is_sequence
from mcpfusion_client.model.text import one_line

_BRANCHES: Final = ("anyOf", "oneOf", "allOf")
_MAX_DEPTH: Final = 8
_MOST_CHOICES: Final = 8
_KINDS: Final = ("string", "integer", "number", "boolean", "object", "array", "null")


@attrs.frozen(kw_only=True)
class Argument:
    """One argument of a tool.

    Attributes:
        name: Untrusted.
        kinds: The JSON types it may have; empty when the schema does not say.
        items: The JSON types of its items, if it is an array.
        choices: The values it may have, None when there is no list of them.
        required: Does the tool insist on it?
        default: What the tool takes without it, as JSON text, or None.
        description: Untrusted.
    """

    name: str
    kinds: tuple[str, ...]
    items: tuple[str, ...] = ()
    choices: tuple[JsonValue, ...] | None = None
    required: bool = False
    default: str | None = None
    description: str = ""


def arguments_of(schema: JsonObject) -> dict[str, Argument]:
    """Return the arguments that *schema* declares, by name.

    Args:
        schema: Untrusted; the input schema of a tool. Arguments that only some of
            its branches have count as optional.
    """
    pointers = Pointers(schema)
    required = _texts(schema.get("required"))
    found: dict[str, Argument] = {}
    for part in _parts(schema, pointers):
        for name, rule in _mapping(part.get("properties")).items():
            if name not in found:
                found[name] = _argument(name, rule, pointers, name in required)
    return found


def kind_of(argument: Argument) -> str:
    """Return the type for people: the choices, or the JSON types."""
    if argument.choices is not None and "array" not in argument.kinds:
        shown = [one_line(str(value), 40) for value in argument.choices[:_MOST_CHOICES]]
        more = " | …" if len(argument.choices) > _MOST_CHOICES else ""
        kind = " | ".join(shown) + more
    else:
        kind = " or ".join(argument.kinds) or "any"
        if argument.items:
            kind = kind.replace("array", f"array of {' or '.join(argument.items)}")
    if argument.default is not None:
        kind += f" = {one_line(argument.default, 40)}"
    return kind


def is_closed(schema: JsonObject) -> bool:
    """Does *schema* forbid arguments that it does not declare?"""
    return schema.get("additionalProperties") is False


def _argument(
    name: str,
    rule: JsonValue,
    pointers: Pointers,
    required: bool,  # noqa: FBT001
) -> Argument:
    parts = list(_parts(rule, pointers))
    items = next((part["items"] for part in parts if "items" in part), None)
    description = next(
        (part["description"] for part in parts if part.get("description")), ""
    )
    default = next((part["default"] for part in parts if "default" in part), None)
    return Argument(
        name=name,
        kinds=_kinds(parts),
        items=() if items is None else _kinds(list(_parts(items, pointers))),
        choices=_choices(parts),
        required=required,
        default=None if default is None else json.dumps(default, ensure_ascii=False),
        description=description if isinstance(description, str) else "",
    )


def _parts(
    schema: JsonValue, pointers: Pointers, depth: int = 0
) -> Iterator[JsonObject]:
    """Yield *schema* and the schemas it is put together from."""
    if not is_mapping(schema) or depth > _MAX_DEPTH:
        return
    yield schema
    target = pointers.follow(schema.get("$ref"))
    if target is not None:
        yield from _parts(target.schema, pointers, depth + 1)
    for keyword in _BRANCHES:
        branches = schema.get(keyword)
        for branch in branches if is_array(branches) else ():
            yield from _parts(branch, pointers, depth + 1)


def _kinds(parts: list[JsonObject]) -> tuple[str, ...]:
    stated = {kind for part in parts for kind in _stated_kinds(part)}
    return tuple(kind for kind in _KINDS if kind in stated)


def _stated_kinds(part: JsonObject) -> Iterator[str]:
    stated = part.get("type")
    if isinstance(stated, str):
        yield stated
    elif is_sequence(stated):
        yield from _texts(stated)
    else:
        yield from (_kind_of(value) for value in _values(part) or ())


def _kind_of(value: JsonValue) -> str:
    if value is None:
        return "null"
    for types, kind in _KIND_OF:
        if isinstance(value, types):
            return kind
    return "string"


_KIND_OF: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (dict, "object"),
    (list, "array"),
)


def _choices(parts: list[JsonObject]) -> tuple[JsonValue, ...] | None:
    lists = [values for values in map(_values, parts) if values is not None]
    return tuple(value for values in lists for value in values) if lists else None


def _values(part: JsonObject) -> list[JsonValue] | None:
    if "const" in part:
        return [part["const"]]
    values = part.get("enum")
    return list(values) if is_array(values) else None


def _mapping(value: JsonValue) -> JsonObject:
    return value if is_mapping(value) else {}


def _texts(value: JsonValue) -> tuple[str, ...]:
    items = value if is_sequence(value) else ()
    return tuple(item for item in items if isinstance(item, str))
