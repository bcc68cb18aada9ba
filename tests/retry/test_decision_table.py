"""The decision table, row by row: may a failed call be repeated?"""

from typing import Any

import attrs
import pytest

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    HttpEvidence,
    NextStep,
    Origin,
    Severity,
    SideEffects,
    StopReason,
)
from mcpfusion_client.retry import Retry, RetryPolicy, Stop
from mcpfusion_client.retry.decision import TABLE

READ = Effects(read_only=True)
WRITE = Effects(read_only=False, idempotent=False, destructive=True)
UNDECLARED = Effects()
KEYED = attrs.evolve(WRITE, idempotency_argument="request_id")
EVERY_KIND = pytest.mark.parametrize(
    "effects", [READ, WRITE, UNDECLARED, KEYED], ids=["read", "write", "bare", "keyed"]
)

BUSY = ErrorInfo(
    message="",
    code="SERVER_BUSY",
    category=ErrorCategory.TRANSIENT,
    execution=Execution.NOT_EXECUTED,
)
TIMEOUT = ErrorInfo(message="", code="TIMEOUT", category=ErrorCategory.TRANSIENT)
NO_CODE = ErrorInfo(message="")
VERIFY = Stop(StopReason.UNKNOWN_OUTCOME_WRITE, next_step=NextStep.VERIFY_STATE)


def decide(
    info: ErrorInfo,
    effects: Effects = READ,
    policy: RetryPolicy | None = None,
    *,
    answered: bool = True,
    attempt: int = 1,
) -> Retry | Stop:
    """Decide after the first attempt, at once."""
    return (policy or RetryPolicy()).decide(
        info, effects, attempt=attempt, elapsed=0.1, jitter=0.5, answered=answered
    )


def reason(decision: Retry | Stop) -> StopReason | None:
    """Why it stopped; None when it did not."""
    return decision.reason if isinstance(decision, Stop) else None


# -- success


@EVERY_KIND
def test_a_warning_is_a_success_and_never_repeated(effects: Effects) -> None:
    """Advice that rides on a result is not a failure, even with a hint."""
    warning = ErrorInfo(
        message="",
        code="DEPRECATED",
        category=ErrorCategory.TRANSIENT,
        severity=Severity.WARNING,
        retry_after=5,
        stated={"retry_after", "category"},
        execution=Execution.NOT_EXECUTED,
    )

    assert reason(decide(warning, effects)) is StopReason.FIRST_TRY
    assert reason(decide(warning, effects, attempt=2)) is StopReason.RETRIED


@EVERY_KIND
@pytest.mark.parametrize("named", ["HANDOFF_CONNECTING", "HANDOFF_*"])
def test_a_warning_the_policy_names_is_repeated_when_nothing_ran(
    effects: Effects, named: str
) -> None:
    """The gateway answers "still connecting" as a success; nothing ran."""
    warning = attrs.evolve(BUSY, code="HANDOFF_CONNECTING", severity=Severity.WARNING)
    policy = RetryPolicy(retry_warning_codes=[named])

    assert isinstance(decide(warning, effects, policy), Retry)


def test_a_named_warning_on_a_call_that_ran_is_repeated_only_if_harmless() -> None:
    """A success ran: naming its warning does not make a second write safe."""
    warning = attrs.evolve(NO_CODE, code="STALE", severity=Severity.WARNING)
    policy = RetryPolicy(retry_warning_codes=["STALE"])

    assert isinstance(decide(warning, READ, policy), Retry)
    assert decide(warning, WRITE, policy) == Stop(StopReason.FIRST_TRY)
    assert decide(warning, UNDECLARED, policy) == Stop(StopReason.FIRST_TRY)


def test_codes_and_warning_codes_are_two_lists() -> None:
    """Naming a failure code does not turn a success with it into a failure."""
    warning = attrs.evolve(BUSY, severity=Severity.WARNING)
    failure = attrs.evolve(NO_CODE, code="SERVER_BUSY")

    assert reason(decide(warning, READ, RetryPolicy(retry_codes=["*"]))) is (
        StopReason.FIRST_TRY
    )
    assert reason(decide(failure, READ, RetryPolicy(retry_warning_codes=["*"]))) is (
        StopReason.NOT_RETRYABLE
    )


# -- critical, and the server's no


@EVERY_KIND
def test_critical_beats_everything_the_server_says(effects: Effects) -> None:
    """Somebody has to look, whatever flag or hint is beside it."""
    info = attrs.evolve(
        BUSY,
        severity=Severity.CRITICAL,
        is_retryable=True,
        retry_after=1,
        stated={"is_retryable", "retry_after"},
    )

    assert reason(decide(info, effects)) is StopReason.CRITICAL


def test_critical_beats_a_stated_no() -> None:
    """The order of the rows is part of the contract."""
    info = attrs.evolve(
        BUSY, severity=Severity.CRITICAL, is_retryable=False, stated={"is_retryable"}
    )

    assert reason(decide(info)) is StopReason.CRITICAL


@EVERY_KIND
def test_a_stated_no_beats_a_hint_and_a_named_code(effects: Effects) -> None:
    """The server has used up its own retries; a hint does not change that."""
    info = attrs.evolve(
        BUSY, is_retryable=False, retry_after=1, stated={"is_retryable", "retry_after"}
    )
    policy = RetryPolicy(retry_codes=["SERVER_BUSY"])

    assert reason(decide(info, effects, policy)) is StopReason.SERVER_SAID_NO


def test_an_inferred_no_is_enough_to_forbid() -> None:
    """Words permit nothing, but who reads "do not retry" does not; unless named."""
    info = attrs.evolve(BUSY, is_retryable=False)

    assert reason(decide(info)) is StopReason.NOT_RETRYABLE
    assert isinstance(
        decide(info, policy=RetryPolicy(retry_codes=("SERVER_BUSY",))), Retry
    )


@pytest.mark.parametrize(
    "step", [step for step in NextStep if step is not NextStep.RETRY]
)
def test_a_retry_label_that_asks_for_something_else_is_a_no(step: NextStep) -> None:
    """Only after checking, or with a person: a refusal of a blind repeat."""
    info = attrs.evolve(BUSY, stated_next_step=step)

    assert reason(decide(info)) is StopReason.SERVER_SAID_NO


def test_a_retry_label_that_says_retry_is_a_yes() -> None:
    """It weighs as much as a stated flag."""
    info = attrs.evolve(NO_CODE, stated_next_step=NextStep.RETRY)

    assert decide(info) == Retry(0.5, "stated_temporary")
    assert reason(decide(info, WRITE)) is StopReason.UNKNOWN_OUTCOME_WRITE


# -- rejected before execution


@EVERY_KIND
@pytest.mark.parametrize(
    "category", [ErrorCategory.TRANSIENT, ErrorCategory.RATE_LIMITED]
)
@pytest.mark.parametrize("side_effects", [None, SideEffects.NONE])
def test_a_transient_failure_of_a_call_that_did_not_run_is_repeated_for_every_tool(
    effects: Effects,
    category: ErrorCategory,
    side_effects: SideEffects | None,
) -> None:
    """Nothing happened, so the second time is the first time."""
    info = attrs.evolve(BUSY, category=category, side_effects=side_effects)

    for answered in (True, False):
        assert decide(info, effects, answered=answered) == Retry(0.5, "rejected")


@pytest.mark.parametrize("side_effects", [SideEffects.SOME, SideEffects.UNKNOWN])
def test_side_effects_make_a_call_that_did_not_run_one_that_may_have(
    side_effects: SideEffects,
) -> None:
    """Something that left traces has run, whatever else is claimed."""
    info = attrs.evolve(BUSY, side_effects=side_effects)

    write = decide(info, WRITE)

    assert write == Stop(
        StopReason.UNKNOWN_OUTCOME_WRITE, next_step=NextStep.VERIFY_STATE
    )
    assert decide(info, READ) == Retry(0.5, "outcome_unknown")


# -- a call with the same key is being worked on


@EVERY_KIND
def test_a_stated_key_in_flight_is_waited_for(effects: Effects) -> None:
    """The server refused this one; the key makes the next one get the answer."""
    info = attrs.evolve(NO_CODE, code="IDEMPOTENCY_IN_FLIGHT", stated={"code"})

    assert decide(info, effects) == Retry(0.5, "key_in_flight")


def test_a_key_in_flight_found_in_prose_is_no_statement() -> None:
    """A code that only stands in a text says nothing about this call."""
    info = attrs.evolve(NO_CODE, code="IDEMPOTENCY_IN_FLIGHT")

    assert reason(decide(info, READ)) is StopReason.NOT_RETRYABLE


# -- permanent


@EVERY_KIND
@pytest.mark.parametrize(
    "category",
    [
        ErrorCategory.VALIDATION,
        ErrorCategory.AMBIGUOUS,
        ErrorCategory.PERMISSION,
        ErrorCategory.AUTHENTICATION,
        ErrorCategory.BUSINESS,
        ErrorCategory.NOT_FOUND,
        ErrorCategory.CONFLICT,
        ErrorCategory.CANCELLED,
    ],
)
@pytest.mark.parametrize("execution", list(Execution))
def test_a_permanent_failure_is_never_repeated(
    effects: Effects, category: ErrorCategory, execution: Execution
) -> None:
    """The same call gets the same answer, whoever sends it, in whatever wrapping."""
    info = attrs.evolve(
        NO_CODE, category=category, execution=execution, stated={"category"}
    )
    wrapped = attrs.evolve(info, http=HttpEvidence(status=500), code="INTERNAL_ERROR")

    assert decide(info, effects) == Stop(StopReason.NOT_RETRYABLE)
    assert decide(wrapped, effects) == Stop(StopReason.NOT_RETRYABLE)


@EVERY_KIND
def test_a_protocol_error_of_a_call_that_did_not_run_is_permanent(
    effects: Effects,
) -> None:
    """A method that does not exist will not exist in a second either."""
    info = attrs.evolve(
        NO_CODE,
        code="-32601",
        category=ErrorCategory.PROTOCOL,
        execution=Execution.NOT_EXECUTED,
    )
    refused = attrs.evolve(info, category=ErrorCategory.VALIDATION)

    assert decide(info, effects) == Stop(StopReason.NOT_RETRYABLE)
    assert decide(info, effects).why == decide(refused, effects).why


# -- outcome unknown

BROKE = {
    "timeout": TIMEOUT,
    "lost": attrs.evolve(TIMEOUT, code="CONNECTION_LOST", origin=Origin.TRANSPORT),
    "503": attrs.evolve(TIMEOUT, code="HTTP_503"),
    "unreadable": attrs.evolve(
        NO_CODE, code="BAD_RESPONSE", category=ErrorCategory.PROTOCOL
    ),
    "protocol": attrs.evolve(NO_CODE, category=ErrorCategory.PROTOCOL),
    "BAD_RESPONSE": attrs.evolve(NO_CODE, code="BAD_RESPONSE"),
    "TIMEOUT": attrs.evolve(NO_CODE, code="TIMEOUT"),
    "CONNECTION_LOST": attrs.evolve(NO_CODE, code="CONNECTION_LOST"),
    "INTERNAL_ERROR": attrs.evolve(NO_CODE, code="INTERNAL_ERROR"),
    "internal-error": attrs.evolve(NO_CODE, code="internal-error"),
    "InternalServerError": attrs.evolve(NO_CODE, code="InternalServerError"),
    "INTERNAL": attrs.evolve(NO_CODE, code="INTERNAL"),
    "InternalFailure": attrs.evolve(NO_CODE, code="InternalFailure"),
    "-32603": attrs.evolve(NO_CODE, code="-32603"),
    "HTTP_500": attrs.evolve(NO_CODE, code="HTTP_500"),
    "500 with a code": attrs.evolve(
        NO_CODE, code="BOOM", http=HttpEvidence(status=500)
    ),
}
EVERY_BREAK = pytest.mark.parametrize("broke", BROKE.values(), ids=list(BROKE))


@EVERY_BREAK
def test_a_call_whose_outcome_is_unknown_is_repeated_only_if_harmless(
    broke: ErrorInfo,
) -> None:
    """Nobody knows whether it took effect; only a harmless call may find out."""
    again = Retry(0.5, "outcome_unknown")

    for answered in (True, False):
        for effects in (READ, KEYED, Effects(idempotent=True)):
            assert decide(broke, effects, answered=answered) == again
        for effects in (WRITE, UNDECLARED):
            assert decide(broke, effects, answered=answered) == VERIFY


@EVERY_BREAK
def test_trust_in_the_servers_word_needs_a_word(broke: ErrorInfo) -> None:
    """The opt-in for writes covers statements, not guesses."""
    policy = RetryPolicy(trust_retryable_on_writes=True)

    assert decide(broke, WRITE, policy) == VERIFY


@EVERY_BREAK
def test_a_policy_can_assume_that_undescribed_tools_are_safe(broke: ErrorInfo) -> None:
    """For servers that only read, and say so nowhere."""
    policy = RetryPolicy(unannotated="assume_safe")

    assert isinstance(decide(broke, UNDECLARED, policy), Retry)
    assert decide(broke, WRITE, policy) == VERIFY


@pytest.mark.parametrize("effects", [WRITE, UNDECLARED])
def test_a_transient_failure_after_the_tool_ran_wants_a_look(effects: Effects) -> None:
    """It ran, so the outcome is not unknown, and not for repeating either."""
    info = attrs.evolve(TIMEOUT, execution=Execution.EXECUTED)

    assert decide(info, effects) == Stop(
        StopReason.NOT_RETRYABLE, next_step=NextStep.VERIFY_STATE
    )
    assert isinstance(decide(info, READ), Retry)


@EVERY_KIND
@pytest.mark.parametrize("category", [ErrorCategory.UNKNOWN, ErrorCategory.PROTOCOL])
@pytest.mark.parametrize("code", ["INTERNAL_ERROR", "BAD_RESPONSE", None])
def test_an_answer_that_cannot_be_used_is_not_asked_for_again(
    effects: Effects, category: ErrorCategory, code: str | None
) -> None:
    """The tool ran; output that breaks its schema breaks it the next time too."""
    info = attrs.evolve(
        NO_CODE, category=category, code=code, execution=Execution.EXECUTED
    )

    assert decide(info, effects) == Stop(StopReason.NOT_RETRYABLE)


def test_a_crash_before_execution_needs_no_look() -> None:
    """Nothing ran, so there is nothing to verify."""
    info = attrs.evolve(
        NO_CODE, code="INTERNAL_ERROR", execution=Execution.NOT_EXECUTED
    )

    assert decide(info, WRITE) == Stop(StopReason.NOT_RETRYABLE)
    assert decide(info, READ) == Retry(0.5, "outcome_unknown")


# -- anything else


@EVERY_KIND
@pytest.mark.parametrize(
    "info",
    [
        NO_CODE,
        attrs.evolve(NO_CODE, code="-32005", origin=Origin.PROTOCOL),
        attrs.evolve(NO_CODE, code="WEIRD", http=HttpEvidence(status=501)),
        attrs.evolve(NO_CODE, category=ErrorCategory.OTHER),
        attrs.evolve(NO_CODE, category=ErrorCategory.STATE_UNKNOWN),
        attrs.evolve(NO_CODE, is_retryable=True),
        attrs.evolve(NO_CODE, stated={"retry_after", "is_retryable", "category"}),
        attrs.evolve(NO_CODE, code="WEIRD", stated={"code"}),
    ],
    ids=[
        "bare",
        "-32005",
        "501",
        "other",
        "state unknown",
        "inferred",
        "empty words",
        "code",
    ],
)
def test_without_evidence_nothing_is_repeated(
    effects: Effects, info: ErrorInfo
) -> None:
    """UNKNOWN is a bucket for failures to look at, not for load."""
    assert decide(info, effects) == Stop(StopReason.NOT_RETRYABLE)


def test_every_row_has_a_name_and_a_reason_of_its_own() -> None:
    """The documentation page and the logs are written from them."""
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert len({row.why for row in TABLE}) == len(TABLE)


def test_decisions_say_why_in_words() -> None:
    """For people; equality of decisions does not depend on it."""
    crash = attrs.evolve(
        NO_CODE, code="INTERNAL_ERROR", execution=Execution.NOT_EXECUTED
    )

    assert decide(BUSY).why
    assert decide(TIMEOUT, WRITE).why
    assert decide(NO_CODE).why
    assert decide(crash, WRITE).why
    assert decide(BUSY, policy=RetryPolicy.off()).why


SENTENCE = attrs.evolve(BUSY, code=None)


def test_sentences_alone_never_make_a_declared_write_repeatable() -> None:
    """That a mail was rate limited after something was saved reads the same."""
    stop = decide(SENTENCE, WRITE)

    assert stop == VERIFY
    assert isinstance(decide(SENTENCE, READ), Retry)
    assert isinstance(decide(SENTENCE, Effects()), Retry)


@pytest.mark.parametrize(
    "fact",
    [
        {"code": "SERVER_BUSY"},
        {"origin": Origin.HTTP},
        {"http": HttpEvidence(status=429, headers={}, body_excerpt=None)},
        {"stated": frozenset({"category"})},
        {"retry_after": 1.0, "stated": frozenset({"retry_after"})},
    ],
)
def test_a_code_a_status_or_a_statement_is_more_than_sentences(
    fact: dict[str, Any],
) -> None:
    """Then the server says that it turned the call away."""
    assert isinstance(decide(attrs.evolve(SENTENCE, **fact), WRITE), Retry)
