"""The part of a text that is read for words, and patterns that know where to look.

A pattern is tried only where one of its needles stands: a plain substring search
is far cheaper than a pattern that starts with alternatives, and most patterns
have nothing to find in most texts.
"""

import re
from collections.abc import Iterator

import attrs

_TAIL = 2 * 1024


@attrs.frozen
class Passage:
    """A bounded text beside its lower-case form.

    Attributes:
        text: What patterns read.
        lower: What needles are looked for in.
    """

    text: str
    lower: str = attrs.field(
        default=attrs.Factory(lambda self: self.text.lower(), takes_self=True)
    )

    def has(self, needles: tuple[str, ...]) -> bool:
        """Does one of *needles* stand in the text, in any letter case?"""
        lower = self.lower
        for needle in needles:  # no generator: every failure asks some 90 times
            if needle in lower:
                return True
        return not needles


def clip(text: str, window: int) -> Passage:
    """Return the start and the end of *text*, *window* characters of it at most."""
    if len(text) <= window:
        return Passage(text)
    tail = min(_TAIL, window // 4)
    return Passage(f"{text[: window - tail]}\n{text[-tail:]}")


@attrs.frozen
class Guarded:
    """A pattern with the needles without which it cannot match.

    Attributes:
        needles: Lower case; one of them must be in the text. None: always try.
        pattern: What to look for.
    """

    needles: tuple[str, ...]
    pattern: re.Pattern[str]

    def search(self, passage: Passage) -> re.Match[str] | None:
        """Return the first match."""
        return self.pattern.search(passage.text) if passage.has(self.needles) else None

    def finditer(self, passage: Passage) -> Iterator[re.Match[str]]:
        """Return every match."""
        if not passage.has(self.needles):
            return iter(())
        return self.pattern.finditer(passage.text)


def guarded(needles: str, pattern: str, *, ignore_case: bool = False) -> Guarded:
    """Return a guarded pattern; *needles* are separated by ``|``.

    The pattern's ``^`` and ``$`` also match at line ends when it ignores case.
    """
    flags = re.IGNORECASE | re.MULTILINE if ignore_case else re.NOFLAG
    words = tuple(filter(None, needles.lower().split("|")))
    return Guarded(words, re.compile(pattern, flags))
