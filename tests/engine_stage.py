"""A scripted server with three tools, and a client without surprises."""

from typing import Unpack

from mcpfusion_client import (
    MCPFusionClient,
    RetryPolicy,
    ToolInfo,
    tool_error,
)
from mcpfusion_client.sync import ClientOptions
from mcpfusion_client.testing import (
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

READ = ToolInfo(name="read", annotations={"readOnlyHint": True})
WRITE = ToolInfo(name="write", annotations={"readOnlyHint": False})
PAY = ToolInfo(
    name="pay",
    annotations={"readOnlyHint": False},
    input_schema={"properties": {"idempotencyKey": {"type": "string"}}},
)
BUSY = tool_error("SERVER_BUSY", "come back later")
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=7)
TIMEOUT = tool_error("TIMEOUT", "no idea what happened")
INVALID = tool_error("VALIDATION_ERROR", "wrong")
DONE = "done"


def script(*outcomes: ScriptedOutcome, clock: VirtualClock) -> ScriptedSession:
    """Return a server with three tools."""
    return ScriptedSession(outcomes, tools=[READ, WRITE, PAY], clock=clock)


def client(
    session: ScriptedSession, time: VirtualClock, /, **options: Unpack[ClientOptions]
) -> MCPFusionClient:
    """Return a client without randomness that surprises."""
    options.setdefault("retry", RetryPolicy(jitter="none"))
    options["clock"] = time
    return MCPFusionClient(session, **options)
