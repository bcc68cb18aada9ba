"""Make untrusted text safe to show: one line, bounded, without secrets.

Text from a server reaches logs, terminals and prompts only through here.
"""

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpfusion_client.model.info import ErrorInfo

_SPACES = re.compile(r"\s+")
_SECRET = re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}")


def redact(text: str) -> str:
    """Return *text* with secrets replaced."""
    return _SECRET.sub(r"\1[redacted]", text)


def one_line(text: str, max_chars: int = 200) -> str:
    """Return untrusted *text* as one redacted line of at most *max_chars*.

    Control, bidirectional-override and other format characters are dropped.
    """
    head = redact(text[: 4 * max_chars])
    visible = "".join(
        " " if char in "\n\r\t" else char
        for char in head
        if char in "\n\r\t" or unicodedata.category(char)[0] != "C"
    )
    line = _SPACES.sub(" ", visible).strip()
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def prompt_block(info: "ErrorInfo", *, max_chars: int) -> str:
    """Return *info* as text for a model, fenced as untrusted."""
    body = redact(info.message)
    return f"<untrusted>\n{body}\n</untrusted>"[:max_chars]
