"""The budget by itself: what a retry costs and what brings tokens back."""

import math

import pytest

from mcpfusion_client.model import JsonValue
from mcpfusion_client.retry import RetryBudget


def spent(budget: RetryBudget, count: int) -> RetryBudget:
    """Return *budget* after *count* retries."""
    for _ in range(count):
        assert budget.take("s")
    return budget


def test_an_empty_budget_pays_for_nothing_and_takes_nothing() -> None:
    """A token that is there in part is none."""
    budget = spent(RetryBudget(capacity=2.5), 2)

    assert not budget.take("s")
    assert budget.left("s") == 0.5
    assert budget.take("another")


def test_exactly_one_token_is_enough() -> None:
    """The last one counts."""
    assert RetryBudget(capacity=1.0).take("s")


def test_what_brings_tokens_back() -> None:
    """A retry that succeeded or was not sent brings its own, others the refund."""
    budget = spent(RetryBudget(capacity=10.0, refund=0.25), 5)

    budget.succeeded("s", retried=True)
    assert budget.left("s") == 6.0
    budget.succeeded("s", retried=False)
    assert budget.left("s") == 6.25
    budget.give_back("s")
    assert budget.left("s") == 7.25
    assert budget.left("another") == 10.0


@pytest.mark.parametrize(("count", "left"), [(2, 9.0), (3, 10.0), (4, 10.0)])
def test_it_never_holds_more_than_its_capacity(count: int, left: float) -> None:
    """And a full one is not remembered, so memory holds only servers in trouble."""
    budget = spent(RetryBudget(capacity=10.0), 3)

    for _ in range(count):
        budget.give_back("s")

    assert budget.left("s") == left
    assert len(budget._tokens) == (left < 10.0)


def test_a_success_where_nothing_was_spent_is_no_event() -> None:
    """Most calls succeed at once."""
    budget = RetryBudget()
    budget.succeeded("s", retried=False)
    assert budget.left("s") == 50.0
    assert not budget._tokens


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("capacity", -1),
        ("capacity", math.nan),
        ("capacity", "50"),
        ("refund", -0.1),
        ("refund", math.inf),
        ("refund", True),
    ],
)
def test_an_impossible_number_is_refused_by_name(field: str, value: JsonValue) -> None:
    """At construction, not in the middle of trouble."""
    with pytest.raises(ValueError, match=field):
        RetryBudget(**{field: value})


def test_without_a_bound_it_is_never_empty() -> None:
    """And nothing at all is a budget too."""
    assert RetryBudget(capacity=math.inf, refund=0).take("s")
    assert not RetryBudget(capacity=0).take("s")
