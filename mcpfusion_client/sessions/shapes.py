"""Narrow JSON of unknown shape."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from mcpfusion_client.model import JsonObject, JsonValue


def is_object(value: object) -> TypeGuard[dict[str, JsonValue]]:
    """Is *value* a JSON object?"""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[JsonValue]]:
    """Is *value* a JSON array?"""
    return isinstance(value, list)


def is_mapping(value: object) -> TypeGuard[JsonObject]:
    """Is *value* a mapping, as a JSON object may also come?"""
    return isinstance(value, Mapping)


def is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    """Is *value* a list or tuple?"""
    return isinstance(value, list | tuple)
