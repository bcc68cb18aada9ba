"""Ask a JSON value for its shape, so that type checkers understand the answer."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from mcpfusion_client.model import JsonObject, JsonValue


def is_mapping(value: object) -> TypeGuard[JsonObject]:
    """Is *value* a JSON object, of whatever mapping type?"""
    return type(value) is dict or isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[JsonValue]]:
    """Is *value* a list?"""
    return isinstance(value, list)


def is_sequence(value: object) -> TypeGuard[Sequence[JsonValue]]:
    """Is *value* a sequence of values, and no text?"""
    if type(value) is list:
        return True
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def is_group(error: BaseException) -> TypeGuard[BaseExceptionGroup[BaseException]]:
    """Is *error* a group of errors?"""
    return isinstance(error, BaseExceptionGroup)
