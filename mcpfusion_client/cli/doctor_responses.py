"""What an HTTP response says about the server that sent it. No I/O here."""

from collections.abc import Mapping
from typing import Final

import attrs

from mcpfusion_client.cli.doctor_steps import Found, Status, TroubleError, failed
from mcpfusion_client.model import JsonObject
from mcpfusion_client.model.text import one_line
from mcpfusion_client.sessions.naming import url_name

BAD_REQUEST: Final = 400
"""The first status that is no success and no redirect."""

EVENTS: Final = "text/event-stream"
"""The media type of a stream of events."""

_MAX_EXCERPT: Final = 200
_AUTH: Final = frozenset({401, 403, 407})


@attrs.frozen(kw_only=True)
class Response:
    """A response as far as it was read.

    Attributes:
        status: The HTTP status.
        headers: Names in lower case; the values are untrusted.
        text: Untrusted; the start of the body when it is no answer.
        message: The JSON-RPC answer in it, if there is one.
        moved_to: Where a redirect leads that the client follows, None without one.
    """

    status: int
    headers: Mapping[str, str]
    text: str = ""
    message: JsonObject | None = None
    moved_to: str | None = None

    @property
    def kind(self) -> str:
        """The media type, without parameters."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        return one_line(kind, 60)

    @property
    def excerpt(self) -> tuple[str, ...]:
        """The start of the body, for showing."""
        text = one_line(self.text, _MAX_EXCERPT)
        return (f"body: {text}",) if text else ()


def no_response(error: Exception) -> TroubleError:
    """Return the trouble that a request got no response.

    Args:
        error: Of the HTTP library.
    """
    name = type(error).__name__
    if name in {"ReadError", "RemoteProtocolError"}:
        return TroubleError(
            failed(
                "the connection ended without an HTTP response",
                fix="check that an HTTP server listens on this port; "
                "a server with TLS needs https://",
            )
        )
    return TroubleError(
        failed(
            f"the request failed: {name}",
            fix="run it again with --debug for the details",
        )
    )


def no_answer(response: Response, method: str) -> TroubleError:
    """Return the trouble that *response* holds no answer to *method*."""
    how = f"HTTP {response.status} ({response.kind or 'empty'})"
    return TroubleError(
        failed(
            f"{method} was answered with {how} and no JSON-RPC message",
            fix="look into the server's log",
            evidence=response.excerpt,
        )
    )


def http_found(response: Response, *, moved_to: str | None = None) -> Found:
    """Return what the response to ``initialize`` says about the URL.

    Args:
        response: The response.
        moved_to: Where it came from, if not from the URL that was given.

    Raises:
        TroubleError: It is no response of an MCP server.
    """
    status = response.status
    if status in _AUTH or response.message is not None:
        told = f"HTTP {status}, {response.kind or 'no content type'}"
        if moved_to is None:
            return Found(message=told)
        return Found(
            message=f"{told}, after a redirect to {url_name(moved_to)}",
            status=Status.WARNING,
            fix="use the URL it redirects to",
        )
    if status in _BY_STATUS:
        message, fix = _BY_STATUS[status]
        raise TroubleError(
            failed(f"{message} (HTTP {status})", fix=fix, evidence=_hints(response))
        )
    if 300 <= status < BAD_REQUEST:  # noqa: PLR2004 - the redirects
        raise TroubleError(
            failed(
                f"the URL redirects elsewhere (HTTP {status})",
                fix="use the URL it redirects to, if you trust it",
                evidence=(
                    f"location: {response.headers.get('location', 'none given')}",
                ),
            )
        )
    if status >= BAD_REQUEST:
        raise TroubleError(
            failed(
                f"the server does not take the request (HTTP {status})",
                fix="the body may say why; look into the server's log",
                evidence=_hints(response),
            )
        )
    if response.kind == "text/html":
        raise TroubleError(
            failed(
                "the URL is a web page and no MCP server",
                fix="use the path of the MCP endpoint; it often ends in /mcp",
                evidence=response.excerpt,
            )
        )
    raise TroubleError(
        failed(
            f"the answer is no JSON-RPC message (HTTP {status}, "
            f"{response.kind or 'no content type'})",
            fix="check that the URL is an MCP endpoint over Streamable HTTP",
            evidence=response.excerpt,
        )
    )


_BUSY: Final = "wait, then try again; look at the server's limits"
_LOG: Final = "look into the server's log; whatever stands before it may be down"
_BY_STATUS: Final[Mapping[int, tuple[str, str]]] = {
    404: (
        "nothing is served at this path",
        "check the path; an MCP endpoint often ends in /mcp",
    ),
    405: (
        "this path takes no POST",
        "check the path; an MCP endpoint often ends in /mcp",
    ),
    421: (
        "the server does not serve this host name",
        "add the host to those it allows (its protection against DNS rebinding)",
    ),
    429: ("the server is rate limited", _BUSY),
    500: ("the server failed", _LOG),
    502: ("the gateway gets no answer from the server behind it", _LOG),
    503: ("the server is not available", _BUSY),
    504: ("the gateway gets no answer in time from the server behind it", _LOG),
}


def _hints(response: Response) -> tuple[str, ...]:
    after = response.headers.get("retry-after")
    return (*((f"retry-after: {after}",) if after else ()), *response.excerpt)


def older_transport() -> TroubleError:
    """Return the trouble that a URL speaks the older transport."""
    return TroubleError(
        failed(
            "the URL speaks the older HTTP+SSE transport, not Streamable HTTP",
            fix='put it into a file with "type": "sse" and name it with --config, '
            "or update the server",
        )
    )


def auth_found(response: Response, *, sent: bool) -> Found:
    """Return whether the server lets us in.

    Args:
        response: To ``initialize``.
        sent: Did the request carry credentials?

    Raises:
        TroubleError: It does not.
    """
    if response.status not in _AUTH:
        said = "the credentials are taken" if sent else "none asked for"
        return Found(message=said)
    challenge = response.headers.get("www-authenticate") or response.headers.get(
        "proxy-authenticate"
    )
    shown = (f"www-authenticate: {challenge}",) if challenge else ()
    evidence = (*shown, *response.excerpt)
    if response.status == 407:  # noqa: PLR2004 - proxy authentication required
        raise TroubleError(
            failed(
                "the proxy wants credentials (HTTP 407)",
                fix="put them into the proxy's URL in the environment",
                evidence=evidence,
            )
        )
    if response.status == 403:  # noqa: PLR2004 - forbidden
        raise TroubleError(
            failed(
                "access is refused (HTTP 403)",
                fix="ask for the permission or the scope the answer names",
                evidence=evidence,
            )
        )
    if sent:
        raise TroubleError(
            failed(
                "the credentials are refused (HTTP 401)",
                fix="get a fresh token; check that it is meant for this server",
                evidence=evidence,
            )
        )
    raise TroubleError(
        failed(
            "the server wants credentials (HTTP 401)",
            fix=_fix(challenge),
            evidence=evidence,
        )
    )


def _fix(challenge: str | None) -> str:
    told = (challenge or "").lower()
    if "resource_metadata" in told:
        return (
            "it uses OAuth: get a token from the authorization server that its "
            "resource_metadata names, then --header 'Authorization: Bearer TOKEN'"
        )
    if told.startswith("basic"):
        return "put the user and password into a --header 'Authorization: Basic ...'"
    return "send a token: --header 'Authorization: Bearer TOKEN'"
