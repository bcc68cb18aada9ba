"""Read what sentences say, by the phrases people write into errors.

Phrases are plain substrings of a bounded passage; frames tell what a sentence says by
the way it is built. Advice ("make sure that ...") counts less than the report of what
happened.
"""

import bisect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import attrs

from mcpfusion_client.decode.evidence import Clue, Meaning, Strength
from mcpfusion_client.decode.frames import WORD, Frame, compiled
from mcpfusion_client.decode.lexicon import Lexicon
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import (
    effects,
    phrases,
    phrases_access,
    phrases_lands,
    phrases_transient,
    phrases_world,
    sentence_classes,
    sentences,
    sentences_weak,
)
from mcpfusion_client.model import ErrorCategory

_GAP = 60
_TRIES = 16
_FIRST_UNSPACED = "\u0e00"
"""From here on scripts do not separate words by spaces."""

# It begins with one set of characters: a text is then scanned quickly.
_SENTENCE = re.compile(r"[.!?;\n。！？；](?:(?<=[\n。！？；])|\s)")
_ADVICE = re.compile(
    r"[\s\-*•>#:()💡\d.]{0,8}(?:please|hint|tip|note|suggestions?|recovery|make sure"
    r"|ensure|check|verify|confirm|consider|try|see|visit|for more|for help|contact"
    r"|upgrade|you can|you may|you might|possible|this may|this might|this could"
    r"|this usually|this can|if you|if the|use|run|set|possible causes?|solutions?"
    r"|how to fix|fix|next steps?|recommended|recommendation|to fix|to resolve|did you"
    r"|perhaps|maybe|available|valid|supported|allowed|documentation|docs)\b"
)
_TRANSIENT = frozenset({ErrorCategory.TRANSIENT, ErrorCategory.RATE_LIMITED})


@attrs.frozen
class _Phrase:
    """One phrase of the tables; its parts stand on one line in this order."""

    parts: tuple[str, ...]
    open_end: bool
    meaning: Meaning
    strength: Strength
    length: int

    @property
    def source(self) -> str:
        """Return what was seen, for people."""
        return f"phrase {' ... '.join(self.parts)!r}"

    def search(self, window: str, _words: frozenset[str]) -> tuple[int, int] | None:
        """Return where the phrase stands in *window*, which is lower case."""
        first = self.parts[0]
        position = window.find(first)
        for _ in range(_TRIES):
            if position < 0:
                return None
            end = _match(window, self, position)
            if end is not None:
                return position, end
            position = window.find(first, position + 1)
        return None

    def hide(self, window: str, span: tuple[int, int]) -> str:
        """Blank out what matched, so that its parts do not match again."""
        if len(self.parts) == 1:
            return window.replace(self.parts[0], "\0" * len(self.parts[0]))
        start, end = span
        return window[:start] + "\0" * (end - start) + window[end:]


_Rule: TypeAlias = _Phrase | Frame


def _compiled(
    rows: Iterable[tuple[Meaning, str]], strength: Strength
) -> Iterator[_Phrase]:
    for meaning, listed in rows:
        for text in filter(None, (one.strip() for one in listed.split(";"))):
            plain = text.removesuffix("~")
            parts = tuple(part.strip() for part in plain.split("*"))
            yield _Phrase(parts, plain != text, meaning, strength, len(plain))


_TABLES = (phrases, phrases_access, phrases_transient, phrases_world, phrases_lands)


def _rules() -> Iterator[_Rule]:
    """Return what is looked for, in that order: of each strength phrases first."""
    for strength in (Strength.PROSE, Strength.WEAK_PROSE):
        strong = strength is Strength.PROSE
        found = (
            phrase
            for table in _TABLES
            for phrase in _compiled(table.STRONG if strong else table.WEAK, strength)
        )
        yield from sorted(found, key=lambda phrase: -phrase.length)
        rows = sentences.STRONG if strong else sentences_weak.WEAK
        yield from compiled(rows, sentence_classes.CLASSES, strength)


_RULES = tuple(_rules())


def _is_letter(char: str) -> bool:
    return char.isalnum() and char < _FIRST_UNSPACED


def _joined(one: str, other: str) -> bool:
    """Do two characters belong to one word? Scripts without spaces never do."""
    return _is_letter(one) and _is_letter(other)


def _first_words(rule: _Rule) -> frozenset[str]:
    """Return the words of which a text must have one; none: it is always tried."""
    if isinstance(rule, Frame):
        return rule.firsts
    first = rule.parts[0]
    word = WORD.search(first)
    if word is None or not all(map(_is_letter, word[0])):
        return frozenset()
    whole = len(rule.parts) == 1 and word.end() == len(first)
    return frozenset() if whole and rule.open_end else frozenset({word[0]})


def _index() -> tuple[Mapping[str, list[int]], list[int]]:
    """Return the places of the rules by their first word, and of all others."""
    by_word: dict[str, list[int]] = {}
    others: list[int] = []
    for place, rule in enumerate(_RULES):
        words = _first_words(rule)
        for places in [by_word.setdefault(word, []) for word in words] or [others]:
            places.append(place)
    return by_word, others


_BY_WORD, _OTHERS = _index()
_OTHERS_ASCII = [place for place in _OTHERS if _RULES[place].source.isascii()]


def _candidates(window: str, words: frozenset[str]) -> list[_Rule]:
    """Return the rules that may fit *window*, in the order of the table."""
    found = set(_OTHERS_ASCII if window.isascii() else _OTHERS)
    for word in words:
        found.update(_BY_WORD.get(word, ()))
    return [_RULES[place] for place in sorted(found)]


@attrs.frozen
class _Hit:
    rule: _Rule
    sentence: int
    advice: bool
    position: int


def own(passage: Passage, lexicon: Lexicon) -> list[Clue]:
    """Return the clues of the phrases that a user added."""
    if not lexicon.phrases:
        return []
    window = passage.lower
    return [
        Clue(meaning, Strength.CODE, f"phrase {phrase!r}")
        for phrase, meaning in lexicon.phrases
        if phrase in window
    ]


def find(passage: Passage) -> tuple[list[Clue], bool]:
    """Return the clue that *passage* gives, and whether it forbids a repeat."""
    window = passage.lower.replace("’", "'")
    forbidden = any(words in window for words in effects.PROHIBITIONS)
    best = _winner(list(_hits(window)))
    return [best] if best else [], forbidden


def _hits(window: str) -> Iterator[_Hit]:
    starts = [0, *(match.end() for match in _SENTENCE.finditer(window))]
    advice: dict[int, bool] = {}
    words = frozenset(WORD.findall(window))
    for rule in _candidates(window, words):
        span = rule.search(window, words)
        if span is None:
            continue
        sentence = bisect.bisect_right(starts, span[0]) - 1
        if sentence not in advice:
            advice[sentence] = bool(_ADVICE.match(window, starts[sentence]))
        yield _Hit(rule, sentence, advice[sentence], span[0])
        window = rule.hide(window, span)


def _match(window: str, phrase: _Phrase, position: int) -> int | None:
    end = position
    if not _starts_word(window, position):
        return None
    for index, part in enumerate(phrase.parts):
        if index:
            start = window.find(part, end, end + _GAP + len(part))
            if (
                start < 0
                or "\n" in window[end:start]
                or not _starts_word(window, start)
            ):
                return None
            end = start
        end += len(part)
        last = index == len(phrase.parts) - 1
        if not (last and phrase.open_end) and not _ends_word(window, end):
            return None
    return end


def _starts_word(window: str, position: int) -> bool:
    return position == 0 or not _joined(window[position - 1], window[position])


def _ends_word(window: str, end: int) -> bool:
    return end >= len(window) or not _joined(window[end - 1], window[end])


def _winner(hits: list[_Hit]) -> Clue | None:
    strong = [
        hit for hit in hits if hit.rule.strength is Strength.PROSE and not hit.advice
    ]
    if strong:
        return _clue(_first(strong), Strength.PROSE)
    return _clue(_first(hits), Strength.WEAK_PROSE) if hits else None


def _first(hits: list[_Hit]) -> _Hit:
    """Return the hit to believe: no healing cause first, then the earliest."""
    return min(
        hits,
        key=lambda hit: (
            hit.rule.meaning.category in _TRANSIENT,
            hit.rule.strength,
            hit.sentence,
            hit.rule.meaning.category not in _REFUSALS,
            hit.position,
            _RANK.get(hit.rule.meaning.category, len(_RANK)),
            -hit.rule.length,
        ),
    )


_REFUSALS = frozenset(
    {
        ErrorCategory.UNKNOWN,
        ErrorCategory.STATE_UNKNOWN,
        ErrorCategory.CANCELLED,
        ErrorCategory.AUTHENTICATION,
        ErrorCategory.PERMISSION,
        ErrorCategory.BUSINESS,
    }
)
"""What weighs more than the word a sentence begins with."""

_RANK = {
    category: rank
    for rank, category in enumerate(
        (
            ErrorCategory.UNKNOWN,
            ErrorCategory.STATE_UNKNOWN,
            ErrorCategory.CANCELLED,
            ErrorCategory.AMBIGUOUS,
            ErrorCategory.AUTHENTICATION,
            ErrorCategory.PERMISSION,
            ErrorCategory.BUSINESS,
            ErrorCategory.CONFLICT,
            ErrorCategory.NOT_FOUND,
            ErrorCategory.VALIDATION,
            ErrorCategory.PROTOCOL,
            ErrorCategory.RATE_LIMITED,
            ErrorCategory.TRANSIENT,
        )
    )
}


def _clue(hit: _Hit, strength: Strength) -> Clue:
    return Clue(hit.rule.meaning, strength, hit.rule.source)
