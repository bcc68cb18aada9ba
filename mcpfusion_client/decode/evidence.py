"""What a piece of evidence means, and how much it weighs.

A `Clue` is never a fact the server stated: it is what a number, a word or a
sentence usually means. The merge rule asks clues only where nothing was stated.
"""

import enum

import attrs

from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import ErrorCategory, Execution


class Strength(enum.IntEnum):
    """How much a kind of evidence weighs; the smaller the stronger."""

    CODE = 0
    STATUS = 1
    SDK = 2
    PROSE = 3
    WEAK_PROSE = 4
    WEAK_STATUS = 5
    GENERIC = 6


@attrs.frozen
class Meaning:
    """What a token usually means.

    Attributes:
        category: Why the call failed.
        retry: Could the same call succeed? None: nobody knows.
        execution: Did the tool run?
    """

    category: ErrorCategory
    retry: bool | None = None
    execution: Execution = Execution.UNKNOWN


@attrs.frozen
class Clue:
    """One piece of evidence.

    Attributes:
        meaning: What it means.
        strength: How much it weighs.
        source: What was seen, for people; e.g. ``HTTP status 429``.
    """

    meaning: Meaning
    strength: Strength
    source: str


PLAIN_REFUSALS = frozenset(
    {"HTTP status 402", "HTTP status 403", "code PERMISSION_DENIED"}
)
"""Sources that say no more than "no"; with a time to wait they mean a limit."""


@attrs.frozen(kw_only=True)
class Source:
    """Everything found in one place: the structured part, or one text block.

    Attributes:
        facts: What readers found, the first source of each fact first.
        clues: What the place's numbers, words and sentences suggest.
        structured: True for the structured part of a result.
    """

    facts: tuple[Facts, ...] = ()
    clues: tuple[Clue, ...] = ()
    structured: bool = False
