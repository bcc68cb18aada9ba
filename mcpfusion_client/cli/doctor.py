"""``mcpfusion doctor``: at which step does a connection fail, and why?"""

import json
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final

import anyio
import click
from rich.console import Console
from rich.text import Text

from mcpfusion_client.cli.app import Settings
from mcpfusion_client.cli.console import console, is_live
from mcpfusion_client.cli.doctor_checkup import examine
from mcpfusion_client.cli.doctor_steps import (
    CONNECTING,
    NOT_REACHED,
    Diagnosis,
    Status,
    Step,
)
from mcpfusion_client.cli.exits import CANNOT_CONNECT, TOOL_FAILED
from mcpfusion_client.cli.targets import Target, takes_target
from mcpfusion_client.errors import ConnectError, MCPFusionClientError
from mcpfusion_client.model import JsonObject

_COLOURS: Final[Mapping[Status, str]] = {
    Status.OK: "green",
    Status.WARNING: "yellow",
    Status.FAILED: "red",
    Status.SKIPPED: "bright_black",
}
_STATUS_WIDTH: Final = max(len(status) for status in Status)
_NAME_WIDTH: Final = len("protocol_version")
_INDENT: Final = " " * (_STATUS_WIDTH + _NAME_WIDTH + 4)


@click.command()
@takes_target()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(*, target: Target, as_json: bool) -> int:
    """Connect step by step; say at which step it fails, why, and what to do.

    For a URL: DNS, TCP, TLS, HTTP, credentials. For a command: the program, its
    start, its standard output. Then the protocol version, the handshake, the list
    of tools, their schemas, annotations and names; at last the client itself.

    No tool is called. A command is started twice; its words may also stand after --.

    The exit status is 4 when there is no connection, 1 when there is one but
    something in the list of tools is broken, 0 otherwise, also with warnings.
    """
    with _progress(as_json=as_json) as on_step:
        diagnosis = anyio.run(examine, target, on_step)
    if as_json:
        click.echo(json.dumps(_as_json(diagnosis), indent=2))
    else:
        _show(diagnosis)
    if click.get_current_context().ensure_object(Settings).debug:
        _show_causes(diagnosis)
    return _status(diagnosis)


def _progress(*, as_json: bool) -> AbstractContextManager[Callable[[str], None]]:
    """Show on a terminal which step is being taken."""
    screen = console(stderr=True)
    if as_json or not is_live(screen):
        return nullcontext(_tell_nobody)
    return _Spinner(screen)


def _tell_nobody(_step: str) -> None:
    """Nobody watches."""


class _Spinner(AbstractContextManager[Callable[[str], None]]):
    """Says on standard error what is going on."""

    def __init__(self, screen: Console) -> None:
        self._status = screen.status("starting")

    def __enter__(self) -> Callable[[str], None]:
        self._status.start()
        return self._status.update

    def __exit__(self, *_: object) -> None:
        self._status.stop()


def _status(diagnosis: Diagnosis) -> int:
    failed = [step for step in diagnosis.steps if step.status is Status.FAILED]
    if any(_cuts_off(step) for step in failed):
        return CANNOT_CONNECT
    return TOOL_FAILED if failed else 0


def _cuts_off(step: Step) -> bool:
    """Is there no connection because of *step*?"""
    if step.name == "client" and isinstance(step.cause, MCPFusionClientError):
        return isinstance(step.cause, ConnectError)
    return step.name in CONNECTING


def _show(diagnosis: Diagnosis) -> None:
    # Long lines are the terminal's to wrap: a pipe gets them whole.
    screen = console()
    screen.soft_wrap = True
    screen.print(Text(diagnosis.target))
    for step in diagnosis.steps:
        if step.status is not Status.SKIPPED or step.message != NOT_REACHED:
            screen.print(_shown(step))
    screen.print(Text(_verdict(diagnosis)))


def _shown(step: Step) -> Text:
    """Return plain text: what a server wrote is never read as markup."""
    word = step.status.upper() if step.status is Status.FAILED else step.status.value
    lines = [f"  {step.name:<{_NAME_WIDTH}}  {step.message}"]
    lines += [f"{_INDENT}| {line}" for line in step.evidence]
    if step.fix:
        lines.append(f"{_INDENT}fix: {step.fix}")
    status = Text(f"{word:<{_STATUS_WIDTH}}", style=_COLOURS[step.status])
    return Text.assemble(status, "\n".join(lines))


def _verdict(diagnosis: Diagnosis) -> str:
    failed = diagnosis.failed
    warnings = sum(step.status is Status.WARNING for step in diagnosis.steps)
    more = "" if not warnings else f", {warnings} warning{'s' * (warnings != 1)}"
    if failed is None:
        return f"connected{more}"
    left = [step.name for step in diagnosis.steps if step.message == NOT_REACHED]
    unseen = f"; not reached: {', '.join(left)}" if left else ""
    return f"failed at {failed.name}{more}{unseen}"


def _as_json(diagnosis: Diagnosis) -> JsonObject:
    failed = diagnosis.failed
    return {
        "target": diagnosis.target,
        "transport": diagnosis.transport,
        "ok": failed is None,
        "failed_step": None if failed is None else failed.name,
        "server": diagnosis.server,
        "protocol_version": diagnosis.protocol_version,
        "tools": diagnosis.tools,
        "steps": [_step(step) for step in diagnosis.steps],
    }


def _step(step: Step) -> JsonObject:
    return {
        "step": step.name,
        "status": step.status.value,
        "message": step.message,
        "fix": step.fix,
        "evidence": list(step.evidence),
        "seconds": round(step.seconds, 3),
    }


def _show_causes(diagnosis: Diagnosis) -> None:
    for step in diagnosis.steps:
        if step.cause is not None:
            click.echo(f"\n{step.name}:", err=True)
            lines = traceback.format_exception(step.cause)
            click.echo("".join(lines), err=True)
