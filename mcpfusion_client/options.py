"""What callers may pass as an option: anything else is refused, by name.

Found out later, a wrong option would fail a call that has been carried out.
"""

import math
from collections.abc import Iterable
from typing import Literal, TypeVar, cast

from mcpfusion_client.retry import RetryPolicy, ToolPolicies

T = TypeVar("T")


def made_or_given(
    name: str, value: T | Literal["private"] | None, kind: type[T]
) -> T | None:
    """Return the gate or the budget that an option stands for; None is none.

    Args:
        name: The option.
        value: What the caller says; ``"private"`` is a new one.
        kind: What it has to be.

    Raises:
        TypeError: It is none of these.
    """
    if value == "private":
        return kind()
    if value is None or isinstance(value, kind):
        return value
    given = type(value).__name__
    msg = f'{name} must be a {kind.__name__}, "private" or None, not {given}'
    raise TypeError(msg)


def flag(name: str, value: object) -> bool:
    """Return the truth value that an option is.

    Raises:
        TypeError: It is something else, such as the text ``"no"``.
    """
    if isinstance(value, bool):
        return value
    msg = f"{name} must be True or False, not {type(value).__name__}"
    raise TypeError(msg)


def none_but(name: str, value: object, kind: type) -> None:
    """Refuse what is neither None nor of *kind*.

    Raises:
        TypeError: It is something else.
    """
    if not (value is None or isinstance(value, kind)):
        msg = f"{name} must be a {kind.__name__}, not {type(value).__name__}"
        raise TypeError(msg)


def several(name: str, value: Iterable[T]) -> tuple[T, ...]:
    """Return what an option lists.

    Raises:
        TypeError: It is no list, but perhaps what belongs into one.
    """
    if isinstance(cast("object", value), Iterable):
        return tuple(value)
    msg = f"{name} must be a list, as in {name}=[...], not {type(value).__name__}"
    raise TypeError(msg)


def policies(retry: object) -> RetryPolicy | ToolPolicies:
    """Return the policies that *retry* stands for.

    Raises:
        TypeError: It stands for none.
    """
    if retry is None or retry is True:
        return RetryPolicy()
    if retry is False:
        return RetryPolicy.off()
    if isinstance(retry, RetryPolicy | ToolPolicies):
        return retry
    msg = f"retry must be a RetryPolicy or False, not {type(retry).__name__}"
    raise TypeError(msg)


def text(name: str, value: object) -> str:
    """Return *value* if it is text with something in it.

    Raises:
        TypeError: It is no text.
        ValueError: It is empty.
    """
    if not isinstance(value, str):
        msg = f"{name} must be text, not {type(value).__name__}"
        raise TypeError(msg)
    if not value:
        msg = f"{name} must not be empty"
        raise ValueError(msg)
    return value


def seconds(name: str, value: object, *, zero: bool = False) -> float:
    """Return a limit in seconds; None is none.

    Args:
        name: The option.
        value: What the caller says.
        zero: Is 0 a limit?

    Raises:
        TypeError: It is no number.
        ValueError: It is negative or NaN, or 0 where that is no limit.
    """
    if value is None:
        return math.inf
    if isinstance(value, bool) or not isinstance(value, int | float):
        msg = f"{name} must be a number of seconds, not {type(value).__name__}"
        raise TypeError(msg)
    if value > 0 or (zero and value == 0):
        return float(value)
    msg = f"{name} must be {'at least' if zero else 'above'} 0 seconds, not {value!r}"
    raise ValueError(msg)


def whole(name: str, value: object) -> int | None:
    """Return a limit that is a whole number; None is none.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is below 1.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{name} must be a whole number, not {type(value).__name__}"
        raise TypeError(msg)
    if value < 1:
        msg = f"{name} must be at least 1, not {value!r}"
        raise ValueError(msg)
    return value
