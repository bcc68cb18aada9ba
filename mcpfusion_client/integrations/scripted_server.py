"""A real in-process MCP server whose answers are written by the caller.

It is built with the installed SDK, either generation, and takes results as wire
JSON, so that a failure can be served exactly as some other server words it.
"""

import importlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeAlias

import attrs

from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo

Handler: TypeAlias = Callable[[JsonObject], Awaitable[JsonObject]]
"""Takes the arguments, returns a ``CallToolResult`` as wire JSON."""


@attrs.frozen(kw_only=True)
class Received:
    """A ``tools/call`` request as a server got it.

    Attributes:
        tool: The wire name.
        arguments: As they came.
        meta: The ``_meta`` that came along, without what the SDKs put there.
        report: Sends a progress notification, if the caller wants any.
    """

    tool: str
    arguments: JsonObject
    meta: JsonObject
    report: Callable[[float], Awaitable[None]]


Answer: TypeAlias = Callable[[Received], Awaitable[JsonObject]]
"""Takes a request, returns a ``CallToolResult`` as wire JSON."""

_SDK_META = "io.modelcontextprotocol/"
_PROGRESS_TOKENS = frozenset({"progressToken", "progress_token"})


class RpcFailure(Exception):  # noqa: N818 - it is an answer, not a fault
    """Raise it in a handler to answer with a JSON-RPC error.

    Attributes:
        code: The JSON-RPC code.
        message: The JSON-RPC message.
        data: The JSON-RPC data, None to leave it out.
    """

    def __init__(self, code: int, message: str, data: JsonValue = None) -> None:
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data


@attrs.frozen(kw_only=True)
class ServedTool:
    """A tool and what answers it."""

    info: ToolInfo
    handle: Handler


def scripted_server(name: str, tools: Iterable[ServedTool]) -> object:
    """Return an in-process server, a target for ``MCPFusionClient``.

    Args:
        name: The server's name.
        tools: What it serves.

    Raises:
        ImportError: No ``mcp`` package is installed.
    """
    served = {tool.info.name: tool for tool in tools}

    async def answer(received: Received) -> JsonObject:
        tool = served.get(received.tool)
        if tool is None:
            raise RpcFailure(-32602, f"Unknown tool: {received.tool}")
        return await tool.handle(received.arguments)

    return answering_server(name, [tool.info for tool in served.values()], answer)


def answering_server(name: str, tools: Iterable[ToolInfo], answer: Answer) -> object:
    """Return an in-process server that answers every call with one function.

    Args:
        name: The server's name.
        tools: What it lists; calls of others are answered too.
        answer: Answers calls.

    Raises:
        ImportError: No ``mcp`` package is installed.
    """
    listed = [_wire_tool(info) for info in tools]
    lowlevel = importlib.import_module("mcp.server.lowlevel")
    if hasattr(lowlevel.Server, "add_request_handler"):
        return _second_generation(lowlevel.Server, name, listed, answer)
    return _first_generation(lowlevel.Server, name, listed, answer)


async def serve_stdio(server: object) -> None:
    """Serve *server* over standard input and output until the input ends.

    Args:
        server: What `scripted_server` returned.
    """
    stdio: Any = importlib.import_module("mcp.server.stdio")
    lowlevel: Any = server
    async with stdio.stdio_server() as (reads, writes):
        await lowlevel.run(reads, writes, lowlevel.create_initialization_options())


def _own(meta: Mapping[str, Any] | None) -> JsonObject:
    """Return the part of ``_meta`` that no SDK has put there."""
    return {
        key: value
        for key, value in (meta or {}).items()
        if key not in _PROGRESS_TOKENS and not key.startswith(_SDK_META)
    }


def _wire_tool(info: ToolInfo) -> dict[str, JsonValue]:
    wire: dict[str, JsonValue] = {
        "name": info.name,
        "title": info.title,
        "description": info.description,
        "inputSchema": dict(info.input_schema) or {"type": "object"},
        "outputSchema": info.output_schema,
        "annotations": dict(info.annotations) or None,
        "_meta": dict(info.meta) or None,
    }
    return {key: value for key, value in wire.items() if value is not None}


_WireTools: TypeAlias = list[dict[str, JsonValue]]


def _second_generation(
    server_class: Any, name: str, listed: _WireTools, answer: Answer
) -> object:
    types: Any = importlib.import_module("mcp_types")
    mcp_error: Any = importlib.import_module("mcp.shared.exceptions").MCPError

    async def list_tools(_context: object, _params: object) -> object:
        return types.ListToolsResult.model_validate({"tools": listed})

    async def call_tool(context: Any, params: Any) -> object:
        received = Received(
            tool=params.name,
            arguments=params.arguments or {},
            meta=_own(context.meta),
            report=context.session.report_progress,
        )
        try:
            wire = await answer(received)
        except RpcFailure as failure:
            raise mcp_error(failure.code, failure.message, failure.data) from failure
        return types.CallToolResult.model_validate(wire)

    server: object = server_class(
        name, on_list_tools=list_tools, on_call_tool=call_tool
    )
    return server


def _first_generation(
    server_class: Any, name: str, listed: _WireTools, answer: Answer
) -> object:
    types: Any = importlib.import_module("mcp.types")
    mcp_error: Any = importlib.import_module("mcp.shared.exceptions").McpError

    async def list_tools(_request: object) -> object:
        wire = {"tools": listed}
        return types.ServerResult(types.ListToolsResult.model_validate(wire))

    async def call_tool(request: Any) -> object:
        params = request.params
        given: Any = params.meta
        meta: JsonObject = {}
        if given is not None:
            meta = given.model_dump(exclude_none=True)
        session = server.request_context.session

        async def report(progress: float) -> None:
            token = meta.get("progressToken")
            if token is not None:
                await session.send_progress_notification(token, progress)

        received = Received(
            tool=params.name,
            arguments=params.arguments or {},
            meta=_own(meta),
            report=report,
        )
        try:
            wire = await answer(received)
        except RpcFailure as failure:
            error = types.ErrorData(
                code=failure.code, message=failure.message, data=failure.data
            )
            raise mcp_error(error) from failure
        return types.ServerResult(types.CallToolResult.model_validate(wire))

    server: Any = server_class(name)
    server.request_handlers[types.ListToolsRequest] = list_tools
    server.request_handlers[types.CallToolRequest] = call_tool
    scripted: object = server
    return scripted
