"""The gate and the budget that calls share."""

import pytest

from mcpfusion_client import (
    Execution,
    RateLimitedError,
    RateLimitGate,
    RetryBudget,
    RetryPolicy,
    StopReason,
    ToolCall,
    TransientError,
)
from mcpfusion_client.testing import (
    VirtualClock,
)
from tests.engine_stage import BUSY, DONE, LIMITED, client, script


async def test_one_rejection_holds_back_the_next_call(clock: VirtualClock) -> None:
    """It waits without using up an attempt, and observers hear of it."""
    held: list[float | None] = []

    class Listener:
        def on_gate(self, call: ToolCall, seconds: float | None) -> None:
            held.append(seconds)

    session = script(LIMITED, DONE, clock=clock)
    calls = client(session, clock, observers=[Listener()])
    with pytest.raises(RateLimitedError):
        await calls.call_tool("read", retry=False)

    result = await calls.call_tool("read")

    assert session.calls[1].at >= 7.0
    assert len(result.attempts) == 1
    assert len(held) == 1


async def test_a_gate_that_stays_closed_too_long_fails_the_call_unsent(
    clock: VirtualClock,
) -> None:
    """The failure that closed it is raised, with what is left of its hint."""
    session = script(LIMITED, clock=clock)
    calls = client(session, clock)
    with pytest.raises(RateLimitedError):
        await calls.call_tool("read", retry=False)
    await clock.sleep(1.0)

    with pytest.raises(RateLimitedError) as caught:
        await calls.call_tool("read", deadline=3.0)

    assert len(session.calls) == 1
    assert caught.value.stop_reason is StopReason.GATE_DEADLINE
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.retry_after == pytest.approx(6.0)
    assert caught.value.attempts == ()


async def test_clients_can_share_a_gate(clock: VirtualClock) -> None:
    """What one client of a server was told holds for the other."""
    gate = RateLimitGate()
    first, second = script(LIMITED, clock=clock), script(DONE, clock=clock)
    with pytest.raises(RateLimitedError):
        await client(first, clock, gate=gate).call_tool("read", retry=False)

    await client(second, clock, gate=gate).call_tool("read", retry=False, deadline=60)

    assert second.calls[0].at >= 7.0


async def test_without_a_gate_nothing_is_held_back(clock: VirtualClock) -> None:
    """``gate=None`` is none."""
    session = script(LIMITED, DONE, clock=clock)
    calls = client(session, clock, gate=None)
    with pytest.raises(RateLimitedError):
        await calls.call_tool("read", retry=False)

    await calls.call_tool("read")

    assert session.calls[1].at == 0.0


async def test_an_empty_budget_stops_retries_and_no_first_attempt(
    clock: VirtualClock,
) -> None:
    """Futile retries cost a token each."""
    budget = RetryBudget(capacity=1.0, refund=0.0)
    session = script(*[BUSY] * 2, BUSY, clock=clock)
    policy = RetryPolicy(max_attempts=2)
    calls = client(session, clock, budget=budget, retry=policy, gate=None)

    reasons: list[StopReason | None] = []
    for _ in range(2):
        with pytest.raises(TransientError) as caught:
            await calls.call_tool("read")
        reasons.append(caught.value.stop_reason)

    assert reasons == [StopReason.ATTEMPTS_EXHAUSTED, StopReason.BUDGET_EXHAUSTED]


async def test_a_retry_that_succeeds_costs_nothing(clock: VirtualClock) -> None:
    """Only futile retries drain the budget."""
    budget = RetryBudget(capacity=1.0, refund=0.0)
    session = script(*[BUSY, DONE] * 3, clock=clock)
    calls = client(session, clock, budget=budget)

    for _ in range(3):
        await calls.call_tool("read")

    assert budget.left("scripted") == 1.0


async def test_without_a_budget_retries_are_free(clock: VirtualClock) -> None:
    """``budget=None`` is none."""
    session = script(*[BUSY, BUSY, BUSY, DONE] * 40, clock=clock)
    calls = client(session, clock, budget=None, gate=None)

    for _ in range(40):
        await calls.call_tool("read")

    assert len(session.calls) == 160
