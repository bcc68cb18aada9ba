"""Read label lines: one label, a colon and a value on each line.

The labels are those of the error text a tool author writes for a model, in
Japanese and in plain English; the colon may be full-width. What stands in a
value is data.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

import attrs

from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.fusion_repair import ENVELOPE_START
from mcpfusion_client.decode.hints import UNIT, duration
from mcpfusion_client.model import ErrorCategory, JsonValue, NextStep, SideEffects

DIALECT = "labels"

_EVIDENCE = 256 * 1024
"""Characters of a text that are read."""

_LABELS: Mapping[str, str] = {
    "エラー種別": "category",
    "何が起きたか": "message",
    "原因": "cause",
    "直し方": "recovery",
    "再試行": "retry",
    "副作用": "side_effects",
    "error type": "category",
    "what happened": "message",
    "cause": "cause",
    "how to fix": "recovery",
    "retry": "retry",
    "side effects": "side_effects",
}
_LINE = re.compile(
    rf"^[ \t\u3000]{{0,16}}(?:[-*•・>] ?)?(?:\*\*)?({'|'.join(_LABELS)})(?:\*\*)?"
    r"[ \t\u3000]{0,4}[:：](?:\*\*)?",
    re.MULTILINE | re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[ \t\r\u3000]*+\n")

Meaning = TypeVar("Meaning")


def _words(
    meanings: Mapping[str, Meaning],
) -> tuple[tuple[re.Pattern[str], Meaning], ...]:
    """Compile value words; each stands at the start, the first that fits counts."""
    return tuple(
        (re.compile(words, re.IGNORECASE), meaning)
        for words, meaning in meanings.items()
    )


_CATEGORIES = _words(
    {
        r"入力不正|invalid input\b|validation\b": ErrorCategory.VALIDATION,
        r"見つからない|not found\b": ErrorCategory.NOT_FOUND,
        r"候補が複数|(?:several|multiple) candidates\b|ambiguous\b": (
            ErrorCategory.AMBIGUOUS
        ),
        r"認証|authentication\b": ErrorCategory.AUTHENTICATION,
        r"混雑|rate.?limit(?:ed|ing)?\b|busy\b": ErrorCategory.RATE_LIMITED,
        r"一時障害|temporary (?:failure|outage|error)\b|transient\b": (
            ErrorCategory.TRANSIENT
        ),
        r"権限|permission\b": ErrorCategory.PERMISSION,
        r"状態不明|state unknown\b|unknown state\b": ErrorCategory.STATE_UNKNOWN,
    }
)


@attrs.frozen(kw_only=True)
class _Retry:
    """What the value of a retry label means."""

    is_retryable: bool | None
    next_step: NextStep | None = None


_SAME_CALL = _Retry(is_retryable=True)
_NEVER = _Retry(is_retryable=False)
_FIX = _Retry(is_retryable=False, next_step=NextStep.FIX_ARGUMENTS)
_VERIFY = _Retry(is_retryable=False, next_step=NextStep.VERIFY_STATE)
_PERSON = _Retry(is_retryable=False, next_step=NextStep.ESCALATE)
_NOBODY_KNOWS = _Retry(is_retryable=None)

_OK = r"(?:ok|okay|fine|allowed|possible|yes)"
_SAME = r"(?:with )?(?:the )?same (?:contents?|request|input|arguments|call)"
_CONDITION = rf"(?:{_OK} )?(?:only )?(?:after|once|if|when) [\w ]{{0,40}}?\b"
_RETRIES = _words(
    {
        r"不可|同じ(?:内容|条件)で(?:は|も)?不可": _NEVER,
        r"(?:同じ内容で|待てば)可(?=\Z|\W|能|です)": _SAME_CALL,
        r"引数を直せば可": _FIX,
        r"確認後のみ": _VERIFY,
        r"人の操作が必要": _PERSON,
        r"不明|unknown\b": _NOBODY_KNOWS,
        r"(?:no|not|never|impossible)\b": _NEVER,
        rf"{_CONDITION}(?:fix|correct|chang)\w*": _FIX,
        rf"{_CONDITION}(?:check|verif|confirm)\w*": _VERIFY,
        r"(?:needs a |requires a |a )?(?:human|person|manual)\b": _PERSON,
        rf"{_OK}(?: {_SAME})?(?=\Z|\s*[^\w\s]|\s+(?:after|in)\s+\d)": _SAME_CALL,
        rf"{_SAME} (?:is )?{_OK}(?=\Z|\s*[^\w\s]|\s+(?:after|in)\s+\d)": _SAME_CALL,
    }
)

_SIDE_EFFECTS = _words(
    {
        r"なし|ない|無し|ありません|none\b|no\b": SideEffects.NONE,
        r"あり|有り|yes\b|some\b": SideEffects.SOME,
        r"不明|unknown\b": SideEffects.UNKNOWN,
    }
)


_WAIT = re.compile(
    rf"(?:\d{{1,9}}(?:\.\d{{1,9}})?\s?(?:{UNIT})[ \u3000]?){{1,4}}(?![a-z])",
    re.IGNORECASE,
)
_MAX_WAIT = 200
"""Characters of a note in which the time to wait must stand."""


def read_text(text: str) -> Facts | None:
    """Return what the label lines in *text* state, None when it has none.

    Lines inside an MCP Fusion envelope are data and none of these.
    """
    lines = list(_LINE.finditer(text, 0, _EVIDENCE))
    if not lines or ENVELOPE_START.search(text, 0, lines[0].start()) is not None:
        return None
    parts = _parts(text, lines)
    category = _meaning(_CATEGORIES, _first(parts, "category"))
    retry = _meaning(_RETRIES, _first(parts, "retry"))
    effects = _meaning(_SIDE_EFFECTS, _first(parts, "side_effects"))
    known = category is not None or retry is not None or effects is not None
    japanese = not lines[0][1].isascii()
    if not ((known and japanese) or (len(parts) > 1 and (known or japanese))):
        return None
    values: dict[str, JsonValue] = {
        name: parts[name][0] for name in ("message", "recovery") if name in parts
    }
    details: dict[str, JsonValue] = {}
    if "cause" in parts:
        details["cause"] = parts["cause"][0]
    if "category" in parts:
        values |= _category(parts["category"][0], category)
    if retry is not None:
        values |= _retry(*retry)
    if effects is not None:
        values["side_effects"] = effects[0]
    for name, found in (("retry", retry), ("side_effects", effects)):
        note = _first(parts, name) if found is None else found[1]
        if note:
            details[f"{name}_note"] = note
    if details:
        values["details"] = details
    return Facts(dialect=DIALECT, values=values, veto=_says_no(parts))


def _parts(text: str, lines: list[re.Match[str]]) -> dict[str, list[str]]:
    """Return the values of each label, in order; white space around them is none."""
    parts: dict[str, list[str]] = {}
    for index, line in enumerate(lines):
        last = index + 1 == len(lines)
        value = text[line.end() : _EVIDENCE if last else lines[index + 1].start()]
        if last:
            value = _BLANK_LINE.split(value.lstrip(), maxsplit=1)[0]
        parts.setdefault(_LABELS[line[1].lower()], []).append(value.strip())
    return parts


def _first(parts: Mapping[str, list[str]], name: str) -> str:
    return parts[name][0] if name in parts else ""


def _meaning(
    words: tuple[tuple[re.Pattern[str], Meaning], ...], value: str
) -> tuple[Meaning, str] | None:
    """Return what the word at the start of *value* means, and what follows it."""
    for word, meaning in words:
        match = word.match(value)
        if match is not None:
            return meaning, _note(value[match.end() :])
    return None


def _note(text: str) -> str:
    """Return what follows a word, without the punctuation that sets it apart."""
    note = text.strip(" \t\r\n\u3000").lstrip("。．.、,;:：-—– ")
    for left, right in ("()", "（）"):
        if note.startswith(left) and note.endswith(right):
            return note[1:-1].strip()
    return note


def _category(
    value: str, found: tuple[ErrorCategory, str] | None
) -> dict[str, JsonValue]:
    if found is not None:
        return {"category": found[0]}
    if not value or "|" in value:
        return {}
    return {"category": ErrorCategory.OTHER, "category_detail": value}


def _retry(meaning: _Retry, note: str) -> dict[str, JsonValue]:
    values: dict[str, JsonValue] = {"is_retryable": meaning.is_retryable}
    if meaning.next_step is not None:
        values["stated_next_step"] = meaning.next_step
    wait = _WAIT.search(note, 0, _MAX_WAIT) if meaning.is_retryable else None
    seconds = None if wait is None else duration(wait[0])
    if seconds is not None:
        values["retry_after"] = seconds
    return values


def _says_no(parts: Mapping[str, list[str]]) -> bool:
    """Does any of the retry labels forbid a repeat?"""
    found = [_meaning(_RETRIES, value) for value in parts.get("retry", ())]
    return any(one is not None and one[0].is_retryable is False for one in found)
