"""Hold calls back while a server says "later" or is overloaded.

Calls that share a gate learn from each other: when one of them is told to wait,
the others wait too, instead of finding out one by one. A gate is told the time
and given its random numbers; it does no I/O, so one gate may serve any number
of clients, and every decision can be replayed.

The life of a ticket, one per logical call::

    ticket = gate.ticket(server, tool, now, room)
    while True:
        answer = gate.ask(ticket, now, draw)       # before every attempt
        if Go:       send; then exactly one of succeeded, failed, abandoned
        if Hold:     wait for ticket.wake, at most answer.seconds; ask again
        if Refused:  the call ends; it was not sent
    # in a finally: gate.abandoned(ticket, now), which does nothing when done
"""

import enum
from collections.abc import Callable
from typing import TypeVar

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    Origin,
    StopReason,
)
from mcpfusion_client.retry.drain import Cause
from mcpfusion_client.retry.window import Ending, Window

SPREAD = 1.5
"""Seconds over which the calls that waited for a closed gate are let go."""

_HTTP_WHOLE_SERVER = frozenset({429, 503})
_MOST_SERVERS = 256  # remembered; those in trouble or in use always are
_MOST_TOOLS = 256  # of one server, likewise
_HEARD = 4  # failures of one call that count: overload is what several calls see
_AFTER_NEXT = 1.0  # seconds after which those who wait for the next look for it


@attrs.frozen
class Go:
    """Send the attempt now."""


@attrs.frozen
class Hold:
    """Wait, then ask again.

    Attributes:
        seconds: How long at most; ask earlier when the ticket is woken. Never
            past the room of the ticket.
        until_woken: The ticket will be woken; *seconds* is only for the case
            that the attempts it waits for never end.
    """

    seconds: float
    until_woken: bool = False


@attrs.frozen
class Refused:
    """The call may not be sent within its room; end it.

    Attributes:
        info: The failure to raise: the one that closed the gate, as
            NOT_EXECUTED, with what is left of its hint.
        retry_after: What is left of the hint in seconds, None without one.
        reason: Always `StopReason.GATE_DEADLINE`.
    """

    info: ErrorInfo
    retry_after: float | None
    reason: StopReason = StopReason.GATE_DEADLINE


class Place(enum.Enum):
    """Where a ticket is."""

    IDLE = "idle"
    CLOSED = "closed"  # held until the gate opens; asks again by itself
    WAITING = "waiting"  # for somebody else's attempt to end
    NEXT = "next"  # asks again by itself; the others wait for it
    WOKEN = "woken"  # was waiting, will ask
    IN_FLIGHT = "in flight"


def _nobody() -> None:
    """Wake nobody."""


@attrs.define(eq=False, kw_only=True)
class Ticket:
    """One logical call at the gate; made by `RateLimitGate.ticket`.

    Attributes:
        server: The server the call goes to.
        tool: The wire name of the tool.
        until: When the call must have been sent; from its room.
        max_retry_after: A longer hint does not close the gate.
        wake: Called when the ticket, told to hold, should ask again now. It
            must not call the gate; setting an event is what it is for.
        number: Counts the tickets of a gate, so it tells which is newer.
        place: Where it is; only the gate writes this and what follows.
        waited: It was told to hold since it was last sent.
        sent: When the attempt in flight was sent.
        may_have_run: An earlier attempt may have taken effect.
        failures: Attempts that failed.
    """

    server: str
    tool: str
    until: float
    max_retry_after: float = 120.0
    wake: Callable[[], object] = _nobody
    number: int = 0
    place: Place = attrs.field(default=Place.IDLE, init=False)
    waited: bool = attrs.field(default=False, init=False)
    sent: float = attrs.field(default=0.0, init=False)
    may_have_run: bool = attrs.field(default=False, init=False)
    failures: int = attrs.field(default=0, init=False)


@attrs.frozen
class _Closure:
    """Until when, and the failure that says so."""

    until: float
    info: ErrorInfo


@attrs.define(eq=False)
class _Lane:
    """The calls to one tool of one server.

    Attributes:
        window: How many may be under way.
        closure: What holds them all back, None when the gate is open.
        waiting: Told to wait until woken, the newest last.
        next: The one that will ask again by itself.
    """

    window: Window = attrs.field(factory=Window)
    closure: _Closure | None = None
    waiting: dict[Ticket, None] = attrs.field(factory=dict[Ticket, None])
    next: Ticket | None = None

    def idle(self, now: float) -> bool:
        """May it be forgotten?"""
        closed = self.closure is not None and self.closure.until > now
        busy = self.waiting or self.next is not None or closed
        return self.window.idle and not busy

    def remove(self, ticket: Ticket) -> None:
        """Take *ticket* out of the queue."""
        self.waiting.pop(ticket, None)
        if self.next is ticket:
            self.next = None

    def pass_on(self, now: float) -> None:
        """Wake those that may go now, the newest first.

        The newest, because its caller is the likeliest to be still there, and
        because an overload is over sooner for new calls that way.
        """
        if self.next is not None and not self.window.in_flight:
            return
        room = self.window.room(now)
        while self.waiting and room >= 1.0:
            ticket, _ = self.waiting.popitem()
            ticket.place = Place.WOKEN
            room -= 1.0
            ticket.wake()

    def hold(self, ticket: Ticket, now: float, draw: float) -> Hold | None:
        """Return how long the window makes *ticket* wait, None for not at all."""
        wait = self.window.wait(now, draw, waited=ticket.waited)
        if wait.seconds <= 0.0:
            return None
        ticket.waited = True
        seconds = min(wait.seconds, ticket.until - now)
        # Where only time helps, the newest asks again and the others wait for it.
        alone = not wait.for_others
        if alone and (self.next is None or self._newer(ticket, self.next)):
            if self.next is not None:
                self._queue(self.next)
            self.remove(ticket)
            self.next = ticket
            ticket.place = Place.NEXT
            return Hold(seconds)
        self._queue(ticket)
        if alone:
            seconds = min(wait.seconds + _AFTER_NEXT, ticket.until - now)
        return Hold(seconds, until_woken=True)

    def _queue(self, ticket: Ticket) -> None:
        self.waiting[ticket] = None
        ticket.place = Place.WAITING

    @staticmethod
    def _newer(ticket: Ticket, other: Ticket) -> bool:
        return ticket.number > other.number


@attrs.define(eq=False)
class _Server:
    """One server; *closure* holds the calls to all its tools back."""

    closure: _Closure | None = None
    lanes: dict[str, _Lane] = attrs.field(factory=dict[str, _Lane])

    def lane(self, tool: str, now: float) -> _Lane:
        """Return the lane of *tool*; forgets idle ones when there are many."""
        lane = self.lanes.get(tool)
        if lane is None:
            if len(self.lanes) >= _MOST_TOOLS:
                _forget(self.lanes, now)
            lane = self.lanes[tool] = _Lane()
        return lane

    def closed(self, lane: _Lane, now: float) -> _Closure | None:
        """Return what holds *lane* back the longest, None when nothing does."""
        if self.closure is not None and self.closure.until <= now:
            self.closure = None
        if lane.closure is not None and lane.closure.until <= now:
            lane.closure = None
        if self.closure is None or lane.closure is None:
            return self.closure or lane.closure
        return max(self.closure, lane.closure, key=lambda each: each.until)

    def idle(self, now: float) -> bool:
        """May it be forgotten?"""
        closed = self.closure is not None and self.closure.until > now
        return not closed and all(lane.idle(now) for lane in self.lanes.values())


_Idle = TypeVar("_Idle", _Lane, _Server)


def _forget(known: dict[str, _Idle], now: float) -> None:
    """Forget what is idle, the oldest half of it."""
    idle = [name for name, each in known.items() if each.idle(now)]
    for name in idle[: max(1, len(idle) // 2)]:
        del known[name]


@attrs.define(eq=False)
class RateLimitGate:
    """When one call is told to wait, every call to the same tool waits.

    It holds back calls while a server said "later", and, without being told,
    while a tool is overloaded: when *every* answer of it is slow or refused, not
    when some calls fail. HTTP 429 and 503 hold back the calls to the whole
    server. Servers never influence each other. One gate may serve several
    clients that run in the same thread.
    """

    _servers: dict[str, _Server] = attrs.field(factory=dict[str, _Server], init=False)
    _tickets: int = attrs.field(default=0, init=False)

    def ticket(
        self,
        server: str,
        tool: str,
        now: float,
        room: float,
        *,
        max_retry_after: float = 120.0,
        wake: Callable[[], object] = _nobody,
    ) -> Ticket:
        """Return the ticket of one logical call.

        Args:
            server: What the state is shared by; never holds credentials.
            tool: The wire name of the tool.
            now: The time, in the seconds of every other method.
            room: Seconds the call may wait in all: its deadline, else the
                ``retry_window`` of its policy. ``math.inf`` is allowed.
            max_retry_after: The policy's; a longer hint never closes the gate.
            wake: See `Ticket.wake`; may be set later.
        """
        self._tickets += 1
        return Ticket(
            server=server,
            tool=tool,
            until=now + room,
            max_retry_after=max_retry_after,
            wake=wake,
            number=self._tickets,
        )

    def ask(self, ticket: Ticket, now: float, draw: float) -> Go | Hold | Refused:
        """Say whether *ticket* may be sent now.

        Waiting uses up no attempt and no budget. After `Go` the attempt counts
        as in flight until `succeeded`, `failed` or `abandoned`.

        Args:
            ticket: Not in flight.
            now: The time.
            draw: A number in [0, 1); waiters are let go spread over it.

        Raises:
            ValueError: The ticket is in flight.
        """
        if ticket.place is Place.IN_FLIGHT:
            msg = "the attempt in flight has to end before the ticket asks again"
            raise ValueError(msg)
        server = self._server(ticket.server, now)
        lane = server.lane(ticket.tool, now)
        closure = server.closed(lane, now)
        if closure is not None:
            return self._at_closed_gate(lane, ticket, closure, now, draw)
        hold = lane.hold(ticket, now, draw)
        if hold is not None and hold.seconds > 0.0:
            return hold
        self._leave(lane, ticket, now)
        if hold is not None:
            return _refused(ticket, _OVERLOADED, None)
        lane.window.sent(now, ticket, waited=ticket.waited)
        ticket.place = Place.IN_FLIGHT
        ticket.sent = now
        ticket.waited = False
        return _GO

    def succeeded(self, ticket: Ticket, now: float) -> None:
        """The attempt of *ticket* was answered by the tool: no failure."""
        self._ended(ticket, now, Ending.SUCCESS)

    def failed(self, ticket: Ticket, info: ErrorInfo, now: float) -> None:
        """The attempt of *ticket* failed; a rejection with a hint closes the gate.

        Args:
            ticket: In flight, else nothing happens; may ask again afterwards.
            info: The failure as decoded.
            now: The time.
        """
        if ticket.place is not Place.IN_FLIGHT:
            return
        ran = info.execution is not Execution.NOT_EXECUTED
        ticket.may_have_run = ticket.may_have_run or ran
        ticket.failures += 1
        if info.category.family is not ErrorCategory.TRANSIENT:
            ending = Ending.ANSWER
        elif ran:
            ending = Ending.LOST
        elif info.retry_after and info.retry_after <= ticket.max_retry_after:
            ending = Ending.REJECTED_WITH_HINT
            self._close(ticket, info, now, info.retry_after)
        else:
            ending = Ending.REJECTED
        if ticket.failures > _HEARD:
            ending = Ending.ABANDONED
        self._ended(ticket, now, ending)

    def abandoned(self, ticket: Ticket, now: float) -> None:
        """The call was cancelled or given up, waiting or in flight.

        Says nothing about the server. Does nothing when there is nothing to
        give back, so it may be called in a ``finally``.
        """
        if ticket.place is Place.IN_FLIGHT:
            self._ended(ticket, now, Ending.ABANDONED)
        elif ticket.place is not Place.IDLE:
            server = self._server(ticket.server, now)
            self._leave(server.lane(ticket.tool, now), ticket, now)

    def _server(self, name: str, now: float) -> _Server:
        server = self._servers.get(name)
        if server is None:
            if len(self._servers) >= _MOST_SERVERS:
                _forget(self._servers, now)
            server = self._servers[name] = _Server()
        return server

    def _at_closed_gate(
        self, lane: _Lane, ticket: Ticket, closure: _Closure, now: float, draw: float
    ) -> Hold | Refused:
        self._leave(lane, ticket, now)
        left = closure.until - now
        if closure.until >= ticket.until:
            return _refused(ticket, closure.info, left)
        ticket.place = Place.CLOSED
        ticket.waited = True
        return Hold(left + min(SPREAD, ticket.until - closure.until) * draw)

    def _leave(self, lane: _Lane, ticket: Ticket, now: float) -> None:
        """Take *ticket* out of the queue; who waited for it is woken instead."""
        awaited = ticket.place in {Place.NEXT, Place.WOKEN}
        lane.remove(ticket)
        ticket.place = Place.IDLE
        if awaited:
            lane.pass_on(now)

    def _close(
        self, ticket: Ticket, info: ErrorInfo, now: float, seconds: float
    ) -> None:
        server = self._servers[ticket.server]
        lane = server.lanes[ticket.tool]
        closure = _Closure(now + seconds, info)
        quota = info.category is ErrorCategory.RATE_LIMITED
        cause = Cause.QUOTA if quota else Cause.CLOSED
        http = info.http
        if (
            info.origin is Origin.HTTP
            and http is not None
            and http.status in _HTTP_WHOLE_SERVER
        ):
            server.closure = _later(server.closure, closure)
            lanes = tuple(server.lanes.values())
        else:
            lane.closure = _later(lane.closure, closure)
            lanes = (lane,)
        for each in lanes:
            each.window.close(now, cause)

    def _ended(self, ticket: Ticket, now: float, ending: Ending) -> None:
        if ticket.place is not Place.IN_FLIGHT:
            return
        ticket.place = Place.IDLE
        lane = self._servers[ticket.server].lanes[ticket.tool]
        lane.window.ended(now, ticket, now - ticket.sent, ending)
        if lane.waiting:
            lane.pass_on(now)


_GO = Go()
_OVERLOADED = ErrorInfo(
    message="Not sent: the server is overloaded.",
    code=ErrorCode.SERVER_BUSY,
    category=ErrorCategory.TRANSIENT,
    is_retryable=True,
    execution=Execution.NOT_EXECUTED,
    origin=Origin.CLIENT,
    dialect="client",
)


def _later(known: _Closure | None, new: _Closure) -> _Closure:
    """A shorter hint never shortens a longer one."""
    return new if known is None or known.until < new.until else known


def _refused(ticket: Ticket, info: ErrorInfo, left: float | None) -> Refused:
    ran = ticket.may_have_run
    # What another call asked for and got is no business of this one.
    told = attrs.evolve(
        info,
        retry_after=left,
        execution=Execution.UNKNOWN if ran else Execution.NOT_EXECUTED,
        attempted_query=None,
        partial_results=None,
    )
    return Refused(told, left)
