"""Own a session: open it, notice its death, open it again, close it.

The SDK's context managers live in a background task that belongs to no caller, so
opening and closing may happen in different tasks, and a session that dies takes
no caller with it. A call stays in its caller's task, inside one cancel scope that
is also the attempt's timer.
"""

import logging
from collections.abc import Callable
from typing import Any

import anyio

from mcpfusion_client import errors
from mcpfusion_client.model import ErrorInfo, ToolInfo
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.background import spawn
from mcpfusion_client.sessions.base import Outcome, Request
from mcpfusion_client.sessions.connect_failures import connect_failure, first_leaf
from mcpfusion_client.sessions.exchange import Exchange
from mcpfusion_client.sessions.flight import Flight, current_flight
from mcpfusion_client.sessions.link import Link
from mcpfusion_client.sessions.openers import Opener, Ties
from mcpfusion_client.sessions.options import (
    ConnectOptions,
    SessionEvent,
    SessionEventKind,
)
from mcpfusion_client.sessions.output_schema import OutputSchemas
from mcpfusion_client.sessions.progress import progress_handler, seconds_of
from mcpfusion_client.sessions.tap import Wire
from mcpfusion_client.sessions.tool_list import fetch_tools

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
        return self._opener.server

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
        return link is not None and link.usable and link.announces_changes()

    async def open(self) -> None:
        """Connect.

        Raises:
            MCPFusionClientError: `ConnectError` and its like.
        """
        self._closed = False
        await self._ready()

    async def close(self) -> None:
        """Disconnect in bounded time; never raises for a dead server."""
        self._closed = True
        self._link = None
        for link in tuple(self._links):
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
        seconds = seconds_of(request)
        with self._options.clock.timeout(seconds) as timer:
            flight = Flight(timer=timer, sent=not self._opener.tapped)
            link = self._link
            if link is None or not link.usable:
                try:
                    link = await self._ready()
                except errors.MCPFusionClientError as error:
                    cause = error.__cause__
                    return Outcome(failure=error.info, cause=cause, answered=False)
            exchange = link.exchange
            assert exchange is not None  # noqa: S101 - a ready link has one
            progress = progress_handler(request, timer, self._options.clock)
            link.flights.add(flight)
            token = current_flight.set(flight)
            try:
                return await exchange.call(request, flight, progress)
            finally:
                current_flight.reset(token)
                link.flights.discard(flight)
                self._landed(link, flight)
        return _cut_off(flight, seconds)

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Fetch every page of the tool list.

        Raises:
            MCPFusionClientError: The list could not be fetched.
        """
        seconds = self._options.connect_timeout
        tools: tuple[ToolInfo, ...] | None = None
        outcome: Outcome | None = None
        with self._options.clock.timeout(seconds) as timer:
            flight = Flight(timer=timer, sent=not self._opener.tapped)
            link = await self._ready()
            exchange = link.exchange
            assert exchange is not None  # noqa: S101 - a ready link has one
            link.flights.add(flight)
            token = current_flight.set(flight)
            try:
                tools = await fetch_tools(exchange.sdk, exchange.session)
            except Exception as exc:  # noqa: BLE001 - every failure is an outcome
                outcome = exchange.outcome_of(exc, flight)
            finally:
                current_flight.reset(token)
                link.flights.discard(flight)
                self._landed(link, flight)
        if tools is not None:
            self._outputs.learn(tools)
            return tools
        outcome = outcome or _cut_off(flight, seconds)
        info = outcome.failure or failures.bad_response("the tool list")
        raise errors.for_info(info) from outcome.cause

    def _landed(self, link: Link, flight: Flight) -> None:
        """A request is no longer on its way."""
        if link.wire is not None:
            link.wire.forget(flight)
        if flight.session_gone and link.usable:
            self._tell(SessionEventKind.RETIRED, "the server forgot the session")
            link.retire()
        elif not link.usable:
            link.settle()

    async def _ready(self) -> Link:
        """Return a link that takes requests; opens one, once for all who wait."""
        link = self._link
        if link is not None and link.usable:
            return link
        if self._closed:
            info = failures.connect_failed(self.server, "the client was closed")
            raise errors.for_info(info)
        if link is None or not link.opening:
            link = self._start()
        seconds = self._options.connect_timeout
        with self._options.clock.timeout(seconds):
            await link.settled.wait()
        if link.opening:
            link.scope.cancel()
            reason = f"no answer within {seconds:g} s (`connect_timeout=`)"
            raise errors.for_info(failures.connect_failed(self.server, reason))
        if link.failure is not None:
            raise errors.for_info(link.failure) from link.cause
        return link

    def _start(self) -> Link:
        self._opener.prepare()
        link = Link(server=self.server, clock=self._options.clock)
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
                retire=link.retire,
            )
            async with self._opener.connect(ties) as live:
                self._opened_link(link, wire, live.session, live.announces_changes)
                try:
                    await link.stop.wait()
                finally:
                    link.lose("the session ended")
            tasks.cancel_scope.cancel()

    def _opened_link(
        self, link: Link, wire: Wire, session: Any, announces: Callable[[], bool]
    ) -> None:
        link.wire = wire
        link.announces_changes = announces
        self._opened += 1
        self._epoch += 1
        link.opened(
            Exchange(
                sdk=self._opener.sdk(),
                session=session,
                server=self.server,
                outputs=self._outputs,
                facts=wire.facts,
            )
        )
        first = self._opened == 1
        self._tell(SessionEventKind.OPENED if first else SessionEventKind.REOPENED)

    def _over(self, link: Link, cause: BaseException | None) -> None:
        if link.exchange is None:
            link.failure = self._why_not_open(cause)
        elif cause is not None and not link.ending:
            self._tell(SessionEventKind.LOST, type(first_leaf(cause)).__name__)
        self._links.discard(link)
        link.finish(None if cause is None else first_leaf(cause))

    def _why_not_open(self, cause: BaseException | None) -> ErrorInfo:
        if cause is None:
            return failures.connect_failed(self.server, "it was given up")
        seen = self._opener.failure()
        return seen or connect_failure(self._opener.sdk(), self.server, cause)

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
        except Exception:
            _log.exception("a session listener raised")


def _cut_off(flight: Flight, seconds: float) -> Outcome:
    """The attempt's scope was cancelled: by its timer, or because the session died."""
    if flight.lost is not None:
        return Outcome(failure=flight.lost, cause=flight.lost_cause, answered=False)
    info = failures.timed_out(seconds, sent=flight.sent)
    return Outcome(failure=info, answered=False)
