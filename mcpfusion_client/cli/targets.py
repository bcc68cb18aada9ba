"""TARGET: the server a command talks to, and the options that go with it.

A command that is decorated with `takes_target` gets a `Target`; nothing is opened
before the command asks for a client.
"""

import functools
import importlib
import inspect
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import attrs
import click

from mcpfusion_client.cli.parameters import Seconds
from mcpfusion_client.cli.server_configs import (
    ServerConfigError,
    configured_server,
    server_names,
)
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.model.text import one_line
from mcpfusion_client.sessions.naming import command_name, url_name
from mcpfusion_client.sync import ClientOptions

T = TypeVar("T")

DEFAULT_TIMEOUT: Final = 60.0
"""Seconds to wait for one attempt; the connection gets no less."""

_HELP: Final = """
TARGET is a URL, or a server's name in the JSON file that --config names
(mcpServers or servers, as Claude Desktop, Cursor and VS Code write it).
With --stdio there is no TARGET.
"""

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_URL = re.compile(r"https?://", re.IGNORECASE)


@attrs.frozen(kw_only=True)
class Target:
    """How to reach one server.

    Attributes:
        label: Its name, safe to show: no credentials, no arguments.
        url: Where it listens, None for a command.
        sse: Does the URL speak the older HTTP+SSE transport?
        command: Program and arguments, empty for a URL.
        env: Environment variables for the command, over the few it inherits.
        cwd: Where the command is started, None for here.
        headers: Sent with every HTTP request.
        timeout: Seconds to wait for one attempt.
        connect_timeout: Seconds to wait for the connection and the list of tools.
    """

    label: str
    url: str | None = attrs.field(default=None, repr=False)
    sse: bool = False
    command: tuple[str, ...] = attrs.field(default=(), repr=False)
    env: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    cwd: str | None = None
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    timeout: float = DEFAULT_TIMEOUT
    connect_timeout: float = DEFAULT_TIMEOUT

    def connectable(self) -> object:
        """Return what `MCPFusionClient` takes; loads the SDK unless it is a URL."""
        if self.url is None:
            mcp: Any = importlib.import_module("mcp")
            parameters: object = mcp.StdioServerParameters(
                command=self.command[0],
                args=list(self.command[1:]),
                env=dict(self.env) or None,
                cwd=self.cwd,
            )
            return parameters
        if self.sse:
            sse: Any = importlib.import_module("mcp.client.sse")
            transport: object = sse.sse_client(self.url, headers=dict(self.headers))
            return transport
        return self.url

    def client_options(self) -> ClientOptions:
        """Return the options that go with `connectable`."""
        options = ClientOptions(
            timeout=self.timeout, connect_timeout=self.connect_timeout
        )
        if self.headers and not self.sse:
            options["headers"] = self.headers
        return options

    def client(self, **options: object) -> MCPFusionClient:
        """Return a client that is not connected yet; *options* are its options."""
        given: dict[str, Any] = {**self.client_options(), **options}
        return MCPFusionClient(self.connectable(), **given)


@attrs.frozen(kw_only=True)
class TargetOptions:
    """What was said about the target, besides TARGET itself."""

    stdio: str | None
    config: Path | None
    headers: tuple[str, ...]
    env: tuple[str, ...]
    timeout: float
    connect_timeout: float

    def names(self, word: str) -> bool:
        """Can *word* be TARGET: a URL, or a name to look up?"""
        return self.config is not None or _URL.match(word) is not None

    def resolve(self, words: Sequence[str]) -> tuple[Target, tuple[str, ...]]:
        """Return the target, and the words that are not part of it.

        Args:
            words: The arguments of the command; the first is TARGET unless there
                is ``--stdio``.

        Raises:
            click.ClickException: There is no such target.
        """
        if self.stdio is not None:
            return self._command(_words(self.stdio)), tuple(words)
        if not words:
            self._no_target()
        target = words[0]
        if _URL.match(target):
            return self._url(target), tuple(words[1:])
        if self.config is None:
            self._refuse(
                f"{target!r} is no URL (http:// or https://): name the file that "
                f"has this server with --config FILE, or use {_as_stdio(words)}"
            )
        return self._configured(self.config, target), tuple(words[1:])

    def resolve_alone(self, words: Sequence[str]) -> Target:
        """Return the target of a command that takes nothing else.

        Args:
            words: TARGET, or the command that starts it, several words.

        Raises:
            click.ClickException: There is no such target.
        """
        if self.stdio is None and len(words) > 1 and not _URL.match(words[0]):
            return self._command(tuple(words))
        target, rest = self.resolve(words)
        if rest:
            self._refuse(f"unexpected {rest[0]!r}: nothing may follow TARGET")
        return target

    def _url(self, url: str) -> Target:
        self._refuse_with_url()
        return Target(
            label=url_name(url),
            url=url,
            headers=_headers(self.headers),
            timeout=self.timeout,
            connect_timeout=self.connect_timeout,
        )

    def _command(self, command: tuple[str, ...]) -> Target:
        if self.headers:
            self._refuse("--header is for a URL, and a command has no HTTP headers")
        if (
            self.config is not None
            and click.get_current_context().get_parameter_source("config")
            is not click.core.ParameterSource.ENVIRONMENT
        ):
            self._refuse("a command and --config exclude each other")
        return Target(
            label=command_name(command[0], command[1:]),
            command=command,
            env=_environment(self.env),
            timeout=self.timeout,
            connect_timeout=self.connect_timeout,
        )

    def _configured(self, file: Path, name: str) -> Target:
        server = configured_server(file, name, os.environ)
        if server.url is None and self.headers:
            self._refuse(f"--header is for a URL, and {name!r} is a command")
        if server.url is not None:
            self._refuse_with_url()
        return Target(
            label=one_line(name, 80),
            url=server.url,
            sse=server.transport == "sse",
            command=server.command,
            env={**server.env, **_environment(self.env)},
            cwd=server.cwd,
            headers={**server.headers, **_headers(self.headers)},
            timeout=self.timeout,
            connect_timeout=self.connect_timeout,
        )

    def _refuse_with_url(self) -> None:
        if self.env:
            self._refuse("--env is for a command; a URL is not started here")

    def _no_target(self) -> NoReturn:
        if self.config is None:
            self._refuse(
                "TARGET is missing: give a URL, a server's name with --config FILE, "
                'or --stdio "COMMAND"'
            )
        names = ", ".join(one_line(name, 60) for name in server_names(self.config))
        self._refuse(f"which server of {self.config}? It has {names or 'none'}")

    def _refuse(self, why: str) -> NoReturn:
        raise click.UsageError(one_line(why, 600))


def target_options(function: Callable[..., T]) -> Callable[..., T]:
    """Add the options that go with TARGET; the function gets ``where``.

    That is a `TargetOptions`, to be resolved with the words of the command.
    """
    options = [
        click.option("--stdio", metavar="COMMAND", help="Start this server."),
        click.option(
            "--config",
            envvar="MCPFUSION_CONFIG",
            show_envvar=True,
            type=click.Path(path_type=Path),
            help="The JSON file in which TARGET is a server's name.",
        ),
        click.option(
            "-H",
            "--header",
            "headers",
            multiple=True,
            metavar="'NAME: VALUE'",
            help="An HTTP header for a URL; may be repeated.",
        ),
        click.option(
            "-e",
            "--env",
            multiple=True,
            metavar="NAME[=VALUE]",
            help="A variable for a command, which inherits but a few; "
            "may be repeated. Without a value, yours.",
        ),
        click.option(
            "--timeout",
            type=Seconds(),
            default=DEFAULT_TIMEOUT,
            show_default=True,
            metavar="SECONDS",
            help="How long to wait for one attempt, whose time starts again with "
            "each sign of progress.",
        ),
        click.option(
            "--connect-timeout",
            type=Seconds(),
            metavar="SECONDS",
            help="How long to wait for the connection and the list of tools; "
            f"without it {DEFAULT_TIMEOUT:g}, or --timeout where that is longer.",
        ),
    ]

    @functools.wraps(function)
    def gathered(
        *,
        stdio: str | None,
        config: Path | None,
        headers: tuple[str, ...],
        env: tuple[str, ...],
        timeout: float,
        connect_timeout: float | None,
        **others: object,
    ) -> T:
        where = TargetOptions(
            stdio=stdio,
            config=config,
            headers=headers,
            env=env,
            timeout=timeout,
            connect_timeout=connect_timeout or max(timeout, DEFAULT_TIMEOUT),
        )
        return function(where=where, **others)

    decorated = gathered
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


def takes_target(
    words: str | None = None,
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Give a command TARGET and its options; the function gets ``target``.

    What TARGET can be is added to the help, which is the function's docstring.

    Args:
        words: How the usage line shows what follows TARGET. The function then
            gets it as ``words``; with None, nothing may follow.
    """

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        @functools.wraps(function)
        def resolved(
            *, where: TargetOptions, target: tuple[str, ...], **others: object
        ) -> T:
            if words is None:
                return function(target=where.resolve_alone(target), **others)
            found, rest = where.resolve(target)
            return function(target=found, words=rest, **others)

        resolved.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n{_HELP}"
        shown = "[TARGET]" if words is None else f"[TARGET] {words}"
        return click.argument(
            "target", nargs=-1, metavar=shown, shell_complete=_configured_names
        )(target_options(resolved))

    return decorate


def _configured_names(
    context: click.Context, _parameter: click.Parameter, typed: str
) -> list[str]:
    """Return what completes TARGET: the servers of the file that --config names."""
    file: Path | None = context.params.get("config")
    if file is None or context.params.get("target"):
        return []
    try:
        return [name for name in server_names(file) if name.startswith(typed)]
    except ServerConfigError:
        return []


def _as_stdio(words: Sequence[str]) -> str:
    """Return how to say that *words*, which may come after ``--``, are a command."""
    if not any(word.startswith("-") for word in words):
        return '--stdio "COMMAND"'
    return f'--stdio "{one_line(shlex.join(words), 200)}"'


def _words(command: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        msg = f"--stdio {command!r}: {error}; check the quotes"
        raise click.UsageError(one_line(msg, 400)) from error
    if not words:
        msg = '--stdio needs a command, such as --stdio "npx -y some-server"'
        raise click.UsageError(msg)
    return words


def _headers(given: Sequence[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not _HEADER_NAME.fullmatch(name.strip()):
            msg = "--header has to be 'NAME: VALUE'"
            raise click.UsageError(msg)
        value = value.strip()
        if not value.isascii() or not value.isprintable():
            msg = f"--header {name.strip()!r}: only plain ASCII may be sent in a header"
            raise click.UsageError(msg)
        headers[name.strip()] = value
    return headers


def _environment(given: Sequence[str]) -> dict[str, str]:
    variables: dict[str, str] = {}
    for variable in given:
        name, equals, value = variable.partition("=")
        if not name or (not equals and name not in os.environ):
            msg = f"--env {name!r}: no such variable here; write NAME=VALUE"
            raise click.UsageError(one_line(msg, 200))
        variables[name] = value if equals else os.environ[name]
    return variables
