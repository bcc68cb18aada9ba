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
import math
from collections.abc import Callable

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    Origin,
    StopReason,
)
from mcpfusion_client.retry.window import Ending, Window

SPREAD = 1.5
"""Seconds over which the calls that waited for a closed gate are let go."""

_HTTP_WHOLE_SERVER = frozenset({429, 503})
_MAX_SERVERS = 256
_MAX_CLOSED = 1024


@attrs.frozen
class Go:
    """Send the attempt now."""


@attrs.frozen
class Hold:
    """Wait, then ask again.

    Attributes:
        seconds: How long at most; ask earlier when the ticket is woken.
            ``math.inf``: only then. Never past the room of the ticket.
    """

    seconds: float


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
    WAITING = "waiting"  # for somebody else's attempt to end
    TIMED = "timed"  # will ask again by itself
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
        place: Where it is; only the gate writes it.
        sent: When the attempt in flight was sent; only the gate writes it.
    """

    server: str
    tool: str
    until: float
    max_retry_after: float = 120.0
    wake: Callable[[], object] = _nobody
    place: Place = attrs.field(default=Place.IDLE, init=False)
    sent: float = attrs.field(default=0.0, init=False)


@attrs.frozen
class _Closure:
    """Until when, and the failure that says so."""

    until: float
    info: ErrorInfo


@attrs.define(eq=False)
class _Server:
    window: Window = attrs.field(factory=Window)
    closures: dict[str | None, _Closure] = attrs.field(
        factory=dict[str | None, _Closure]
    )
    waiting: dict[Ticket, None] = attrs.field(factory=dict[Ticket, None])

    def closure(self, tool: str, now: float) -> _Closure | None:
        """Return what holds *tool* back the longest, None when it is open."""
        found = None
        for scope in (None, tool):
            closure = self.closures.get(scope)
            if closure is None:
                continue
            if closure.until <= now:
                del self.closures[scope]
            elif found is None or closure.until > found.until:
                found = closure
        return found


@attrs.define(eq=False)
class RateLimitGate:
    """When one call is told to wait, every call to the same tool waits.

    Holds the in-flight window of each server too. Servers never influence each
    other.
    """

    _servers: dict[str, _Server] = attrs.field(factory=dict[str, _Server], init=False)

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
        return Ticket(
            server=server,
            tool=tool,
            until=now + room,
            max_retry_after=max_retry_after,
            wake=wake,
        )

    def ask(self, ticket: Ticket, now: float, draw: float) -> Go | Hold | Refused:
        """Say whether *ticket* may be sent now.

        Waiting uses up no attempt and no budget. After `Go` the attempt counts
        as in flight until `succeeded`, `failed` or `abandoned`.

        Args:
            ticket: Not in flight.
            now: The time.
            draw: A number in [0, 1); waiters are let go spread over it.
        """
        server = self._servers.get(ticket.server)
        if server is None:
            server = self._servers[ticket.server] = _Server()
        server.waiting.pop(ticket, None)
        ticket.place = Place.IDLE
        closure = server.closure(ticket.tool, now)
        if closure is not None:
            if closure.until >= ticket.until:
                return _refused(closure.info, closure.until - now)
            spread = min(SPREAD, ticket.until - closure.until)
            ticket.place = Place.TIMED
            return Hold(closure.until - now + spread * draw)
        wait = server.window.wait(now, draw)
        if wait > 0.0:
            if now >= ticket.until:
                return _refused(None, None)
            if wait == math.inf:
                ticket.place = Place.WAITING
                server.waiting[ticket] = None
            else:
                ticket.place = Place.TIMED
            return Hold(min(wait, ticket.until - now))
        server.window.sent(now)
        ticket.place = Place.IN_FLIGHT
        ticket.sent = now
        return Go()

    def succeeded(self, ticket: Ticket, now: float) -> None:
        """The attempt of *ticket* was answered by the tool: no failure."""
        self._ended(ticket, now, Ending.ANSWERED)

    def failed(self, ticket: Ticket, info: ErrorInfo, now: float) -> None:
        """The attempt of *ticket* failed; a rejection with a hint closes the gate.

        Args:
            ticket: In flight; may ask again afterwards.
            info: The failure as decoded.
            now: The time.
        """
        if ticket.place is not Place.IN_FLIGHT:
            return
        hint = info.retry_after
        rejected = (
            info.category.family is ErrorCategory.TRANSIENT
            and info.execution is Execution.NOT_EXECUTED
        )
        if rejected and hint and hint <= ticket.max_retry_after:
            self._close(ticket, info, now + hint)
        self._ended(ticket, now, Ending.REJECTED if rejected else Ending.ANSWERED)

    def abandoned(self, ticket: Ticket, now: float) -> None:
        """The call was cancelled or given up, waiting or in flight.

        Says nothing about the server. Does nothing when there is nothing to
        give back, so it may be called in a ``finally``.
        """
        if ticket.place is Place.IN_FLIGHT:
            self._ended(ticket, now, Ending.UNTOLD)
            return
        server = self._servers.get(ticket.server)
        if server is not None:
            server.waiting.pop(ticket, None)
        ticket.place = Place.IDLE

    def _close(self, ticket: Ticket, info: ErrorInfo, until: float) -> None:
        closures = self._servers[ticket.server].closures
        http = info.http
        whole = (
            info.origin is Origin.HTTP
            and http is not None
            and http.status in _HTTP_WHOLE_SERVER
        )
        scope = None if whole else ticket.tool
        known = closures.get(scope)
        if known is None or known.until < until:
            closures[scope] = _Closure(until, info)

    def _ended(self, ticket: Ticket, now: float, ending: Ending) -> None:
        if ticket.place is not Place.IN_FLIGHT:
            return
        ticket.place = Place.IDLE
        server = self._servers[ticket.server]
        server.window.ended(now, now - ticket.sent, ending)
        for waiter in reversed(tuple(server.waiting)):
            waiter.wake()


def _refused(info: ErrorInfo | None, left: float | None) -> Refused:
    if info is None:
        held = ErrorInfo(
            message="Not sent: the server is overloaded.",
            code=ErrorCode.SERVER_BUSY,
            category=ErrorCategory.TRANSIENT,
            is_retryable=True,
            execution=Execution.NOT_EXECUTED,
            origin=Origin.CLIENT,
            dialect="client",
        )
        return Refused(held, None)
    # What another call asked for and got is no business of this one.
    told = attrs.evolve(
        info,
        retry_after=left,
        execution=Execution.NOT_EXECUTED,
        attempted_query=None,
        partial_results=None,
    )
    return Refused(told, left)
