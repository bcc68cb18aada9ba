"""A small MCP server over HTTP that answers calls as a test tells it to."""

import http.server
import json
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import attrs

from mcpfusion_client.model import JsonObject, JsonValue


@attrs.frozen(kw_only=True)
class Reply:
    """An HTTP response.

    Attributes:
        status: The status.
        body: The whole body.
        headers: Beside the content length.
    """

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)


@attrs.frozen(kw_only=True)
class Asked:
    """A request as it came.

    Attributes:
        verb: The HTTP method.
        path: With its query.
        headers: Names in lower case.
        message: The JSON-RPC message, empty when there is none.
    """

    verb: str
    path: str
    headers: dict[str, str]
    message: JsonObject

    @property
    def method(self) -> JsonValue:
        """The JSON-RPC method."""
        return self.message.get("method")


def rpc(asked: Asked, **member: JsonValue) -> Reply:
    """Return a JSON-RPC answer: ``result=`` or ``error=``."""
    message = {"jsonrpc": "2.0", "id": asked.message["id"], **member}
    return Reply(body=json.dumps(message).encode())


def text_result(asked: Asked, text: str, **more: JsonValue) -> Reply:
    """Return a tool result with one text block."""
    blocks = [{"type": "text", "text": text}]
    return rpc(asked, result={"content": blocks, "isError": False, **more})


Answer = Callable[[Asked], Reply]


class HttpServer:
    """Speaks the handshake eras; tool calls are answered by *answer*."""

    def __init__(self, answer: Answer, *, sessions: bool = True) -> None:
        self.answer = answer
        self.sessions = sessions
        self.refuses: Reply | None = None
        self.resumes: Answer = lambda _: Reply(status=405)
        self.asked: list[Asked] = []
        self.tools: list[JsonObject] = [
            {"name": "tool", "inputSchema": {"type": "object"}}
        ]
        self._server = _Threads(("127.0.0.1", 0), _handler_of(self))
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def count(self, method: str) -> int:
        """Return how often a JSON-RPC method was asked for."""
        return sum(asked.method == method for asked in self.asked)

    def reply(self, asked: Asked) -> Reply:
        """Return the response to one request."""
        if self.refuses is not None:
            return self.refuses
        if asked.verb != "POST":
            return Reply() if asked.verb == "DELETE" else self.resumes(asked)
        if asked.message.get("id") is None:
            return Reply(status=202)
        known: dict[JsonValue, Answer] = {
            "initialize": self._initialized,
            "tools/list": lambda asked: rpc(asked, result={"tools": self.tools}),
            "tools/call": self.answer,
        }
        answer = known.get(asked.method)
        if answer is None:
            return rpc(asked, error={"code": -32601, "message": "no such method"})
        return answer(asked)

    def _initialized(self, asked: Asked) -> Reply:
        result: dict[str, JsonValue] = {
            "protocolVersion": asked.message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "test", "version": "1"},
        }
        reply = rpc(asked, result=result)
        if not self.sessions:
            return reply
        session = ("mcp-session-id", f"s{self.count('initialize')}")
        return attrs.evolve(reply, headers=(*reply.headers, session))


class _Threads(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of the tests."""


def _handler_of(server: HttpServer) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - theirs
            """Keep quiet."""

        def _do(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length)
            asked = Asked(
                verb=self.command,
                path=self.path,
                headers={name.lower(): value for name, value in self.headers.items()},
                message=json.loads(body) if body else {},
            )
            server.asked.append(asked)
            reply = server.reply(asked)
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_DELETE = _do  # noqa: N815 - theirs

    return Handler
