"""The timer of one attempt, and what may move it.

Progress extends the attempt and waiting for a person stops its clock, both only up
to the attempt's limit.
"""

import math

from mcpfusion_client.clock import Clock, Timer
from mcpfusion_client.sessions.base import Request
from mcpfusion_client.sessions.compat import ProgressHandler


def seconds_of(request: Request) -> float:
    """Return the seconds an attempt may take before any progress."""
    return min(request.timeout, request.limit)


class AttemptTimer:
    """Moves the deadline of one attempt.

    Args:
        timer: As it was started.
        seconds: What it was started with.
        limit: Seconds from the start beyond which nothing moves it.
        clock: The timer's clock.
    """

    __slots__ = ("_clock", "_latest", "_seconds", "timer")

    def __init__(
        self, timer: Timer, seconds: float, limit: float, clock: Clock
    ) -> None:
        self.timer = timer
        self._seconds = seconds
        self._latest = (
            math.inf if limit == math.inf else timer.deadline - seconds + limit
        )
        self._clock = clock

    def extend(self) -> None:
        """Give the attempt its whole time again, from now."""
        timer = self.timer
        timer.deadline = min(self._clock.monotonic() + self._seconds, self._latest)

    def pause(self) -> None:
        """Stop the clock until it is extended."""
        self.timer.deadline = self._latest


def progress_handler(request: Request, attempt: AttemptTimer) -> ProgressHandler | None:
    """Return what the SDK tells of progress; None when there is nothing to do."""
    if request.progress is None and math.isinf(request.timeout):
        return None
    listener = request.progress

    async def on_progress(
        progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        attempt.extend()
        if listener is not None:
            await listener(progress, total, message)

    return on_progress
