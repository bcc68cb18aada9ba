"""HTTP servers that answer in odd ways, some behind TLS."""

import socket
import ssl
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager

import trustme

from mcpfusion_client.model import JsonObject
from tests.sessions.http_server import (
    Answer,
    Asked,
    HttpServer,
    Reply,
    text_result,
)

SECRET = "ghp_" + "a1B2" * 9
GOOD_TOOL: JsonObject = {
    "name": "get_invoice",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


class OddServer(HttpServer):
    """Answers some requests in its own way.

    Attributes:
        own: By path, JSON-RPC method or HTTP method.
    """

    def __init__(self) -> None:
        super().__init__(lambda asked: text_result(asked, "fine"))
        self.tools = [GOOD_TOOL]
        self.own: dict[str, Answer] = {}

    def reply(self, asked: Asked) -> Reply:
        """Return the response to one request."""
        for key in (asked.path, str(asked.method), asked.verb):
            if key in self.own:
                return self.own[key](asked)
        return super().reply(asked)


def served() -> OddServer:
    """Return a server with one good tool."""
    return OddServer()


def html(status: int, text: str = "<html><b>no</b></html>") -> Reply:
    """Return a page."""
    return Reply(
        status=status, body=text.encode(), headers=(("content-type", "text/html"),)
    )


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Generator[int, None, None]:
    """Yield the port of a socket whose connections *serve* gets."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(10)
                    serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@contextmanager
def encrypted(
    server: HttpServer, context: ssl.SSLContext
) -> Generator[str, None, None]:
    """Run *server* behind TLS and yield its URL."""
    plain = server._server.socket
    server._server.socket = context.wrap_socket(
        plain, server_side=True, do_handshake_on_connect=False
    )
    with server:
        yield f"https://localhost:{server.port}/mcp"


def presenting(certificate: trustme.LeafCert) -> ssl.SSLContext:
    """Return a server's context with *certificate*."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with certificate.private_key_and_cert_chain_pem.tempfile() as file:
        context.load_cert_chain(file)
    return context
