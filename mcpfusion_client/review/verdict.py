"""What a rule says about one failure."""

import enum

import attrs


class Verdict(enum.StrEnum):
    """How well one failure keeps one rule."""

    GOOD = "good"
    PARTLY = "partly"
    BAD = "bad"

    @property
    def credit(self) -> float:
        """The share of the rule's points this earns."""
        return _CREDIT[self]


_CREDIT = {Verdict.GOOD: 1.0, Verdict.PARTLY: 0.5, Verdict.BAD: 0.0}


@attrs.frozen
class Note:
    """A verdict and what it rests on.

    Attributes:
        verdict: The verdict.
        text: Untrusted, but one redacted, bounded line; empty when there is nothing
            to add to the rule itself.
    """

    verdict: Verdict
    text: str = ""


GOOD = Note(Verdict.GOOD)
BAD = Note(Verdict.BAD)


def partly(text: str) -> Note:
    """Return the verdict that a rule is half kept, and why only half."""
    return Note(Verdict.PARTLY, text)


def bad(text: str) -> Note:
    """Return the verdict that a rule is broken, and by what."""
    return Note(Verdict.BAD, text)
