"""A target that plays a list of outcomes: the smallest server there is."""

from collections.abc import Awaitable, Callable, Iterable, Mapping

import anyio.lowlevel

from mcpfusion_client.clock import Clock, SystemClock
from mcpfusion_client.decode import from_rpc
from mcpfusion_client.errors import for_info
from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo, ToolResult
from mcpfusion_client.testing.outcomes import (
    Player,
    ProtocolFailure,
    ScriptedCall,
    ScriptedOutcome,
)


class ScriptedSession:
    """A target that plays a list of outcomes, one for each request.

    Example::

        session = ScriptedSession([tool_error("SERVER_BUSY", "full"), "done"])
        async with MCPFusionClient(session, clock=VirtualClock()) as client:
            result = await client.call_tool("report")

    Attributes:
        tools: What `list_tools` answers with.
        server: Its name, for whatever clients of the same server share.
        any_event_loop: It belongs to none, so a synchronous client takes it too.
    """

    any_event_loop = True

    def __init__(
        self,
        outcomes: Iterable[ScriptedOutcome] = (),
        *,
        by_tool: Mapping[str, Iterable[ScriptedOutcome]] | None = None,
        tools: Iterable[ToolInfo] = (),
        server: str = "scripted",
        clock: Clock | None = None,
    ) -> None:
        """Take the script.

        Args:
            outcomes: In the order of the requests.
            by_tool: Scripts of their own for some tools, by wire name.
            tools: What the session lists.
            server: Its name.
            clock: What `After` waits on; the one of the client under test.
        """
        self.tools: tuple[ToolInfo, ...] = tuple(tools)
        self.server = server
        self._clock: Clock = SystemClock() if clock is None else clock
        self._player = Player(outcomes, by_tool or {}, self._clock)

    @property
    def calls(self) -> list[ScriptedCall]:
        """Every request so far."""
        return self._player.calls

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, JsonValue],
        *,
        meta: JsonObject | None = None,
        progress_callback: Callable[..., Awaitable[object]] | None = None,
    ) -> ToolResult | JsonObject | object:
        """Play the next outcome.

        Raises:
            ScriptExhaustedError: There is none.
        """
        await anyio.lowlevel.checkpoint()
        call, outcome = self._player.take(name, arguments, meta or {})

        async def report(progress: float) -> None:
            if progress_callback is not None:
                await progress_callback(progress, None, None)

        played = await self._player.play(outcome, call, report)
        if isinstance(played, ProtocolFailure):
            raise for_info(
                from_rpc(
                    code=played.code,
                    message=played.message,
                    data=played.data,
                    sdk_made=False,
                )
            )
        return played

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Return `tools`."""
        return self.tools
