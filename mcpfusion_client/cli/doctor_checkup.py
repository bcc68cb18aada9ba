"""Take the steps of a check-up in order, for each way to reach a server."""

import abc
import logging
import os
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, Literal

import anyio

from mcpfusion_client.cli.doctor_http import HttpChannel, http_channel, library
from mcpfusion_client.cli.doctor_network import (
    Place,
    encrypt,
    place_of,
    proxy_of,
    reach,
    resolve,
    through_proxy,
)
from mcpfusion_client.cli.doctor_responses import (
    EVENTS,
    Response,
    auth_found,
    http_found,
    older_transport,
)
from mcpfusion_client.cli.doctor_stdio import (
    StdioChannel,
    environment,
    find_program,
    started,
    stdout_found,
)
from mcpfusion_client.cli.doctor_steps import (
    Checkup,
    Diagnosis,
    Found,
    Status,
    StoppedError,
    TroubleError,
    failed,
)
from mcpfusion_client.cli.doctor_talk import INITIALIZE, Talk
from mcpfusion_client.cli.doctor_tools import CHECKS
from mcpfusion_client.cli.targets import Target
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import ToolInfo

NETWORK_PATIENCE: Final = 10.0
"""Seconds each of DNS, TCP and TLS gets at most."""
_SLACK: Final = 10.0
"""Seconds a step gets beyond the limit that it keeps itself."""
_LEAVING: Final = 2.0

_NETWORK: Final = ("address", "dns", "tcp", "tls", "http", "auth")
_SPOKEN: Final = ("protocol_version", "handshake", "tools_list")
_TOOLS: Final = tuple(CHECKS)

HTTP_PLAN: Final = (*_NETWORK, *_SPOKEN, *_TOOLS, "client")
STDIO_PLAN: Final = ("command", "start", "stdout", *_SPOKEN, *_TOOLS, "client")
SSE_PLAN: Final = (*_NETWORK, "client", "tools_list", *_TOOLS)

_MAY_BE_OLDER: Final = frozenset({400, 404, 405})


async def examine(target: Target, on_step: Callable[[str], None]) -> Diagnosis:
    """Return what a check-up of *target* finds.

    Args:
        target: The server.
        on_step: Told the name of each step as it begins.
    """
    # An SDK that cannot read a line logs a traceback; here it is a finding.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    # Loading the SDK may take seconds, which are no server's.
    library()
    if target.url is None:
        environment(target)
        return await _Stdio(target, Checkup(STDIO_PLAN, on_step)).diagnosis()
    if target.sse:
        return await _Sse(target, Checkup(SSE_PLAN, on_step)).diagnosis()
    return await _Http(target, Checkup(HTTP_PLAN, on_step)).diagnosis()


class _Examination(abc.ABC):
    """What the ways to reach a server have in common."""

    transport: Literal["http", "sse", "stdio"]

    def __init__(self, target: Target, checkup: Checkup) -> None:
        self.target = target
        self.checkup = checkup
        self.talk: Talk | None = None
        self.listed: int | None = None

    async def diagnosis(self) -> Diagnosis:
        try:
            await self.examine()
        except* StoppedError:
            pass
        talk = self.talk
        return Diagnosis(
            target=self.target.label,
            transport=self.transport,
            steps=self.checkup.steps(),
            server=None if talk is None else talk.server,
            protocol_version=None if talk is None else talk.version,
            tools=self.listed,
        )

    @abc.abstractmethod
    async def examine(self) -> None: ...

    async def take(self, name: str, look: Callable[[], Awaitable[Found]]) -> None:
        await self.checkup.take(name, look, seconds=self.target.timeout)

    async def talk_over(self, talk: Talk) -> None:
        """Agree, shake hands and list the tools."""
        await self.take("protocol_version", talk.agree)
        await self.take("handshake", talk.shake_hands)
        await self.take("tools_list", talk.list_tools)

    def check_tools(self, tools: list[Any] | None) -> None:
        self.listed = None if tools is None else len(tools)
        for name, check in CHECKS.items():
            if tools:
                self.checkup.note(name, check(tools))
            else:
                nothing = Found(message="there are no tools", status=Status.SKIPPED)
                self.checkup.note(name, nothing)

    def client(self) -> AbstractContextManager[MCPFusionClient]:
        """Return a context with a client that is not connected yet."""
        return nullcontext(self.target.client())

    async def connect(self, *, list_them: bool) -> tuple[Found, tuple[ToolInfo, ...]]:
        """Connect as programs do.

        Raises:
            TroubleError: The client cannot.
        """
        tools: tuple[ToolInfo, ...] = ()
        doing = "connect"
        try:
            with self.client() as made:
                async with made as client:
                    doing = "read the list of tools"
                    tools = await client.list_tools() if list_them else ()
        except MCPFusionClientError as error:
            raise TroubleError(
                failed(
                    f"the client cannot {doing}: {error}",
                    fix="look at the other steps; --debug shows the exception",
                )
            ) from error
        count = f"{len(tools)} tool{'' if len(tools) == 1 else 's'}"
        said = f" and lists {count}" if list_them else ""
        return Found(message=f"MCPFusionClient connects{said}"), tools

    async def try_client(self) -> None:
        """See whether the client gets as far as the steps did."""

        async def look() -> Found:
            found, _ = await self.connect(list_them=self.listed is not None)
            return found

        await self.checkup.take("client", look, seconds=2 * self.target.timeout)


class _Network(_Examination):
    """What is reached by a URL."""

    async def reach_url(self) -> None:
        """Get as far as an encrypted connection."""
        url = self.target.url or ""
        place: Place | None = None

        async def address() -> Found:
            nonlocal place
            place = place_of(url)
            return Found(
                message=f"{place.scheme}, host {place.host}, port {place.port}"
            )

        await self.take("address", address)
        assert place is not None  # noqa: S101 - the step has passed
        proxy = proxy_of(place)
        if proxy is None:
            await self._reach(place)
            return
        for name in ("dns", "tcp", "tls"):
            self.checkup.note(name, through_proxy(proxy))

    async def _reach(self, place: Place) -> None:
        addresses: tuple[str, ...] = ()
        address = ""

        async def dns() -> Found:
            nonlocal addresses
            found, addresses = await resolve(place)
            return found

        async def tcp() -> Found:
            nonlocal address
            found, address = await reach(place, addresses)
            return found

        async def tls() -> Found:
            return await encrypt(place, address, library().create_ssl_context())

        patience = min(self.target.timeout, NETWORK_PATIENCE)
        for name, look in (("dns", dns), ("tcp", tcp), ("tls", tls)):
            await self.checkup.take(name, look, seconds=patience)


class _Http(_Network):
    transport = "http"

    async def examine(self) -> None:
        await self.reach_url()
        async with http_channel(self.target.url or "", self.target.headers) as channel:
            try:
                await self._converse(channel)
            finally:
                with anyio.move_on_after(_LEAVING, shield=True):
                    await _leave(channel)
        assert self.talk is not None  # noqa: S101 - the conversation has passed
        self.check_tools(self.talk.tools)
        await self.try_client()

    async def _converse(self, channel: HttpChannel) -> None:
        response: Response | None = None

        async def http() -> Found:
            nonlocal response
            response = await channel.first(INITIALIZE)
            if response.status in _MAY_BE_OLDER and response.message is None:
                await _refuse_older(channel)
            moved = channel.url if channel.url != self.target.url else None
            return http_found(response, moved_to=moved)

        async def auth() -> Found:
            assert response is not None  # noqa: S101 - the step has passed
            return auth_found(response, sent=channel.sends_credentials)

        await self.take("http", http)
        await self.take("auth", auth)
        assert response is not None  # noqa: S101 - the same
        self.talk = Talk(channel, answer=response.message)
        await self.talk_over(self.talk)


async def _refuse_older(channel: HttpChannel) -> None:
    """Say so when the URL speaks the older transport.

    Raises:
        TroubleError: It does.
    """
    stream = await channel.look()
    if stream.status < 300 and stream.kind == EVENTS:  # noqa: PLR2004 - ok
        raise older_transport()


async def _leave(channel: HttpChannel) -> None:
    try:
        await channel.leave()
    except TroubleError:
        # The check-up is over; a server that cannot say goodbye is not ill.
        return


class _Sse(_Network):
    transport = "sse"

    async def examine(self) -> None:
        await self.reach_url()
        tools: tuple[ToolInfo, ...] = ()

        async def client() -> Found:
            nonlocal tools
            found, tools = await self.connect(list_them=True)
            return found

        async with http_channel(self.target.url or "", self.target.headers) as channel:
            await self._look(channel)
        await self.checkup.take("client", client, seconds=2 * self.target.timeout)
        self.checkup.note("tools_list", Found(message=f"{len(tools)} tools"))
        self.check_tools([_wire(tool) for tool in tools])

    async def _look(self, channel: HttpChannel) -> None:
        response: Response | None = None

        async def http() -> Found:
            nonlocal response
            response = await channel.look()
            if response.kind == EVENTS:
                return Found(message=f"HTTP {response.status}, a stream of events")
            return http_found(response)

        async def auth() -> Found:
            assert response is not None  # noqa: S101 - the step has passed
            return auth_found(response, sent=channel.sends_credentials)

        await self.take("http", http)
        await self.take("auth", auth)


def _wire(tool: ToolInfo) -> dict[str, Any]:
    wire: dict[str, Any] = {
        "name": tool.name,
        "inputSchema": tool.input_schema,
        "annotations": tool.annotations,
    }
    if tool.output_schema is not None:
        wire["outputSchema"] = tool.output_schema
    return wire


class _Stdio(_Examination):
    transport = "stdio"

    async def examine(self) -> None:
        async def command() -> Found:
            return find_program(self.target)

        await self.take("command", command)
        try:
            async with started(self.target) as channel:
                await self._converse(channel)
        except TroubleError as trouble:
            self.checkup.note("start", trouble.found, cause=trouble.__cause__)
            raise StoppedError from trouble
        assert self.talk is not None  # noqa: S101 - the conversation has passed
        self.check_tools(self.talk.tools)
        await self.try_client()

    async def _converse(self, channel: StdioChannel) -> None:
        talk = self.talk = Talk(channel, last_words=channel.last_words)

        async def start() -> Found:
            with anyio.move_on_after(self.target.timeout):
                talk.answer = await channel.ask("initialize", INITIALIZE)
            return Found(message="it runs")

        async def stdout() -> Found:
            return stdout_found(channel, answered=talk.answer is not None)

        seconds = self.target.timeout + _SLACK
        await self.checkup.take("start", start, seconds=seconds)
        await self.take("stdout", stdout)
        await self.talk_over(talk)
        await self.take("stdout", stdout)

    @contextmanager
    def client(self) -> Generator[MCPFusionClient, None, None]:
        """Yield a client whose server writes its log to nowhere."""
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            yield self.target.client(errlog=nowhere)


__all__ = ["HTTP_PLAN", "SSE_PLAN", "STDIO_PLAN", "examine"]
