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
from mcpfusion_client.sessions.targets import Kind, recognise

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
        TypeError: *target* is nothing a client can use.
    """
    kind = recognise(target)
    if kind in (Kind.SDK_CLIENT, Kind.SDK_SESSION, Kind.FASTMCP_CLIENT):
        return _room("wrapped").WrappedConnection(target, kind, options)
    if kind is Kind.OBJECT:
        return _room("objects").ObjectConnection(target, options)
    opener = _opener(kind, target, options)
    return _room("supervisor").SupervisedConnection(opener, options)


def _room(name: str) -> Any:
    return importlib.import_module(f"mcpfusion_client.sessions.{name}")


def _opener(kind: Kind, target: Any, options: ConnectOptions) -> Any:
    openers = _room("openers")
    match kind:
        case Kind.URL:
            return _room("http_opener").HttpOpener(target, options)
        case Kind.COMMAND:
            return openers.command_opener(tuple(target))
        case Kind.STDIO:
            return openers.stdio_opener(target)
        case Kind.SDK_SERVER:
            return openers.ServerOpener(_server_name(target), target)
        case Kind.FASTMCP_SERVER:
            return openers.FastmcpOpener(_server_name(target), target)
        case Kind.FASTMCP_TRANSPORT:
            return openers.FastmcpOpener(f"transport:{type(target).__name__}", target)
        case _:
            return openers.given_opener(target)


def _server_name(server: Any) -> str:
    name = getattr(server, "name", None)
    return f"in-process:{name or type(server).__name__}"
