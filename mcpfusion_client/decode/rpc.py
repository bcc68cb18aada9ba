"""Read JSON-RPC errors.

A number is read only as far as its sender is known: -32000 is "connection
closed" when the SDK says it and anything at all when a server does.
"""

from collections.abc import Mapping
from datetime import datetime

from mcpfusion_client.decode.evidence import Clue, Source, Strength
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.json_metadata import read as read_object
from mcpfusion_client.decode.lexicon import Context, Lexicon
from mcpfusion_client.decode.merge import Ground, merge
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables import numbers
from mcpfusion_client.decode.texts import of_json
from mcpfusion_client.decode.texts import read as read_text
from mcpfusion_client.model import ErrorCode, ErrorInfo, JsonValue, Origin

_SESSION_GONE = frozenset({-32600, 32600})
_INVALID_PARAMS = -32602


def from_rpc(
    *,
    code: int,
    message: str,
    data: JsonValue = None,
    sdk_made: bool,
    received_at: datetime | None = None,
    lexicon: Lexicon | None = None,
) -> ErrorInfo:
    """Return what a JSON-RPC error means.

    Args:
        code: The number of the error.
        message: Untrusted.
        data: Untrusted; whatever came with it.
        sdk_made: The SDK made the error itself; no server sent it.
        received_at: What absolute times are relative to.
        lexicon: Code words and phrases beyond the built-in ones.
    """
    context = Context(lexicon=lexicon or Lexicon(), now=received_at)
    number = Source(
        facts=(Facts(dialect="json-rpc"),),
        clues=(_clue(code, message, sdk_made=sdk_made),),
    )
    sources = [*_data_sources(data, context)]
    text = read_text(message, context)
    sources.append(text)
    joined = Source(
        facts=tuple(f for s in (*sources, number) for f in s.facts),
        clues=tuple(c for s in (*sources, number) for c in s.clues),
        structured=True,
    )
    own_code = _sdk_code(code, message) if sdk_made else None
    ground = Ground(
        origin=Origin.PROTOCOL if own_code is None else Origin.TRANSPORT,
        message=message,
        code=own_code or str(code),
    )
    return merge([joined], ground, context.lexicon)


def _sdk_code(code: int, message: str) -> str | None:
    if code in _SESSION_GONE and _says_session(message):
        return ErrorCode.CONNECTION_LOST
    return _SDK_CODES.get(code)


def _says_session(message: str) -> bool:
    return "session" in message[:200].lower()


_SDK_CODES: Mapping[int, str] = {
    -32001: ErrorCode.TIMEOUT,
    408: ErrorCode.TIMEOUT,
    -32000: ErrorCode.CONNECTION_LOST,
    -32700: ErrorCode.BAD_RESPONSE,
    -32600: ErrorCode.BAD_RESPONSE,
}


def _data_sources(data: JsonValue, context: Context) -> list[Source]:
    found = read_object(data, context, dialect="json-rpc")
    if found is not None:
        return [of_json(found, context)]
    if isinstance(data, str):
        return [read_text(data, context)]
    return []


def _clue(code: int, message: str, *, sdk_made: bool) -> Clue:
    source = f"JSON-RPC {code}"
    if sdk_made:
        if code in _SESSION_GONE and _says_session(message):
            return Clue(m.BUSY, Strength.CODE, source)
        meaning = numbers.SDK_RPC_CODES.get(code)
        if meaning is not None:
            return Clue(meaning, Strength.CODE, source)
    if code == _INVALID_PARAMS and _is_output(message):
        return Clue(m.BAD_OUTPUT, Strength.CODE, source)
    meaning = numbers.RPC_CODES.get(code, m.CRASH)
    return Clue(meaning, numbers.rpc_strength(code), source)


def _is_output(message: str) -> bool:
    head = message[:400].lower()
    return "output validation" in head or "structured content" in head
