"""The MCP conversation: agree on a version, shake hands, list the tools.

Spoken by hand and not through an SDK, which would only say that it did not work.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import attrs

from mcpfusion_client._version import __version__
from mcpfusion_client.cli.doctor_steps import Found, Status, TroubleError, failed
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object
from mcpfusion_client.model.text import one_line

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The protocol versions that begin with ``initialize``, the oldest first."""

MODERN_VERSIONS: Final = ("2026-07-28",)
"""The protocol versions without a handshake."""

CLIENT: Final[JsonObject] = {"name": "mcpfusion-doctor", "version": __version__}
_META: Final = "io.modelcontextprotocol/"
_UNSUPPORTED_VERSION: Final = -32022
_MAX_PAGES: Final = 100
_MAX_WORDS: Final = 200
_MAX_NAME: Final = 80

INITIALIZE: Final[JsonObject] = {
    "protocolVersion": HANDSHAKE_VERSIONS[-1],
    "capabilities": {},
    "clientInfo": CLIENT,
}
"""The parameters of ``initialize``."""


class Channel(Protocol):
    """Carries JSON-RPC to a server and back."""

    async def ask(
        self, method: str, params: JsonObject, *, version: str | None = None
    ) -> JsonObject:
        """Send a request and return the answer, a JSON-RPC message.

        Args:
            method: The JSON-RPC method.
            params: Its parameters.
            version: The protocol version agreed on, None before that.

        Raises:
            TroubleError: There is no answer.
        """
        ...

    async def tell(self, method: str, *, version: str) -> None:
        """Send a notification.

        Raises:
            TroubleError: It was not taken.
        """
        ...


@attrs.define
class Talk:
    """What has been said so far.

    Attributes:
        channel: Carries it.
        answer: The answer to ``initialize``, None when there is none.
        version: The version agreed on.
        server: Untrusted, but printable; what the server calls itself.
        tools: Untrusted; the tools as they are on the wire.
        last_words: Returns what else the server said, when it is silent here.
    """

    channel: Channel
    answer: JsonObject | None = None
    version: str | None = None
    server: str | None = None
    tools: list[JsonValue] | None = None
    last_words: Callable[[], tuple[str, ...]] = tuple
    _capabilities: JsonValue = None

    async def agree(self) -> Found:
        """Find out which protocol version to speak.

        Raises:
            TroubleError: There is none in common.
        """
        if self.answer is None:
            return Found(message="the server has not answered", status=Status.SKIPPED)
        if "error" in self.answer:
            return await self._agree_without_handshake(self.answer["error"])
        result = self.answer.get("result")
        version = result.get("protocolVersion") if is_object(result) else None
        if version not in HANDSHAKE_VERSIONS:
            raise TroubleError(
                failed(
                    f"the server speaks version {_shown(version)} of MCP, "
                    f"and this client {', '.join(HANDSHAKE_VERSIONS)}",
                    fix="update the server, or this package and its MCP SDK",
                )
            )
        self.version = version
        return Found(message=f"MCP {version}")

    async def _agree_without_handshake(self, error: JsonValue) -> Found:
        params = {"_meta": _meta(MODERN_VERSIONS[-1])}
        answer = await self.channel.ask(
            "server/discover", params, version=MODERN_VERSIONS[-1]
        )
        result = answer.get("result")
        offered = result.get("supportedVersions") if is_object(result) else None
        listed = offered if is_array(offered) else ()
        common = [version for version in MODERN_VERSIONS if version in listed]
        if is_object(result) and common:
            self.version = common[-1]
            meta: JsonValue = result.get("_meta")
            info = meta.get(f"{_META}serverInfo") if is_object(meta) else None
            self._introduced(result, info)
            return Found(message=f"MCP {self.version}")
        if is_object(error) and error.get("code") == _UNSUPPORTED_VERSION:
            raise TroubleError(
                failed(
                    "the server speaks no version of MCP that this client speaks",
                    fix="update the server, or this package and its MCP SDK",
                    evidence=(_error_text(error),),
                )
            )
        return Found(
            message="none: the server refused the handshake", status=Status.SKIPPED
        )

    async def shake_hands(self) -> Found:
        """End the handshake.

        Raises:
            TroubleError: The server refuses it, or answers with something else.
        """
        if self.answer is None:
            raise TroubleError(
                failed(
                    "the server is silent: it did not answer initialize",
                    fix="check that it speaks MCP over this transport; "
                    "a first start may download packages, --timeout gives it more time",
                    evidence=self.last_words(),
                )
            )
        if self.version in MODERN_VERSIONS:
            return Found(message=f"none needed; {self.server or 'the server'} answers")
        if "error" in self.answer:
            raise TroubleError(
                failed(
                    "the server refused initialize",
                    fix="look into the server's log for the reason",
                    evidence=(_error_text(self.answer["error"]),),
                )
            )
        result: JsonObject = self.answer["result"]
        self._introduced(result, result.get("serverInfo"))
        if not is_object(self._capabilities) or self.server is None:
            raise TroubleError(
                failed(
                    "the answer to initialize lacks capabilities or serverInfo",
                    fix="return protocolVersion, capabilities and serverInfo "
                    "(name, version)",
                )
            )
        await self.channel.tell(
            "notifications/initialized", version=self.version or HANDSHAKE_VERSIONS[-1]
        )
        return Found(message=f"this is {self.server}")

    def _introduced(self, result: JsonObject, info: JsonValue) -> None:
        self._capabilities = result.get("capabilities")
        if is_object(info) and isinstance(info.get("name"), str):
            version = info.get("version")
            told = f"{info['name']} {version if isinstance(version, str) else ''}"
            self.server = one_line(told, _MAX_NAME) or None

    async def list_tools(self) -> Found:
        """Fetch every page of the tool list.

        Raises:
            TroubleError: It cannot be fetched.
        """
        if not is_object(self._capabilities) or "tools" not in self._capabilities:
            return Found(
                message="the server declares no tools: there is nothing to call",
                status=Status.WARNING,
                fix="declare the tools capability if it has tools",
            )
        tools: list[JsonValue] = []
        cursors: list[JsonValue] = [None]
        while len(cursors) <= _MAX_PAGES:
            page = await self._page(cursors[-1])
            tools += page["tools"]
            cursor: JsonValue = page.get("nextCursor")
            if cursor is None:
                break
            if cursor in cursors:
                raise TroubleError(
                    failed(
                        "the list of tools goes round in circles",
                        fix="leave out nextCursor on the last page",
                    )
                )
            cursors.append(cursor)
        self.tools = tools
        return Found(message=f"{len(tools)} tool{'' if len(tools) == 1 else 's'}")

    async def _page(self, cursor: JsonValue) -> JsonObject:
        version = self.version or HANDSHAKE_VERSIONS[-1]
        params: dict[str, JsonValue] = {} if cursor is None else {"cursor": cursor}
        if version in MODERN_VERSIONS:
            params["_meta"] = _meta(version)
        answer = await self.channel.ask("tools/list", params, version=version)
        if "error" in answer:
            raise TroubleError(
                failed(
                    "the server refused tools/list",
                    fix="look into the server's log for the reason",
                    evidence=(_error_text(answer["error"]),),
                )
            )
        result = answer.get("result")
        if not is_object(result) or not is_array(result.get("tools")):
            raise TroubleError(
                failed(
                    "the answer to tools/list has no list of tools",
                    fix='return {"tools": [...]}',
                )
            )
        return result


def _meta(version: str) -> Mapping[str, JsonValue]:
    """Return what every request carries where there is no handshake."""
    return {
        f"{_META}protocolVersion": version,
        f"{_META}clientInfo": CLIENT,
        f"{_META}clientCapabilities": {},
    }


def _error_text(error: JsonValue) -> str:
    if not is_object(error):
        return one_line(str(error), _MAX_WORDS)
    return one_line(f"{error.get('code')}: {error.get('message')}", _MAX_WORDS)


def _shown(version: JsonValue) -> str:
    return one_line(version, 40) if isinstance(version, str) else "none"
