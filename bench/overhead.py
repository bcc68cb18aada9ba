"""What a call through the client costs more than the same call without it.

    python bench/overhead.py [--rounds 30] [--calls 100] [--json]

Two tables. The first compares, in process and interleaved in one run, the bare SDK
session, this package's client and fastmcp's client, on a call that succeeds and on
one that fails. The second compares, on a scripted session, a bare
``await session.call_tool(...)`` with the whole engine around it, on both event loops.

Times are CPU microseconds for one call, the median over the rounds; a ratio is the
median of the ratios within each round, so that other programs on the machine count
little. A failing call is not repeated here.
"""

import argparse
import asyncio
import functools
import importlib
import json
import logging
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Final, TypeAlias

import anyio
import attrs

from mcpfusion_client import MCPFusionClient, MCPFusionClientError
from mcpfusion_client.testing import ScriptedSession

Call: TypeAlias = Callable[[], Awaitable[object]]
ARGUMENTS: Final = {"number": 7, "text": "a customer's name"}
BARE: Final = "bare"


@attrs.frozen(kw_only=True)
class Row:
    """One line of a table.

    Attributes:
        path: What is measured.
        contender: Who is.
        microseconds: CPU time of one call.
        ratio: A multiple of the bare call of the same round.
    """

    path: str
    contender: str
    microseconds: float
    ratio: float


def server() -> object:
    """Return an in-process server of the installed SDK with two tools."""
    try:
        room: Any = importlib.import_module("mcp.server.mcpserver")
    except ImportError:
        room = importlib.import_module("mcp.server.fastmcp")
    made: Any = getattr(room, "MCPServer", None) or room.FastMCP
    made = made("bench")
    tool_error: type[Exception] = importlib.import_module(
        f"{room.__name__}.exceptions"
    ).ToolError

    async def succeed(number: int, text: str) -> str:
        return f"{text}: {number}"

    async def fail(number: int, text: str) -> str:
        msg = f"no {text} with the number {number}"
        raise tool_error(msg)

    made.tool()(succeed)
    made.tool()(fail)
    return made


async def bare_session(stack: AsyncExitStack, target: object) -> object:
    """Open the SDK's own session to *target*."""
    mcp: Any = importlib.import_module("mcp")
    if hasattr(mcp, "Client"):
        opening: Any = mcp.Client(target)
    else:
        memory: Any = importlib.import_module("mcp.shared.memory")
        # The first generation offers no other way in.
        lowlevel: object = getattr(target, "_mcp_server")  # noqa: B009
        opening = memory.create_connected_server_and_client_session(lowlevel)
    session: object = await stack.enter_async_context(opening)
    return session


async def contenders(stack: AsyncExitStack) -> Mapping[str, Callable[[str], Call]]:
    """Open one client of each kind to one server."""
    target = server()
    bare = await bare_session(stack, target)
    ours = await stack.enter_async_context(MCPFusionClient(target, retry=False))
    fastmcp: Any = importlib.import_module("fastmcp")
    theirs: Any = await stack.enter_async_context(fastmcp.Client(target))
    tool_error: type[Exception] = importlib.import_module(
        "fastmcp.exceptions"
    ).ToolError

    def calling(client: object, failure: type[Exception]) -> Callable[[str], Call]:
        return lambda tool: functools.partial(attempt, client, tool, failure)

    return {
        BARE: calling(bare, RuntimeError),
        "mcpfusion-client": calling(ours, MCPFusionClientError),
        "fastmcp": calling(theirs, tool_error),
    }


async def attempt(client: object, tool: str, failure: type[Exception]) -> None:
    """Call *tool* once; a failure is the point of some calls."""
    calling: Any = client
    try:
        await calling.call_tool(tool, ARGUMENTS)
    except failure:
        assert tool == "fail"


async def measure(
    calls: Mapping[str, Call], *, rounds: int, repeats: int
) -> dict[str, list[float]]:
    """Return the CPU microseconds of each call in each round, measured in turns."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        for _ in range(10):
            await call()
    for _ in range(rounds):
        for name, call in calls.items():
            before = time.process_time()
            for _ in range(repeats):
                await call()
            taken[name].append((time.process_time() - before) / repeats * 1e6)
    return taken


def rows(path: str, taken: Mapping[str, list[float]]) -> list[Row]:
    """Return the lines of one comparison."""
    bare = taken[BARE]
    return [
        Row(
            path=path,
            contender=name,
            microseconds=statistics.median(times),
            ratio=statistics.median(
                each / base for each, base in zip(times, bare, strict=True)
            ),
        )
        for name, times in taken.items()
    ]


async def in_process(rounds: int, repeats: int) -> list[Row]:
    """Compare the three clients."""
    found: list[Row] = []
    async with AsyncExitStack() as stack:
        clients = await contenders(stack)
        for tool in ("succeed", "fail"):
            calls = {name: calling(tool) for name, calling in clients.items()}
            taken = await measure(calls, rounds=rounds, repeats=repeats)
            found += rows(f"in process, tool {tool}s", taken)
    return found


async def scripted(loop: str, rounds: int, repeats: int) -> list[Row]:
    """Compare a scripted session with and without the engine."""
    session = ScriptedSession(iter(lambda: "done", None))
    client = MCPFusionClient(session)

    async def bare() -> None:
        session.calls.clear()
        await session.call_tool("report", dict(ARGUMENTS))

    async def engine() -> None:
        session.calls.clear()
        await client.call_tool("report", ARGUMENTS)

    calls: dict[str, Call] = {BARE: bare, "engine": engine}
    taken = await measure(calls, rounds=rounds, repeats=repeats)
    taken["engine alone"] = [
        each - base for each, base in zip(taken["engine"], taken[BARE], strict=True)
    ]
    return rows(f"scripted, {loop}", taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    logging.disable()
    rounds, repeats = options.rounds, options.calls
    found = asyncio.run(in_process(rounds, repeats))
    for loop in ("asyncio", "trio"):
        found += anyio.run(scripted, loop, rounds, repeats, backend=loop)
    if options.json:
        print(json.dumps([attrs.asdict(row) for row in found]))
        return
    for row in found:
        print(
            f"{row.path:24} {row.contender:18} "
            f"{row.microseconds:9.1f} us {row.ratio:7.2f}x"
        )


if __name__ == "__main__":
    main()
