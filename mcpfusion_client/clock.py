"""The clock: the only place that reads time or waits.

Everything above takes a `Clock`, so tests drive time instead of spending it.
"""

from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Protocol, runtime_checkable

import anyio


class Timer(Protocol):
    """What `Clock.timeout` yields; an ``anyio.CancelScope`` is one."""

    deadline: float
    """When the body is cancelled, in the units of `Clock.monotonic`."""

    @property
    def cancelled_caught(self) -> bool:
        """True once the body was cancelled by this timer."""
        ...

    def cancel(self) -> None:
        """Cancel the body now."""
        ...


@runtime_checkable
class Clock(Protocol):
    """Time as the client sees it."""

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...

    def wall(self) -> datetime:
        """The wall-clock time, aware."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; raises the framework's cancellation and nothing else."""
        ...

    def timeout(self, seconds: float) -> AbstractContextManager[Timer]:
        """Cancel the body after *seconds* (``math.inf``: never)."""
        ...


class SystemClock:
    """The event loop's time and the machine's wall clock."""

    def monotonic(self) -> float:
        """Seconds of the running event loop."""
        return anyio.current_time()

    def wall(self) -> datetime:
        """The machine's time in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait on the event loop."""
        await anyio.sleep(seconds)

    def timeout(self, seconds: float) -> AbstractContextManager[Timer]:
        """Cancel the body after *seconds*."""
        return anyio.CancelScope(deadline=anyio.current_time() + seconds)
