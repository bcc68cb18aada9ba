"""MCP over HTTP, one request at a time, and what a response says about the server."""

import importlib
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Final

import attrs

from mcpfusion_client.cli.doctor_steps import Found, TroubleError, failed
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object
from mcpfusion_client.model.text import one_line
from mcpfusion_client.sessions.compat import sdk

if TYPE_CHECKING:
    import httpx

_MAX_BODY: Final = 8 * 1024 * 1024
_MAX_EXCERPT: Final = 200
_ACCEPT: Final = "application/json, text/event-stream"
_EVENTS: Final = "text/event-stream"
_BAD_REQUEST: Final = 400
_AUTH: Final = frozenset({401, 403, 407})


@attrs.frozen(kw_only=True)
class Response:
    """A response as far as it was read.

    Attributes:
        status: The HTTP status.
        headers: Names in lower case; the values are untrusted.
        text: Untrusted; the start of the body when it is no answer.
        message: The JSON-RPC answer in it, if there is one.
    """

    status: int
    headers: Mapping[str, str]
    text: str = ""
    message: JsonObject | None = None

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


def library() -> ModuleType:
    """Return the HTTP library the installed SDK speaks through."""
    return importlib.import_module("httpx" if sdk().generation == 1 else "httpx2")


class HttpChannel:
    """Carries JSON-RPC over Streamable HTTP."""

    def __init__(
        self,
        client: "httpx.AsyncClient",
        errors: type[Exception],
        url: str,
        headers: Mapping[str, str],
    ) -> None:
        self._client = client
        self._errors = errors
        self._url = url
        self._headers = headers
        self._session: str | None = None
        self._last_id = 0

    @property
    def sends_credentials(self) -> bool:
        """Is there an Authorization header, or a user in the URL?"""
        names = {name.lower() for name in self._headers}
        return "authorization" in names or "@" in self._url.partition("://")[2]

    async def first(self, params: JsonObject) -> Response:
        """Send ``initialize`` and return whatever comes back.

        Raises:
            TroubleError: Nothing comes back, or no HTTP.
        """
        response = await self._post("initialize", params, None)
        self._session = response.headers.get("mcp-session-id")
        return response

    async def ask(
        self, method: str, params: JsonObject, *, version: str | None = None
    ) -> JsonObject:
        """Send a request and return the JSON-RPC answer.

        Raises:
            TroubleError: There is none.
        """
        response = await self._post(method, params, version)
        if response.message is None:
            raise _no_answer(response, method)
        return response.message

    async def tell(self, method: str, *, version: str) -> None:
        """Send a notification.

        Raises:
            TroubleError: The server does not take it.
        """
        response = await self._send(
            "POST", self._with(version), {"jsonrpc": "2.0", "method": method}
        )
        if response.status >= _BAD_REQUEST:
            raise _no_answer(response, method)

    async def look(self) -> Response:
        """Ask for the stream of the older HTTP+SSE transport; only its beginning.

        Raises:
            TroubleError: Nothing comes back, or no HTTP.
        """
        return await self._send("GET", {**self._headers, "accept": _EVENTS}, None)

    async def leave(self) -> None:
        """End the session, if the server made one."""
        if self._session is not None:
            await self._send("DELETE", self._with(None), None)

    async def _post(
        self, method: str, params: JsonObject, version: str | None
    ) -> Response:
        self._last_id += 1
        headers = {**self._with(version), "mcp-method": method}
        message = {
            "jsonrpc": "2.0",
            "id": self._last_id,
            "method": method,
            "params": params,
        }
        return await self._send("POST", headers, message)

    def _with(self, version: str | None) -> dict[str, str]:
        ours = {
            "mcp-protocol-version": version,
            "mcp-session-id": self._session,
            "accept": _ACCEPT,
        }
        known = {name: value for name, value in ours.items() if value is not None}
        return {**self._headers, **known}

    async def _send(
        self, verb: str, headers: Mapping[str, str], message: JsonObject | None
    ) -> Response:
        sending = self._client.stream(
            verb, self._url, headers=dict(headers), json=message
        )
        try:
            async with sending as response:
                return await _read(response, (message or {}).get("id"))
        except self._errors as error:
            raise _no_response(error) from error


@asynccontextmanager
async def http_channel(
    url: str, headers: Mapping[str, str]
) -> AsyncGenerator[HttpChannel, None]:
    """Yield a channel to *url*; it has no time limits of its own."""
    http = library()
    async with http.AsyncClient(timeout=None, follow_redirects=False) as client:
        yield HttpChannel(client, http.HTTPError, url, headers)


async def _read(response: "httpx.Response", request_id: JsonValue) -> Response:
    headers = {name.lower(): value for name, value in response.headers.items()}
    facts = Response(status=response.status_code, headers=headers)
    if facts.kind == _EVENTS:
        return attrs.evolve(facts, message=await _answer_in(response, request_id))
    text = await _start_of(response)
    try:
        message: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if is_object(message) and ("result" in message or "error" in message):
        return attrs.evolve(facts, text=text, message=message)
    return attrs.evolve(facts, text=text)


async def _start_of(response: "httpx.Response") -> str:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > _MAX_BODY:
            break
    return bytes(body[:_MAX_BODY]).decode("utf-8", "replace")


async def _answer_in(
    response: "httpx.Response", request_id: JsonValue
) -> JsonObject | None:
    """Return the answer to *request_id* in a stream of events."""
    if request_id is None:
        return None
    read = 0
    data: list[str] = []
    async for line in response.aiter_lines():
        read += len(line)
        if read > _MAX_BODY:
            return None
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        if line or not data:
            continue
        message = _message("\n".join(data))
        data.clear()
        if message.get("id") == request_id and "method" not in message:
            return message
    return None


def _message(text: str) -> JsonObject:
    try:
        message: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if is_object(message) else {}


def _no_response(error: Exception) -> TroubleError:
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


def _no_answer(response: Response, method: str) -> TroubleError:
    how = f"HTTP {response.status} ({response.kind or 'empty'})"
    return TroubleError(
        failed(
            f"{method} was answered with {how} and no JSON-RPC message",
            fix="look into the server's log",
            evidence=response.excerpt,
        )
    )


def http_found(response: Response) -> Found:
    """Return what the response to ``initialize`` says about the URL.

    Raises:
        TroubleError: It is no response of an MCP server.
    """
    status = response.status
    if status in _AUTH or response.message is not None:
        return Found(message=f"HTTP {status}, {response.kind or 'no content type'}")
    if status in _BY_STATUS:
        message, fix = _BY_STATUS[status]
        raise TroubleError(
            failed(f"{message} (HTTP {status})", fix=fix, evidence=_hints(response))
        )
    if 300 <= status < _BAD_REQUEST:  # noqa: PLR2004 - the redirects
        raise TroubleError(
            failed(
                f"the URL redirects elsewhere (HTTP {status})",
                fix="use the URL it redirects to, if you trust it",
                evidence=(
                    f"location: {response.headers.get('location', 'none given')}",
                ),
            )
        )
    if status >= _BAD_REQUEST:
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
