"""Read a server out of the JSON file that an MCP host keeps its servers in.

The forms are those of Claude Desktop, Claude Code and Cursor (``mcpServers``) and
of VS Code (``servers``, comments allowed; in settings.json below ``mcp``).
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NoReturn, TypeAlias

import attrs
import click

from mcpfusion_client.cli.wording import unreadable
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object, is_sequence
from mcpfusion_client.model.text import one_line

Transport: TypeAlias = Literal["stdio", "http", "sse"]

_TRANSPORTS: Final[Mapping[str, Transport]] = {
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
    "sse": "sse",
}
_PROJECT_FOLDERS: Final = frozenset({".vscode", ".cursor"})
_MOST_NAMES: Final = 20

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*+"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
_TRAILING_COMMA = re.compile(r'"(?:\\.|[^"\\])*+"|(?P<comma>,)(?=\s*+[}\]])')
_VARIABLE = re.compile(r"\$\{([^{}]*)\}")
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@attrs.frozen(kw_only=True)
class ConfiguredServer:
    """One server of a configuration file, its variables filled in.

    Attributes:
        transport: How it is reached.
        command: Program and arguments, empty for a URL.
        url: Where it listens, None for a command.
        headers: Sent with every HTTP request.
        env: Environment variables for the command.
        cwd: Where the command is started, None for here.
    """

    transport: Transport
    command: tuple[str, ...] = attrs.field(default=(), repr=False)
    url: str | None = attrs.field(default=None, repr=False)
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    env: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    cwd: str | None = None


class ServerConfigError(click.ClickException):
    """A configuration file does not say how to reach a server."""


def server_names(file: Path) -> tuple[str, ...]:
    """Return the names of the servers in *file*.

    Raises:
        ServerConfigError: It cannot be read.
    """
    return tuple(_servers(file))


def configured_server(
    file: Path, name: str, environment: Mapping[str, str]
) -> ConfiguredServer:
    """Return the server called *name* in *file*.

    Args:
        file: The configuration file.
        name: A key of its ``mcpServers`` or ``servers``.
        environment: Where ``${VAR}`` and ``${env:VAR}`` are looked up.

    Raises:
        ServerConfigError: The file cannot be read, has no such server, or says
            something about it that cannot be used.
    """
    servers = _servers(file)
    if name not in servers:
        _refuse(file, f"no server {name!r}; it has {_listed(tuple(servers))}")
    entry = servers[name]
    if not is_object(entry):
        _refuse(file, f"server {name!r} is no JSON object")
    return _Entry(file, name, entry, environment).server()


def _servers(file: Path) -> JsonObject:
    found = servers_in(_document(file))
    if found is None:
        _refuse(file, 'no servers: neither "mcpServers" nor "servers" is an object')
    return found


def servers_in(document: JsonObject) -> JsonObject | None:
    """Return the servers that a host's configuration holds, None when it is none."""
    places = [
        place.get(key)
        for place in (document, document.get("mcp"))
        if is_object(place)
        for key in ("mcpServers", "servers")
    ]
    return next((place for place in places if is_object(place)), None)


def _document(file: Path) -> JsonObject:
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        _refuse(file, unreadable(error))
    try:
        document: JsonValue = json.loads(_plain_json(text))
    except (ValueError, RecursionError) as error:
        _refuse(file, f"not JSON: {error}")
    if not is_object(document):
        _refuse(file, "not a JSON object")
    return document


def _plain_json(text: str) -> str:
    """Return *text* without comments and trailing commas, lines kept."""

    def blank(match: re.Match[str]) -> str:
        if match.lastgroup is None:
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return _TRAILING_COMMA.sub(blank, _COMMENT.sub(blank, text))


def _listed(names: tuple[str, ...]) -> str:
    if not names:
        return "none"
    more = "" if len(names) <= _MOST_NAMES else ", …"
    return ", ".join(one_line(name, 60) for name in names[:_MOST_NAMES]) + more


@attrs.frozen
class _Entry:
    """What the file says about one server."""

    file: Path
    name: str
    entry: JsonObject
    environment: Mapping[str, str]

    def server(self) -> ConfiguredServer:
        transport = self._transport()
        if self.entry.get("envFile") is not None:
            self._refuse('"envFile" is not read: put the variables into "env"')
        if transport != "stdio":
            return ConfiguredServer(
                transport=transport,
                url=self._text("url"),
                headers=self._texts("headers"),
            )
        arguments = self.entry.get("args", [])
        if not is_sequence(arguments):
            self._refuse('"args" is no list of strings')
        return ConfiguredServer(
            transport=transport,
            command=(
                self._text("command"),
                *(self._filled("args", argument) for argument in arguments),
            ),
            env=self._texts("env"),
            cwd=None if self.entry.get("cwd") is None else self._text("cwd"),
        )

    def _transport(self) -> Transport:
        kind = self.entry.get("type", self.entry.get("transport"))
        if kind is None:
            if "command" not in self.entry and "url" not in self.entry:
                self._refuse('it has neither "command" nor "url"')
            return "stdio" if "command" in self.entry else "http"
        transport = _TRANSPORTS.get(kind.lower()) if isinstance(kind, str) else None
        if transport is None:
            self._refuse(f"its type {kind!r} is none of stdio, http, sse")
        return transport

    def _text(self, key: str) -> str:
        if key not in self.entry:
            self._refuse(f'"{key}" is missing')
        return self._filled(key, self.entry[key])

    def _texts(self, key: str) -> dict[str, str]:
        found = self.entry.get(key)
        if found is None:
            return {}
        if not is_object(found):
            self._refuse(f'"{key}" is no object of strings')
        return {
            name: self._filled(f"{key}.{name}", text) for name, text in found.items()
        }

    def _filled(self, key: str, text: JsonValue) -> str:
        if not isinstance(text, str):
            self._refuse(f'"{key}" has to be a string, not {json.dumps(text)[:40]}')
        return _VARIABLE.sub(lambda match: self._variable(key, match.group(1)), text)

    def _variable(self, key: str, variable: str) -> str:
        """Return the value of ``${variable}``, as the host of the file would."""
        if variable in {"pathSeparator", "/"}:
            return os.sep
        if variable == "userHome":
            return str(Path.home())
        if variable in {"workspaceFolder", "workspaceFolderBasename"}:
            folder = self._workspace(key, variable)
            return str(folder) if variable == "workspaceFolder" else folder.name
        name, dash, default = variable.removeprefix("env:").partition(":-")
        if not _ENV_NAME.fullmatch(name):
            self._refuse(
                f'"{key}" holds ${{{variable}}}, which only the program that owns the '
                "file can fill in: use ${env:NAME}"
            )
        if name in self.environment:
            return self.environment[name]
        if not dash:
            self._refuse(f'"{key}" needs the environment variable {name}: set it')
        return default

    def _workspace(self, key: str, variable: str) -> Path:
        folder = self.file.resolve().parent
        if folder.name not in _PROJECT_FOLDERS:
            self._refuse(
                f'"{key}" holds ${{{variable}}}, and the file is in no project\'s '
                ".vscode or .cursor folder: write the path out"
            )
        return folder.parent

    def _refuse(self, why: str) -> NoReturn:
        _refuse(self.file, f"server {self.name!r}: {why}")


def _refuse(file: Path, why: str) -> NoReturn:
    raise ServerConfigError(one_line(f"{file}: {why}", 600))
