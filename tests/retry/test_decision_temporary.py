"""Failures that the server or the caller calls temporary: whose word is enough?"""

import attrs
import pytest

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    NextStep,
    StopReason,
)
from mcpfusion_client.retry import Retry, RetryPolicy, Stop

READ = Effects(read_only=True)
WRITE = Effects(read_only=False, idempotent=False, destructive=True)
UNDECLARED = Effects()
KEYED = attrs.evolve(WRITE, idempotency_argument="request_id")

NO_CODE = ErrorInfo(message="")
TIMEOUT = attrs.evolve(NO_CODE, code="TIMEOUT", category=ErrorCategory.TRANSIENT)
X = attrs.evolve(NO_CODE, code="X")
STATEMENTS = {
    "flag": attrs.evolve(X, is_retryable=True, stated={"is_retryable"}),
    "category": attrs.evolve(X, category=ErrorCategory.TRANSIENT, stated={"category"}),
    "rate": attrs.evolve(X, category=ErrorCategory.RATE_LIMITED, stated={"category"}),
    "hint": attrs.evolve(X, retry_after=0.5, stated={"retry_after"}),
    "hint of 0": attrs.evolve(X, retry_after=0.0, stated={"retry_after"}),
    "label": attrs.evolve(X, stated_next_step=NextStep.RETRY),
}
EVERY_STATEMENT = pytest.mark.parametrize(
    "temporary", STATEMENTS.values(), ids=list(STATEMENTS)
)
VERIFY = Stop(StopReason.UNKNOWN_OUTCOME_WRITE, next_step=NextStep.VERIFY_STATE)


def decide(
    info: ErrorInfo,
    effects: Effects = READ,
    policy: RetryPolicy | None = None,
    *,
    answered: bool = True,
) -> Retry | Stop:
    """Decide after the first attempt, at once."""
    return (policy or RetryPolicy()).decide(
        info, effects, attempt=1, elapsed=0.1, jitter=0.5, answered=answered
    )


def reason(decision: Retry | Stop) -> StopReason | None:
    """Why it stopped; None when it did not."""
    return decision.reason if isinstance(decision, Stop) else None


@EVERY_STATEMENT
@pytest.mark.parametrize("effects", [READ, KEYED, Effects(idempotent=True)])
def test_a_stated_temporary_failure_is_repeated_if_harmless(
    temporary: ErrorInfo, effects: Effects
) -> None:
    """Flag, category, hint and label weigh the same."""
    decision = decide(temporary, effects)

    assert isinstance(decision, Retry)
    assert decision.reason == "stated_temporary"


@pytest.mark.parametrize("effects", [WRITE, UNDECLARED])
def test_a_server_that_does_not_know_has_taken_its_category_back(
    effects: Effects,
) -> None:
    """Temporary, but whether a repeat helps nobody knows: that is no yes."""
    unsure = attrs.evolve(TIMEOUT, stated={"category", "is_retryable"})
    hinted = attrs.evolve(
        unsure, retry_after=3, stated={"category", "is_retryable", "retry_after"}
    )

    assert decide(unsure, effects) == VERIFY
    assert isinstance(decide(unsure, READ), Retry)
    assert isinstance(decide(hinted, UNDECLARED), Retry)


@EVERY_STATEMENT
def test_a_declared_write_is_not_repeated_on_the_servers_word(
    temporary: ErrorInfo,
) -> None:
    """That it will work later is not that it did not happen."""
    assert decide(temporary, WRITE) == VERIFY


@EVERY_STATEMENT
def test_a_declared_write_is_repeated_when_the_policy_trusts_the_servers_word(
    temporary: ErrorInfo,
) -> None:
    """The caller knows that this server undoes what it fails."""
    policy = RetryPolicy(trust_retryable_on_writes=True)

    assert isinstance(decide(temporary, WRITE, policy), Retry)
    assert decide(temporary, WRITE, policy, answered=False) == VERIFY


@EVERY_STATEMENT
def test_unannotated_decides_for_a_tool_nobody_describes(temporary: ErrorInfo) -> None:
    """Most servers annotate nothing; their word is followed by default."""
    cautious = RetryPolicy(unannotated="assume_write")
    both = RetryPolicy(unannotated="assume_write", trust_retryable_on_writes=True)
    bold = RetryPolicy(unannotated="assume_safe")

    assert isinstance(decide(temporary, UNDECLARED), Retry)
    assert decide(temporary, UNDECLARED, answered=False) == VERIFY
    assert decide(temporary, UNDECLARED, cautious) == VERIFY
    assert isinstance(decide(temporary, UNDECLARED, both), Retry)
    assert isinstance(decide(temporary, UNDECLARED, bold, answered=False), Retry)


@EVERY_STATEMENT
@pytest.mark.parametrize("effects", [READ, WRITE, UNDECLARED, KEYED])
def test_a_stated_temporary_failure_of_a_call_that_did_not_run_is_repeated(
    temporary: ErrorInfo, effects: Effects
) -> None:
    """Also for a conflict or a missing record that will be there soon."""
    info = attrs.evolve(temporary, execution=Execution.NOT_EXECUTED)

    assert isinstance(decide(info, effects), Retry)


@EVERY_STATEMENT
@pytest.mark.parametrize("effects", [WRITE, UNDECLARED])
def test_a_call_that_ran_is_not_repeated_unless_harmless(
    temporary: ErrorInfo, effects: Effects
) -> None:
    """Known to have run is worse than unknown: no trust reaches that far."""
    info = attrs.evolve(temporary, execution=Execution.EXECUTED)
    trusting = RetryPolicy(trust_retryable_on_writes=True)

    for policy in (RetryPolicy(), trusting):
        assert decide(info, effects, policy) == Stop(
            StopReason.NOT_RETRYABLE, next_step=NextStep.VERIFY_STATE
        )
    assert isinstance(decide(info, READ), Retry)


@pytest.mark.parametrize(
    "inferred",
    [
        attrs.evolve(NO_CODE, is_retryable=True),
        attrs.evolve(NO_CODE, retry_after=3.0),
        attrs.evolve(TIMEOUT, execution=Execution.EXECUTED),
    ],
    ids=["flag", "hint", "category"],
)
@pytest.mark.parametrize("effects", [WRITE, UNDECLARED])
def test_what_was_only_inferred_is_no_statement(
    inferred: ErrorInfo, effects: Effects
) -> None:
    """Every crash of an MCP Fusion server says "retry the same call" in prose."""
    assert reason(decide(inferred, effects)) is StopReason.NOT_RETRYABLE


@pytest.mark.parametrize("named", ["LEDGER_LOCKED", "LEDGER_*", "*"])
def test_a_code_the_caller_names_counts_as_temporary(named: str) -> None:
    """The caller knows the server better than any table."""
    info = attrs.evolve(NO_CODE, code="LEDGER_LOCKED")
    policy = RetryPolicy(retry_codes=[named])

    assert isinstance(decide(info, READ, policy), Retry)
    assert isinstance(decide(info, UNDECLARED, policy), Retry)
    assert decide(info, WRITE, policy) == VERIFY
    assert reason(decide(NO_CODE, READ, policy)) is StopReason.NOT_RETRYABLE
    assert reason(decide(info, READ)) is StopReason.NOT_RETRYABLE


def test_a_named_code_goes_before_the_permanent_categories() -> None:
    """A conflict is final, unless the caller knows better."""
    info = attrs.evolve(
        NO_CODE,
        code="LOCK_TIMEOUT",
        category=ErrorCategory.CONFLICT,
        execution=Execution.NOT_EXECUTED,
    )

    policy = RetryPolicy(retry_codes=["LOCK_TIMEOUT"])

    assert isinstance(decide(info, WRITE, policy), Retry)


def test_a_named_timeout_of_an_undescribed_tool_is_not_repeated() -> None:
    """Where nobody answered there is no word of the server to trust."""
    policy = RetryPolicy(retry_codes=["TIMEOUT"])

    assert decide(TIMEOUT, UNDECLARED, policy, answered=False) == VERIFY
