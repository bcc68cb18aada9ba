"""What the engine sees of a connection: one request out, one outcome back.

A connection never raises for a failed call. It raises only the cancellation of
its caller; everything else is an `Outcome`.
"""

import math
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias, runtime_checkable

import attrs

from mcpfusion_client.model import (
    ErrorInfo,
    JsonObject,
    JsonValue,
    Peer,
    ToolInfo,
    ToolResult,
)

ProgressCallback: TypeAlias = Callable[
    [float, float | None, str | None], Awaitable[None] | None
]
"""Called with (progress, total, message) for every progress notification.

It may be an async function or a plain one.
"""


@attrs.frozen(kw_only=True)
class Request:
    """One attempt of one call.

    Attributes:
        tool: The wire name.
        arguments: Sent as they are; a copy of the attempt's own.
        meta: Sent as ``_meta``; the same.
        timeout: Seconds this attempt may take; ``math.inf`` lifts it.
        limit: Seconds up to which progress notifications may extend it.
        progress: Told of every progress notification.
    """

    tool: str
    arguments: dict[str, JsonValue]
    meta: dict[str, JsonValue] = attrs.field(factory=dict[str, JsonValue])
    timeout: float = math.inf
    limit: float = math.inf
    progress: ProgressCallback | None = None


@attrs.frozen(kw_only=True)
class Outcome:
    """What became of one request.

    Attributes:
        raw: The result as wire JSON, when one arrived.
        failure: The failure, when the call ended without a usable result, or
            when something failed after the tool had run (then ``raw`` is set).
        cause: The SDK's exception, for ``__cause__``.
        answered: The server itself answered; False for a timer, a lost
            connection or a request that was never sent.
        request_id: The JSON-RPC id of the request, when the connection knows it.
        session_gone: The server has forgotten the session, so nothing ran; that
            says nothing about its load.
    """

    raw: JsonObject | None = None
    failure: ErrorInfo | None = None
    cause: BaseException | None = None
    answered: bool = True
    request_id: int | str | None = None
    session_gone: bool = False


class Connection(Protocol):
    """A server as the engine sees it."""

    @property
    def server(self) -> str:
        """A name for messages and for shared state; holds no credentials."""
        ...

    @property
    def peer(self) -> Peer:
        """What is known about the server now."""
        ...

    @property
    def session(self) -> object | None:
        """The SDK session underneath, None while there is none."""
        ...

    @property
    def epoch(self) -> int:
        """Grows when the tool list must be fetched again: reopened or changed."""
        ...

    @property
    def announces_changes(self) -> bool:
        """Does `epoch` see every change of the tool list?"""
        ...

    async def open(self) -> None:
        """Connect.

        Raises:
            MCPFusionClientError: `ConnectError` and its like.
        """
        ...

    async def close(self) -> None:
        """Disconnect in bounded time; never raises for a dead server."""
        ...

    async def call_tool(self, request: Request) -> Outcome:
        """Send one request and wait for its outcome."""
        ...

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Fetch every page of the tool list.

        Raises:
            MCPFusionClientError: The list could not be fetched.
        """
        ...


@runtime_checkable
class ToolSession(Protocol):
    """Anything that can call a tool: the smallest target a client accepts."""

    async def call_tool(
        self, name: str, arguments: dict[str, JsonValue]
    ) -> ToolResult | JsonObject | object:
        """Return a `ToolResult`, a ``CallToolResult`` or its JSON, or raise."""
        ...
