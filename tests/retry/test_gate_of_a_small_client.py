"""A client that makes few calls, or none before the trouble, is not starved.

What the storm simulator plays are busy fleets. An agent is quiet for a minute and
then calls ten tools at once; what is usual for it says nothing about what the
server can take: the rest follows as answers come back.
"""

import random

import anyio
import pytest

from mcpfusion_client import MCPFusionClient, RetryPolicy, StopReason, tool_error
from mcpfusion_client.testing import (
    After,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

HINT = 10.0
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=HINT)


class Crowd:
    """Calls of one client against a healthy server that once says "later"."""

    def __init__(self, seed: int, *, until: float, refusal: str = LIMITED) -> None:
        self.clock = VirtualClock()
        self.ends: list[tuple[float, StopReason | None]] = []

        def answer(call: ScriptedCall) -> ScriptedOutcome:
            refused = self.trouble <= call.at < self.trouble + until
            return After(0.1, refusal if refused else "done")

        self.trouble = 0.0
        session = ScriptedSession([answer] * 2000, clock=self.clock)
        self.client = MCPFusionClient(
            session,
            clock=self.clock,
            random=random.Random(seed),  # noqa: S311 - it spreads waits
            retry=RetryPolicy(deadline=60.0),
        )

    async def quiet(self, *, calls: int, every: float) -> None:
        """Make some calls one after the other, and none of them matters."""
        self.trouble = float("inf")
        for _ in range(calls):
            await self.client.call_tool("t")
            await self.clock.sleep(every)
        self.trouble = self.clock.monotonic()

    async def call(self, after: float) -> None:
        """Make one call, and note when and how it ended."""
        await self.clock.sleep(after)
        result = await self.client.call_tool("t", raise_on_error=False)
        self.ends.append((self.clock.monotonic() - self.trouble, result.stop_reason))

    async def burst(self, calls: int) -> None:
        """Make one call, and the others while the gate is closed."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.call, 0.0)
            for number in range(calls - 1):
                tasks.start_soon(self.call, 1.0 + number * 0.1)

    def check(self, *, by: float) -> None:
        """Everybody got through, soon after the gate opened."""
        unsent = [end for end in self.ends if end[1] is StopReason.GATE_DEADLINE]
        assert not unsent
        assert max(at for at, _ in self.ends) <= by


@pytest.mark.parametrize("seed", range(5))
async def test_a_client_that_starts_with_a_rejection_is_let_go_soon(seed: int) -> None:
    """It has seen no healthy time, so nothing is usual yet."""
    crowd = Crowd(seed, until=1.0)

    await crowd.burst(13)

    crowd.check(by=HINT + 25.0)


@pytest.mark.parametrize("seed", range(5))
async def test_a_quiet_client_is_not_let_go_at_its_usual_pace(seed: int) -> None:
    """One call in half a minute is its choice, not what the server can take."""
    crowd = Crowd(seed, until=1.0)
    await crowd.quiet(calls=10, every=30.0)

    await crowd.burst(13)

    crowd.check(by=HINT + 25.0)


@pytest.mark.parametrize("seed", range(5))
async def test_a_burst_after_a_short_overload_gets_through(seed: int) -> None:
    """Twenty refused calls in five seconds do not cost a minute."""
    busy = tool_error("SERVER_BUSY", "full")
    crowd = Crowd(seed, until=5.0, refusal=busy)

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(crowd.call, 5.0 + number * 0.2)

    crowd.check(by=30.0)


@pytest.mark.parametrize("seed", range(5))
async def test_a_busy_server_with_a_hint_is_asked_again_with_more_care(
    seed: int,
) -> None:
    """Overload ends slowly, and every refusal closes the gate again."""
    crowd = Crowd(
        seed, until=1.0, refusal=tool_error("SERVER_BUSY", "full", retry_after=HINT)
    )

    await crowd.burst(13)

    crowd.check(by=HINT + 40.0)


@pytest.mark.parametrize("idle", [0.0, 300.0, 3600.0, 90_000.0])
@pytest.mark.parametrize("seed", range(3))
async def test_a_lone_agent_gets_its_retry_after_a_rejection_of_long_ago(
    seed: int, idle: float
) -> None:
    """Nobody else waits; that it called seldom, or never before, holds nothing up."""
    clock = VirtualClock()
    busy = tool_error("SERVER_BUSY", "full")
    outcomes = [LIMITED, "1", "2", "3", "4", "5", busy, "6"]
    before = 10 if idle else 0
    session = ScriptedSession(
        [After(0.1, outcome) for outcome in ["0"] * before + outcomes], clock=clock
    )
    client = MCPFusionClient(
        session,
        clock=clock,
        random=random.Random(seed),  # noqa: S311 - it spreads waits
    )
    for _ in range(before):
        await client.call_tool("t")
        await clock.sleep(idle)
    for _ in range(5):
        await client.call_tool("t")
    asked = clock.monotonic()

    result = await client.call_tool("t")

    assert [attempt.number for attempt in result.attempts] == [1, 2]
    assert clock.monotonic() - asked <= 15.0
