"""Sessions: everything that speaks MCP, over any transport and both SDK generations.

No type of an SDK leaves this room; whatever happens to a call becomes an `Outcome`.
The SDK is imported when a connection is opened, never before.
"""

import importlib
from typing import Any

from mcpfusion_client.sessions.base import (
    Connection,
    Outcome,
    ProgressCallback,
    Request,
    ToolSession,
)
from mcpfusion_client.sessions.options import (
    ConnectOptions,
    HttpClient,
    SessionEvent,
    SessionEventKind,
    SessionListener,
)
from mcpfusion_client.sessions.targets import CONNECTED, Kind, recognise

__all__ = [
    "ConnectOptions",
    "Connection",
    "HttpClient",
    "Outcome",
    "ProgressCallback",
    "Request",
    "SessionEvent",
    "SessionEventKind",
    "SessionListener",
    "ToolSession",
    "connect",
]


def connect(target: object, options: ConnectOptions) -> Connection:
    """Return a connection to *target*; nothing is opened yet.

    Args:
        target: A URL, a command, a server, a transport, or something connected.
        options: How to connect.

    Raises:
        TypeError: *target* is nothing a client can use, or an option does not
            go with it.
    """
    kind = recognise(target)
    if kind is not Kind.URL:
        _refuse_http_options(options)
    if kind in CONNECTED:
        _refuse_session_options(options)
    connection: Connection
    if kind in (Kind.SDK_CLIENT, Kind.SDK_SESSION, Kind.FASTMCP_CLIENT):
        connection = _room("wrapped").WrappedConnection(target, kind, options)
    elif kind is Kind.OBJECT:
        connection = _room("objects").ObjectConnection(target, options)
    else:
        opener = _opener(kind, target, options)
        connection = _room("supervisor").SupervisedConnection(opener, options)
    return connection


def _refuse_http_options(options: ConnectOptions) -> None:
    for name in ("headers", "auth", "http_client"):
        if getattr(options, name) is not None:
            msg = f"{name}= is for a URL; this target has no HTTP of ours"
            raise TypeError(msg)


def _refuse_session_options(options: ConnectOptions) -> None:
    for name, value in options.callbacks.items():
        if value is not None:
            msg = f"{name}= is for a session of ours; give it to what is connected"
            raise TypeError(msg)


def _room(name: str) -> Any:
    return importlib.import_module(f"mcpfusion_client.sessions.{name}")


def _opener(kind: Kind, target: Any, options: ConnectOptions) -> Any:
    if kind is Kind.URL:
        return _room("http_opener").HttpOpener(target, options)
    opener = getattr(_room("openers"), _OPENERS[kind])
    return opener(target, options) if kind in _STARTED else opener(target)


_STARTED = frozenset({Kind.COMMAND, Kind.STDIO})


_OPENERS = {
    Kind.COMMAND: "command_opener",
    Kind.STDIO: "stdio_opener",
    Kind.SDK_SERVER: "server_opener",
    Kind.FASTMCP_SERVER: "fastmcp_opener",
    Kind.FASTMCP_TRANSPORT: "fastmcp_opener",
    Kind.TRANSPORT: "given_opener",
}
