"""Any object with an async ``call_tool``, whatever it returns or raises."""

import asyncio
from typing import Any

import anyio
import attrs
import mcp
import pytest

from mcpfusion_client.errors import MCPFusionClientError, for_info
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.sessions import ConnectOptions, Request, connect

REQUEST = Request(tool="tool", arguments={"a": 1}, meta={"attempt": 2}, timeout=5)
BLOCK = {"type": "text", "text": "x"}


@attrs.define
class Session:
    """Returns what it is told to, or raises it."""

    returns: Any = None
    tools: Any = ()
    seen: list[tuple[str, dict[str, Any]]] = attrs.field(
        factory=list[tuple[str, dict[str, Any]]]
    )

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Return or raise."""
        self.seen.append((name, arguments))
        if isinstance(self.returns, Exception):
            raise self.returns
        return self.returns

    async def list_tools(self) -> Any:
        """Return or raise."""
        if isinstance(self.tools, Exception):
            raise self.tools
        return self.tools


@attrs.frozen
class FastmcpResult:
    """As fastmcp's own client returns it."""

    content: list[Any]
    structured_content: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    data: Any = None
    is_error: bool = False


def _sdk_result() -> Any:
    return mcp.types.CallToolResult.model_validate({"content": [BLOCK]})


@pytest.mark.parametrize(
    "returned",
    [
        {"content": [BLOCK], "isError": False},
        _sdk_result(),
        ToolResult(content=(BLOCK,)),
        ToolResult(content=(BLOCK,), raw={"content": [BLOCK], "isError": False}),
        FastmcpResult(content=[mcp.types.TextContent(type="text", text="x")]),
    ],
)
async def test_whatever_it_returns_leaves_as_wire_json(returned: Any) -> None:
    """A mapping, a result of the SDK, of fastmcp, or of this package."""
    session = Session(returned)

    outcome = await connect(session, ConnectOptions()).call_tool(REQUEST)

    assert outcome.failure is None
    assert outcome.raw == {"content": [BLOCK], "isError": False}
    assert session.seen == [("tool", {"a": 1})]


async def test_something_else_is_an_unreadable_reply() -> None:
    """The tool may have run."""
    outcome = await connect(Session(7), ConnectOptions()).call_tool(REQUEST)

    assert outcome.failure is not None
    assert outcome.failure.code == "BAD_RESPONSE"
    assert outcome.failure.execution is Execution.UNKNOWN


async def test_an_exception_becomes_a_failure() -> None:
    """With the exception as its cause."""
    error = TimeoutError("no answer")

    outcome = await connect(Session(error), ConnectOptions()).call_tool(REQUEST)

    assert outcome.failure is not None
    assert outcome.failure.category is ErrorCategory.TRANSIENT
    assert outcome.cause is error
    assert not outcome.answered


async def test_an_error_of_ours_is_handed_on() -> None:
    """One of our clients may be the target of another."""
    info = ErrorInfo(message="no", code="NO", category=ErrorCategory.BUSINESS)
    error = for_info(info, raw={"content": []})

    outcome = await connect(Session(error), ConnectOptions()).call_tool(REQUEST)

    assert outcome.failure == info
    assert outcome.raw == {"content": []}


async def test_a_silent_object_is_cut_off() -> None:
    """By the attempt's timer."""

    class Silent:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> object:
            await anyio.sleep(30)
            return name

    request = Request(tool="tool", arguments={}, timeout=0.05)
    outcome = await connect(Silent(), ConnectOptions()).call_tool(request)

    assert outcome.failure is not None
    assert outcome.failure.code == "TIMEOUT"


async def test_meta_is_handed_to_an_object_that_takes_it() -> None:
    """The attempt number and the idempotency key travel there."""
    seen: list[Any] = []

    class TakesMeta:
        async def call_tool(
            self, name: str, arguments: dict[str, Any], *, meta: dict[str, Any]
        ) -> object:
            seen.append(meta)
            return {"content": []}

    await connect(TakesMeta(), ConnectOptions()).call_tool(REQUEST)

    assert seen == [{"attempt": 2}]


WIRE = {"name": "a", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize(
    "listing",
    [
        [WIRE],
        {"tools": [WIRE]},
        (ToolInfo(name="a", input_schema={"type": "object"}),),
        mcp.types.ListToolsResult.model_validate({"tools": [WIRE]}),
        [mcp.types.Tool.model_validate(WIRE)],
    ],
)
async def test_whatever_it_lists_becomes_tool_infos(listing: Any) -> None:
    """As for a result."""
    tools = await connect(Session(tools=listing), ConnectOptions()).list_tools()

    assert tools == (ToolInfo(name="a", input_schema={"type": "object"}),)


async def test_an_object_that_cannot_list_has_no_tools() -> None:
    """Its calls go on as unannotated."""

    class Bare:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> object:
            return {"content": []}

    assert await connect(Bare(), ConnectOptions()).list_tools() == ()


async def test_a_listing_that_fails_is_a_typed_error() -> None:
    """The engine decides what to do without a list."""
    session = Session(tools=ConnectionError("gone"))

    with pytest.raises(MCPFusionClientError):
        await connect(session, ConnectOptions()).list_tools()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_cancellation_passes_through() -> None:
    """It is the caller's, and no failure of the call."""

    class Waits:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> object:
            await anyio.sleep(30)
            return name

    connection = connect(Waits(), ConnectOptions())
    task = asyncio.ensure_future(connection.call_tool(REQUEST))
    await anyio.lowlevel.checkpoint()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
