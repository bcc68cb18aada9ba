"""Spans and metrics, as a real OpenTelemetry SDK receives them."""

from typing import Any, cast

import anyio
import attrs
import pytest
from opentelemetry import baggage, context, propagate, trace
from opentelemetry.trace import SpanKind, StatusCode

from mcpfusion_client import (
    CallBlockedError,
    ErrorInfo,
    MCPFusionClient,
    MCPFusionClientError,
    Origin,
    RetryPolicy,
    SyncMCPFusionClient,
    ToolCall,
    ToolInfo,
    ToolResult,
    block_when,
    tool_error,
)
from mcpfusion_client._version import __version__
from mcpfusion_client.integrations.opentelemetry import OpenTelemetryObserver
from mcpfusion_client.testing import (
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)
from tests.integrations.telemetry import (
    BUSY,
    LIMITED,
    TOOL,
    Telemetry,
    attributes,
    client,
    events,
)

SECRET = "sk-live-abcdefghijklmnop1234"


def never(scope: anyio.CancelScope) -> ScriptedOutcome:
    """Return an outcome that never comes: whoever waits for it is cancelled."""

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        scope.cancel()
        return Hang()

    return answer


async def test_a_call_is_one_client_span_with_its_attempts_as_events(
    telemetry: Telemetry,
) -> None:
    """Every field: name, kind, status, scope, attributes and events."""
    await client(telemetry, LIMITED, BUSY, "done").call_tool("t")

    (span,) = telemetry.spans
    assert (span.name, span.kind) == ("tools/call t", SpanKind.CLIENT)
    assert (span.status.status_code, span.parent) == (StatusCode.UNSET, None)
    assert span.instrumentation_scope is not None
    assert span.instrumentation_scope.name == "mcpfusion_client"
    assert span.instrumentation_scope.version == __version__
    assert attributes(span) == {
        **TOOL,
        "mcpfusion.action": "t",
        "mcpfusion.attempts": 3,
        "mcpfusion.stop_reason": "retried",
    }
    failed = {"error.type": "tool_error", "mcpfusion.error.category": "rate_limited"}
    assert events(span) == [
        (
            "mcpfusion.attempt",
            {
                **failed,
                "mcpfusion.attempt.number": 1,
                "mcpfusion.attempt.duration": 0.0,
                "mcpfusion.attempt.delay": 7.0,
                "mcpfusion.attempt.reason": "rejected",
                "mcpfusion.error.code": "RATE_LIMITED",
            },
        ),
        (
            "mcpfusion.attempt",
            {
                "error.type": "tool_error",
                "mcpfusion.error.category": "transient",
                "mcpfusion.attempt.number": 2,
                "mcpfusion.attempt.duration": 0.0,
                "mcpfusion.attempt.delay": 1.0,
                "mcpfusion.attempt.reason": "rejected",
                "mcpfusion.error.code": "SERVER_BUSY",
            },
        ),
        (
            "mcpfusion.attempt",
            {
                "mcpfusion.attempt.number": 3,
                "mcpfusion.attempt.duration": 0.0,
                "mcpfusion.attempt.reason": "retried",
            },
        ),
    ]


async def test_a_failed_call_is_an_error_in_the_words_of_the_conventions(
    telemetry: Telemetry,
) -> None:
    """``tool_error`` for a result; what the tool said stays out of it."""
    with pytest.raises(MCPFusionClientError):
        await client(telemetry, BUSY, BUSY, BUSY).call_tool("t")

    (span,) = telemetry.spans
    assert span.status.status_code is StatusCode.ERROR
    assert span.status.description == "SERVER_BUSY (transient)"
    assert attributes(span) == {
        **TOOL,
        "error.type": "tool_error",
        "mcpfusion.action": "t",
        "mcpfusion.attempts": 3,
        "mcpfusion.error.category": "transient",
        "mcpfusion.error.code": "SERVER_BUSY",
        "mcpfusion.execution": "not_executed",
        "mcpfusion.stop_reason": "attempts_exhausted",
    }


def _protocol(code: int) -> ErrorInfo:
    return ErrorInfo(message="bad params", code=str(code), origin=Origin.PROTOCOL)


@pytest.mark.parametrize(
    ("outcome", "kind", "rpc", "description"),
    [
        (
            MCPFusionClientError(_protocol(-32602)),
            "-32602",
            "-32602",
            "bad params",
        ),
        (Hang(), "timeout", None, "TIMEOUT (transient)"),
        (ConnectionResetError("reset"), "connection_lost", None, None),
        (tool_error("WEIRD_CODE_OF_A_TOOL", "no"), "tool_error", None, None),
    ],
)
async def test_the_type_of_an_error_is_one_of_a_closed_set(
    telemetry: Telemetry,
    outcome: ScriptedOutcome,
    kind: str,
    rpc: str | None,
    description: str | None,
) -> None:
    """JSON-RPC codes as they are; no token that a tool made up."""
    calls = client(telemetry, outcome)

    await calls.call_tool("t", retry=False, timeout=5.0, raise_on_error=False)

    (span,) = telemetry.spans
    told = attributes(span)
    assert told["error.type"] == kind
    assert told.get("rpc.response.status_code") == rpc
    if description is not None:
        assert span.status.description == description


async def test_a_hold_and_a_warning_are_events(telemetry: Telemetry) -> None:
    """What explains a slow call, and what came with a success."""
    warning = tool_error("DEPRECATED", "old", severity="warning")
    calls = client(telemetry, LIMITED, warning)
    with pytest.raises(MCPFusionClientError):
        await calls.call_tool("t", retry=False)

    await calls.call_tool("t")

    held, warned, _ = events(telemetry.spans[1])
    assert held[0] == "mcpfusion.gate.hold"
    assert 7.0 <= held[1]["mcpfusion.gate.seconds"] < 14.0
    assert warned[0] == "mcpfusion.warning"
    assert warned[1]["mcpfusion.error.code"] == "DEPRECATED"


async def test_a_success_that_is_repeated_for_its_warning_is_no_failed_request(
    telemetry: Telemetry,
) -> None:
    """The retry is counted under the category of the warning, no error is."""
    stale = tool_error("STALE", "from a cache", severity="warning")
    calls = client(telemetry, stale, "fresh")

    policy = RetryPolicy(retry_warning_codes={"STALE"}, unannotated="assume_safe")
    await calls.call_tool("t", retry=policy)

    (span,) = telemetry.spans
    attempts = [told for name, told in events(span) if name == "mcpfusion.attempt"]
    assert [told.get("error.type") for told in attempts] == [None, None]
    assert attempts[0]["mcpfusion.error.code"] == "STALE"
    durations = telemetry.points("mcp.client.operation.duration")
    assert [dict(point.attributes) for point in durations] == [TOOL]


async def test_a_refused_call_is_a_span_without_attempts(telemetry: Telemetry) -> None:
    """A rule's refusal is no request, so no operation is measured."""
    calls = client(telemetry, rules=[block_when("forbidden", reason="not here")])

    with pytest.raises(CallBlockedError):
        await calls.call_tool("forbidden")

    (span,) = telemetry.spans
    told = attributes(span)
    assert (told["error.type"], told["mcpfusion.stop_reason"]) == ("blocked", "blocked")
    assert (told["mcpfusion.attempts"], events(span)) == (0, [])
    assert telemetry.points("mcp.client.operation.duration") == []


async def test_a_cancelled_call_ends_its_span(telemetry: Telemetry) -> None:
    """And the span before it is the current one again."""
    with telemetry.tracer.start_as_current_span("agent") as agent:
        with anyio.CancelScope() as scope:
            await client(telemetry, never(scope)).call_tool("t", timeout=float("inf"))
        assert trace.get_current_span() is agent

    call, _ = telemetry.spans
    assert call.status.status_code is StatusCode.ERROR
    assert attributes(call)["error.type"] == "cancelled"


async def test_an_exception_of_middleware_ends_the_span_under_its_name(
    telemetry: Telemetry,
) -> None:
    """Its message may hold anything, so only its type is told."""

    async def broken(call: ToolCall, call_next: Any) -> ToolResult:
        raise LookupError(SECRET)

    with pytest.raises(LookupError):
        await client(telemetry, middleware=[broken]).call_tool("t")

    (span,) = telemetry.spans
    assert attributes(span)["error.type"] == "LookupError"
    assert SECRET not in span.to_json()


async def test_calls_of_a_batch_are_children_of_the_span_around_it(
    telemetry: Telemetry,
) -> None:
    """None of them is the child of another, whichever task carried it out."""
    calls = client(telemetry, *["done"] * 12)

    with telemetry.tracer.start_as_current_span("agent") as agent:
        await calls.execute_batch([("t",)] * 6)
        await calls.execute_batch([("t",)] * 4, sequential=True)
        await calls.execute_batch([("t",)] * 2, limit=1)

    *children, _ = telemetry.spans
    assert len(children) == 12
    assert {child.parent and child.parent.span_id for child in children} == {
        agent.get_span_context().span_id
    }


async def test_what_middleware_records_is_part_of_the_call(
    telemetry: Telemetry,
) -> None:
    """The span of the call is the current one while it runs."""

    async def recording(call: ToolCall, call_next: Any) -> ToolResult:
        trace.get_current_span().set_attribute("mine", call.attempt)
        with telemetry.tracer.start_as_current_span("inside"):
            result: ToolResult = await call_next(call)
            return result

    await client(telemetry, "done", middleware=[recording]).call_tool("t")

    inside, call = telemetry.spans
    around = call.get_span_context()
    assert inside.parent is not None
    assert around is not None
    assert inside.parent.span_id == around.span_id
    assert attributes(call)["mine"] == 1


async def test_the_context_goes_along_in_meta_beside_what_the_caller_sends(
    telemetry: Telemetry,
) -> None:
    """As SEP-414 has it: ``traceparent`` and ``baggage``, without a prefix."""
    session = ScriptedSession([BUSY, "done", "done"], tools=[ToolInfo(name="t")])
    calls = MCPFusionClient(
        session, clock=VirtualClock(), observers=[telemetry.observer]
    )
    token = context.attach(baggage.set_baggage("user", "alice"))
    try:
        await calls.call_tool("t", meta={"mine": 1})
        await calls.call_tool("t", meta={"traceparent": "the caller's own"})
    finally:
        context.detach(token)

    first, again, own = (dict(call.meta) for call in session.calls)
    span = telemetry.spans[0].get_span_context()
    assert span is not None
    for meta in (first, again):
        carried = trace.get_current_span(propagate.extract(meta)).get_span_context()
        assert (carried.trace_id, carried.span_id) == (span.trace_id, span.span_id)
        assert (meta["mine"], meta["baggage"]) == (1, "user=alice")
    assert own["traceparent"] == "the caller's own"


async def test_a_trace_that_came_from_elsewhere_goes_on_with_its_state(
    telemetry: Telemetry,
) -> None:
    """``tracestate`` is handed on as it came, and the trace keeps its id."""
    incoming = {
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "tracestate": "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
    }
    session = ScriptedSession(["done"], tools=[ToolInfo(name="t")])
    token = context.attach(propagate.extract(incoming))
    try:
        await MCPFusionClient(session, observers=[telemetry.observer]).call_tool("t")
    finally:
        context.detach(token)

    (call,) = session.calls
    (span,) = telemetry.spans
    assert span.parent is not None
    assert f"{span.parent.span_id:016x}" == "00f067aa0ba902b7"
    assert call.meta["tracestate"] == incoming["tracestate"]
    assert (
        call.meta["traceparent"].split("-")[1] == incoming["traceparent"].split("-")[1]
    )


async def test_nothing_a_tool_was_given_or_said_is_recorded(
    telemetry: Telemetry,
) -> None:
    """Arguments, keys, meta, results, messages, recovery and details stay out."""
    leaky = tool_error(
        "SERVER_BUSY",
        f"password={SECRET}",
        recovery=SECRET,
        details={"token": SECRET},
    )
    rpc = MCPFusionClientError(
        attrs.evolve(_protocol(-32000), message=f"Bearer {SECRET}\x1b[31m\nx")
    )
    calls = client(telemetry, leaky, SECRET, rpc)

    await calls.call_tool(
        "t", {"password": SECRET}, idempotency_key=SECRET, meta={"token": SECRET}
    )
    await calls.call_tool("t", {"password": SECRET}, retry=False, raise_on_error=False)

    assert len(telemetry.spans) == 2
    for span in telemetry.spans:
        assert SECRET not in span.to_json()
        assert "\x1b" not in (span.status.description or "")
    told: Any = telemetry.reader.get_metrics_data()
    assert SECRET not in told.to_json()


async def test_without_providers_nothing_happens() -> None:
    """A library may observe always; the program decides whether it is recorded."""
    session = ScriptedSession(["done"], tools=[ToolInfo(name="t")])
    calls = MCPFusionClient(session, observers=[OpenTelemetryObserver()])

    result = await calls.call_tool("t")

    assert result.text == "done"
    assert session.calls[0].meta == {}


def test_a_call_in_the_thread_of_a_sync_client_is_a_child_of_its_callers_span(
    telemetry: Telemetry,
) -> None:
    """The context of the waiting thread goes along."""
    session = ScriptedSession(["done"], tools=[ToolInfo(name="t")])

    with (
        SyncMCPFusionClient(session, observers=[telemetry.observer]) as calls,
        telemetry.tracer.start_as_current_span("script") as script,
    ):
        calls.call_tool("t")

    call, _ = telemetry.spans
    parent = cast("Any", call.parent)
    assert parent.span_id == script.get_span_context().span_id
