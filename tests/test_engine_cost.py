"""What a call that succeeds does not do: causes of cost, not times.

`bench/overhead.py` measures the times; here is held what they come from.
"""

import importlib
from collections import Counter
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

import attrs
import pytest

from mcpfusion_client import Decoder, MCPFusionClient, RetryPolicy, tool_error
from mcpfusion_client.clock import SystemClock, Timer
from mcpfusion_client.decode import Reading
from mcpfusion_client.testing import ScriptedOutcome, ScriptedSession

WARNING = tool_error("DEPRECATED", "use v2", severity="warning")


class CountingClock(SystemClock):
    """The real clock; *asked* counts what it was asked for."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def monotonic(self) -> float:
        """Count and tell the time."""
        self.asked["monotonic"] += 1
        return super().monotonic()

    def wall(self) -> datetime:
        """Count and tell the time."""
        self.asked["wall"] += 1
        return super().wall()

    async def sleep(self, seconds: float) -> None:
        """Count and wait."""
        self.asked["sleep"] += 1
        await super().sleep(seconds)

    def timeout(self, seconds: float) -> AbstractContextManager[Timer, bool]:
        """Count and open a cancel scope."""
        self.asked["timeout"] += 1
        return super().timeout(seconds)


@attrs.frozen
class CountingDecoder(Decoder):
    """Counts what it reads."""

    seen: list[object] = attrs.field(factory=list[object])

    def read(
        self,
        x: object,
        *,
        received_at: datetime | None = None,
        detect_disguised: bool = False,
    ) -> Reading:
        """Note the result and read it."""
        self.seen.append(x)
        return super().read(
            x, received_at=received_at, detect_disguised=detect_disguised
        )


@attrs.frozen(kw_only=True)
class CountingPolicy(RetryPolicy):
    """Notes for which tools it was asked."""

    asked: list[str] = attrs.field(factory=list[str])

    def for_call(self, action: str, tool: str) -> RetryPolicy:
        """Note the tool."""
        self.asked.append(tool)
        return super().for_call(action, tool)


def in_process_server() -> object:
    """Return a server of the installed SDK with one tool."""
    try:
        room: Any = importlib.import_module("mcp.server.mcpserver")
    except ImportError:
        room = importlib.import_module("mcp.server.fastmcp")
    made: Any = getattr(room, "MCPServer", None) or room.FastMCP
    made = made("one tool")

    async def greet(name: str) -> str:
        return f"hello, {name}"

    made.tool()(greet)
    server: object = made
    return server


async def test_a_success_opens_one_cancel_scope_and_never_sleeps() -> None:
    """A scope is the dearest part of a call: the attempt's timer is the only one."""
    clock = CountingClock()
    client = MCPFusionClient(ScriptedSession(["first", "second"]), clock=clock)
    await client.call_tool("report", {"id": 7})
    clock.asked.clear()

    await client.call_tool("report", {"id": 7})

    assert clock.asked["timeout"] == 1
    assert clock.asked["sleep"] == 0


async def test_a_success_through_an_sdk_opens_one_cancel_scope_of_ours() -> None:
    """The session in between adds none."""
    clock = CountingClock()
    async with MCPFusionClient(in_process_server(), clock=clock) as client:
        await client.call_tool("greet", {"name": "you"})
        clock.asked.clear()

        await client.call_tool("greet", {"name": "you"})

        assert clock.asked["timeout"] == 1


async def test_a_plain_success_asks_for_the_time_of_day_once() -> None:
    """That is for `Attempt.started`; hints that need another one come in failures."""
    clock = CountingClock()
    client = MCPFusionClient(ScriptedSession(["first", "second"]), clock=clock)
    await client.call_tool("report")
    clock.asked.clear()

    result = await client.call_tool("report")

    assert clock.asked["wall"] == 1
    assert result.attempts[0].started.tzinfo is not None


async def test_a_plain_success_is_not_handed_to_the_decoder() -> None:
    """What cannot hold an error or a warning is not looked through for one."""
    decoder = CountingDecoder()
    client = MCPFusionClient(ScriptedSession(["done"]), decoder=decoder)

    result = await client.call_tool("report")

    assert result.text == "done"
    assert decoder.seen == []


@pytest.mark.parametrize(
    "outcome",
    [
        WARNING,
        {"content": [{"type": "text", "text": "no"}], "isError": True},
        {"content": [{"type": "text", "text": "no"}], "isError": "true"},
    ],
)
async def test_everything_else_is_handed_to_the_decoder(
    outcome: ScriptedOutcome,
) -> None:
    """The short way is for plain successes alone."""
    decoder = CountingDecoder()
    session = ScriptedSession([outcome])
    client = MCPFusionClient(session, decoder=decoder, raise_on_error=False)

    await client.call_tool("report")

    assert len(decoder.seen) == 1


async def test_a_suspicious_client_has_every_success_read() -> None:
    """A failure that was sent as a success looks plain."""
    decoder = CountingDecoder()
    client = MCPFusionClient(
        ScriptedSession(["Error: no such invoice"]),
        decoder=decoder,
        detect_disguised=True,
    )

    await client.call_tool("report")

    assert len(decoder.seen) == 1


async def test_the_limits_of_a_tool_are_worked_out_once() -> None:
    """Policies and effects are gone through for the first call of a tool only."""
    policy = CountingPolicy()
    client = MCPFusionClient(
        ScriptedSession(["first", "second", "third"]), retry=policy
    )
    await client.call_tool("report")
    policy.asked.clear()

    await client.call_tool("report")
    await client.call_tool("report")

    assert policy.asked == []
