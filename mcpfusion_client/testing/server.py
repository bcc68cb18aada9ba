"""A real MCP server in this process that plays a script."""

from collections.abc import Iterable, Mapping

from mcpfusion_client.clock import Clock, SystemClock
from mcpfusion_client.integrations.scripted_server import (
    Received,
    RpcFailure,
    answering_server,
)
from mcpfusion_client.model import JsonObject, ToolInfo
from mcpfusion_client.sessions.objects import outcome_of
from mcpfusion_client.testing.outcomes import (
    Player,
    ProtocolFailure,
    ScriptedCall,
    ScriptedOutcome,
    ScriptExhaustedError,
)
from mcpfusion_client.testing.script import Script

_EXHAUSTED = -32603


class ScriptedServer:
    """A real MCP server in this process that plays outcomes, one for each request.

    It is built with the installed SDK, either generation, and serves whatever
    speaks MCP: clients of this package, of the SDK and of agent frameworks.

    Example::

        server = ScriptedServer.of(load_script("failures.jsonl"))
        async with MCPFusionClient(server.target) as client:
            ...

    Attributes:
        target: The server, a target for ``MCPFusionClient``.
        unexpected: The requests that the script had nothing for; they were
            answered with a JSON-RPC error.
    """

    def __init__(
        self,
        outcomes: Iterable[ScriptedOutcome] = (),
        *,
        by_tool: Mapping[str, Iterable[ScriptedOutcome]] | None = None,
        tools: Iterable[ToolInfo] = (),
        name: str = "scripted",
        clock: Clock | None = None,
    ) -> None:
        """Build the server.

        Args:
            outcomes: In the order of the requests.
            by_tool: Scripts of their own for some tools, by wire name.
            tools: What the server lists.
            name: Its name.
            clock: What `After` waits on; a virtual one has to be the one of the
                client under test.

        Raises:
            ImportError: No ``mcp`` package is installed.
        """
        rest = list(outcomes)
        own = {tool: list(each) for tool, each in (by_tool or {}).items()}
        self._player = Player(rest, own, SystemClock() if clock is None else clock)
        self._scripts = {None: len(rest)} | {
            tool: len(each) for tool, each in own.items()
        }
        self.unexpected: list[ScriptedCall] = []
        self.target: object = answering_server(name, tools, self._answer)

    @classmethod
    def of(
        cls, script: Script, *, name: str = "scripted", clock: Clock | None = None
    ) -> "ScriptedServer":
        """Return a server that plays *script*; see `load_script`."""
        return cls(
            script.outcomes,
            by_tool=script.by_tool,
            tools=script.tools,
            name=name,
            clock=clock,
        )

    @property
    def calls(self) -> list[ScriptedCall]:
        """Every request so far."""
        return self._player.calls

    def assert_played(self) -> None:
        """Check that every outcome was asked for, and nothing else.

        Raises:
            AssertionError: There were more requests than outcomes, or fewer.
        """
        __tracebackhide__ = True
        self.assert_expected()
        left = dict(self._scripts)
        for call in self.calls:
            left[call.tool if call.tool in left else None] -= 1
        unplayed = [
            f"{count} of {self._scripts[tool]} for {tool or 'any tool'}"
            for tool, count in left.items()
            if count > 0
        ]
        if unplayed:
            msg = (
                f"the script was not played to its end: {', '.join(unplayed)} left; "
                f"requests were {[call.tool for call in self.calls]}"
            )
            raise AssertionError(msg)

    def assert_expected(self) -> None:
        """Check that no request came that the script has nothing for.

        Raises:
            AssertionError: One did.
        """
        __tracebackhide__ = True
        if self.unexpected:
            lines = [
                f"  {call.tool} {dict(call.arguments)}" for call in self.unexpected
            ]
            msg = "the script has no outcome for\n" + "\n".join(lines)
            raise AssertionError(msg)

    async def _answer(self, received: Received) -> JsonObject:
        try:
            call, outcome = self._player.take(
                received.tool, received.arguments, received.meta
            )
        except ScriptExhaustedError as exhausted:
            self.unexpected.append(self.calls[-1])
            raise RpcFailure(_EXHAUSTED, str(exhausted)) from exhausted
        played = await self._player.play(outcome, call, received.report)
        if isinstance(played, ProtocolFailure):
            raise RpcFailure(played.code, played.message, played.data)
        return outcome_of(played).raw or {}
