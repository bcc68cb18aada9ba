"""An MCP server over Streamable HTTP that misbehaves when a call asks it to.

Tools: ``ok`` answers, ``hold`` answers when the test lets it, ``fault`` plays the
script its argument names, ``read``, ``write`` and ``plain`` are on the ledger.
"""

import asyncio
import json
import ssl
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from mcpfusion_client.model import JsonObject, JsonValue
from tests.faults.echoes import ECHOES
from tests.faults.http1 import (
    PATIENCE,
    HttpRequest,
    LoopbackServer,
    Wire,
    pause,
    response,
)
from tests.faults.scripts import SCRIPTS, SSE_HEAD, Script, chunk, play, result

LEGACY = "2025-11-25"
MODERN = "2026-07-28"

_HANDSHAKE = frozenset({"initialize", "server/discover"})

_WRITES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}
_ANNOTATIONS: Mapping[str, JsonObject] = {
    "read": {"readOnlyHint": True},
    "write": _WRITES,
    "shaped": _WRITES,
}
TOOLS = ("ok", "hold", "fault", "read", "write", "plain")
_SHAPE: JsonObject = {
    "type": "object",
    "properties": {"number": {"type": "integer"}},
    "required": ["number"],
}


@attrs.define
class Ledger:
    """What really happened, as the server saw it.

    Attributes:
        posts: How many ``tools/call`` requests arrived, by tool.
        runs: How often a call was carried out, by its tag.
        methods: How many requests arrived, by JSON-RPC or HTTP method.
        attempts: How many ``tools/call`` requests arrived, by tag.
        headers: The headers of the last request, by method.
    """

    posts: Counter[str] = attrs.field(factory=Counter[str])
    runs: Counter[str] = attrs.field(factory=Counter[str])
    methods: Counter[str] = attrs.field(factory=Counter[str])
    attempts: Counter[str] = attrs.field(factory=Counter[str])
    headers: dict[str, Mapping[str, str]] = attrs.field(
        factory=dict[str, Mapping[str, str]]
    )


class FaultServer(LoopbackServer):
    """Speaks one protocol era and keeps a ledger.

    Attributes:
        overrides: Scripts to play instead of an answer, by JSON-RPC method, or
            by HTTP method for GET and DELETE.
        after_call: The same, in force once a tool has been called.
        echo: What to answer the handshake with, if not as usual.
        tools: The tools that are listed.
        redirect_once: Where to send the next ``tools/call`` with a 307.
        token: The Authorization header every POST must carry, if any.
        challenge: The ``WWW-Authenticate`` header for those that do not.
        pages: Whole responses to GET, by path.
    """

    def __init__(
        self,
        era: str,
        *,
        session_ids: bool = True,
        tls: ssl.SSLContext | None = None,
        tools: Sequence[str] = TOOLS,
    ) -> None:
        super().__init__(tls=tls)
        self.era = era
        self.ledger = Ledger()
        self.overrides: dict[str, Script] = {}
        self.after_call: dict[str, Script] = {}
        self.echo: str | None = None
        self.tools = tuple(tools)
        self.redirect_once: str | None = None
        self.token: str | None = None
        self.challenge = "Bearer"
        self.pages: dict[str, bytes] = {}
        self._issues_session_ids = session_ids and era == "legacy"
        self._session_ids: set[str] = set()
        self._held: dict[str, asyncio.Event] = {}
        self._gates: dict[str, asyncio.Event] = {}
        self._last_fault: tuple[str, JsonValue] = ("", None)

    @property
    def url(self) -> str:
        """The endpoint."""
        return f"{self.origin}/mcp"

    @property
    def openings(self) -> int:
        """How many sessions were opened."""
        opening = "initialize" if self.era == "legacy" else "server/discover"
        return self.ledger.methods[opening]

    @property
    def held(self) -> int:
        """How many calls of ``hold`` are waiting now."""
        return len(self._held)

    def release(self) -> None:
        """Let every held call answer."""
        self.run(self._release())

    def forget_sessions(self) -> None:
        """Answer every session handed out so far with 404."""
        self._session_ids.clear()

    def restart(self) -> None:
        """Die with every connection and session, and come back on the same port."""
        self.drop()
        self.forget_sessions()
        self.listen()

    def shut_gate(self, method: str) -> None:
        """Hold every answer to *method* back until `open_gate`."""
        self._gates[method] = asyncio.Event()

    def open_gate(self, method: str) -> None:
        """Answer *method* again."""
        gate = self._gates.pop(method)
        self._loop.call_soon_threadsafe(gate.set)

    async def serve(self, wire: Wire) -> None:
        """Answer requests until the connection is done."""
        while (request := await wire.read_request()) is not None:
            wire.busy = True
            keep = await self.answer(request, wire)
            wire.busy = False
            if not keep or self._listener is None:
                return

    async def answer(self, request: HttpRequest, wire: Wire) -> bool:
        """Answer one request; False when the connection is of no further use."""
        if request.method != "POST":
            return await self._answer_plain(request, wire)
        message = request.json()
        method = str(message.get("method"))
        self.ledger.methods[method] += 1
        self.ledger.headers[method] = request.headers
        self.note()
        if method in self._gates:
            await self._gates[method].wait()
        refusal = self._refusal(request, method)
        if refusal is not None:
            await wire.send(refusal)
            return True
        if self.echo is not None and method in _HANDSHAKE:
            await wire.send(ECHOES[self.echo](message["id"], request.headers))
            return True
        script = self._script(method)
        if script is not None:
            return await play(script(message.get("id")), wire)
        if "id" not in message:
            await wire.send(response(202))
            return True
        return await self._answer_rpc(method, message, wire)

    async def _release(self) -> None:
        for event in self._held.values():
            event.set()

    def _refusal(self, request: HttpRequest, method: str) -> bytes | None:
        if self.token not in (None, request.headers.get("authorization")):
            return response(401, b"{}", ("www-authenticate", self.challenge))
        if method == "tools/call" and self.redirect_once is not None:
            location, self.redirect_once = self.redirect_once, None
            return response(307, b"", ("location", location))
        if self._is_forgotten(request, method) and self._script(method) is None:
            return response(404, b'{"error": "no such session"}')
        return None

    def _script(self, method: str) -> Script | None:
        called = self.ledger.methods["tools/call"] > 0
        if called and method in self.after_call:
            return self.after_call[method]
        return self.overrides.get(method)

    def _is_forgotten(self, request: HttpRequest, method: str) -> bool:
        if not self._issues_session_ids or method in _HANDSHAKE:
            return False
        return request.headers.get("mcp-session-id") not in self._session_ids

    async def _answer_plain(self, request: HttpRequest, wire: Wire) -> bool:
        self.ledger.methods[request.method] += 1
        self.note()
        if request.method == "GET" and request.target in self.pages:
            await wire.send(self.pages[request.target])
            return True
        script = self._script(request.method)
        if script is not None:
            return await play(script(None), wire)
        if request.method == "GET" and "last-event-id" in request.headers:
            fault, request_id = self._last_fault
            resumed = "fine_sse" if fault == "sse_resumed" else "503_hint"
            return await play(SCRIPTS[resumed](request_id), wire)
        await wire.send(response(200 if request.method == "DELETE" else 405))
        return True

    async def _answer_rpc(self, method: str, message: JsonObject, wire: Wire) -> bool:
        request_id = message["id"]
        if method == "tools/call":
            return await self._call(request_id, message["params"], wire)
        headers: list[tuple[str, str]] = []
        if method == "initialize" and self._issues_session_ids:
            session_id = uuid.uuid4().hex
            self._session_ids.add(session_id)
            headers.append(("mcp-session-id", session_id))
        headers.append(("set-cookie", "biscuit=crumbs; Path=/"))
        document = self._document(method)
        if document is None:
            error: JsonObject = {"code": -32601, "message": "Method not found"}
            reply = {"jsonrpc": "2.0", "id": request_id, "error": error}
        else:
            reply = {"jsonrpc": "2.0", "id": request_id, "result": document}
        await wire.send(response(200, json.dumps(reply).encode(), *headers))
        return True

    def _document(self, method: str) -> JsonObject | None:
        who: JsonObject = {
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "faults", "version": "1"},
        }
        cache: JsonObject = {"ttlMs": 0, "cacheScope": "public"}
        match method, self.era:
            case "initialize", "legacy":
                return {"protocolVersion": LEGACY, **who}
            case "server/discover", "modern":
                done = {"supportedVersions": [MODERN], "resultType": "complete"}
                return {**done, **who, **cache}
            case "tools/list", _:
                listed = [_tool(name) for name in self.tools]
                return {"tools": listed, "resultType": "complete", **cache}
            case "ping", _:
                return {}
            case _:
                return None

    async def _call(self, id_: JsonValue, params: JsonObject, wire: Wire) -> bool:
        name = str(params.get("name"))
        arguments: JsonObject = params.get("arguments") or {}
        tag = str(arguments.get("tag", ""))
        self.ledger.posts[name] += 1
        self.ledger.attempts[tag] += 1
        if name == "fault":
            self.note()
            fault = str(arguments["fault"])
            self._last_fault = (fault, id_)
            if fault in ECHOES:
                await wire.send(ECHOES[fault](id_, self.ledger.headers["tools/call"]))
                return True
            return await play(SCRIPTS[fault](id_), wire)
        if name == "hold":
            await self._hold(wire)
        self.ledger.runs[tag] += 1
        self.note()
        if name == "shaped":
            body = result(id_, tag, structuredContent=arguments.get("answer"))
        elif name == "progress":
            return await self._progress(id_, params, wire)
        else:
            body = result(id_, tag)
        await wire.send(response(200, body))
        return True

    async def _hold(self, wire: Wire) -> None:
        key = uuid.uuid4().hex
        self._held[key] = asyncio.Event()
        self.note()
        ended = asyncio.ensure_future(wire.reader.read(1))
        released = asyncio.ensure_future(self._held[key].wait())
        try:
            await asyncio.wait(
                {ended, released},
                timeout=PATIENCE,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            del self._held[key]
            ended.cancel()
            released.cancel()
            await asyncio.gather(ended, released, return_exceptions=True)

    async def _progress(self, id_: JsonValue, params: JsonObject, wire: Wire) -> bool:
        """Send progress every 100 ms for as many steps as asked, then the result."""
        meta: JsonObject = params.get("_meta") or {}
        token: JsonValue = meta.get("progressToken")
        steps = int(params["arguments"]["steps"])
        await wire.send(SSE_HEAD)
        for step in range(steps):
            told = {"progressToken": token, "progress": step + 1, "total": steps}
            note = {
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": told,
            }
            data = json.dumps(note).encode()
            await wire.send(chunk(b"event: message\ndata: " + data + b"\n\n"))
            await pause(0.1)
        data = result(id_, "done")
        await wire.send(chunk(b"event: message\ndata: " + data + b"\n\n") + chunk(b""))
        return True


def _tool(name: str) -> JsonObject:
    tool: dict[str, JsonValue] = {
        "name": name,
        "inputSchema": {"type": "object", "properties": {}},
    }
    if name in _ANNOTATIONS:
        tool["annotations"] = _ANNOTATIONS[name]
    if name == "shaped":
        tool["outputSchema"] = _SHAPE
    return tool
