"""Whoever catches `TransientError` may send the call again: also with keys of our own.

An idempotency key that the engine made protects the attempts of one call. The caller
does not know it, so the same call sent once more goes out under another one.
"""

from collections.abc import Sequence

import pytest

from mcpfusion_client import (
    AttemptTimeoutError,
    Effects,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    NextStep,
    RetryPolicy,
    StateUnknownError,
    StopReason,
    ToolInfo,
    TransientError,
    tool_error,
)
from mcpfusion_client.testing import (
    Hang,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

PAY = ToolInfo(
    name="pay",
    annotations={"readOnlyHint": False},
    input_schema={"properties": {"idempotencyKey": {"type": "string"}}},
)
BUSY = tool_error("SERVER_BUSY", "come back later")
TIMEOUT = tool_error("TIMEOUT", "no answer upstream")
STATED = {
    "isError": True,
    "structuredContent": {"errorCategory": "transient", "isRetryable": True},
}
TWICE = RetryPolicy(max_attempts=2)


def client(
    outcomes: Sequence[ScriptedOutcome],
    retry: RetryPolicy = TWICE,
    effects: Effects | None = None,
) -> MCPFusionClient:
    """A client of one tool that takes an idempotency key."""
    clock = VirtualClock()
    return MCPFusionClient(
        ScriptedSession(outcomes, tools=[PAY], clock=clock),
        retry=retry,
        effects={} if effects is None else {"pay": effects},
        clock=clock,
    )


@pytest.mark.parametrize(
    ("outcomes", "retry", "reason"),
    [
        ([TIMEOUT, TIMEOUT], TWICE, StopReason.ATTEMPTS_EXHAUSTED),
        ([TIMEOUT, BUSY], TWICE, StopReason.ATTEMPTS_EXHAUSTED),
        ([Hang(), Hang()], TWICE, StopReason.ATTEMPTS_EXHAUSTED),
        ([Hang()], RetryPolicy(deadline=5.0), StopReason.DEADLINE_TOO_SHORT),
        ([TIMEOUT], RetryPolicy.off(), StopReason.RETRY_DISABLED),
        ([STATED, STATED], TWICE, StopReason.ATTEMPTS_EXHAUSTED),
    ],
    ids=["timeout", "then busy", "no answer", "deadline", "off", "stated"],
)
async def test_a_call_that_may_have_run_under_a_key_we_made_is_not_transient(
    outcomes: Sequence[ScriptedOutcome], retry: RetryPolicy, reason: StopReason
) -> None:
    """Sent again it would carry a new key, and the payment might be made twice."""
    with pytest.raises(StateUnknownError) as caught:
        await client(outcomes, retry).call_tool("pay")

    assert caught.value.stop_reason is reason
    assert caught.value.next_step is NextStep.VERIFY_STATE


async def test_a_returned_failure_asks_for_a_look_as_well() -> None:
    """A stated yes was for this key, not for the next one."""
    result = await client([STATED, STATED]).call_tool("pay", raise_on_error=False)

    assert result.error is not None
    assert result.error.next_step is NextStep.VERIFY_STATE
    assert result.stop_reason is StopReason.ATTEMPTS_EXHAUSTED


async def test_a_call_under_a_key_of_the_caller_can_be_sent_again() -> None:
    """The same key again is a repeat to the server, whoever sends it."""
    own = {"idempotencyKey": "order-1"}

    with pytest.raises(TransientError):
        await client([TIMEOUT, TIMEOUT]).call_tool("pay", idempotency_key="order-1")
    with pytest.raises(TransientError):
        await client([TIMEOUT, TIMEOUT]).call_tool("pay", own)
    with pytest.raises(AttemptTimeoutError):
        await client([Hang(), Hang()]).call_tool("pay", own)


async def test_a_call_that_did_not_run_needs_no_key_to_be_sent_again() -> None:
    """Nothing happened under the key that is gone."""
    with pytest.raises(TransientError) as caught:
        await client([BUSY, BUSY]).call_tool("pay")

    assert caught.value.execution is Execution.NOT_EXECUTED


async def test_a_harmless_call_needs_no_key_to_be_sent_again() -> None:
    """What the caller says of the tool holds for any key."""
    harmless = Effects(idempotent=True)

    with pytest.raises(TransientError):
        await client([TIMEOUT, TIMEOUT], effects=harmless).call_tool("pay")
    with pytest.raises(TransientError):
        await client([TIMEOUT, TIMEOUT]).call_tool("pay", idempotent=True)


@pytest.mark.parametrize("nothing", [None, ""])
async def test_an_argument_without_a_key_in_it_gets_one(nothing: str | None) -> None:
    """Models fill optional arguments with empty text, and that protects nothing."""
    clock = VirtualClock()
    session = ScriptedSession([TIMEOUT, "paid"], tools=[PAY], clock=clock)
    client = MCPFusionClient(session, clock=clock)

    await client.call_tool("pay", {"idempotencyKey": nothing})

    first, second = (call.arguments["idempotencyKey"] for call in session.calls)
    assert first
    assert first == second


async def test_after_a_read_there_is_nothing_to_look_for() -> None:
    """A call that changes nothing leaves no state to verify, whatever became of it."""
    unclear = {"isError": True, "content": [{"type": "text", "text": "hm, no"}]}
    harmless = Effects(read_only=True)

    for outcomes, expected in (
        ([TIMEOUT, TIMEOUT], NextStep.RETRY),
        ([unclear], NextStep.ESCALATE),
    ):
        with pytest.raises(MCPFusionClientError) as caught:
            await client(outcomes, effects=harmless).call_tool("pay")
        assert caught.value.next_step is expected
    with pytest.raises(MCPFusionClientError) as caught:
        await client([unclear]).call_tool("pay")
    assert caught.value.next_step is NextStep.VERIFY_STATE
