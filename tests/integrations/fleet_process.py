"""One process of a fleet: it does what it reads, and prints what came of it.

``call TOOL`` calls a tool, ``try TOOL`` once and ``hurry TOOL`` with a deadline of two
seconds; ``heard`` waits until another process closed the gate, ``left`` until no token
is left, ``connected`` and ``alone`` until Redis is there, or not. It ends by itself
after two minutes.
"""

import json
import sys
import time
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from redis.asyncio import Redis

from mcpfusion_client import MCPFusionClient, RetryPolicy
from mcpfusion_client.integrations.redis import RedisFleet
from mcpfusion_client.model import JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable

_LIFETIME = 240.0  # seconds; a machine may be busy with other things
_POLICY = RetryPolicy(base_delay=0.01)


async def main(port: int, url: str) -> None:
    """Follow the commands on standard input; the first one opens the fleet."""
    with anyio.fail_after(_LIFETIME):
        _say({})
        await _read()
        async with (
            Redis(port=port) as client,
            RedisFleet(client, capacity=4.0) as fleet,
            MCPFusionClient(
                url, gate=fleet.gate, budget=fleet.budget, retry=_POLICY
            ) as calls,
        ):
            _say({"connected": fleet.connected})
            while line := await _read():
                began = time.monotonic()
                said = await _carry_out(line.split(), fleet, calls, url)
                _say({**said, "seconds": time.monotonic() - began})


async def _read() -> str:
    return await anyio.to_thread.run_sync(sys.stdin.readline)


async def _carry_out(
    words: list[str], fleet: RedisFleet, calls: MCPFusionClient, url: str
) -> JsonObject:
    happens: dict[str, Callable[[], object]] = {
        "heard": lambda: fleet._known,
        "left": lambda: fleet.budget.left(url) < 1.0,
        "connected": lambda: fleet.connected,
        "alone": lambda: not fleet.connected,
    }
    if words[0] in happens:
        while not happens[words[0]]():  # noqa: ASYNC110 - nobody tells
            await anyio.sleep(0.001)
        return {}
    result = await calls.call_tool(
        words[1],
        retry=False if words[0] == "try" else None,
        deadline=2.0 if words[0] == "hurry" else None,
        idempotent=True,
        raise_on_error=False,
    )
    return {
        "text": result.text,
        "code": result.error and result.error.code,
        "attempts": len(result.attempts),
        "stop": result.stop_reason,
    }


def _say(said: JsonObject) -> None:
    sys.stdout.write(f"{json.dumps(said)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]), sys.argv[2])
