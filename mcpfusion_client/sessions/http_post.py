"""One JSON-RPC request over HTTP: whose it is, and whether it has left.

When the HTTP client says what it does, that is known exactly: until the headers go
out, nothing has been sent.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
import attrs

from mcpfusion_client.sessions.flight import Flight

_HANDSHAKE = frozenset({"initialize", "server/discover"})
_MOST_OF_AN_ERROR = 256 * 1024
_ERROR_BODY_SECONDS = 2.0


class GivenUpError(Exception):
    """Nobody waits any more, and nothing has been sent yet."""


@attrs.define(eq=False)
class Post:
    """One request the SDK sends.

    Attributes:
        request_id: Its JSON-RPC id.
        method: Its JSON-RPC method.
        headers: What the SDK sends with it.
        body: What the SDK sends.
        flight: Our own call it belongs to, None for one the user makes.
        scope: Waits in it until the HTTP response is there.
        abandoned: Nobody waits for the answer any more.
        started: Bytes may have left.
        delivered: The server has begun to answer, so they certainly have.
        resumes: Failed attempts to resume its stream.
    """

    request_id: int | str
    method: str
    headers: Mapping[str, str]
    body: bytes
    flight: Flight | None
    scope: anyio.CancelScope = attrs.field(factory=anyio.CancelScope)
    abandoned: bool = False
    started: bool = False
    delivered: bool = False
    resumes: int = 0

    @property
    def handshake(self) -> bool:
        """Does negotiating the protocol depend on how it fails?"""
        return self.method in _HANDSHAKE

    def sending(self, *, started: bool) -> None:
        """Note whether bytes may have left."""
        self.started = started or self.delivered
        if self.flight is not None:
            self.flight.sent = self.started

    def abandon(self) -> None:
        """Nobody waits any more: let go of the connection."""
        self.abandoned = True
        self.scope.cancel()

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Follow what the HTTP client does with it."""
        name = event.rpartition(".")[0]
        if not event.endswith(".started") or _is_connect(info):
            return
        # Until the headers go out, a request that is traced has not been sent.
        if name.startswith("connection."):
            self.sending(started=False)
        elif name.endswith(".send_request_headers"):
            if self.abandoned:
                # It has been reported as never sent; keep it so.
                raise GivenUpError
            self.sending(started=True)


def _is_connect(info: Mapping[str, Any]) -> bool:
    """Is this the request that opens a tunnel through a proxy?"""
    return getattr(info.get("request"), "method", None) == b"CONNECT"


async def next_chunk(chunks: AsyncIterator[bytes], post: Post) -> bytes | None:
    """Return the next chunk, None at the end or when nobody waits any more."""
    if post.abandoned:
        return None
    with anyio.CancelScope() as post.scope:
        return await anext(chunks, None)
    return None


async def read_some(response: Any) -> bytes:
    """Return the start of a body, whatever its size and however slow it comes."""
    body = bytearray()
    chunks = response.aiter_bytes()
    try:
        with anyio.move_on_after(_ERROR_BODY_SECONDS):
            async for chunk in chunks:
                body += chunk
                if len(body) >= _MOST_OF_AN_ERROR:
                    break
    except Exception:  # noqa: BLE001, S110 - the status alone says enough
        pass
    finally:
        await chunks.aclose()
        await response.aclose()
    return bytes(body[:_MOST_OF_AN_ERROR])
