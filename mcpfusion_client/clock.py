"""The clock: the only place that reads time or waits.

Everything above takes a `Clock`, so tests drive time instead of spending it.
"""

import asyncio
import math
import sys
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import anyio
import anyio.lowlevel
import attrs


class Timer(Protocol):
    """What `Clock.timeout` yields; an ``anyio.CancelScope`` is one."""

    @property
    def deadline(self) -> float:
        """When the body is cancelled, in the units of `Clock.monotonic`."""
        ...

    @deadline.setter
    def deadline(self, value: float) -> None: ...

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

    def timeout(self, seconds: float) -> AbstractContextManager[Timer, bool]:
        """Cancel the body after *seconds* (``math.inf``: never)."""
        ...


@attrs.define
class Skipping:
    """How far `SystemClock` runs ahead because waits were skipped.

    Attributes:
        active: Waits are skipped now; switched by ``testing.no_waiting``.
        seconds: Skipped so far; never shrinks, so that time never goes back.
    """

    active: bool = False
    seconds: float = 0.0


skipping: Skipping = Skipping()
"""One for the process, like the machine's own clock."""


class SystemClock:
    """The event loop's time and the machine's wall clock."""

    def monotonic(self) -> float:
        """Seconds of the running event loop, skipped waits included."""
        if "trio" in sys.modules:
            return anyio.current_time() + skipping.seconds
        # The same, without the time it takes to find out which loop is running.
        return asyncio.get_running_loop().time() + skipping.seconds

    def wall(self) -> datetime:
        """The machine's time in UTC, skipped waits included."""
        now = datetime.now(UTC)
        return now + timedelta(seconds=skipping.seconds) if skipping.seconds else now

    async def sleep(self, seconds: float) -> None:
        """Wait on the event loop."""
        if not skipping.active or seconds == math.inf:
            await anyio.sleep(seconds)
            return
        wake = self.monotonic() + seconds
        await anyio.lowlevel.checkpoint()
        skipping.seconds += max(0.0, wake - self.monotonic())

    def timeout(self, seconds: float) -> AbstractContextManager[Timer, bool]:
        """Cancel the body after *seconds* that really pass."""
        until = self.monotonic() - skipping.seconds + seconds
        scope = anyio.CancelScope(deadline=until)
        return _ShiftedTimer(scope) if skipping.seconds else scope


class ScopeTimer:
    """A cancel scope in a `Timer` whose deadline a subclass keeps."""

    def __init__(self, scope: anyio.CancelScope) -> None:
        self.scope = scope

    @property
    def cancelled_caught(self) -> bool:
        """True once the body was cancelled by this timer."""
        return self.scope.cancelled_caught

    def cancel(self) -> None:
        """Cancel the body now."""
        self.scope.cancel()

    def __enter__(self) -> Self:
        self.scope.__enter__()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        return bool(self.scope.__exit__(exc_type, exc, traceback))


class _ShiftedTimer(ScopeTimer):
    """Its deadline is read and set in `SystemClock` seconds."""

    def __init__(self, scope: anyio.CancelScope) -> None:
        super().__init__(scope)
        self._shift = skipping.seconds

    @property
    def deadline(self) -> float:
        """When the body is cancelled."""
        return self.scope.deadline + self._shift

    @deadline.setter
    def deadline(self, value: float) -> None:
        self._shift = skipping.seconds
        self.scope.deadline = value - self._shift
