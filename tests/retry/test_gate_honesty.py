"""A repeat that the gate refuses: what the attempt before it may have done counts.

The repeat itself is not sent. But the call may have run already, or was answered
and was to be repeated for a warning, and that is what its caller has to know.
"""

import anyio
import pytest

from mcpfusion_client import (
    Execution,
    MCPFusionClient,
    NextStep,
    RetryBudget,
    RetryPolicy,
    StopReason,
    ToolResult,
    tool_error,
)
from mcpfusion_client.testing import ScriptedOutcome, ScriptedSession, VirtualClock

LATER = tool_error("RATE_LIMITED", "too many", retry_after=100.0)
BUSY = tool_error("SERVER_BUSY", "full")
LOST = tool_error("TIMEOUT", "no idea what happened")
RAN = tool_error("INTERNAL_ERROR", "broke", details={"sideEffects": "all"})
NOT_YET = tool_error("HANDOFF_CONNECTING", "wait", severity="warning")
POLICY = RetryPolicy(
    deadline=10.0, retry_codes=("TIMEOUT",), retry_warning_codes=("HANDOFF_*",)
)


async def refused_repeat(
    first: ScriptedOutcome,
    *,
    budget: RetryBudget | None = None,
    idempotent: bool = True,
    policy: RetryPolicy = POLICY,
) -> ToolResult:
    """Make a call that ends with *first*; another closes the gate before its repeat."""
    clock = VirtualClock()
    session = ScriptedSession([first, LATER], clock=clock)
    client = MCPFusionClient(session, clock=clock, retry=policy, budget=budget)
    results: list[ToolResult] = []

    async def call() -> None:
        results.append(
            await client.call_tool("t", idempotent=idempotent, raise_on_error=False)
        )

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await clock.sleep(0.01)
        await client.call_tool("t", retry=False, raise_on_error=False)
    assert len(session.calls) == 2
    return results[0]


@pytest.mark.parametrize(
    ("first", "execution"),
    [(BUSY, Execution.NOT_EXECUTED), (LOST, Execution.UNKNOWN)],
)
async def test_what_the_first_attempt_may_have_done_is_reported(
    first: ScriptedOutcome, execution: Execution
) -> None:
    """The failure that closed the gate is reported, but not that nothing ran."""
    result = await refused_repeat(first)

    assert result.stop_reason is StopReason.GATE_DEADLINE
    assert result.error is not None
    assert result.error.code == "RATE_LIMITED"
    assert result.error.execution is execution
    assert len(result.attempts) == 1


async def test_a_write_that_may_have_run_is_not_just_to_be_called_later() -> None:
    """It was to be repeated on the server's word; its state is unknown all the same."""
    trusting = RetryPolicy(
        deadline=10.0, retry_codes=("TIMEOUT",), trust_retryable_on_writes=True
    )

    result = await refused_repeat(LOST, idempotent=False, policy=trusting)

    assert result.stop_reason is StopReason.GATE_DEADLINE
    assert result.error is not None
    assert result.error.execution is Execution.UNKNOWN
    assert result.error.next_step is NextStep.VERIFY_STATE


async def test_an_answer_with_a_warning_is_handed_back() -> None:
    """The call succeeded; that its repeat finds the gate closed is no failure."""
    budget = RetryBudget(capacity=5.0)

    result = await refused_repeat(NOT_YET, budget=budget)

    assert result.error is None
    assert result.stop_reason is StopReason.GATE_DEADLINE
    assert [warning.code for warning in result.warnings] == ["HANDOFF_CONNECTING"]


async def test_the_token_of_a_repeat_that_was_not_sent_comes_back_once() -> None:
    """Neither kept nor given twice."""
    budget = RetryBudget(capacity=5.0, refund=0.0)
    for _ in range(3):
        budget.take("scripted")

    await refused_repeat(NOT_YET, budget=budget)

    assert budget.left("scripted") == 2.0
