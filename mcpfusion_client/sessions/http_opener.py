"""Open sessions over Streamable HTTP."""

import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcpfusion_client.sessions.naming import url_name
from mcpfusion_client.sessions.openers import Live, Ties, TransportOpener
from mcpfusion_client.sessions.options import ConnectOptions


class HttpOpener(TransportOpener):
    """Opens sessions with the server at a URL."""

    def __init__(self, url: str, options: ConnectOptions) -> None:
        super().__init__(url_name(url), self._streams, only_server_answers=False)
        self._url = url
        self._options = options

    def _streams(self):
        http = importlib.import_module("mcp.client.streamable_http")
        return http.streamable_http_client(self._url)
