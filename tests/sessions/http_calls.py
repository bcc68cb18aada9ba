"""One call over Streamable HTTP."""

from typing import Any

from mcpfusion_client.model import JsonObject
from mcpfusion_client.sessions import (
    ConnectOptions,
    Outcome,
    Request,
    connect,
)
from tests.sessions.http_server import Asked, HttpServer, Reply, text_result

CALL = Request(tool="tool", arguments={"a": 1}, timeout=5)


def fine(asked: Asked) -> Reply:
    """Answer with a result."""
    return text_result(asked, "fine")


async def one_call(
    server: HttpServer, request: Request = CALL, **options: Any
) -> Outcome:
    """Open, call once, close."""
    connection = connect(server.url, ConnectOptions(connect_timeout=5, **options))
    try:
        return await connection.call_tool(request)
    finally:
        await connection.close()


def error_of(asked: Asked, error: JsonObject) -> JsonObject:
    """Return a JSON-RPC error to what was asked."""
    return {"jsonrpc": "2.0", "id": asked.message["id"], "error": error}
