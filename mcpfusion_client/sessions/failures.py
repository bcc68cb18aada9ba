"""The failures this room sees itself: timers, lost connections, unreadable replies.

What a server says is decoded elsewhere; here nothing is read from a text. No
message holds a credential: servers are named by `naming`, exceptions only by
their type.
"""

import errno
import os
import socket

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    HttpEvidence,
    Origin,
)

_MAX_DEPTH = 10


def timed_out(seconds: float, *, sent: bool, option: str = "timeout") -> ErrorInfo:
    """No answer came in time.

    Args:
        seconds: How long was waited.
        sent: The request may have reached the server.
        option: The option that limits the wait.
    """
    return ErrorInfo(
        message=(
            f"no answer within {seconds:g} s; a larger `{option}=` gives a slow tool "
            "more time"
        ),
        code=ErrorCode.TIMEOUT,
        category=ErrorCategory.TRANSIENT,
        is_retryable=True,
        execution=Execution.UNKNOWN if sent else Execution.NOT_EXECUTED,
        origin=Origin.CLIENT,
        dialect="client_timer",
    )


def out_of_time(seconds: float, *, sent: bool) -> ErrorInfo:
    """No answer came before the deadline of the call.

    Args:
        seconds: How much of the deadline was left for the attempt.
        sent: The request may have reached the server.
    """
    return attrs.evolve(
        timed_out(seconds, sent=sent),
        message=(
            f"no answer in the {seconds:g} s that were left until the deadline of the "
            "call; a later `deadline=` gives it more time"
        ),
    )


def http_timed_out(server: str, reason: str) -> ErrorInfo:
    """The HTTP client itself gave up waiting, before the attempt's timer did."""
    return ErrorInfo(
        message=(
            f"the HTTP client gave up waiting for {server} ({reason}); its own "
            "timeouts apply, raise those of `http_client=`"
        ),
        code=ErrorCode.TIMEOUT,
        category=ErrorCategory.TRANSIENT,
        is_retryable=True,
        execution=Execution.UNKNOWN,
        origin=Origin.TRANSPORT,
        dialect="connection",
    )


def connection_lost(
    server: str,
    reason: str,
    *,
    sent: bool,
    http: HttpEvidence | None = None,
    retry_after: float | None = None,
) -> ErrorInfo:
    """The connection ended before the answer came.

    Args:
        server: The connection's name for the server.
        reason: What was seen, without anything the server wrote.
        sent: The request may have reached the server.
        http: The HTTP evidence, when there is some.
        retry_after: Seconds the server asked to wait.
    """
    return ErrorInfo(
        message=f"the connection to {server} was lost: {reason}",
        code=ErrorCode.CONNECTION_LOST,
        category=ErrorCategory.TRANSIENT,
        is_retryable=True,
        execution=Execution.UNKNOWN if sent else Execution.NOT_EXECUTED,
        origin=Origin.TRANSPORT,
        http=http,
        retry_after=retry_after,
        dialect="connection",
    )


def connect_failed(
    server: str,
    reason: str,
    *,
    category: ErrorCategory = ErrorCategory.TRANSIENT,
    origin: Origin = Origin.TRANSPORT,
    recovery: str | None = None,
) -> ErrorInfo:
    """The server could not be reached; nothing was sent.

    Args:
        server: The connection's name for the server.
        reason: What was seen, without anything secret.
        category: Why; only what is transient may heal.
        origin: Where it was seen.
        recovery: What somebody has to do before another try can work.
    """
    transient = category is ErrorCategory.TRANSIENT
    return ErrorInfo(
        message=f"cannot connect to {server}: {reason}",
        code=ErrorCode.CONNECT_FAILED,
        category=category,
        is_retryable=transient and recovery is None,
        execution=Execution.NOT_EXECUTED,
        recovery=recovery,
        origin=origin,
        dialect="connect",
    )


def bad_response(
    reason: str,
    *,
    http: HttpEvidence | None = None,
    execution: Execution = Execution.UNKNOWN,
) -> ErrorInfo:
    """The server answered with something that is no answer."""
    return ErrorInfo(
        message=f"unreadable reply: {reason}",
        code=ErrorCode.BAD_RESPONSE,
        category=ErrorCategory.PROTOCOL,
        execution=execution,
        origin=Origin.TRANSPORT,
        http=http,
        dialect="unreadable_reply",
    )


def input_declined(code: int, reason: str) -> ErrorInfo:
    """The server needed an answer from this client and did not get one.

    Args:
        code: The JSON-RPC code of the refusal.
        reason: What a callback of the caller, or the SDK for it, said.
    """
    return ErrorInfo(
        message=(
            f"the server needs input before it can finish: {reason}; "
            "`elicitation_callback=` and `sampling_callback=` answer it"
        ),
        code=str(code),
        category=ErrorCategory.PROTOCOL,
        is_retryable=False,
        execution=Execution.NOT_EXECUTED,
        origin=Origin.CLIENT,
        dialect="input_required",
    )


def not_sendable(reason: str) -> ErrorInfo:
    """The request cannot be written as a message; nothing was sent."""
    return ErrorInfo(
        message=f"the request cannot be sent: {reason}",
        code=ErrorCode.VALIDATION_ERROR,
        category=ErrorCategory.VALIDATION,
        is_retryable=False,
        execution=Execution.NOT_EXECUTED,
        origin=Origin.CLIENT,
        dialect="client_check",
    )


def refused(reason: str) -> ErrorInfo:
    """This combination of packages cannot work; nothing was sent."""
    return ErrorInfo(
        message=reason,
        code=ErrorCode.CONNECT_FAILED,
        category=ErrorCategory.PROTOCOL,
        is_retryable=False,
        execution=Execution.NOT_EXECUTED,
        origin=Origin.CLIENT,
        dialect="connect",
    )


def safe_reason(exc: BaseException) -> str:
    """Return a safe description: texts of exceptions may hold headers or URLs."""
    inner: BaseException | None = exc
    for _ in range(_MAX_DEPTH):
        if inner is None:
            break
        if isinstance(inner, socket.gaierror):
            return f"{type(exc).__name__}: the name of the host cannot be resolved"
        if isinstance(inner, OSError) and inner.errno in errno.errorcode:
            return f"{type(exc).__name__}: {os.strerror(inner.errno or 0)}"
        inner = inner.__cause__ or inner.__context__
    return type(exc).__name__
