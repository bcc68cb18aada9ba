"""Take JSON apart into typed values, or say clearly what is wrong with it.

A key that is missing gives the default; one that is there must have the type.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar, cast, overload

from mcpfusion_client.model.json import JsonObject, JsonValue

Word = TypeVar("Word", bound=StrEnum)
Value = TypeVar("Value")


def _wrong(key: str, expected: str, value: JsonValue) -> TypeError:
    return TypeError(f"{key} must be {expected}, not {value!r}")


@overload
def text(plain: JsonObject, key: str, default: str) -> str: ...
@overload
def text(plain: JsonObject, key: str, default: None = None) -> str | None: ...
def text(plain: JsonObject, key: str, default: str | None = None) -> str | None:
    """Return the text under *key*; None is one only when it is the default."""
    value = plain.get(key, default)
    if isinstance(value, str) or (value is None and default is None):
        return value
    raise _wrong(key, "a str", value)


def flag(plain: JsonObject, key: str, *, default: bool) -> bool:
    """Return the truth value under *key*."""
    value = plain.get(key, default)
    if isinstance(value, bool):
        return value
    raise _wrong(key, "a bool", value)


def known_flag(plain: JsonObject, key: str) -> bool | None:
    """Return the truth value under *key*, None when nobody knows."""
    return None if plain.get(key) is None else flag(plain, key, default=False)


def number(plain: JsonObject, key: str) -> float | None:
    """Return the number under *key*, if any.

    Raises:
        ValueError: It is larger than any float.
    """
    value = plain.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(key, "a number or None", value)
    try:
        float(value)
    except OverflowError:
        msg = f"{key} must be a number a float can hold"
        raise ValueError(msg) from None
    return value


def whole_number(plain: JsonObject, key: str) -> int | None:
    """Return the integer under *key*, if any."""
    value = number(plain, key)
    if value is None or isinstance(value, int):
        return value
    raise _wrong(key, "an int or None", value)


def word(plain: JsonObject, key: str, default: Word) -> Word:
    """Return the word under *key*, of the list that *default* is from.

    Raises:
        ValueError: The word is not in the list.
    """
    return type(default)(text(plain, key, default.value))


def known_word(plain: JsonObject, key: str, words: type[Word]) -> Word | None:
    """Return the word under *key*, if any.

    Raises:
        ValueError: The word is not in the list.
    """
    value = text(plain, key)
    return None if value is None else words(value)


def mapping(plain: JsonObject, key: str) -> JsonObject:
    """Return the object under *key*."""
    value = plain.get(key, {})
    if not isinstance(value, dict):
        raise _wrong(key, "a dict", value)
    if not all(
        isinstance(name, str) for name in cast("Mapping[object, object]", value)
    ):
        raise _wrong(key, "a dict with str keys", value)
    return cast("JsonObject", value)


def texts(plain: JsonObject, key: str) -> tuple[str, ...]:
    """Return the list of texts under *key*."""
    return tuple(text({key: one}, key, "") for one in _items(plain, key))


def objects(
    plain: JsonObject, key: str, read: Callable[[JsonObject], Value]
) -> tuple[Value, ...]:
    """Return the list of objects under *key*, each read by *read*."""
    return tuple(read(mapping({key: one}, key)) for one in _items(plain, key))


def _items(plain: JsonObject, key: str) -> Sequence[JsonValue]:
    value = plain.get(key, ())
    if not isinstance(value, list | tuple):
        raise _wrong(key, "a list", value)
    return cast("Sequence[JsonValue]", value)
