"""The two generations of the MCP SDK behind one face.

mcp 1.x and 2.x cannot be installed together, so their names are looked up at
run time and everything that leaves this file has a type of ours.
"""

import functools
import importlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from types import ModuleType
from typing import Any, Literal, Protocol, TypeAlias

import attrs

from mcpfusion_client.model import JsonObject, JsonValue

Streams: TypeAlias = tuple[Any, Any]
"""The (read, write) pair an SDK transport yields."""

ProgressHandler: TypeAlias = Callable[
    [float, float | None, str | None], Awaitable[None]
]

Connected: TypeAlias = tuple[Any, str | None]
"""An SDK session that is ready, and the version of MCP it speaks."""

ERA_2026 = "2026-07-28"
"""The first protocol version without a handshake."""


class SdkSession(Protocol):
    """What is used of an SDK's ``ClientSession``."""

    async def send_request(
        self,
        request: Any,
        result_type: Any,
        request_read_timeout_seconds: None = None,
        metadata: None = None,
        progress_callback: ProgressHandler | None = None,
    ) -> Any:
        """Send one request and return its result."""
        ...

    async def list_tools(self, *, params: Any = None) -> Any:
        """Fetch one page of the tool list."""
        ...


@attrs.frozen(kw_only=True)
class RpcError:
    """A JSON-RPC error, as one of the SDK's exceptions carries it.

    Attributes:
        code: The number.
        message: Untrusted unless the SDK made it.
        data: Untrusted.
    """

    code: int
    message: str
    data: JsonValue = None


class _RawResult:
    """A result type of mcp 1.x that hands back what came over the wire."""

    @staticmethod
    def model_validate(raw: JsonObject) -> JsonObject:
        return raw


@attrs.frozen(kw_only=True)
class Sdk:
    """One generation of the SDK.

    Attributes:
        generation: 1 or 2.
        types: Its ``mcp.types``.
        call_result: The type of a ``tools/call`` result that is its wire JSON.
        error_type: ``McpError`` or ``MCPError``.
    """

    generation: Literal[1, 2]
    types: ModuleType
    call_result: Any
    error_type: type[Exception]

    def call_request(
        self,
        tool: str,
        arguments: JsonObject,
        meta: JsonObject,
        **rounds: object,
    ) -> Any:
        """Return a ``tools/call`` request; *rounds* holds answers to the server."""
        fields: dict[str, object] = {"name": tool, "arguments": arguments}
        if meta:
            fields["_meta"] = meta
        params = self.types.CallToolRequestParams(**fields, **rounds)
        request = self.types.CallToolRequest(params=params)
        return request if self.generation == 2 else self.types.ClientRequest(request)  # noqa: PLR2004 - the major

    def message(self, wire: JsonObject) -> Any:
        """Return *wire*, a JSON-RPC message, as the SDK's transports deliver it."""
        messages = importlib.import_module("mcp.shared.message")
        if self.generation == 1:
            message = self.types.JSONRPCMessage.model_validate(wire)
        else:
            message = self.types.jsonrpc_message_adapter.validate_python(wire)
        return messages.SessionMessage(message)

    def cancellation(self, request_id: int | str) -> Any:
        """Return the notification that a request has been given up.

        mcp 2.x sends it by itself.
        """
        params = self.types.CancelledNotificationParams(
            requestId=request_id, reason="the caller no longer waits"
        )
        return self.types.ClientNotification(
            self.types.CancelledNotification(params=params)
        )

    def page(self, cursor: str | None) -> Any:
        """Return the parameters for the page at *cursor*."""
        if cursor is None:
            return None
        return self.types.PaginatedRequestParams(cursor=cursor)

    def next_cursor(self, listing: Any) -> str | None:
        """Return where the next page of *listing* starts."""
        name = "nextCursor" if self.generation == 1 else "next_cursor"
        return getattr(listing, name, None)

    def rpc_error(self, exc: BaseException) -> RpcError | None:
        """Return the JSON-RPC error inside *exc*, if it is one of the SDK's."""
        if not isinstance(exc, self.error_type):
            return None
        error: Any = getattr(exc, "error", None)
        return RpcError(code=error.code, message=error.message, data=error.data)

    def tool_list_changes(self, session: Any) -> bool:
        """Does the server announce changes of its tool list on *session*?"""
        if self.generation == 1:
            capabilities = session.get_server_capabilities()
        elif session.initialize_result is None:
            return False
        else:
            capabilities = session.server_capabilities
        tools = getattr(capabilities, "tools", None)
        name = "listChanged" if self.generation == 1 else "list_changed"
        return bool(getattr(tools, name, None))

    def is_modern(self, session: Any) -> bool:
        """Does *session* speak the protocol without a handshake?"""
        version = getattr(session, "protocol_version", None)
        return isinstance(version, str) and version >= ERA_2026

    def connect(
        self, target: Any, callbacks: Mapping[str, object]
    ) -> AbstractAsyncContextManager[Connected]:
        """Return a context that yields a ready ``ClientSession`` and its version.

        Args:
            target: A transport; on mcp 2.x also an in-process server.
            callbacks: Handed to the SDK.
        """
        edge = importlib.import_module(
            f"mcpfusion_client.sessions.sdk{self.generation}"
        )
        context: AbstractAsyncContextManager[Connected]
        context = edge.connect(target, callbacks)
        return context


def negotiated(source: Any) -> str | None:
    """Return the version of MCP that was agreed on, None where *source* has none.

    Args:
        source: An ``InitializeResult`` of either SDK, or a session of mcp 2.x.
    """
    for name in ("protocol_version", "protocolVersion"):
        version: object = getattr(source, name, None)
        if isinstance(version, str):
            return version
    return None


@functools.cache
def sdk() -> Sdk:
    """Load the installed SDK.

    Raises:
        ImportError: No ``mcp`` package is installed.
    """
    root = importlib.import_module("mcp")
    types = importlib.import_module("mcp.types")
    if hasattr(root, "MCPError"):
        pydantic = importlib.import_module("pydantic")
        return Sdk(
            generation=2,
            types=types,
            call_result=pydantic.TypeAdapter(Any),
            error_type=root.MCPError,
        )
    return Sdk(
        generation=1,
        types=types,
        call_result=_RawResult,
        error_type=root.McpError,
    )
