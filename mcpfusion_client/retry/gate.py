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

from collections.abc import Callable

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    Origin,
)
from mcpfusion_client.retry.drain import Cause
from mcpfusion_client.retry.lane import Closure, Lane, Server, forget
from mcpfusion_client.retry.ticket import Go, Hold, Place, Refused, Ticket, nobody
from mcpfusion_client.retry.window import Ending

SPREAD = 1.5
"""Seconds over which the calls that waited for a closed gate are let go, at most.

A shorter wait is spread over as long as it lasted: the server then sees twice what
is usual for that long, and nothing has piled up. After a longer one more calls
wait than fit into the spread, so the window opens half.
"""

_HTTP_WHOLE_SERVER = frozenset({429, 503})
_MOST_SERVERS = 256  # remembered; those in trouble or in use always are
_HEARD = 4  # failures of one call that count: overload is what several calls see


@attrs.define(eq=False)
class RateLimitGate:
    """When one call is told to wait, every call to the same tool waits.

    It holds back calls while a server said "later", and, without being told,
    while a tool is overloaded: when *every* answer of it is slow or refused, not
    when some calls fail. HTTP 429 and 503 hold back the calls to the whole
    server. Servers never influence each other. One gate may serve several
    clients that run in the same thread.
    """

    _servers: dict[str, Server] = attrs.field(factory=dict[str, Server], init=False)
    _tickets: int = attrs.field(default=0, init=False)

    def ticket(
        self,
        server: str,
        tool: str,
        now: float,
        room: float,
        *,
        max_retry_after: float = 120.0,
        wake: Callable[[], object] = nobody,
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
        if ticket.place is not Place.IDLE:
            self._leave(lane, ticket)
        if hold is not None:
            return _refused(_OVERLOADED, None)
        lane.window.sent(now, ticket, waited=ticket.waited or ticket.failures > 0)
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
        ticket.failures += 1
        if info.category.family is not ErrorCategory.TRANSIENT:
            ending = Ending.ANSWER
        elif ran:
            ending = Ending.LOST
        else:
            ending = Ending.REJECTED
            if info.retry_after and info.retry_after <= ticket.max_retry_after:
                ending = self._close(ticket, info, now, info.retry_after)
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
            self._leave(server.lane(ticket.tool, now), ticket)

    def close(
        self, server: str, tool: str | None, info: ErrorInfo, now: float, seconds: float
    ) -> None:
        """Hold back the calls to *tool*; `failed` does it by itself.

        A shorter time never shortens a longer one.

        Args:
            server: The server that asked for it.
            tool: The wire name of the tool, None: every tool of the server.
            info: What is raised by calls that cannot wait so long.
            now: The time.
            seconds: How long.
        """
        state = self._server(server, now)
        closure = Closure(now + seconds, min(SPREAD, seconds), info)
        if tool is None:
            state.closure = _later(state.closure, closure)
            lanes = tuple(state.lanes.values())
        else:
            lane = state.lane(tool, now)
            lane.closure = _later(lane.closure, closure)
            lanes = (lane,)
        if seconds > SPREAD:
            quota = info.category is ErrorCategory.RATE_LIMITED
            for each in lanes:
                each.window.close(now, Cause.QUOTA if quota else Cause.CLOSED)

    def _server(self, name: str, now: float) -> Server:
        server = self._servers.get(name)
        if server is None:
            if len(self._servers) >= _MOST_SERVERS:
                forget(self._servers, now)
            server = self._servers[name] = Server()
        return server

    def _at_closed_gate(
        self, lane: Lane, ticket: Ticket, closure: Closure, now: float, draw: float
    ) -> Hold | Refused:
        self._leave(lane, ticket)
        left = closure.until - now
        if closure.until >= ticket.until:
            return _refused(closure.info, left)
        ticket.place = Place.CLOSED
        lane.held(ticket)
        return Hold(left + min(closure.spread, ticket.until - closure.until) * draw)

    def _leave(self, lane: Lane, ticket: Ticket) -> None:
        """Take *ticket* out of the queue; who waited for it is woken instead."""
        awaited = ticket.place in {Place.NEXT, Place.WOKEN}
        lane.remove(ticket)
        ticket.place = Place.IDLE
        if awaited:
            lane.pass_on()

    def _close(
        self, ticket: Ticket, info: ErrorInfo, now: float, seconds: float
    ) -> Ending:
        http = info.http
        whole = (
            info.origin is Origin.HTTP
            and http is not None
            and http.status in _HTTP_WHOLE_SERVER
        )
        self.close(ticket.server, None if whole else ticket.tool, info, now, seconds)
        return Ending.REJECTED if seconds <= SPREAD else Ending.REJECTED_WITH_HINT

    def _ended(self, ticket: Ticket, now: float, ending: Ending) -> None:
        if ticket.place is not Place.IN_FLIGHT:
            return
        ticket.place = Place.IDLE
        lane = self._servers[ticket.server].lanes[ticket.tool]
        lane.window.ended(now, ticket, now - ticket.sent, ending)
        if lane.waiting:
            lane.pass_on()


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


def _later(known: Closure | None, new: Closure) -> Closure:
    """A shorter hint never shortens a longer one."""
    return new if known is None or known.until < new.until else known


def _refused(info: ErrorInfo, left: float | None) -> Refused:
    # What another call asked for and got is no business of this one.
    told = attrs.evolve(
        info,
        retry_after=left,
        execution=Execution.NOT_EXECUTED,
        attempted_query=None,
        partial_results=None,
    )
    return Refused(told, left)
