"""The calls to one tool of one server, and the tools of one server.

A lane lets its calls go one by one: when its window has room, or when it is time
to find out whether the server answers again.
"""

from typing import TypeVar

import attrs

from mcpfusion_client.model import ErrorInfo
from mcpfusion_client.retry.ticket import Hold, Place, Ticket
from mcpfusion_client.retry.window import Window

_MOST_TOOLS = 256  # of one server; those in trouble or in use always are remembered
_AFTER_NEXT = 1.0  # seconds after which those who wait for the next look for it


@attrs.frozen
class Closure:
    """Until when, over how long the calls are let go, and what says so."""

    until: float
    spread: float
    info: ErrorInfo


@attrs.define(eq=False)
class Lane:
    """The calls to one tool of one server.

    Attributes:
        window: How many may be under way.
        closure: What holds them all back, None when the gate is open.
        waiting: Told to wait until woken, the newest last.
        next: The one that will ask again by itself.
    """

    window: Window = attrs.field(factory=Window)
    closure: Closure | None = None
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

    def pass_on(self) -> None:
        """Wake those that may go now, the newest first.

        The newest, because its caller is the likeliest to be still there, and
        because an overload is over sooner for new calls that way.
        """
        if self.next is not None and not self.window.in_flight:
            return
        room = self.window.room()
        while self.waiting and room >= 1.0:
            ticket, _ = self.waiting.popitem()
            ticket.place = Place.WOKEN
            room -= 1.0
            ticket.wake()

    def held(self, ticket: Ticket) -> None:
        """Note that *ticket* waits; a call that comes back is no new demand."""
        if not ticket.waited and not ticket.failures:
            self.window.held()
        ticket.waited = True

    def hold(self, ticket: Ticket, now: float, draw: float) -> Hold | None:
        """Return how long the window makes *ticket* wait, None for not at all."""
        wait = self.window.wait(now, draw, waited=ticket.waited or ticket.failures > 0)
        if wait.seconds <= 0.0:
            return None
        self.held(ticket)
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
        # Also the one that was to ask, when it has to wait again: the share was cut
        # or the probe put off meanwhile, so it goes with the next answer instead, or
        # up to a second late. By its own clock alone as many calls succeeded in the
        # simulation, each sooner, and a thousand processes took 29 seconds instead
        # of 21 to recover.
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
class Server:
    """One server; *closure* holds the calls to all its tools back."""

    closure: Closure | None = None
    lanes: dict[str, Lane] = attrs.field(factory=dict[str, Lane])

    def lane(self, tool: str, now: float) -> Lane:
        """Return the lane of *tool*; forgets idle ones when there are many."""
        lane = self.lanes.get(tool)
        if lane is None:
            if len(self.lanes) >= _MOST_TOOLS:
                forget(self.lanes, now)
            lane = self.lanes[tool] = Lane()
        return lane

    def closed(self, lane: Lane, now: float) -> Closure | None:
        """Return what holds *lane* back the longest, None when nothing does."""
        if self.closure is None and lane.closure is None:
            return None
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


_Idle = TypeVar("_Idle", Lane, Server)


def forget(known: dict[str, _Idle], now: float) -> None:
    """Forget what is idle, the oldest half of it."""
    idle = [name for name, each in known.items() if each.idle(now)]
    for name in idle[: max(1, len(idle) // 2)]:
        del known[name]
