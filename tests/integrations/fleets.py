"""Fleets over a Redis in memory."""

from collections.abc import Callable
from typing import Any

import anyio
import fakeredis

from mcpfusion_client import (
    ErrorCategory,
    ErrorInfo,
    MCPFusionClient,
    tool_error,
)
from mcpfusion_client.integrations.redis import RedisFleet
from mcpfusion_client.testing import ScriptedSession, VirtualClock

LATER = tool_error("RATE_LIMITED", "Slow down", retry_after=30)
DOWN = tool_error("SERVER_BUSY", "The queue is full")
INFO = ErrorInfo(message="later", category=ErrorCategory.RATE_LIMITED)


def fleet_on(server: fakeredis.FakeServer, clock: VirtualClock, **options: Any) -> Any:
    """Return a fleet with its own connections."""
    decode = options.pop("decode_responses", False)
    client = fakeredis.FakeAsyncRedis(server=server, decode_responses=decode)
    return RedisFleet(client, clock=clock, **options)


async def call(fleet: Any, outcome: Any, clock: VirtualClock, **options: Any) -> Any:
    """Call a tool in a process of the fleet."""
    session = ScriptedSession([outcome], server="orders")
    async with MCPFusionClient(
        session, gate=fleet.gate, budget=fleet.budget, clock=clock
    ) as client:
        return await client.call_tool("search", raise_on_error=False, **options)


async def until(happened: Callable[[], object]) -> None:
    """Wait for something that comes from Redis."""
    with anyio.fail_after(10):
        while not happened():  # noqa: ASYNC110 - nobody tells
            await anyio.sleep(0.01)
