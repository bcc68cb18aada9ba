"""Sessions of the MCP SDK 1.x."""

import contextlib
import functools
import importlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio

from mcpfusion_client.sessions.compat import Connected, Streams, negotiated


@asynccontextmanager
async def connect(
    target: AbstractAsyncContextManager[Streams], callbacks: Mapping[str, object]
) -> AsyncGenerator[Connected, None]:
    """Yield an initialised ``ClientSession`` over *target*, and its version."""
    session_type = _session_type()
    async with target as streams, session_type(*streams[:2], **callbacks) as session:
        yield session, negotiated(await session.initialize())


@functools.cache
def _session_type() -> Any:
    """Return a ``ClientSession`` that survives an answer nobody waits for any more.

    The SDK's own takes the closed stream of a caller that is cancelled just while its
    answer arrives for the end of the connection, and ends every other call with it.
    """
    theirs: Any = importlib.import_module("mcp").ClientSession

    async def _handle_response(self: Any, message: Any) -> None:
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            await theirs._handle_response(self, message)  # noqa: SLF001 - see above

    return type("ClientSession", (theirs,), {"_handle_response": _handle_response})


@asynccontextmanager
async def serve(server: Any) -> AsyncGenerator[Streams, None]:
    """Run an in-process server and yield the client's end of its streams."""
    anyio = importlib.import_module("anyio")
    memory = importlib.import_module("mcp.shared.memory")
    lowlevel: Any = getattr(server, "_mcp_server", server)
    async with (
        memory.create_client_server_memory_streams() as (client, (read, write)),
        anyio.create_task_group() as tasks,
    ):
        options = lowlevel.create_initialization_options()
        tasks.start_soon(lowlevel.run, read, write, options)
        try:
            yield client
        finally:
            tasks.cancel_scope.cancel()
