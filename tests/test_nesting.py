"""Engines inside engines: one of them owns the retries."""

import importlib
from collections.abc import Mapping
from typing import Any

import pytest

from mcpfusion_client import (
    Effects,
    MCPFusionClient,
    RetryPolicy,
    StateUnknownError,
    StopReason,
    ToolInfo,
    TransientError,
    decode,
    tool_error,
)
from mcpfusion_client.planning import Retrying
from mcpfusion_client.testing import (
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)
from tests.sessions.sdk import MODERN

BUSY = tool_error("SERVER_BUSY", "come back later")
TIMEOUT = tool_error("TIMEOUT", "no idea what happened")
HARMLESS = {"*": Effects(read_only=True)}
READ = ToolInfo(name="inner", annotations={"readOnlyHint": True})


class SubAgent:
    """A tool that calls a tool through a client of its own, once per request."""

    def __init__(self, inner: MCPFusionClient, *, handles: bool = False) -> None:
        self.inner = inner
        self.requests = 0
        self._handles = handles

    async def call_tool(
        self, name: str, arguments: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Hand the failure of the inner call on, or a failure of its own."""
        self.requests += 1
        result = await self.inner.call_tool("inner", raise_on_error=False)
        if result.error is None:
            return {"content": [{"type": "text", "text": result.text}]}
        code = "NOT_FOUND" if self._handles else result.error.code
        text = tool_error(code or "", "the sub-agent failed")
        return {"content": [{"type": "text", "text": text}], "isError": True}


class RaisingAgent(SubAgent):
    """The same, but the error of the inner client just flies through."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Let the inner error pass."""
        self.requests += 1
        await self.inner.call_tool("inner")
        return {"content": []}


def inner_client(
    *outcomes: ScriptedOutcome, clock: VirtualClock, retry: Retrying = None
) -> tuple[MCPFusionClient, ScriptedSession]:
    """Return the inner client and the session that plays its server."""
    session = ScriptedSession(outcomes, tools=[READ], clock=clock)
    return MCPFusionClient(session, clock=clock, retry=retry), session


@pytest.mark.parametrize("kind", [SubAgent, RaisingAgent])
async def test_what_an_inner_engine_gave_up_on_is_not_repeated(
    kind: type[SubAgent],
) -> None:
    """Four attempts stay four, and the reason is the inner one's."""
    clock = VirtualClock()
    inner, session = inner_client(*[BUSY] * 4, clock=clock)
    agent = kind(inner)

    with pytest.raises(TransientError) as caught:
        await MCPFusionClient(agent, clock=clock).call_tool("outer", idempotent=True)

    assert (len(session.calls), agent.requests) == (4, 1)
    assert caught.value.stop_reason is StopReason.ATTEMPTS_EXHAUSTED
    assert len(caught.value.attempts) == 1


async def test_an_error_that_flies_through_a_server_of_the_sdk_is_not_repeated() -> (
    None
):
    """On mcp 1.x no context gets there; the text that comes back says it."""
    clock = VirtualClock()
    inner, session = inner_client(*[BUSY] * 4, clock=clock)
    module = importlib.import_module("mcp.server" + ("" if MODERN else ".fastmcp"))
    server = (module.MCPServer if MODERN else module.FastMCP)("sub-agent")

    async def outer() -> str:
        return (await inner.call_tool("inner")).text

    server.add_tool(outer)
    async with MCPFusionClient(server, clock=clock, effects=HARMLESS) as client:
        result = await client.call_tool("outer", raise_on_error=False)

    assert result.error is not None
    assert (len(session.calls), len(result.attempts)) == (4, 1)


@pytest.mark.parametrize(
    ("retry", "said"), [(None, False), (False, True)], ids=["retries", "no-retries"]
)
async def test_the_text_of_an_error_says_whether_it_was_given_up(
    retry: Retrying, *, said: bool
) -> None:
    """Also across a wire; an engine that may not repeat leaves it to the next one."""
    clock = VirtualClock()
    inner, _ = inner_client(*[BUSY] * 4, clock=clock, retry=retry)
    with pytest.raises(TransientError) as caught:
        await inner.call_tool("inner")
    text = f"Error executing tool outer: {caught.value}"

    error = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert error is not None
    assert (error.code, error.is_retryable) == ("SERVER_BUSY", said)


async def test_an_inner_engine_without_retries_leaves_them_to_the_outer_one() -> None:
    """Somebody has to own them."""
    clock = VirtualClock()
    inner, session = inner_client(BUSY, BUSY, "done", clock=clock, retry=False)

    result = await MCPFusionClient(SubAgent(inner), clock=clock).call_tool("outer")

    assert (result.text, result.stop_reason) == ("done", StopReason.RETRIED)
    assert len(session.calls) == 3


async def test_a_failure_of_its_own_is_judged_on_its_own() -> None:
    """A sub-agent that handled the inner failure failed for another reason."""
    clock = VirtualClock()
    inner, _ = inner_client(*[BUSY] * 4, clock=clock)

    result = await MCPFusionClient(
        SubAgent(inner, handles=True), clock=clock
    ).call_tool("outer", raise_on_error=False)

    assert result.stop_reason is StopReason.NOT_RETRYABLE


async def test_the_reason_of_the_inner_engine_promises_nothing_false() -> None:
    """The inner read was harmless; the outer write it belongs to was not."""
    clock = VirtualClock()
    inner, _ = inner_client(*[TIMEOUT] * 4, clock=clock)

    with pytest.raises(StateUnknownError) as caught:
        await MCPFusionClient(SubAgent(inner), clock=clock).call_tool("outer")

    assert caught.value.stop_reason is StopReason.UNKNOWN_OUTCOME_WRITE


async def test_a_success_after_an_inner_failure_is_a_success() -> None:
    """What was given up on matters only when the outer call fails."""
    clock = VirtualClock()
    inner, _ = inner_client(*[BUSY] * 4, clock=clock)

    class Forgiving(SubAgent):
        async def call_tool(
            self, name: str, arguments: dict[str, Any]
        ) -> Mapping[str, Any]:
            await super().call_tool(name, arguments)
            return {"content": []}

    outer = MCPFusionClient(Forgiving(inner), clock=clock)
    result = await outer.call_tool("outer")

    assert result.stop_reason is StopReason.FIRST_TRY


async def test_engines_side_by_side_do_not_hear_each_other() -> None:
    """Only what happens inside an attempt counts."""
    clock = VirtualClock()
    inner, _ = inner_client(*[BUSY] * 4, BUSY, "done", clock=clock)
    with pytest.raises(TransientError):
        await inner.call_tool("inner")

    result = await inner.call_tool("inner", retry=RetryPolicy())

    assert result.stop_reason is StopReason.RETRIED
