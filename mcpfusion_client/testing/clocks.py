"""Time that passes without being waited for."""

import asyncio
import contextlib
import heapq
import itertools
import math
import sys
import weakref
from collections.abc import Callable, Generator, Sized
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

import anyio
import anyio.lowlevel
import attrs

from mcpfusion_client.clock import ScopeTimer, Timer, skipping

_START = datetime(2026, 1, 1, tzinfo=UTC)


@contextlib.contextmanager
def no_waiting() -> Generator[None]:
    """Skip the waits of every client that has no clock of its own.

    Calls wait for nothing between attempts, and time is moved ahead by what was
    skipped, so deadlines and retry windows end as they would have. Timers of
    attempts stay real: a server that hangs is still cut off by them.
    """
    before = skipping.active
    skipping.active = True
    try:
        yield
    finally:
        skipping.active = before


@attrs.define(order=False, eq=False)
class _Alarm:
    """Something that happens when the clock gets there, unless it is off."""

    ring: Callable[[], None]
    on: bool = True


class VirtualClock:
    """A `Clock` that never really waits, on asyncio and on trio.

    When no task of the event loop can run, time jumps to the next thing that
    waits for this clock: the end of a sleep or of a timer. Things happen one by
    one, in the order of their times, and among equals in the order they were set.
    Tasks that wait for something real, such as a socket or a thread, count as
    unable to run.

    Attributes:
        sleeps: The seconds of every sleep, in the order they were asked for.
    """

    def __init__(self, start: datetime = _START) -> None:
        """Start at zero seconds.

        Args:
            start: The wall-clock time then (aware).

        Raises:
            ValueError: *start* has no time zone.
        """
        if start.tzinfo is None:
            msg = f"start must be aware, not {start!r}"
            raise ValueError(msg)
        self.sleeps: list[float] = []
        self._start = start
        self._now = 0.0
        self._alarms: list[tuple[float, int, _Alarm]] = []
        self._order = itertools.count()
        self._driven: object | None = None

    def monotonic(self) -> float:
        """Seconds since the start."""
        return self._now

    def wall(self) -> datetime:
        """The start plus the seconds passed since."""
        return self._start + timedelta(seconds=self._now)

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has moved on by *seconds*."""
        self.sleeps.append(seconds)
        if not seconds > 0:
            await anyio.lowlevel.checkpoint()
            return
        woken = anyio.Event()
        alarm = self._set(self._now + seconds, woken.set)
        try:
            await woken.wait()
        finally:
            alarm.on = False

    def timeout(self, seconds: float) -> AbstractContextManager[Timer, bool]:
        """Cancel the body when the clock has moved on by *seconds*."""
        return _VirtualTimer(self, self._now + seconds)

    def _set(self, when: float, ring: Callable[[], None]) -> _Alarm:
        alarm = _Alarm(ring)
        if when < math.inf:
            heapq.heappush(self._alarms, (when, next(self._order), alarm))
            self._drive()
        return alarm

    def _pending(self) -> bool:
        while self._alarms and not self._alarms[0][2].on:
            heapq.heappop(self._alarms)
        return bool(self._alarms)

    def _ring_next(self) -> None:
        if self._pending():
            when, _, alarm = heapq.heappop(self._alarms)
            self._now = max(self._now, when)
            alarm.on = False
            alarm.ring()

    def _drive(self) -> None:
        """Make sure that the running event loop moves this clock on."""
        token = _trio_token()
        loop = asyncio.get_running_loop() if token is None else None
        if self._driven is (token or loop):
            return
        self._driven = token or loop
        if loop is not None:
            _ticking[loop] = _ticking.get(loop, 0) + 1
            loop.call_soon(self._tick, loop, 0)
        else:
            import trio  # noqa: PLC0415 - only where it is running already

            trio.lowlevel.spawn_system_task(self._drive_on_trio)

    def _tick(self, loop: asyncio.AbstractEventLoop, quiet: int) -> None:
        """Run in every turn of the loop; *quiet* turns had nothing else to do."""
        if self._driven is not loop or not self._pending():
            _ticking[loop] -= 1
            self._driven = None if self._driven is loop else self._driven
            return
        quiet = quiet + 1 if _idle(loop) else 0
        # One turn more than needed: a reply that has just come in goes first.
        if quiet == 2:  # noqa: PLR2004
            self._ring_next()
            quiet = 0
        loop.call_soon(self._tick, loop, quiet)

    async def _drive_on_trio(self) -> None:
        import trio.testing  # noqa: PLC0415 - only where it is running already

        try:
            while self._pending():
                await trio.testing.wait_all_tasks_blocked()
                self._ring_next()
        finally:
            self._driven = None


_ticking: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, int] = (
    weakref.WeakKeyDictionary()
)
"""How many virtual clocks tick on each loop."""


def _idle(loop: asyncio.AbstractEventLoop) -> bool:
    """Has *loop* nothing to run but the ticks of virtual clocks?"""
    ready: Sized | None = getattr(loop, "_ready", None)
    if ready is not None:
        return len(ready) < _ticking[loop]
    # Not CPython's own loop: no task may be about to run.
    return all(
        waiter is not None and not waiter.done()
        for waiter in (
            getattr(task, "_fut_waiter", None) for task in asyncio.all_tasks(loop)
        )
    )


def _trio_token() -> object | None:
    trio = sys.modules.get("trio")
    if trio is None:
        return None
    try:
        token: object = trio.lowlevel.current_trio_token()
    except RuntimeError:
        return None
    return token


class _VirtualTimer(ScopeTimer):
    """A cancel scope that listens to a `VirtualClock`."""

    def __init__(self, clock: VirtualClock, deadline: float) -> None:
        super().__init__(anyio.CancelScope())
        self._clock = clock
        self._deadline = deadline
        self._alarm: _Alarm | None = None

    @property
    def deadline(self) -> float:
        """When the body is cancelled."""
        return self._deadline

    @deadline.setter
    def deadline(self, value: float) -> None:
        self._deadline = value
        if self._alarm is not None:
            self._arm()

    def _arm(self) -> None:
        self._disarm()
        if self._deadline <= self._clock.monotonic():
            self.scope.cancel()
        self._alarm = self._clock._set(self._deadline, self.scope.cancel)  # noqa: SLF001

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.on = False
            self._alarm = None

    def __enter__(self) -> Self:
        super().__enter__()
        self._arm()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        self._disarm()
        return super().__exit__(exc_type, exc, traceback)
