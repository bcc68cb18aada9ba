"""Exit statuses and the one line a failed command leaves on standard error.

0 ok, 1 the tool failed, 2 usage, 3 blocked or escalated, 4 cannot connect,
130 interrupted (DESIGN.md section 2.4).
"""

import click

from mcpfusion_client.errors import (
    CallBlockedError,
    ConnectError,
    EscalationRequiredError,
    MCPFusionClientError,
)
from mcpfusion_client.model.text import one_line

TOOL_FAILED = 1
USAGE = 2
REFUSED = 3
CANNOT_CONNECT = 4
INTERRUPTED = 130


def exit_status(error: BaseException) -> int | None:
    """Return the status *error* stands for; None for a defect of this package."""
    if isinstance(error, (KeyboardInterrupt, click.exceptions.Abort)):
        return INTERRUPTED
    if isinstance(error, click.ClickException):
        return USAGE
    if isinstance(error, ConnectError):
        return CANNOT_CONNECT
    if isinstance(error, (CallBlockedError, EscalationRequiredError)):
        return REFUSED
    if isinstance(error, MCPFusionClientError):
        return TOOL_FAILED
    return None


def explain(error: BaseException) -> None:
    """Say in one line on standard error what stopped the command."""
    if isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, MCPFusionClientError):
        click.echo(f"mcpfusion: {error}", err=True)
    elif exit_status(error) == INTERRUPTED:
        click.echo("mcpfusion: interrupted", err=True)
    else:
        click.echo(f"mcpfusion: {one_line(str(error))}", err=True)
