"""An ordinary forward proxy, for clients that are told to use one."""

import asyncio
import contextlib
from collections import Counter
from urllib.parse import urlsplit

from tests.faults.http1 import HttpRequest, LoopbackServer, Wire


class ForwardProxy(LoopbackServer):
    """Passes requests on and opens tunnels.

    Attributes:
        passed: How many requests came through, by method.
        credentials: The ``Proxy-Authorization`` headers that came.
    """

    def __init__(self) -> None:
        super().__init__()
        self.passed: Counter[str] = Counter()
        self.credentials: set[str] = set()

    async def serve(self, wire: Wire) -> None:
        """Serve one connection, as a tunnel or request by request."""
        while (request := await wire.read_request()) is not None:
            self.passed[request.method] += 1
            if "proxy-authorization" in request.headers:
                self.credentials.add(request.headers["proxy-authorization"])
            if request.method == "CONNECT":
                host, port = request.target.rsplit(":", 1)
                await self._tunnel(wire, host, int(port))
                return
            await self._pass(wire, request)

    async def _tunnel(self, wire: Wire, host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        await wire.send(b"HTTP/1.1 200 Connected\r\n\r\n")
        await asyncio.wait(
            {
                asyncio.ensure_future(_pump(wire.reader, writer)),
                asyncio.ensure_future(_pump(reader, wire.writer)),
            },
            return_when=asyncio.FIRST_COMPLETED,
        )
        writer.close()

    async def _pass(self, wire: Wire, request: HttpRequest) -> None:
        target = urlsplit(request.target)
        path = target.path + (f"?{target.query}" if target.query else "")
        head = [f"{request.method} {path} HTTP/1.1"]
        head += [f"{name}: {value}" for name, value in request.headers.items()]
        head += ["connection: close"]
        reader, writer = await asyncio.open_connection(target.hostname, target.port)
        writer.write("\r\n".join([*head, "", ""]).encode("latin-1") + request.body)
        answer = await Wire(reader, writer).read_head()
        if answer is None:
            wire.close()
            return
        line, headers = answer
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        writer.close()
        lines = [line, *(f"{name}: {value}" for name, value in headers.items())]
        await wire.send("\r\n".join([*lines, "", ""]).encode("latin-1") + body)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
