"""Apply what a user taught a decoder to a failure that is decoded already.

Sessions decode what they see with the built-in tables, before they know whose
decoder reads it. What the server stated stays; only conclusions change.
"""

import attrs

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.lexicon import WINDOW, Lexicon
from mcpfusion_client.decode.tables import effects
from mcpfusion_client.model import ErrorInfo, Origin, Severity

_OF_SERVERS = frozenset({Origin.TOOL, Origin.PROTOCOL, Origin.HTTP})


def apply(info: ErrorInfo, lexicon: Lexicon) -> ErrorInfo:
    """Return *info* with what *lexicon*'s own codes and phrases say about it."""
    if info.origin not in _OF_SERVERS:
        return info
    text = info.message[:WINDOW].lower()
    meaning = _own(info, text, lexicon)
    if meaning is None or "category" in info.stated:
        return info
    if "is_retryable" in info.stated:
        retry = info.is_retryable
    elif _forbidden(info, text):
        retry = False
    else:
        retry = meaning.retry
    kept = "execution" in info.stated or info.side_effects is not None
    return attrs.evolve(
        info,
        category=meaning.category,
        is_retryable=retry,
        execution=info.execution if kept else meaning.execution,
    )


def _own(info: ErrorInfo, text: str, lexicon: Lexicon) -> Meaning | None:
    if info.code is not None:
        meaning = lexicon.own_meaning_of(info.code)
        if meaning is not None:
            return meaning
    found = (meaning for phrase, meaning in lexicon.phrases if phrase in text)
    return next(found, None)


def _forbidden(info: ErrorInfo, text: str) -> bool:
    return info.severity is Severity.CRITICAL or any(
        words in text for words in effects.PROHIBITIONS
    )
