"""Recognise what a client is given, without importing an SDK to do so.

Whoever passes an object of an SDK has imported that SDK already, so the names of
the classes it inherits from tell enough.
"""

import enum
import inspect

from mcpfusion_client.sessions.shapes import is_sequence

ACCEPTED = (
    "a URL string (http:// or https://), a command as a list of strings or "
    "StdioServerParameters, an in-process server (mcp FastMCP, MCPServer or Server, "
    "fastmcp FastMCP), an MCP SDK transport, a connected mcp.Client, "
    "mcp.ClientSession or fastmcp.Client, or an object with "
    "async call_tool(name, arguments)"
)

_MUST_BE = f"the target must be {ACCEPTED}"


class Kind(enum.Enum):
    """The kinds of target."""

    URL = "url"
    COMMAND = "command"
    STDIO = "stdio"
    SDK_SERVER = "sdk server"
    FASTMCP_SERVER = "fastmcp server"
    FASTMCP_TRANSPORT = "fastmcp transport"
    SDK_CLIENT = "sdk client"
    SDK_SESSION = "sdk session"
    FASTMCP_CLIENT = "fastmcp client"
    OBJECT = "object"
    TRANSPORT = "transport"


CONNECTED = frozenset(
    {Kind.SDK_CLIENT, Kind.SDK_SESSION, Kind.FASTMCP_CLIENT, Kind.OBJECT}
)
"""The kinds that somebody else has opened."""

_BY_CLASS = {
    ("mcp", "StdioServerParameters"): Kind.STDIO,
    ("mcp", "FastMCP"): Kind.SDK_SERVER,
    ("mcp", "MCPServer"): Kind.SDK_SERVER,
    ("mcp", "Server"): Kind.SDK_SERVER,
    ("fastmcp", "FastMCP"): Kind.FASTMCP_SERVER,
    ("mcp", "Client"): Kind.SDK_CLIENT,
    ("mcp", "ClientSession"): Kind.SDK_SESSION,
    ("fastmcp", "Client"): Kind.FASTMCP_CLIENT,
    ("fastmcp", "ClientTransport"): Kind.FASTMCP_TRANSPORT,
}


def recognise(target: object) -> Kind:
    """Return what kind of target *target* is.

    Raises:
        TypeError: It is none; the message lists what is accepted, and does not
            repeat the value.
    """
    if isinstance(target, str):
        if target.lower().startswith(("http://", "https://")):
            return Kind.URL
        msg = f"{_MUST_BE}; this string is no http:// or https:// URL"
        raise TypeError(msg)
    if is_sequence(target):
        if all(isinstance(part, str) for part in target) and any(target[:1]):
            return Kind.COMMAND
        msg = f"{_MUST_BE}; a command is a list of strings, the program first"
        raise TypeError(msg)
    kind = _by_class(target) or _by_shape(target)
    if kind is None:
        msg = f"{_MUST_BE}; not {type(target).__qualname__}"
        raise TypeError(msg)
    return kind


def _by_class(target: object) -> Kind | None:
    if isinstance(target, type):
        return None
    for cls in type(target).__mro__:
        kind = _BY_CLASS.get((cls.__module__.partition(".")[0], cls.__name__))
        if kind is not None:
            return kind
    return None


def _by_shape(target: object) -> Kind | None:
    if isinstance(target, type):
        return None
    call_tool = getattr(target, "call_tool", None)
    if callable(call_tool):
        return None if _is_plainly_sync(call_tool) else Kind.OBJECT
    if hasattr(target, "__aenter__") and hasattr(target, "__aexit__"):
        return Kind.TRANSPORT
    return None


def _is_plainly_sync(method: object) -> bool:
    """Is this an ordinary function, which cannot be awaited?

    A decorated one may return an awaitable all the same.
    """
    function = getattr(method, "__func__", method)
    return (
        inspect.isfunction(function)
        and not inspect.iscoroutinefunction(function)
        and not hasattr(function, "__wrapped__")
    )
