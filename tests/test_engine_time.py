"""Attempt timeouts, deadlines and progress."""

import math

import pytest

from mcpfusion_client import (
    AttemptTimeoutError,
    Execution,
    RateLimitedError,
    RetryPolicy,
    StateUnknownError,
    StopReason,
    TransientError,
)
from mcpfusion_client.testing import (
    After,
    Hang,
    Progress,
    ScriptedOutcome,
    VirtualClock,
)
from tests.engine_stage import DONE, LIMITED, client, script


async def test_an_attempt_is_cut_off_by_its_timeout(clock: VirtualClock) -> None:
    """A read is sent again, and the last failure says which option to change."""
    session = script(Hang(), Hang(), clock=clock)
    policy = RetryPolicy(jitter="none", max_attempts=2)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client(session, clock, retry=policy, timeout=30.0).call_tool("read")

    assert [each.duration for each in caught.value.attempts] == [30.0, 30.0]
    assert clock.monotonic() == 60.5


@pytest.mark.parametrize(
    ("general", "own", "ends"), [(5.0, None, 5.0), (5.0, 8.0, 8.0), (None, 8.0, 8.0)]
)
async def test_the_timeout_of_a_call_beats_the_one_of_the_client(
    clock: VirtualClock, general: float | None, own: float | None, ends: float
) -> None:
    """None inherits."""
    session = script(Hang(), clock=clock)

    with pytest.raises(StateUnknownError):
        await client(session, clock, timeout=general).call_tool("write", timeout=own)

    assert clock.monotonic() == ends


async def test_infinity_lifts_the_timeout(clock: VirtualClock) -> None:
    """A call that takes a day can be waited for."""
    session = script(After(86_400.0, DONE), clock=clock)

    result = await client(session, clock).call_tool("write", timeout=math.inf)

    assert result.text == DONE


async def test_the_last_attempt_is_cut_to_the_deadline(clock: VirtualClock) -> None:
    """Everything ends by the deadline, the running attempt included."""
    session = script(LIMITED, Hang(), clock=clock)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client(session, clock).call_tool("read", deadline=10.0)

    assert clock.monotonic() == 10.0
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_a_wait_that_does_not_fit_the_deadline_fails_now(
    clock: VirtualClock,
) -> None:
    """Waiting for nothing helps nobody; the hint stays on the error."""
    session = script(LIMITED, clock=clock)

    with pytest.raises(RateLimitedError) as caught:
        await client(session, clock).call_tool("read", deadline=5.0)

    assert clock.monotonic() == 0.0
    assert caught.value.retry_after == 7.0
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_the_deadline_of_a_call_beats_the_one_of_the_policy(
    clock: VirtualClock,
) -> None:
    """``math.inf`` lifts it, None inherits it."""
    policy = RetryPolicy(jitter="none", deadline=5.0)
    session = script(LIMITED, LIMITED, DONE, clock=clock)
    calls = client(session, clock, retry=policy)

    with pytest.raises(RateLimitedError):
        await calls.call_tool("read")
    result = await calls.call_tool("read", deadline=math.inf)

    assert result.text == DONE


async def test_a_deadline_that_has_passed_sends_nothing(clock: VirtualClock) -> None:
    """Even the first attempt needs time; the call certainly did not run."""
    session = script(clock=clock)

    with pytest.raises(TransientError) as caught:
        await client(session, clock).call_tool("write", deadline=0.0)

    assert session.calls == []
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_progress_gives_an_attempt_its_time_again_up_to_the_deadline(
    clock: VirtualClock,
) -> None:
    """A tool that works on is not cut off, but everything ends by the deadline."""
    told: list[float] = []

    async def progress(value: float, total: float | None, text: str | None) -> None:
        told.append(value)

    def working(steps: int) -> ScriptedOutcome:
        outcome: ScriptedOutcome = DONE
        for step in range(steps):
            outcome = After(8.0, Progress(steps - step, outcome))
        return outcome

    session = script(working(4), working(9), clock=clock)
    calls = client(session, clock, timeout=10.0)

    result = await calls.call_tool("write", progress=progress)
    assert (result.text, told, clock.monotonic()) == (DONE, [1, 2, 3, 4], 32.0)
    with pytest.raises(StateUnknownError):
        await calls.call_tool("write", deadline=30.0)
    assert clock.monotonic() == 62.0
