"""Find JSON inside a text: in fences, after a prefix, or as a Python or JS dump."""

import re
from collections.abc import Iterator

from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.decode.safe_json import prefix as parse_prefix
from mcpfusion_client.model import JsonValue
from mcpfusion_client.model.json import is_array, is_mapping

_MAX_STARTS = 8
_MAX_DUMP = 64 * 1024
_MAX_DEPTH = 64
_FENCE = re.compile(r"```[a-zA-Z0-9]{0,12}[ \t]{0,4}\n\s{0,64}")
_OPEN = re.compile(r"[\[{](?=\s{0,64}[\[{\"'}\]]|\s{0,64}[A-Za-z_]\w{0,40}\s?:)")
# Each piece is read once: what has no end reaches to the end, and no word is
# given back letter by letter, so that the time stays linear.
_PIECE = re.compile(
    r"'(?:[^'\\]|\\.)*+(?:'|\\?\Z)|\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)"
    r"|\b(?:True|False|None|undefined|null|true|false|nan|NaN)\b"
    r"|[A-Za-z_$][\w$]{0,64}+(?=\s?:)|[-+]?\d[\w.+-]*|[{}\[\],:()]|\s+|.",
    re.DOTALL,
)
_OPENING, _CLOSING = frozenset("{[("), frozenset("}])")
_AS_JSON = {
    "True": "true",
    "False": "false",
    "None": "null",
    "undefined": "null",
    "(": "[",
    ")": "]",
    **{
        piece: piece
        for piece in ("{", "}", "[", "]", ",", ":", "true", "false", "null")
    },
}
_ESCAPE = re.compile(r"\\(?![\"\\/bfnrtu])")
_CONTROL = re.compile(r"[\x00-\x1f]")
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
        value, end = parse_prefix(text, match.start())
        if end == match.start() and left > 0:
            value, end, read = _dump(text, match.start(), left)
            left -= read
        if (is_mapping(value) or is_array(value)) and value:
            yield value, match.start(), end
        position = max(end, match.start() + 1)


def _fenced(text: str) -> Iterator[tuple[JsonValue, int, int]]:
    position = 0
    for _ in range(_MAX_STARTS):
        match = _FENCE.search(text, position)
        if match is None:
            return
        value, end = parse_prefix(text, match.end())
        if is_mapping(value):
            yield value, match.end(), end
        closing = text.find("```", max(end, match.end()))
        position = closing + len("```") if closing >= 0 else len(text)


def _dump(text: str, start: int, limit: int) -> tuple[JsonValue, int, int]:
    """Read a dump of a Python or JavaScript object.

    Returns:
        The value, its end (*start* without one), and how much was read.
    """
    end = start
    pieces: list[str] = []
    depth = 0
    for match in _PIECE.finditer(text, start, min(len(text), start + limit)):
        piece = match[0]
        end = match.end()
        pieces.append(_as_json(piece))
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if depth > _MAX_DEPTH:
            break
        if depth == 0:
            value = parse_json("".join(pieces))
            return value, start if value is None else end, end - start
    return None, start, end - start


def _as_json(piece: str) -> str:
    known = _AS_JSON.get(piece)
    if known is not None:
        return known
    first = piece[0]
    if first == "'":
        return _quoted(piece[1:-1].replace('"', '\\"').replace("\\'", "'"))
    if first == '"':
        return _quoted(piece[1:-1])
    if first.isalpha() or first in "_$":
        return f'"{piece}"'
    return piece if piece.isspace() or _NUMBER.fullmatch(piece) else '""'


def _quoted(body: str) -> str:
    safe = _CONTROL.sub(" ", _ESCAPE.sub(r"\\\\", body))
    return f'"{safe}"'
