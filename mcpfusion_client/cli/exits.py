"""Exit statuses and the one line a failed command leaves on standard error.

0 ok, 1 the tool failed, 2 usage, 3 blocked or escalated, 4 cannot connect,
130 interrupted (DESIGN.md section 2.4).
"""

import click

from mcpfusion_client.cli.wording import message_of
from mcpfusion_client.errors import (
    CallBlockedError,
    ConnectError,
    EscalationRequiredError,
    MCPFusionClientError,
)
from mcpfusion_client.model import ErrorCode
from mcpfusion_client.model.text import one_line

TOOL_FAILED = 1
USAGE = 2
REFUSED = 3
CANNOT_CONNECT = 4
INTERRUPTED = 130

_MAX_LINE = 600


class CannotConnectError(Exception):
    """The server could not be reached or refused the handshake.

    Attributes:
        server: Its name, safe to show.
        failure: What the client made of it.
        hint: What the server left behind that explains it, one line, cleaned.
    """

    def __init__(
        self, server: str, failure: MCPFusionClientError, hint: str = ""
    ) -> None:
        super().__init__(server, failure, hint)
        self.server = server
        self.failure = failure
        self.hint = hint

    def __str__(self) -> str:
        """One line that is safe to print."""
        message = one_line(message_of(self.failure.info), _MAX_LINE)
        if self.failure.code != ErrorCode.CONNECT_FAILED:
            message = f"cannot connect to {self.server}: {message}"
        return f"{message}; {self.hint}" if self.hint else message


class InterruptedCallError(Exception):
    """Ctrl-C came while a call that may have done something was under way.

    Attributes:
        tool: What was called, as the user wrote it.
    """

    def __init__(self, tool: str) -> None:
        super().__init__(tool)
        self.tool = tool

    def __str__(self) -> str:
        """One line that is safe to print."""
        return (
            f"interrupted while {one_line(self.tool, 80)!r} was being called: it may "
            "have run; look whether it did before you call it again"
        )


def exit_status(error: BaseException) -> int | None:
    """Return the status *error* stands for; None for a defect of this package."""
    if isinstance(
        error, (KeyboardInterrupt, click.exceptions.Abort, InterruptedCallError)
    ):
        return INTERRUPTED
    if isinstance(error, (click.ClickException, OSError)):
        return USAGE
    if isinstance(error, (CannotConnectError, ConnectError)):
        return CANNOT_CONNECT
    if isinstance(error, (CallBlockedError, EscalationRequiredError)):
        return REFUSED
    if isinstance(error, MCPFusionClientError):
        return TOOL_FAILED
    return None


def explain(error: BaseException) -> None:
    """Say in one line on standard error what stopped the command."""
    if isinstance(error, click.ClickException):
        line = _wrong_use(error)
    elif isinstance(error, (KeyboardInterrupt, click.exceptions.Abort)):
        line = "interrupted"
    elif exit_status(error) is None:
        line = (
            f"{type(error).__name__}: {one_line(str(error))}: a defect of mcpfusion; "
            "please report what mcpfusion --debug shows"
        )
    else:
        line = str(error)
    click.echo(f"mcpfusion: {one_line(line, _MAX_LINE)}", err=True)


def _wrong_use(error: click.ClickException) -> str:
    """Return the message, and where the command's own help is."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = error.format_message().rstrip(".")
    if context is None:
        return message
    return f"{message} (see {context.command_path} --help)"
