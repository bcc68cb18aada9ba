"""``mcpfusion demo``: failures handled, on a built-in server."""

import json
import sys
from collections.abc import Callable

import anyio
import attrs
import click
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.demo_script import Row, play
from mcpfusion_client.cli.demo_server import demo_server
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.integrations.scripted_server import serve_stdio
from mcpfusion_client.model import Attempt, StopReason, ToolCall
from mcpfusion_client.observers import Observer

# A pipe has no width of its own; narrower than this and words break.
_PIPE_WIDTH = 150


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the calls as JSON.")
@click.option("--serve", is_flag=True, help="Serve the demo server over stdio instead.")
def command(*, as_json: bool, serve: bool) -> None:
    """See failures handled: rate limits, refusals, a write that times out.

    Starts a server in this process, calls its tools through the client, and shows
    what the server said, what the client did about it and why.
    """
    if serve:
        anyio.run(serve_stdio, demo_server())
    elif as_json:
        rows: list[Row] = []
        anyio.run(_run, rows.append, None)
        click.echo(json.dumps([attrs.asdict(row) for row in rows], indent=2))
    else:
        _show()


def _show() -> None:
    piped = not sys.stdout.isatty()
    console = Console(width=_PIPE_WIDTH if piped else None)
    screen = _Screen()
    if piped:
        anyio.run(_run, screen.add, None)
        console.print(screen.table())
    else:
        with Live(screen, console=console, refresh_per_second=8):
            anyio.run(_run, screen.add, screen)
    console.print(screen.summary())


async def _run(tell: Callable[[Row], None], observer: Observer | None) -> None:
    observers = () if observer is None else (observer,)
    async with MCPFusionClient(demo_server(), observers=observers) as client:
        async for row in play(client):
            tell(row)


class _Screen(Observer):
    """The table so far, and what is being waited for."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._now = ""

    def add(self, row: Row) -> None:
        self._rows.append(row)
        self._now = ""

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        self._now = f"{call.action}: waiting {attempt.delay or 0:.2f} s, then again"

    def summary(self) -> str:
        sent = sum(row.attempts for row in self._rows)
        unknown = [
            row.action
            for row in self._rows
            if row.reason == StopReason.UNKNOWN_OUTCOME_WRITE
        ]
        return (
            f"{sent} attempts for {len(self._rows)} calls. "
            f"Not repeated because the outcome is unknown: {', '.join(unknown)}."
        )

    def __rich__(self) -> Table:
        return self.table()

    def table(self) -> Table:
        table = Table(caption=self._now or None)
        for heading in ("call", "the server said", "category"):
            table.add_column(heading, overflow="fold")
        table.add_column("what the client did, and why", overflow="fold")
        table.add_column("tries", justify="right")
        table.add_column("waited", justify="right")
        table.add_column("next step", overflow="fold")
        for row in self._rows:
            table.add_row(*_cells(row))
        return table


def _cells(row: Row) -> tuple[Text, ...]:
    """Return plain text: what a server wrote is never read as markup."""
    style = "green" if row.ok else "red"
    return (
        Text(f"{row.title}\n{row.action}"),
        Text(row.said),
        Text(row.category or "-", style=style),
        Text(row.decision),
        Text(str(row.attempts)),
        Text(row.waited),
        Text(row.next_step),
    )
