"""The exception tree: one class per category, safe to log, safe to send on."""

import copy
import inspect
import pickle
from collections.abc import Callable
from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client import errors
from mcpfusion_client.model import (
    Attempt,
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    HttpEvidence,
    NextStep,
    Origin,
    StopReason,
)

SLOW_DOWN = ErrorInfo(
    message="slow down",
    code="RATE_LIMITED",
    category=ErrorCategory.RATE_LIMITED,
    is_retryable=True,
    stated={"code", "retry_after"},
    retry_after=7,
    execution=Execution.NOT_EXECUTED,
    http=HttpEvidence(status=429, headers={"retry-after": "7"}),
)
ONE_ATTEMPT = Attempt(
    number=1,
    started=datetime(2026, 11, 30, tzinfo=UTC),
    duration=0.25,
    error=SLOW_DOWN,
    reason=StopReason.ATTEMPTS_EXHAUSTED,
)
EVERY_CLASS = [
    member
    for _, member in inspect.getmembers(errors, inspect.isclass)
    if issubclass(member, errors.MCPFusionClientError)
]


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        (ErrorCategory.TRANSIENT, errors.TransientError),
        (ErrorCategory.RATE_LIMITED, errors.RateLimitedError),
        (ErrorCategory.VALIDATION, errors.ValidationFailedError),
        (ErrorCategory.AMBIGUOUS, errors.AmbiguousError),
        (ErrorCategory.PERMISSION, errors.PermissionDeniedError),
        (ErrorCategory.AUTHENTICATION, errors.AuthenticationError),
        (ErrorCategory.BUSINESS, errors.BusinessRuleError),
        (ErrorCategory.NOT_FOUND, errors.ResourceNotFoundError),
        (ErrorCategory.CONFLICT, errors.ConflictError),
        (ErrorCategory.STATE_UNKNOWN, errors.StateUnknownError),
        (ErrorCategory.CANCELLED, errors.CancelledByPeerError),
        (ErrorCategory.PROTOCOL, errors.ProtocolError),
        (ErrorCategory.OTHER, errors.UncategorizedError),
        (ErrorCategory.UNKNOWN, errors.UncategorizedError),
    ],
)
def test_every_category_has_its_class(
    category: ErrorCategory, expected: type[errors.MCPFusionClientError]
) -> None:
    """People catch by category."""
    info = ErrorInfo(message="x", category=category, execution=Execution.NOT_EXECUTED)

    assert type(errors.for_info(info)) is expected


@pytest.mark.parametrize("category", list(ErrorCategory))
def test_a_finer_category_is_caught_by_its_family(category: ErrorCategory) -> None:
    """A handler for the coarse category sees the finer ones too."""
    fine = ErrorInfo(message="", category=category, execution=Execution.NOT_EXECUTED)
    coarse = attrs.evolve(fine, category=category.family)

    if category not in {ErrorCategory.STATE_UNKNOWN, ErrorCategory.OTHER}:
        assert isinstance(errors.for_info(fine), type(errors.for_info(coarse)))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.CONNECT_FAILED, errors.ConnectError),
        (ErrorCode.CONNECTION_LOST, errors.ConnectionLostError),
        (ErrorCode.TIMEOUT, errors.AttemptTimeoutError),
    ],
)
def test_the_clients_own_transport_failures_have_finer_classes(
    code: ErrorCode, expected: type[errors.MCPFusionClientError]
) -> None:
    """A lost connection is told apart from a server that says TIMEOUT."""
    ours = ErrorInfo(
        message="", code=code, category=ErrorCategory.TRANSIENT, origin=Origin.TRANSPORT
    )
    theirs = attrs.evolve(ours, origin=Origin.TOOL)

    assert type(errors.for_info(ours)) is expected
    assert type(errors.for_info(theirs)) is errors.TransientError


@pytest.mark.parametrize("category", list(ErrorCategory))
def test_an_unknown_outcome_of_a_write_is_never_transient(
    category: ErrorCategory,
) -> None:
    """Whoever catches TransientError may send the call again; this one may not."""
    info = ErrorInfo(message="", category=category, execution=Execution.UNKNOWN)

    error = errors.for_info(info, stop_reason=StopReason.UNKNOWN_OUTCOME_WRITE)

    assert type(error) is errors.StateUnknownError
    assert error.category is category


@pytest.mark.parametrize("stop", [StopReason.SERVER_SAID_NO, StopReason.CRITICAL])
def test_a_refused_repeat_of_a_call_that_may_have_run_is_not_transient(
    stop: StopReason,
) -> None:
    """The server's no came before anyone asked whether a repeat is safe."""
    info = ErrorInfo(message="", category=ErrorCategory.TRANSIENT)

    unsafe = errors.for_info(info, stop_reason=stop)
    harmless = errors.for_info(info, stop_reason=stop, harmless=True)

    assert type(unsafe) is errors.StateUnknownError
    assert type(harmless) is errors.TransientError


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        (StopReason.BLOCKED, errors.CallBlockedError),
        (StopReason.ESCALATED, errors.EscalationRequiredError),
    ],
)
def test_a_refusal_keeps_the_failure_that_caused_it(
    stop: StopReason, expected: type[errors.MCPFusionClientError]
) -> None:
    """A coordinator needs to know what happened before the rule spoke."""
    error = errors.for_info(SLOW_DOWN, stop_reason=stop)

    assert type(error) is expected
    assert error.info is SLOW_DOWN


def test_every_fact_of_the_info_is_readable_on_the_error() -> None:
    """Attributes and properties of ErrorInfo and of the error cannot drift apart."""
    facts = {field.name for field in attrs.fields(ErrorInfo)} | {
        name
        for name, member in inspect.getmembers(ErrorInfo)
        if isinstance(member, property)
    }
    on_error = {
        name
        for name, member in vars(errors.MCPFusionClientError).items()
        if isinstance(member, errors._Fact)
    }
    error = errors.for_info(SLOW_DOWN)

    assert on_error == facts
    assert {n: getattr(error, n) for n in facts} == {
        n: getattr(SLOW_DOWN, n) for n in facts
    }


def _pickled(error: errors.MCPFusionClientError) -> errors.MCPFusionClientError:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert isinstance(again, errors.MCPFusionClientError)
    return again


@pytest.mark.parametrize("kind", EVERY_CLASS)
@pytest.mark.parametrize("duplicate", [copy.copy, _pickled])
def test_every_error_survives_pickling_and_copying(
    kind: type[errors.MCPFusionClientError],
    duplicate: Callable[[errors.MCPFusionClientError], errors.MCPFusionClientError],
) -> None:
    """Process pools and task queues pickle exceptions."""
    raw = {"content": [{"type": "text", "text": "slow down"}], "isError": True}
    error = kind(
        SLOW_DOWN, "search", (ONE_ATTEMPT,), StopReason.ATTEMPTS_EXHAUSTED, raw
    )

    again = duplicate(error)

    assert type(again) is kind
    assert again.info == SLOW_DOWN
    assert again.attempts == (ONE_ATTEMPT,)
    assert (again.tool, again.stop_reason, again.raw) == (
        "search",
        StopReason.ATTEMPTS_EXHAUSTED,
        raw,
    )
    assert str(again) == str(error)


@given(message=st.text(), code=st.none() | st.text(), tool=st.none() | st.text())
def test_the_text_of_an_error_is_one_short_printable_line(
    message: str, code: str | None, tool: str | None
) -> None:
    """Server text must not forge log lines or drive a terminal."""
    info = ErrorInfo(message=message * 50, code=code)

    line = str(errors.for_info(info, tool=tool, attempts=(ONE_ATTEMPT,)))

    assert len(line) <= 300
    assert line.isprintable()


def test_the_text_of_an_error_holds_no_secret() -> None:
    """Errors end up in logs."""
    info = ErrorInfo(message="denied for Bearer abcdefghijklmnop")

    assert "abcdefghijklmnop" not in str(errors.for_info(info))


def test_errors_work_in_a_group() -> None:
    """Batches raise an ExceptionGroup; except* must find the parts."""
    group = ExceptionGroup(
        "calls", [errors.for_info(SLOW_DOWN), errors.for_info(ErrorInfo(message="x"))]
    )

    matched, rest = group.split(errors.RateLimitedError)

    assert matched is not None
    assert [str(error) for error in matched.exceptions] == [
        str(errors.for_info(SLOW_DOWN))
    ]
    assert rest is not None


def test_an_unknown_outcome_asks_for_a_look_first() -> None:
    """The next step of an error is the one of its info."""
    info = ErrorInfo(message="", advice=NextStep.VERIFY_STATE, is_retryable=True)

    assert errors.for_info(info).next_step is NextStep.VERIFY_STATE


def test_what_shows_an_error_in_a_group_is_one_safe_line() -> None:
    """``repr`` of a group shows every member; it is no place for a whole result."""
    error = errors.for_info(
        attrs.evolve(SLOW_DOWN, message="token=abcdefghijklmnop1234567890\x1b[2J"),
        raw={"content": [{"type": "text", "text": "secret " * 500}]},
    )

    shown = repr(ExceptionGroup("two", [error, error]))

    assert shown.count("RateLimitedError") == 2
    assert shown.isprintable()
    assert "abcdefghijklmnop" not in shown
    assert "secret" not in shown
