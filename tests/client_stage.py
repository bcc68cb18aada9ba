"""A scripted server with a grouped and a flat tool."""

from typing import Any

from mcpfusion_client import (
    ToolInfo,
    tool_error,
)
from mcpfusion_client.testing import (
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

GROUPED = ToolInfo(
    name="billing",
    annotations={"readOnlyHint": False},
    input_schema={
        "properties": {"action": {"enum": ["get", "refund", "default"]}},
        "required": ["action"],
    },
)
FLAT = ToolInfo(name="crm_find", annotations={"readOnlyHint": True})
TIMEOUT = tool_error("TIMEOUT", "who knows")


class Listing(ScriptedSession):
    """A server that counts how often it is asked for its tools."""

    def __init__(self, *outcomes: ScriptedOutcome, **options: Any) -> None:
        super().__init__(outcomes, **options)
        self.listed = 0
        self.fault: Exception | None = None
        self.slow = 0.0

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Answer slowly, or not at all."""
        self.listed += 1
        await self._clock.sleep(self.slow)
        if self.fault is not None:
            raise self.fault
        return self.tools


def server(clock: VirtualClock, *outcomes: ScriptedOutcome) -> Listing:
    """Return a server with a grouped and a flat tool."""
    return Listing(*(outcomes or ["done"] * 9), tools=[GROUPED, FLAT], clock=clock)
