"""A server whose tools fail in the four ways a client meets most.

Run it with ``stdio`` or ``http``; over HTTP the first line printed is the URL. It
ends by itself after two minutes.
"""

import contextlib
import importlib
import socket
import sys
import threading
from collections.abc import AsyncGenerator
from typing import Any

import anyio

from mcpfusion_client.encode import tool_error
from mcpfusion_client.integrations.scripted_server import (
    RpcFailure,
    ServedTool,
    scripted_server,
    serve_stdio,
)
from mcpfusion_client.model import JsonObject, ToolInfo

_LIFETIME = 120.0
_READ = {"readOnlyHint": True}


def failing_server() -> object:
    """Return a fresh server; `flaky` answers its second call."""
    seen: list[JsonObject] = []

    async def xml(_arguments: JsonObject) -> JsonObject:
        text = tool_error(
            "NOT_FOUND",
            "No invoice with that ID",
            recovery="List invoices first",
            available_actions=["billing.list"],
            details={"requestedId": "inv_9"},
        )
        return {"content": [{"type": "text", "text": text}], "isError": True}

    async def structured(_arguments: JsonObject) -> JsonObject:
        return {
            "content": [{"type": "text", "text": "47 days ago"}],
            "isError": True,
            "structuredContent": {
                "errorCategory": "business",
                "isRetryable": False,
                "partial_results": [{"order": 1}],
            },
        }

    async def rpc(_arguments: JsonObject) -> JsonObject:
        raise RpcFailure(
            -32050, "over quota", {"errorCode": "QUOTA", "isRetryable": False}
        )

    async def flaky(arguments: JsonObject) -> JsonObject:
        seen.append(arguments)
        if len(seen) % 2:
            text = tool_error("SERVER_BUSY", "queue is full", retry_after=0.01)
            return {"content": [{"type": "text", "text": text}], "isError": True}
        same = seen[-1] == seen[-2]
        return {
            "content": [{"type": "text", "text": "in"}],
            "structuredContent": {"same": same},
        }

    handlers = {"xml": xml, "structured": structured, "rpc": rpc, "flaky": flaky}
    return scripted_server(
        "failing",
        [
            ServedTool(info=ToolInfo(name=name, annotations=_READ), handle=handle)
            for name, handle in handlers.items()
        ],
    )


def http_app(server: Any) -> Any:
    """Return an ASGI application that serves *server* over Streamable HTTP."""
    if hasattr(server, "streamable_http_app"):
        return server.streamable_http_app()
    applications: Any = importlib.import_module("starlette.applications")
    routing: Any = importlib.import_module("starlette.routing")
    managers: Any = importlib.import_module("mcp.server.streamable_http_manager")
    manager = managers.StreamableHTTPSessionManager(app=server)

    @contextlib.asynccontextmanager
    async def lifespan(_app: object) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    class Endpoint:
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

    return applications.Starlette(
        routes=[routing.Route("/mcp", endpoint=Endpoint())], lifespan=lifespan
    )


def _serve_http() -> None:
    uvicorn: Any = importlib.import_module("uvicorn")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = uvicorn.Config(http_app(failing_server()), log_level="error")
    server = uvicorn.Server(config)
    threading.Timer(_LIFETIME, lambda: setattr(server, "should_exit", True)).start()
    print(f"http://127.0.0.1:{port}/mcp", flush=True)  # noqa: T201 - tells the port
    server.run(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1] == "http":
        _serve_http()
    else:
        anyio.run(serve_stdio, failing_server())
