"""What the status of a running call says."""

import io

import anyio
from rich.console import Console

from mcpfusion_client.cli.status import CallStatus
from mcpfusion_client.clock import SystemClock
from mcpfusion_client.model import ToolCall, ToolResult


def test_a_tool_is_called_what_the_user_called_it() -> None:
    """The dotted action of get_current_time is a name the user never wrote."""
    screen = Console(file=io.StringIO(), width=80)
    status = CallStatus(
        screen, SystemClock(), tool="get_current_time", max_attempts=1, quiet=False
    )

    async def call_next(_: ToolCall) -> ToolResult:
        screen.print(status)
        return ToolResult()

    call = ToolCall(action="get.current_time", tool="get_current_time")
    anyio.run(status.attempt, call, call_next)

    assert isinstance(screen.file, io.StringIO)
    assert "calling get_current_time" in screen.file.getvalue()
