"""A proxy that injects faults at random, and the calls that go through it.

Which fault a request meets depends on the seed, on the call and on how often the
call was sent, never on which of them comes first: a run can be repeated. What
really happened is on two ledgers: the server's, which calls it carried out, and
the proxy's, which answers it handed on whole.
"""

import asyncio
import random
import time
from collections import Counter
from typing import TypeAlias

import anyio
import attrs

from mcpfusion_client import (
    ConnectError,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    ToolResult,
)
from mcpfusion_client.model import JsonObject
from tests.faults.http1 import HttpRequest, LoopbackServer, Wire, pause, response
from tests.faults.scripts import SCRIPTS, Send, Step, play
from tests.faults.server import FaultServer

Outcome: TypeAlias = ToolResult | MCPFusionClientError | BaseException

# Instead of the server: it never sees the request.
_BEFORE: dict[str, float] = {
    "reset_before_headers": 2,
    "fin_before_headers": 2,
    "status_400": 1,
    "status_502": 2,
    "rate_limited": 4,
    "busy": 4,
    "404_session": 2,
}
# After the server has answered: the answer is lost on its way.
_AFTER: dict[str, float] = {
    "reset_before_headers": 3,
    "reset_in_body": 2,
    "fin_in_body": 2,
    "reset_in_sse_event": 2,
    "sse_ends_without_reply": 1,
    "garbage_json": 1,
    "wrong_id": 1,
    "202": 1,
    "status_500": 2,
    "status_504": 2,
    "silence": 0.5,
}
_SOON = ("retry-after-ms", "5")
_OWN_SCRIPTS: dict[str, bytes] = {
    "rate_limited": response(429, b"{}", _SOON),
    "busy": response(503, b"{}", _SOON),
}


@attrs.frozen
class Fate:
    """What the proxy does to one request."""

    forwards: bool
    script: str | None = None
    delay: float = 0.0


class ChaosProxy(LoopbackServer):
    """Sits in front of a server and spoils part of what passes.

    Attributes:
        delivered: How many whole answers were handed on, by the call's tag.
        injected: How often each fault was injected.
    """

    def __init__(self, upstream: FaultServer, *, seed: int, rate: float = 0.35) -> None:
        super().__init__()
        self.delivered: Counter[str] = Counter()
        self.injected: Counter[str] = Counter()
        self._upstream = upstream
        self._seed = seed
        self._rate = rate
        self._seen: Counter[str] = Counter()

    @property
    def url(self) -> str:
        """The endpoint."""
        return f"{self.origin}/mcp"

    async def serve(self, wire: Wire) -> None:
        """Pass requests on until the connection is done or spoiled."""
        while (request := await wire.read_request()) is not None:
            if not await self._pass(request, wire):
                return

    async def _pass(self, request: HttpRequest, wire: Wire) -> bool:
        tag = _tag(request)
        self._seen[tag] += 1
        fate = self._fate(tag, self._seen[tag], request)
        if fate.script is not None:
            kind = "after" if fate.forwards else "before"
            self.injected[f"{fate.script} {kind}"] += 1
        answer = await self._forward(request) if fate.forwards else b""
        await pause(fate.delay)
        if fate.script is not None:
            return await play(self._steps(fate.script, request), wire)
        await wire.send(answer)
        self.delivered[tag] += 1
        return True

    def _fate(self, tag: str, count: int, request: HttpRequest) -> Fate:
        # Seeded by a text: the same in every process.
        dice = random.Random(f"{self._seed} {tag} {count}")  # noqa: S311 - a test
        delay = dice.choice((0.0, 0.0, 0.0, 0.002, 0.02))
        if dice.random() >= self._rate or request.method != "POST":
            return Fate(forwards=True, delay=delay)
        is_call = b'"tools/call"' in request.body
        if dice.random() < 0.5 or not is_call:
            names = [name for name in _BEFORE if is_call or name != "404_session"]
            weights = [_BEFORE[name] for name in names]
            return Fate(False, dice.choices(names, weights)[0], delay)
        script = dice.choices(list(_AFTER), list(_AFTER.values()))[0]
        return Fate(True, script, delay)

    def _steps(self, script: str, request: HttpRequest) -> list[Step]:
        own = _OWN_SCRIPTS.get(script)
        if own is not None:
            return [Send(own)]
        request_id = request.json().get("id")
        return list(SCRIPTS[script](request_id))

    async def _forward(self, request: HttpRequest) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._upstream.port)
        head = [f"{request.method} {request.target} HTTP/1.1"]
        head += [f"{name}: {value}" for name, value in request.headers.items()]
        writer.write("\r\n".join([*head, "", ""]).encode("latin-1") + request.body)
        upstream = Wire(reader, writer)
        answer = await upstream.read_head()
        if answer is None:
            return response(502)
        line, headers = answer
        body = await reader.readexactly(int(headers["content-length"]))
        writer.close()
        lines = [line, *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def _tag(request: HttpRequest) -> str:
    if request.method != "POST":
        return request.method
    message = request.json()
    params: JsonObject = message.get("params") or {}
    arguments: JsonObject = params.get("arguments") or {}
    return str(arguments.get("tag") or message.get("method"))


@attrs.define
class Report:
    """How a run of chaos ended.

    Attributes:
        outcomes: What every call came to, by its tag.
        seconds: How long the run took.
    """

    outcomes: dict[str, Outcome] = attrs.field(factory=dict[str, Outcome])
    seconds: float = 0.0

    def violations(self, server: FaultServer, proxy: ChaosProxy) -> list[str]:
        """Compare what was reported with what happened; empty when all is true."""
        found: list[str] = []
        for tag, outcome in self.outcomes.items():
            runs = server.ledger.runs[tag]
            if isinstance(outcome, ToolResult):
                if outcome.text != tag or runs == 0:
                    found.append(f"{tag}: a result that is not its own")
            elif not isinstance(outcome, MCPFusionClientError):
                found.append(f"{tag}: {outcome!r} instead of a typed error")
            elif outcome.execution is Execution.NOT_EXECUTED and runs:
                found.append(f"{tag}: ran, but is reported as not executed")
            elif proxy.delivered[tag]:
                found.append(f"{tag}: its result was delivered and lost: {outcome!r}")
            if tag.startswith("write") and runs > 1:
                found.append(f"{tag}: a write that ran {runs} times")
        return found

    def count(self) -> Counter[str]:
        """How many calls came to what."""
        return Counter(
            "result" if isinstance(outcome, ToolResult) else type(outcome).__name__
            for outcome in self.outcomes.values()
        )


async def run(url: str, *, calls: int, tasks: int, patience: float = 1.0) -> Report:
    """Make *calls* calls from *tasks* tasks over one client.

    A third of them are marked as reads, a third as writes, a third as nothing.

    Args:
        url: The proxy.
        calls: How many calls in all.
        tasks: How many at once.
        patience: Seconds, the timeout of an attempt.
    """
    report = Report()
    tools = ("read", "write", "plain")
    policy = RetryPolicy(base_delay=0.005, max_delay=0.05)
    began = time.monotonic()

    async def caller(first: int) -> None:
        for number in range(first, calls, tasks):
            tool = tools[number % 3]
            tag = f"{tool} {number}"
            report.outcomes[tag] = await _outcome(client, tool, tag)

    client = MCPFusionClient(url, timeout=patience, retry=policy)
    await _open(client)
    try:
        async with anyio.create_task_group() as group:
            for first in range(tasks):
                group.start_soon(caller, first)
    finally:
        await client.close()
    report.seconds = time.monotonic() - began
    return report


async def _open(client: MCPFusionClient) -> None:
    """Opening meets faults too, and is the caller's to repeat."""
    while True:
        try:
            return await client.connect()
        except ConnectError:
            continue


async def _outcome(client: MCPFusionClient, tool: str, tag: str) -> Outcome:
    try:
        return await client.call_tool(tool, {"tag": tag})
    except MCPFusionClientError as error:
        return error
    except Exception as error:  # noqa: BLE001 - it is what the test looks for
        return error
