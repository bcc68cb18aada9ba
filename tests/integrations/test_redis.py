"""A fleet over a Redis in memory: what is shared, what is not, and what is refused."""

import subprocess
import sys
from typing import Any

import anyio
import fakeredis
import pytest
import redis

from mcpfusion_client import (
    MCPFusionClient,
    StopReason,
    tool_error,
)
from mcpfusion_client.integrations.redis import RedisFleet
from mcpfusion_client.retry.fleet import LONGEST, Closed, digest
from mcpfusion_client.testing import ScriptedSession, VirtualClock
from tests.integrations.fleets import DOWN, INFO, LATER, call, fleet_on


@pytest.fixture
def anyio_backend() -> str:
    """redis.asyncio knows no other event loop."""
    return "asyncio"


@pytest.mark.parametrize("decode_responses", [False, True])
async def test_who_starts_later_waits_as_well(
    server: fakeredis.FakeServer, *, decode_responses: bool
) -> None:
    """A process that was not there when the server said "later" sends nothing."""
    clock, later = VirtualClock(), VirtualClock()
    async with fleet_on(server, clock) as one:
        await call(one, LATER, clock, retry=False)
        assert await one.sync()

        async with fleet_on(server, later, decode_responses=decode_responses) as two:
            hurried = await call(two, "3 orders", later, deadline=5.0)
            patient = await call(two, "3 orders", later)

    assert hurried.stop_reason is StopReason.GATE_DEADLINE
    assert 29.0 < hurried.error.retry_after <= 30.2
    assert hurried.attempts == ()
    assert patient.text == "3 orders"
    assert 29.0 < later.monotonic() < 33.0


async def test_leaving_tells_what_is_still_untold(
    server: fakeredis.FakeServer, redis_client: Any
) -> None:
    """A process that ends at once has told the others first."""
    clock = VirtualClock()
    async with fleet_on(server, clock) as one:
        one.gate.close("orders", None, INFO, 0.0, 30.0)

    (told,) = await redis_client.zrange("mcpfusion:1:closed", 0, -1)
    assert Closed.read(told.decode()) == Closed.of("orders", None, INFO)


async def test_a_retry_that_one_process_paid_for_is_one_less_for_all(
    server: fakeredis.FakeServer,
) -> None:
    """Two tokens for the fleet, so the third futile retry is not made."""
    clock = VirtualClock()
    async with (
        fleet_on(server, clock, capacity=2.0) as one,
        fleet_on(server, clock, capacity=2.0) as two,
    ):
        spent = ScriptedSession([DOWN] * 3, server="orders")
        async with MCPFusionClient(
            spent, gate=None, budget=one.budget, clock=clock
        ) as client:
            first = await client.call_tool("search", raise_on_error=False)
        await one.sync()
        two.budget.take("orders")  # what a process pays before it has heard
        await two.sync()
        second = await call(two, DOWN, clock)

    assert first.stop_reason is StopReason.BUDGET_EXHAUSTED
    assert len(first.attempts) == 3
    assert second.stop_reason is StopReason.BUDGET_EXHAUSTED
    assert len(second.attempts) == 1


async def test_what_is_kept_has_an_end_and_names_nothing(
    server: fakeredis.FakeServer, redis_client: Any
) -> None:
    """Keys expire, and neither they nor their values say what was called."""
    clock = VirtualClock()
    secret = tool_error("hunter2 is the password", "hunter2", retry_after=30)
    async with fleet_on(server, clock, prefix="shop") as fleet:
        for outcome in (secret, LATER):
            session = ScriptedSession([outcome], server="https://u:hunter2@orders/mcp")
            async with MCPFusionClient(
                session, gate=fleet.gate, budget=fleet.budget, clock=clock
            ) as client:
                await client.call_tool("hunter2", retry=False, raise_on_error=False)
        fleet.budget.take("hunter2")
        await fleet.sync()

    keys = await redis_client.keys("*")
    assert sorted(keys) == [
        f"shop:1:budget:{digest('hunter2')}".encode(),
        b"shop:1:closed",
    ]
    for key in keys:
        assert 0 < await redis_client.pttl(key) <= 1000 * LONGEST + 100
    closed = await redis_client.zrange("shop:1:closed", 0, -1)
    assert closed
    assert b"hunter2" not in b"".join([*keys, *closed])


async def test_another_prefix_is_another_fleet(server: fakeredis.FakeServer) -> None:
    """Credentials with a quota of their own do not wait for others."""
    clock = VirtualClock()
    async with (
        fleet_on(server, clock) as one,
        fleet_on(server, clock, prefix="b") as two,
    ):
        await call(one, LATER, clock, retry=False)
        one.budget.take("orders")
        await one.sync()
        await two.sync()
        result = await call(two, "3 orders", clock)

        assert result.text == "3 orders"
        assert two.budget.left("orders") == 50.0
    assert clock.monotonic() < 1.0


async def test_what_a_process_said_itself_it_does_not_hear_again(
    server: fakeredis.FakeServer,
) -> None:
    """The failure that closed the gate stays the one that is raised."""
    clock = VirtualClock()
    async with fleet_on(server, clock) as fleet:
        await call(fleet, LATER, clock, retry=False)
        for _ in range(3):
            assert await fleet.sync()
        refused = await call(fleet, "3 orders", clock, deadline=5.0)

    assert refused.error.message == "Slow down"
    assert refused.error.retry_after == 30.0


def test_trio_is_refused_with_an_error_that_says_why() -> None:
    """redis.asyncio would fail somewhere deep below."""
    client = fakeredis.FakeAsyncRedis()

    async def main() -> None:
        with pytest.raises(RuntimeError, match="asyncio"):
            async with RedisFleet(client):
                pass

    anyio.run(main, backend="trio")


async def test_one_fleet_is_opened_once_at_a_time(
    server: fakeredis.FakeServer,
) -> None:
    """One after the other is fine."""
    fleet = fleet_on(server, VirtualClock())
    async with fleet:
        with pytest.raises(RuntimeError):
            await fleet.__aenter__()
        assert fleet.connected
    assert not fleet.connected
    async with fleet:
        assert fleet.connected


def test_what_cannot_work_is_refused_at_once() -> None:
    """The blocking client above all: it has the same name."""
    blocking: Any = redis.Redis()
    with pytest.raises(TypeError, match=r"redis\.asyncio\.Redis"):
        RedisFleet(blocking)
    client = fakeredis.FakeAsyncRedis()
    with pytest.raises(ValueError, match="prefix"):
        RedisFleet(client, prefix="")
    for capacity in (0.5, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="capacity"):
            RedisFleet(client, capacity=capacity)


def test_without_the_extra_one_line_says_how_to_install_it() -> None:
    """Only who asks for a fleet needs redis-py."""
    program = (
        "import sys; sys.modules['redis'] = None\n"
        "import mcpfusion_client.client\n"
        "try: import mcpfusion_client.integrations.redis\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )

    assert "mcpfusion-client[redis]" in done.stdout
