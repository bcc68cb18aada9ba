"""Say why a session could not be opened, without anything secret."""

import attrs

from mcpfusion_client.decode import from_rpc
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    Origin,
)
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.compat import Sdk
from mcpfusion_client.sessions.sdk_texts import made_by_sdk


def first_leaf(exc: BaseException) -> BaseException:
    """Return the first exception inside nested groups."""
    inner: tuple[BaseException, ...] = getattr(exc, "exceptions", ())
    return first_leaf(inner[0]) if _is_group(exc) and inner else exc


def _is_group(exc: object) -> bool:
    return isinstance(exc, BaseExceptionGroup)


def connect_failure(sdk: Sdk, server: str, exc: BaseException) -> ErrorInfo:
    """Return what *exc* means for somebody who wanted to connect."""
    leaf = first_leaf(exc)
    error = sdk.rpc_error(leaf)
    if error is None:
        return failures.connect_failed(
            server, failures.safe_reason(leaf), recovery=_remedy(leaf)
        )
    info = from_rpc(
        code=error.code,
        message=error.message,
        data=error.data,
        sdk_made=made_by_sdk(error),
    )
    if info.category.family is ErrorCategory.TRANSIENT or made_by_sdk(error):
        return failures.connect_failed(server, "the handshake was not answered")
    reason = f"the server refused the handshake ({error.code})"
    return failures.connect_failed(server, reason, category=info.category)


def _remedy(exc: BaseException) -> str | None:
    """Return what has to be done where another try is in vain."""
    if isinstance(exc, FileNotFoundError):
        return "install the program that serves, or give the path of it"
    return None


def from_handshake(server: str, info: ErrorInfo) -> ErrorInfo:
    """Return what an HTTP failure of the handshake means for who wants to connect.

    Nothing ran, so whatever may heal makes the whole connection worth another try.
    """
    if info.code == ErrorCode.CONNECT_FAILED:
        return info
    unreadable = info.code == ErrorCode.BAD_RESPONSE
    heals = info.category.family in {ErrorCategory.TRANSIENT, ErrorCategory.UNKNOWN}
    if not heals and not unreadable:
        return attrs.evolve(info, execution=Execution.NOT_EXECUTED)
    reason = info.message
    if unreadable:
        reason += "; is this the URL of an MCP server?"
    elif info.origin is Origin.HTTP and info.http is not None:
        reason = f"it answered the handshake with HTTP {info.http.status}"
    plain = failures.connect_failed(server, reason)
    return attrs.evolve(
        plain, http=info.http, retry_after=info.retry_after, stated=info.stated
    )
