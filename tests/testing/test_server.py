"""A scripted server speaks real MCP, to any client, on either SDK generation."""

import importlib
from typing import Any

import anyio
import pytest

from mcpfusion_client import (
    MCPFusionClient,
    MCPFusionClientError,
    SyncMCPFusionClient,
    ToolInfo,
    ToolResult,
    tool_error,
)
from mcpfusion_client.testing import (
    Hang,
    Progress,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedServer,
    VirtualClock,
)
from tests.sessions.sdk import MODERN

BUSY = tool_error("SERVER_BUSY", "full")
READ = ToolInfo(name="read", annotations={"readOnlyHint": True})


async def test_a_server_plays_its_script_and_keeps_what_it_was_sent() -> None:
    """Arguments and ``_meta`` arrive; what the SDK adds is left out."""
    server = ScriptedServer([BUSY, "done"], tools=[READ])

    async with MCPFusionClient(server.target, clock=VirtualClock()) as client:
        result = await client.call_tool("read", {"id": 1}, meta={"mine": "x"})

    assert result.text == "done"
    first, second = server.calls
    assert (first.tool, first.arguments) == ("read", {"id": 1})
    assert first.meta == {"mine": "x"}
    assert second.meta == {"mine": "x", "mcpfusion/attempt": 2}
    server.assert_played()


async def test_progress_is_announced_by_the_server() -> None:
    """Each notification keeps a slow attempt alive."""
    told: list[float] = []

    async def progress(value: float, total: float | None, text: str | None) -> None:
        told.append(value)

    server = ScriptedServer([Progress(0.5, Progress(1.0, "done"))])
    async with MCPFusionClient(server.target) as client:
        await client.call_tool("read", progress=progress)
        await anyio.wait_all_tasks_blocked()

    assert told == [0.5, 1.0]


async def test_a_hanging_server_is_cut_off_on_the_clock_they_share() -> None:
    """A minute of silence takes no time."""
    clock = VirtualClock()
    server = ScriptedServer([Hang()], clock=clock)

    async with MCPFusionClient(server.target, clock=clock) as client:
        result = await client.call_tool("write", timeout=60.0, raise_on_error=False)

    assert result.error is not None
    assert result.error.code == "TIMEOUT"
    assert clock.monotonic() == 60.0


async def test_an_outcome_may_be_a_value_or_depend_on_the_call() -> None:
    """What a session plays, a server plays too."""

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        return ToolResult(structured_content={"tool": call.tool})

    server = ScriptedServer(by_tool={"a": [answer]})
    async with MCPFusionClient(server.target) as client:
        result = await client.call_tool("a")

    assert result.data == {"tool": "a"}


async def test_a_request_too_many_is_an_error_and_is_kept_for_the_test() -> None:
    """The code under test may swallow the error; the server remembers."""
    server = ScriptedServer(["once"], tools=[READ])
    async with MCPFusionClient(server.target) as client:
        await client.call_tool("read")
        with pytest.raises(MCPFusionClientError):
            await client.call_tool("read", {"n": 2}, retry=False)

    assert [call.arguments for call in server.unexpected] == [{"n": 2}]
    with pytest.raises(AssertionError, match="'n': 2"):
        server.assert_expected()


async def test_outcomes_nobody_asked_for_are_told() -> None:
    """How many, and for which tool."""
    server = ScriptedServer(["a", "b"], by_tool={"read": ["c", "d"]}, tools=[READ])
    async with MCPFusionClient(server.target) as client:
        await client.call_tool("read")
        await client.call_tool("other")

    server.assert_expected()
    with pytest.raises(AssertionError, match=r"1 of 2 for any tool, 1 of 2 for read"):
        server.assert_played()


async def test_the_client_of_the_sdk_can_talk_to_it() -> None:
    """It is a real server, so agent frameworks can be pointed at it."""
    server = ScriptedServer([BUSY], tools=[READ])
    async with _sdk_session(server.target) as session:
        listed = await session.list_tools()
        result: Any = await session.call_tool("read", {})

    assert [tool.name for tool in listed.tools] == ["read"]
    assert result.content[0].text == BUSY
    assert (result.is_error if MODERN else result.isError) is True


def _sdk_session(target: Any) -> Any:
    if MODERN:
        return importlib.import_module("mcp").Client(target)
    memory = importlib.import_module("mcp.shared.memory")
    return memory.create_connected_server_and_client_session(target)


def test_a_synchronous_client_can_talk_to_it() -> None:
    """The server runs in the client's thread."""
    server = ScriptedServer(["done"], tools=[READ])

    with SyncMCPFusionClient(server.target) as client:
        assert client.call_tool("read").text == "done"
