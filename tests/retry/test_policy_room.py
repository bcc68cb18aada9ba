"""Is there room: the waits, and the limits in their order."""

import math

import attrs
import pytest

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    JsonValue,
    StopReason,
)
from mcpfusion_client.retry import Retry, RetryPolicy, Stop

BUSY = ErrorInfo(
    message="", category=ErrorCategory.TRANSIENT, execution=Execution.NOT_EXECUTED
)
STEADY = RetryPolicy(jitter="none")


def decide(
    policy: RetryPolicy,
    *,
    hint: float | None = None,
    attempt: int = 1,
    elapsed: float = 0.0,
    jitter: float = 0.5,
    deadline: float | None = None,
) -> Retry | Stop:
    """Decide about a rejected call."""
    return policy.decide(
        attrs.evolve(BUSY, retry_after=hint),
        Effects(),
        attempt=attempt,
        elapsed=elapsed,
        jitter=jitter,
        deadline=deadline,
    )


def changed(policy: RetryPolicy, **change: JsonValue) -> RetryPolicy:
    """Return *policy* with some fields changed, whatever their types."""
    return attrs.evolve(policy, **change)


def delay(decision: Retry | Stop) -> float:
    """Return the wait."""
    assert isinstance(decision, Retry)
    return decision.delay


def test_the_checks_come_in_their_fixed_order() -> None:
    """A call that fails several checks is told the first."""
    policy = RetryPolicy(
        enabled=False, max_retry_after=1.0, max_attempts=1, deadline=0.5
    )
    reasons: list[StopReason | str] = []

    for change in ({"enabled": True}, {"max_retry_after": 9}, {"max_attempts": 2}):
        reasons.append(decide(policy, hint=5).reason)
        policy = changed(policy, **change)
    reasons.append(decide(policy, hint=5).reason)

    assert reasons == [
        StopReason.RETRY_DISABLED,
        StopReason.RETRY_AFTER_TOO_LONG,
        StopReason.ATTEMPTS_EXHAUSTED,
        StopReason.DEADLINE_TOO_SHORT,
    ]


def test_what_the_server_forbids_is_said_before_that_retries_are_off() -> None:
    """The reason must not change with the policy's room."""
    refused = attrs.evolve(BUSY, is_retryable=False, stated={"is_retryable"})

    decision = RetryPolicy.off().decide(
        refused, Effects(), attempt=1, elapsed=0.0, jitter=0.0
    )

    assert decision == Stop(StopReason.SERVER_SAID_NO)


def test_off_never_repeats() -> None:
    """Also when everything speaks for it."""
    assert decide(RetryPolicy.off()) == Stop(StopReason.RETRY_DISABLED)


@pytest.mark.parametrize(
    ("jitter", "wait"), [(0.0, 7.0), (0.5, 7.25), (0.9375, 7.46875)]
)
@pytest.mark.parametrize("kind", ["spread", "full"])
def test_a_hint_is_a_floor_with_jitter_on_top(
    kind: JsonValue, jitter: float, wait: float
) -> None:
    """Everybody was told the same second; nobody comes early, few come together."""
    policy = RetryPolicy(jitter=kind)

    assert delay(decide(policy, hint=7, jitter=jitter)) == wait


def test_without_jitter_a_hint_is_followed_to_the_second() -> None:
    """For tests and for servers with one client."""
    assert delay(decide(STEADY, hint=7, jitter=0.9)) == 7.0


@pytest.mark.parametrize(
    ("kind", "jitter", "wait"),
    [
        ("spread", 0.0, 0.5),
        ("spread", 0.5, 1.0),
        ("spread", 0.75, 1.25),
        ("full", 0.0, 0.0),
        ("full", 0.75, 0.75),
        ("none", 0.75, 1.0),
    ],
)
def test_without_a_hint_the_step_is_jittered(
    kind: JsonValue, jitter: float, wait: float
) -> None:
    """The second step is one second; the default is the documents' formula."""
    policy = RetryPolicy(jitter=kind)

    assert delay(decide(policy, attempt=2, jitter=jitter)) == wait


def test_the_step_grows_up_to_its_cap() -> None:
    """Half a second, doubled, and never more than twenty."""
    policy = attrs.evolve(STEADY, max_attempts=100)

    steps = [delay(decide(policy, attempt=n)) for n in (1, 2, 3, 6, 7, 99)]

    assert steps == [0.5, 1.0, 2.0, 16.0, 20.0, 20.0]


def test_the_cap_may_be_the_first_step() -> None:
    """Every wait is the same then."""
    policy = attrs.evolve(STEADY, base_delay=0.2, max_delay=0.2)

    assert [delay(decide(policy, attempt=n)) for n in (1, 2, 3)] == [0.2, 0.2, 0.2]
    assert "0.5 s" not in policy.describe()


@pytest.mark.parametrize(("base", "step"), [(0.5, 20.0), (0.0, 0.0)])
def test_huge_attempt_numbers_do_not_overflow(base: float, step: float) -> None:
    """2.0 ** 2000 is too much for a float."""
    policy = attrs.evolve(STEADY, max_attempts=10**6, base_delay=base)

    assert delay(decide(policy, attempt=2001)) == step


def test_the_hint_beats_the_step_also_when_it_is_shorter() -> None:
    """A later step of ten seconds does not outweigh "come back in one"."""
    policy = attrs.evolve(STEADY, max_attempts=10)

    assert delay(decide(policy, hint=1, attempt=6)) == 1.0


def test_a_hint_of_zero_is_no_floor_and_no_licence_to_spin() -> None:
    """It counts as no hint, so the back-off step is waited."""
    assert decide(STEADY, hint=0) == decide(STEADY)
    assert delay(decide(STEADY, hint=0)) == 0.5


def test_a_hint_as_long_as_the_limit_is_followed_and_no_longer_one() -> None:
    """Sleeping for days and coming back early are both wrong."""
    policy = attrs.evolve(STEADY, retry_window=math.inf)

    assert delay(decide(policy, hint=120)) == 120.0
    assert decide(policy, hint=120.1) == Stop(StopReason.RETRY_AFTER_TOO_LONG)


@pytest.mark.parametrize(("attempt", "more"), [(1, True), (3, True), (4, False)])
def test_attempts_are_counted_from_one(attempt: int, more: JsonValue) -> None:
    """Four attempts are three retries."""
    assert isinstance(decide(RetryPolicy(), attempt=attempt), Retry) is more


def test_a_wait_that_does_not_fit_the_deadline_fails_now() -> None:
    """It is never clamped: an early return would be refused again."""
    assert decide(STEADY, hint=30, deadline=10) == Stop(StopReason.DEADLINE_TOO_SHORT)


def test_a_retry_at_the_deadline_is_too_late() -> None:
    """There would be no time left for an answer."""
    policy = attrs.evolve(STEADY, deadline=10)

    assert decide(policy, hint=8, elapsed=2.0).reason is StopReason.DEADLINE_TOO_SHORT
    assert delay(decide(policy, hint=8, elapsed=1.9)) == 8.0


def test_the_deadline_of_the_call_beats_that_of_the_policy() -> None:
    """Longer or shorter; infinity lifts it."""
    policy = attrs.evolve(STEADY, deadline=10)

    assert isinstance(decide(policy, hint=30), Stop)
    assert isinstance(decide(policy, hint=30, deadline=60), Retry)
    assert isinstance(decide(policy, hint=30, deadline=math.inf), Retry)
    assert isinstance(decide(policy, hint=5, deadline=4), Stop)
    assert isinstance(decide(policy, hint=5, deadline=0), Stop)


def test_a_retry_needs_its_share_before_the_deadline() -> None:
    """Exactly enough is enough."""
    policy = attrs.evolve(STEADY, deadline=10, min_attempt=2)

    assert isinstance(decide(policy, hint=8), Retry)
    assert isinstance(decide(policy, hint=8.5), Stop)


def test_the_retry_window_is_for_starting() -> None:
    """A retry may run beyond it and not begin at it."""
    policy = attrs.evolve(STEADY, retry_window=10, min_attempt=5)

    assert isinstance(decide(policy, hint=9.5), Retry)
    assert decide(policy, hint=10).reason is StopReason.DEADLINE_TOO_SHORT


@pytest.mark.parametrize("limits", [{"deadline": 8.5}, {"retry_window": 8.5}])
def test_only_the_random_part_is_cut_to_fit(limits: dict[str, float]) -> None:
    """The wait stays spread over what is left, instead of piling up at the end."""
    policy = changed(RetryPolicy(base_delay=4.0), **limits)

    waits = [
        delay(decide(policy, hint=7, elapsed=0.5, jitter=share))
        for share in (0, 0.5, 0.75)
    ]

    assert waits == [7.0, 7.5, 7.75]


def test_min_attempt_is_kept_free_by_the_cut() -> None:
    """The random part may not eat the time of the attempt."""
    policy = RetryPolicy(base_delay=4.0, deadline=10, min_attempt=2)

    assert delay(decide(policy, hint=7, jitter=0.5)) == 7.5
