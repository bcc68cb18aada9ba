"""Read a text block: envelopes first, then JSON in it, labels, then its words.

What a reader of a sharper dialect took is not read again by a blunter one.
"""

import re
from collections.abc import Mapping

import attrs

from mcpfusion_client.decode.embedded import values as values_in
from mcpfusion_client.decode.evidence import Clue, Source, Strength
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.fusion import is_whole_envelope, peel
from mcpfusion_client.decode.fusion import read_text as read_fusion
from mcpfusion_client.decode.fusion_legacy import read_text as read_legacy
from mcpfusion_client.decode.given_up import gave_up
from mcpfusion_client.decode.json_metadata import Found
from mcpfusion_client.decode.json_metadata import read as read_object
from mcpfusion_client.decode.labels import read_text as read_labels
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.decode.tables import wordlist
from mcpfusion_client.decode.tables.keys import normalise
from mcpfusion_client.decode.words import Words
from mcpfusion_client.decode.words import read as read_words
from mcpfusion_client.model import ErrorCategory, JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping

MAX_EVIDENCE = 256 * 1024
_MAX_KEYS = 64
_BLANKS = "\ufeff \t\r\n"
_BROKEN = re.compile(r"\s{0,64}(?:\{|\[\s{0,64}[{\[\"])")
"""How JSON begins; "[CODE] ..." and "[1] ..." are no JSON."""
_ERRORISH = wordlist.words(
    """error errors message msg iserror errorcategory isretryable retryable retriable
    code errorcode statuscode detail title errormessage retryafter __type category
    errortype exception description fault reason retryafterseconds retryafterms
    error_description status"""
)


def read(text: str, context: Context) -> Source:
    """Return what one text block says about a failure."""
    facts = read_fusion(text)
    if facts is not None and facts.complete:
        return _envelope(facts, context)
    if facts is not None:
        rest = _read_plain(peel(text).body, context)
        return attrs.evolve(rest, facts=(facts, *rest.facts))
    return _read_plain(text[:MAX_EVIDENCE], context)


def whole_envelope(text: str) -> Facts | None:
    """Return the facts of a text that, as a whole, is an MCP Fusion envelope."""
    return read_fusion(text) if is_whole_envelope(text) else None


def _envelope(facts: Facts, context: Context) -> Source:
    """Return an envelope's facts; its message counts where its code says nothing."""
    code = facts.values.get("code") or facts.inferred.get("code")
    meaning = context.lexicon.meaning_of(code) if isinstance(code, str) else None
    clear = meaning is not None and meaning.category is not ErrorCategory.UNKNOWN
    message = facts.values.get("message")
    if clear or not isinstance(message, str) or "fields" in facts.values:
        return Source(facts=(facts,))
    return Source(facts=(facts,), clues=read_words(message, context).clues)


def _read_plain(text: str, context: Context) -> Source:
    legacy = read_legacy(text)
    if legacy is not None:
        return _envelope(legacy, context)
    start = text[:64].lstrip(_BLANKS)[:1]
    if start in {"{", "["}:
        found = read_object(parse_json(text.strip(_BLANKS)), context)
        if found is not None:
            return of_json(found, context)
        if _BROKEN.match(text):
            return _without_weak_words(_of_words(text, context))
    label = read_labels(text)
    if label is not None:
        return _of_labels(label, text, context)
    return _of_words(text, context)


def _without_weak_words(source: Source) -> Source:
    """Leave out weak words: in a broken structure they may be names or values."""
    clues = (c for c in source.clues if c.strength is not Strength.WEAK_PROSE)
    return attrs.evolve(source, clues=tuple(clues))


def of_json(found: Found, context: Context) -> Source:
    """Return what a JSON value states, and what the sentences in it suggest."""
    if not found.prose:
        return Source(facts=(found.facts,), clues=found.clues)
    suggested, clues = _suggested("\n".join(found.prose), context)
    stated = found.facts.values
    settled = "category" in stated and "is_retryable" in stated
    return Source(
        facts=(found.facts, suggested),
        clues=found.clues if settled else (*found.clues, *clues),
    )


def _suggested(text: str, context: Context) -> tuple[Facts, tuple[Clue, ...]]:
    """Return what *text* suggests, as inferred facts only."""
    found = read_words(text, context)
    inferred: dict[str, JsonValue] = {
        "code": found.code or found.number,
        "retry_after": found.retry_after,
        "fields": found.fields or None,
        "is_retryable": _verdict(found),
        "execution": found.execution,
    }
    return _facts({}, inferred), found.clues


def _verdict(found: Words) -> bool | None:
    if found.forbidden:
        return False
    return True if found.encouraged else None


def _facts(values: Mapping[str, JsonValue], inferred: Mapping[str, JsonValue]) -> Facts:
    return Facts(
        dialect="text",
        values={name: value for name, value in values.items() if value is not None},
        inferred={name: value for name, value in inferred.items() if value is not None},
    )


def _of_labels(label: Facts, text: str, context: Context) -> Source:
    if "category" in label.values and "is_retryable" in label.values:
        return Source(facts=(label,))
    suggested, clues = _suggested(text, context)
    return Source(facts=(label, suggested), clues=clues)


def _of_words(text: str, context: Context) -> Source:
    found = list(_embedded(text, context))
    outside = text
    for _, start, end in reversed(found):
        outside = f"{outside[:start]} {outside[end:]}"
    own = read_words(outside, context)
    sources = [of_json(one, context) for one, _, _ in found]
    values: dict[str, JsonValue] = {
        "code": own.code,
        "number_code": own.number,
        "is_retryable": False if gave_up(text) else None,
    }
    inferred: dict[str, JsonValue] = {
        "retry_after": own.retry_after,
        "fields": own.fields or None,
        "is_retryable": _verdict(own),
        "execution": own.execution,
    }
    return Source(
        facts=(
            *(facts for source in sources for facts in source.facts),
            _facts(values, inferred),
        ),
        clues=(*(clue for source in sources for clue in source.clues), *own.clues),
    )


def _embedded(text: str, context: Context) -> list[tuple[Found, int, int]]:
    found: list[tuple[Found, int, int]] = []
    for value, start, end in values_in(text):
        if _is_errorish(value):
            one = read_object(value, context, dialect="json-in-text")
            if one is not None:
                found.append((one, start, end))
    return found


def _is_errorish(value: JsonValue) -> bool:
    first = value[0] if is_array(value) and value else value
    return is_mapping(first) and _has_error_key(first)


def _has_error_key(value: JsonObject) -> bool:
    return any(normalise(str(key)) in _ERRORISH for key in list(value)[:_MAX_KEYS])
