"""The policy: its numbers, the effects under it, and policies by tool."""

import math
import pickle

import attrs
import pytest

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    JsonValue,
)
from mcpfusion_client.retry import Retry, RetryPolicy, Safety

BUSY = ErrorInfo(
    message="", category=ErrorCategory.TRANSIENT, execution=Execution.NOT_EXECUTED
)
POSSIBLE: dict[str, JsonValue] = {"attempt": 1, "elapsed": 0.0, "jitter": 0.5}


def changed(policy: RetryPolicy, **change: JsonValue) -> RetryPolicy:
    """Return *policy* with some fields changed, whatever their types."""
    return attrs.evolve(policy, **change)


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
        ("enabled", "no"),
        ("enabled", 0),
        ("enabled", None),
        ("trust_retryable_on_writes", "no"),
        ("trust_retryable_on_writes", 1),
        ("max_attempts", 0),
        ("max_attempts", -1),
        ("max_attempts", 2.5),
        ("max_attempts", True),
        ("max_attempts", math.inf),
        ("base_delay", -0.1),
        ("base_delay", math.nan),
        ("base_delay", True),
        ("base_delay", "1"),
        ("multiplier", 0.99),
        ("multiplier", math.inf),
        ("base_delay", 20.5),  # above max_delay
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
        RetryPolicy().decide(BUSY, Effects(), **(POSSIBLE | arguments))


def test_a_policy_pickles_and_compares_by_value() -> None:
    """It travels to worker processes and into configuration tests."""
    policy = RetryPolicy(retry_codes=["A"])

    assert pickle.loads(pickle.dumps(policy)) == policy  # noqa: S301 - our own
    assert hash(policy) == hash(attrs.evolve(policy))


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
