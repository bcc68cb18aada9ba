"""What others put into Redis is not believed."""

import json
from typing import Any

import fakeredis
import pytest

from mcpfusion_client.retry.fleet import LONGEST, Closed, digest
from mcpfusion_client.testing import VirtualClock
from tests.integrations.fleets import INFO, call, fleet_on, until


@pytest.fixture
def anyio_backend() -> str:
    """redis.asyncio knows no other event loop."""
    return "asyncio"


_NOW = 1_796_036_391_800


_ORDERS = str(Closed.of("orders", None, INFO))


def _news(**changed: Any) -> str:
    told = {"v": 1, "from": "x", "closed": _ORDERS, "now": _NOW, "until": _NOW + 30_000}
    return json.dumps(told | changed)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "later",
        b"\xff\xfe",
        "[" * 5000,
        "[1]",
        "NaN",
        _news(v=2),
        _news(v=None),
        _news(closed=None),
        _news(closed="orders * rate_limited X"),
        _news(closed={"server": "orders"}),
        _news(now=None),
        _news()[:-1],
        _news(until="soon"),
        _news(until="inf"),
        _news(until=10**400),
        _news(until=_NOW),
        _news(until=_NOW - 1),
        _news(until=_NOW + 1000 * LONGEST + 101),
        _news(padding="x" * 1000),
        _news(budget="orders", closed=None),
        _news(budget=[digest("orders")], closed=None),
    ],
)
async def test_a_message_that_makes_no_sense_changes_nothing(
    server: fakeredis.FakeServer, redis_client: Any, message: str | bytes
) -> None:
    """And the next one is heard."""
    clock = VirtualClock()
    async with fleet_on(server, clock) as fleet:
        await redis_client.publish("mcpfusion:1:news", message)
        await redis_client.publish(
            "mcpfusion:1:news",
            _news(closed=str(Closed.of("bills", None, INFO)), until=_NOW + 20_000),
        )
        await until(lambda: digest("bills") in fleet.gate._servers)
        room = fleet.gate.ticket("bills", "t", 0.0, 60.0)
        assert fleet.gate.ask(room, 0.0, 0.0).seconds == 20.0
        result = await call(fleet, "3 orders", clock)

        assert fleet.connected
        assert fleet.budget.left("orders") == 50.0
    assert result.text == "3 orders"
    assert clock.monotonic() == 0.0


async def test_values_that_make_no_sense_are_cleared_away(
    server: fakeredis.FakeServer, redis_client: Any
) -> None:
    """Whatever somebody wrote under the keys of the fleet."""
    clock = VirtualClock()
    many = {f"garbage {number}": 4e12 + number for number in range(600)}
    await redis_client.zadd(
        "mcpfusion:1:closed", {b"\xff": 2e12, "b": "inf", "c": -1.0} | many
    )
    key = f"mcpfusion:1:budget:{digest('orders')}"
    await redis_client.hset(key, "spent", "lots")
    async with fleet_on(server, clock) as fleet:
        fleet.budget.take("orders")
        assert await fleet.sync()
        result = await call(fleet, "3 orders", clock)

        assert fleet.connected
        assert fleet.budget.left("orders") == 50.0, "the success refilled it"
    assert result.text == "3 orders"
    assert await redis_client.zcard("mcpfusion:1:closed") == 0
