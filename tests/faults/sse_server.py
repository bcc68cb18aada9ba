"""An MCP server over the older HTTP+SSE transport that misbehaves when asked to."""

import json
import uuid
from collections.abc import Mapping

from mcpfusion_client.model import JsonObject, JsonValue
from tests.faults.http1 import LoopbackServer, Wire, response
from tests.faults.scripts import SSE_HEAD, chunk, result
from tests.faults.server import LEGACY, Ledger

_POST_FAULTS: Mapping[str, bytes] = {
    "post_500": response(500, b"{}"),
    "post_429": response(429, b"{}", ("retry-after", "7")),
    "post_404": response(404, b"{}"),
}


class SseServer(LoopbackServer):
    """One event stream per session; requests come as POSTs beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.openings = 0
        self._streams: dict[str, Wire] = {}
        self._held: list[tuple[JsonValue, str, Wire]] = []

    @property
    def url(self) -> str:
        """Where the event stream is."""
        return f"{self.origin}/sse"

    @property
    def held(self) -> int:
        """How many calls of ``hold`` are waiting now."""
        return len(self._held)

    def release(self) -> None:
        """Let every held call answer."""
        self.run(self._release())

    async def serve(self, wire: Wire) -> None:
        """Serve a stream, or POSTs."""
        while (request := await wire.read_request()) is not None:
            if request.method == "GET":
                await self._stream(wire)
                return
            session = request.target.partition("=")[2]
            if not await self._post(request.json(), session, wire):
                return

    async def _release(self) -> None:
        while self._held:
            request_id, tag, stream = self._held.pop()
            await _say(stream, result(request_id, tag))

    async def _stream(self, wire: Wire) -> None:
        session = uuid.uuid4().hex
        self.openings += 1
        self._streams[session] = wire
        hello = f"event: endpoint\ndata: /messages?session_id={session}\n\n"
        await wire.send(SSE_HEAD + chunk(hello.encode()))
        await wire.gone()
        del self._streams[session]

    async def _post(self, message: JsonObject, session: str, wire: Wire) -> bool:
        stream = self._streams.get(session)
        if stream is None:
            await wire.send(response(404, b"{}"))
            return True
        method = str(message.get("method"))
        params: JsonObject = message.get("params") or {}
        self.ledger.methods[method] += 1
        if method == "tools/call":
            return await self._call(message["id"], params, stream, wire)
        await wire.send(response(202))
        if "id" in message:
            document = _document(method, params)
            reply = {"jsonrpc": "2.0", "id": message["id"], **document}
            await _say(stream, json.dumps(reply).encode())
        return True

    async def _call(
        self, id_: JsonValue, params: JsonObject, stream: Wire, wire: Wire
    ) -> bool:
        name = str(params["name"])
        arguments: JsonObject = params.get("arguments") or {}
        tag, fault = str(arguments.get("tag", "")), str(arguments.get("fault", ""))
        self.ledger.posts[name] += 1
        self.note()
        if fault == "post_reset":
            wire.reset()
            return False
        if fault in _POST_FAULTS:
            await wire.send(_POST_FAULTS[fault])
            return True
        self.ledger.runs[tag] += 1
        await wire.send(response(202))
        if name == "hold":
            self._held.append((id_, tag, stream))
            self.note()
        elif name == "fault":
            await _fault(fault, id_, stream)
        else:
            await _say(stream, result(id_, tag))
        return True


async def _say(stream: Wire, data: bytes) -> None:
    await stream.send(chunk(b"event: message\ndata: " + data + b"\n\n"))


async def _fault(fault: str, id_: JsonValue, stream: Wire) -> None:
    match fault:
        case "stream_reset":
            stream.reset()
        case "stream_fin":
            stream.close()
        case "stream_ends":
            await stream.send(chunk(b""))
        case "stream_cut_in_event":
            await stream.send(chunk(b"event: message\ndata: " + result(id_)[:40]))
            stream.close()
        case "garbage":
            await _say(stream, b"{not json")
        case "wrong_id":
            await _say(stream, result(987654))
        case "fine":
            await _say(stream, result(id_))
        case _:
            pass


def _document(method: str, params: JsonObject) -> JsonObject:
    match method:
        case "initialize":
            who = {"name": "faults", "version": "1"}
            has: JsonObject = {"capabilities": {"tools": {}}, "serverInfo": who}
            asked = params.get("protocolVersion", LEGACY)
            return {"result": {"protocolVersion": asked, **has}}
        case "tools/list":
            schema: JsonObject = {"type": "object", "properties": {}}
            names = ("ok", "hold", "fault")
            tools = [{"name": name, "inputSchema": schema} for name in names]
            return {"result": {"tools": tools}}
        case "ping":
            return {"result": {}}
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}
