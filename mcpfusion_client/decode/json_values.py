"""Turn JSON values into facts; a value of the wrong type is as good as absent."""

import re
from collections.abc import Mapping

from mcpfusion_client.decode.tables import codes, keys, reasons
from mcpfusion_client.decode.tables.systems import (
    SQL_COMPANIONS,
    SQL_SEVERITIES,
    sqlstate,
)
from mcpfusion_client.decode.tables.wordlist import words
from mcpfusion_client.model import (
    ErrorCategory,
    JsonObject,
    JsonValue,
    SideEffects,
)
from mcpfusion_client.model.json import is_array

MAX_LIST = 256
MAX_WORD = 128
_MAX_NUMBER = 10**9
_MAX_URL = 512
_MAX_HEADERS = 256
_FIRST_STATUS, _LAST_STATUS = 400, 599

TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/#-]{1,120}")
_LOOSE_CODE = re.compile(r"[A-Za-z_][\w.-]{0,30}:? \d{1,9}")
_SQLSTATE = re.compile(r"[0-9A-Z]{5}")
_NUMBER = re.compile(r"-?\d{1,9}")
_STATUS = re.compile(r"[45]\d\d")
_LAST_WORD = re.compile(r"[^/#:]{1,128}\Z")

NO_CODES = words(
    """error errors failed failure fail false true exception fault object about:blank
    ok success unknown status result none null err problem tool text invalid warning
    critical info debug http httperror"""
)
_CLASS_ONLY = frozenset({"name", "kind", "exception", "symbol"})
_STATES = frozenset({"code", "sqlstate"})
_EXPLICIT = frozenset({"code", "errorcode"})


def flag(value: JsonValue) -> bool | None:
    """Return a flag: a boolean, or the words "true" and "false"."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def word(value: JsonValue) -> str | None:
    """Return a short text that is not empty."""
    return value if isinstance(value, str) and 0 < len(value) <= MAX_WORD else None


def text(value: JsonValue) -> str | None:
    """Return a text that is not blank; the lines of a list of texts."""
    if isinstance(value, str):
        return value if value.strip() else None
    lines = texts(value)
    return "\n".join(lines) if lines else None


def texts(value: JsonValue) -> tuple[str, ...] | None:
    """Return a list of nothing but texts."""
    if not is_array(value) or not value:
        return None
    first = value[:MAX_LIST]
    return tuple(first) if all(isinstance(one, str) for one in first) else None


def status(value: JsonValue) -> int | None:
    """Return an HTTP status of a failure."""
    if isinstance(value, str):
        return int(value) if _STATUS.fullmatch(value) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return value if _FIRST_STATUS <= value <= _LAST_STATUS else None
    return None


def number_code(value: JsonValue) -> str | None:
    """Return a code that is a number and no HTTP status."""
    if isinstance(value, bool) or status(value) is not None:
        return None
    if isinstance(value, int):
        return str(value) if 0 < abs(value) < _MAX_NUMBER else None
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return value
    return None


def of_driver(found: Mapping[str, JsonValue]) -> bool:
    """Do the normalised keys of an object show that a SQL driver wrote it?"""
    return (
        bool(found.keys() & SQL_COMPANIONS)
        or {"details", "hint", "message"} <= found.keys()
        or word(found.get("severity")) in SQL_SEVERITIES
    )


def code(
    key: str, value: JsonValue, *, has_status: bool, driver: bool
) -> tuple[str, str] | None:
    """Return the code under the normalised *key*, and the word to look up for it.

    Args:
        key: Where the value stands.
        value: As found.
        has_status: An HTTP status stands beside it, so a reason phrase is no code.
        driver: A SQL driver wrote it, so five digits are a SQLSTATE.
    """
    if not isinstance(value, str):
        return None
    if key == "type" and "/" in value:
        last = _problem_type(value)
        return None if last is None else (value[:_MAX_URL], last)
    token = value.rpartition("#")[2] if key == "type" else value
    if key in _STATES and _SQLSTATE.fullmatch(token) and sqlstate(token):
        stated = driver or key == "sqlstate" or not token.isdigit()
        return token, f"{codes.SQLSTATE}{token}" if stated else token
    if key in _EXPLICIT and _LOOSE_CODE.fullmatch(token):
        return token, token
    accepted = is_token(token) and not _is_other_word(key, token, has_status=has_status)
    return (token, token) if accepted else None


def is_token(value: str) -> bool:
    """Is *value* one word that may be a code?"""
    return (
        TOKEN.fullmatch(value) is not None
        and "//" not in value
        and value.lower() not in NO_CODES
    )


def _is_other_word(key: str, token: str, *, has_status: bool) -> bool:
    if key in _CLASS_ONLY:
        return not (
            token.endswith(("Error", "Exception", "Fault", "Failure"))
            or ("_" in token and (has_status or token.isupper()))
        )
    return key == "error" and has_status and token.lower() in reasons.PHRASES


def _problem_type(url: str) -> str | None:
    """Return the last word of a problem type's URL."""
    last = _LAST_WORD.search(url[:_MAX_URL].rstrip("/"))
    if last is None or "ietf.org" in url or not is_token(last[0]):
        return None
    return last[0]


def category(value: str) -> ErrorCategory:
    """Return the category a server's word names, OTHER for a word nobody knows."""
    known = keys.CATEGORIES.get(keys.normalise(value))
    if known is not None:
        return known
    meaning = codes.meaning_of(value)
    return ErrorCategory.OTHER if meaning is None else meaning.category


def side_effects(value: JsonValue) -> SideEffects | None:
    """Return what a call left behind."""
    if isinstance(value, bool):
        return SideEffects.SOME if value else SideEffects.NONE
    if isinstance(value, str) and value.lower() in set(SideEffects):
        return SideEffects(value.lower())
    return None


def headers(value: JsonObject) -> dict[str, str]:
    """Return headers as text with lower-case names; odd ones are dropped."""
    result: dict[str, str] = {}
    for name, found in list(value.items())[:_MAX_HEADERS]:
        first = found[0] if is_array(found) and found else found
        if isinstance(first, str | int | float):
            result[str(name).lower()] = str(first)
    return result


def filled(value: JsonValue) -> bool:
    """Is *value* a count above zero or a collection with something in it?"""
    if isinstance(value, bool):
        return False
    return bool(value) and isinstance(value, list | Mapping | int)
