"""Merge what every place said into one `ErrorInfo`.

Each fact takes its first stated source; where nothing was stated the strongest
clue decides. A stated "not retryable" anywhere wins, and places that disagree
never end in a retry.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from mcpfusion_client.decode.evidence import Clue, Meaning, Source, Strength
from mcpfusion_client.decode.json_metadata import code_clue
from mcpfusion_client.decode.lexicon import Lexicon
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    FieldError,
    HttpEvidence,
    JsonValue,
    Origin,
    Severity,
    SideEffects,
)

MAX_MESSAGE = 64 * 1024
_MAX_CODE = 512

# Of two clues of the same strength the one that forbids a repeat wins.
_HARSHNESS = {
    category: rank
    for rank, category in enumerate(
        (
            ErrorCategory.PERMISSION,
            ErrorCategory.AUTHENTICATION,
            ErrorCategory.BUSINESS,
            ErrorCategory.AMBIGUOUS,
            ErrorCategory.CONFLICT,
            ErrorCategory.NOT_FOUND,
            ErrorCategory.VALIDATION,
            ErrorCategory.CANCELLED,
            ErrorCategory.STATE_UNKNOWN,
            ErrorCategory.RATE_LIMITED,
            ErrorCategory.TRANSIENT,
            ErrorCategory.PROTOCOL,
            ErrorCategory.OTHER,
            ErrorCategory.UNKNOWN,
        )
    )
}
_HEALS_WITH_TIME = frozenset(
    {
        ErrorCategory.TRANSIENT,
        ErrorCategory.RATE_LIMITED,
        ErrorCategory.UNKNOWN,
        ErrorCategory.NOT_FOUND,
        ErrorCategory.CONFLICT,
    }
)
_PRIVATE = frozenset({"http_status", "number_code", "field_name", "conflict"})


@attrs.frozen(kw_only=True)
class Ground:
    """What is known before anything is read.

    Attributes:
        origin: Where the failure was seen.
        message: Used when no source has one.
        code: Used when no source has one.
        http: The HTTP evidence.
        lossy: Something was cut already.
    """

    origin: Origin = Origin.TOOL
    message: str = ""
    code: str | None = None
    http: HttpEvidence | None = None
    lossy: bool = False


def merge(sources: Sequence[Source], ground: Ground, lexicon: Lexicon) -> ErrorInfo:
    """Return the one `ErrorInfo` all *sources* together make."""
    values, stated = _first_stated(sources)
    inferred = _first_inferred(sources)
    verdicts = [_verdict(source, lexicon) for source in sources]
    winner = _winner(verdicts)
    _set_category(values, inferred, winner)
    _set_retry(values, stated, inferred, winner, sources, verdicts)
    _set_execution(values, inferred, winner)
    _set_code(values, ground)
    _set_fields(values, inferred)
    message = values.get("message") or inferred.get("message") or ground.message
    values["message"] = str(message)[:MAX_MESSAGE]
    values.setdefault("dialect", _dialect(sources))
    for name, value in inferred.items():
        values.setdefault(name, value)
    for name in _PRIVATE:
        values.pop(name, None)
    lossy = ground.lossy or len(str(message)) > MAX_MESSAGE
    lossy = lossy or any(facts.lossy for source in sources for facts in source.facts)
    return ErrorInfo(
        **{
            **values,
            "lossy": lossy,
            "origin": ground.origin,
            "http": ground.http,
            "stated": frozenset(stated),
        }
    )


def _all_facts(
    sources: Iterable[Source],
) -> Iterable[tuple[Mapping[str, JsonValue], bool]]:
    return ((facts.values, facts.veto) for source in sources for facts in source.facts)


def _first_stated(sources: Sequence[Source]) -> tuple[dict[str, JsonValue], set[str]]:
    values: dict[str, JsonValue] = {}
    details: dict[str, JsonValue] = {}
    veto = False
    for found, vetoes in _all_facts(sources):
        veto = veto or vetoes or found.get("is_retryable") is False
        for name, value in found.items():
            if name == "details":
                details = {**value, **details}
            elif value is not None:
                values.setdefault(name, value)
    if details:
        values["details"] = details
    if veto:
        values["is_retryable"] = False
    return values, set(values) - _PRIVATE


def _first_inferred(sources: Sequence[Source]) -> dict[str, JsonValue]:
    inferred: dict[str, JsonValue] = {}
    for source in sources:
        for facts in source.facts:
            for name, value in facts.inferred.items():
                inferred.setdefault(name, value)
    return inferred


@attrs.frozen
class _Verdict:
    """What one source amounts to.

    Attributes:
        clue: Its strongest clue, a stated category included.
        stated: What it states about repeating.
        structured: It is the structured part of a result.
    """

    clue: Clue | None
    stated: bool | None
    structured: bool


def _verdict(source: Source, lexicon: Lexicon) -> _Verdict:
    clues = list(source.clues)
    stated: bool | None = None
    for facts in source.facts:
        code = facts.values.get("code")
        if isinstance(code, str) and (meaning := lexicon.meaning_of(code)):
            clues.append(code_clue(code, meaning))
        flag = facts.values.get("is_retryable")
        if isinstance(flag, bool):
            stated = flag if stated is None else stated and flag
    return _Verdict(best(clues), stated, source.structured)


def best(clues: Iterable[Clue]) -> Clue | None:
    """Return the strongest clue; of equals the one that forbids a repeat."""
    found = list(clues)
    if not found:
        return None
    limited = [
        clue
        for clue in found
        if clue.meaning.category is ErrorCategory.RATE_LIMITED
        and clue.strength <= Strength.STATUS
    ]
    first = min(found, key=_weight)
    if limited and first.meaning.category in _REFUSALS and not _words_differ(first):
        return limited[0]
    return first


_REFUSALS = frozenset({ErrorCategory.PERMISSION, ErrorCategory.BUSINESS})


def _words_differ(clue: Clue) -> bool:
    """Is this a refusal that says more than 402 and 403 do?"""
    generic = ("HTTP status 403", "HTTP status 402", "code PERMISSION_DENIED")
    return clue.source not in generic


def _weight(clue: Clue) -> tuple[int, int]:
    return clue.strength, _HARSHNESS[clue.meaning.category]


def _winner(verdicts: Sequence[_Verdict]) -> Clue | None:
    structured = [v.clue for v in verdicts if v.structured and v.clue]
    if structured and structured[0].strength <= Strength.STATUS:
        return structured[0]
    return best(v.clue for v in verdicts if v.clue)


def _set_category(
    values: dict[str, JsonValue], inferred: Mapping[str, JsonValue], winner: Clue | None
) -> None:
    if "category" in values:
        return
    if winner is not None:
        values["category"] = winner.meaning.category
    elif "category" in inferred:
        values["category"] = inferred["category"]
    category = values.get("category", ErrorCategory.UNKNOWN)
    hint = values.get("retry_after")
    status = values.get("http_status")
    if hint is None:
        hint, status = inferred.get("retry_after"), None
    if hint is None:
        return
    if status in {402, 403} and winner is not None and not _words_differ(winner):
        values["category"] = ErrorCategory.RATE_LIMITED
    elif category is ErrorCategory.UNKNOWN:
        values["category"] = ErrorCategory.TRANSIENT


def _set_retry(
    values: dict[str, JsonValue],
    stated: set[str],
    inferred: Mapping[str, JsonValue],
    winner: Clue | None,
    sources: Sequence[Source],
    verdicts: Sequence[_Verdict],
) -> None:
    if "is_retryable" in values:
        if values["is_retryable"] is True and _contradicted(verdicts):
            values["is_retryable"] = False
            stated.discard("is_retryable")
        return
    values["is_retryable"] = _inferred_retry(values, stated, inferred, winner)
    if values["is_retryable"] is True and _disagree(verdicts):
        values["is_retryable"] = False


def _inferred_retry(
    values: Mapping[str, JsonValue],
    stated: set[str],
    inferred: Mapping[str, JsonValue],
    winner: Clue | None,
) -> bool | None:
    if values.get("severity") is Severity.CRITICAL:
        return False
    if inferred.get("is_retryable") is False:
        return False
    category = values.get("category", ErrorCategory.UNKNOWN)
    meaning = _meaning(values, stated, winner)
    if meaning.retry is False and not (
        "retry_after" in stated and category in _HEALS_WITH_TIME
    ):
        return False
    if category in _HEALS_WITH_TIME and _hint(values, inferred) is not None:
        return True
    return meaning.retry if meaning.retry is not None else inferred.get("is_retryable")


def _hint(
    values: Mapping[str, JsonValue], inferred: Mapping[str, JsonValue]
) -> JsonValue:
    hint = values.get("retry_after")
    return hint if hint is not None else inferred.get("retry_after")


def _meaning(
    values: Mapping[str, JsonValue], stated: set[str], winner: Clue | None
) -> Meaning:
    category = values.get("category", ErrorCategory.UNKNOWN)
    if winner is not None and winner.meaning.category.family is category.family:
        return winner.meaning
    if winner is not None and "category" not in stated:
        return m.OF_CATEGORY[category]
    return m.OF_CATEGORY[category]


def _contradicted(verdicts: Sequence[_Verdict]) -> bool:
    """Does a text block forbid what another text block allows?"""
    if any(v.structured and v.stated is True for v in verdicts):
        return False
    return _disagree([v for v in verdicts if v.stated is not True])


def _disagree(verdicts: Sequence[_Verdict]) -> bool:
    return (
        any(
            v.clue is not None
            and v.clue.meaning.retry is False
            and v.clue.strength <= Strength.PROSE
            for v in verdicts
        )
        and len(verdicts) > 0
    )


def _set_execution(
    values: dict[str, JsonValue], inferred: dict[str, JsonValue], winner: Clue | None
) -> None:
    if "execution" in values:
        return
    side_effects = values.get("side_effects")
    partial = values.get("partial_results")
    if side_effects in {SideEffects.SOME, SideEffects.UNKNOWN}:
        values["execution"] = Execution.UNKNOWN
    elif isinstance(partial, Sequence | Mapping) and partial:
        values["execution"] = Execution.EXECUTED
    elif side_effects is SideEffects.NONE:
        values["execution"] = Execution.NOT_EXECUTED
    elif "execution" in inferred:
        values["execution"] = inferred["execution"]
    else:
        values["execution"] = _meaning(values, set(), winner).execution


def _set_code(values: dict[str, JsonValue], ground: Ground) -> None:
    code = values.get("code") or values.get("number_code") or ground.code
    values["code"] = code[:_MAX_CODE] if isinstance(code, str) else None


def _set_fields(values: dict[str, JsonValue], inferred: dict[str, JsonValue]) -> None:
    name = values.get("field_name") or inferred.pop("field_name", None)
    if name is None or values.get("fields") or inferred.get("fields"):
        return
    if values.get("category", ErrorCategory.UNKNOWN).family is ErrorCategory.VALIDATION:
        text = str(values.get("message") or "")
        inferred["fields"] = (FieldError(name=name, message=text),)


def _dialect(sources: Sequence[Source]) -> str:
    return next((facts.dialect for source in sources for facts in source.facts), "text")
