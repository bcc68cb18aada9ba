"""A little HTTP/1.1 by hand, so that a server can break it on purpose.

A server runs on an event loop in a thread of its own: the client under test may
then run on asyncio or on trio, and a blocked client cannot block its server.
"""

import asyncio
import contextlib
import json
import socket
import ssl
import struct
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping
from typing import Self, TypeVar

import anyio.to_thread
import attrs

from mcpfusion_client.model import JsonObject

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds after which a server gives up whatever it is waiting for."""

_LARGEST_HEAD = 1 << 20
_TICKS_TO_ACCEPT = 10
"""Turns of the loop after which a connection it has accepted is among the wires."""


@attrs.frozen(kw_only=True)
class HttpRequest:
    """A request as read from the wire; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> JsonObject:
        """Return the body as a JSON object."""
        document: JsonObject = json.loads(self.body)
        return document


async def pause(seconds: float) -> None:
    """Let a server take its time; it is on an event loop of its own."""
    await asyncio.sleep(seconds)  # noqa: TID251 - a server has no clock of ours


def response(
    status: int,
    body: bytes = b"",
    *headers: tuple[str, str],
    content_type: str | None = "application/json",
) -> bytes:
    """Return a whole, well-formed response."""
    lines = [f"HTTP/1.1 {status} Synthetic", f"content-length: {len(body)}"]
    if content_type is not None:
        lines.append(f"content-type: {content_type}")
    lines.extend(f"{name}: {value}" for name, value in headers)
    return "\r\n".join([*lines, "", ""]).encode() + body


@attrs.define(eq=False)
class Wire:
    """One accepted connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    busy: bool = False

    async def read_head(self) -> tuple[str, dict[str, str]] | None:
        """Read a start line and headers; None when the peer is done."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            return None
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        pairs = (line.split(":", 1) for line in lines)
        return first, {name.strip().lower(): value.strip() for name, value in pairs}

    async def read_request(self) -> HttpRequest | None:
        """Read one request; None when the client is done."""
        head = await self.read_head()
        if head is None:
            return None
        line, headers = head
        method, target, _ = line.split(" ", 2)
        try:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        except (asyncio.IncompleteReadError, OSError):
            return None
        return HttpRequest(method=method, target=target, headers=headers, body=body)

    async def send(self, data: bytes) -> None:
        """Send bytes; a client that has gone away is not an error."""
        with contextlib.suppress(OSError):
            self.writer.write(data)
            await self.writer.drain()

    async def gone(self) -> None:
        """Wait until the client hangs up, at most `PATIENCE` seconds."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while await self.reader.read(1024):
                    pass

    def reset(self) -> None:
        """End the connection with a TCP reset."""
        raw: socket.socket | None = self.writer.get_extra_info("socket")
        if raw is not None and raw.fileno() >= 0:
            linger = struct.pack("ii", 1, 0)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()

    def close(self) -> None:
        """End the connection in an orderly way."""
        self.writer.close()


class LoopbackServer:
    """Serves connections on a loopback port from a thread of its own.

    Everything public here may be called from any thread.
    """

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self.port = 0
        self.accepted = 0
        self.wires: set[Wire] = set()
        self._tls = tls
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._listener: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()
        self._transports = weakref.WeakSet[asyncio.WriteTransport]()

    async def serve(self, wire: Wire) -> None:
        """Answer one connection until it ends; what a subclass is for."""
        await wire.gone()

    def __enter__(self) -> Self:
        self._thread.start()
        self.listen()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.refuse()
        self.run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Run *work* on the server's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def listen(self) -> None:
        """Accept connections, on the same port as before."""
        self.run(self._listen())

    def refuse(self) -> None:
        """Stop accepting and drop idle connections; busy ones live on."""
        self.run(self._refuse(also_busy=False))

    def drop(self) -> None:
        """Stop accepting and reset every connection."""
        self.run(self._refuse(also_busy=True))

    def note(self) -> None:
        """Something `wait_for` may be waiting for has changed."""
        with self._changed:
            self._changed.notify_all()

    def wait_for(self, fact: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        """Block until *fact* holds; False when it never does."""
        with self._changed:
            return self._changed.wait_for(fact, seconds)

    async def until(self, fact: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait for *fact* without blocking the caller's event loop."""
        held = await anyio.to_thread.run_sync(self.wait_for, fact, seconds)
        assert held, "the server never saw what the test waits for"

    async def _listen(self) -> None:
        self._listener = await asyncio.start_server(
            self._accept,
            "127.0.0.1",
            self.port,
            ssl=self._tls,
            limit=_LARGEST_HEAD,
            backlog=4096,
        )
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _refuse(self, *, also_busy: bool) -> None:
        if self._listener is not None:
            # asyncio loses a connection whose listener is closed before its transport
            # is made, and never closes it.
            for listening in self._listener.sockets:
                self._loop.remove_reader(listening.fileno())
            for _ in range(_TICKS_TO_ACCEPT):
                await pause(0)
            self._listener.close()
            self._listener = None
        for wire in list(self.wires):
            if also_busy:
                wire.reset()
            elif not wire.busy:
                wire.close()

    async def _end(self) -> None:
        """End every connection, also one that is only just being accepted."""
        mine, quiet = asyncio.current_task(), False
        while not quiet:
            others = [task for task in asyncio.all_tasks() if task is not mine]
            quiet = not others and not self.wires
            # One that was closed may still have something to send.
            for transport in list(self._transports):
                transport.abort()
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            for _ in range(_TICKS_TO_ACCEPT):
                await pause(0)
        await self._loop.shutdown_asyncgens()

    def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        # Known before its task has begun, which may be cancelled before that.
        wire = Wire(reader, writer)
        self.accepted += 1
        self.wires.add(wire)
        self._transports.add(writer.transport)
        task = self._loop.create_task(self._serve(wire))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, wire: Wire) -> None:
        try:
            await self.serve(wire)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            wire.close()
            self.wires.discard(wire)
            self.note()
