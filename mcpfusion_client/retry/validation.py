"""Refuse impossible values, naming the field and its range."""

import math
from collections.abc import Iterable


def check_number(
    name: str, value: object, low: float, *, infinite: bool = False
) -> None:
    """Raise unless *value* is a number from *low*; NaN never is.

    Args:
        name: The field, for the message.
        value: Its value.
        low: The smallest value.
        infinite: Is ``math.inf`` allowed, to lift the limit?

    Raises:
        ValueError: It is not.
    """
    if (
        not isinstance(value, (int, float))
        or isinstance(value, bool)
        or not value >= low
        or (value == math.inf and not infinite)
    ):
        tail = "" if infinite else " and finite"
        msg = f"{name} must be a number, at least {low:g}{tail}, not {value!r}"
        raise ValueError(msg)


def check_whole(name: str, value: object, low: int) -> None:
    """Raise unless *value* is a whole number from *low*.

    Raises:
        ValueError: It is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        msg = f"{name} must be a whole number, at least {low}, not {value!r}"
        raise ValueError(msg)


def check_flag(name: str, value: object) -> None:
    """Raise unless *value* is True or False: ``"no"`` would mean yes.

    Raises:
        ValueError: It is not.
    """
    if value is not True and value is not False:
        msg = f"{name} must be True or False, not {value!r}"
        raise ValueError(msg)


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise unless *value* is one of *choices*.

    Raises:
        ValueError: It is not.
    """
    words = tuple(choices)
    if value not in words:
        msg = f"{name} must be one of {', '.join(words)}, not {value!r}"
        raise ValueError(msg)


def codes(value: Iterable[str]) -> tuple[str, ...]:
    """Return *value* as a tuple; one bare string is a mistake.

    Raises:
        TypeError: *value* is a string, or holds something that is none.
    """
    if isinstance(value, str):
        msg = f"give a sequence of codes, such as [{value!r}], not one string"
        raise TypeError(msg)
    found = tuple(value)
    if wrong := _not_text(found):
        msg = f"a code is a string, not {wrong[0]!r}"
        raise TypeError(msg)
    return found


def _not_text(values: Iterable[object]) -> list[object]:
    return [value for value in values if not isinstance(value, str)]
