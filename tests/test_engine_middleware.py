"""Middleware around every attempt."""

from collections.abc import Callable
from typing import Any, cast

import anyio
import attrs
import pytest

from mcpfusion_client import (
    ErrorInfo,
    MCPFusionClientError,
    StateUnknownError,
    StopReason,
    ToolCall,
    ToolResult,
)
from mcpfusion_client.middleware import Next
from mcpfusion_client.testing import (
    VirtualClock,
)
from tests.engine_stage import BUSY, DONE, INVALID, client, script


async def test_middleware_wraps_every_attempt_outermost_first(
    clock: VirtualClock,
) -> None:
    """The first in the list is the outermost."""
    order: list[str] = []

    def layer(name: str) -> Callable[[ToolCall, Next], Any]:
        async def run(call: ToolCall, call_next: Next) -> ToolResult:
            order.append(f"{name}{call.attempt}")
            result = await call_next(call)
            order.append(name.upper())
            return result

        return run

    session = script(BUSY, DONE, clock=clock)
    calls = client(session, clock, middleware=[layer("a"), layer("b")])
    await calls.call_tool("read")

    assert order == ["a1", "b1", "B", "A", "a2", "b2", "B", "A"]


async def test_middleware_sees_lost_connections_as_results(clock: VirtualClock) -> None:
    """It never has to catch what the engine will judge."""
    seen: list[ErrorInfo | None] = []

    async def look(call: ToolCall, call_next: Next) -> ToolResult:
        result = await call_next(call)
        seen.append(result.error)
        return result

    session = script(ConnectionResetError("reset"), DONE, clock=clock)
    await client(session, clock, middleware=[look]).call_tool("read")

    assert seen[0] is not None
    assert seen[0].code == "CONNECTION_LOST"
    assert seen[1] is None


async def test_an_exception_of_middleware_reaches_the_caller_unchanged(
    clock: VirtualClock,
) -> None:
    """It is a fault of the program, not of the call."""
    fault = LookupError("mine")

    async def broken(call: ToolCall, call_next: Next) -> ToolResult:
        raise fault

    calls = client(
        script(clock=clock), clock, middleware=[broken], raise_on_error=False
    )
    with pytest.raises(LookupError) as caught:
        await calls.call_tool("read")

    assert caught.value is fault


async def test_middleware_may_answer_itself(clock: VirtualClock) -> None:
    """A cache sends nothing."""

    async def cache(call: ToolCall, call_next: Next) -> ToolResult:
        return ToolResult(structured_content={"cached": True})

    session = script(clock=clock)
    result = await client(session, clock, middleware=[cache]).call_tool("read")

    assert (result.data, session.calls) == ({"cached": True}, [])
    assert len(result.attempts) == 1


async def test_middleware_may_change_the_call_and_the_result(
    clock: VirtualClock,
) -> None:
    """What it passes on is sent, what it returns is judged."""

    async def rewrite(call: ToolCall, call_next: Next) -> ToolResult:
        arguments = {**call.arguments, "tenant": "t1"}
        result = await call_next(attrs.evolve(call, arguments=arguments))
        return attrs.evolve(result, error=None, is_error=False, content=())

    session = script(INVALID, clock=clock)
    result = await client(session, clock, middleware=[rewrite]).call_tool(
        "write", {"id": 1}
    )

    assert session.calls[0].arguments == {"id": 1, "tenant": "t1"}
    assert (result.error, result.content) == (None, ())
    assert result.stop_reason is StopReason.FIRST_TRY


async def test_what_middleware_changes_does_not_reach_the_next_attempt(
    clock: VirtualClock,
) -> None:
    """Each attempt starts from the caller's arguments."""

    async def spoil(call: ToolCall, call_next: Next) -> ToolResult:
        call.arguments["ids"].append(2)
        return await call_next(call)

    session = script(BUSY, DONE, clock=clock)
    await client(session, clock, middleware=[spoil]).call_tool("read", {"ids": [1]})

    assert [call.arguments for call in session.calls] == [{"ids": [1, 2]}] * 2


async def test_middleware_that_returns_no_result_is_a_type_error(
    clock: VirtualClock,
) -> None:
    """A forgotten ``return`` is found at once."""

    async def forgetful(call: ToolCall, call_next: Next) -> ToolResult:
        await call_next(call)
        return cast("ToolResult", None)

    with pytest.raises(TypeError):
        await client(
            script(DONE, clock=clock), clock, middleware=[forgetful]
        ).call_tool("read")


async def test_middleware_that_hangs_is_cut_at_the_deadline(
    clock: VirtualClock,
) -> None:
    """Everything ends by the deadline, the caller's own code too."""

    async def hang(call: ToolCall, call_next: Next) -> ToolResult:
        await anyio.sleep_forever()
        return await call_next(call)

    with pytest.raises(StateUnknownError):
        await client(script(clock=clock), clock, middleware=[hang]).call_tool(
            "write", deadline=10.0
        )

    assert clock.monotonic() == pytest.approx(10.0, abs=0.1)


async def test_a_bare_error_mark_of_middleware_is_a_failure(
    clock: VirtualClock,
) -> None:
    """`is_error` without an error is not taken for a success."""

    async def odd(call: ToolCall, call_next: Next) -> ToolResult:
        return ToolResult(is_error=True, content=[{"type": "text", "text": "no"}])

    with pytest.raises(MCPFusionClientError) as caught:
        await client(script(clock=clock), clock, middleware=[odd]).call_tool("read")

    assert caught.value.message == "no"
