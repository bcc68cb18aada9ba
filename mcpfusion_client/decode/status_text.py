"""Find HTTP status numbers in the texts of HTTP clients.

A number counts only beside a word that makes it a status: "HTTP 429", "status
code 503", "429 Too Many Requests", "error 404:", "returned 401". "404 rows" and
"503 ms" are no statuses.
"""

import re
from collections.abc import Iterator

from mcpfusion_client.decode.evidence import Clue
from mcpfusion_client.decode.tables import numbers, reasons

_WINDOW = 16 * 1024
_STATUS = r"(?P<status>[45]\d\d)"
_END = r"(?![\w%$€£]|[.,:]\d)"
_Q = r"[\"'`*]{0,3}"

_LEADS = re.compile(
    rf"(?<![\w])(?:http(?:/\d(?:\.\d)?)?|https|statuscode|status_code|status-code"
    rf"|status code|http_status|httpstatus|status|response code|responsecode|code"
    rf"|http error|api error|server error|client error|error code|request error"
    rf"|http status|response status|http code|error){_Q}"
    rf"(?:\s{{0,2}}(?:error!?|status|code|of|is|was)(?!\w)){{0,3}}{_Q}!?"
    rf"\s{{0,3}}[:=(\[#-]{{0,2}}\s{{0,3}}(?:http\s|status:?\s|\()?{_Q}{_STATUS}{_END}"
    r"(?!\s(?:rows|items|results|records|bytes|ms|seconds|files|times|pages))",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    rf"(?<![\w.,$-]){_STATUS}[\s:)\]\"'-]{{1,4}}(?P<phrase>[A-Za-z][A-Za-z -]{{2,40}})"
)
_VERBS = re.compile(
    rf"\b(?:returned|responded with|received|got|replied with|failed with|returns"
    rf"|answered|fails with|failing with|answered with|rejected with|gave"
    rf"|respond with|respond)(?: (?:an?|the))?(?: (?:http|status|code|error|response))"
    rf"{{0,3}}:?\s{_STATUS}(?=\s?(?:$|[\n.,:;)\]'\"(—–-]|[A-Z]|error|for\b|from\b|on\b"
    rf"|when\b|response|status))",
    re.IGNORECASE,
)
_BRACKET = re.compile(rf"(?:\(|\[){_STATUS}(?:\)|\])")
_START = re.compile(
    rf"(?:^|: |\n)(?:error:? )?{_STATUS}(?:(?::| -| –| —) |\s(?=[A-Z])|\s?\n|\s?$)"
)
_ERROR_AFTER = re.compile(
    rf"(?<![\w.,$-]){_STATUS}\s(?:client error|server error|error|response|status|http)\b",
    re.IGNORECASE,
)
_URL_THEN = re.compile(rf"https?://[^\s\"']{{1,300}}?:? {_STATUS}\b(?=[ :]|$)")
_PATTERNS = (_LEADS, _VERBS, _ERROR_AFTER, _BRACKET, _START, _URL_THEN)
_EXIT = re.compile(r"exit(?:ed)?[\s\w:]{0,20}$", re.IGNORECASE)


def find(text: str) -> Clue | None:
    """Return the clue of the first status number in *text*, None without one."""
    window = text[:_WINDOW]
    found = min(_statuses(window), default=None)
    if found is None:
        return None
    status = found[1]
    meaning = numbers.HTTP_STATUSES.get(status)
    if meaning is None:
        return None
    return Clue(meaning, numbers.status_strength(status), f"HTTP status {status}")


def _statuses(window: str) -> Iterator[tuple[int, int]]:
    for match in _PHRASE.finditer(window):
        status = int(match["status"])
        words = match["phrase"].lower()
        if any(words.startswith(phrase) for phrase in _phrases(status)):
            yield match.start("status"), status
            break
    for pattern in _PATTERNS:
        match = pattern.search(window)
        if match is not None:
            start = match.start("status")
            if not _EXIT.search(window, max(0, match.start() - 24), start):
                yield start, int(match["status"])


def _phrases(status: int) -> list[str]:
    return _BY_STATUS.get(status, [])


_BY_STATUS: dict[int, list[str]] = {}
for _phrase, _number in reasons.PHRASES.items():
    _BY_STATUS.setdefault(_number, []).append(_phrase)
