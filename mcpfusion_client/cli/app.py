"""The click group; a command's module is imported when the command is used."""

import importlib
import logging
from collections.abc import Mapping

import click

from mcpfusion_client._version import __version__
from mcpfusion_client.cli.exits import exit_status, explain

_COMMANDS: Mapping[str, tuple[str, str]] = {
    "codegen": (
        "mcpfusion_client.cli.codegen",
        "Write a typed router for a server's tools, or check one.",
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
    "review": (
        "mcpfusion_client.cli.review",
        "Review how well recorded errors serve an agent.",
    ),
}


class _LazyGroup(click.Group):
    """Knows the commands by name and one line; loads only what is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(_COMMANDS[cmd_name][0]).command
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, _COMMANDS[name][1]) for name in sorted(_COMMANDS)]
            )


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mcpfusion")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def app(*, debug: bool) -> None:
    """Typed errors and bounded, safe retries for MCP tool calls."""
    click.get_current_context().obj = {"debug": debug}


def run(arguments: list[str]) -> int:
    """Run *arguments* and return the exit status; one line for every error."""
    debug = arguments[:1] == ["--debug"]
    # The commands show warnings themselves; a log line would break their output.
    logging.getLogger("mcpfusion_client").addHandler(logging.NullHandler())
    try:
        status = app.main(arguments, prog_name="mcpfusion", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (Exception, KeyboardInterrupt) as error:
        known = exit_status(error)
        if debug or known is None:
            raise
        explain(error)
        return known
    return status if isinstance(status, int) else 0
