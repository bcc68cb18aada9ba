"""The click group; a command's module is imported when the command is used."""

import difflib
import importlib
import io
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from typing import Final

import attrs
import click

from mcpfusion_client._version import __version__
from mcpfusion_client.cli.exits import TOOL_FAILED, USAGE, exit_status, explain

_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "call": ("mcpfusion_client.cli.call", "Call a tool and show what happens."),
    "codegen": (
        "mcpfusion_client.cli.codegen",
        "Write a typed router for a server's tools, or check one.",
    ),
    "completion": (
        "mcpfusion_client.cli.completion",
        "Print the script that completes commands in a shell.",
    ),
    "decode": ("mcpfusion_client.cli.decode", "Explain one failed result."),
    "demo": (
        "mcpfusion_client.cli.demo",
        "See failures handled, on a built-in server.",
    ),
    "doctor": (
        "mcpfusion_client.cli.doctor",
        "Find out at which step a connection fails, and why.",
    ),
    "policy": (
        "mcpfusion_client.cli.policy",
        "Say which failures of a tool would be retried, and why.",
    ),
    "review": (
        "mcpfusion_client.cli.review",
        "Review how well recorded errors serve an agent.",
    ),
    "tools": ("mcpfusion_client.cli.tools", "List a server's tools."),
}


_SILENT: Final = logging.NullHandler()


@attrs.define
class Settings:
    """What holds for every command.

    Attributes:
        debug: Show the traceback of an error, and what a server writes to its
            standard error.
    """

    debug: bool = False


def _set_debug(context: click.Context, _option: click.Parameter, given: object) -> None:
    if given:
        context.ensure_object(Settings).debug = True


def _debug_option() -> click.Option:
    return click.Option(
        ["--debug"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_set_debug,
        help="Show tracebacks, and what the server writes to standard error.",
    )


class _LazyGroup(click.Group):
    """Knows the commands by name and one line; loads only what is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(_COMMANDS[cmd_name][0]).command
        if not any(option.name == "debug" for option in command.params):
            command.params.append(_debug_option())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            close = difflib.get_close_matches(name, _COMMANDS, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"no command {name!r}{meant}")
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, _COMMANDS[name][1]) for name in sorted(_COMMANDS)]
            )


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mcpfusion")
def app() -> None:
    """Typed errors and bounded, safe retries for MCP tool calls."""


app.params.append(_debug_option())


def run(arguments: list[str]) -> int:
    """Run *arguments* and return the exit status; one line for every error."""
    settings = Settings()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal of few characters shows what it can.
            stream.reconfigure(errors="backslashreplace")
    # The commands show warnings themselves; a log line would break their output.
    logging.getLogger("mcpfusion_client").addHandler(_SILENT)
    try:
        if not arguments:
            app.main(["--help"], prog_name="mcpfusion", standalone_mode=False)
            return USAGE
        status = app.main(
            arguments, prog_name="mcpfusion", standalone_mode=False, obj=settings
        )
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except BrokenPipeError:
        # Whoever read the output has had enough. Nothing may be flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return TOOL_FAILED
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - it is explained
        if settings.debug:
            traceback.print_exc()
        explain(error)
        known = exit_status(error)
        return TOOL_FAILED if known is None else known
    return status if isinstance(status, int) else 0
