"""`SyncMCPFusionClient`: the same client for code that does not await.

There is no second engine: calls run in an event loop in a thread of their own, and
the caller waits for them.
"""

import atexit
import contextlib
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from random import Random
from types import TracebackType
from typing import Generic, Literal, Self, TypedDict, TypeVar, Unpack, overload

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from mcpfusion_client.batch import BatchCall, BatchResult
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.clock import Clock
from mcpfusion_client.decode import Decoder
from mcpfusion_client.middleware import Middleware
from mcpfusion_client.model import Effects, JsonObject, ToolInfo, ToolResult
from mcpfusion_client.proxy import Proxy
from mcpfusion_client.retry import (
    RateLimitGate,
    RetryBudget,
    RetryPolicy,
    Rule,
    ToolPolicies,
)
from mcpfusion_client.router import (
    AsyncRouter,
    Binding,
    CallOptions,
    SyncRouter,
    sync_twin,
)
from mcpfusion_client.sessions import HttpClient
from mcpfusion_client.sessions.targets import CONNECTED, recognise

T = TypeVar("T")
Router = TypeVar("Router", bound=SyncRouter)

_LAST_WORDS = 10.0
"""Seconds an interrupted call gets to clean up."""


class ClientOptions(TypedDict, total=False):
    """The options of `MCPFusionClient`, which explains them."""

    retry: RetryPolicy | ToolPolicies | bool | None
    raise_on_error: bool
    rules: Iterable[Rule]
    middleware: Iterable[Middleware]
    observers: Iterable[object]
    decoder: Decoder | None
    detect_disguised: bool
    discriminator: str
    effects: Mapping[str, Effects] | None
    trust_annotations: bool
    budget: RetryBudget | Literal["private"] | None
    gate: RateLimitGate | Literal["private"] | None
    timeout: float | None
    connect_timeout: float | None
    headers: Mapping[str, str] | None
    auth: object | None
    http_client: HttpClient | None
    clock: Clock | None
    random: Random | None
    client_info: object
    elicitation_callback: object
    errlog: object
    extensions: object
    list_roots_callback: object
    log_level: object
    logging_callback: object
    message_handler: object
    mode: object
    prior_discover: object
    sampling_callback: object
    sampling_capabilities: object


class BatchOptions(TypedDict, total=False):
    """The options of a batch; `MCPFusionClient.execute_batch` explains them."""

    sequential: bool
    limit: int | None
    stop_on_error: bool
    retry: RetryPolicy | ToolPolicies | bool | None
    timeout: float | None
    deadline: float | None


Method = TypeVar("Method", bound=Callable[..., object])


def _takes(
    twin: Callable[..., object], *more: inspect.Parameter
) -> Callable[[Method], Method]:
    """Show in help and in notebooks that a method takes what its async twin does.

    Args:
        twin: The method of `MCPFusionClient`.
        more: Keyword-only parameters which it takes beside those.
    """
    signature = inspect.signature(twin)
    parameters = [*signature.parameters.values(), *more]
    # ``**options`` comes last.
    parameters.sort(key=lambda each: each.kind)
    shown = signature.replace(parameters=parameters)

    def show(method: Method) -> Method:
        setattr(method, "__signature__", shown)  # noqa: B010 - no attribute mypy knows
        return method

    return show


_BACKEND = inspect.Parameter(
    "backend",
    inspect.Parameter.KEYWORD_ONLY,
    default="asyncio",
    annotation=Literal["asyncio", "trio"],
)


class SyncMCPFusionClient:
    """Calls the tools of one MCP server, and waits for them.

    Example::

        with SyncMCPFusionClient("https://example.com/mcp") as client:
            result = client.execute("billing.get_invoice", {"id": "inv_1"})

    It may be used by any number of threads, and where an event loop is running,
    which then stands still. Middleware, callbacks and observers run in the
    thread of the client; a ``progress`` callback may be a plain function.
    ``KeyboardInterrupt`` cancels the call.
    """

    @_takes(MCPFusionClient.__init__, _BACKEND)
    def __init__(
        self,
        target: object,
        *,
        backend: Literal["asyncio", "trio"] = "asyncio",
        **options: Unpack[ClientOptions],
    ) -> None:
        """Describe the client; nothing is opened yet.

        Args:
            target: As for `MCPFusionClient`, but nothing that is connected:
                that belongs to the event loop it was connected in.
            backend: The event loop.
            options: As for `MCPFusionClient`.

        Raises:
            TypeError: The target or an option is nothing a client can use.
            ValueError: A number is impossible.
        """
        bound = recognise(target) in CONNECTED
        # An object may say that it belongs to no loop, as `ScriptedSession` does.
        if bound and not getattr(target, "any_event_loop", False):
            msg = (
                f"a connected {type(target).__name__} belongs to the event loop it "
                "was connected in; give a SyncMCPFusionClient the URL, command, "
                "server or transport, or use MCPFusionClient"
            )
            raise TypeError(msg)
        self._client = MCPFusionClient(target, **options)
        self._raise_on_error = options.get("raise_on_error", True)
        self._backend = backend
        self._starting = threading.Lock()
        self._running = contextlib.ExitStack()
        self._portal: BlockingPortal | None = None

    def __enter__(self) -> Self:
        """Connect."""
        self.connect()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Disconnect."""
        self.close()

    def connect(self) -> None:
        """Open the connection; ``with`` does it for you.

        Raises:
            ConnectError: The server cannot be reached.
            MCPFusionClientError: It refuses.
        """
        try:
            self._wait(self._client.connect)
        except BaseException:
            self._stop()
            raise

    def close(self) -> None:
        """Close what `connect` opened, and end the thread."""
        if self._portal is None:
            return
        try:
            self._wait(self._client.close)
        finally:
            self._stop()

    @property
    def session(self) -> object | None:
        """The SDK's session underneath; it belongs to the client's thread."""
        return self._client.session

    @property
    def proxy(self) -> Proxy[ToolResult]:
        """Actions by attribute.

        As in ``client.proxy.billing.get_invoice(id="inv_1")``.
        """
        return Proxy(self.execute)

    @overload
    def router(self, router: type[Router], *, check_results: bool = True) -> Router: ...
    @overload
    def router(
        self, router: type[AsyncRouter[Router]], *, check_results: bool = True
    ) -> Router: ...
    def router(
        self,
        router: type[Router] | type[AsyncRouter[Router]],
        *,
        check_results: bool = True,
    ) -> Router:
        """Return the typed calls of a router that ``mcpfusion codegen`` wrote.

        Args:
            router: The class, ``AppRouter`` or ``SyncAppRouter`` unless it was named
                otherwise; both give the one without ``await``.
            check_results: As for `MCPFusionClient.router`.
        """
        kind = sync_twin(router) if issubclass(router, AsyncRouter) else router
        return kind(
            Binding(
                caller=self,
                contract=kind.__contract__(),
                raises=self._raise_on_error,
                check=check_results,
            )
        )

    def list_tools(self) -> tuple[ToolInfo, ...]:
        """Return every tool; see `MCPFusionClient.list_tools`."""
        return self._wait(self._client.list_tools)

    @_takes(MCPFusionClient.execute)
    def execute(
        self,
        action: str,
        arguments: JsonObject | None = None,
        **options: Unpack[CallOptions],
    ) -> ToolResult:
        """Carry out an action; see `MCPFusionClient.execute`."""
        return self._wait(lambda: self._client.execute(action, arguments, **options))

    @_takes(MCPFusionClient.call_tool)
    def call_tool(
        self,
        name: str,
        arguments: JsonObject | None = None,
        **options: Unpack[CallOptions],
    ) -> ToolResult:
        """Call a tool by its wire name; see `MCPFusionClient.call_tool`."""
        return self._wait(lambda: self._client.call_tool(name, arguments, **options))

    @_takes(MCPFusionClient.execute_batch)
    def execute_batch(
        self, calls: Iterable[BatchCall], **options: Unpack[BatchOptions]
    ) -> BatchResult:
        """Carry out several actions; see `MCPFusionClient.execute_batch`."""
        return self._wait(lambda: self._client.execute_batch(calls, **options))

    def _wait(self, function: Callable[[], Awaitable[T]]) -> T:
        """Run *function* in the client's thread and wait for what it returns."""
        call = _Call(function)
        portal = self._start()
        try:
            portal.start_task_soon(call.run).result()
        except BaseException:
            # The call's own exception, or one that hit this thread, which may have
            # happened before there was anything to wait for.
            call.interrupt(portal)
            raise
        return call.returned[0]

    def _start(self) -> BlockingPortal:
        """Start the thread unless it runs."""
        with self._starting:
            if self._portal is None:
                running = start_blocking_portal(self._backend)
                self._portal = self._running.enter_context(running)
                _open.add(self)
            return self._portal

    def _stop(self) -> None:
        with self._starting:
            portal, self._portal = self._portal, None
            running = self._running.pop_all()
            _open.discard(self)
        if portal is not None:
            # What is left over belongs to nobody; it would be waited for.
            with contextlib.suppress(RuntimeError):  # the portal has stopped already
                portal.call(portal.stop, True)  # noqa: FBT003 - anyio's signature
        running.close()


class _Call(Generic[T]):
    """One call in the client's thread, which the waiting thread may interrupt.

    Attributes:
        returned: What the call returned, once it has.
    """

    def __init__(self, function: Callable[[], Awaitable[T]]) -> None:
        self.returned: list[T] = []
        self._function = function
        self._ended = threading.Event()
        self._interrupted = False
        self._scope: anyio.CancelScope | None = None

    async def run(self) -> None:
        """Carry it out; interrupted, it ends without a result."""
        try:
            with anyio.CancelScope() as self._scope:
                # The interrupt may come before the call has started.
                if self._interrupted:
                    self._scope.cancel()
                self.returned.append(await self._function())
        finally:
            self._ended.set()

    def interrupt(self, portal: BlockingPortal) -> None:
        """Cancel it unless it has ended, and give it time to clean up."""
        self._interrupted = True
        if self._scope is not None and not self._ended.is_set():
            portal.start_task_soon(self._scope.cancel)
            self._ended.wait(_LAST_WORDS)


_open: set[SyncMCPFusionClient] = set()
"""The clients whose threads run; none may be left to the end of the interpreter."""


@atexit.register
def _close_all() -> None:
    """Close what a script forgot to close: its end would wait for the thread."""
    for client in tuple(_open):
        with contextlib.suppress(Exception):
            client.close()
