"""Say why a whole text is an error report; None when it may be an answer.

A report of the tool's own failure is short, begins as one and holds nothing else.
What tells of somebody else's failure (a log, a count, a definition, a setting, a
title) is an answer. Every pattern is anchored or bounded and, but for traces, tried
on a short text only.
"""

import functools
import re

from mcpfusion_client.decode.disguised_beginnings import lack, report
from mcpfusion_client.decode.fusion import is_whole_envelope

_MAX_TEXT = 600
_MAX_LINES = 6
_MAX_TRACE = 16 * 1024
_MAX_SPACE = 1024
"""White space around a report, in characters."""

_TEXT = "the text is an error"
_TRACE = "the text is a stack trace and nothing else"
_ENVELOPE = "the text is an error envelope"


def reason(text: str) -> str | None:
    """Return why *text*, as a whole, is an error report."""
    if is_whole_envelope(text):
        return _ENVELOPE
    if len(text) > _MAX_TRACE + _MAX_SPACE:
        return None
    stripped = text.strip()
    if _is_trace(stripped):
        return _TRACE
    if len(stripped) > _MAX_TEXT or stripped.count("\n") > _MAX_LINES:
        return None
    return _TEXT if _is_report(stripped) else None


def _is_report(text: str) -> bool:
    if any(pattern.search(text) for pattern in (_LOG, _DOCUMENT, _COUNT, _TICKET)):
        return False
    first = _SENTENCE_END.split(text, maxsplit=1)[0]
    if _EXPLAINS.search(first) or text.startswith("?", len(first)):
        return False
    if _EXCEPTION.match(text):
        return True
    if _SETTING.fullmatch(text):
        return False
    return _report().match(text) is not None or _is_directed(text, first)


def _is_directed(text: str, first: str) -> bool:
    """Does *text* say what is missing, and then what to do about it?"""
    return (
        _DIRECTIVE.match(text, len(first)) is not None
        and _lack().match(first) is not None
    )


def _is_trace(text: str) -> bool:
    if text.startswith(_TRACEBACK):
        return all(map(_is_traceback, _MEANWHILE.split(text)))
    first, _, rest = text.partition("\n")
    return (
        bool(rest)
        and _RAISED.match(first) is not None
        and all(_CALL.match(line) for line in rest.split("\n"))
    )


def _is_traceback(text: str) -> bool:
    """Is *text* one traceback: calls, all indented, then what was raised?"""
    lines = text.removeprefix(_TRACEBACK).split("\n")
    flush = [line for line in lines if line[:1] not in (" ", "\t")]
    return (
        text.startswith(_TRACEBACK)
        and len(flush) == 1
        and lines[0] != flush[0]
        and _RAISED_LAST.match(flush[0]) is not None
    )


@functools.cache
def _report() -> re.Pattern[str]:
    # Compiled when first asked for: most programs never ask.
    return re.compile(report())


@functools.cache
def _lack() -> re.Pattern[str]:
    return re.compile(lack())


_LOG = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b(?:INFO|DEBUG|WARN(?:ING)?|TRACE)\b")
_DOCUMENT = re.compile(r"\n#{1,4} |\n\n[^\n]{200}|^#{1,4} |\n```")
_COUNT = re.compile(
    r"(?:events|entries|messages|lines|attempts|responses|requests|errors|records|items"
    r"|occurrences|matches|logs|reports|incidents|cases|tests|rows|pages|files|jobs"
    r"|alerts|warnings|hits|results)\b[^\n.]{0,60}: ?\d"
    r"|\b\d{1,9} (?:found|matches|results|events|entries|occurrences|hits|times"
    r"|incidents|errors|failed|passed|files|tests)\b"
    r"|\b\d{1,9} (?:of|out of) \d{1,9}\b",
    re.IGNORECASE,
)
"""A text that counts errors is a report of them."""

_TICKET = re.compile(r"\(#\d{1,9},|[^\n]\(#\d{1,9}\)\s{0,4}(?:open|closed|merged|$)")
"""A text with the number of an issue is its title."""

_SENTENCE_END = re.compile(r"(?=[.!。]\s|[?\n])")

_EXPLAINS = re.compile(
    r"\b(?:usually|typically|generally|refers to|stands for|means\b|occurs? (?:when|if)"
    r"|(?:is|are) (?:raised|thrown|returned|reported|displayed|shown|answered|caused"
    r"|solved|slowed|what|the (?:name|title|status))\b"
    r"|is an? (?:film|movie|song|album|band|novel|book|game|status|thriller)\b)"
    r"|: an? (?:[\w-]{1,40} ){1,2}(?:of|from|for|in|that|which|where) (?![^\n]{0,300}"
    r"\b(?:is|are|was|has|have|must|already|not|cannot|could|failed|occurred)\b)"
    r"|: (?:raised|thrown|returned|reported|how|why|when|what) "
    r"|: (?:[A-Z][\w-]{1,40}, ){2}"
    r"|\(\d{4}\)|\((?:film|album|song|band|novel|painting|TV)\b|\bRFC ?\d"
)
"""A first sentence that tells what an error is."""

_SETTING = re.compile(
    r"(?!\W{0,4}(?:Error [a-z]{2,20}ing |An? (?:\w{1,20} )?error ))[^:\n]{0,60}: ?"
    r"(?:(?![45]\d\d$)\d[\d.,]{0,20} ?(?:s|ms|sec\w{0,6}|min\w{0,6}|%)?"
    r"|yes|no|no error|on|off|enabled|disabled|true|false|none|null|nil|ok|n/a)"
    r"\W{0,3}(?:\([^()\n]{0,40}\))?",
    re.IGNORECASE,
)
"""A name and a plain value."""

_CLASS = (
    r"(?:[a-z_]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Failure|Interrupt|Exit)"
)
_EXCEPTION = re.compile(
    rf"[*`\W_]{{0,4}}(?<![\"'#|-]){_CLASS}: ?\S"
    r"|\((?:[a-z_]\w{0,40}\.){1,4}\w{1,60}\) \S"
    r"|\[(?:Errno|WinError) -?\d{1,6}\] \S"
    r"|E[A-Z]{3,14}: [a-z]"
    r"|\d{1,4} validation errors? for \w{1,80}\n"
    r"|Exception(?: (?:occurred|raised|caught|in|while|during|when)\b[^:\n]{0,80})?"
    r": ?\S"
)
_RAISED = re.compile(
    r"(?:Uncaught |Unhandled |Exception in thread [^\n]{1,80} )?"
    rf"(?:{_CLASS}|Error|Exception)(?::|$)"
)
_CALL = re.compile(
    r"\s{1,16}at \S|Caused by: \S|\s{1,16}\.\.\. \d{1,4} more$|\s{0,16}$"
)
_TRACEBACK = "Traceback (most recent call last):\n"
_MEANWHILE = re.compile(
    r"\n\n(?:During handling of the above exception, another exception occurred"
    r"|The above exception was the direct cause of the following exception):\n\n"
)
_RAISED_LAST = re.compile(r"(?:[a-z_]\w{0,60}\.){0,9}[A-Z]\w{0,80}(?::|$)")
_DIRECTIVE = re.compile(
    r"[.!]\s(?:First |You (?:must|need to|can|have to) |Please )?"
    r"(?:[Uu]se|[Tt]ry|[Cc]heck|[Cc]all|[Rr]un|[Pp]rovide|[Ss]pecify|[Ss]tart|[Oo]pen"
    r"|[Ss]et|[Cc]onnect|[Ll]og ?in|[Aa]uthenticate|[Ll]ist|[Cc]hoose|[Ss]elect|[Mm]ake"
    r"|[Dd]id you mean|[Aa]vailable|[Vv]alid|[Cc]onfigure|[Ii]nstall|[Ee]nable|[Tt]urn"
    r"|[Ll]oad|[Cc]reate)\b"
)
