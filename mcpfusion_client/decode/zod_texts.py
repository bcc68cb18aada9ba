"""Read which arguments a server rejected, from the texts of zod.

The official TypeScript SDK rejects arguments with one ``MESSAGE at PATH`` for every
issue; zod's own pretty text has the path on a line of its own.
Source: zod's English locale and ``z.prettifyError``.
"""

import re
from collections.abc import Iterator

from mcpfusion_client.model import FieldError

_PATH = (
    r"(?P<name>[^\W\d](?:[\w.$/-]{0,120}[\w$])?(?:\[[^\]\n]{0,60}\][\w.$]{0,60}){0,6})"
)
_WORDS = r"(?:\"[^\"\n]{0,400}\"|[^\"\n])"
"""One character, or all of what is quoted: an option may hold anything."""

_END = r"(?:\n|$|[,;] (?=[A-Z]))"
_INTRO = re.compile(r"Invalid arguments for tool [^\s:]{1,200}: ?")
_ANY = re.compile(rf"(?P<message>\S{_WORDS}{{0,400}}?) at {_PATH}{_END}", re.MULTILINE)
_OWN = re.compile(
    r"(?<!\w)(?P<message>(?:Required|Invalid (?:input|option|string|number|enum value"
    r"|literal value|email|URL|url|UUID|uuid|ISO)|Expected |Too (?:small|big):"
    rf"|(?:String|Number|Array|Set|Date|BigInt) must){_WORDS}{{0,400}}?)"
    rf" at {_PATH}{_END}",
    re.MULTILINE,
)
_PRETTY = re.compile(
    rf"✖ ?(?P<message>[^\n✖]{{1,2000}})\n[ \t]{{0,8}}→ at {_PATH}$", re.MULTILINE
)
_OPTIONS = re.compile(r"[Ee]xpected one of (?P<expected>.{1,2000})$")
_TYPES = re.compile(
    r"[Ee]xpected (?P<expected>.{1,500}?)(?:, received (?P<sent>.{1,500}))?$"
)
NOT_SENT = "undefined"
"""What JavaScript has in place of an argument that is missing."""


def find(text: str) -> Iterator[FieldError]:
    """Yield the fields that zod rejects in *text*, which is untrusted."""
    for match in _issues(text):
        message = match["message"].strip()
        expected, sent = split(message)
        yield FieldError(
            name=match["name"], message=message, sent=sent, expected=expected
        )


def split(message: str) -> tuple[str | None, str | None]:
    """Return what *message* says was expected, and what was sent instead."""
    found = _OPTIONS.search(message)
    if found is not None:
        return found["expected"], None
    found = _TYPES.search(message)
    if found is None:
        return None, None
    return found["expected"], None if found["sent"] == NOT_SENT else found["sent"]


def _issues(text: str) -> Iterator[re.Match[str]]:
    yield from _PRETTY.finditer(text)
    start = 0
    intro = _INTRO.search(text)
    if intro is not None:
        start = intro.end()
        while (issue := _ANY.match(text, start)) is not None:
            yield issue
            start = issue.end()
    yield from _OWN.finditer(text, start)
