"""Tell the errors the SDK makes itself from those a server sent.

Numbers alone do not: -32000 is the SDK's "connection closed" and also a server's
own code. The SDK's errors have a known text and no data.
"""

from mcpfusion_client.sessions.compat import RpcError

_MADE_BY_SDK: tuple[tuple[frozenset[int], str], ...] = (
    (frozenset({408}), "Timed out while waiting for response"),
    (frozenset({-32001}), "Request '"),
    (frozenset({-32001}), "Timed out after "),
    (frozenset({-32000}), "Connection closed"),
    (frozenset({-32000}), "SSE stream "),
    (frozenset({32600, -32600}), "Session terminated"),
    (frozenset({-32600}), "server answered a request with 202"),
    (frozenset({-32600}), "Unexpected content type"),
    (frozenset({-32600}), "Redirect to "),
    (frozenset({-32601}), "Not Found"),
    (frozenset({-32603}), "Server returned an error response"),
    (frozenset({-32700}), "Failed to parse "),
)


def made_by_sdk(error: RpcError) -> bool:
    """Did the SDK itself make *error*, as far as its text tells?"""
    return error.data is None and any(
        error.code in codes and error.message.startswith(start)
        for codes, start in _MADE_BY_SDK
    )


def says_session_gone(error: RpcError) -> bool:
    """Does the SDK say that the server has forgotten the session?"""
    return error.message.startswith("Session terminated")


def says_closed(error: RpcError) -> bool:
    """Does the SDK say that the connection is closed?"""
    return error.message.startswith("Connection closed")
