"""Sessions of the MCP SDK 2.x, opened through its own public names."""

import importlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcpfusion_client.sessions.compat import Connected, negotiated


@asynccontextmanager
async def connect(
    target: Any, callbacks: Mapping[str, object]
) -> AsyncGenerator[Connected, None]:
    """Yield the session of a ``Client`` connected to *target*, and its version.

    Args:
        target: A transport or an in-process server.
        callbacks: Handed to the client.
    """
    client_type = importlib.import_module("mcp").Client
    async with client_type(target, cache=None, **callbacks) as client:
        yield client.session, negotiated(client.session)
