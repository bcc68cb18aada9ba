"""What is known about the server at the other end of a connection."""

from typing import Literal

import attrs


@attrs.frozen(kw_only=True)
class Peer:
    """The server at the other end, as far as the connection knows it.

    Attributes:
        server: The connection's name for the server, without credentials.
        transport: ``tcp`` over HTTP, ``pipe`` over standard input and output,
            None in process or when somebody else opened the connection.
        address: The host name of a URL.
        port: Its port.
        protocol_version: The version of MCP that was agreed on.
        session_id: The ``Mcp-Session-Id`` of the session that is open. It names
            the session to the server: keep it out of public places.
    """

    server: str
    transport: Literal["tcp", "pipe"] | None = None
    address: str | None = None
    port: int | None = None
    protocol_version: str | None = None
    session_id: str | None = None
