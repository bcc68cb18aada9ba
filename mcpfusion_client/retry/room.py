"""Is there room for another attempt: the limits, in their fixed order.

The first check that fails decides. A wait that does not fit fails at once; it is
never shortened below what the server asks for.
"""

from collections.abc import Callable

import attrs

from mcpfusion_client.model import StopReason
from mcpfusion_client.retry.backoff import Wait


@attrs.frozen(kw_only=True)
class Room:
    """What the limits are held against; all times in seconds.

    Attributes:
        enabled: Are retries on at all?
        hint: What the server asks to wait, None when it does not.
        max_hint: The longest wait a server is followed in.
        attempt: The attempt that just failed, counted from 1.
        max_attempts: The most attempts.
        elapsed: Since the call started.
        wait: The range of waits.
        window: No retry starts at or after this, from the call's start.
        deadline: Everything ends by then, from the call's start.
        min_attempt: What a retry needs at least before the deadline.
    """

    enabled: bool
    hint: float | None
    max_hint: float
    attempt: int
    max_attempts: int
    elapsed: float
    wait: Wait
    window: float
    deadline: float
    min_attempt: float

    def fits(self, delay: float) -> bool:
        """May a retry start after *delay* seconds?"""
        start = self.elapsed + delay
        return (
            start < self.window
            and start < self.deadline
            and start + self.min_attempt <= self.deadline
        )

    def delay(self, jitter: float) -> float:
        """Return the wait at *jitter*, its random part cut to fit the limits.

        Args:
            jitter: A number in [0, 1).
        """
        limit = min(self.window, self.deadline - self.min_attempt) - self.elapsed
        delay = self.wait.cut(limit).at(jitter)
        # Rounding may lift the sum onto the limit; the floor is known to fit.
        return delay if self.fits(delay) else self.wait.floor


@attrs.frozen(kw_only=True)
class Check:
    """One limit.

    Attributes:
        reason: Why a call stops here.
        why: The same for people.
        passes: Is there room in this respect?
    """

    reason: StopReason
    why: str
    passes: Callable[[Room], bool] = attrs.field(repr=False, eq=False)


CHECKS: tuple[Check, ...] = (
    Check(
        reason=StopReason.RETRY_DISABLED,
        why="Retries are switched off for this call.",
        passes=lambda room: room.enabled,
    ),
    Check(
        reason=StopReason.RETRY_AFTER_TOO_LONG,
        why="The server asks for a longer wait than `max_retry_after`.",
        passes=lambda room: room.hint is None or room.hint <= room.max_hint,
    ),
    Check(
        reason=StopReason.ATTEMPTS_EXHAUSTED,
        why="`max_attempts` attempts were made.",
        passes=lambda room: room.attempt < room.max_attempts,
    ),
    Check(
        reason=StopReason.DEADLINE_TOO_SHORT,
        why="The wait does not fit into the `deadline` or the `retry_window`.",
        passes=lambda room: room.fits(room.wait.floor),
    ),
)
"""The limits, in order; the budget is asked after them, by the engine."""


def refused(room: Room) -> Check | None:
    """Return the first of `CHECKS` that fails, or None."""
    return next((check for check in CHECKS if not check.passes(room)), None)
