"""How long to wait before the next attempt.

A wait is a floor nobody may go below, plus a share of a random part. Only the
random part may be cut to fit a limit.
"""

import math
from typing import Literal, TypeAlias

import attrs

Jitter: TypeAlias = Literal["spread", "full", "none"]
"""How waits differ between callers."""

JITTERS: tuple[Jitter, ...] = ("spread", "full", "none")


@attrs.frozen(kw_only=True)
class Wait:
    """A range of waits, in seconds.

    Attributes:
        floor: The shortest wait.
        random: The width of the random part on top of it.
    """

    floor: float
    random: float

    def cut(self, limit: float) -> "Wait":
        """Return this range with its random part cut to end at *limit*."""
        return attrs.evolve(self, random=min(self.random, limit - self.floor))

    def at(self, jitter: float) -> float:
        """Return the wait at *jitter*, a number in [0, 1)."""
        return self.floor + self.random * jitter


def step_after(
    attempt: int, *, base_delay: float, multiplier: float, max_delay: float
) -> float:
    """Return the back-off step after attempt number *attempt*, in seconds.

    Args:
        attempt: The attempt that just failed, counted from 1.
        base_delay: The first step.
        multiplier: What each step is the last one times.
        max_delay: The largest step.
    """
    try:
        factor = math.pow(multiplier, attempt - 1)
    except OverflowError:
        return max_delay if base_delay else 0.0
    return min(max_delay, base_delay * factor)


def wait_range(hint: float | None, step: float, jitter: Jitter) -> Wait:
    """Return the range of waits.

    Args:
        hint: What the server asks for, None when it does not ask.
        step: The back-off step.
        jitter: How waits differ between callers.
    """
    if hint is not None:
        return Wait(floor=hint, random=0.0 if jitter == "none" else step)
    if jitter == "spread":
        return Wait(floor=0.5 * step, random=step)
    if jitter == "full":
        return Wait(floor=0.0, random=step)
    return Wait(floor=step, random=0.0)
