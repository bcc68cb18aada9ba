"""What a fleet through Redis costs a call, and how soon one process knows of another.

    python bench/fleet.py [--port 6379] [--rounds 200]

The first figure is a ratio: the steps a gate and a budget take for one call that
succeeds, those of a fleet against those of one process, interleaved in one run. The
second is the time from the moment a gate is closed until the gate of another fleet
knows, each with its own connections to the Redis at the port (on this machine; it is
left out when there is none). Nothing but keys of the prefix ``bench`` is touched.
"""

import argparse
import asyncio
import statistics
import time

from redis.asyncio import Redis

from mcpfusion_client import ErrorCategory, ErrorInfo, RateLimitGate, RetryBudget
from mcpfusion_client.integrations.redis import RedisFleet

_CALLS = 2000
_INFO = ErrorInfo(message="later", category=ErrorCategory.RATE_LIMITED)


def call_cost(gate: RateLimitGate, budget: RetryBudget) -> float:
    """Return the CPU microseconds of one call."""
    began = time.process_time()
    for number in range(_CALLS):
        now = number * 0.01
        ticket = gate.ticket("https://example.com/mcp", "search", now, 60.0)
        gate.ask(ticket, now, 0.5)
        gate.succeeded(ticket, now + 0.005)
        budget.succeeded("https://example.com/mcp", retried=False)
    return 1e6 * (time.process_time() - began) / _CALLS


def cost_table(rounds: int) -> None:
    """Print what a call costs."""
    alone: list[float] = []
    shared: list[float] = []
    for _ in range(rounds):
        fleet = RedisFleet(Redis())
        alone.append(call_cost(RateLimitGate(), RetryBudget()))
        shared.append(call_cost(fleet.gate, fleet.budget))
    ratio = statistics.median(b / a for a, b in zip(alone, shared, strict=True))
    one, many = statistics.median(alone), statistics.median(shared)
    print(f"gate and budget, a call: {one:.1f} us alone, {many:.1f} us in a fleet")
    print(f"ratio {ratio:.2f}")


async def delays(port: int, rounds: int) -> None:
    """Print how long the news take."""
    seconds: list[float] = []
    async with (
        Redis(port=port) as here,
        Redis(port=port) as there,
        RedisFleet(here, prefix="bench") as one,
        RedisFleet(there, prefix="bench") as two,
    ):
        loop = asyncio.get_running_loop()
        for number in range(rounds):
            known = len(two._known)  # noqa: SLF001 - there is no other way to see it
            began = time.perf_counter()
            one.gate.close("bench", f"tool {number}", _INFO, loop.time(), 20.0)
            while len(two._known) == known:  # noqa: SLF001
                await asyncio.wait([loop.create_future()], timeout=0.0002)
            seconds.append(time.perf_counter() - began)
            await asyncio.wait([loop.create_future()], timeout=0.06)
    median, worst = statistics.median(seconds), sorted(seconds)[int(0.95 * rounds)]
    print(
        f"news reach another: median {1e3 * median:.1f} ms, 95 % {1e3 * worst:.1f} ms"
    )


async def answers(port: int) -> bool:
    """Is there a Redis at the port?"""
    async with Redis(port=port) as client, RedisFleet(client, prefix="bench") as fleet:
        return fleet.connected


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=6379)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    cost_table(given.rounds)
    if asyncio.run(answers(given.port)):
        asyncio.run(delays(given.port, given.rounds))
    else:
        print(f"no Redis at port {given.port}: how long news take is left out")


if __name__ == "__main__":
    main()
