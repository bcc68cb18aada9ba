"""What a policy says of itself, for people."""

import math
import re

import attrs
import pytest

from mcpfusion_client.model import JsonValue
from mcpfusion_client.retry import RetryPolicy

STEADY = RetryPolicy(jitter="none")


def changed(policy: RetryPolicy, **change: JsonValue) -> RetryPolicy:
    """Return *policy* with some fields changed, whatever their types."""
    return attrs.evolve(policy, **change)


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
