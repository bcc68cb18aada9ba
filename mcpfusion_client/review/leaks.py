"""What must not stand in an error: traces, secrets, inside addresses, people.

Every check gives None when nothing was found. A note never holds a secret: it is
redacted before it is cut.
"""

import re
from collections.abc import Iterable

from mcpfusion_client.model.redaction import EMAIL, SECRETS
from mcpfusion_client.model.text import one_line
from mcpfusion_client.review.failure import Failure
from mcpfusion_client.review.verdict import Note, bad

_MAX_NOTE = 80

_TRACES = re.compile(
    r"Traceback \(most recent call last\)"  # Python
    r"|^[ \t]{0,16}File \"[^\"\n]{1,300}\", line \d{1,7}"
    r"|^[ \t]{0,16}at [^\n]{0,300}:\d{1,7}:\d{1,7}\)?[ \t]{0,4}$"  # JavaScript
    r"|^[ \t]{0,16}at [\w.$<>]{1,200}\([\w$]{1,100}\.(?:java|kt|scala):\d{1,7}\)"
    r"|^Caused by: [\w.$]{1,200}(?:Exception|Error)"
    r"|^[ \t]{0,16}at [^\n]{1,300} in [^\n]{1,300}:line \d{1,7}"  # .NET
    r"|^goroutine \d{1,9} \["  # Go
    r"|^\t[^\n]{1,300}\.go:\d{1,7} \+0x"
    r"|^thread '[^'\n]{1,100}' (?:\(\d{1,9}\) )?panicked at"  # Rust
    r"|\.rb:\d{1,7}:in [`']"  # Ruby
    r"|^#\d{1,3} [^\n]{1,300}\.php\(\d{1,7}\)",  # PHP
    re.MULTILINE,
)

_PRIVATE_ADDRESS = re.compile(
    r"(?<![\w.])(?:10(?:\.\d{1,3}){3}|127(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}"
    r"|169\.254(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\w.]\d)"
    r"|(?<![\w:])f[cd][0-9a-f]{2}:[0-9a-f:]{2,40}",
    re.IGNORECASE,
)
_INSIDE_NAME = re.compile(
    r"(?<![\w.-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}"
    r"(?:internal|intranet|corp|lan|localdomain|cluster\.local|home\.arpa|private)"
    r"(?![\w-])(?!\.\w)",
    re.IGNORECASE,
)
_SCHEMES = (
    r"(?:https?|wss?|postgres(?:ql)?|mysql|mariadb|rediss?|mongodb|amqps?|grpc|tcp"
    r"|ldaps?|smtps?|ftp|nats|kafka|jdbc:\w{1,20})"
)
_ONE_LABEL_URL = re.compile(
    rf"(?<![\w+]){_SCHEMES}://(?:[^\s/@\"'<>]{{0,256}}@)?"
    r"(?:[a-z][a-z0-9_-]{0,62}|[a-z0-9-]{1,63}\.local)(?=[:/?#\s\"'),;\]]|\Z)",
    re.IGNORECASE,
)
_LOCAL_PORT = re.compile(
    r"(?<![\w.-])(?:localhost|[a-z0-9-]{1,63}\.local):\d{1,5}", re.IGNORECASE
)
_UNRESOLVED = re.compile(
    r"(?:ENOTFOUND|EAI_AGAIN|could not resolve host:?|dial tcp: lookup)"
    r"[ \t]{1,4}[a-z0-9_-]{1,63}(?![\w.-])",
    re.IGNORECASE,
)
_HOSTS = (_PRIVATE_ADDRESS, _INSIDE_NAME, _ONE_LABEL_URL, _LOCAL_PORT, _UNRESOLVED)

_SOURCE_PATHS = (
    re.compile(
        r"(?<![\w./\\~-])[\w./\\~-]{0,400}[/\\](?:site-packages|dist-packages|node_modules|\.venv)"
        r"[/\\][\w./\\@-]{0,200}"
    ),
    re.compile(
        r"(?<![\w./\\~-])[\w./\\~-]{1,400}\.(?:py|js|mjs|cjs|ts|go|rb|java|kt|php|rs|cs):\d{1,7}"
    ),
    re.compile(
        r"(?<![\w./])(?:/home|/Users)/[\w.-]{1,64}(?:/[\w./@-]{0,200})?"
        r"|(?<!\w)[A-Z]:\\{1,2}Users\\{1,2}[\w.-]{1,64}|(?<![\w./])/root/[\w./-]{0,200}"
    ),
)
_PAGE = re.compile(
    r"<!doctype html|<html[\s>]|<head>|<body[\s>]|<\?xml version", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"[\"'*.•xX<>{}()\[\]$_-]*+(?:redacted|hidden|masked|removed)?"
    r"[\"'*.•xX<>{}()\[\]$_-]*+",
    re.IGNORECASE,
)


def stack_trace(failure: Failure) -> Note | None:
    """A stack trace, of whatever language."""
    found = _TRACES.search(failure.text)
    return found and bad(_note(found.group()))


def secret(failure: Failure) -> Note | None:
    """Anything `redact` would hide; the note says how much, and never what."""
    count = sum(
        not _is_placeholder(match)
        for pattern in SECRETS
        for match in pattern.finditer(failure.text)
    )
    return bad(f"{count} found (not shown)") if count else None


def internal_host(failure: Failure) -> Note | None:
    """A private address or a name that means something only inside."""
    found = _first(failure, _HOSTS)
    return bad(_note(found)) if found else None


def source_path(failure: Failure) -> Note | None:
    """A path of the server's source, of a package of its, or of a home directory."""
    found = _first(failure, _SOURCE_PATHS)
    return bad(_note(found)) if found else None


def personal_data(failure: Failure) -> Note | None:
    """An e-mail address the caller did not send."""
    found = _first(failure, (EMAIL,))
    return bad("an e-mail address (not shown)") if found else None


def upstream_body(failure: Failure) -> Note | None:
    """A page of somebody else's server, handed on as it came."""
    found = _PAGE.search(failure.text)
    return found and bad(_note(failure.text[found.start() : found.start() + 400]))


def without_leaks(text: str) -> str:
    """Return untrusted *text* with what must not stand in an error left out.

    Secrets stay: whatever prints the text redacts it.
    """
    trace = _TRACES.search(text)
    text = text if trace is None else f"{text[: trace.start()].rstrip()} {_LEFT_OUT}"
    for pattern in (*_HOSTS, *_SOURCE_PATHS, EMAIL):
        text = pattern.sub(_LEFT_OUT, text)
    return text.strip()


_LEFT_OUT = "[left out]"


def _first(failure: Failure, patterns: Iterable[re.Pattern[str]]) -> str | None:
    """Return the first find that the caller did not send itself."""
    for pattern in patterns:
        for match in pattern.finditer(failure.text):
            if match.group() not in failure.arguments:
                return match.group()
    return None


def _is_placeholder(match: re.Match[str]) -> bool:
    """Was the secret replaced before the result was recorded?"""
    start = match.end(match.lastindex) if match.lastindex else match.start()
    return _PLACEHOLDER.fullmatch(match.string[start : match.end()]) is not None


def _note(found: str) -> str:
    return one_line(found, _MAX_NOTE)
