"""The HTTP client that really sends, and the one the SDK believes it uses.

mcp 1.x speaks ``httpx``, mcp 2.x ``httpx2``; the caller may bring a client of either.
The SDK gets a client of its own kind whose transport is ours; ours sends through
the caller's client, whole: its auth, proxies, certificates, cookies, event hooks
and timeouts apply, whichever of the two it is.
"""

import importlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

import attrs

Handler: TypeAlias = Callable[[Any], Awaitable[Any]]
"""Takes a request of the SDK's client and returns a response for it."""

Trace: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[None]]
"""Told by the HTTP client what it is doing with a request."""

_FACADE_ONLY = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "cookie",
        "host",
        "transfer-encoding",
        "user-agent",
    }
)
_HOP_BY_HOP = frozenset(
    {"connection", "content-encoding", "content-length", "set-cookie"}
    | {"transfer-encoding", "keep-alive"}
)
_MAX_REDIRECTS = 5
_FOUND = 300
_BAD_REQUEST = 400
_CONNECT_SECONDS = 30.0
_DEFAULT_SECONDS = 5.0
# A call in flight is a connection. How many may be in flight is the gate's business:
# one that waits for a connection here would spend its attempt timeout unsent.
_MAX_CONNECTIONS = None
_MAX_IDLE = 64


def flavour_of(client_or_auth: object) -> str | None:
    """Return ``"httpx"`` or ``"httpx2"``, whichever *client_or_auth* belongs to."""
    for cls in type(client_or_auth).__mro__:
        root = cls.__module__.partition(".")[0]
        if root in {"httpx", "httpx2"}:
            return root
    return None


class ClientIsClosedError(Exception):
    """The caller's client was closed; nothing can be sent through it."""


@attrs.frozen(kw_only=True)
class Endpoint:
    """A URL, with its credentials apart.

    Attributes:
        url: Where requests go; without user info.
        public: The same without query and fragment, for the SDK and its logs.
        user: User and password of the URL, if it has some.
        secrets: What in the URL may be a secret.
    """

    url: str
    public: str
    user: tuple[str, str] | None
    secrets: tuple[str, ...]

    @classmethod
    def of(cls, url: str) -> "Endpoint":
        """Take *url* apart."""
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        user = None
        if parts.username is not None or parts.password is not None:
            user = (_plain(parts.username), _plain(parts.password))
        clean = parts._replace(netloc=host)
        return cls(
            url=urlunsplit(clean),
            public=urlunsplit(clean._replace(query="", fragment="")),
            user=user,
            secrets=(*(user or ()), *(value for _, value in parse_qsl(parts.query))),
        )


def _plain(quoted: str | None) -> str:
    return unquote(quoted or "")


@attrs.define(eq=False)
class RealClient:
    """The client that sends.

    Attributes:
        client: An ``AsyncClient`` of either kind.
        httpx: The module it belongs to.
        owned: It was made here and is closed here.
        headers: Sent with every request.
        auth: Overrides the client's own auth for every request.
        endpoint: Where requests go.
    """

    client: Any
    httpx: ModuleType
    owned: bool
    headers: Mapping[str, str]
    auth: Any
    endpoint: Endpoint

    async def send(
        self, method: str, headers: Mapping[str, str], content: bytes, trace: Trace
    ) -> Any:
        """Send a request to the endpoint and return the streaming response.

        Redirects are followed only where the SDKs do: inside the endpoint's
        origin, keeping the method.
        """
        if self.client.is_closed:
            raise ClientIsClosedError
        kwargs: dict[str, Any] = {} if self.auth is None else {"auth": self.auth}
        url, target = self._address()
        request = self.client.build_request(
            method,
            url,
            headers={**headers, **self.headers},
            content=content or None,
            extensions={"trace": trace, **target},
            **self._timeout(),
        )
        redirects = 0
        while True:
            response = await self.client.send(
                request, stream=True, follow_redirects=False, **kwargs
            )
            following = _followed(response)
            if following is None or redirects == _MAX_REDIRECTS:
                return response
            await response.aclose()
            request, redirects = following, redirects + 1

    def _address(self) -> tuple[str, Mapping[str, Any]]:
        """Return the URL, and what the request line says beyond it.

        httpx logs the URL of every request, and a query may hold a key. Only a
        client made here is known to take the two apart; an auth may sign the URL.
        """
        endpoint = self.endpoint
        simple_auth = self.auth is None or isinstance(self.auth, tuple)
        if not self.owned or not simple_auth or endpoint.url == endpoint.public:
            return endpoint.url, {}
        url: Any = self.httpx.URL(endpoint.url)
        return endpoint.public, {"target": url.raw_path}

    def _timeout(self) -> Mapping[str, Any]:
        """Replace httpx's default of 5 s, which would kill slow tools.

        Reading is bounded by the attempt's own timer, which progress extends.
        A timeout the caller set stays.
        """
        timeout: Any = self.client.timeout
        if timeout != self.httpx.Timeout(_DEFAULT_SECONDS):
            return {}
        relaxed = self.httpx.Timeout(None, connect=_DEFAULT_SECONDS)
        return {"timeout": relaxed}


def check_kinds(client: object, auth: object) -> None:
    """Refuse a client and an auth that do not belong together.

    Raises:
        TypeError: They do not, or one of them is neither httpx's nor httpx2's.
    """
    kind, auth_kind = flavour_of(client), flavour_of(auth)
    if client is not None and kind is None:
        msg = "http_client= must be an httpx.AsyncClient or an httpx2.AsyncClient"
        raise TypeError(msg)
    if None not in (kind, auth_kind) and kind != auth_kind:
        msg = f"auth= is an {auth_kind} auth, but http_client= an {kind} client"
        raise TypeError(msg)


def real_client(
    endpoint: Endpoint,
    *,
    client: Any,
    auth: Any,
    headers: Mapping[str, str] | None,
    default_flavour: str,
) -> RealClient:
    """Return the client that sends to *endpoint*.

    Args:
        endpoint: Where requests go.
        client: The caller's own; None makes one here.
        auth: The caller's auth; decides which kind of client is made.
        headers: Sent with every request.
        default_flavour: The SDK's own kind.
    """
    flavour = flavour_of(client) or flavour_of(auth) or default_flavour
    httpx = importlib.import_module(flavour)
    if client is not None:
        own = getattr(client, "auth", None) is not None
        effective = auth or (None if own else endpoint.user)
        owned = False
        return RealClient(client, httpx, owned, headers or {}, effective, endpoint)
    made = httpx.AsyncClient(
        timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
        limits=httpx.Limits(
            max_connections=_MAX_CONNECTIONS, max_keepalive_connections=_MAX_IDLE
        ),
    )
    effective = auth or endpoint.user
    owned = True
    return RealClient(made, httpx, owned, headers or {}, effective, endpoint)


def _followed(response: Any) -> Any:
    """Return the request that follows a redirect, if it is one to follow."""
    following = response.next_request
    if following is None or not _FOUND <= response.status_code < _BAD_REQUEST:
        return None
    sent = response.request
    same_method = following.method == sent.method
    own_user = following.url.userinfo and following.url.userinfo != sent.url.userinfo
    if not same_method or own_user or not _same_origin(sent.url, following.url):
        return None
    return following


def _same_origin(url: Any, other: Any) -> bool:
    if (url.scheme, url.host, url.port) == (other.scheme, other.host, other.port):
        return True
    upgraded = (url.scheme, other.scheme) == ("http", "https")
    return bool(
        upgraded and url.host == other.host and url.port is None and other.port is None
    )


def forwarded(request: Any) -> dict[str, str]:
    """Return the headers the SDK set itself; the real client adds its own."""
    return {
        name: value
        for name, value in request.headers.items()
        if name.lower() not in _FACADE_ONLY
    }


def passed_back(response: Any) -> list[tuple[str, str]]:
    """Return a response's headers for the SDK; its body is decoded already."""
    return [
        (name, value)
        for name, value in response.headers.multi_items()
        if name.lower() not in _HOP_BY_HOP
    ]


class Facade:
    """What the SDK believes is its HTTP client.

    Args:
        flavour: The SDK's kind, ``"httpx"`` or ``"httpx2"``.
        handler: Answers its requests.
    """

    def __init__(self, flavour: str, handler: Handler) -> None:
        self._httpx = importlib.import_module(flavour)
        self._stream_type = _stream_type(self._httpx)

        async def handle_async_request(_: object, request: Any) -> Any:
            return await handler(request)

        transport = type(
            "EvidenceTransport",
            (self._httpx.AsyncBaseTransport,),
            {"handle_async_request": handle_async_request},
        )()
        self.client: Any = self._httpx.AsyncClient(
            transport=transport, timeout=None, trust_env=False
        )

    def answer(
        self,
        status: int,
        headers: list[tuple[str, str]],
        body: bytes | AsyncGenerator[bytes, None],
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> Any:
        """Return a response of the SDK's kind.

        Args:
            status: The status.
            headers: The headers.
            body: All of it, or what streams it.
            close: Called when the SDK is done with a streaming body.
        """
        if isinstance(body, bytes):
            return self._httpx.Response(status, headers=headers, content=body)
        stream = self._stream_type(body, close)
        return self._httpx.Response(status, headers=headers, stream=stream)


def _stream_type(httpx: ModuleType) -> Any:
    def __init__(  # noqa: N807 - a method of the class below
        self: Any,
        body: AsyncGenerator[bytes, None],
        close: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self.body = body
        self.close = close

    def __aiter__(self: Any) -> AsyncIterator[bytes]:  # noqa: N807 - the same
        body: AsyncIterator[bytes] = self.body
        return body

    async def aclose(self: Any) -> None:
        await self.body.aclose()
        if self.close is not None:
            await self.close()

    methods = {"__init__": __init__, "__aiter__": __aiter__, "aclose": aclose}
    return type("WatchedStream", (httpx.AsyncByteStream,), methods)
