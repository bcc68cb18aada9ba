"""JSON as this package types it.

`Any` is allowed here and nowhere else in a public name: a JSON document has no
narrower type that a reader can index into.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

JsonValue: TypeAlias = Any
"""Anything `json.loads` returns."""

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object; treat it as read-only."""


def is_object(value: object) -> TypeGuard[dict[str, JsonValue]]:
    """Is *value*, which came out of a JSON document, an object?"""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[JsonValue]]:
    """Is *value*, which came out of a JSON document, an array?"""
    return isinstance(value, list)


def is_mapping(value: object) -> TypeGuard[JsonObject]:
    """Is *value* a JSON object, of whatever mapping type?"""
    return type(value) is dict or isinstance(value, Mapping)


def is_sequence(value: object) -> TypeGuard[Sequence[JsonValue]]:
    """Is *value* a sequence of values, and no text?"""
    if type(value) is list:
        return True
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
