"""For tests of programs that use this package: no server, no waiting.

`ScriptedSession` is a target that plays what it is told. `VirtualClock` is a
clock on which hours pass in no time. `no_waiting` makes every client of the
process skip its waits.
"""

import asyncio
import contextlib
import heapq
import itertools
import math
import sys
import weakref
from collections.abc import (
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Mapping,
    Sized,
)
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self, TypeAlias

import anyio
import anyio.lowlevel
import attrs

from mcpfusion_client.clock import (
    Clock,
    ScopeTimer,
    SystemClock,
    Timer,
    skipping,
)
from mcpfusion_client.decode import read
from mcpfusion_client.encode import envelope
from mcpfusion_client.model import (
    ErrorInfo,
    JsonObject,
    JsonValue,
    ToolInfo,
    ToolResult,
)

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


class ScriptExhaustedError(BaseException):
    """The script has no outcome for this call: the test did not expect it.

    Not an `Exception`, so that no error handling under test can hide it.
    """


@attrs.frozen
class Hang:
    """An outcome: no answer ever comes."""


@attrs.frozen
class After:
    """An outcome that takes its time.

    Attributes:
        seconds: How long the answer takes.
        outcome: What it is.
    """

    seconds: float
    outcome: "ScriptedOutcome" = ""


@attrs.frozen
class Progress:
    """An outcome that is announced by one progress notification.

    Attributes:
        progress: What is told, e.g. 0.5.
        outcome: What comes then.
    """

    progress: float
    outcome: "ScriptedOutcome" = ""


ScriptedOutcome: TypeAlias = (
    str
    | ErrorInfo
    | JsonObject
    | ToolResult
    | BaseException
    | Hang
    | After
    | Progress
    | Callable[["ScriptedCall"], "ScriptedOutcome"]
)
"""What a scripted call ends with.

A string is the text of a success, or of a failure when it is an error envelope as
`tool_error` writes it; an `ErrorInfo` is sent as such an envelope. A mapping is a
``CallToolResult`` as wire JSON. An exception is raised. A function is asked for one
of these.
"""


def _result(text: str) -> JsonObject:
    """Return the result an MCP Fusion server sends with *text*."""
    result = {"content": [{"type": "text", "text": text}], "isError": False}
    envelope_like = text.startswith(("<tool_error", "<validation_error"))
    return result | {"isError": envelope_like and not read(result).warnings}


@attrs.frozen(kw_only=True)
class ScriptedCall:
    """One request that reached a `ScriptedSession`.

    Attributes:
        tool: The wire name.
        arguments: As they came.
        meta: The ``_meta`` that came along.
        at: When, in the session's clock's seconds.
    """

    tool: str
    arguments: JsonObject
    meta: JsonObject
    at: float


class ScriptedSession:
    """A target that plays a list of outcomes, one for each request.

    Example::

        session = ScriptedSession([tool_error("SERVER_BUSY", "full"), "done"])
        async with MCPFusionClient(session, clock=VirtualClock()) as client:
            result = await client.call_tool("report")

    Attributes:
        calls: Every request so far.
        tools: What `list_tools` answers with.
        server: Its name, for whatever clients of the same server share.
        any_event_loop: It belongs to none, so a synchronous client takes it too.
    """

    any_event_loop = True

    def __init__(
        self,
        outcomes: Iterable[ScriptedOutcome] = (),
        *,
        by_tool: Mapping[str, Iterable[ScriptedOutcome]] | None = None,
        tools: Iterable[ToolInfo] = (),
        server: str = "scripted",
        clock: Clock | None = None,
    ) -> None:
        """Take the script.

        Args:
            outcomes: In the order of the requests.
            by_tool: Scripts of their own for some tools, by wire name.
            tools: What the session lists.
            server: Its name.
            clock: What `After` waits on; the one of the client under test.
        """
        self.calls: list[ScriptedCall] = []
        self.tools: tuple[ToolInfo, ...] = tuple(tools)
        self.server = server
        self._clock: Clock = SystemClock() if clock is None else clock
        self._script = iter(outcomes)
        self._by_tool = {tool: iter(each) for tool, each in (by_tool or {}).items()}

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, JsonValue],
        *,
        meta: JsonObject | None = None,
        progress_callback: Callable[..., Awaitable[object]] | None = None,
    ) -> ToolResult | JsonObject | object:
        """Play the next outcome.

        Raises:
            ScriptExhaustedError: There is none.
        """
        await anyio.lowlevel.checkpoint()
        now = self._clock.monotonic()
        call = ScriptedCall(tool=name, arguments=arguments, meta=meta or {}, at=now)
        self.calls.append(call)
        for outcome in self._by_tool.get(name, self._script):
            return await self._play(outcome, call, progress_callback)
        msg = f"call {len(self.calls)} is more than the script holds: {name!r}"
        raise ScriptExhaustedError(msg)

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Return `tools`."""
        return self.tools

    async def _play(
        self,
        outcome: ScriptedOutcome,
        call: ScriptedCall,
        progress_callback: Callable[..., Awaitable[object]] | None,
    ) -> ToolResult | JsonObject:
        match outcome:
            case After():
                await self._clock.sleep(outcome.seconds)
                return await self._play(outcome.outcome, call, progress_callback)
            case Progress():
                if progress_callback is not None:
                    await progress_callback(outcome.progress, None, None)
                return await self._play(outcome.outcome, call, progress_callback)
            case Hang():
                await self._clock.sleep(math.inf)
                msg = "a clock that ends an endless sleep"
                raise RuntimeError(msg)
            case BaseException():
                raise outcome
            case str():
                return _result(outcome)
            case ErrorInfo():
                return _result(envelope(outcome))
            case ToolResult() | Mapping():
                return outcome
            case _:
                return await self._play(outcome(call), call, progress_callback)
