"""Read a text for evidence: statuses, codes, phrases, waits and field names.

Nothing found here is a fact the server stated, except its own code.
"""

import re
from collections.abc import Iterable

import attrs

from mcpfusion_client.decode.code_text import Codes
from mcpfusion_client.decode.code_text import find as find_codes
from mcpfusion_client.decode.embedded import values as values_in
from mcpfusion_client.decode.evidence import PLAIN_REFUSALS, Clue, Strength
from mcpfusion_client.decode.issue_lists import from_json as fields_of
from mcpfusion_client.decode.issue_texts import find as find_fields
from mcpfusion_client.decode.json_values import category as category_of
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.passage import Passage, clip, guarded
from mcpfusion_client.decode.prose import find as find_phrases
from mcpfusion_client.decode.prose import own as own_phrases
from mcpfusion_client.decode.prose_hints import find as find_wait
from mcpfusion_client.decode.quoting import (
    lead,
    refuses,
    without_compounds,
    without_mentions,
    without_names,
    without_reprs,
    without_things,
)
from mcpfusion_client.decode.reply_text import find as find_reply
from mcpfusion_client.decode.status_text import find as find_status
from mcpfusion_client.decode.tables import effects
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.wrappers import unwrap
from mcpfusion_client.model import ErrorCategory, Execution, FieldError

_QUOTED_ENVELOPE = re.compile(r"<(?:tool|validation)_error\b")
_SECRET_MISSING = guarded(
    "_key|_token|_secret|_password|_pat|_credentials",
    r"\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){0,6}_(?:KEY|TOKEN|SECRET|PASSWORD|PAT"
    r"|CREDENTIALS)\b[^.\n]{0,80}\b(?:required|missing|not set|unset|not configured"
    r"|must be set|not provided|not found|not defined|empty)",
)
_ISSUE_LIST = guarded(
    "[", r"\[\s{0,16}\{\s{0,16}[\"'](?:code|path|loc|type|message|msg)"
)
_FLAG = guarded(
    "retryable|retriable",
    r"(?<![\w])(?:is[ _-]?)?retr(?:y"
    r"|i)able[\"'`*]{0,3}\s{0,2}[:=]\s{0,2}[\"'`*]{0,3}\s?"
    r"(?P<flag>true|false|yes|no)\b",
    ignore_case=True,
)
_PARTIAL = guarded(
    " of | out of | / ",
    r"(?<![\w.])(?P<some>\d{1,9}) (?:of|out of|/) (?P<all>\d{1,9}) [\w ]{0,40}?"
    r"(?:failed|succeeded|completed|(?:was|were) [a-z]{2,20}(?:ed|nt|en))\b",
    ignore_case=True,
)
_CATEGORY = guarded(
    "category",
    r"(?<![\w])(?:error[ _-]?)?category[\"'`*]{0,3}\s{0,2}[:=]\s{0,2}[\"'`*]{0,3}\s?"
    r"(?P<word>[A-Za-z_]{3,40})",
    ignore_case=True,
)


@attrs.frozen(kw_only=True)
class Words:
    """What the words of a text suggest.

    Attributes:
        clues: The evidence for category, retry and execution.
        code: The server's own code.
        number: A number that stands for a code where there is no word.
        retry_after: Seconds, from a sentence.
        fields: The arguments named.
        execution: Did the tool run, as the text tells it?
        forbidden: The text says not to repeat the call.
        encouraged: The text says that repeating may help.
    """

    clues: tuple[Clue, ...] = ()
    code: str | None = None
    number: str | None = None
    retry_after: float | None = None
    fields: tuple[FieldError, ...] = ()
    execution: Execution | None = None
    forbidden: bool = False
    encouraged: bool = False


def read(text: str, context: Context) -> Words:
    """Return what the words of *text* suggest."""
    unwrapped = unwrap(_before_envelope(text))
    passage = without_reprs(clip(unwrapped.text, context.window))
    codes = find_codes(passage, context.lexicon)
    seen = _see(without_names(passage), context)
    word, code_clues = codes.word, codes.clues
    if _heals(seen.clues) or _heals(code_clues) or seen.retry_after is not None:
        sober = _sober(passage, context)
        if sober is not None:
            seen, bare = sober
            if _heals(code_clues):
                word, code_clues = bare.word, bare.clues
    fields, sure = _fields(passage)
    clues = [
        *unwrapped.clues,
        *own_phrases(passage, context.lexicon),
        *code_clues,
        *seen.clues,
        *_category(passage),
    ]
    if _SECRET_MISSING.search(passage):
        clues.append(Clue(m.AUTHENTICATION, Strength.PROSE, "a secret that is not set"))
    if fields and sure:
        clues.append(Clue(m.VALIDATION, Strength.SDK, "a list of rejected fields"))
    return Words(
        clues=tuple(clues),
        code=word,
        number=unwrapped.number or codes.number,
        retry_after=seen.retry_after,
        fields=fields,
        execution=_execution(passage),
        forbidden=seen.forbidden,
        encouraged=seen.encouraged,
    )


def _sober(passage: Passage, context: Context) -> tuple["_Seen", Codes] | None:
    """Return what is left without what is only mentioned, where that is a refusal."""
    things = without_things(passage)
    if things is not passage:
        found, clues = _look(things, context)
        if not _heals(clues) and any(c.meaning.retry is False for c in clues):
            return found
    parts = without_compounds(passage)
    if parts is not passage:
        found, clues = _look(parts, context)
        if not _heals(clues):
            return found
    plain = without_mentions(passage)
    head = lead(plain)
    told = [] if head is None else find_phrases(head)[0]
    if plain is passage and not told:
        return None
    found, _ = _look(plain, context)
    if _refused(told):
        return attrs.evolve(found[0], clues=tuple(told)), found[1]
    refused = _refused(found[0].clues) or _refused(found[1].clues) or refuses(plain)
    return found if refused else None


def _look(
    passage: Passage, context: Context
) -> tuple[tuple["_Seen", Codes], tuple[Clue, ...]]:
    """Return what *passage* and its codes suggest, and the clues of both."""
    seen, codes = _see(passage, context), find_codes(passage, context.lexicon)
    return (seen, codes), (*seen.clues, *codes.clues)


@attrs.frozen
class _Seen:
    """What a passage suggests, apart from its codes and fields."""

    clues: tuple[Clue, ...]
    retry_after: float | None
    forbidden: bool
    encouraged: bool


def _see(passage: Passage, context: Context) -> _Seen:
    status = find_status(passage) or find_reply(passage)
    wait = find_wait(passage, context.now)
    clues, forbidden = find_phrases(passage)
    if wait is not None:
        clues = [_with_wait(clue, passage) for clue in clues]
    if status is not None:
        clues.append(status)
    flag = _flag(passage)
    return _Seen(
        tuple(clues),
        wait,
        forbidden or flag is False,
        flag is True,
    )


def _with_wait(clue: Clue, passage: Passage) -> Clue:
    """Return what a clue means beside a time to wait.

    A used up quota comes back, and another writer will be done.
    """
    if clue.meaning.category is ErrorCategory.CONFLICT:
        return Clue(m.CONTENTION, clue.strength, clue.source)
    used_up = clue.meaning.category is ErrorCategory.BUSINESS
    if used_up and passage.has(_QUOTA_WORDS):
        return Clue(m.RATE_LIMITED, clue.strength, clue.source)
    return clue


_QUOTA_WORDS = ("quota", "limit", "usage")


def _heals(clues: Iterable[Clue]) -> bool:
    """Does one of *clues* speak of something that passes?"""
    return any(c.meaning.category.family is ErrorCategory.TRANSIENT for c in clues)


def _refused(clues: Iterable[Clue]) -> bool:
    """Does one of *clues* say that a repeat is in vain?"""
    return any(
        clue.meaning.retry is False
        and clue.source not in PLAIN_REFUSALS
        and (
            clue.strength <= Strength.PROSE
            or (
                clue.strength is Strength.WEAK_PROSE
                and clue.meaning.category not in _WEAKLY_SAID
            )
        )
        for clue in clues
    )


_WEAKLY_SAID = frozenset({ErrorCategory.VALIDATION, ErrorCategory.CANCELLED})
"""What weak words such as "bad" or "aborted" do not decide."""


def _before_envelope(text: str) -> str:
    """Leave out an envelope that is only quoted: what it says is data."""
    quoted = _QUOTED_ENVELOPE.search(text)
    return text if quoted is None else text[: quoted.start()]


def _fields(passage: Passage) -> tuple[tuple[FieldError, ...], bool]:
    if _ISSUE_LIST.search(passage):
        for value, _, _ in values_in(passage.text):
            fields = fields_of(value, key="issues")
            if fields:
                return fields, True
    return find_fields(passage)


def _execution(passage: Passage) -> Execution | None:
    partial = _PARTIAL.search(passage)
    if partial is not None and int(partial["some"]) < int(partial["all"]):
        return Execution.EXECUTED
    return Execution.NOT_EXECUTED if passage.has(effects.NOT_DONE) else None


def _flag(passage: Passage) -> bool | None:
    flag = _FLAG.search(passage)
    return None if flag is None else flag["flag"].lower() in {"true", "yes"}


def _category(passage: Passage) -> list[Clue]:
    match = _CATEGORY.search(passage)
    if match is None:
        return []
    found = category_of(match["word"])
    if found in {ErrorCategory.OTHER, ErrorCategory.UNKNOWN}:
        return []
    return [Clue(m.OF_CATEGORY[found], Strength.CODE, f"category {found.value}")]
