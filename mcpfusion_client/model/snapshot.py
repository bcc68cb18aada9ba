"""Copy JSON, so that nobody else's change can reach a call that is under way.

Copying and checking are one walk: what is not JSON is refused before anything
is sent.
"""

import math
from collections.abc import Mapping, Sequence
from typing import cast

from mcpfusion_client.model.json import JsonObject, JsonValue, is_mapping

# Immutable, and JSON whatever their value; most leaves are one of these.
_PLAIN = frozenset({bool, int, type(None)})


def snapshot(value: object, *, what: str) -> dict[str, JsonValue]:
    """Return a deep copy of *value* made of plain JSON values.

    Args:
        value: The JSON object to copy; None counts as an empty one.
        what: What it is, for the message of an error.

    Raises:
        TypeError: It is not a mapping with text keys, or holds something that
            JSON has no form for.
        ValueError: It holds a number or text that JSON has no form for, or is
            nested too deep (which is also what a value inside itself looks like).
    """
    if value is None:
        return {}
    if not is_mapping(value):
        msg = f"{what} must be a mapping with text keys, not {type(value).__name__}"
        raise TypeError(msg)
    try:
        return _mapping(value, what)
    except RecursionError:
        msg = f"{what} must not be nested so deep"
        raise ValueError(msg) from None


def recopy(value: JsonObject) -> dict[str, JsonValue]:
    """Return a deep copy of what `snapshot` has made."""
    copied = dict(value)
    for name, item in copied.items():
        if type(item) is dict or type(item) is list:
            copied[name] = _recopy(item)
    return copied


def _recopy(value: JsonValue) -> JsonValue:
    if type(value) is dict:
        return recopy(cast("JsonObject", value))
    if type(value) is list:
        return [_recopy(item) for item in cast("Sequence[JsonValue]", value)]
    return value


def _mapping(value: JsonObject, path: str) -> dict[str, JsonValue]:
    copied: dict[str, JsonValue] = {}
    for name, item in value.items():
        key = name if type(name) is str and name.isascii() else _key(name, path)
        if (type(item) is str and item.isascii()) or type(item) in _PLAIN:
            copied[key] = item
        else:
            copied[key] = _value(item, f"{path}[{key!r}]")
    return copied


def _key(name: object, path: str) -> str:
    if isinstance(name, str):
        return _text(name, path)
    msg = f"{path} has a key that is not text: {type(name).__name__}"
    raise TypeError(msg)


def _value(value: object, path: str) -> JsonValue:
    """Copy what is not one of the most common leaves."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, Mapping):
        return _mapping(cast("JsonObject", value), path)
    if isinstance(value, list | tuple):
        items = cast("Sequence[object]", value)
        return [_value(item, f"{path}[{at}]") for at, item in enumerate(items)]
    if isinstance(value, int):
        return int(value)
    if not isinstance(value, float):
        msg = f"{path} is a {type(value).__name__}, which is not JSON"
        raise TypeError(msg)
    if not math.isfinite(value):
        msg = f"{path} is {value!r}, a number JSON cannot hold"
        raise ValueError(msg)
    return float(value)


def _text(value: str, path: str) -> str:
    plain = str.__str__(value)
    try:
        plain.encode()
    except UnicodeEncodeError:
        msg = f"{path} holds half a surrogate pair, which UTF-8 cannot encode"
        raise ValueError(msg) from None
    return plain
