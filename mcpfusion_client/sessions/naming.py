"""Name a server for messages and shared state, without its credentials.

User info, query and fragment of a URL, and the arguments of a command, may hold
secrets: they never appear, only a digest tells two of them apart.
"""

import hashlib
import pathlib
from collections.abc import Sequence
from urllib.parse import urlsplit

_DIGEST_LENGTH = 8


def url_name(url: str) -> str:
    """Return scheme, host, port and path of *url*."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "an invalid URL"
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    if port is not None:
        host = f"{host}:{port}"
    name = f"{parts.scheme}://{host}{parts.path}"
    hidden = url.partition("?")[2]
    return f"{name} #{_digest(hidden)}" if hidden else name


def command_name(command: str, arguments: Sequence[str]) -> str:
    """Return the program of a command; its arguments only as a digest."""
    program = pathlib.PurePath(command).name
    if not arguments:
        return f"stdio:{program}"
    return f"stdio:{program} #{_digest(chr(0).join(arguments))}"


def _digest(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()[:_DIGEST_LENGTH]
