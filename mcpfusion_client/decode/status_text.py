"""Find HTTP status numbers in the texts of HTTP clients.

A number counts only beside a word that makes it a status: "HTTP 429", "status
code 503", "429 Too Many Requests", "error 404:", "returned 401". "404 rows" and
"503 ms" are no statuses.
"""

import re

from mcpfusion_client.decode.evidence import Clue
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import numbers, reasons

_MAX_NUMBERS = 16
_BESIDE = 96
_NUMBER = re.compile(r"(?<![\w.,$-])[45]\d\d(?![\w%$€£])")
_STATUS = r"(?P<status>[45]\d\d)"
_END = r"(?![\w%$€£]|[.,:]\d)"
_Q = r"[\"'`*]{0,3}"

_LEADS = re.compile(
    rf"(?<![\w])(?:http(?:/\d(?:\.\d)?)?|https|statuscode|status_code|status-code"
    rf"|status code|http_status|httpstatus|status|response code|responsecode|code"
    rf"|http error|api error|server error|client error|error code|request error"
    rf"|http status|response status|http code|response|error){_Q}"
    rf"(?:\s{{0,2}}(?:error!?|status|code|of|is|was)(?!\w)){{0,3}}{_Q}!?"
    rf"\s{{0,3}}[:=(\[#-]{{0,2}}\s{{0,3}}(?:http\s|status:?\s|\()?{_Q}{_STATUS}{_END}"
    r"(?!\s(?:rows|items|results|records|bytes|ms|seconds|files|times|pages))",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    rf"(?<![\w.,$-]){_STATUS}[\s:)(\]\"'-]{{1,4}}(?P<phrase>[A-Za-z][A-Za-z -]{{2,40}})"
)
_VERBS = re.compile(
    rf"\b(?:returned|responded with|received|got|replied with|failed with|returns"
    rf"|answered|fails with|failing with|answered with|rejected with|gave"
    rf"|respond with|respond)(?: (?:an?|the))?(?: (?:http|status|code|error|response))"
    rf"{{0,3}}:?\s{_STATUS}(?=\s?(?:$|[\n.,:;)\]'\"(—–-]|(?-i:[A-Z])|error|for\b|from\b|on\b"
    rf"|when\b|response|status))",
    re.IGNORECASE,
)
_BRACKET = re.compile(rf"(?:\(|\[){_STATUS}(?:\)|\])")
_START = re.compile(
    rf"(?:^|: |\n)(?:error:? )?{_STATUS}(?:(?::| -| –| —) |\s(?=[A-Z])|\s?\n"
    r"|\s{0,3}$)"
)
_ERROR_AFTER = re.compile(
    rf"(?<![\w.,$-]){_STATUS}\s(?:client error|server error|error|response|status"
    rf"|http)\b",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(rf"(?:Error|Exception)\({_STATUS}, ")
_URL_THEN = re.compile(rf"/[^\s\"']{{1,90}}:? {_STATUS}\b(?=[ :]|$)")
_PATTERNS = (_LEADS, _VERBS, _ERROR_AFTER, _BRACKET, _START, _ARGUMENT, _URL_THEN)
_EXIT = re.compile(r"\bexit(?:ed)?\b[\s\w:]{0,20}$", re.IGNORECASE)
_WANTED = re.compile(
    r"\b(?:expect(?:s|ed|ing)?|should (?:be|return|have been)|instead of|rather than"
    r"|mock(?:s|ed|ing)?|simulat(?:es?|ed|ing)|mapping says)"
    r"(?: (?:an?|the|http|status|code|response)){0,3}[\s:=]{1,2}$",
    re.IGNORECASE,
)
"""Words that make a status one that somebody wished for."""


def find(passage: Passage) -> Clue | None:
    """Return the clue of the first status number, None without one."""
    text = passage.text
    for count, number in enumerate(_NUMBER.finditer(text)):
        if count >= _MAX_NUMBERS:
            break
        status = int(number[0])
        meaning = numbers.HTTP_STATUSES.get(status)
        if meaning is not None and _is_status(text, number, status):
            return Clue(
                meaning, numbers.status_strength(status), f"HTTP status {status}"
            )
    return None


def _is_status(text: str, number: re.Match[str], status: int) -> bool:
    start, end = number.span()
    first, last = max(0, start - _BESIDE), min(len(text), end + _BESIDE)
    if _EXIT.search(text, first, start) or _WANTED.search(text, first, start):
        return False
    phrase = _PHRASE.match(text, start, last)
    if phrase is not None:
        words = phrase["phrase"].lower()
        if any(words.startswith(known) for known in _phrases(status)):
            return True
    return any(
        match.start("status") == start
        for pattern in _PATTERNS
        for match in pattern.finditer(text, first, last)
    )


def _phrases(status: int) -> list[str]:
    return _BY_STATUS.get(status, [])


_BY_STATUS: dict[int, list[str]] = {}
for _phrase, _number in reasons.PHRASES.items():
    _BY_STATUS.setdefault(_number, []).append(_phrase)
