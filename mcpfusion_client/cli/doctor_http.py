"""MCP over HTTP, one request at a time."""

import importlib
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Final

import attrs

from mcpfusion_client.cli.doctor_responses import (
    BAD_REQUEST,
    EVENTS,
    Response,
    no_answer,
    no_response,
)
from mcpfusion_client.cli.doctor_steps import TroubleError, failed
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object
from mcpfusion_client.sessions.compat import sdk

if TYPE_CHECKING:
    import httpx

_MAX_BODY: Final = 8 * 1024 * 1024
_ACCEPT: Final = "application/json, text/event-stream"
_MOST_REDIRECTS: Final = 5


def library() -> ModuleType:
    """Return the HTTP library the installed SDK speaks through."""
    return importlib.import_module("httpx" if sdk().generation == 1 else "httpx2")


class HttpChannel:
    """Carries JSON-RPC over Streamable HTTP.

    Attributes:
        url: Where requests go; another one after a redirect.
    """

    def __init__(
        self,
        client: "httpx.AsyncClient",
        errors: type[Exception],
        url: str,
        headers: Mapping[str, str],
    ) -> None:
        self._client = client
        self._errors = errors
        self.url: str = url
        self._headers = headers
        self._session: str | None = None
        self._last_id = 0

    @property
    def sends_credentials(self) -> bool:
        """Is there an Authorization header, or a user in the URL?"""
        names = {name.lower() for name in self._headers}
        return "authorization" in names or "@" in self.url.partition("://")[2]

    async def first(self, params: JsonObject) -> Response:
        """Send ``initialize`` and return whatever comes back.

        Raises:
            TroubleError: Nothing comes back, or no HTTP.
        """
        response = await self._post("initialize", params, None)
        for _ in range(_MOST_REDIRECTS):
            if response.moved_to is None:
                break
            self.url = response.moved_to
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
            raise no_answer(response, method)
        return response.message

    async def tell(self, method: str, *, version: str) -> None:
        """Send a notification.

        Raises:
            TroubleError: The server does not take it.
        """
        response = await self._send(
            "POST", self._with(version), {"jsonrpc": "2.0", "method": method}
        )
        if response.status >= BAD_REQUEST:
            raise no_answer(response, method)

    async def look(self) -> Response:
        """Ask for the stream of the older HTTP+SSE transport; only its beginning.

        Raises:
            TroubleError: Nothing comes back, or no HTTP.
        """
        return await self._send("GET", {**self._headers, "accept": EVENTS}, None)

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
            verb, self.url, headers=dict(headers), json=message
        )
        try:
            async with sending as response:
                return await _read(response, (message or {}).get("id"))
        except self._errors as error:
            raise no_response(error) from error
        except UnicodeError as error:
            raise TroubleError(
                failed(
                    "a header holds a character that HTTP cannot carry",
                    fix="write headers in plain ASCII",
                )
            ) from error


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
    facts = Response(
        status=response.status_code, headers=headers, moved_to=_moved_to(response)
    )
    if facts.kind == EVENTS:
        return attrs.evolve(facts, message=await _answer_in(response, request_id))
    text = await _start_of(response)
    try:
        message: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if is_object(message) and ("result" in message or "error" in message):
        return attrs.evolve(facts, text=text, message=message)
    return attrs.evolve(facts, text=text)


def _moved_to(response: "httpx.Response") -> str | None:
    """Return where the client goes on by itself: the same server, the same method."""
    following, sent = response.next_request, response.request
    if following is None or following.method != sent.method:
        return None
    here, there = sent.url, following.url
    same = (here.scheme, here.host, here.port) == (there.scheme, there.host, there.port)
    return str(there) if same else None


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
