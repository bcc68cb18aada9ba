"""Write MCP Fusion's envelope, byte for byte as MCP Fusion does.

What is written here is read back to the same value by `mcpfusion_client.decode`.
The functions return the text of the envelope: put it into a tool result with
``isError`` set, or raise it from a tool as the text of an exception. An envelope
with severity ``warning`` rides on a success.
"""

import contextlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Self, TypeAlias, TypeGuard

import attrs

from mcpfusion_client.model import ErrorInfo, FieldError, JsonObject, Severity

DetailValue: TypeAlias = str | int | float | bool
"""What a detail may hold; numbers and booleans are written as JavaScript does."""

_ELEMENT = str.maketrans({"&": "&amp;", "<": "&lt;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}
)
_FIX_FIELDS = "Fix the fields above and call the tool again. Do not explain the error."
_LAST_INDEX = 2**32 - 2
"""JavaScript puts keys up to this number, as array indices, before all others."""

_PLAIN_DIGITS = 21
"""JavaScript writes a number with more digits before the point as ``1e+21``."""

_PLAIN_ZEROS = -6
"""And one with this many zeros after the point, or more, as ``1e-7``."""


def tool_error(
    code: str,
    message: str,
    *,
    suggestion: str | None = None,
    recovery: str | None = None,
    available_actions: Sequence[str] = (),
    details: Mapping[str, DetailValue] | None = None,
    retry_after: float | None = None,
    severity: Severity | str = Severity.ERROR,
) -> str:
    """Return a ``<tool_error>`` envelope.

    Args:
        code: The error code; `ErrorCode` lists the canonical ones.
        message: What went wrong.
        suggestion: What to do about it; an empty text is left out.
        recovery: Another name for *suggestion*, as the envelope has it.
        available_actions: Actions to try instead.
        details: Further facts by name.
        retry_after: Seconds to wait before a retry; 0 is left out.
        severity: ``error``, ``critical`` or ``warning``.

    Raises:
        TypeError: A value has the wrong type, or both *suggestion* and
            *recovery* are given.
        ValueError: *severity* is unknown, or *retry_after* is negative or not
            finite.
    """
    if suggestion is not None and recovery is not None:
        msg = "suggestion and recovery are the same thing: give one of them"
        raise TypeError(msg)
    return _envelope(
        code=_text("code", code),
        message=_text("message", message),
        recovery=suggestion if recovery is None else recovery,
        available_actions=available_actions,
        details=details or {},
        retry_after=retry_after,
        severity=_severity(severity),
    )


def validation_error(
    action: str | None, fields: Iterable[FieldError | tuple[str, str]]
) -> str:
    """Return a ``<validation_error>`` envelope.

    Args:
        action: The action that was called, as ``tool/action``; None leaves it
            out.
        fields: Each rejected argument, as a `FieldError` or as its name and
            the text about it. The text is written as it is; MCP Fusion's own
            reads ``PROBLEM You sent: VALUE. ADVICE``.

    Raises:
        TypeError: A value has the wrong type.
    """
    named = "" if action is None else f' action="{_attribute("action", action)}"'
    parts = [f"<validation_error{named}>"]
    for field in fields:
        name, text = _field(field)
        parts.append(
            f'<field name="{_attribute("field name", name)}">'
            f"{_element('field text', text)}</field>"
        )
    parts.append(f"<recovery>{_FIX_FIELDS}</recovery>")
    parts.append("</validation_error>")
    return "\n".join(parts)


def envelope(info: ErrorInfo) -> str:
    """Return the ``<tool_error>`` envelope that hands *info* on.

    Details that are no scalars are written as JSON. What the envelope has no
    place for is left out.
    """
    return _envelope(
        code=info.code,
        message=info.message,
        recovery=info.recovery,
        available_actions=info.available_actions,
        details=_scalars(info.details),
        retry_after=info.retry_after,
        severity=info.severity,
    )


@attrs.frozen
class ErrorBuilder:
    """Builds a ``<tool_error>`` step by step; every step returns a new builder.

    Example:
        >>> print(ErrorBuilder("NOT_FOUND", "Invoice missing").retry_after(30).build())
        <tool_error code="NOT_FOUND" severity="error">
        <message>Invoice missing</message>
        <retry_after>30 seconds</retry_after>
        </tool_error>
    """

    _code: str
    _message: str
    _suggestion: str | None = attrs.field(default=None, kw_only=True)
    _actions: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    _severity: Severity | str = attrs.field(default=Severity.ERROR, kw_only=True)
    _details: Mapping[str, DetailValue] = attrs.field(
        factory=dict[str, DetailValue], kw_only=True
    )
    _retry_after: float | None = attrs.field(default=None, kw_only=True)

    def suggest(self, suggestion: str) -> Self:
        """Say what to do about it."""
        return attrs.evolve(self, suggestion=suggestion)

    def actions(self, *names: str) -> Self:
        """Add actions to try instead."""
        return attrs.evolve(self, actions=(*self._actions, *names))

    def severity(self, severity: Severity | str) -> Self:
        """Set how bad it is; ``error`` unless set."""
        return attrs.evolve(self, severity=severity)

    def critical(self) -> Self:
        """Mark it as a failure nobody should retry."""
        return self.severity(Severity.CRITICAL)

    def warning(self) -> Self:
        """Mark it as advice that rides on a success."""
        return self.severity(Severity.WARNING)

    def details(self, details: Mapping[str, DetailValue]) -> Self:
        """Add further facts by name."""
        return attrs.evolve(self, details={**self._details, **details})

    def retry_after(self, seconds: float) -> Self:
        """Say how many seconds to wait before a retry."""
        return attrs.evolve(self, retry_after=seconds)

    def build(self) -> str:
        """Return the envelope.

        Raises:
            TypeError: A value has the wrong type.
            ValueError: The severity is unknown, or the wait is negative or not
                finite.
        """
        return tool_error(
            self._code,
            self._message,
            suggestion=self._suggestion,
            available_actions=self._actions,
            details=self._details,
            retry_after=self._retry_after,
            severity=self._severity,
        )


def _envelope(
    *,
    code: str | None,
    message: str,
    recovery: str | None,
    available_actions: Sequence[str],
    details: Mapping[str, DetailValue],
    retry_after: float | None,
    severity: Severity,
) -> str:
    coded = "" if code is None else f' code="{_attribute("code", code)}"'
    parts = [
        f'<tool_error{coded} severity="{severity.value}">',
        f"<message>{_element('message', message)}</message>",
    ]
    if recovery:
        parts.append(f"<recovery>{_element('suggestion', recovery)}</recovery>")
    if isinstance(available_actions, str):
        msg = f"available_actions must be a list of names, not {available_actions!r}"
        raise TypeError(msg)
    if available_actions:
        parts.append("<available_actions>")
        parts += (
            f"  <action>{_element('action', action)}</action>"
            for action in available_actions
        )
        parts.append("</available_actions>")
    if details:
        parts.append("<details>")
        parts += (
            f'  <detail key="{_attribute("detail key", key)}">'
            f"{_scalar_text(key, value).translate(_ELEMENT)}</detail>"
            for key, value in _in_javascript_order(details)
        )
        parts.append("</details>")
    if retry_after is not None and _seconds(retry_after) > 0:
        parts.append(f"<retry_after>{_number(retry_after)} seconds</retry_after>")
    parts.append("</tool_error>")
    return "\n".join(parts)


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        msg = f"{what} must be a str, not {value!r}"
        raise TypeError(msg)
    return value


def _element(what: str, value: object) -> str:
    return _text(what, value).translate(_ELEMENT)


def _attribute(what: str, value: object) -> str:
    return _text(what, value).translate(_ATTRIBUTE)


def _severity(severity: str) -> Severity:
    try:
        return Severity(severity)
    except ValueError:
        known = ", ".join(Severity)
        msg = f"severity must be one of {known}, not {severity!r}"
        raise ValueError(msg) from None


def _field(field: object) -> tuple[str, str]:
    match field:
        case FieldError(name=name, message=text):
            return name, text
        case (str(name), str(text)):
            return name, text
        case _:
            msg = f"a field must be a FieldError or (name, text), not {field!r}"
            raise TypeError(msg)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _seconds(value: object) -> float:
    if not _is_number(value):
        msg = f"retry_after must be a number of seconds, not {value!r}"
        raise TypeError(msg)
    if not _is_finite(value) or value < 0:
        msg = f"retry_after must be finite and >= 0 seconds, not {value!r}"
        raise ValueError(msg)
    return value


def _in_javascript_order(
    details: Mapping[str, DetailValue],
) -> list[tuple[str, DetailValue]]:
    """Return the details as JavaScript lists an object: array indices first."""
    return sorted(
        details.items(), key=lambda item: _index(_text("detail key", item[0]))
    )


def _index(key: str) -> int:
    if key.isascii() and key.isdigit() and (key == "0" or key[0] != "0"):
        return min(int(key[:11]), _LAST_INDEX + 1)
    return _LAST_INDEX + 1


def _scalars(details: JsonObject) -> dict[str, DetailValue]:
    """Return *details* with everything but scalars as JSON."""
    scalars: dict[str, DetailValue] = {}
    for key, value in details.items():
        if isinstance(value, str | bool) or (_is_number(value) and _is_finite(value)):
            scalars[key] = value
            continue
        # What nests too deeply for JSON cannot be handed on.
        with contextlib.suppress(RecursionError):
            scalars[key] = json.dumps(value, ensure_ascii=False)
    return scalars


def _scalar_text(key: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if _is_number(value) and _is_finite(value):
        return _number(value)
    msg = f"detail {key!r} must be a str, a bool or a finite number, not {value!r}"
    raise TypeError(msg)


def _number(value: float) -> str:
    """Return a finite number as JavaScript spells it.

    Integers below 1e21 keep all their digits, also those a JavaScript number
    could not hold.
    """
    if isinstance(value, int) and abs(value) < 10**_PLAIN_DIGITS:
        return str(value)
    mantissa, _, exponent = repr(abs(float(value))).partition("e")
    whole, _, fraction = mantissa.partition(".")
    written = (whole + fraction).lstrip("0")
    # The value is 0.DIGITS times ten to the power of *point*.
    point = int(exponent or 0) + len(whole) - len(whole + fraction) + len(written)
    digits = written.rstrip("0")
    sign = "-" if value < 0 else ""
    if not digits:
        return "0"
    if len(digits) <= point <= _PLAIN_DIGITS:
        return sign + digits.ljust(point, "0")
    if 0 < point <= _PLAIN_DIGITS:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _PLAIN_ZEROS < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"
