"""Read what MCP Fusion wrote before it wrote XML: plain text in fixed forms.

``[CODE] message`` with a ``Suggestion:`` and a ``Try:`` paragraph, and banners
for routing and validation errors. Nothing is escaped there, so the last marker
of a kind counts: what stands before it is data.
"""

import re
from collections.abc import Mapping

from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.fusion_fields import composed_message, field_error
from mcpfusion_client.model import ErrorCode, JsonValue, Severity

DIALECT = "fusion-text"

_EVIDENCE = 256 * 1024
"""Characters of a text that are read."""

_CODE = re.compile(r"\[([^\n]{1,200}?)\] ")
_SUGGESTION = "Suggestion: "
_TRY = "Try: "
_ICONS: Mapping[str, str] = {_SUGGESTION: "💡 ", _TRY: "📋 "}

_UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++")
_ONE_WORD = re.compile(r"[A-Z]++|(?:[A-Z][a-z0-9]++)++|[a-z]++(?:_[a-z0-9]++)++")
_FAILURE = re.compile(
    r"auth|bad(?![a-z])|busy|cancel|conflict|denied|deprecated|duplicate|exceeded"
    r"|exist|expired|forbidden|found|invalid|limit|locked|mismatch|missing|overload"
    r"|quota|reject|required|time_?d?_?out|unavailable|unknown|unsupported|violation",
    re.IGNORECASE,
)
"""One of these makes a word in brackets a code and no name of a tool or level."""

_BANNERS = (
    ("❌ ROUTING ERROR: ", "Available: [", ErrorCode.MISSING_DISCRIMINATOR),
    ("❌ UNKNOWN ACTION: ", "Available actions: [", ErrorCode.UNKNOWN_ACTION),
)
_END_OF_LIST = "].\n💡 "
_VALIDATION = re.compile(
    r"(?:❌ Validation failed for '([^\n]*+)(?<=.':)"
    r"|⚠\ufe0f? VALIDATION FAILED — ACTION '[^\n]*+)\n"
)
_BULLET = "\n  • "
_DASH = " — "
_CLOSING = "\n💡 "


def read_text(text: str) -> Facts | None:
    """Return what *text* states in an old form of MCP Fusion, else None."""
    if text.startswith("["):
        return _tool_error(text[:_EVIDENCE])
    if text.startswith(("❌", "⚠")):
        banner = text[:_EVIDENCE]
        return _validation(banner) or _routing(banner)
    return None


def _facts(values: dict[str, JsonValue], **inferred: JsonValue) -> Facts:
    return Facts(
        dialect=DIALECT,
        values=values,
        inferred={"severity": Severity.ERROR, **inferred},
        complete=True,
    )


def _tool_error(text: str) -> Facts | None:
    """Read ``[CODE] message`` and the two paragraphs that may follow it."""
    code = _CODE.match(text)
    if code is None:
        return None
    message, actions, listed = _split_off(text[code.end() :], _TRY)
    message, recovery, suggested = _split_off(message, _SUGGESTION)
    if not (listed or suggested or _is_code(code[1])):
        return None
    values: dict[str, JsonValue] = {"code": code[1], "message": message}
    if recovery is not None:
        values["recovery"] = recovery
    if actions:
        values["available_actions"] = tuple(actions.split(", "))
    return _facts(values)


def _split_off(text: str, marker: str) -> tuple[str, str | None, bool]:
    """Take the last paragraph that begins with *marker* off *text*.

    Returns:
        The rest, the paragraph without its marker, and whether it began with
        the icon that only MCP Fusion writes.
    """
    icon = _ICONS[marker]
    for start in (f"\n\n{icon}{marker}", f"\n\n{marker}"):
        rest, found, paragraph = text.rpartition(start)
        if found:
            return rest, paragraph, icon in start
    return text, None, False


def _is_code(token: str) -> bool:
    if _UPPER_SNAKE.fullmatch(token):
        return True
    return bool(_ONE_WORD.fullmatch(token) and _FAILURE.search(token))


def _routing(text: str) -> Facts | None:
    for banner, marker, code in _BANNERS:
        if not text.startswith(banner):
            continue
        values: dict[str, JsonValue] = {"message": text}
        listed = text.rpartition(_END_OF_LIST)[0].rpartition(marker)[2]
        if listed and marker in text:
            values["available_actions"] = tuple(listed.split(", "))
        return _facts(values, code=code.value)
    return None


def _validation(text: str) -> Facts | None:
    header = _VALIDATION.match(text)
    if header is None:
        return None
    lines = text[header.end() - 1 :]
    bullets = (lines.rpartition(_CLOSING)[0] or lines).split(_BULLET)[1:]
    fields = tuple(
        field_error(name, problem)
        for name, dash, problem in (bullet.partition(_DASH) for bullet in bullets)
        if dash
    )
    if not fields:
        return None
    values: dict[str, JsonValue] = {"fields": fields}
    if header[1] is not None:
        values["action"] = header[1].removesuffix("':")
    return _facts(
        values,
        code=ErrorCode.VALIDATION_ERROR.value,
        message=composed_message(fields),
    )
