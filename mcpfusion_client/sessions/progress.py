"""Let progress extend an attempt, up to its limit."""

import math

from mcpfusion_client.clock import Clock, Timer
from mcpfusion_client.sessions.base import Request
from mcpfusion_client.sessions.compat import ProgressHandler


def seconds_of(request: Request) -> float:
    """Return the seconds an attempt may take before any progress."""
    return min(request.timeout, request.limit)


def progress_handler(
    request: Request, timer: Timer, clock: Clock
) -> ProgressHandler | None:
    """Return what the SDK tells of progress; None when there is nothing to do.

    Args:
        request: Says how far progress may extend the attempt, and who listens.
        timer: The attempt's timer, as it was started.
        clock: The timer's clock.
    """
    seconds = seconds_of(request)
    if request.progress is None and math.isinf(seconds):
        return None
    latest = timer.deadline - seconds + request.limit

    async def on_progress(
        progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        timer.deadline = min(clock.monotonic() + request.timeout, latest)
        if request.progress is not None:
            await request.progress(progress, total, message)

    return on_progress
