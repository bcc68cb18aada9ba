"""Find JSON inside a text: in fences, after a prefix, or as a Python or JS dump."""

import re
from collections.abc import Iterator, Mapping

from mcpfusion_client.decode import safe_json
from mcpfusion_client.model import JsonValue

_MAX_STARTS = 8
_MAX_DUMP = 64 * 1024
_MAX_DEPTH = 64
_FENCE = re.compile(r"```[a-zA-Z0-9]{0,12}[ \t]{0,4}\n")
_OPEN = re.compile(r"[\[{](?=\s{0,64}[\[{\"'}\]]|\s{0,64}[A-Za-z_]\w{0,40}\s?:)")
_TOKEN = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\b(?:True|False|None|undefined|null|true"
    r"|false|nan|NaN)\b|[A-Za-z_$][\w$]*(?=\s?:)|[-+]?\d[\w.+-]*|[{}\[\],:()]|\s+|.",
    re.DOTALL,
)
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?")


def values(text: str) -> Iterator[tuple[JsonValue, int, int]]:
    """Yield each object or list in *text* and where it begins and ends.

    Only the outermost ones count, and where there are fences only what they hold.
    """
    fenced = list(_fenced(text))
    if fenced:
        yield from fenced
        return
    position = 0
    left = _MAX_DUMP
    for _ in range(_MAX_STARTS):
        match = _OPEN.search(text, position)
        if match is None:
            return
        value, end = safe_json.prefix(text, match.start())
        if end == match.start() and left > 0:
            value, end, read = _dump(text, match.start(), left)
            left -= read
        if isinstance(value, Mapping | list) and value:
            yield value, match.start(), end
        position = max(end, match.start() + 1)


def _fenced(text: str) -> Iterator[tuple[JsonValue, int, int]]:
    for count, match in enumerate(_FENCE.finditer(text)):
        if count >= _MAX_STARTS:
            return
        start = match.end()
        while start < len(text) and text[start].isspace():
            start += 1
        value, end = safe_json.prefix(text, start)
        if isinstance(value, Mapping):
            yield value, start, end


def _dump(text: str, start: int, limit: int) -> tuple[JsonValue, int, int]:
    """Read a dump of a Python or JavaScript object.

    Returns:
        The value, its end (*start* without one), and how much was read.
    """
    end = start
    pieces: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(text, start, min(len(text), start + limit)):
        token = match[0]
        end = match.end()
        pieces.append(_piece(token))
        depth += (token in "{[(") - (token in "}])")
        if depth > _MAX_DEPTH:
            break
        if depth == 0:
            value = safe_json.loads("".join(pieces))
            return value, start if value is None else end, end - start
    return None, start, end - start


def _piece(token: str) -> str:
    first = token[0]
    if first == "'":
        return _quoted(token[1:-1].replace('"', '\\"').replace("\\'", "'"))
    if first == '"':
        return _quoted(token[1:-1])
    if token in _WORDS:
        return _WORDS[token]
    if token in "()":
        return "[" if token == "(" else "]"
    if token in "{}[],:" or token.isspace() or token in {"true", "false", "null"}:
        return token
    if first.isalpha() or first in "_$":
        return f'"{token}"'
    return token if _NUMBER.fullmatch(token) else '""'


_ESCAPE = re.compile(r"\\(?![\"\\/bfnrtu])")
_CONTROL = re.compile(r"[\x00-\x1f]")


def _quoted(body: str) -> str:
    safe = _CONTROL.sub(" ", _ESCAPE.sub(r"\\\\", body))
    return f'"{safe}"'
