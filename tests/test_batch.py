"""Several calls at once: order, limits, deadlines, and who ran."""

from typing import Any

import pytest

from mcpfusion_client import (
    BatchCall,
    BatchResult,
    CallBlockedError,
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    SideEffects,
    StateUnknownError,
    StopReason,
    ToolCall,
    ToolInfo,
    ToolResult,
    ValidationFailedError,
    block_when,
    tool_error,
)
from mcpfusion_client.middleware import Next
from mcpfusion_client.testing import (
    After,
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

INVALID = tool_error("VALIDATION_ERROR", "wrong")
TIMEOUT = tool_error("TIMEOUT", "who knows")
CALL: BatchCall = ("t", {})


def session(clock: VirtualClock, **scripts: list[ScriptedOutcome]) -> ScriptedSession:
    """Return a server with a script for each tool."""
    tools = [ToolInfo(name=name) for name in scripts]
    return ScriptedSession(by_tool=scripts, tools=tools, clock=clock)


async def test_results_come_in_the_order_of_the_calls(clock: VirtualClock) -> None:
    """Whatever order the answers come in."""
    server = session(clock, slow=[After(9, "a")], fast=[After(1, "b")])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [("slow", {}), ("fast", {})]
    )

    assert [result.text for result in batch.results] == ["a", "b"]
    assert batch.ok == ((0, batch.results[0]), (1, batch.results[1]))
    assert batch.failed == ()
    assert clock.monotonic() == 9.0


async def test_calls_have_several_forms(clock: VirtualClock) -> None:
    """Pairs, the mapping of the TypeScript client, and `ToolCall`s."""
    server = session(clock, t=["1", "2", "3", "4"])

    await MCPFusionClient(server, clock=clock).execute_batch(
        [
            ("t", {"n": 1}),
            ("t",),
            {"action": "t", "args": {"n": 3}},
            ToolCall(action="t", arguments={"n": 4}, meta={"m": 1}),
        ],
        sequential=True,
    )

    sent = [(call.arguments, call.meta) for call in server.calls]
    assert sent == [({"n": 1}, {}), ({}, {}), ({"n": 3}, {}), ({"n": 4}, {"m": 1})]


@pytest.mark.parametrize(
    "call",
    ["t", 1, None, ("t", {}, 3), (), (1, {}), {"args": {}}, {"action": "t", "x": 1}],
)
async def test_any_other_form_is_a_type_error(clock: VirtualClock, call: Any) -> None:
    """Nothing of the batch is sent then."""
    server = session(clock, t=[])

    with pytest.raises(TypeError):
        await MCPFusionClient(server, clock=clock).execute_batch([("t", {}), call])

    assert server.calls == []


async def test_a_tool_call_speaks_for_itself(clock: VirtualClock) -> None:
    """Wire name, effects and key of a `ToolCall` are used."""
    server = session(clock, wire=[TIMEOUT, "done"])
    seen: list[ToolCall] = []

    async def look(call: ToolCall, call_next: Next) -> ToolResult:
        seen.append(call)
        return await call_next(call)

    call = ToolCall(
        action="group.action",
        tool="wire",
        effects=Effects(idempotent=True),
        idempotency_key="k",
    )
    client = MCPFusionClient(server, clock=clock, middleware=[look])
    batch = await client.execute_batch([call])

    assert batch.results[0].stop_reason is StopReason.RETRIED
    assert (seen[0].action, seen[0].tool) == ("group.action", "wire")
    assert seen[0].idempotency_key == "k"


async def test_actions_are_routed(clock: VirtualClock) -> None:
    """A batch is many `execute`s."""
    server = session(clock, billing_get=["done"])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [("billing.get", {})]
    )

    assert (batch.results[0].text, server.calls[0].tool) == ("done", "billing_get")


@pytest.mark.parametrize(
    ("options", "most"),
    [({}, 5), ({"limit": 2}, 2), ({"limit": 9}, 5), ({"sequential": True}, 1)],
)
async def test_no_more_calls_run_at_a_time_than_allowed(
    clock: VirtualClock, options: dict[str, Any], most: int
) -> None:
    """All at once unless told otherwise."""
    running = 0
    peak = 0

    async def count(call: ToolCall, call_next: Next) -> ToolResult:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        result = await call_next(call)
        running -= 1
        return result

    server = session(clock, t=[After(1, "done")] * 5)
    client = MCPFusionClient(server, clock=clock, middleware=[count])
    batch = await client.execute_batch([CALL] * 5, **options)

    assert (peak, len(batch.ok)) == (most, 5)


@pytest.mark.parametrize("limit", [0, -1, 1.5, True])
async def test_an_impossible_limit_is_refused(clock: VirtualClock, limit: Any) -> None:
    """Told before anything is sent."""
    server = session(clock, t=[])

    with pytest.raises((TypeError, ValueError)):
        await MCPFusionClient(server, clock=clock).execute_batch(
            [("t", {})], limit=limit
        )

    assert server.calls == []


async def test_a_failure_leaves_the_other_calls_alone(clock: VirtualClock) -> None:
    """One failed part is no failed whole."""
    server = session(clock, good=["a", "b"], bad=[INVALID])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [("good", {}), ("bad", {}), ("good", {})]
    )

    assert [index for index, _ in batch.ok] == [0, 2]
    assert [index for index, _ in batch.failed] == [1]
    assert batch.results[1].error is not None
    assert batch.results[1].text == INVALID


async def test_after_an_error_no_call_is_started(clock: VirtualClock) -> None:
    """What runs finishes; the rest certainly did not run."""
    server = session(clock, t=[After(5, "done"), After(1, INVALID)])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [("t", {"n": n}) for n in range(4)], limit=2, stop_on_error=True
    )

    assert [index for index, _ in batch.ok] == [0]
    assert [index for index, _ in batch.failed] == [1, 2, 3]
    for _, result in batch.failed[1:]:
        assert result.error is not None
        assert result.error.category is ErrorCategory.CANCELLED
        assert result.error.execution is Execution.NOT_EXECUTED
    assert len(server.calls) == 2


async def test_the_deadline_is_for_the_whole_batch(clock: VirtualClock) -> None:
    """A running call is cut off, the others are not sent."""
    server = session(clock, t=[After(3, "done"), Hang()])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [CALL] * 3, sequential=True, deadline=10.0
    )

    assert clock.monotonic() == 10.0
    assert [index for index, _ in batch.ok] == [0]
    assert [index for index, _ in batch.maybe_executed] == [1]
    assert [index for index, _ in batch.not_executed] == [2]
    assert batch.results[2].stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_the_deadline_of_the_policy_still_holds_for_each_call(
    clock: VirtualClock,
) -> None:
    """The earlier of the two ends a call."""
    server = session(clock, t=[Hang(), After(1, "done")])
    client = MCPFusionClient(server, clock=clock, retry=RetryPolicy(deadline=5.0))

    batch = await client.execute_batch([CALL] * 2, sequential=True, deadline=60.0)

    assert [index for index, _ in batch.failed] == [0]
    assert clock.monotonic() == 6.0


async def test_retries_can_be_switched_off_for_a_batch(clock: VirtualClock) -> None:
    """Options of the batch are those of its calls."""
    busy = tool_error("SERVER_BUSY", "full")
    server = session(clock, t=[busy, busy])

    batch = await MCPFusionClient(server, clock=clock, gate=None).execute_batch(
        [CALL] * 2, retry=False
    )

    reasons = {result.stop_reason for result in batch.results}
    assert reasons == {StopReason.RETRY_DISABLED}


async def test_wrong_arguments_fail_their_own_call_only(clock: VirtualClock) -> None:
    """`execute_batch` never raises for a call."""
    server = session(clock, t=["done"])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [("t", {"n": float("nan")}), ("t", {"n": 1})]
    )

    error = batch.results[0].error
    assert error is not None
    assert error.execution is Execution.NOT_EXECUTED
    assert error.category is ErrorCategory.VALIDATION
    assert len(batch.ok) == 1
    with pytest.RaisesGroup(ValidationFailedError):
        batch.raise_for_errors()


async def test_a_refusal_is_a_result_of_its_call(clock: VirtualClock) -> None:
    """And it is still raised as what it is."""
    server = session(clock, good=["done"], bad=[])
    client = MCPFusionClient(server, clock=clock, rules=[block_when("bad")])

    batch = await client.execute_batch([("good", {}), ("bad", {})])

    assert [index for index, _ in batch.not_executed] == [1]
    with pytest.RaisesGroup(CallBlockedError):
        batch.raise_for_errors()


async def test_an_exception_of_middleware_belongs_to_its_call(
    clock: VirtualClock,
) -> None:
    """The other calls, writes perhaps, are not torn down with it."""
    server = session(clock, good=[After(1, "done")], bad=["done"])

    async def broken(call: ToolCall, call_next: Next) -> ToolResult:
        if call.tool == "bad":
            raise LookupError
        return await call_next(call)

    client = MCPFusionClient(server, clock=clock, middleware=[broken])
    batch = await client.execute_batch([("good", {}), ("bad", {})])

    assert [index for index, _ in batch.ok] == [0]
    assert [index for index, _ in batch.maybe_executed] == [1]
    with pytest.RaisesGroup(LookupError):
        batch.raise_for_errors()


async def test_every_error_is_in_the_group_in_order(clock: VirtualClock) -> None:
    """With the class and the story that a single call would have raised."""
    server = session(clock, a=[INVALID], b=[TIMEOUT], c=["done"])

    batch = await MCPFusionClient(server, clock=clock).execute_batch(
        [("a", {}), ("b", {}), ("c", {})]
    )

    with pytest.raises(ExceptionGroup) as caught:
        batch.raise_for_errors()
    errors = caught.value.exceptions
    assert [type(error) for error in errors] == [
        ValidationFailedError,
        StateUnknownError,
    ]
    assert all(isinstance(e, MCPFusionClientError) and e.attempts for e in errors)


async def test_a_batch_without_failures_raises_nothing(clock: VirtualClock) -> None:
    """An empty one neither."""
    server = session(clock, t=["done"])
    client = MCPFusionClient(server, clock=clock)

    (await client.execute_batch([("t", {})])).raise_for_errors()
    empty = await client.execute_batch([])

    empty.raise_for_errors()
    assert empty.results == ()


def failed(execution: Execution, effects: SideEffects | None = None) -> ToolResult:
    """Return a failed result."""
    error = ErrorInfo(message="", execution=execution, side_effects=effects)
    return ToolResult(is_error=True, error=error)


def test_the_account_says_who_ran() -> None:
    """Certainly not, perhaps, certainly; stated side effects speak louder."""
    batch = BatchResult(
        results=(
            ToolResult(),
            failed(Execution.NOT_EXECUTED),
            failed(Execution.NOT_EXECUTED, SideEffects.SOME),
            failed(Execution.NOT_EXECUTED, SideEffects.NONE),
            failed(Execution.UNKNOWN),
            failed(Execution.EXECUTED),
        )
    )

    assert [index for index, _ in batch.not_executed] == [1, 3]
    assert [index for index, _ in batch.maybe_executed] == [2, 4]
    assert [index for index, _ in batch.executed] == [0, 5]


def test_a_batch_made_by_hand_raises_too() -> None:
    """The error is then made from what the result says."""
    batch = BatchResult(results=(failed(Execution.UNKNOWN),))

    with pytest.RaisesGroup(MCPFusionClientError):
        batch.raise_for_errors()


async def test_cancelling_a_batch_cancels_its_calls(clock: VirtualClock) -> None:
    """At once, and nothing is left running."""
    ended: list[str] = []

    async def note(call: ToolCall, call_next: Next) -> ToolResult:
        try:
            return await call_next(call)
        finally:
            ended.append(call.tool)

    server = session(clock, a=[Hang()], b=[Hang()])
    client = MCPFusionClient(server, clock=clock, middleware=[note])
    with clock.timeout(3.0) as scope:
        await client.execute_batch([("a", {}), ("b", {})])

    assert scope.cancelled_caught
    assert sorted(ended) == ["a", "b"]
    assert clock.monotonic() == 3.0


async def test_calls_of_a_batch_share_the_gate(clock: VirtualClock) -> None:
    """When one is told to wait, those not yet sent wait too."""
    limited = tool_error("RATE_LIMITED", "too many", retry_after=7)

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        return limited if call.at < 7.0 else "done"

    server = session(clock, t=[answer] * 20)
    client = MCPFusionClient(server, clock=clock)

    batch = await client.execute_batch([("t", {"n": n}) for n in range(6)], limit=1)

    assert len(batch.ok) == 6
    assert sum(call.at < 7.0 for call in server.calls) == 1
