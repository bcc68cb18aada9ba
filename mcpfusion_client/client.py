"""`MCPFusionClient`: the tools of one server, with typed errors and safe retries."""

import inspect
from collections.abc import Awaitable, Iterable, Mapping
from random import Random
from types import TracebackType
from typing import Literal, Self, TypeVar

from mcpfusion_client.batch import BatchCall, BatchResult, run_batch, tool_calls
from mcpfusion_client.catalogue import Catalogue
from mcpfusion_client.clock import Clock, SystemClock
from mcpfusion_client.decode import Decoder
from mcpfusion_client.engine import Engine
from mcpfusion_client.middleware import Middleware
from mcpfusion_client.model import (
    Effects,
    JsonObject,
    ToolCall,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.observers import Audience
from mcpfusion_client.options import (
    flag,
    made_or_given,
    none_but,
    policies,
    seconds,
    several,
    whole,
)
from mcpfusion_client.planning import INHERITED, Options, Planner
from mcpfusion_client.proxy import Proxy
from mcpfusion_client.reply import Failed, wrong_call
from mcpfusion_client.retry import RetryPolicy, Rule, ToolPolicies
from mcpfusion_client.retry.budget import RetryBudget
from mcpfusion_client.retry.gate import RateLimitGate
from mcpfusion_client.router import AsyncRouter, Binding, CallOptions, SyncRouter
from mcpfusion_client.sessions import (
    ConnectOptions,
    HttpClient,
    ProgressCallback,
    SessionEvent,
    connect,
)
from mcpfusion_client.sessions.options import CALLBACKS
from mcpfusion_client.shared import Shared
from mcpfusion_client.suggestions import no_such_option, with_near_names

_NOTHING_GIVEN = (None,) * 7

Router = TypeVar("Router", bound=AsyncRouter[SyncRouter])


class MCPFusionClient:
    """Calls the tools of one MCP server.

    Example::

        async with MCPFusionClient("https://example.com/mcp") as client:
            result = await client.execute("billing.get_invoice", {"id": "inv_1"})

    Every failure of a call is an `MCPFusionClientError` with the facts in
    ``info``. A call is repeated only when that is allowed, safe and worth it.
    """

    def __init__(
        self,
        target: object,
        *,
        retry: RetryPolicy | ToolPolicies | bool | None = None,
        raise_on_error: bool = True,
        rules: Iterable[Rule] = (),
        middleware: Iterable[Middleware] = (),
        observers: Iterable[object] = (),
        decoder: Decoder | None = None,
        detect_disguised: bool = False,
        discriminator: str = "action",
        effects: Mapping[str, Effects] | None = None,
        trust_annotations: bool = True,
        budget: RetryBudget | Literal["private"] | None = "private",
        gate: RateLimitGate | Literal["private"] | None = "private",
        timeout: float | None = 60.0,
        connect_timeout: float | None = 60.0,
        headers: Mapping[str, str] | None = None,
        auth: object | None = None,
        http_client: HttpClient | None = None,
        clock: Clock | None = None,
        random: Random | None = None,
        **session_options: object,
    ) -> None:
        """Describe the client; nothing is opened yet.

        Args:
            target: A URL, a command as a list of strings or the SDK's
                ``StdioServerParameters``, an in-process server, an SDK transport,
                or something connected: ``mcp.Client``, ``mcp.ClientSession``,
                ``fastmcp.Client``, any object with
                ``async call_tool(name, arguments)``. What is connected is never
                closed.
            retry: When a failed call is repeated; False: never.
            raise_on_error: Raise what a call fails with; if not, it is returned
                as ``error`` of the result. Cancellation, wrong arguments and what
                a rule refuses always raise.
            rules: Asked before the first attempt and after every failure.
            middleware: Around every attempt; the first is outermost.
            observers: Hear of every step.
            decoder: Knows more codes and phrases than the default one.
            detect_disguised: Look for failures that were sent as successes.
            discriminator: The argument that chooses the action of a grouped tool
                whose schema does not tell.
            effects: What calls do, by action, tool or glob; beats annotations.
            trust_annotations: May annotations of the server permit a repeat?
            budget: Pays for retries; None: they are free. Clients may share one, and
                processes through `RedisFleet`.
            gate: Holds calls back that a server asked to wait, and those an
                overloaded one cannot take; None: nothing does. Clients of one
                event loop may share one, and processes through `RedisFleet`.
            timeout: Seconds one attempt may take; None: no limit.
            connect_timeout: Seconds to open the connection; None: no limit.
            headers: Sent with every HTTP request.
            auth: An ``httpx.Auth`` or ``httpx2.Auth``, or a user and password.
            http_client: Your own HTTP client; it stays yours to close.
            clock: Time, for tests.
            random: Spreads the waits, for tests.
            session_options: Handed to the SDK: ``sampling_callback``,
                ``elicitation_callback``, ``logging_callback``, ``errlog`` (the
                open file for a command's standard error) and others.

        Raises:
            TypeError: The target or an option is nothing a client can use.
            ValueError: A number is impossible.
        """
        for name in session_options.keys() - CALLBACKS:
            own = CALLBACKS.union(inspect.signature(MCPFusionClient).parameters)
            own -= {"target", "session_options"}
            raise TypeError(no_such_option(name, own, CallOptions.__annotations__))
        none_but("decoder", decoder, Decoder)
        none_but("random", random, Random)
        none_but("clock", clock, Clock)
        self._raise_on_error = flag("raise_on_error", raise_on_error)
        self._clock = clock or SystemClock()
        self._audience = Audience(several("observers", observers))
        self._connection = connect(
            target,
            ConnectOptions(
                connect_timeout=seconds("connect_timeout", connect_timeout),
                headers=headers,
                auth=auth,
                http_client=http_client,
                callbacks=session_options,
                clock=self._clock,
                listener=self._tell_session,
            ),
        )
        randomness = random or Random()  # noqa: S311 - it spreads waits
        self._engine = Engine(
            connection=self._connection,
            clock=self._clock,
            randomness=randomness,
            decoder=decoder or Decoder(),
            detect_disguised=flag("detect_disguised", detect_disguised),
            rules=several("rules", rules),
            middleware=several("middleware", middleware),
            audience=self._audience,
            shared=Shared(
                server=self._connection.server,
                gate=made_or_given("gate", gate, RateLimitGate),
                budget=made_or_given("budget", budget, RetryBudget),
                clock=self._clock,
                randomness=randomness,
            ),
        )
        self._catalogue = Catalogue(self._connection, self._clock, self._tell_tools)
        self._planner = Planner(
            catalogue=self._catalogue,
            clock=self._clock,
            policies=policies(retry),
            timeout=seconds("timeout", timeout),
            effects=effects or {},
            trust_annotations=flag("trust_annotations", trust_annotations),
            discriminator=discriminator,
        )

    async def __aenter__(self) -> Self:
        """Connect."""
        await self.connect()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Disconnect."""
        await self.close()

    async def connect(self) -> None:
        """Open the connection; ``async with`` does it for you.

        Raises:
            ConnectError: The server cannot be reached.
            MCPFusionClientError: It refuses.
        """
        await self._connection.open()

    async def close(self) -> None:
        """Close what `connect` opened; it may be called in another task."""
        await self._connection.close()

    @property
    def session(self) -> object | None:
        """The SDK's session underneath, another one after a reopening."""
        return self._connection.session

    @property
    def proxy(self) -> Proxy[Awaitable[ToolResult]]:
        """Actions by attribute.

        As in ``await client.proxy.billing.get_invoice(id="inv_1")``.
        """
        return Proxy(self.execute)

    def router(self, router: type[Router], *, check_results: bool = True) -> Router:
        """Return the typed calls of a router that ``mcpfusion codegen`` wrote.

        Args:
            router: The class, ``AppRouter`` unless it was named otherwise.
            check_results: Also hold structured content to the output schema the
                router was generated from; a result that is not what its type says
                is an error, EXECUTED. False leaves the check against the schema
                the server lists now, which every call has.
        """
        return router(
            Binding(
                caller=self,
                contract=router.__contract__(),
                raises=self._raise_on_error,
                check=check_results,
            )
        )

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Return every tool, from the cache while that is known to hold.

        Raises:
            MCPFusionClientError: The list could not be fetched.
        """
        return await self._catalogue.fetch()

    async def execute(
        self,
        action: str,
        arguments: JsonObject | None = None,
        *,
        retry: RetryPolicy | ToolPolicies | bool | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - one attempt, not the call
        deadline: float | None = None,
        idempotent: bool | None = None,
        idempotency_key: str | None = None,
        meta: JsonObject | None = None,
        progress: ProgressCallback | None = None,
        raise_on_error: bool | None = None,
    ) -> ToolResult:
        """Carry out an action, whatever way the server serves it.

        ``billing.get_invoice`` is the tool of that name, the flat tool
        ``billing_get_invoice``, or the action ``get_invoice`` of the grouped tool
        ``billing``: the first that the server lists.

        Args:
            action: The dotted path, or a wire name.
            arguments: What the tool gets, a JSON object.
            retry: Beats the client's; False: never.
            timeout: Seconds one attempt may take; ``math.inf`` lifts the limit.
            deadline: Seconds until everything has to end.
            idempotent: Sending the call twice does what it does once.
            idempotency_key: The key of this logical call.
            meta: Sent as ``_meta``.
            progress: Called with (progress, total, message); every notification
                gives the attempt its full time again, up to the deadline.
            raise_on_error: Beats the client's.

        Raises:
            MCPFusionClientError: The call failed.
            TypeError: The arguments are not JSON.
            ValueError: An argument or option is impossible.
        """
        given = retry, timeout, deadline, idempotent, idempotency_key, meta, progress
        options = INHERITED if given == _NOTHING_GIVEN else Options(*given)
        prepared = await self._planner.route(action, arguments, options)
        ended = await self._engine.run(*prepared)
        return self._deliver(action, ended, raise_on_error)

    async def call_tool(
        self,
        name: str,
        arguments: JsonObject | None = None,
        *,
        retry: RetryPolicy | ToolPolicies | bool | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - one attempt, not the call
        deadline: float | None = None,
        idempotent: bool | None = None,
        idempotency_key: str | None = None,
        meta: JsonObject | None = None,
        progress: ProgressCallback | None = None,
        raise_on_error: bool | None = None,
    ) -> ToolResult:
        """Call a tool by its wire name; the rest is as for `execute`."""
        given = retry, timeout, deadline, idempotent, idempotency_key, meta, progress
        options = INHERITED if given == _NOTHING_GIVEN else Options(*given)
        prepared = self._planner.name_at_once(name, arguments, options)
        if prepared is None:
            prepared = await self._planner.name(name, arguments, options)
        ended = await self._engine.run(*prepared)
        return self._deliver(name, ended, raise_on_error)

    async def execute_batch(
        self,
        calls: Iterable[BatchCall],
        *,
        sequential: bool = False,
        limit: int | None = None,
        stop_on_error: bool = False,
        retry: RetryPolicy | ToolPolicies | bool | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - one attempt, not the call
        deadline: float | None = None,
    ) -> BatchResult:
        """Carry out several actions, side by side unless told otherwise.

        Never raises for one of the calls; see `BatchResult.raise_for_errors`.

        Args:
            calls: Pairs of action and arguments, ``{"action": ..., "args": ...}``
                or `ToolCall` values.
            sequential: One after the other.
            limit: How many run at the same time at most.
            stop_on_error: Start no call after one has failed. Those that run
                finish; the others are CANCELLED and NOT_EXECUTED.
            retry: Beats the client's, for every call.
            timeout: Seconds one attempt may take.
            deadline: Seconds until the whole batch has to end.

        Raises:
            TypeError: A call has none of the accepted forms.
            ValueError: An option is impossible.
        """
        shared = Options(
            retry=retry,
            timeout=timeout,
            until=self._clock.monotonic() + seconds("deadline", deadline, zero=True),
        )
        self._planner.check(shared)

        async def send(call: ToolCall) -> ToolResult | Failed:
            try:
                prepared = await self._planner.given(call, shared)
            except (TypeError, ValueError) as mistake:
                return wrong_call(call.tool, mistake)
            ended = await self._engine.run(*prepared)
            if isinstance(ended, Failed):
                return with_near_names(ended, call.action, self._planner.routes())
            return ended

        return await run_batch(
            send,
            tool_calls(calls),
            limit=1 if sequential else whole("limit", limit),
            stop_on_error=stop_on_error,
        )

    def _deliver(
        self,
        wanted: str,
        ended: ToolResult | Failed,
        raise_on_error: bool | None,  # noqa: FBT001
    ) -> ToolResult:
        if isinstance(ended, ToolResult):
            return ended
        ended = with_near_names(ended, wanted, self._planner.routes())
        if raise_on_error is None:
            raise_on_error = self._raise_on_error
        if raise_on_error or ended.refused:
            raise ended.exception()
        return ended.result

    def _tell_session(self, event: SessionEvent) -> None:
        self._audience.tell("on_session", event.server, event.kind.value, event.detail)

    def _tell_tools(self, tools: tuple[ToolInfo, ...]) -> None:
        self._audience.tell("on_tools", self._connection.server, tools)
