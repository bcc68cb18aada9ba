"""One opened session: who uses it, whether it still works, how it ended."""

import contextlib
from collections.abc import Generator

import anyio
import attrs

from mcpfusion_client.model import ErrorInfo
from mcpfusion_client.sessions.exchange import Exchange
from mcpfusion_client.sessions.flight import Flight
from mcpfusion_client.sessions.openers import Live
from mcpfusion_client.sessions.tap import Wire

_UNWINDING = 1.0
"""Seconds a dying session gets to say what it died of."""


@attrs.define(eq=False)
class Link:
    """One session, from its opening to its end.

    Attributes:
        server: The connection's name for the server.
        scope: Everything of the session runs in it.
        settled: Set once it is open or has failed to open.
        stop: Set to make it end.
        done: Set once nothing of it is left.
        exchange: Takes requests, once open.
        failure: Why it could not be opened.
        cause: The exception it ended with.
        interruptible: It can be given up at any moment.
        given_up: Nobody wants it to open any more.
        usable: New requests may be sent.
        ending: It is being ended on purpose.
        live: The open session, once open.
        wire: Notes what passes, once open.
        flights: The requests on their way.
    """

    server: str
    scope: anyio.CancelScope = attrs.field(factory=anyio.CancelScope)
    settled: anyio.Event = attrs.field(factory=anyio.Event)
    stop: anyio.Event = attrs.field(factory=anyio.Event)
    done: anyio.Event = attrs.field(factory=anyio.Event)
    exchange: Exchange | None = None
    failure: ErrorInfo | None = None
    cause: BaseException | None = None
    interruptible: bool = True
    given_up: bool = False
    usable: bool = False
    ending: bool = False
    live: Live | None = None
    wire: Wire | None = None
    flights: set[Flight] = attrs.field(factory=set[Flight])

    @property
    def opening(self) -> bool:
        """Is the handshake still going on?"""
        return not self.settled.is_set()

    def give_up(self) -> None:
        """Stop opening it, as soon as that can be done."""
        self.given_up = True
        if self.interruptible:
            self.scope.cancel()

    @contextlib.contextmanager
    def uninterrupted(self) -> Generator[None]:
        """Have giving up wait for what happens inside."""
        self.interruptible = False
        try:
            yield
        finally:
            self.interruptible = True
            if self.given_up:
                self.scope.cancel()

    def opened(self, exchange: Exchange) -> None:
        """Take requests from now on."""
        self.exchange = exchange
        self.usable = True
        self.settled.set()

    def retire(self) -> None:
        """Take no new requests; end once those in flight have."""
        self.usable = False
        self.settle()

    def settle(self) -> None:
        """End a retired session that nobody uses any more."""
        if not self.usable and not self.flights and self.exchange is not None:
            self.end()

    def end(self) -> None:
        """End on purpose."""
        self.ending = True
        self.stop.set()

    @contextlib.contextmanager
    def clocks_stopped(self) -> Generator[None]:
        """Stop the clock of every request in flight: a person is being asked."""
        asked = tuple(self.flights)
        for flight in asked:
            flight.attempt.pause()
        try:
            yield
        finally:
            for flight in asked:
                flight.attempt.extend()

    def lose(self, reason: str) -> None:
        """The session is dead: its flights end, soon and with a typed failure.

        They are given a moment, because what killed the session is often known
        only after it has been taken down.
        """
        self.usable = False
        self.stop.set()
        for flight in self.flights:
            if flight.lost is None:
                flight.lost = reason
                flight.attempt.shorten(_UNWINDING)

    def finish(self, cause: BaseException | None) -> None:
        """Nothing of the session is left."""
        self.cause = cause
        self.lose("the session ended")
        for flight in self.flights:
            flight.lost_cause = cause
            flight.attempt.cancel()
        self.settled.set()
        self.done.set()
