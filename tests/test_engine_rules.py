"""Rules beside each other: what one refuses, another one has heard of."""

import pytest

from mcpfusion_client import (
    Allow,
    ErrorCategory,
    ErrorInfo,
    EscalationRequiredError,
    MCPFusionClient,
    PermissionDeniedError,
    RepeatGuard,
    ToolCall,
    escalate_when,
    tool_error,
)
from mcpfusion_client.testing import ScriptedSession, VirtualClock


async def test_the_guard_remembers_a_failure_that_another_rule_has_escalated() -> None:
    """In whichever order they are given, the same call is not sent again."""
    forbidden = tool_error("FORBIDDEN", "not yours")
    escalate = escalate_when(category=ErrorCategory.PERMISSION)

    for rules in ([escalate, RepeatGuard()], [RepeatGuard(), escalate]):
        session = ScriptedSession([forbidden])
        client = MCPFusionClient(session, rules=rules, clock=VirtualClock())

        for _ in range(2):
            with pytest.raises(EscalationRequiredError):
                await client.call_tool("refund", {"id": 1})

        assert len(session.calls) == 1


async def test_the_guard_alone_lets_the_first_failure_be_what_it_is() -> None:
    """Only the second, identical call is escalated."""
    session = ScriptedSession([tool_error("FORBIDDEN", "not yours")])
    client = MCPFusionClient(session, rules=[RepeatGuard()], clock=VirtualClock())

    with pytest.raises(PermissionDeniedError):
        await client.call_tool("refund", {"id": 1})
    with pytest.raises(EscalationRequiredError):
        await client.call_tool("refund", {"id": 1})


async def test_a_later_rule_that_raises_is_logged_although_another_has_refused(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A rule that is broken would else stay broken unseen."""

    def broken(_call: ToolCall, failure: ErrorInfo | None) -> Allow:
        if failure is not None:
            raise LookupError
        return Allow()

    escalate = escalate_when(category=ErrorCategory.PERMISSION)
    session = ScriptedSession([tool_error("FORBIDDEN", "not yours")])
    client = MCPFusionClient(session, rules=[escalate, broken], clock=VirtualClock())

    with pytest.raises(EscalationRequiredError):
        await client.call_tool("refund", {"id": 1})

    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is LookupError
