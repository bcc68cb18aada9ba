"""Sentence frames: what a sentence says by the way it is built.

"There is no X called Y", "only X may Y", "X must be Y": the words in the gaps do not
matter. A frame becomes one bounded pattern, tried only where its first word stands,
so the time stays linear in the text.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

import attrs

from mcpfusion_client.decode.evidence import Meaning, Strength

WORD = re.compile(r"[^\W_]{1,40}")
_BLANK = r"[^\S\n]"
_ANY = rf"[^\s.!?;:)][^\s]{{0,60}}{_BLANK}?"
_GAP = rf"(?:(?:\0{{1,240}},?|[^\s]{{0,60}}[^\s.!?;:]){_BLANK}){{0,6}}?"
_BEFORE = re.compile(r"(?:\A|\n|[.:!?;]\s)[^\w\n]{0,4}\Z")
_LONGEST_BEFORE = 6
"""Longer than what `_BEFORE` takes at the start of a text."""
_END = r"(?![^\W_])"
_TRIES = 128
"""How often one word is looked for in one text."""


@attrs.frozen
class Frame:
    """One frame of the tables.

    Attributes:
        name: As the table spells it.
        meaning: What a sentence of this build says.
        strength: How much it weighs.
        length: Breaks ties between what stands at one place.
        firsts: The words a sentence of this build can begin with.
    """

    name: str
    meaning: Meaning
    strength: Strength
    firsts: frozenset[str]
    _at_start: bool
    _expression: str

    @property
    def length(self) -> int:
        """Return the length that weighs against phrases."""
        return len(self.name)

    @property
    def source(self) -> str:
        """Return what was seen, for people."""
        return f"sentence {self.name!r}"

    def search(self, window: str, words: frozenset[str]) -> tuple[int, int] | None:
        """Return where the frame first stands in *window*, which is lower case.

        Args:
            window: Where to look.
            words: The words in it; those that are hidden by now may be among them.
        """
        found = [self._behind(word, window) for word in self.firsts & words]
        return min(filter(None, found), default=None)

    def _behind(self, word: str, window: str) -> tuple[int, int] | None:
        """Return where the frame first stands with *word* in front."""
        pattern = _pattern(self._expression)
        position = window.find(word)
        for _ in range(_TRIES):
            if position < 0:
                break
            match = pattern.match(window, position)
            if match is not None and not (
                self._at_start and not _begins_sentence(window, position)
            ):
                return match.span()
            position = window.find(word, position + 1)
        return None

    def hide(self, window: str, span: tuple[int, int]) -> str:
        """Blank out what matched, so that its words are not read again."""
        start, end = span
        return window[:start] + "\0" * (end - start) + window[end:]


@functools.cache
def _pattern(expression: str) -> re.Pattern[str]:
    """Return the pattern of a frame; most frames are never asked for theirs."""
    return re.compile(expression)


def compiled(
    rows: Iterable[tuple[Meaning, str]],
    classes: Mapping[str, str],
    strength: Strength,
) -> Iterator[Frame]:
    """Return the frames of a table."""
    for meaning, listed in rows:
        plain = " ".join(listed.split()).replace("| ", "|")
        for text in filter(None, (one.strip() for one in plain.split(";"))):
            yield _frame(text, classes, meaning, strength)


def _frame(
    text: str, classes: Mapping[str, str], meaning: Meaning, strength: Strength
) -> Frame:
    tokens = [_expanded(token, classes) for token in text.split()]
    at_start = tokens[0].startswith("^")
    first = tokens[0].removeprefix("^")
    return Frame(
        text,
        meaning,
        strength,
        frozenset(WORD.findall(one)[0] for one in first.split("|")),
        at_start,
        r"(?<![^\W_])" + "".join(map(_part, [first, *tokens[1:]])),
    )


def _begins_sentence(window: str, position: int) -> bool:
    before = window[max(0, position - _LONGEST_BEFORE) : position]
    return _BEFORE.search(before) is not None


def _expanded(token: str, classes: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: "|".join(classes[m[1]].split()), token)


def _part(token: str) -> str:
    if token == "*":  # noqa: S105 - a token of a sentence
        return _GAP
    if token == "+":  # noqa: S105 - as above
        return _ANY
    words = token.lstrip("?!")
    either = "|".join(re.escape(one).replace("_", _BLANK) for one in words.split("|"))
    either = either.replace(r"\~", r"[^\W_]{0,20}").replace(r"\#", r"\d{1,9}")
    if token.startswith("!"):
        return rf"(?!(?:{either}){_END})"
    part = rf"(?:{either}){_END}[,:]?(?:{_BLANK}|\Z|(?=\n|[^\w\s-]))"
    return f"(?:{part})?" if token.startswith("?") else part
