"""A fleet over a Redis in memory: what is shared, what is not, and what is refused."""

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from typing import Any
from unittest.mock import AsyncMock, Mock

import anyio
import anyio.lowlevel
import fakeredis
import pytest
import redis
from redis.asyncio.client import PubSub

from mcpfusion_client import (
    ErrorCategory,
    ErrorInfo,
    MCPFusionClient,
    StopReason,
    tool_error,
)
from mcpfusion_client.integrations import redis as over_redis
from mcpfusion_client.integrations.redis import RedisFleet
from mcpfusion_client.retry.fleet import LONGEST, Closed, digest
from mcpfusion_client.testing import ScriptedSession, VirtualClock

_LATER = tool_error("RATE_LIMITED", "Slow down", retry_after=30)
_DOWN = tool_error("SERVER_BUSY", "The queue is full")
_INFO = ErrorInfo(message="later", category=ErrorCategory.RATE_LIMITED)


@pytest.fixture
def anyio_backend() -> str:
    """redis.asyncio knows no other event loop."""
    return "asyncio"


@pytest.fixture
def server() -> fakeredis.FakeServer:
    """What every fleet of a test shares."""
    return fakeredis.FakeServer()


@pytest.fixture
async def redis_client(server: fakeredis.FakeServer) -> AsyncGenerator[Any, None]:
    """A client for the test itself."""
    client = fakeredis.FakeAsyncRedis(server=server)
    yield client
    await client.aclose()


def _fleet(server: fakeredis.FakeServer, clock: VirtualClock, **options: Any) -> Any:
    decode = options.pop("decode_responses", False)
    client = fakeredis.FakeAsyncRedis(server=server, decode_responses=decode)
    return RedisFleet(client, clock=clock, **options)


async def _call(fleet: Any, outcome: Any, clock: VirtualClock, **options: Any) -> Any:
    """Call a tool in a process of the fleet."""
    session = ScriptedSession([outcome], server="orders")
    async with MCPFusionClient(
        session, gate=fleet.gate, budget=fleet.budget, clock=clock
    ) as client:
        return await client.call_tool("search", raise_on_error=False, **options)


async def _until(happened: Callable[[], object]) -> None:
    """Wait for something that comes from Redis."""
    with anyio.fail_after(10):
        while not happened():  # noqa: ASYNC110 - nobody tells
            await anyio.sleep(0.01)


@pytest.mark.parametrize("decode_responses", [False, True])
async def test_who_starts_later_waits_as_well(
    server: fakeredis.FakeServer, *, decode_responses: bool
) -> None:
    """A process that was not there when the server said "later" sends nothing."""
    clock, later = VirtualClock(), VirtualClock()
    async with _fleet(server, clock) as one:
        await _call(one, _LATER, clock, retry=False)
        assert await one.sync()

        async with _fleet(server, later, decode_responses=decode_responses) as two:
            hurried = await _call(two, "3 orders", later, deadline=5.0)
            patient = await _call(two, "3 orders", later)

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
    async with _fleet(server, clock) as one:
        one.gate.close("orders", None, _INFO, 0.0, 30.0)

    (told,) = await redis_client.zrange("mcpfusion:1:closed", 0, -1)
    assert Closed.read(told.decode()) == Closed.of("orders", None, _INFO)


async def test_a_retry_that_one_process_paid_for_is_one_less_for_all(
    server: fakeredis.FakeServer,
) -> None:
    """Two tokens for the fleet, so the third futile retry is not made."""
    clock = VirtualClock()
    async with (
        _fleet(server, clock, capacity=2.0) as one,
        _fleet(server, clock, capacity=2.0) as two,
    ):
        spent = ScriptedSession([_DOWN] * 3, server="orders")
        async with MCPFusionClient(
            spent, gate=None, budget=one.budget, clock=clock
        ) as client:
            first = await client.call_tool("search", raise_on_error=False)
        await one.sync()
        two.budget.take("orders")  # what a process pays before it has heard
        await two.sync()
        second = await _call(two, _DOWN, clock)

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
    async with _fleet(server, clock, prefix="shop") as fleet:
        for outcome in (secret, _LATER):
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
    async with _fleet(server, clock) as one, _fleet(server, clock, prefix="b") as two:
        await _call(one, _LATER, clock, retry=False)
        one.budget.take("orders")
        await one.sync()
        await two.sync()
        result = await _call(two, "3 orders", clock)

        assert result.text == "3 orders"
        assert two.budget.left("orders") == 50.0
    assert clock.monotonic() < 1.0


async def test_what_a_process_said_itself_it_does_not_hear_again(
    server: fakeredis.FakeServer,
) -> None:
    """The failure that closed the gate stays the one that is raised."""
    clock = VirtualClock()
    async with _fleet(server, clock) as fleet:
        await _call(fleet, _LATER, clock, retry=False)
        for _ in range(3):
            assert await fleet.sync()
        refused = await _call(fleet, "3 orders", clock, deadline=5.0)

    assert refused.error.message == "Slow down"
    assert refused.error.retry_after == 30.0


_NOW = 1_796_036_391_800
_ORDERS = str(Closed.of("orders", None, _INFO))


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
    async with _fleet(server, clock) as fleet:
        await redis_client.publish("mcpfusion:1:news", message)
        await redis_client.publish(
            "mcpfusion:1:news",
            _news(closed=str(Closed.of("bills", None, _INFO)), until=_NOW + 20_000),
        )
        await _until(lambda: digest("bills") in fleet.gate._servers)
        room = fleet.gate.ticket("bills", "t", 0.0, 60.0)
        assert fleet.gate.ask(room, 0.0, 0.0).seconds == 20.0
        result = await _call(fleet, "3 orders", clock)

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
    async with _fleet(server, clock) as fleet:
        fleet.budget.take("orders")
        assert await fleet.sync()
        result = await _call(fleet, "3 orders", clock)

        assert fleet.connected
        assert fleet.budget.left("orders") == 50.0, "the success refilled it"
    assert result.text == "3 orders"
    assert await redis_client.zcard("mcpfusion:1:closed") == 0


async def test_a_key_of_another_kind_leaves_a_process_alone_and_says_why(
    server: fakeredis.FakeServer, redis_client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """It is somebody else's, so it is left as it is."""
    clock = VirtualClock()
    await redis_client.set("mcpfusion:1:closed", "mine")
    async with _fleet(server, clock) as fleet:
        assert not fleet.connected
        result = await _call(fleet, "3 orders", clock)

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
    async with _fleet(server, clock, capacity=1.0) as fleet:
        assert not fleet.connected
        limited = await _call(fleet, _LATER, clock, retry=False)
        refused = await _call(fleet, "3 orders", clock, deadline=5.0)
        assert [fleet.budget.take("orders") for _ in range(2)] == [True, False]
        assert not await fleet.sync()

        server.connected = True
        await _until(lambda: fleet.connected)
        async with _fleet(server, other) as two:
            heard = await _call(two, "3 orders", other, deadline=5.0)

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
    async with _fleet(server, clock) as one, _fleet(server, clock) as two:
        one.gate.close("orders", None, _INFO, 0.0, 30.0)
        await _until(lambda: two._known)


async def test_with_messages_nobody_has_to_ask(
    server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What closes a gate, and that half of a budget is gone, is told at once."""
    monkeypatch.setattr(over_redis, "_SELDOM", 3600.0)
    clock = VirtualClock()
    async with (
        _fleet(server, clock, capacity=4.0) as one,
        _fleet(server, clock, capacity=4.0) as two,
    ):
        one.gate.close("orders", None, _INFO, 0.0, 30.0)
        for _ in range(2):
            one.budget.take("orders")
        await _until(lambda: two._known and two.budget.left("orders") == 2.0)


async def test_a_redis_that_has_forgotten_is_told_again(
    server: fakeredis.FakeServer, redis_client: Any
) -> None:
    """By whoever was told to wait itself."""
    clock = VirtualClock()
    async with _fleet(server, clock) as fleet:
        await _call(fleet, _LATER, clock, retry=False)
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
        await _fleet(server, VirtualClock())._listen(silent)

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
    async with _fleet(server, VirtualClock()) as fleet:
        await _until(lambda: len(tested) > 3)
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
        async with _fleet(server, VirtualClock()) as fleet:
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
    async with _fleet(server, clock) as one, _fleet(server, clock) as two:
        server.connected = False
        one.budget.take("orders")
        await _until(lambda: not one.connected)
        one.budget.take("orders")
        assert one.budget.left("orders") == 48.0

        server.connected = True
        await _until(lambda: one.connected and two.connected)
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

    fleet = _fleet(server, VirtualClock())
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
    async with _fleet(server, VirtualClock()) as fleet:
        assert not fleet.connected
    assert "SUBSCRIBE" in caplog.text


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
    fleet = _fleet(server, VirtualClock())
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
