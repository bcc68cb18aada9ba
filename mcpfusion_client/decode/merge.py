"""Merge what every place said into one `ErrorInfo`.

Each fact takes its first stated source; where nothing was stated the strongest
clue decides. A stated "not retryable" anywhere wins, and places that disagree
never end in a retry.
"""

import operator
from collections.abc import Iterable, Mapping, Sequence

import attrs

from mcpfusion_client.decode.evidence import (
    PLAIN_REFUSALS,
    Clue,
    Meaning,
    Source,
    Strength,
)
from mcpfusion_client.decode.facts import Facts
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
from mcpfusion_client.model.json import is_mapping, is_sequence

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
_PRIVATE = frozenset({"http_status", "number_code", "field_name"})
_OF_PROSE = ("retry_after", "fields", "field_name")
"""Inferred facts that never apply beside a complete envelope."""


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


@attrs.frozen
class _Verdict:
    """What one source amounts to.

    Attributes:
        clue: Its strongest clue.
        stated: What it states about repeating.
        category: The category it states.
        structured: It is the structured part of a result.
        forbidden: Its words or its severity forbid a repeat.
    """

    clue: Clue | None
    stated: bool | None
    category: ErrorCategory | None
    structured: bool
    forbidden: bool

    def forbids(self, limit: Strength) -> bool:
        """Does its evidence, down to *limit*, speak against a repeat?"""
        if self.forbidden:
            return True
        if self.category is not None and m.OF_CATEGORY[self.category].retry is False:
            return True
        clue = self.clue
        return (
            self.category is None
            and clue is not None
            and clue.meaning.retry is False
            and clue.strength <= limit
        )


def merge(sources: Sequence[Source], ground: Ground, lexicon: Lexicon) -> ErrorInfo:
    """Return the one `ErrorInfo` all *sources* together make."""
    verdicts: list[_Verdict] = []
    if len(sources) == 1:
        winner = _clue(sources[0], lexicon)
    else:
        verdicts = [_verdict(source, lexicon) for source in sources]
        winner = _winner(verdicts)
    facts = _believed(sources)
    lossy = ground.lossy
    if len(facts) == 1:
        values, inferred = dict(facts[0].values), dict(facts[0].inferred)
        lossy = lossy or facts[0].lossy
    else:
        lossy = lossy or any(one.lossy for one in facts)
        values = _first(one.values for one in facts)
        inferred = _first(one.inferred for one in facts)
        if any(one.complete for one in facts):
            for name in _OF_PROSE:
                inferred.pop(name, None)
    stated = values.keys() - _PRIVATE
    category = values["category"] = _category(values, inferred, winner)
    if winner is not None and winner.meaning.category.family is category.family:
        meaning = winner.meaning
    else:
        meaning = m.OF_CATEGORY[category]
    values["is_retryable"] = _retry(values, stated, inferred, meaning, verdicts)
    values["execution"] = _execution(values, inferred, meaning, winner)
    values["code"] = _code(values, inferred, ground)
    _add_field(values, inferred)
    message = values.get("message")
    if message is None:
        message = inferred.get("message") or ground.message.strip()
    if len(message) > MAX_MESSAGE:
        message, lossy = message[:MAX_MESSAGE], True
    values["message"] = message
    values["lossy"] = lossy
    values["dialect"] = facts[0].dialect if facts else "text"
    inferred |= values
    for name in _PRIVATE & inferred.keys():
        del inferred[name]
    return ErrorInfo(**inferred, origin=ground.origin, http=ground.http, stated=stated)


def _believed(sources: Sequence[Source]) -> list[Facts]:
    """Return the facts in order; of complete envelopes only the first one's."""
    if (
        len(sources) == 1
        and len(sources[0].facts) == 1
        and not sources[0].facts[0].veto
    ):
        return [sources[0].facts[0]]
    believed: list[Facts] = []
    complete = False
    for facts in _in_order(sources):
        if facts.complete and complete:
            vetoes = facts.veto or facts.values.get("is_retryable") is False
            believed.append(Facts(dialect=facts.dialect, veto=vetoes))
        else:
            believed.append(facts)
            complete = complete or facts.complete
    if any(one.veto or one.values.get("is_retryable") is False for one in believed):
        believed.append(Facts(dialect="veto", values={"is_retryable": False}))
    return believed


def _in_order(sources: Sequence[Source]) -> list[Facts]:
    """Return all facts: structured ones, envelopes, JSON, labels, words."""
    ranked = [
        (0 if source.structured else _RANKS.get(facts.dialect, len(_RANKS)), facts)
        for source in sources
        for facts in source.facts
    ]
    return [facts for _, facts in sorted(ranked, key=operator.itemgetter(0))]


_RANKS = {
    "fusion-xml": 1,
    "fusion-text": 1,
    "json": 2,
    "json-in-text": 2,
    "labels": 3,
}
"""Which dialect of a text to believe first, whichever block it stands in."""


def _first(found: Iterable[Mapping[str, JsonValue]]) -> dict[str, JsonValue]:
    """Return the first value of every name; details add up, a "no" wins."""
    values: dict[str, JsonValue] = {}
    for one in found:
        for name, value in one.items():
            if name == "details":
                values[name] = {**value, **values.get(name, {})}
            elif name == "is_retryable" and value is False:
                values[name] = False
            else:
                values.setdefault(name, value)
    return values


def _verdict(source: Source, lexicon: Lexicon) -> _Verdict:
    stated: bool | None = None
    category: ErrorCategory | None = None
    forbidden = False
    for facts in source.facts:
        flag = facts.values.get("is_retryable")
        if flag is not None:
            stated = flag if stated is None else stated and flag
        category = category or facts.values.get("category")
        forbidden = forbidden or facts.inferred.get("is_retryable") is False
        forbidden = forbidden or facts.values.get("severity") is Severity.CRITICAL
    clue = _clue(source, lexicon)
    return _Verdict(clue, stated, category, source.structured, forbidden)


def _clue(source: Source, lexicon: Lexicon) -> Clue | None:
    """Return the strongest clue of one source, an envelope's code included."""
    clues = list(source.clues)
    waits = False
    for facts in source.facts:
        code = facts.values.get("code") or facts.inferred.get("code")
        code = code if facts.complete else None
        if code and (meaning := lexicon.meaning_of(code)):
            clues.append(code_clue(code, meaning))
        waits = waits or facts.values.get("retry_after") is not None
    return _best(clues, waits=waits)


def _best(clues: Sequence[Clue], *, waits: bool) -> Clue | None:
    """Return the strongest clue; of equals the one that forbids a repeat.

    A plain 402 or 403 beside a rate limit, or with a time to wait, is one itself, and
    so is a quota that is used up until a stated time.
    """
    if not clues:
        return None
    best = clues[0] if len(clues) == 1 else min(clues, key=_weight)
    if waits and _is_used_up(best):
        return Clue(m.RATE_LIMITED, best.strength, best.source)
    if best.source not in PLAIN_REFUSALS:
        return best
    limits = (c for c in clues if c.meaning.category is ErrorCategory.RATE_LIMITED)
    limit = min(limits, key=_weight, default=None)
    if limit is not None:
        return limit
    return Clue(m.RATE_LIMITED, best.strength, best.source) if waits else best


def _is_used_up(clue: Clue) -> bool:
    """Does *clue* speak of an amount that is used up, which may come back?"""
    business = clue.meaning.category is ErrorCategory.BUSINESS
    return business and any(word in clue.source.lower() for word in _USED_UP)


_USED_UP = ("quota", "limit", "exhausted", "budget")


def _weight(clue: Clue) -> tuple[int, int]:
    return clue.strength, _HARSHNESS[clue.meaning.category]


def _winner(verdicts: Sequence[_Verdict]) -> Clue | None:
    clues = [verdict.clue for verdict in verdicts if verdict.clue is not None]
    if clues and verdicts[0].structured and verdicts[0].clue is not None:
        first = verdicts[0].clue
        if first.strength <= Strength.STATUS:
            return first
    return min(clues, key=_weight, default=None)


def _category(
    values: Mapping[str, JsonValue],
    inferred: Mapping[str, JsonValue],
    winner: Clue | None,
) -> ErrorCategory:
    stated: ErrorCategory | None = values.get("category")
    if stated is not None:
        return stated
    category = ErrorCategory.UNKNOWN if winner is None else winner.meaning.category
    if category is ErrorCategory.UNKNOWN and _hint(values, inferred) is not None:
        return ErrorCategory.TRANSIENT
    return category


def _hint(
    values: Mapping[str, JsonValue], inferred: Mapping[str, JsonValue]
) -> JsonValue:
    hint = values.get("retry_after")
    return hint if hint is not None else inferred.get("retry_after")


def _retry(
    values: Mapping[str, JsonValue],
    stated: set[str],
    inferred: Mapping[str, JsonValue],
    meaning: Meaning,
    verdicts: Sequence[_Verdict],
) -> bool | None:
    flag: bool | None = values.get("is_retryable")
    if "is_retryable" not in values:  # None there: the server says nobody knows
        flag = _inferred_retry(values, stated, inferred, meaning)
    if flag is True and _disagree(verdicts):
        stated.discard("is_retryable")
        return False
    return flag


def _inferred_retry(
    values: Mapping[str, JsonValue],
    stated: set[str],
    inferred: Mapping[str, JsonValue],
    meaning: Meaning,
) -> bool | None:
    if values.get("severity") is Severity.CRITICAL:
        return False
    if inferred.get("is_retryable") is False:
        return False
    if values["category"] in _HEALS_WITH_TIME:
        if "retry_after" in stated:
            return True
        if meaning.retry is not False and inferred.get("retry_after") is not None:
            return True
    if meaning.retry is not None:
        return meaning.retry
    encouraged: bool | None = inferred.get("is_retryable")
    return encouraged


def _disagree(verdicts: Sequence[_Verdict]) -> bool:
    """Does one place forbid what another one allows?

    What the structured part states is weighed against numbers and codes in the
    texts only, and a flag there against nothing; texts are weighed against every
    word of each other.
    """
    if len(verdicts) < 2:  # noqa: PLR2004 - it takes two to disagree
        return False
    first = verdicts[0]
    if first.structured and first.stated is True:
        return False
    limit = Strength.GENERIC
    if first.structured and first.category is not None:
        limit = Strength.STATUS
    return any(one.stated is not True and one.forbids(limit) for one in verdicts)


def _execution(
    values: Mapping[str, JsonValue],
    inferred: dict[str, JsonValue],
    meaning: Meaning,
    winner: Clue | None,
) -> Execution:
    found = _stated_execution(values)
    if found is not None:
        return found
    concluded: Execution | None = inferred.pop("execution", None)
    transient = values["category"].family is ErrorCategory.TRANSIENT
    if concluded is Execution.EXECUTED or (concluded is not None and not transient):
        return concluded
    rejected = (
        winner is not None
        and winner.strength is Strength.CODE
        and winner.meaning.execution is Execution.NOT_EXECUTED
    )
    return Execution.NOT_EXECUTED if rejected else meaning.execution


def _stated_execution(values: Mapping[str, JsonValue]) -> Execution | None:
    stated: Execution | None = values.get("execution")
    if stated is not None:
        return stated
    side_effects = values.get("side_effects")
    if side_effects is SideEffects.SOME or side_effects is SideEffects.UNKNOWN:
        return Execution.UNKNOWN
    partial = values.get("partial_results")
    if partial and (is_sequence(partial) or is_mapping(partial)):
        lasting = values["category"].family is not ErrorCategory.TRANSIENT
        return Execution.EXECUTED if lasting else Execution.UNKNOWN
    return Execution.NOT_EXECUTED if side_effects is SideEffects.NONE else None


def _code(
    values: Mapping[str, JsonValue], inferred: Mapping[str, JsonValue], ground: Ground
) -> str | None:
    code: str | None = values.get("code")
    if code is None:
        code = values.get("number_code") or inferred.get("code") or ground.code
    return None if code is None else code[:_MAX_CODE]


def _add_field(values: dict[str, JsonValue], inferred: dict[str, JsonValue]) -> None:
    """Turn a lone field name beside a validation failure into a field."""
    if values["category"].family is not ErrorCategory.VALIDATION:
        inferred.pop("fields", None)
        return
    name = values.get("field_name") or inferred.get("field_name")
    if name is not None and not (values.get("fields") or inferred.get("fields")):
        text = values.get("message") or inferred.get("message") or ""
        inferred["fields"] = (FieldError(name=name, message=text),)
