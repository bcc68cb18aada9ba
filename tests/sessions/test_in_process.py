"""A server in this process: the wire JSON, the tool list, progress, failures."""

import importlib
import math
from typing import Any

import anyio
import mcp
import pytest

from mcpfusion_client.integrations.scripted_server import (
    RpcFailure,
    ServedTool,
    scripted_server,
)
from mcpfusion_client.model import Execution, JsonObject, ToolInfo
from mcpfusion_client.sessions import Connection, ConnectOptions, Request, connect
from tests.sessions.sdk import MODERN

SHAPE = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


async def _wrong(_: JsonObject) -> JsonObject:
    return {
        "content": [{"type": "text", "text": "applied"}],
        "structuredContent": {"n": "one"},
    }


async def _refuse(_: JsonObject) -> JsonObject:
    raise RpcFailure(-32000, "quota", {"retryAfter": 3})


async def _failed(_: JsonObject) -> JsonObject:
    return {
        "content": [{"type": "text", "text": "no"}],
        "isError": True,
        "structuredContent": {"errorCategory": "business", "isRetryable": False},
        "_meta": {"trace": "t1"},
    }


async def _slow(_: JsonObject) -> JsonObject:
    await anyio.sleep(30)
    return {"content": []}


def _tool(name: str, handle: Any, **more: Any) -> ServedTool:
    return ServedTool(info=ToolInfo(name=name, **more), handle=handle)


@pytest.fixture
def connection() -> Connection:
    """A connection to a server that is written out above."""
    server = scripted_server(
        "written",
        [
            _tool("wrong", _wrong, annotations={"readOnlyHint": False}),
            _tool("shaped", _wrong, output_schema=SHAPE),
            _tool("refuse", _refuse),
            _tool("failed", _failed),
            _tool("slow", _slow),
        ],
    )
    return connect(server, ConnectOptions())


def _call(tool: str, timeout: float = 20.0) -> Request:
    return Request(tool=tool, arguments={}, timeout=timeout)


async def test_the_list_of_tools_has_wire_names(connection: Connection) -> None:
    """Annotations and schemas feed the retry guard."""
    tools = {tool.name: tool for tool in await connection.list_tools()}
    await connection.close()

    assert set(tools) == {"wrong", "shaped", "refuse", "failed", "slow"}
    assert tools["wrong"].annotations["readOnlyHint"] is False
    assert tools["shaped"].output_schema == SHAPE


async def test_a_failed_result_comes_as_it_was_sent(connection: Connection) -> None:
    """No SDK type leaves the room."""
    outcome = await connection.call_tool(_call("failed"))
    await connection.close()

    raw = outcome.raw
    assert outcome.failure is None
    assert raw is not None
    assert raw["content"] == [{"type": "text", "text": "no"}]
    assert raw["isError"] is True
    assert raw["structuredContent"] == {
        "errorCategory": "business",
        "isRetryable": False,
    }
    assert raw["_meta"]["trace"] == "t1"


async def test_a_json_rpc_error_is_the_servers_own(connection: Connection) -> None:
    """-32000 is also what the SDK says of a closed connection."""
    outcome = await connection.call_tool(_call("refuse"))
    await connection.close()

    assert outcome.failure is not None
    assert outcome.failure.code == "-32000"
    assert outcome.failure.retry_after == 3
    assert outcome.answered
    assert outcome.cause is not None


async def test_output_that_breaks_its_schema_was_executed(
    connection: Connection,
) -> None:
    """The result is kept, and the call must not look unexecuted."""
    await connection.list_tools()

    outcome = await connection.call_tool(_call("shaped"))
    unchecked = await connection.call_tool(_call("wrong"))
    await connection.close()

    assert outcome.failure is not None
    assert outcome.failure.execution is Execution.EXECUTED
    assert outcome.failure.is_retryable is False
    assert outcome.raw is not None
    assert outcome.raw["structuredContent"] == {"n": "one"}
    assert unchecked.failure is None


async def test_without_a_tool_list_nothing_is_listed_after_the_call(
    connection: Connection,
) -> None:
    """A listing that fails would make an applied call look unexecuted."""
    outcome = await connection.call_tool(_call("shaped"))
    await connection.close()

    assert outcome.failure is None


async def test_a_silent_tool_is_cut_off(connection: Connection) -> None:
    """And the session goes on."""
    outcome = await connection.call_tool(_call("slow", 0.1))
    after = await connection.call_tool(_call("failed"))
    await connection.close()

    assert outcome.failure is not None
    assert outcome.failure.code == "TIMEOUT"
    assert after.raw is not None


async def test_the_session_is_there_while_it_is_open(connection: Connection) -> None:
    """For everything this package does not wrap."""
    before = connection.session
    await connection.open()
    opened = connection.session
    await connection.close()

    assert before is None
    assert isinstance(opened, mcp.ClientSession)
    assert connection.session is None


def _server() -> Any:
    if MODERN:
        module = importlib.import_module("mcp.server.mcpserver")
        return module.MCPServer("typed"), module.Context
    module = importlib.import_module("mcp.server.fastmcp")
    return module.FastMCP("typed", log_level="ERROR"), module.Context


def _steps_server(steps: int, pause: float) -> object:
    server, context_type = _server()

    async def work(ctx: Any) -> str:
        for step in range(steps):
            await anyio.sleep(pause)
            await ctx.report_progress(step, steps)
        return "worked"

    work.__annotations__["ctx"] = context_type
    server.tool()(work)
    made: object = server
    return made


async def test_progress_extends_an_attempt() -> None:
    """A tool that reports is not silent, however long it takes."""
    connection = connect(_steps_server(6, 0.2), ConnectOptions())
    seen: list[float] = []

    async def listen(progress: float, _: float | None, __: str | None) -> None:
        seen.append(progress)

    outcome = await connection.call_tool(
        Request(tool="work", arguments={}, timeout=0.6, progress=listen)
    )
    await connection.close()

    assert outcome.raw is not None
    assert len(seen) >= 5


async def test_progress_never_extends_an_attempt_past_its_limit() -> None:
    """The call's deadline holds, whatever the tool reports."""
    connection = connect(_steps_server(100, 0.1), ConnectOptions())

    with anyio.fail_after(10):
        outcome = await connection.call_tool(
            Request(tool="work", arguments={}, timeout=0.4, limit=0.8)
        )
    await connection.close()

    assert outcome.failure is not None
    assert outcome.failure.code == "TIMEOUT"


async def test_an_attempt_without_a_limit_waits() -> None:
    """``math.inf`` lifts it."""
    connection = connect(_steps_server(2, 0.1), ConnectOptions())

    outcome = await connection.call_tool(
        Request(tool="work", arguments={}, timeout=math.inf)
    )
    await connection.close()

    assert outcome.raw is not None


def _asking_server() -> object:
    server, context_type = _server()
    pydantic = importlib.import_module("pydantic")
    answer = pydantic.create_model("Answer", name=(str, ...))

    async def greet(ctx: Any) -> str:
        asked = await ctx.elicit("Who are you?", answer)
        return f"hello {asked.data.name}"

    greet.__annotations__["ctx"] = context_type
    server.tool()(greet)
    made: object = server
    return made


@pytest.mark.skipif(MODERN, reason="in process, mcp 2.x servers ask in rounds")
async def test_a_person_who_is_asked_gets_time() -> None:
    """The attempt's clock stands still meanwhile."""

    async def slowly(_: Any, __: Any) -> Any:
        await anyio.sleep(0.5)
        return mcp.types.ElicitResult(action="accept", content={"name": "Ada"})

    options = ConnectOptions(callbacks={"elicitation_callback": slowly})
    connection = connect(_asking_server(), options)

    outcome = await connection.call_tool(
        Request(tool="greet", arguments={}, timeout=0.3, limit=10)
    )
    await connection.close()

    assert outcome.raw is not None
    assert outcome.raw["content"][0]["text"] == "hello Ada"
