"""Calls that fail at random, at a server that is not overloaded, hold nobody up.

Some tasks make fast calls over one client, as an agent's program does, and a share
of them fails at once. That says nothing about the load of the server: those that
succeed are as fast as ever. The yardstick is the same run without a gate.
"""

import random
from collections.abc import Mapping

import anyio
import pytest

from mcpfusion_client import MCPFusionClient, RateLimitGate, RetryPolicy, tool_error
from mcpfusion_client.testing import (
    After,
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

LATENCY = 0.005
PATIENCE = 1.5
SLACK = 3.0
"""Seconds: what one call that was told "later" just before the end may wait."""

BUSY = tool_error("SERVER_BUSY", "full")
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=LATENCY)
LOST = ConnectionResetError("gone")
MIXED: Mapping[ScriptedOutcome, float] = {BUSY: 4, LIMITED: 4, LOST: 12, Hang(): 0.5}


class Program:
    """Tasks that make one call after the other over one client."""

    def __init__(
        self,
        faults: Mapping[ScriptedOutcome, float],
        *,
        share: float,
        gate: RateLimitGate | None,
        seed: int,
    ) -> None:
        self.clock = VirtualClock()
        self.succeeded = 0
        dice = random.Random(seed)  # noqa: S311 - a test

        def answer(_: ScriptedCall) -> ScriptedOutcome:
            latency = LATENCY * dice.choice((0.8, 1.0, 1.0, 1.2, 4.0))
            if dice.random() >= share:
                return After(latency, "done")
            (fault,) = dice.choices(list(faults), list(faults.values()))
            return After(latency, fault)

        self.client = MCPFusionClient(
            ScriptedSession([answer] * 10_000, clock=self.clock),
            clock=self.clock,
            random=random.Random(seed),  # noqa: S311 - it spreads waits
            gate=gate,
            timeout=PATIENCE,
            retry=RetryPolicy(base_delay=0.005, max_delay=0.05),
        )

    async def seconds(self, *, calls: int, tasks: int) -> float:
        """Make *calls* calls from *tasks* tasks; return how long it took."""

        async def caller(count: int) -> None:
            for _ in range(count):
                result = await self.client.call_tool(
                    "t", idempotent=True, raise_on_error=False
                )
                self.succeeded += result.error is None

        async with anyio.create_task_group() as group:
            for _ in range(tasks):
                group.start_soon(caller, calls // tasks)
        return self.clock.monotonic()


@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize(
    "faults",
    [{BUSY: 1}, {LIMITED: 1}, {LOST: 1}, MIXED],
    ids=["busy", "limited", "lost", "mixed"],
)
@pytest.mark.parametrize("tasks", [5, 25])
async def test_random_failures_do_not_freeze_a_program(
    faults: Mapping[ScriptedOutcome, float], share: float, tasks: int
) -> None:
    """It takes at most a small multiple of the time it takes without a gate."""
    free = Program(faults, share=share, gate=None, seed=1)
    gated = Program(faults, share=share, gate=RateLimitGate(), seed=1)

    without = await free.seconds(calls=200, tasks=tasks)
    took = await gated.seconds(calls=200, tasks=tasks)

    assert took <= 3.0 * without + SLACK
    assert gated.succeeded >= free.succeeded - 15
