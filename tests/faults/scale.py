"""Many calls at once, and many calls one after the other."""

import time

import anyio
import attrs

from mcpfusion_client import MCPFusionClient, RetryPolicy
from tests.faults.harness import LONG, fate
from tests.faults.server import FaultServer


@attrs.frozen(kw_only=True)
class Tally:
    """How a run went.

    Attributes:
        results: How many calls got their own result.
        seconds: How long it took.
        at_once: How many calls the server held at the same moment.
    """

    results: int
    seconds: float
    at_once: int = 1


async def all_at_once(server: FaultServer, calls: int) -> Tally:
    """Have *calls* calls in flight through one client, all at the same moment.

    The server answers none of them before it holds all of them.
    """
    fates: list[str] = []
    at_once = 0
    began = time.monotonic()

    async def call(number: int) -> None:
        fates.append(await fate(client, "hold", f"call {number}"))

    async with (
        MCPFusionClient(server.url, timeout=LONG, gate=None) as client,
        anyio.create_task_group() as group,
    ):
        for number in range(calls):
            group.start_soon(call, number)
        await server.until(lambda: server.held == calls, LONG)
        at_once = server.held
        server.release()
    return Tally(
        results=fates.count("survives"),
        seconds=time.monotonic() - began,
        at_once=at_once,
    )


async def one_by_one(server: FaultServer, calls: int, restart_every: int) -> Tally:
    """Make *calls* calls in sequence; the server restarts every so many."""
    results = 0
    began = time.monotonic()
    policy = RetryPolicy(base_delay=0.01, max_delay=0.05)
    async with MCPFusionClient(server.url, timeout=LONG, retry=policy) as client:
        for number in range(calls):
            if number and number % restart_every == 0:
                await anyio.to_thread.run_sync(server.restart)
            results += await fate(client, "write", f"call {number}") == "survives"
    return Tally(results=results, seconds=time.monotonic() - began)
