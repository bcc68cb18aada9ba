"""HTTP responses and JSON-RPC errors, as sessions hand them over."""

from datetime import UTC, datetime

import pytest

from mcpfusion_client.decode import from_http, from_rpc
from mcpfusion_client.model import (
    ErrorCategory,
    Execution,
    NextStep,
    Origin,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
C, E = ErrorCategory, Execution


@pytest.mark.parametrize(
    ("statuses", "category", "retry", "execution"),
    [
        (
            (400, 405, 406, 413, 414, 415, 422, 428, 431),
            C.VALIDATION,
            False,
            E.NOT_EXECUTED,
        ),
        ((401,), C.AUTHENTICATION, False, E.NOT_EXECUTED),
        ((403, 451), C.PERMISSION, False, E.NOT_EXECUTED),
        ((402, 507), C.BUSINESS, False, E.NOT_EXECUTED),
        ((404, 410), C.NOT_FOUND, False, E.NOT_EXECUTED),
        ((408, 504), C.TRANSIENT, True, E.UNKNOWN),
        ((409, 412, 423), C.CONFLICT, False, E.NOT_EXECUTED),
        ((429,), C.RATE_LIMITED, True, E.NOT_EXECUTED),
        ((425,), C.TRANSIENT, True, E.NOT_EXECUTED),
        ((500,), C.UNKNOWN, None, E.UNKNOWN),
        ((502, 503, 520, 521, 522, 523, 524, 529), C.TRANSIENT, True, E.UNKNOWN),
        ((418, 501, 599, 302, 202), C.UNKNOWN, None, E.UNKNOWN),
    ],
    ids=str,
)
def test_statuses_mean_what_the_table_says(
    statuses: tuple[int, ...],
    category: ErrorCategory,
    execution: Execution,
    *,
    retry: bool | None,
) -> None:
    """Every listed status, and some that nobody listed."""
    for status in statuses:
        info = from_http(status=status, headers={}, body="")

        assert (info.category, info.is_retryable, info.execution) == (
            category,
            retry,
            execution,
        ), status
        assert info.code == f"HTTP_{status}"
        assert info.origin is Origin.HTTP
        assert info.http is not None
        assert info.http.status == status
        assert info.message == f"HTTP status {status}"


def test_an_unavailable_server_that_names_a_time_ran_nothing() -> None:
    """503 with a hint is a refusal for load."""
    info = from_http(status=503, headers={"Retry-After": "9"}, body="<html>x</html>")

    assert (info.category, info.execution) == (C.TRANSIENT, E.NOT_EXECUTED)
    assert info.is_retryable is True
    assert info.retry_after == 9.0
    assert "retry_after" in info.stated


def test_the_date_of_the_response_is_the_now_of_its_hints() -> None:
    """Clocks differ; without a Date our own is used."""
    headers = {"Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"}
    dated = {**headers, "Date": "Mon, 30 Nov 2026 12:00:10 GMT"}

    assert (
        from_http(status=503, headers=headers, body="", received_at=NOW).retry_after
        == 30
    )
    assert (
        from_http(status=503, headers=dated, body="", received_at=NOW).retry_after == 20
    )
    assert from_http(status=503, headers=headers, body="").retry_after is None


def test_a_forgotten_session_may_be_opened_again() -> None:
    """404 to a request that carried a session id."""
    info = from_http(status=404, headers={}, body="", request_id_session=True)

    assert info.category is C.TRANSIENT
    assert info.is_retryable is True
    assert info.execution is E.NOT_EXECUTED
    assert from_http(status=404, headers={}, body="").category is C.NOT_FOUND


def test_a_refusal_with_an_exhausted_window_is_a_rate_limit() -> None:
    """A 403 that says when to come back."""
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1796040060"}

    info = from_http(status=403, headers=headers, body="", received_at=NOW)

    assert info.category is C.RATE_LIMITED
    assert info.is_retryable is True
    assert info.retry_after is not None
    assert round(info.retry_after, 3) == 60.0
    said = from_http(status=403, headers={}, body="API rate limit exceeded")
    assert said.category is C.RATE_LIMITED
    assert said.retryable_source == "inferred"
    told = from_http(status=403, headers={}, body='{"code": "rateLimitExceeded"}')
    assert told.category is C.RATE_LIMITED


def test_the_challenge_is_read() -> None:
    """Which right is missing, or that the token is bad."""
    scope = 'Bearer error="insufficient_scope", scope="files:write"'

    info = from_http(status=401, headers={"WWW-Authenticate": scope}, body="")
    assert info.category is C.PERMISSION
    assert info.details == {"scope": "files:write"}
    no_scope = from_http(
        status=403, headers={"WWW-Authenticate": 'Bearer error="insufficient_scope"'}
    )
    assert no_scope.details == {}
    bad = from_http(
        status=403, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'}
    )
    assert bad.category is C.AUTHENTICATION
    assert bad.next_step is NextStep.REAUTHENTICATE


def test_a_json_rpc_body_is_read_beside_the_status() -> None:
    """Its error is kept, whatever the status."""
    body = '{"jsonrpc": "2.0", "id": 3, "error": {"code": -32000, "message": "slow",'
    body += ' "data": {"reason": "rate_limited", "retryAfterSeconds": 60}}}'

    info = from_http(status=429, headers={}, body=body.encode())

    assert info.category is C.RATE_LIMITED
    assert info.retry_after == 60.0
    assert info.message == "slow"
    odd = from_http(status=400, headers={}, body='{"jsonrpc": "2.0", "error": 5}')
    assert odd.category is C.VALIDATION


def test_evidence_is_kept_without_secrets() -> None:
    """Only the headers that bear on the failure, and the start of the body."""
    info = from_http(
        status=500,
        headers={
            "Content-Type": "text/plain",
            "Set-Cookie": "secret",
            "X-RateLimit-Limit": "5",
            "Odd": {"a": 1},  # type: ignore[dict-item]  # what a proxy may hand over
        },
        body="Authorization: Bearer abcdefghijklmnop" + "x" * 10_000,
    )

    assert info.http is not None
    assert dict(info.http.headers) == {
        "content-type": "text/plain",
        "x-ratelimit-limit": "5",
    }
    assert info.http.body_excerpt is not None
    assert "abcdefghijklmnop" not in info.http.body_excerpt
    assert len(info.http.body_excerpt) <= 2100


def test_bytes_that_are_no_text_are_read_as_far_as_possible() -> None:
    """A body is bytes from strangers."""
    assert "gone" in from_http(status=410, headers={}, body=b"\xff gone").message


@pytest.mark.parametrize(
    ("code", "category", "retry", "execution"),
    [
        (-32602, C.VALIDATION, False, E.NOT_EXECUTED),
        (-32601, C.PROTOCOL, False, E.NOT_EXECUTED),
        (-32600, C.PROTOCOL, False, E.NOT_EXECUTED),
        (-32700, C.PROTOCOL, False, E.NOT_EXECUTED),
        (-32603, C.UNKNOWN, None, E.UNKNOWN),
        (-32020, C.PROTOCOL, False, E.NOT_EXECUTED),
        (-32021, C.PROTOCOL, False, E.NOT_EXECUTED),
        (-32022, C.PROTOCOL, False, E.NOT_EXECUTED),
        (-32042, C.AUTHENTICATION, False, E.NOT_EXECUTED),
        (-32000, C.UNKNOWN, None, E.UNKNOWN),
        (-32001, C.UNKNOWN, None, E.UNKNOWN),
        (-32003, C.UNKNOWN, None, E.UNKNOWN),
        (408, C.UNKNOWN, None, E.UNKNOWN),
        (-31999, C.UNKNOWN, None, E.UNKNOWN),
    ],
)
def test_numbers_a_server_sent(
    code: int, category: ErrorCategory, execution: Execution, *, retry: bool | None
) -> None:
    """Numbers that are the SDK's own mean nothing when a server sends them."""
    info = from_rpc(code=code, message="", sdk_made=False)

    assert (info.category, info.is_retryable, info.execution) == (
        category,
        retry,
        execution,
    )
    assert info.code == str(code)
    assert info.origin is Origin.PROTOCOL


@pytest.mark.parametrize(
    ("code", "message", "name", "category", "retry", "execution"),
    [
        (-32001, "x", "TIMEOUT", C.TRANSIENT, True, E.UNKNOWN),
        (408, "x", "TIMEOUT", C.TRANSIENT, True, E.UNKNOWN),
        (-32000, "Connection closed", "CONNECTION_LOST", C.TRANSIENT, True, E.UNKNOWN),
        (
            32600,
            "Session terminated",
            "CONNECTION_LOST",
            C.TRANSIENT,
            True,
            E.NOT_EXECUTED,
        ),
        (
            -32600,
            "Session terminated",
            "CONNECTION_LOST",
            C.TRANSIENT,
            True,
            E.NOT_EXECUTED,
        ),
        (-32600, "bad reply", "BAD_RESPONSE", C.PROTOCOL, False, E.UNKNOWN),
        (-32700, "bad json", "BAD_RESPONSE", C.PROTOCOL, False, E.UNKNOWN),
        (-32603, "x", "-32603", C.UNKNOWN, None, E.UNKNOWN),
    ],
)
def test_numbers_the_sdk_made(
    code: int,
    message: str,
    name: str,
    category: ErrorCategory,
    execution: Execution,
    *,
    retry: bool | None,
) -> None:
    """Then they have a name of ours, and come from the transport."""
    info = from_rpc(code=code, message=message, sdk_made=True)

    assert info.code == name
    assert (info.category, info.is_retryable, info.execution) == (
        category,
        retry,
        execution,
    )
    assert info.origin is (
        Origin.PROTOCOL if name.startswith("-") else Origin.TRANSPORT
    )


def test_unknown_tools_are_not_found() -> None:
    """The number says parameters, the words say which."""
    info = from_rpc(code=-32602, message="Unknown tool: x", sdk_made=False)

    assert info.category is C.NOT_FOUND
    assert info.code == "-32602"
    assert info.next_step is NextStep.LOOK_UP_CANDIDATES


def test_a_rejected_output_means_that_the_tool_ran() -> None:
    """The number blames the arguments, wrongly."""
    message = "Output validation error: bad structured content"

    info = from_rpc(code=-32602, message=message, sdk_made=False)

    assert info.category is C.UNKNOWN
    assert info.is_retryable is False
    assert info.execution is E.EXECUTED


@pytest.mark.parametrize(
    ("data", "code", "retry", "wait"),
    [
        ({"isRetryable": True, "retryAfter": 3}, "-32000", True, 3.0),
        ({"errorCode": "QUOTA_EXCEEDED"}, "QUOTA_EXCEEDED", False, None),
        ({"error": {"code": "X_Y", "retryable": False}}, "X_Y", False, None),
        ("Rate limit exceeded, retry in 5 seconds", "-32000", True, 5.0),
        ([1, 2], "-32000", None, None),
        (None, "-32000", None, None),
        ({"a": 1}, "-32000", None, None),
    ],
    ids=str,
)
def test_what_came_with_the_error_is_read(
    data: object, code: str, wait: float | None, *, retry: bool | None
) -> None:
    """Metadata in the data, or a sentence there."""
    info = from_rpc(code=-32000, message="it failed", data=data, sdk_made=False)

    assert info.code == code
    assert info.is_retryable is retry
    assert info.retry_after == wait
