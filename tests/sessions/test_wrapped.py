"""Sessions the caller opened: the same typed failures, and never closed here."""

import contextlib
import importlib
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import fastmcp
import mcp
import pytest

from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.integrations.scripted_server import (
    RpcFailure,
    ServedTool,
    scripted_server,
)
from mcpfusion_client.model import Execution, JsonObject, ToolInfo
from mcpfusion_client.sessions import ConnectOptions, Request, connect
from tests.sessions.sdk import MODERN

SHAPE = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


async def _echo(arguments: JsonObject) -> JsonObject:
    return {"content": [{"type": "text", "text": str(arguments["text"])}]}


async def _shaped(_: JsonObject) -> JsonObject:
    return {"content": [], "structuredContent": {"n": "one"}}


async def _refuse(_: JsonObject) -> JsonObject:
    raise RpcFailure(-32602, "no such thing")


async def _slow(_: JsonObject) -> JsonObject:
    await anyio.sleep(30)
    return {"content": []}


def _server() -> Any:
    tools = {
        "echo": (_echo, None),
        "shaped": (_shaped, SHAPE),
        "refuse": (_refuse, None),
        "slow": (_slow, None),
    }
    return scripted_server(
        "written",
        [
            ServedTool(info=ToolInfo(name=name, output_schema=schema), handle=handle)
            for name, (handle, schema) in tools.items()
        ],
    )


@contextlib.asynccontextmanager
async def _session() -> AsyncGenerator[mcp.ClientSession, None]:
    if MODERN:
        async with _client() as client:
            yield client.session
        return
    memory: Any = importlib.import_module("mcp.shared.memory")
    async with memory.create_connected_server_and_client_session(_server()) as session:
        yield session


def _client() -> Any:
    client_type: Any = getattr(mcp, "Client", None)
    return client_type(_server())


WRAPPED = [_session, *([_client] if MODERN else [])]


@pytest.mark.parametrize("opened", WRAPPED)
async def test_a_wrapped_session_calls_and_stays_open(opened: Any) -> None:
    """It belongs to the caller."""
    async with opened() as theirs:
        connection = connect(theirs, ConnectOptions())
        await connection.open()
        tools = await connection.list_tools()
        first = await connection.call_tool(
            Request(tool="echo", arguments={"text": "a"})
        )
        await connection.close()
        after = await theirs.call_tool("echo", {"text": "b"})

    assert [tool.name for tool in tools] == ["echo", "shaped", "refuse", "slow"]
    assert first.raw is not None
    assert first.raw["content"] == [{"type": "text", "text": "a"}]
    assert after.content[0].text == "b"


@pytest.mark.parametrize("opened", WRAPPED)
async def test_failures_of_a_wrapped_session_are_typed(opened: Any) -> None:
    """A refusal, a timer, and output that breaks its schema."""
    async with opened() as theirs:
        connection = connect(theirs, ConnectOptions())
        await connection.list_tools()
        refused = await connection.call_tool(Request(tool="refuse", arguments={}))
        late = await connection.call_tool(
            Request(tool="slow", arguments={}, timeout=0.1)
        )
        shaped = await connection.call_tool(Request(tool="shaped", arguments={}))

    assert refused.failure is not None
    assert refused.failure.code == "-32602"
    assert refused.answered
    assert late.failure is not None
    assert (late.failure.code, late.failure.execution) == ("TIMEOUT", Execution.UNKNOWN)
    assert shaped.failure is not None
    assert shaped.failure.execution is Execution.EXECUTED
    assert shaped.raw is not None


async def test_a_client_that_is_not_connected_is_a_connect_error() -> None:
    """It was built and never entered."""
    client: Any = _client() if MODERN else fastmcp.Client("http://127.0.0.1:9/")
    if not MODERN:
        pytest.skip("mcp 1.x has no client to enter")
    connection = connect(client, ConnectOptions())

    with pytest.raises(MCPFusionClientError) as caught:
        await connection.open()
    outcome = await connection.call_tool(Request(tool="echo", arguments={}))

    assert caught.value.code == "CONNECT_FAILED"
    assert connection.session is None
    assert outcome.failure is not None
    assert outcome.failure.execution is Execution.NOT_EXECUTED


def _fastmcp_server() -> Any:
    server: Any = fastmcp.FastMCP("fast")

    async def double(n: int) -> int:
        return 2 * n

    server.tool(double)
    return server


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_fastmcp_client_is_wrapped() -> None:
    """Through the session it holds."""
    async with fastmcp.Client(_fastmcp_server()) as theirs:
        connection = connect(theirs, ConnectOptions())
        await connection.list_tools()
        outcome = await connection.call_tool(Request(tool="double", arguments={"n": 3}))
        wrong = await connection.call_tool(Request(tool="double", arguments={"n": "x"}))
        await connection.close()
        assert theirs.is_connected()

    assert outcome.raw is not None
    assert outcome.raw["structuredContent"] == {"result": 6}
    assert wrong.raw is not None
    assert wrong.raw["isError"] is True


@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_a_fastmcp_client_under_trio_is_refused() -> None:
    """It is built on asyncio."""
    connection = connect(fastmcp.Client(_fastmcp_server()), ConnectOptions())

    with pytest.raises(MCPFusionClientError) as caught:
        await connection.open()

    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.is_retryable is False


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_fastmcp_server_in_this_process_is_a_target() -> None:
    """It has a ``call_tool`` too, and is still a server."""
    connection = connect(_fastmcp_server(), ConnectOptions())
    outcome = await connection.call_tool(Request(tool="double", arguments={"n": 3}))
    await connection.close()

    assert outcome.raw is not None
    assert outcome.raw["structuredContent"] == {"result": 6}
