"""Read a failed result: its structured part, then each of its text blocks."""

from collections.abc import Iterator

import attrs

from mcpfusion_client.decode.evidence import Source
from mcpfusion_client.decode.json_metadata import Found
from mcpfusion_client.decode.json_metadata import read as read_object
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.merge import Ground, merge
from mcpfusion_client.decode.texts import MAX_EVIDENCE, of_json, whole_envelope
from mcpfusion_client.decode.texts import read as read_text
from mcpfusion_client.decode.wire import KNOWN, KnownWire, TextWire, Wire
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    JsonObject,
    JsonValue,
    Origin,
    Severity,
)
from mcpfusion_client.model.json import is_mapping, is_sequence

_MAX_BLOCKS = 64
_MAX_LOOKED_AT = 256
_MIN_WINDOW = 512
_PLAIN = frozenset({"content", "isError"})
_OWN = frozenset({"content", "isError", "is_error", "structuredContent", "_meta"})


def read(result: JsonObject, context: Context) -> ErrorInfo:
    """Return what a result with ``isError: true`` says."""
    blocks, cut = _texts(result)
    sources = [] if result.keys() <= _PLAIN else [*_structured(result, context)]
    if len(blocks) == 1:
        sources.append(read_text(blocks[0], context))
        return merge(sources, Ground(message=blocks[0], lossy=cut), context.lexicon)
    if blocks:
        share = max(_MIN_WINDOW, context.window // len(blocks))
        context = attrs.evolve(context, window=share)
    sources += [read_text(text, context) for text in blocks]
    message = "\n".join(text.strip() for text in blocks)
    return merge(sources, Ground(message=message, lossy=cut), context.lexicon)


def _structured(result: JsonObject, context: Context) -> Iterator[Source]:
    found: list[Found | None] = []
    if not result.keys() <= _OWN or isinstance(result.get("content"), str):
        own = {key: value for key, value in result.items() if key not in _OWN}
        content = result.get("content")
        if isinstance(content, str) and own:
            own["content"] = content
        found.append(read_object(own, context, dialect="json-result"))
    for key, dialect in (
        ("structuredContent", "json-structured"),
        ("_meta", "json-meta"),
    ):
        value = result.get(key)
        if value:
            found.append(read_object(value, context, dialect=dialect))
    parts = [part for part in found if part is not None]
    sources = [of_json(part, context) for part in parts]
    if sources:
        yield Source(
            facts=tuple(facts for source in sources for facts in source.facts),
            clues=tuple(clue for source in sources for clue in source.clues),
            structured=True,
        )


def _texts(result: JsonObject) -> tuple[list[str], bool]:
    """Return the texts of a result, and whether some were left out or cut."""
    content = result.get("content")
    if isinstance(content, str):
        return [content], len(content) > MAX_EVIDENCE
    if not is_sequence(content):
        return [], content is not None
    found: list[str] = []
    cut = len(content) > _MAX_LOOKED_AT
    for block in content[:_MAX_LOOKED_AT]:
        text = _text(block)
        if text is not None and len(found) < _MAX_BLOCKS:
            found.append(text)
            cut = cut or len(text) > MAX_EVIDENCE
        elif text is not None:
            cut = True
    return found, cut


def _text(block: JsonValue) -> str | None:
    if not is_mapping(block):
        return None
    text = block.get("text")
    if text is None and is_mapping(block.get("resource")):
        text = block["resource"].get("text")
    return text if isinstance(text, str) and text.strip() else None


def warning(text: str, context: Context) -> ErrorInfo | None:
    """Return the advice that a text of a success is, as a whole."""
    facts = whole_envelope(text)
    if facts is None or facts.values.get("severity") is not Severity.WARNING:
        return None
    return merge([Source(facts=(facts,))], Ground(), context.lexicon)


def other(found: Wire, context: Context) -> ErrorInfo:
    """Return what an exception without an answer, or no answer at all, means."""
    if isinstance(found, TextWire):
        source = read_text(found.text, context)
        return merge([source], Ground(message=found.text), context.lexicon)
    if isinstance(found, KnownWire):
        return _known(found)
    return ErrorInfo(
        message="The answer is no tool result.",
        code=ErrorCode.BAD_RESPONSE,
        category=ErrorCategory.PROTOCOL,
        is_retryable=False,
        origin=Origin.PROTOCOL,
        dialect="unreadable",
    )


def _known(found: KnownWire) -> ErrorInfo:
    if found.name is None:
        return ErrorInfo(
            message=found.message, origin=Origin.CLIENT, dialect="exception"
        )
    code = KNOWN[found.name]
    refused = code == ErrorCode.CONNECT_FAILED
    cancelled = code == ErrorCode.CANCELLED
    return ErrorInfo(
        message=found.message,
        code=code,
        category=ErrorCategory.CANCELLED if cancelled else ErrorCategory.TRANSIENT,
        is_retryable=not cancelled,
        execution=Execution.NOT_EXECUTED if refused else Execution.UNKNOWN,
        origin=Origin.CLIENT if cancelled else Origin.TRANSPORT,
        dialect="exception",
    )
