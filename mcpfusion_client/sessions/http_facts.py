"""Turn a failed HTTP exchange into a fact, without a credential in it.

Status numbers are read by the decoder; here is decided only what can be known on
this side: was the request sent, did it fail inside the auth flow, does the server
still know the session.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from mcpfusion_client.decode import from_http, from_rpc
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    Origin,
)
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.answers import (
    UnreadableAnswerError,
    readable,
    scrubbed,
    scrubbed_json,
)
from mcpfusion_client.sessions.compat import RpcError
from mcpfusion_client.sessions.facts import Fact
from mcpfusion_client.sessions.http_client import ClientIsClosedError
from mcpfusion_client.sessions.naming import url_name

_NOT_FOUND = 404
_BAD_REQUEST = 400
_INVALID_PARAMS = -32602
_SESSION_TEXT = re.compile(r"session|not initialized", re.IGNORECASE)
_SESSION_TEXT_WITHIN = 2048
_SPEC_STATUSES = frozenset({400, 404, 500})
"""Statuses a server of MCP 2026-07-28 sends with a JSON-RPC error that says more."""
_SPEC_CODES = frozenset(range(-32700, -32599)) | {-32020, -32021, -32022, -32042}

_NOT_SENT = frozenset(
    {
        "ConnectError",
        "ConnectTimeout",
        "LocalProtocolError",
        "PoolTimeout",
        "ProxyError",
        "UnsupportedProtocol",
    }
)
_TIMEOUTS = frozenset({"ReadTimeout", "WriteTimeout"})
_OPEN_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "host",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
        "transfer-encoding",
        "user-agent",
    }
)
_SECRET_NAME = re.compile(r"auth|cookie|key|token|secret|password", re.IGNORECASE)
_SHORTEST_SECRET = 4
_LONG = 8
"""Shorter values of other headers are words that an error may well use."""


@attrs.frozen(kw_only=True)
class Sent:
    """What is known about the request an HTTP failure belongs to.

    Attributes:
        server: The connection's name for the server.
        request_id: Its JSON-RPC id.
        has_session: It carried a session id.
        secrets: Values that must not appear anywhere.
    """

    server: str
    request_id: int | str
    has_session: bool
    secrets: tuple[str, ...]


def secrets_of(
    headers: Iterable[tuple[str, str]], more: Iterable[str]
) -> tuple[str, ...]:
    """Return what must not appear anywhere, longest first.

    Args:
        headers: Of the request; whatever is not known to be harmless counts.
        more: Further secrets.
    """
    found = {value for value in more if len(value) >= _SHORTEST_SECRET}
    for name, value in headers:
        if name.lower() not in _OPEN_HEADERS:
            shortest = _SHORTEST_SECRET if _SECRET_NAME.search(name) else _LONG
            parts = (value, *(part.strip(' ;,"') for part in value.split()))
            found.update(part for part in parts if len(part) >= shortest)
    return tuple(sorted(found, key=len, reverse=True))


def of_status(sent: Sent, status: int, headers: Mapping[str, str], body: bytes) -> Fact:
    """Return what a failure status means for the request."""
    text = _scrubbed_body(body.decode("utf-8", "replace"), sent.secrets)
    clean = _scrubbed_headers(headers, sent.secrets)
    rpc = _rpc_error(text, sent)
    gone = sent.has_session and _session_gone(status, text, rpc)
    info = from_http(
        status=_NOT_FOUND if gone else status,
        headers=clean,
        body=text,
        request_id_session=gone,
    )
    if gone:
        http = info.http and attrs.evolve(info.http, status=status)
        info = attrs.evolve(info, code=f"HTTP_{status}", http=http)
    elif rpc is not None and status in _SPEC_STATUSES and rpc.code in _SPEC_CODES:
        info = _said_in_rpc(rpc, info)
    return Fact(info=info, answered=True, rpc=rpc, session_gone=gone)


def of_unreadable(
    sent: Sent, status: int, headers: Mapping[str, str], body: bytes, reason: str
) -> Fact:
    """Return what a success that holds no answer means for the request.

    Args:
        sent: The request.
        status: The response status.
        headers: The response headers.
        body: As much of it as was read.
        reason: What is wrong with it, in our own words.
    """
    seen = from_http(
        status=status,
        headers=_scrubbed_headers(headers, sent.secrets),
        body=_scrubbed_body(body.decode("utf-8", "replace"), sent.secrets),
    )
    return Fact(info=failures.bad_response(reason, http=seen.http), answered=True)


def _scrubbed_headers(
    headers: Mapping[str, str], secrets: tuple[str, ...]
) -> dict[str, str]:
    return {
        name: url_name(value)
        if name.lower() == "location"
        else scrubbed(value, secrets)
        for name, value in headers.items()
    }


def _scrubbed_body(text: str, secrets: tuple[str, ...]) -> str:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return scrubbed(text, secrets)
    return json.dumps(scrubbed_json(value, secrets), ensure_ascii=False)


def _said_in_rpc(rpc: RpcError, http: ErrorInfo) -> ErrorInfo:
    """The JSON-RPC error says it all; the HTTP response is only its envelope."""
    info = from_rpc(code=rpc.code, message=rpc.message, data=rpc.data, sdk_made=False)
    wait = http.retry_after if info.retry_after is None else info.retry_after
    return attrs.evolve(info, http=http.http, retry_after=wait)


def _rpc_error(text: str, sent: Sent) -> RpcError | None:
    try:
        answer = readable(text, sent.request_id)
    except UnreadableAnswerError:
        return None
    if answer is None or answer.error is None:
        return None
    error = answer.error
    return RpcError(
        code=error["code"], message=error["message"], data=error.get("data")
    )


def _session_gone(status: int, text: str, rpc: RpcError | None) -> bool:
    if status == _NOT_FOUND:
        return True
    if status != _BAD_REQUEST or (rpc is not None and rpc.code == _INVALID_PARAMS):
        return False
    return _SESSION_TEXT.search(text[:_SESSION_TEXT_WITHIN]) is not None


def is_undecodable(exc: Exception) -> bool:
    """Did a whole response come, in a content encoding that is broken?"""
    return type(exc).__name__ == "DecodingError"


def of_exception(sent: Sent, exc: Exception, endpoint: str, *, started: bool) -> Fact:
    """Return what an exception of the HTTP client means for the request.

    Args:
        sent: The request.
        exc: The exception.
        endpoint: The URL requests go to.
        started: Bytes of the request may have left.
    """
    if isinstance(exc, ClientIsClosedError):
        return Fact(info=failures.refused("the http_client was closed"))
    kinds = {cls.__name__ for cls in type(exc).__mro__}
    if _in_auth_flow(exc, endpoint):
        return Fact(info=auth_failed(sent.server, failures.safe_reason(exc)), cause=exc)
    if "LocalProtocolError" in kinds:
        info = failures.not_sendable("it holds an illegal HTTP header")
        # Its text repeats the header.
        return Fact(info=info)
    name = failures.safe_reason(exc)
    if kinds & _NOT_SENT or not started:
        return Fact(info=failures.connect_failed(sent.server, name), cause=exc)
    if kinds & _TIMEOUTS:
        info = failures.http_timed_out(sent.server, name)
        return Fact(info=info, cause=exc)
    lost = failures.connection_lost(sent.server, name, sent=True)
    return Fact(info=lost, cause=exc)


def _in_auth_flow(exc: Exception, endpoint: str) -> bool:
    """Did it happen while the client's own auth flow asked somebody else?"""
    if type(exc).__module__.startswith("mcp.client.auth"):
        return True
    try:
        request: Any = getattr(exc, "request", None)
    except RuntimeError:
        return False
    url = getattr(request, "url", None)
    if url is None:
        return False
    return _bare(str(url)) != _bare(endpoint)


def _bare(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rstrip("/")


def auth_failed(server: str, reason: str) -> ErrorInfo:
    """The client could not sign in; the request was not executed."""
    return ErrorInfo(
        message=f"signing in to {server} failed: {reason}",
        code=ErrorCode.AUTH_REQUIRED,
        category=ErrorCategory.AUTHENTICATION,
        is_retryable=False,
        execution=Execution.NOT_EXECUTED,
        origin=Origin.HTTP,
        dialect="http",
    )
