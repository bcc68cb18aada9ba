"""The timer of one attempt, and what may move it.

Progress extends the attempt and waiting for a person stops its clock, both only up
to the attempt's limit.
"""

import logging
import math

from mcpfusion_client.clock import Clock, Timer
from mcpfusion_client.model import ErrorInfo
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.base import Request
from mcpfusion_client.sessions.compat import ProgressHandler

_log = logging.getLogger("mcpfusion_client")


def seconds_of(request: Request) -> float:
    """Return the seconds an attempt may take before any progress."""
    return min(request.timeout, request.limit)


class AttemptTimer:
    """Moves the deadline of one attempt.

    Args:
        clock: The timer's clock.
        seconds: What the timer is started with.
        limit: Seconds from the start beyond which nothing moves it.
    """

    __slots__ = ("_clock", "_end", "_latest", "_limit", "_seconds", "_timer")

    def __init__(self, clock: Clock, seconds: float, limit: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._limit = limit
        self._end = math.inf
        self._latest = math.inf
        self._timer: Timer | None = None

    def started(self, timer: Timer) -> None:
        """Take the timer that was just started."""
        self._timer = timer
        if self._limit != math.inf:
            self._end = timer.deadline - self._seconds + self._limit
            self._latest = self._end

    def extend(self) -> None:
        """Give the attempt its whole time again, from now."""
        if self._timer is not None:
            later = self._clock.monotonic() + self._seconds
            self._timer.deadline = min(later, self._latest)

    def pause(self) -> None:
        """Stop the clock until it is extended."""
        if self._timer is not None:
            self._timer.deadline = self._latest

    def shorten(self, seconds: float) -> None:
        """End the attempt in *seconds* at the latest."""
        if self._timer is not None:
            soon = self._clock.monotonic() + seconds
            self._latest = min(self._latest, soon)
            self._timer.deadline = min(self._timer.deadline, soon)

    def cancel(self) -> None:
        """End the attempt now."""
        if self._timer is not None:
            self._timer.cancel()

    def failure(self, *, sent: bool) -> ErrorInfo:
        """Return what an attempt failed with that this timer has ended.

        Args:
            sent: The request may have reached the server.
        """
        at_the_limit = self._timer is not None and self._timer.deadline >= self._end
        if self._seconds >= self._limit or at_the_limit:
            return failures.out_of_time(self._limit, sent=sent)
        return failures.timed_out(self._seconds, sent=sent)


def progress_handler(request: Request, attempt: AttemptTimer) -> ProgressHandler | None:
    """Return what the SDK tells of progress; None when there is nothing to do."""
    if request.progress is None and math.isinf(request.timeout):
        return None
    listener = request.progress

    async def on_progress(
        progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        attempt.extend()
        if listener is None:
            return
        try:
            told = listener(progress, total, message)
            if told is not None:
                await told
        except Exception:  # noqa: BLE001 - it is the caller's
            # The tool is at work and has not failed.
            _log.exception("a progress callback raised; the call goes on")

    return on_progress
