"""A Redis that is gone, silent, or has forgotten."""

import asyncio
import contextlib
import logging
from typing import Any
from unittest.mock import AsyncMock, Mock

import anyio
import anyio.lowlevel
import fakeredis
import pytest
from redis.asyncio.client import PubSub

from mcpfusion_client import (
    StopReason,
)
from mcpfusion_client.integrations import redis as over_redis
from mcpfusion_client.integrations.redis import RedisFleet
from mcpfusion_client.testing import VirtualClock
from tests.integrations.fleets import INFO, LATER, call, fleet_on, until


@pytest.fixture
def anyio_backend() -> str:
    """redis.asyncio knows no other event loop."""
    return "asyncio"


async def test_a_key_of_another_kind_leaves_a_process_alone_and_says_why(
    server: fakeredis.FakeServer, redis_client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """It is somebody else's, so it is left as it is."""
    clock = VirtualClock()
    await redis_client.set("mcpfusion:1:closed", "mine")
    async with fleet_on(server, clock) as fleet:
        assert not fleet.connected
        result = await call(fleet, "3 orders", clock)

    assert result.text == "3 orders"
    assert await redis_client.get("mcpfusion:1:closed") == b"mine"
    assert "WRONGTYPE" in caplog.text


async def test_without_redis_a_process_goes_by_what_it_sees_and_says_so_once(
    server: fakeredis.FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Gate and budget hold for its own calls; once Redis is back, for everybody's."""
    caplog.set_level(logging.INFO, "mcpfusion_client")
    clock, other = VirtualClock(), VirtualClock()
    server.connected = False
    async with fleet_on(server, clock, capacity=1.0) as fleet:
        assert not fleet.connected
        limited = await call(fleet, LATER, clock, retry=False)
        refused = await call(fleet, "3 orders", clock, deadline=5.0)
        assert [fleet.budget.take("orders") for _ in range(2)] == [True, False]
        assert not await fleet.sync()

        server.connected = True
        await until(lambda: fleet.connected)
        async with fleet_on(server, other) as two:
            heard = await call(two, "3 orders", other, deadline=5.0)

    assert limited.error.code == refused.error.code == "RATE_LIMITED"
    assert refused.stop_reason is StopReason.GATE_DEADLINE
    assert heard.stop_reason is StopReason.GATE_DEADLINE
    levels = [each.levelno for each in caplog.records if "Redis" in each.getMessage()]
    assert levels == [logging.WARNING, logging.INFO]


async def test_without_messages_the_others_are_asked_now_and_then(
    server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A subscription may lose some."""
    monkeypatch.setattr(over_redis, "_SELDOM", 0.02)
    monkeypatch.setattr(RedisFleet, "_heard", Mock())
    clock = VirtualClock()
    async with fleet_on(server, clock) as one, fleet_on(server, clock) as two:
        one.gate.close("orders", None, INFO, 0.0, 30.0)
        await until(lambda: two._known)


async def test_with_messages_nobody_has_to_ask(
    server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What closes a gate, and that half of a budget is gone, is told at once."""
    monkeypatch.setattr(over_redis, "_SELDOM", 3600.0)
    clock = VirtualClock()
    async with (
        fleet_on(server, clock, capacity=4.0) as one,
        fleet_on(server, clock, capacity=4.0) as two,
    ):
        one.gate.close("orders", None, INFO, 0.0, 30.0)
        for _ in range(2):
            one.budget.take("orders")
        await until(lambda: two._known and two.budget.left("orders") == 2.0)


async def test_a_redis_that_has_forgotten_is_told_again(
    server: fakeredis.FakeServer, redis_client: Any
) -> None:
    """By whoever was told to wait itself."""
    clock = VirtualClock()
    async with fleet_on(server, clock) as fleet:
        await call(fleet, LATER, clock, retry=False)
        assert await fleet.sync()
        await redis_client.flushall()
        assert await fleet.sync()
        assert await fleet.sync()

        assert await redis_client.zcard("mcpfusion:1:closed") == 1


class _Silent:
    """A subscription on which nothing comes, not even the answer to a test."""

    def __init__(self) -> None:
        self.tests = 0

    async def get_message(self, **_options: float) -> None:
        await anyio.lowlevel.checkpoint()

    async def ping(self) -> None:
        self.tests += 1


async def test_a_dead_subscription_is_noticed(server: fakeredis.FakeServer) -> None:
    """Networks forget connections on which nothing happens, and tell nobody."""
    silent = _Silent()
    with pytest.raises(TimeoutError):
        await fleet_on(server, VirtualClock())._listen(silent)

    assert silent.tests == 1


async def test_a_quiet_subscription_is_none_that_is_dead(
    server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers when it is tested."""
    monkeypatch.setattr(over_redis, "_QUIET", 0.01)
    tested: list[object] = []
    pubsub: Any = PubSub
    ping = pubsub.ping

    async def counted(self: object) -> None:
        tested.append(self)
        await ping(self)

    monkeypatch.setattr(pubsub, "ping", counted)
    async with fleet_on(server, VirtualClock()) as fleet:
        await until(lambda: len(tested) > 3)
        assert fleet.connected
    assert len({id(each) for each in tested}) == 1


async def test_a_fleet_is_left_though_a_library_swallows_the_cancellation(
    server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`asyncio.wait_for` did that before Python 3.12, and redis-py uses such code."""
    exchange = RedisFleet._exchange
    stuck = anyio.Event()

    async def swallow(self: RedisFleet) -> None:
        await exchange(self)
        if self.connected:
            stuck.set()
            with contextlib.suppress(asyncio.CancelledError):
                await anyio.sleep(60)

    with anyio.fail_after(10):
        async with fleet_on(server, VirtualClock()) as fleet:
            monkeypatch.setattr(RedisFleet, "_exchange", swallow)
            fleet.budget.take("orders")
            await stuck.wait()
            monkeypatch.undo()


async def test_redis_may_go_away_and_come_back_under_an_open_fleet(
    server: fakeredis.FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The budget counts on meanwhile, and what was spent is told afterwards."""
    caplog.set_level(logging.INFO, "mcpfusion_client")
    clock = VirtualClock()
    async with fleet_on(server, clock) as one, fleet_on(server, clock) as two:
        server.connected = False
        one.budget.take("orders")
        await until(lambda: not one.connected)
        one.budget.take("orders")
        assert one.budget.left("orders") == 48.0

        server.connected = True
        await until(lambda: one.connected and two.connected)
        assert await one.sync()
        two.budget.take("orders")
        assert await two.sync()
        assert two.budget.left("orders") == 47.0
    assert "ConnectionError" in caplog.text


async def test_a_fleet_whose_opening_is_cancelled_leaves_nothing_behind(
    server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it can be opened again."""

    async def hang(_: RedisFleet) -> None:
        await anyio.sleep(60)

    fleet = fleet_on(server, VirtualClock())
    before = asyncio.all_tasks()
    with monkeypatch.context() as patched:
        patched.setattr(RedisFleet, "_stay", hang)
        with anyio.move_on_after(0.05) as scope:
            await fleet.__aenter__()

    assert scope.cancelled_caught
    assert asyncio.all_tasks() == before
    async with fleet:
        assert fleet.connected


async def test_a_redis_that_does_not_answer_the_subscription_is_none(
    server: fakeredis.FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A process must not believe that it hears what it does not."""
    pubsub: Any = PubSub
    monkeypatch.setattr(pubsub, "get_message", AsyncMock(return_value=None))
    async with fleet_on(server, VirtualClock()) as fleet:
        assert not fleet.connected
    assert "SUBSCRIBE" in caplog.text
