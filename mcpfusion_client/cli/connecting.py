"""Open the client of a command, and keep what its server writes beside MCP.

A command's standard error goes to a file, not to the terminal: it is untrusted and
would break the display. The end of it explains why a server did not start.
"""

import contextlib
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from pathlib import Path
from typing import IO, Any, Final, TypeVar
from urllib.parse import urlsplit

import anyio
import click

from mcpfusion_client.cli.app import Settings
from mcpfusion_client.cli.decode_jsonl import as_json as json_text
from mcpfusion_client.cli.exits import CannotConnectError
from mcpfusion_client.cli.json_form import exception_json
from mcpfusion_client.cli.targets import Target
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model.text import one_line
from mcpfusion_client.sessions.declining import declining

T = TypeVar("T")

_ASK_THE_DOCTOR: Final = "mcpfusion doctor says at which step"
_TAIL_BYTES: Final = 8192
_TAIL_LINES: Final = 3
_MAX_LINE: Final = 200


class SideOutput(logging.Handler):
    """What a server writes that is no MCP message.

    Attributes:
        errlog: The file that takes its standard error.
        stray: The first line on standard output that is no message, cleaned.
    """

    def __init__(self, errlog: IO[str]) -> None:
        super().__init__()
        self.errlog = errlog
        self.stray: str = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Note a line that the SDK could not read and logs with a traceback."""
        error = record.exc_info[1] if record.exc_info else None
        errors: Any = getattr(error, "errors", None)
        if record.name != "mcp.client.stdio" or errors is None or self.stray:
            return
        with contextlib.suppress(Exception):  # pydantic's own form, and it may change
            self.stray = one_line(str(errors()[0]["input"]), _MAX_LINE)

    def last_lines(self) -> tuple[str, ...]:
        """Return the end of standard error, cleaned."""
        end = self.errlog.seek(0, 2)
        self.errlog.seek(max(0, end - _TAIL_BYTES))
        lines = (one_line(line, _MAX_LINE) for line in self.errlog.read().splitlines())
        return tuple(line for line in lines if line)

    def warning(self) -> str:
        """Return what is wrong with the server's output, in one line, or nothing."""
        if not self.stray:
            return ""
        return (
            f"the server writes to standard output something that is not MCP "
            f"({self.stray!r}); it has to write such lines to standard error"
        )

    def hint(self) -> str:
        """Return what may explain that the server did not answer, in one line."""
        lines = self.last_lines()[-_TAIL_LINES:]
        said = f"its standard error ends: {' / '.join(lines)}" if lines else ""
        return "; ".join(part for part in (self.warning(), said) if part)


@contextlib.contextmanager
def side_output() -> Generator[SideOutput, None, None]:
    """Keep what a server writes beside MCP, and nothing of it on the terminal."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errlog:
        output = SideOutput(errlog)
        logger = logging.getLogger("mcp")
        propagated, logger.propagate = logger.propagate, False
        logger.addHandler(output)
        try:
            yield output
        finally:
            logger.removeHandler(output)
            logger.propagate = propagated


def _ignore(question: str) -> None:
    """Say nothing of *question*: it did not come during a call."""


@contextlib.asynccontextmanager
async def connected(
    target: Target, *, asked: Callable[[str], None] = _ignore, **options: object
) -> AsyncGenerator[tuple[MCPFusionClient, SideOutput], None]:
    """Open a client for *target*; warn at the end about a server that babbles.

    Every command says that it can be asked, so that a server that lists some tools only
    to such clients lists them to all commands; and every question is declined.

    Args:
        target: The server.
        asked: Told of a question that the server asks the user. Untrusted.
        options: Further options of `MCPFusionClient`.

    Raises:
        CannotConnectError: It cannot be reached.
        click.UsageError: The URL is none.
    """
    _check_url(target)
    with side_output() as output:
        if target.command:
            options["errlog"] = output.errlog
        options["elicitation_callback"] = declining(asked)
        client = target.client(**options)
        try:
            await client.connect()
        except MCPFusionClientError as error:
            hint = _missing(target) or output.hint() or _ASK_THE_DOCTOR
            raise CannotConnectError(target.label, error, hint) from error
        try:
            yield client, output
        finally:
            await client.close()
            _tell(output)


def _check_url(target: Target) -> None:
    if target.url is None:
        return
    try:
        parts = urlsplit(target.url)
        readable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        readable = False
    if not readable:
        msg = f"{one_line(target.url, 120)!r} is no URL: host and port, please"
        raise click.UsageError(msg)


def _missing(target: Target) -> str:
    """Return what a command lacks to be started, in words, or nothing."""
    if not target.command:
        return ""
    if target.cwd is not None and not Path(target.cwd).is_dir():
        return f'there is no directory {one_line(target.cwd, 120)!r}, its "cwd"'
    program = target.command[0]
    # Relative names with a folder in them are looked up from where it is started.
    if os.sep in program or shutil.which(program, path=target.env.get("PATH")):
        return ""
    return f"there is no program {one_line(program, 80)!r} on PATH: install it"


def _tell(output: SideOutput) -> None:
    if output.warning():
        click.echo(f"mcpfusion: warning: {output.warning()}", err=True)
    if click.get_current_context().ensure_object(Settings).debug:
        for line in output.last_lines():
            click.echo(f"server: {line}", err=True)


def run(function: Callable[[], Coroutine[Any, Any, T]], *, as_json: bool) -> T:
    """Run *function* in an event loop of its own.

    Args:
        function: What a command does.
        as_json: Print a failure as JSON too, before it is raised.
    """
    try:
        return anyio.run(function)
    except (CannotConnectError, MCPFusionClientError) as error:
        if as_json:
            failure = (
                error if isinstance(error, MCPFusionClientError) else error.failure
            )
            click.echo(
                json_text({"ok": False, "error": exception_json(failure)}, indent=2)
            )
        raise
