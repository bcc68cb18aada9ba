"""What rules see, and what they refuse."""

from typing import Any

import pytest

from mcpfusion_client import (
    CallBlockedError,
    ErrorCategory,
    ErrorInfo,
    EscalationRequiredError,
    Execution,
    StopReason,
    ToolCall,
    block_when,
    escalate_when,
)
from mcpfusion_client.retry import Allow, Answer
from mcpfusion_client.testing import (
    VirtualClock,
)
from tests.engine_stage import BUSY, DONE, client, script


async def test_a_rule_refuses_before_anything_is_sent(clock: VirtualClock) -> None:
    """Refusals raise also where failures are results."""
    session = script(clock=clock)
    calls = client(session, clock, rules=[block_when("wri*")], raise_on_error=False)

    with pytest.raises(CallBlockedError) as caught:
        await calls.call_tool("write")

    assert session.calls == []
    assert (caught.value.code, caught.value.attempts) == ("BLOCKED", ())
    assert caught.value.execution is Execution.NOT_EXECUTED


async def test_a_rule_sees_every_failure_before_it_is_repeated(
    clock: VirtualClock,
) -> None:
    """The example of the documents: a permission failure on refunds is escalated."""
    stated: dict[str, Any] = {
        "isError": True,
        "content": [],
        "structuredContent": {"errorCategory": "permission", "isRetryable": True},
    }
    rule = escalate_when("write", category=ErrorCategory.PERMISSION)
    session = script(stated, DONE, clock=clock)

    with pytest.raises(EscalationRequiredError) as caught:
        await client(session, clock, rules=[rule]).call_tool("write")

    assert len(session.calls) == 1
    assert caught.value.category is ErrorCategory.PERMISSION
    assert caught.value.stop_reason is StopReason.ESCALATED
    assert [each.reason for each in caught.value.attempts] == ["escalated"]


async def test_a_rule_that_raises_blocks_and_is_logged(
    clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Closed, not open."""

    def broken(call: ToolCall, failure: ErrorInfo | None) -> Answer:
        raise ZeroDivisionError

    with pytest.raises(CallBlockedError) as caught:
        await client(script(clock=clock), clock, rules=[broken]).call_tool("read")

    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caplog.records


async def test_a_rule_cannot_change_the_call(clock: VirtualClock) -> None:
    """It gets a copy of its own."""

    def spoil(call: ToolCall, failure: ErrorInfo | None) -> Answer:
        seen.append((call.action, call.attempt))
        call.arguments["ids"].append(2)
        return Allow()

    seen: list[tuple[str, int]] = []
    session = script(BUSY, DONE, clock=clock)

    await client(session, clock, rules=[spoil]).call_tool("read", {"ids": [1]})

    assert [call.arguments for call in session.calls] == [{"ids": [1]}] * 2
    assert seen == [("read", 1), ("read", 1)]


async def test_a_rule_that_learns_hears_of_success(clock: VirtualClock) -> None:
    """And what it raises then is logged and undoes nothing."""

    class Learner:
        def __call__(self, call: ToolCall, failure: ErrorInfo | None, /) -> Answer:
            return Allow()

        def succeeded(self, call: ToolCall, /) -> None:
            heard.append(call.tool)
            raise ZeroDivisionError

    heard: list[str] = []

    result = await client(
        script(DONE, clock=clock), clock, rules=[Learner()]
    ).call_tool("read")

    assert (result.text, heard) == (DONE, ["read"])
