"""Open sessions over Streamable HTTP."""

import importlib
import inspect
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import cast
from urllib.parse import urlsplit

from mcpfusion_client.errors import for_info
from mcpfusion_client.model import Peer
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.facts import Fact
from mcpfusion_client.sessions.http_client import Endpoint, check_kinds, real_client
from mcpfusion_client.sessions.http_evidence import EvidenceTransport
from mcpfusion_client.sessions.naming import url_name
from mcpfusion_client.sessions.openers import Live, SdkOpener, Ties, tapped_transport
from mcpfusion_client.sessions.options import ConnectOptions
from mcpfusion_client.sessions.sse_watch import LARGEST_EVENT

_LIMIT = "max_sse_event_size"
_PORTS = {"http": 80, "https": 443}


class HttpOpener(SdkOpener):
    """Opens sessions with the server at a URL."""

    only_server_answers = False
    handed_over_is_sent = False
    needs_asyncio_on_1 = True

    def __init__(self, url: str, options: ConnectOptions) -> None:
        super().__init__(_peer(url))
        check_kinds(options.http_client, options.auth)
        _check_headers(options.headers or {})
        self._endpoint = Endpoint.of(url)
        self._options = options
        self._evidence: EvidenceTransport | None = None

    def prepare(self) -> None:
        """Refuse what cannot work, before anything is started.

        Raises:
            MCPFusionClientError: It cannot work here, or a header is illegal.
        """
        super().prepare()
        for name, value in (self._options.headers or {}).items():
            if not (name + value).isascii() or not (name + value).isprintable():
                reason = f"the header {name!r} holds an illegal character"
                raise for_info(failures.not_sendable(reason))

    def failure(self) -> Fact | None:
        """Return what the handshake failed of, as HTTP saw it."""
        if self._evidence is None:
            return None
        seen = self._evidence.handshake_failures
        return seen.get("initialize") or seen.get("server/discover")

    @asynccontextmanager
    async def connect(self, ties: Ties) -> AsyncGenerator[Live, None]:
        """Open a session over an HTTP client of the SDK's that sends through ours."""
        sdk = self.sdk()
        flavour = "httpx" if sdk.generation == 1 else "httpx2"
        real = real_client(
            self._endpoint,
            client=self._options.http_client,
            auth=self._options.auth,
            headers=self._options.headers,
            default_flavour=flavour,
        )
        evidence = self._evidence = EvidenceTransport(flavour, real, ties)
        facade = evidence.facade.client
        streams = importlib.import_module("mcp.client.streamable_http")
        connect = streams.streamable_http_client
        # The limit of mcp 2.x, 1 MB, would refuse results that mcp 1.x takes.
        knows_limit = _LIMIT in inspect.signature(connect).parameters
        limit = {_LIMIT: LARGEST_EVENT} if knows_limit else {}
        transport = connect(self._endpoint.public, http_client=facade, **limit)
        async with AsyncExitStack() as stack:
            if real.owned:
                await stack.enter_async_context(real.client)
            await stack.enter_async_context(facade)
            session, version = await stack.enter_async_context(
                sdk.connect(tapped_transport(transport, ties.wire), ties.callbacks())
            )
            changes = sdk.tool_list_changes(session)
            yield Live(
                session=session,
                protocol_version=version,
                announces_changes=lambda: changes and evidence.aside.listening,
                session_id=lambda: evidence.session_id,
            )


def _peer(url: str) -> Peer:
    name = url_name(url)
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except ValueError:
        return Peer(server=name, transport="tcp")
    return Peer(server=name, transport="tcp", address=parts.hostname, port=port)


def _check_headers(headers: object) -> None:
    """Refuse headers that are no texts.

    Raises:
        TypeError: A name or a value is something else.
    """
    if not isinstance(headers, Mapping):
        given = type(headers).__name__
        msg = f"headers= maps names to values, both str; it is a {given}"
        raise TypeError(msg)
    pairs = cast("Mapping[object, object]", headers)
    for name, value in pairs.items():
        if not isinstance(name, str) or not isinstance(value, str):
            msg = (
                f"headers= maps names to values, both str; the header {name!r} is "
                f"a {type(name).__name__} with a {type(value).__name__}"
            )
            raise TypeError(msg)
