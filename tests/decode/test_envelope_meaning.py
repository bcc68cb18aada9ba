"""What an MCP Fusion envelope means by its code: DECODING.md section 4, written out."""

import pytest

from mcpfusion_client import (
    ErrorCategory,
    Execution,
    NextStep,
    decode,
    tool_error,
    validation_error,
)

MEANINGS = {
    "UNKNOWN_ACTION": (ErrorCategory.NOT_FOUND, False, Execution.NOT_EXECUTED),
    "UNKNOWN_TOOL": (ErrorCategory.NOT_FOUND, False, Execution.NOT_EXECUTED),
    "MISSING_DISCRIMINATOR": (
        ErrorCategory.VALIDATION,
        False,
        Execution.NOT_EXECUTED,
    ),
    "INVALID_DISCRIMINATOR": (
        ErrorCategory.VALIDATION,
        False,
        Execution.NOT_EXECUTED,
    ),
    "VALIDATION_ERROR": (ErrorCategory.VALIDATION, False, Execution.NOT_EXECUTED),
    "MISSING_REQUIRED_FIELD": (
        ErrorCategory.VALIDATION,
        False,
        Execution.NOT_EXECUTED,
    ),
    "INVALID_PARAMS": (ErrorCategory.VALIDATION, False, Execution.NOT_EXECUTED),
    "INPUT_REJECTED": (ErrorCategory.VALIDATION, False, Execution.NOT_EXECUTED),
    "UNAUTHORIZED": (ErrorCategory.AUTHENTICATION, False, Execution.NOT_EXECUTED),
    "AUTH_REQUIRED": (ErrorCategory.AUTHENTICATION, False, Execution.NOT_EXECUTED),
    "TOKEN_INVALID": (ErrorCategory.AUTHENTICATION, False, Execution.NOT_EXECUTED),
    "APIKEY_INVALID": (ErrorCategory.AUTHENTICATION, False, Execution.NOT_EXECUTED),
    "FORBIDDEN": (ErrorCategory.PERMISSION, False, Execution.NOT_EXECUTED),
    "NOT_FOUND": (ErrorCategory.NOT_FOUND, False, Execution.NOT_EXECUTED),
    "CONFLICT": (ErrorCategory.CONFLICT, False, Execution.NOT_EXECUTED),
    "RATE_LIMITED": (ErrorCategory.RATE_LIMITED, True, Execution.NOT_EXECUTED),
    "SERVER_BUSY": (ErrorCategory.TRANSIENT, True, Execution.NOT_EXECUTED),
    "HANDOFF_CONNECTING": (ErrorCategory.TRANSIENT, True, Execution.NOT_EXECUTED),
    "HANDOFF_UPSTREAM_UNAVAILABLE": (
        ErrorCategory.TRANSIENT,
        True,
        Execution.UNKNOWN,
    ),
    "HANDOFF_NAMESPACE_MISMATCH": (
        ErrorCategory.VALIDATION,
        False,
        Execution.NOT_EXECUTED,
    ),
    "TIMEOUT": (ErrorCategory.TRANSIENT, True, Execution.UNKNOWN),
    "INTERNAL_ERROR": (ErrorCategory.UNKNOWN, None, Execution.UNKNOWN),
}


@pytest.mark.parametrize("code", sorted(MEANINGS))
def test_a_code_has_the_meaning_of_the_table(code: str) -> None:
    """The server stated the code; what it means is inferred."""
    text = tool_error(code, "something happened")

    info = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert info is not None
    assert (info.category, info.is_retryable, info.execution) == MEANINGS[code]
    assert info.code == code
    assert "code" in info.stated
    assert not info.stated & {"category", "is_retryable", "execution"}


@pytest.mark.parametrize("spelling", ["RateLimited", "rate-limited", "rate_limited"])
def test_the_spelling_of_a_code_does_not_matter(spelling: str) -> None:
    """Servers write their codes in every style."""
    text = tool_error(spelling, "slow down")

    info = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert info is not None
    assert info.category is ErrorCategory.RATE_LIMITED
    assert info.code == spelling


def test_a_validation_error_is_to_be_fixed() -> None:
    """It has no code of its own, and means one all the same."""
    text = validation_error("billing.get", [("id", "Required")])

    info = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert info is not None
    assert info.category is ErrorCategory.VALIDATION
    assert info.is_retryable is False
    assert info.execution is Execution.NOT_EXECUTED
    assert info.next_step is NextStep.FIX_ARGUMENTS


def test_an_unknown_action_asks_for_candidates() -> None:
    """The list of what exists is the way on."""
    text = tool_error("UNKNOWN_ACTION", "no such action", available_actions=["a.b"])

    info = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert info is not None
    assert info.next_step is NextStep.LOOK_UP_CANDIDATES


def test_a_critical_failure_is_for_a_person() -> None:
    """Even a rate limit is not waited out when it is critical."""
    text = tool_error("RATE_LIMITED", "locked out", severity="critical")

    info = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert info is not None
    assert info.is_retryable is False
    assert info.retryable_source == "inferred"
    assert info.next_step is NextStep.ESCALATE
