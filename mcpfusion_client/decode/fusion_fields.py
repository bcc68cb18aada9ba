"""Take one rejected argument apart: what was sent and what was expected."""

import re
from collections.abc import Iterable

from mcpfusion_client.model import FieldError

_SENT = "You sent: "
_ADVICE = re.compile(
    r"(?:Expected|Minimum|Maximum|Must be|Valid options|Value didn't|Value does"
    r"|Remove or correct)\b"
)
_EXPECTED = re.compile(r"Expected(?: type)?:?\s+")
_MAX_SENT = 4096
"""Far above the 50 characters a sent value is cut to by the server."""

_MAX_MESSAGE = 64 * 1024


def field_error(name: str, text: str, *, whole: bool = True) -> FieldError:
    """Return what *text* says about the argument *name*.

    Args:
        name: Path of the argument, as on the wire.
        text: Untrusted; ``PROBLEM You sent: VALUE. ADVICE``, or anything else.
        whole: False when *text* was cut, so its end means nothing.
    """
    start = text.find(_SENT)
    if start < 0 or not whole:
        return FieldError(name=name, message=text)
    rest = text[start + len(_SENT) :]
    end = _end_of_value(rest)
    if end is None:
        return FieldError(name=name, message=text)
    return FieldError(
        name=name,
        message=text,
        sent=rest[:end],
        expected=_expected(rest[end + 1 :].strip()),
    )


def _end_of_value(rest: str) -> int | None:
    """Return where the full stop after the sent value stands.

    A quoted value may hold full stops itself, so the one before the advice or
    at the very end counts.
    """
    stop = ". "
    if rest.startswith("'"):
        stop = "'. "
    position = rest.find(stop, 0, _MAX_SENT)
    while position >= 0:
        end = position + len(stop) - 2
        if _ADVICE.match(rest, end + 2):
            return end
        position = rest.find(stop, position + 1, _MAX_SENT)
    stripped = rest.rstrip()
    return len(stripped) - 1 if stripped.endswith(".") else None


def _expected(advice: str) -> str | None:
    """Return what the server wants, without the full stop."""
    return _EXPECTED.sub("", advice.removesuffix("."), count=1) or None


def composed_message(fields: Iterable[FieldError]) -> str:
    """Return one message that says what is wrong with every field."""
    message = "; ".join(f"{field.name}: {field.message}" for field in fields)
    return message[:_MAX_MESSAGE]
