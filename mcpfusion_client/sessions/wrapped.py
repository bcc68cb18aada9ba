"""Call tools through a client or session the caller opened; it is never closed here."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

from mcpfusion_client.errors import for_info
from mcpfusion_client.model import ErrorInfo, Peer, ToolInfo
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.attempt_timer import AttemptTimer, seconds_of
from mcpfusion_client.sessions.background import in_trio
from mcpfusion_client.sessions.base import Outcome, Request
from mcpfusion_client.sessions.compat import (
    ProgressHandler,
    SdkSession,
    negotiated,
    sdk,
)
from mcpfusion_client.sessions.exchange import Exchange
from mcpfusion_client.sessions.facts import FactTable
from mcpfusion_client.sessions.flight import Flight
from mcpfusion_client.sessions.options import ConnectOptions
from mcpfusion_client.sessions.output_schema import OutputSchemas
from mcpfusion_client.sessions.targets import Kind

Monitor: TypeAlias = Callable[[Coroutine[Any, Any, Any]], Awaitable[Any]]


class WrappedConnection:
    """A `Connection` through a session somebody else owns."""

    epoch = 0
    announces_changes = False

    def __init__(self, target: Any, kind: Kind, options: ConnectOptions) -> None:
        self._target = target
        self._kind = kind
        self._options = options
        self._outputs = OutputSchemas()

    @property
    def server(self) -> str:
        """A name for messages and for shared state; holds no credentials."""
        return f"wrapped:{self._kind.value}"

    @property
    def peer(self) -> Peer:
        """What the session itself tells; the rest is known to whoever opened it."""
        return Peer(server=self.server, protocol_version=negotiated(self.session))

    @property
    def session(self) -> object | None:
        """The SDK session underneath, None while there is none."""
        try:
            session: object = self._session()
        except Exception:  # noqa: BLE001 - the SDK says so by raising
            return None
        return session

    async def open(self) -> None:
        """Check that the caller's session is connected.

        Raises:
            MCPFusionClientError: It is not, or cannot work here.
        """
        exchange = self._exchange()
        if isinstance(exchange, ErrorInfo):
            raise for_info(exchange)

    async def close(self) -> None:
        """Nothing to do: the session stays its owner's."""

    async def call_tool(self, request: Request) -> Outcome:
        """Send one request and wait for its outcome."""
        exchange = self._exchange()
        if isinstance(exchange, ErrorInfo):
            return Outcome(failure=exchange, answered=False)
        clock = self._options.clock
        seconds = seconds_of(request)
        attempt = AttemptTimer(clock, seconds, request.limit)
        flight = Flight(attempt=attempt, sent=True)
        outcome: Outcome | None = None
        with clock.timeout(seconds) as timer:
            attempt.started(timer)
            outcome = await exchange.call(request, flight, attempt)
        if outcome is None:
            outcome = Outcome(failure=attempt.failure(sent=True), answered=False)
        return outcome

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Fetch every page of the tool list.

        Raises:
            MCPFusionClientError: The list could not be fetched.
        """
        exchange = self._exchange()
        if isinstance(exchange, ErrorInfo):
            raise for_info(exchange)
        clock = self._options.clock
        seconds = self._options.connect_timeout
        attempt = AttemptTimer(clock, seconds, seconds)
        flight = Flight(attempt=attempt, sent=True)
        late = failures.timed_out(seconds, sent=True, option="connect_timeout")
        outcome = Outcome(failure=late)
        with clock.timeout(seconds) as timer:
            attempt.started(timer)
            outcome = await exchange.list_tools(flight)
        if flight.tools is None:
            info = outcome.failure or failures.bad_response("the tool list")
            raise for_info(info) from outcome.cause
        return flight.tools

    def _session(self) -> Any:
        if self._kind is Kind.SDK_SESSION:
            return self._target
        return self._target.session

    def _exchange(self) -> Exchange | ErrorInfo:
        fastmcp = self._kind is Kind.FASTMCP_CLIENT
        if fastmcp and in_trio():
            return failures.refused("a fastmcp.Client needs asyncio, not trio")
        try:
            session = self._session()
        except Exception as exc:  # noqa: BLE001 - the SDK says so by raising
            reason = f"the client is not connected ({type(exc).__name__})"
            return failures.connect_failed(self.server, reason)
        monitor = getattr(self._target, "_await_with_session_monitoring", None)
        if fastmcp and monitor is not None:
            session = _Monitored(session, monitor)
        return Exchange(
            sdk=sdk(),
            session=session,
            server=self.server,
            outputs=self._outputs,
            facts=FactTable(),
            clock=self._options.clock,
        )


class _Monitored:
    """A session whose requests end when fastmcp's own session task does.

    On mcp 1.x that task dies of an HTTP error, and the request alone would
    never hear of it.
    """

    def __init__(self, session: SdkSession, monitor: Monitor) -> None:
        self._session = session
        self._monitor = monitor

    async def send_request(
        self,
        request: Any,
        result_type: Any,
        request_read_timeout_seconds: None = None,
        metadata: None = None,
        progress_callback: ProgressHandler | None = None,
    ) -> Any:
        """Send one request and return its result."""
        sending = self._session.send_request(
            request,
            result_type,
            request_read_timeout_seconds,
            metadata,
            progress_callback,
        )
        return await self._monitor(_as_coroutine(sending))

    async def list_tools(self, *, params: Any = None) -> Any:
        """Fetch one page of the tool list."""
        return await self._monitor(
            _as_coroutine(self._session.list_tools(params=params))
        )


async def _as_coroutine(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
