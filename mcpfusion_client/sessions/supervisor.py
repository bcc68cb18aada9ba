"""Own a session: open it, notice its death, open it again, close it.

The SDK's context managers live in a background task that belongs to no caller, so
opening and closing may happen in different tasks, and a session that dies takes
no caller with it. A call stays in its caller's task, inside one cancel scope that
is also the attempt's timer.
"""

import json
import logging
from collections.abc import Awaitable, Callable

import anyio
import attrs

from mcpfusion_client.errors import MCPFusionClientError, for_info
from mcpfusion_client.model import ErrorInfo, Peer, ToolInfo
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.attempt_timer import AttemptTimer, seconds_of
from mcpfusion_client.sessions.background import spawn
from mcpfusion_client.sessions.base import Outcome, Request
from mcpfusion_client.sessions.connect_failures import (
    connect_failure,
    first_leaf,
    from_handshake,
)
from mcpfusion_client.sessions.exchange import Exchange, lost_outcome
from mcpfusion_client.sessions.flight import Flight, current_flight
from mcpfusion_client.sessions.link import Link
from mcpfusion_client.sessions.openers import Live, Opener, Ties
from mcpfusion_client.sessions.options import (
    ConnectOptions,
    SessionEvent,
    SessionEventKind,
)
from mcpfusion_client.sessions.output_schema import OutputSchemas
from mcpfusion_client.sessions.tap import Wire

_CLOSING = 8.0
"""Seconds a server gets to end its session (the SDK's own stdio shutdown takes 6.5)."""
_CANCELLING = 2.0
"""Seconds the SDK gets to unwind after it was cancelled."""

_log = logging.getLogger(__name__)


class SupervisedConnection:
    """A `Connection` that owns its session."""

    def __init__(self, opener: Opener, options: ConnectOptions) -> None:
        self._opener = opener
        self._options = options
        self._link: Link | None = None
        self._links: set[Link] = set()
        self._outputs = OutputSchemas()
        self._epoch = 0
        self._opened = 0
        self._closed = False

    @property
    def server(self) -> str:
        """A name for messages and for shared state; holds no credentials."""
        return self._opener.peer.server

    @property
    def peer(self) -> Peer:
        """What is known about the server now."""
        link = self._link
        if link is None or not link.usable or link.live is None:
            return self._opener.peer
        return attrs.evolve(
            self._opener.peer,
            protocol_version=link.live.protocol_version,
            session_id=link.live.session_id(),
        )

    @property
    def session(self) -> object | None:
        """The SDK session underneath, None while there is none."""
        link = self._link
        if link is None or not link.usable or link.exchange is None:
            return None
        return link.exchange.session

    @property
    def epoch(self) -> int:
        """Grows when the tool list must be fetched again: reopened or changed."""
        return self._epoch

    @property
    def announces_changes(self) -> bool:
        """Does `epoch` see every change of the tool list?"""
        link = self._link
        if link is None or not link.usable or link.live is None:
            return False
        return link.live.announces_changes()

    async def open(self) -> None:
        """Connect.

        Raises:
            MCPFusionClientError: `ConnectError` and its like.
        """
        self._closed = False
        try:
            await self._ready()
        except anyio.get_cancelled_exc_class():
            await self.close()
            raise

    async def close(self) -> None:
        """Disconnect in bounded time; never raises for a dead server."""
        self._closed = True
        self._link = None
        for link in tuple(self._links):
            if link.opening:
                link.give_up()
            link.end()
            link.lose("the client was closed")
        with anyio.CancelScope(shield=True):
            for link in tuple(self._links):
                await self._ended(link)

    async def _ended(self, link: Link) -> None:
        clock = self._options.clock
        with clock.timeout(_CLOSING):
            await link.done.wait()
        if link.done.is_set():
            return
        link.scope.cancel()
        with clock.timeout(_CANCELLING):
            await link.done.wait()

    async def call_tool(self, request: Request) -> Outcome:
        """Send one request and wait for its outcome."""
        clock = self._options.clock
        seconds = seconds_of(request)
        attempt = AttemptTimer(clock, seconds, request.limit)
        flight = Flight(attempt=attempt, sent=not self._opener.tapped)
        outcome: Outcome | None = None
        used: list[Exchange] = []

        def send(exchange: Exchange) -> Awaitable[Outcome]:
            used.append(exchange)
            return exchange.call(request, flight, attempt)

        with clock.timeout(seconds) as timer:
            attempt.started(timer)
            if flight.sent or (outcome := _unsendable(request)) is None:
                outcome = await self._fly(flight, send)
        if outcome is None and used:
            outcome = used[0].arrived(request, flight)
        if outcome is None:
            late = attempt.failure(sent=flight.sent)
            outcome = _cut_off(self.server, flight, late)
        if flight.request_id == outcome.request_id:
            return outcome
        return attrs.evolve(outcome, request_id=flight.request_id)

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Fetch every page of the tool list.

        Raises:
            MCPFusionClientError: The list could not be fetched.
        """
        clock = self._options.clock
        seconds = self._options.connect_timeout
        attempt = AttemptTimer(clock, seconds, seconds)
        flight = Flight(attempt=attempt, sent=not self._opener.tapped)
        outcome: Outcome | None = None
        with clock.timeout(seconds) as timer:
            attempt.started(timer)
            outcome = await self._fly(
                flight, lambda exchange: exchange.list_tools(flight)
            )
        if outcome is None:
            late = failures.timed_out(
                seconds, sent=flight.sent, option="connect_timeout"
            )
            outcome = _cut_off(self.server, flight, late)
        if flight.tools is None:
            info = outcome.failure or failures.bad_response("the tool list")
            raise for_info(info) from outcome.cause
        return flight.tools

    async def _fly(
        self, flight: Flight, send: Callable[[Exchange], Awaitable[Outcome]]
    ) -> Outcome:
        """Send something through a session that works; open one if need be."""
        link = self._link
        if link is None or not link.usable:
            try:
                link = await self._ready()
            except MCPFusionClientError as error:
                cause = error.__cause__
                return Outcome(failure=error.info, cause=cause, answered=False)
        exchange = link.exchange
        assert exchange is not None  # noqa: S101 - a link that is ready has one
        link.flights.add(flight)
        token = current_flight.set(flight)
        try:
            outcome = await send(exchange)
            flight.landed = True
            return outcome
        finally:
            current_flight.reset(token)
            link.flights.discard(flight)
            self._settle(link, exchange, flight)

    def _settle(self, link: Link, exchange: Exchange, flight: Flight) -> None:
        """A request is no longer on its way."""
        if link.wire is not None:
            link.wire.forget(flight)
            if not flight.landed and link.usable:
                exchange.give_up(flight, link.wire)
        if flight.session_gone and link.usable:
            self._tell(SessionEventKind.RETIRED, "the server forgot the session")
            link.retire()
        elif flight.closed and link.usable:
            link.lose("the connection is closed")
        elif not link.usable:
            link.settle()

    async def _ready(self) -> Link:
        """Return a link that takes requests; opens one, once for all who wait."""
        link = self._link
        if link is not None and link.usable:
            return link
        if self._closed:
            info = failures.connect_failed(self.server, "the client was closed")
            raise for_info(info)
        if link is None or not link.opening:
            link = self._start()
        seconds = self._options.connect_timeout
        with self._options.clock.timeout(seconds):
            await link.settled.wait()
        if link.opening:
            link.give_up()
            reason = f"no answer within {seconds:g} s (`connect_timeout=`)"
            raise for_info(failures.connect_failed(self.server, reason))
        if link.failure is not None:
            raise for_info(link.failure) from link.cause
        return link

    def _start(self) -> Link:
        self._opener.prepare()
        link = Link(server=self.server)
        self._link = link
        self._links.add(link)
        spawn(lambda: self._run(link))
        return link

    async def _run(self, link: Link) -> None:
        """Be the task a session lives in."""
        cause: BaseException | None = None
        try:
            with link.scope:
                await self._live(link)
        except Exception as exc:  # noqa: BLE001 - it is reported to the callers
            cause = exc
        except BaseExceptionGroup as exc:
            cause = exc
        except anyio.get_cancelled_exc_class():
            # The event loop is going down, and this task with it.
            cause = None
        finally:
            self._over(link, cause)

    async def _live(self, link: Link) -> None:
        async with anyio.create_task_group() as tasks:
            wire = Wire(
                on_end=lambda: link.lose("the server closed the connection"),
                in_background=tasks.start_soon,
                only_server_answers=self._opener.only_server_answers,
                handed_over_is_sent=self._opener.handed_over_is_sent,
                sdk=self._opener.sdk(),
            )
            ties = Ties(
                server=self.server,
                wire=wire,
                options=self._options,
                on_tools_changed=self._tools_changed,
                tell=self._tell,
                clocks_stopped=link.clocks_stopped,
                uninterrupted=link.uninterrupted,
            )
            async with self._opener.connect(ties) as live:
                self._opened_link(link, wire, live)
                try:
                    await link.stop.wait()
                finally:
                    link.lose("the session ended")
            tasks.cancel_scope.cancel()

    def _opened_link(self, link: Link, wire: Wire, live: Live) -> None:
        link.wire = wire
        link.live = live
        self._opened += 1
        self._epoch += 1
        link.opened(
            Exchange(
                sdk=self._opener.sdk(),
                session=live.session,
                server=self.server,
                outputs=self._outputs,
                facts=wire.facts,
                clock=self._options.clock,
            )
        )
        first = self._opened == 1
        self._tell(SessionEventKind.OPENED if first else SessionEventKind.REOPENED)

    def _over(self, link: Link, cause: BaseException | None) -> None:
        leaf = None if cause is None else first_leaf(cause)
        if link.exchange is None:
            link.failure, leaf = self._why_not_open(leaf)
        elif cause is not None and not link.ending:
            self._tell(SessionEventKind.LOST, type(first_leaf(cause)).__name__)
        self._links.discard(link)
        link.finish(leaf)

    def _why_not_open(
        self, leaf: BaseException | None
    ) -> tuple[ErrorInfo, BaseException | None]:
        if leaf is None:
            return failures.connect_failed(self.server, "it was given up"), None
        seen = self._opener.failure()
        if seen is not None:
            return from_handshake(self.server, seen.info), seen.cause
        return connect_failure(self._opener.sdk(), self.server, leaf), leaf

    def _tools_changed(self) -> None:
        self._epoch += 1
        self._tell(SessionEventKind.TOOLS_CHANGED)

    def _tell(self, kind: SessionEventKind, detail: str = "") -> None:
        event = SessionEvent(kind=kind, server=self.server, detail=detail)
        _log.debug("%s: %s %s", event.server, event.kind, event.detail)
        if self._options.listener is None:
            return
        try:
            self._options.listener(event)
        except Exception:  # noqa: BLE001 - it must not harm the session
            _log.warning("a session listener raised", exc_info=True)


def _unsendable(request: Request) -> Outcome | None:
    """Refuse what would take the whole session down when it is written."""
    try:
        json.dumps([request.arguments, request.meta], ensure_ascii=False).encode()
    except (TypeError, ValueError) as exc:
        info = failures.not_sendable(type(exc).__name__)
        return Outcome(failure=info, answered=False)
    return None


def _cut_off(server: str, flight: Flight, late: ErrorInfo) -> Outcome:
    """The attempt's scope was cancelled: by its timer, or because the session died."""
    if flight.lost is not None:
        return lost_outcome(server, flight, flight.lost_cause)
    return Outcome(failure=late, answered=False)
