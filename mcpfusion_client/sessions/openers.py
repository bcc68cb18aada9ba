"""Open a session for each kind of target; one class per kind."""

import importlib
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
)
from typing import Any, Protocol, TextIO

import anyio.lowlevel
import attrs

from mcpfusion_client.errors import for_info
from mcpfusion_client.model import Peer
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.background import in_trio
from mcpfusion_client.sessions.compat import Sdk, Streams, negotiated, sdk
from mcpfusion_client.sessions.facts import Fact
from mcpfusion_client.sessions.naming import command_name
from mcpfusion_client.sessions.options import ERRLOG, ConnectOptions, SessionEventKind
from mcpfusion_client.sessions.tap import Wire, tapped

TRIO_ON_1 = (
    "Streamable HTTP on mcp 1.x needs asyncio: under trio that SDK sends requests "
    "twice and loses others; use asyncio or mcp 2.x"
)
_STREAMABLE_HTTP = frozenset({"streamable_http_client", "streamablehttp_client"})
_ASKING = frozenset({"elicitation_callback", "sampling_callback"})


@attrs.frozen(kw_only=True)
class Ties:
    """What ties a session to the supervisor that opens it.

    Attributes:
        server: The connection's name for the server.
        wire: Notes what passes.
        options: The caller's options.
        on_tools_changed: Called when the server says its tools changed.
        tell: Reports an event.
        clocks_stopped: Stops the clocks of the requests in flight.
        uninterrupted: Has giving up wait for what happens inside.
    """

    server: str
    wire: Wire
    options: ConnectOptions
    on_tools_changed: Callable[[], None]
    tell: Callable[[SessionEventKind, str], None]
    clocks_stopped: Callable[[], AbstractContextManager[None]]
    uninterrupted: Callable[[], AbstractContextManager[None]]

    def callbacks(self) -> dict[str, object]:
        """Return the SDK's callbacks, with the tool list watched.

        While the server asks something, the clocks of the calls it may ask for
        stand still: the answer may take a person some time.
        """
        callbacks = dict(self.options.callbacks)
        callbacks.pop(ERRLOG, None)
        for name in _ASKING & callbacks.keys():
            callbacks[name] = self._unhurried(callbacks[name])
        theirs: Any = callbacks.get("message_handler")

        async def message_handler(message: Any) -> None:
            kind = type(getattr(message, "root", message)).__name__
            if kind == "ToolListChangedNotification":
                self.on_tools_changed()
            if theirs is not None:
                await theirs(message)

        callbacks["message_handler"] = message_handler
        return callbacks

    def _unhurried(self, callback: Any) -> object:
        async def unhurried(*args: Any, **kwargs: Any) -> Any:
            with self.clocks_stopped():
                return await callback(*args, **kwargs)

        return unhurried if callable(callback) else callback


@attrs.frozen(kw_only=True)
class Live:
    """A session that is open.

    Attributes:
        session: The SDK's session.
        protocol_version: The version of MCP it speaks, when known.
        announces_changes: Does the server tell when its tools change?
        session_id: Returns the ``Mcp-Session-Id``, if there is one.
    """

    session: Any
    protocol_version: str | None = None
    announces_changes: Callable[[], bool] = bool
    session_id: Callable[[], str | None] = lambda: None


class Opener(Protocol):
    """Opens sessions with one server."""

    @property
    def peer(self) -> Peer:
        """What is known about the server before a session is open."""
        ...

    @property
    def only_server_answers(self) -> bool:
        """Was every answer on the stream sent by the server itself?"""
        ...

    @property
    def tapped(self) -> bool:
        """Is it noted when a request is handed over?"""
        ...

    @property
    def handed_over_is_sent(self) -> bool:
        """May a request have left once the transport has it?"""
        ...

    def sdk(self) -> Sdk:
        """Return the SDK."""
        ...

    def prepare(self) -> None:
        """Refuse what cannot work, before anything is started.

        Raises:
            MCPFusionClientError: It cannot work here.
        """
        ...

    def connect(self, ties: Ties) -> AbstractAsyncContextManager[Live]:
        """Return a context in which the session is open."""
        ...

    def failure(self) -> Fact | None:
        """Return what is known about the last failure to open, beyond its exception."""
        ...


class SdkOpener:
    """What the openers share."""

    only_server_answers = True
    tapped = True
    handed_over_is_sent = True
    needs_asyncio_on_1 = False

    def __init__(self, peer: Peer | str) -> None:
        self.peer: Peer = Peer(server=peer) if isinstance(peer, str) else peer

    def sdk(self) -> Sdk:
        return sdk()

    def prepare(self) -> None:
        """Refuse what cannot work, before anything is started.

        Raises:
            MCPFusionClientError: It cannot work here.
        """
        if sdk().generation == 1 and self.needs_asyncio_on_1 and in_trio():
            raise for_info(failures.refused(TRIO_ON_1))

    def failure(self) -> Fact | None:
        return None

    def _live(self, session: Any, version: str | None) -> Live:
        changes = self.sdk().tool_list_changes(session)
        return Live(
            session=session,
            protocol_version=version,
            announces_changes=lambda: changes,
        )


class TransportOpener(SdkOpener):
    """Opens sessions over a transport of the SDK.

    Args:
        peer: The server, or its name.
        transport: Returns a fresh transport, or None when it cannot.
        only_server_answers: Every answer on its stream was sent by the server.
        starts_process: Entering it starts a process.
    """

    def __init__(
        self,
        peer: Peer | str,
        transport: Callable[[], AbstractAsyncContextManager[Streams] | None],
        *,
        only_server_answers: bool = True,
        starts_process: bool = False,
    ) -> None:
        super().__init__(peer)
        self._transport = transport
        self._starts_process = starts_process
        self.only_server_answers = only_server_answers

    @asynccontextmanager
    async def connect(self, ties: Ties) -> AsyncGenerator[Live, None]:
        """Open a session over a fresh transport."""
        transport = self._transport()
        if transport is None:
            msg = "this transport can be entered only once"
            raise ConnectionError(msg)
        if self._starts_process:
            transport = _started(transport, ties)
        target = tapped_transport(transport, ties.wire)
        async with self.sdk().connect(target, ties.callbacks()) as connected:
            yield self._live(*connected)


class ServerOpener(SdkOpener):
    """Opens sessions with a server of the SDK in this process."""

    tapped = False

    def __init__(self, peer: Peer | str, target: Any) -> None:
        super().__init__(peer)
        self._target = target

    @asynccontextmanager
    async def connect(self, ties: Ties) -> AsyncGenerator[Live, None]:
        """Run the server and open a session with it."""
        the_sdk = self.sdk()
        target = self._target
        if the_sdk.generation == 1:
            sdk1 = importlib.import_module("mcpfusion_client.sessions.sdk1")
            target = tapped_transport(sdk1.serve(target), ties.wire)
        async with the_sdk.connect(target, ties.callbacks()) as connected:
            yield self._live(*connected)


class FastmcpOpener(SdkOpener):
    """Opens sessions through a transport of fastmcp, or with a fastmcp server."""

    tapped = False

    def __init__(self, peer: Peer | str, target: Any) -> None:
        super().__init__(peer)
        self._target = target

    @asynccontextmanager
    async def connect(self, ties: Ties) -> AsyncGenerator[Live, None]:
        """Open a session the way fastmcp's own client does."""
        transport = self._target
        if not hasattr(transport, "connect_session"):
            transports = importlib.import_module("fastmcp.client.transports")
            transport = transports.FastMCPTransport(transport)
        async with transport.connect_session(**ties.callbacks()) as session:
            yield self._live(session, negotiated(await session.initialize()))


def server_opener(server: Any) -> ServerOpener:
    """Return an opener for a server of the SDK in this process."""
    return ServerOpener(_in_process(server), server)


def fastmcp_opener(target: Any) -> FastmcpOpener:
    """Return an opener for a fastmcp server, or for a transport of fastmcp."""
    if hasattr(target, "connect_session"):
        return FastmcpOpener(f"transport:{type(target).__name__}", target)
    return FastmcpOpener(_in_process(target), target)


def _in_process(server: Any) -> str:
    name = getattr(server, "name", None)
    return f"in-process:{name or type(server).__name__}"


def stdio_opener(parameters: Any, options: ConnectOptions) -> TransportOpener:
    """Return an opener that starts a command for each session."""
    peer = _piped(parameters.command, parameters.args)
    # Strictly decoded, one byte that is no UTF-8 makes mcp 2.x deaf for good.
    lenient = parameters.model_copy(update={"encoding_error_handler": "replace"})
    return TransportOpener(
        peer, lambda: _stdio_client(lenient, options), starts_process=True
    )


def _piped(command: str, arguments: Sequence[str]) -> Peer:
    return Peer(server=command_name(command, arguments), transport="pipe")


def command_opener(
    command: tuple[str, ...], options: ConnectOptions
) -> TransportOpener:
    """Return an opener that starts *command* for each session."""

    def transport() -> AbstractAsyncContextManager[Streams]:
        mcp = importlib.import_module("mcp")
        return _stdio_client(
            mcp.StdioServerParameters(
                command=command[0], args=command[1:], encoding_error_handler="replace"
            ),
            options,
        )

    peer = _piped(command[0], command[1:])
    return TransportOpener(peer, transport, starts_process=True)


def _stdio_client(
    parameters: Any, options: ConnectOptions
) -> AbstractAsyncContextManager[Streams]:
    mcp: Any = importlib.import_module("mcp")
    errlog = options.callbacks.get(ERRLOG, _standard_error())
    streams: AbstractAsyncContextManager[Streams]
    streams = mcp.stdio_client(parameters, errlog=errlog)
    return streams


def _standard_error() -> TextIO | None:
    """Return where a server's standard error goes now.

    The SDK's own default is what `sys.stderr` was when the SDK was imported. One
    without a file, as in a notebook, cannot be handed to a process; it then
    inherits this process's.
    """
    try:
        sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return sys.stderr


def given_opener(transport: Any) -> TransportOpener:
    """Return an opener for a transport the caller made.

    One made by a function of the SDK can be made again, with the same arguments,
    when the session is reopened; any other can be entered again or only once.
    """
    remake = getattr(transport, "_recreate_cm", None)
    kind = getattr(getattr(transport, "func", None), "__name__", None)
    name = kind or type(transport).__name__
    if remake is not None:
        opener = TransportOpener(f"transport:{name}", remake, only_server_answers=False)
        opener.needs_asyncio_on_1 = name in _STREAMABLE_HTTP
        return opener
    unused = [transport]

    def once() -> AbstractAsyncContextManager[Streams] | None:
        return unused.pop() if unused else None

    again = once if hasattr(transport, "gen") else lambda: transport
    return TransportOpener(f"transport:{name}", again, only_server_answers=False)


@asynccontextmanager
async def _started(
    transport: AbstractAsyncContextManager[Streams], ties: Ties
) -> AsyncGenerator[Streams, None]:
    """Start a process, and do not let it be interrupted while it starts.

    asyncio waits for ever for a process whose start is cancelled before its pipes
    are connected (``BaseSubprocessTransport._wait``).
    """
    # Given up before it began: no process is started.
    await anyio.lowlevel.checkpoint()
    async with AsyncExitStack() as stack:
        with ties.uninterrupted():
            streams = await stack.enter_async_context(transport)
        yield streams


@asynccontextmanager
async def tapped_transport(
    transport: AbstractAsyncContextManager[Streams], wire: Wire
) -> AsyncGenerator[Streams, None]:
    async with transport as streams:
        yield tapped(streams, wire)


__all__ = [
    "FastmcpOpener",
    "Live",
    "Opener",
    "ServerOpener",
    "Ties",
    "TransportOpener",
    "command_opener",
    "fastmcp_opener",
    "given_opener",
    "server_opener",
    "stdio_opener",
]
