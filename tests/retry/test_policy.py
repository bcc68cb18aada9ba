"""The policy: its numbers, its limits, its words."""

import math
import pickle
import re

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
from mcpfusion_client.retry import Retry, RetryPolicy, Safety, Stop

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


def test_the_defaults_are_those_of_the_contract() -> None:
    """People rely on them without naming them."""
    assert attrs.asdict(RetryPolicy()) == {
        "enabled": True,
        "max_attempts": 4,
        "base_delay": 0.5,
        "multiplier": 2.0,
        "max_delay": 20.0,
        "jitter": "spread",
        "max_retry_after": 120.0,
        "retry_window": 120.0,
        "deadline": None,
        "min_attempt": 0.0,
        "unannotated": "trust_server",
        "trust_retryable_on_writes": False,
        "retry_codes": (),
        "retry_warning_codes": (),
    }


# -- impossible numbers


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_attempts", 0),
        ("max_attempts", -1),
        ("max_attempts", 2.5),
        ("max_attempts", True),
        ("max_attempts", math.inf),
        ("base_delay", -0.1),
        ("base_delay", math.nan),
        ("base_delay", 20.5),
        ("base_delay", True),
        ("base_delay", "1"),
        ("multiplier", 0.99),
        ("multiplier", math.inf),
        ("max_delay", -1),
        ("max_delay", math.inf),
        ("max_delay", math.nan),
        ("max_retry_after", -1),
        ("max_retry_after", math.nan),
        ("retry_window", -1),
        ("retry_window", -math.inf),
        ("deadline", -1),
        ("deadline", math.nan),
        ("min_attempt", -1),
        ("min_attempt", math.inf),
        ("jitter", "equal"),
        ("unannotated", "trust"),
    ],
)
def test_an_impossible_value_is_refused_by_name(field: str, value: JsonValue) -> None:
    """A policy that cannot mean what it says fails where it is written."""
    with pytest.raises(ValueError, match=rf"^{field} "):
        changed(RetryPolicy(), **{field: value})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_attempts", 1),
        ("max_attempts", 10**9),
        ("base_delay", 0),
        ("base_delay", 20.0),
        ("multiplier", 1),
        ("max_delay", 0.5),
        ("max_retry_after", 0),
        ("max_retry_after", math.inf),
        ("retry_window", 0),
        ("retry_window", math.inf),
        ("deadline", 0),
        ("deadline", math.inf),
        ("deadline", None),
        ("min_attempt", 0),
    ],
)
def test_the_ends_of_every_range_are_allowed(field: str, value: JsonValue) -> None:
    """Ranges include their ends; infinity lifts a limit."""
    policy = changed(RetryPolicy(), **{field: value})

    assert attrs.asdict(policy)[field] == value


def test_a_single_code_must_be_in_a_list() -> None:
    """A string is a sequence too, of letters: a mistake worth an error."""
    with pytest.raises(TypeError):
        RetryPolicy(retry_codes="BUSY")

    assert RetryPolicy(retry_codes=["BUSY"]).retry_codes == ("BUSY",)


def test_a_code_is_a_string() -> None:
    """A number would fail at the first failure, far from where it was written."""
    numbers: JsonValue = ["BUSY", 429]

    with pytest.raises(TypeError, match="429"):
        RetryPolicy(retry_codes=numbers)
    with pytest.raises(TypeError, match="429"):
        RetryPolicy(retry_warning_codes=numbers)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("attempt", {"attempt": 0}),
        ("elapsed", {"elapsed": -1.0}),
        ("elapsed", {"elapsed": math.nan}),
        ("elapsed", {"elapsed": math.inf}),
        ("jitter", {"jitter": 1.0}),
        ("jitter", {"jitter": -0.1}),
        ("jitter", {"jitter": math.nan}),
        ("deadline", {"deadline": -1.0}),
        ("deadline", {"deadline": math.nan}),
    ],
)
def test_impossible_arguments_are_refused_by_name(
    name: str, arguments: dict[str, JsonValue]
) -> None:
    """A NaN would otherwise turn into a sleep without end."""
    with pytest.raises(ValueError, match=rf"^{name} "):
        decide(RetryPolicy(), **arguments)


def test_a_policy_pickles_and_compares_by_value() -> None:
    """It travels to worker processes and into configuration tests."""
    policy = RetryPolicy(retry_codes=["A"])

    assert pickle.loads(pickle.dumps(policy)) == policy  # noqa: S301 - our own
    assert hash(policy) == hash(attrs.evolve(policy))


# -- is there room: one test a bullet


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


# -- effects under a policy


@pytest.mark.parametrize(
    ("unannotated", "safety"),
    [
        ("trust_server", Safety.UNDECLARED),
        ("assume_write", Safety.WRITE),
        ("assume_safe", Safety.HARMLESS),
    ],
)
def test_the_policy_settles_what_nobody_says(
    unannotated: JsonValue, safety: Safety
) -> None:
    """And nothing else: what is declared stays declared."""
    policy = RetryPolicy(unannotated=unannotated)

    assert policy.safety(Effects()) is safety
    assert policy.is_harmless(Effects()) is (safety is Safety.HARMLESS)
    assert policy.is_harmless(Effects(read_only=True))
    assert policy.safety(Effects(read_only=False)) is Safety.WRITE


def test_a_decision_is_about_an_answer_unless_it_is_said_otherwise() -> None:
    """Most failures are answers, and most callers have no transport to ask."""
    temporary = ErrorInfo(message="", is_retryable=True, stated={"is_retryable"})

    decision = RetryPolicy().decide(
        temporary, Effects(), attempt=1, elapsed=0.0, jitter=0.0
    )

    assert isinstance(decision, Retry)


# -- policies by tool

CAREFUL = RetryPolicy(max_attempts=2)
EAGER = RetryPolicy(max_attempts=9)


@pytest.mark.parametrize(
    ("action", "tool", "policy"),
    [
        ("billing.refund", "billing", CAREFUL),
        ("billing.refund", "billing_refund", CAREFUL),
        ("files.read", "billing.files", CAREFUL),
        ("files.read", "files_read", EAGER),
        ("files.read", "files", EAGER),
        ("Files.read", "Files_read", RetryPolicy()),
        ("Billing.list", "Billing_list", RetryPolicy()),
        ("orders.refund", "orders", RetryPolicy.off()),
        ("users.list", "users", RetryPolicy()),
    ],
)
def test_the_first_pattern_that_fits_names_the_policy(
    action: str, tool: str, policy: RetryPolicy
) -> None:
    """On the action or the wire name, whichever fits."""
    policies = RetryPolicy.for_tools(
        {"billing.*": CAREFUL, "files_*": EAGER, "*refund": RetryPolicy.off()}
    )

    assert policies.for_call(action, tool) == policy


def test_the_default_covers_every_other_tool() -> None:
    """Also when no tool is named at all."""
    assert RetryPolicy.for_tools({}, default=EAGER).for_call("a", "a") is EAGER


def test_one_policy_is_the_policy_of_every_tool() -> None:
    """So the engine asks the same question of either kind."""
    assert CAREFUL.for_call("billing.refund", "billing") is CAREFUL


def test_only_policies_can_be_given_by_tool() -> None:
    """False would otherwise fail at the first call of that tool."""
    nonsense: JsonValue = False

    with pytest.raises(TypeError, match="refund"):
        RetryPolicy.for_tools({"refund.*": nonsense})
    with pytest.raises(TypeError, match="default"):
        RetryPolicy.for_tools({}, default=nonsense)


# -- in words


def test_a_policy_tells_what_it_does() -> None:
    """The words are for people; every number of the policy is among them."""
    policy = RetryPolicy(
        max_attempts=9,
        base_delay=0.25,
        max_delay=33,
        max_retry_after=44,
        retry_window=55,
        deadline=66,
        min_attempt=7.5,
        retry_codes=["LEDGER_LOCKED"],
        retry_warning_codes=["STALE_*"],
    )

    text = policy.describe()

    for word in ("9", "0.25", "33", "44", "55", "66", "7.5", "LEDGER_LOCKED", "STALE_"):
        assert word in text


def test_what_a_policy_does_not_do_is_not_told() -> None:
    """Lifted limits and empty lists leave no words behind."""
    short = RetryPolicy(
        max_attempts=2,
        jitter="none",
        max_retry_after=math.inf,
        retry_window=math.inf,
        deadline=math.inf,
    )

    text = short.describe()

    assert "inf" not in text
    assert "up to" not in text
    assert "  " not in text


def test_a_policy_that_makes_one_attempt_tells_no_waits() -> None:
    """There is nothing to wait for."""
    text = changed(RetryPolicy(), max_attempts=1).describe()

    assert not any(char.isdigit() for char in text)
    assert any(char.isdigit() for char in changed(STEADY, max_attempts=2).describe())


@pytest.mark.parametrize(
    ("attempts", "told"),
    [
        (2, ["0.25", "44"]),
        (6, ["0.25", "0.5", "1", "2", "4", "44"]),
        (7, ["0.25", "0.5", "1", "2", "4", "33", "44"]),
        (99, ["0.25", "0.5", "1", "2", "4", "33", "44"]),
    ],
)
def test_the_first_steps_are_told_and_then_the_cap(
    attempts: int, told: list[str]
) -> None:
    """One wait fewer than attempts, five at most; then the limits, those there are."""
    policy = changed(
        STEADY,
        max_attempts=attempts,
        base_delay=0.25,
        max_delay=33,
        max_retry_after=44,
        retry_window=math.inf,
        deadline=55,
    )

    assert re.findall(r"([\d.]+) s\b", policy.describe()) == [*told, "55"]


def test_every_setting_has_words_of_its_own() -> None:
    """Two policies that act differently do not read the same."""
    base = RetryPolicy(max_attempts=9, deadline=60)
    changes: list[dict[str, JsonValue]] = [
        {},
        {"enabled": False},
        {"max_attempts": 1},
        {"max_attempts": 6},
        {"jitter": "full"},
        {"jitter": "none"},
        {"unannotated": "assume_write"},
        {"unannotated": "assume_safe"},
        {"trust_retryable_on_writes": True},
        {"deadline": None},
        {"min_attempt": 3},
    ]

    texts = {changed(base, **change).describe() for change in changes}

    assert len(texts) == len(changes)


def test_policies_by_tool_tell_one_paragraph_each() -> None:
    """In the order in which they are tried."""
    policies = RetryPolicy.for_tools({"refund.*": RetryPolicy.off()})

    first, last = policies.describe().splitlines()

    assert first.startswith("refund.*: ")
    assert last.endswith(RetryPolicy().describe())
