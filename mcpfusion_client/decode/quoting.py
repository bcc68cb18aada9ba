"""Tell what a text reports from what it only names or quotes.

"Template 'HTTP 503' is in use" is no outage, ``upstream said "503 Service
Unavailable"`` is one. What is hidden keeps its length, so that nothing moves.
"""

import re
from collections.abc import Iterable

from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import quotes

_MARKS = "'\"`«„“「『‘"
_HIDDEN = "\0"
_QUOTED = re.compile(
    r"(?<!\w)'(?P<a>(?:[^'\n]|(?<=\w)'(?=\w)){1,200})'(?!\w)"
    r"|\"(?P<b>[^\"\n]{1,200})\"|`(?P<c>[^`\n]{1,200})`|«(?P<d>[^»\n]{1,200})»"
    r"|„(?P<e>[^“”\n]{1,200})[“”]|“(?P<f>[^”\n]{1,200})”|「(?P<g>[^」\n]{1,200})」"
    r"|『(?P<h>[^』\n]{1,200})』|‘(?P<i>[^’\n]{1,200})’"
)
_WORD_BEFORE = re.compile(r"([^\W\d_]{1,40})[ \xa0]$")
_STATUS_LINE = re.compile(r"[45]\d\d [A-Z]")
_REPLY = re.compile(r" (?:response|reply|status|error)\b")
_REPR = re.compile(
    r"<(?!\w{0,60}(?:Error|Exception|Failure|Fault|Response|Status))[A-Z]\w{1,60} "
    r"[^<>\n]{1,400}>"
)
_PREDICATE = re.compile(rf"[ \xa0]{quotes.PREDICATES}", re.IGNORECASE)
_PART = rf"(?<![\w-])(?!{quotes.NO_NAME}\b)[A-Za-z0-9_-]{{2,30}}"
_NAMED = re.compile(rf"(?:{_PART} ){{1,3}}(?=(?:{quotes.THINGS})\b)", re.IGNORECASE)
_COMPOUND = re.compile(
    rf"(?:{_PART} ){{1,3}}(?=(?!{quotes.EVENTS}\b)(?:{quotes.THINGS})\b)", re.IGNORECASE
)
_RATE = re.compile(rf"\b{quotes.RATES}\b", re.IGNORECASE)
_SUBJECT = re.compile(rf"(?:{_PART} ){{1,3}}(?={quotes.DEMANDS}\b)", re.IGNORECASE)
_OBJECT = re.compile(
    rf"\b{quotes.MANAGING} (?:(?:the|an?|this|your) )?(?:{_PART}(?: |\b)){{1,3}}",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()\n]{1,200}\)")
_ADDRESS = re.compile(r"https?://[^\s\"']{1,400}|(?<![\w])[\w./-]{0,80}/[\w./-]{1,200}")
_IDENTIFIER = re.compile(
    r"(?<![\w.-])[A-Za-z0-9]{1,40}(?:[_-][A-Za-z0-9]{1,40}){2,8}(?![\w-]|\s?[:=])"
)
_THINGS = (_ADDRESS, _IDENTIFIER, _NAMED, _SUBJECT, _OBJECT)
_REFUSAL = re.compile(quotes.REFUSALS, re.IGNORECASE)
_LEAD = re.compile(r"([^:\n]{4,60}): ")
_BEFORE = 42


def without_names(passage: Passage) -> Passage:
    """Return *passage* without the quotations that name what it is about."""
    text = passage.text
    if not any(mark in text for mark in _MARKS):
        return passage
    hidden = _QUOTED.sub(lambda match: _hide_name(match, text), text)
    return passage if hidden == text else Passage(hidden)


def without_reprs(passage: Passage) -> Passage:
    """Return *passage* without objects as Python shows them, errors kept."""
    return _without(passage, (_REPR,)) if "<" in passage.text else passage


def without_things(passage: Passage) -> Passage:
    """Return *passage* without addresses and the names of things."""
    return _without(passage, _THINGS)


def without_compounds(passage: Passage) -> Passage:
    """Return *passage* without what is only the first part of a thing's name."""
    return _without(passage, (_COMPOUND, _SUBJECT, _RATE))


def without_mentions(passage: Passage) -> Passage:
    """Return *passage* without anything said in passing: quotations, asides, names."""
    return _without(passage, (_QUOTED, _ASIDE, *_THINGS))


def lead(passage: Passage) -> Passage | None:
    """Return what stands before the first colon, where a text says what it is."""
    match = _LEAD.match(passage.text)
    return None if match is None else Passage(match[1])


def _without(passage: Passage, patterns: Iterable[re.Pattern[str]]) -> Passage:
    text = passage.text
    for pattern in patterns:
        text = pattern.sub(_hide, text)
    return passage if text == passage.text else Passage(text)


def refuses(passage: Passage) -> bool:
    """Does *passage* refuse something for good?"""
    return _REFUSAL.search(passage.text) is not None


def _hide(match: re.Match[str]) -> str:
    return _HIDDEN * len(match[0])


def _hide_name(match: re.Match[str], text: str) -> str:
    return _hide(match) if _is_name(match, text) else match[0]


def _is_name(match: re.Match[str], text: str) -> bool:
    """Is a quotation the name of what the sentence speaks of?"""
    if _PREDICATE.match(text, match.end()):
        return True
    if _STATUS_LINE.match(text, match.start() + 1) and _REPLY.match(text, match.end()):
        return False
    before = _WORD_BEFORE.search(text, max(0, match.start() - _BEFORE), match.start())
    return before is not None and before[1].lower() not in quotes.REPORTING
