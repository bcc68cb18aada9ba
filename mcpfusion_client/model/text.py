"""Make untrusted text safe to show: one line, bounded, without secrets.

Text from a server reaches logs, terminals and prompts only through here.
"""

import re
import unicodedata

from mcpfusion_client.model.redaction import EMAIL, SECRETS

_REDACTED = "[redacted]"
_SPACES = re.compile(r"\s+")
_LINE_BREAKS = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_TERMINAL = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,1024}(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]{0,8}[0-~]?"
)
"""Commands to a terminal: colours, titles, cursor moves."""

_ORDINARY = re.compile(r"[ -~]*+")
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Characters that show nothing though Unicode counts them as visible."""

_SLACK = 1024
"""Characters read beyond the bound, so that no secret is cut before it is seen."""


def redact(text: str, *, emails: bool = False) -> str:
    """Return *text* with secrets replaced by ``[redacted]``.

    Knows bearer and basic credentials, authorization and cookie headers, private
    keys, the usual key formats, ``password=...`` and its like, and passwords in
    URLs and connection strings. What looks like none of these stays.

    Args:
        text: Untrusted.
        emails: Replace e-mail addresses too.
    """
    for pattern in SECRETS:
        text = pattern.sub(_replaced, text)
    return EMAIL.sub(_REDACTED, text) if emails else text


def _replaced(match: re.Match[str]) -> str:
    """Keep the group of a match, which names the secret."""
    return f"{match.group(match.lastindex or 0) if match.lastindex else ''}{_REDACTED}"


def visible(text: str) -> str:
    """Return *text* without what is invisible or commands a terminal.

    Drops control, bidirectional, zero-width and private characters and lone
    surrogates. Every line break becomes a newline; tabs stay.
    """
    if _ORDINARY.fullmatch(text):
        return text
    text = _LINE_BREAKS.sub("\n", _TERMINAL.sub("", text))
    return "".join(
        char
        for char in text
        if char in "\n\t"
        or (unicodedata.category(char)[0] != "C" and char not in _BLANK)
    )


def one_line(text: str, max_chars: int = 200) -> str:
    """Return untrusted *text* as one redacted line of at most *max_chars*.

    It is safe in a log and in a terminal.
    """
    head = _SPACES.sub(" ", visible(text[: 4 * max_chars + _SLACK])).strip()
    line = redact(head[: max_chars + _SLACK])
    return shortened(line, max_chars)


def shortened(text: str, max_chars: int) -> str:
    """Return *text* cut to *max_chars*, with a mark where it was cut."""
    if len(text) <= max_chars:
        return text
    return text[: max_chars - 1] + "…" if max_chars > 0 else ""
