"""Say why a session could not be opened, without anything secret."""

import errno
import os

from mcpfusion_client import decode
from mcpfusion_client.model import ErrorCategory, ErrorInfo
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.compat import Sdk
from mcpfusion_client.sessions.sdk_texts import made_by_sdk

_MAX_DEPTH = 10


def first_leaf(exc: BaseException) -> BaseException:
    """Return the first exception inside nested groups."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return exc


def connect_failure(sdk: Sdk, server: str, exc: BaseException) -> ErrorInfo:
    """Return what *exc* means for somebody who wanted to connect."""
    leaf = first_leaf(exc)
    error = sdk.rpc_error(leaf)
    if error is None:
        return failures.connect_failed(server, _reason(leaf))
    info = decode.from_rpc(
        code=error.code,
        message=error.message,
        data=error.data,
        sdk_made=made_by_sdk(error),
    )
    if info.category.family is ErrorCategory.TRANSIENT or made_by_sdk(error):
        return failures.connect_failed(server, "the handshake was not answered")
    reason = f"the server refused the handshake ({error.code})"
    return failures.connect_failed(server, reason, category=info.category)


def _reason(exc: BaseException) -> str:
    """Return a safe description: texts of exceptions may hold headers or URLs."""
    inner: BaseException | None = exc
    for _ in range(_MAX_DEPTH):
        if inner is None:
            break
        if isinstance(inner, OSError) and inner.errno in errno.errorcode:
            return f"{type(exc).__name__}: {os.strerror(inner.errno)}"
        inner = inner.__cause__ or inner.__context__
    return type(exc).__name__
