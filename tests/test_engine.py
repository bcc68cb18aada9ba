"""One call from start to finish, on a scripted session and a virtual clock."""

import logging

import pytest

from mcpfusion_client import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    NextStep,
    RateLimitedError,
    RetryPolicy,
    StateUnknownError,
    StopReason,
    ToolCall,
    TransientError,
    tool_error,
)
from mcpfusion_client.planning import Retrying
from mcpfusion_client.testing import (
    After,
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    VirtualClock,
)
from tests.engine_stage import (
    BUSY,
    DONE,
    INVALID,
    LIMITED,
    TIMEOUT,
    client,
    script,
)


async def test_a_success_is_one_attempt(clock: VirtualClock) -> None:
    """The successful attempt is on the record too."""
    session = script(After(0.5, DONE), clock=clock)

    result = await client(session, clock).call_tool("read", {"id": 1})

    (attempt,) = result.attempts
    assert (result.text, result.stop_reason) == (DONE, StopReason.FIRST_TRY)
    assert (attempt.number, attempt.duration, attempt.error) == (1, 0.5, None)
    assert (attempt.delay, attempt.reason) == (None, "first_try")
    assert attempt.started.tzinfo is not None


async def test_a_failure_is_repeated_until_it_succeeds(clock: VirtualClock) -> None:
    """The hint is waited for, the back-off follows, and every attempt is kept."""
    session = script(LIMITED, BUSY, DONE, clock=clock)

    result = await client(session, clock).call_tool("write", {"id": 1})

    assert result.stop_reason is StopReason.RETRIED
    assert clock.sleeps == [7.0, 1.0]
    assert [each.delay for each in result.attempts] == [7.0, 1.0, None]
    codes = [each.error and each.error.code for each in result.attempts]
    assert codes == ["RATE_LIMITED", "SERVER_BUSY", None]


async def test_what_is_given_up_on_is_raised_with_its_whole_story(
    clock: VirtualClock,
) -> None:
    """Class, tool, attempts, reason and the wire JSON are on the error."""
    session = script(*[LIMITED] * 4, clock=clock)

    with pytest.raises(RateLimitedError) as caught:
        await client(session, clock).call_tool("write")

    error = caught.value
    assert error.stop_reason is StopReason.ATTEMPTS_EXHAUSTED
    assert (error.tool, error.retry_after) == ("write", 7.0)
    assert [each.number for each in error.attempts] == [1, 2, 3, 4]
    assert error.raw is not None
    assert error.raw["isError"] is True


async def test_a_failure_can_be_a_result(clock: VirtualClock) -> None:
    """With `raise_on_error=False` the error is on the result, content and all."""
    session = script(INVALID, clock=clock)

    result = await client(session, clock, raise_on_error=False).call_tool("write")

    assert result.is_error
    assert result.error is not None
    assert result.error.category is ErrorCategory.VALIDATION
    assert result.text == INVALID
    assert result.stop_reason is StopReason.NOT_RETRYABLE


@pytest.mark.parametrize("outcome", [ConnectionResetError("reset"), Hang()])
async def test_a_lost_call_can_be_a_result(
    clock: VirtualClock, outcome: ScriptedOutcome
) -> None:
    """Connections and timers that fail give a result with empty content."""
    session = script(outcome, clock=clock)

    result = await client(session, clock).call_tool("write", raise_on_error=False)

    assert result.error is not None
    assert result.error.execution is Execution.UNKNOWN
    assert (result.content, result.raw) == ((), None)


async def test_the_exception_of_the_session_is_the_cause(clock: VirtualClock) -> None:
    """What the SDK raised is kept for whoever debugs it."""
    lost = ConnectionResetError("reset")

    with pytest.raises(StateUnknownError) as caught:
        await client(script(lost, clock=clock), clock).call_tool("write")

    assert caught.value.__cause__ is lost


@pytest.mark.parametrize(
    "outcome", [TIMEOUT, Hang(), ConnectionResetError("reset")], ids=str
)
async def test_a_write_with_unknown_outcome_is_never_sent_twice(
    clock: VirtualClock, outcome: ScriptedOutcome
) -> None:
    """It may have taken effect; the caller is told to look first."""
    session = script(outcome, DONE, clock=clock)

    with pytest.raises(StateUnknownError) as caught:
        await client(session, clock).call_tool("write")

    assert len(session.calls) == 1
    assert caught.value.stop_reason is StopReason.UNKNOWN_OUTCOME_WRITE
    assert caught.value.advice is NextStep.VERIFY_STATE
    assert caught.value.info.category is ErrorCategory.TRANSIENT


async def test_arguments_are_the_same_in_every_attempt(clock: VirtualClock) -> None:
    """Neither the caller nor the session can change what is sent later."""
    arguments = {"ids": [1], "note": {"text": "a"}}

    def spoil(call: ScriptedCall) -> ScriptedOutcome:
        sent.append(repr(call.arguments))
        call.arguments["ids"].append(99)
        call.arguments["note"]["text"] = "spoiled"
        arguments["ids"] = []
        return BUSY

    sent: list[str] = []
    session = script(*[spoil] * 3, clock=clock)

    with pytest.raises(TransientError):
        await client(session, clock, retry=RetryPolicy(max_attempts=3)).call_tool(
            "write", arguments
        )

    assert sent == ["{'ids': [1], 'note': {'text': 'a'}}"] * 3


@pytest.mark.parametrize("retry", [False, RetryPolicy.off()])
async def test_one_call_can_do_without_retries(
    clock: VirtualClock, retry: Retrying
) -> None:
    """``retry=False`` and a policy that is off are the same."""
    session = script(BUSY, clock=clock)

    with pytest.raises(TransientError) as caught:
        await client(session, clock).call_tool("read", retry=retry)

    assert caught.value.stop_reason is StopReason.RETRY_DISABLED


async def test_policies_can_depend_on_the_tool(clock: VirtualClock) -> None:
    """Globs match the action or the wire name."""
    policies = RetryPolicy.for_tools({"wri*": RetryPolicy.off()})
    session = script(BUSY, BUSY, DONE, clock=clock)
    calls = client(session, clock, retry=policies)

    with pytest.raises(TransientError):
        await calls.call_tool("write")

    assert (await calls.call_tool("read")).text == DONE


async def test_the_word_of_the_caller_beats_annotations(clock: VirtualClock) -> None:
    """Effects by glob, and `idempotent=` for one call, in both directions."""
    session = script(TIMEOUT, DONE, TIMEOUT, TIMEOUT, DONE, clock=clock)
    calls = client(session, clock, effects={"rea*": Effects(read_only=False)})

    result = await calls.call_tool("write", idempotent=True)
    assert result.stop_reason is StopReason.RETRIED
    with pytest.raises(StateUnknownError):
        await calls.call_tool("read")
    again = await calls.call_tool("read", idempotent=True)
    assert again.stop_reason is StopReason.RETRIED


async def test_untrusted_annotations_permit_nothing(clock: VirtualClock) -> None:
    """A server that calls everything read-only gains nothing."""
    session = script(TIMEOUT, clock=clock)

    with pytest.raises(StateUnknownError):
        await client(session, clock, trust_annotations=False).call_tool("read")


async def test_a_warning_is_returned_logged_once_and_told(
    clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Advice on a success is no failure."""
    advice = tool_error("DEPRECATED", "use v2", severity="warning")
    told: list[str | None] = []

    class Listener:
        def on_warning(self, call: ToolCall, warning: ErrorInfo) -> None:
            told.append(warning.code)

    session = script(advice, clock=clock)
    with caplog.at_level(logging.WARNING, "mcpfusion_client"):
        result = await client(session, clock, observers=[Listener()]).call_tool("read")

    assert [each.code for each in result.warnings] == ["DEPRECATED"]
    assert (result.error, result.stop_reason) == (None, StopReason.FIRST_TRY)
    assert told == ["DEPRECATED"]
    assert len(caplog.records) == 1


async def test_a_named_warning_is_repeated(clock: VirtualClock) -> None:
    """Some servers answer "not yet" as a success."""
    advice = tool_error("HANDOFF_CONNECTING", "wait", severity="warning", retry_after=2)
    policy = RetryPolicy(jitter="none", retry_warning_codes=("HANDOFF_*",))
    session = script(advice, DONE, clock=clock)

    result = await client(session, clock, retry=policy).call_tool("write")

    assert (result.text, clock.sleeps) == (DONE, [2.0])
    first = result.attempts[0].error
    assert first is not None
    assert first.code == "HANDOFF_CONNECTING"


async def test_a_warning_that_cannot_be_repeated_is_still_a_success(
    clock: VirtualClock,
) -> None:
    """There was no room for a repeat; the answer that came is handed back."""
    advice = tool_error("HANDOFF_CONNECTING", "wait", severity="warning")
    policy = RetryPolicy(max_attempts=1, retry_warning_codes=("HANDOFF_*",))
    session = script(advice, clock=clock)

    result = await client(session, clock, retry=policy).call_tool("write")

    assert result.error is None
    assert result.stop_reason is StopReason.ATTEMPTS_EXHAUSTED
