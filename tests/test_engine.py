"""One call from start to finish, on a scripted session and a virtual clock."""

import logging
import math
from collections.abc import Callable
from typing import Any, Unpack, cast

import anyio
import attrs
import pytest

from mcpfusion_client import (
    AttemptTimeoutError,
    CallBlockedError,
    Effects,
    ErrorCategory,
    ErrorInfo,
    EscalationRequiredError,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    NextStep,
    RateLimitedError,
    RateLimitGate,
    RetryBudget,
    RetryPolicy,
    StateUnknownError,
    StopReason,
    ToolCall,
    ToolInfo,
    ToolResult,
    TransientError,
    block_when,
    escalate_when,
    tool_error,
)
from mcpfusion_client.engine import ATTEMPT_META, KEY_META
from mcpfusion_client.middleware import Next
from mcpfusion_client.planning import Retrying
from mcpfusion_client.retry import Allow, Answer
from mcpfusion_client.sync import ClientOptions
from mcpfusion_client.testing import (
    After,
    Hang,
    Progress,
    ScriptedCall,
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


@pytest.fixture
def clock() -> VirtualClock:
    """Time that passes only when everybody waits."""
    return VirtualClock()


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


async def test_a_success_is_one_attempt(clock: VirtualClock) -> None:
    """The successful attempt is on the record too."""
    session = script(After(0.5, DONE), clock=clock)

    result = await client(session, clock).call_tool("read", {"id": 1})

    (attempt,) = result.attempts
    assert (result.text, result.stop_reason) == (DONE, StopReason.FIRST_TRY)
    assert (attempt.number, attempt.duration, attempt.error) == (1, 0.5, None)
    assert (attempt.delay, attempt.reason) == (None, "first_try")
    assert attempt.started.tzinfo is not None


async def test_a_failure_is_repeated_until_it_succeeds(clock: VirtualClock) -> None:
    """The hint is waited for, the back-off follows, and every attempt is kept."""
    session = script(LIMITED, BUSY, DONE, clock=clock)

    result = await client(session, clock).call_tool("write", {"id": 1})

    assert result.stop_reason is StopReason.RETRIED
    assert clock.sleeps == [7.0, 1.0]
    assert [each.delay for each in result.attempts] == [7.0, 1.0, None]
    codes = [each.error and each.error.code for each in result.attempts]
    assert codes == ["RATE_LIMITED", "SERVER_BUSY", None]


async def test_what_is_given_up_on_is_raised_with_its_whole_story(
    clock: VirtualClock,
) -> None:
    """Class, tool, attempts, reason and the wire JSON are on the error."""
    session = script(*[LIMITED] * 4, clock=clock)

    with pytest.raises(RateLimitedError) as caught:
        await client(session, clock).call_tool("write")

    error = caught.value
    assert error.stop_reason is StopReason.ATTEMPTS_EXHAUSTED
    assert (error.tool, error.retry_after) == ("write", 7.0)
    assert [each.number for each in error.attempts] == [1, 2, 3, 4]
    assert error.raw is not None
    assert error.raw["isError"] is True


async def test_a_failure_can_be_a_result(clock: VirtualClock) -> None:
    """With `raise_on_error=False` the error is on the result, content and all."""
    session = script(INVALID, clock=clock)

    result = await client(session, clock, raise_on_error=False).call_tool("write")

    assert result.is_error
    assert result.error is not None
    assert result.error.category is ErrorCategory.VALIDATION
    assert result.text == INVALID
    assert result.stop_reason is StopReason.NOT_RETRYABLE


@pytest.mark.parametrize("outcome", [ConnectionResetError("reset"), Hang()])
async def test_a_lost_call_can_be_a_result(
    clock: VirtualClock, outcome: ScriptedOutcome
) -> None:
    """Connections and timers that fail give a result with empty content."""
    session = script(outcome, clock=clock)

    result = await client(session, clock).call_tool("write", raise_on_error=False)

    assert result.error is not None
    assert result.error.execution is Execution.UNKNOWN
    assert (result.content, result.raw) == ((), None)


async def test_the_exception_of_the_session_is_the_cause(clock: VirtualClock) -> None:
    """What the SDK raised is kept for whoever debugs it."""
    lost = ConnectionResetError("reset")

    with pytest.raises(StateUnknownError) as caught:
        await client(script(lost, clock=clock), clock).call_tool("write")

    assert caught.value.__cause__ is lost


@pytest.mark.parametrize(
    "outcome", [TIMEOUT, Hang(), ConnectionResetError("reset")], ids=str
)
async def test_a_write_with_unknown_outcome_is_never_sent_twice(
    clock: VirtualClock, outcome: ScriptedOutcome
) -> None:
    """It may have taken effect; the caller is told to look first."""
    session = script(outcome, DONE, clock=clock)

    with pytest.raises(StateUnknownError) as caught:
        await client(session, clock).call_tool("write")

    assert len(session.calls) == 1
    assert caught.value.stop_reason is StopReason.UNKNOWN_OUTCOME_WRITE
    assert caught.value.advice is NextStep.VERIFY_STATE
    assert caught.value.info.category is ErrorCategory.TRANSIENT


async def test_arguments_are_the_same_in_every_attempt(clock: VirtualClock) -> None:
    """Neither the caller nor the session can change what is sent later."""
    arguments = {"ids": [1], "note": {"text": "a"}}

    def spoil(call: ScriptedCall) -> ScriptedOutcome:
        sent.append(repr(call.arguments))
        call.arguments["ids"].append(99)
        call.arguments["note"]["text"] = "spoiled"
        arguments["ids"] = []
        return BUSY

    sent: list[str] = []
    session = script(*[spoil] * 3, clock=clock)

    with pytest.raises(TransientError):
        await client(session, clock, retry=RetryPolicy(max_attempts=3)).call_tool(
            "write", arguments
        )

    assert sent == ["{'ids': [1], 'note': {'text': 'a'}}"] * 3


async def test_the_attempt_number_is_sent_from_the_second_attempt_on(
    clock: VirtualClock,
) -> None:
    """A server can tell a repeat from a new call."""
    session = script(BUSY, BUSY, DONE, clock=clock)

    await client(session, clock).call_tool("read", meta={"trace": "t1"})

    assert [call.meta for call in session.calls] == [
        {"trace": "t1"},
        {"trace": "t1", ATTEMPT_META: 2},
        {"trace": "t1", ATTEMPT_META: 3},
    ]


async def test_a_declared_key_is_made_once_and_kept(clock: VirtualClock) -> None:
    """With it even a lost write may be repeated."""
    session = script(ConnectionResetError("reset"), DONE, clock=clock)

    result = await client(session, clock).call_tool("pay", {"amount": 5})

    keys = {call.arguments["idempotencyKey"] for call in session.calls}
    assert result.stop_reason is StopReason.RETRIED
    assert len(keys) == 1
    assert all(KEY_META not in call.meta for call in session.calls)


async def test_two_calls_never_share_a_made_key(clock: VirtualClock) -> None:
    """The same payment ordered twice is two payments."""
    session = script(DONE, DONE, clock=clock)
    calls = client(session, clock)

    await calls.call_tool("pay", {"amount": 5})
    await calls.call_tool("pay", {"amount": 5})

    keys = {call.arguments["idempotencyKey"] for call in session.calls}
    assert len(keys) == 2


async def test_no_key_is_made_for_a_tool_that_takes_none(clock: VirtualClock) -> None:
    """A key nobody reads would only look like protection."""
    session = script(DONE, clock=clock)

    await client(session, clock).call_tool("write")

    (call,) = session.calls
    assert (call.arguments, call.meta) == ({}, {})


async def test_a_key_no_argument_takes_goes_into_meta_and_protects_nothing(
    clock: VirtualClock,
) -> None:
    """The server may use it; nobody promised that it does."""
    session = script(ConnectionResetError("reset"), clock=clock)

    with pytest.raises(StateUnknownError):
        await client(session, clock).call_tool("write", idempotency_key="k-1")

    (call,) = session.calls
    assert call.meta == {KEY_META: "k-1"}
    assert call.arguments == {}


async def test_a_key_among_the_arguments_is_the_key(clock: VirtualClock) -> None:
    """The caller's own key is sent as it is."""
    session = script(BUSY, DONE, clock=clock)

    await client(session, clock).call_tool("pay", {"idempotencyKey": "mine"})

    assert [call.arguments for call in session.calls] == [
        {"idempotencyKey": "mine"}
    ] * 2


async def test_two_different_keys_are_refused(clock: VirtualClock) -> None:
    """Nobody could say which of them holds."""
    session = script(clock=clock)

    with pytest.raises(ValueError, match="idempotency_key"):
        await client(session, clock).call_tool(
            "pay", {"idempotencyKey": "a"}, idempotency_key="b"
        )

    assert session.calls == []


async def test_a_key_still_in_flight_is_waited_for(clock: VirtualClock) -> None:
    """The first request still runs; the same key gets its answer later."""
    in_flight = tool_error("IDEMPOTENCY_IN_FLIGHT", "still at it", retry_after=2)
    session = script(Hang(), in_flight, DONE, clock=clock)

    result = await client(session, clock, timeout=5.0).call_tool(
        "pay", idempotency_key="k-1"
    )

    assert result.stop_reason is StopReason.RETRIED
    assert {call.arguments["idempotencyKey"] for call in session.calls} == {"k-1"}


async def test_an_attempt_is_cut_off_by_its_timeout(clock: VirtualClock) -> None:
    """A read is sent again, and the last failure says which option to change."""
    session = script(Hang(), Hang(), clock=clock)
    policy = RetryPolicy(jitter="none", max_attempts=2)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client(session, clock, retry=policy, timeout=30.0).call_tool("read")

    assert [each.duration for each in caught.value.attempts] == [30.0, 30.0]
    assert clock.monotonic() == 60.5


@pytest.mark.parametrize(
    ("general", "own", "ends"), [(5.0, None, 5.0), (5.0, 8.0, 8.0), (None, 8.0, 8.0)]
)
async def test_the_timeout_of_a_call_beats_the_one_of_the_client(
    clock: VirtualClock, general: float | None, own: float | None, ends: float
) -> None:
    """None inherits."""
    session = script(Hang(), clock=clock)

    with pytest.raises(StateUnknownError):
        await client(session, clock, timeout=general).call_tool("write", timeout=own)

    assert clock.monotonic() == ends


async def test_infinity_lifts_the_timeout(clock: VirtualClock) -> None:
    """A call that takes a day can be waited for."""
    session = script(After(86_400.0, DONE), clock=clock)

    result = await client(session, clock).call_tool("write", timeout=math.inf)

    assert result.text == DONE


async def test_the_last_attempt_is_cut_to_the_deadline(clock: VirtualClock) -> None:
    """Everything ends by the deadline, the running attempt included."""
    session = script(LIMITED, Hang(), clock=clock)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client(session, clock).call_tool("read", deadline=10.0)

    assert clock.monotonic() == 10.0
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_a_wait_that_does_not_fit_the_deadline_fails_now(
    clock: VirtualClock,
) -> None:
    """Waiting for nothing helps nobody; the hint stays on the error."""
    session = script(LIMITED, clock=clock)

    with pytest.raises(RateLimitedError) as caught:
        await client(session, clock).call_tool("read", deadline=5.0)

    assert clock.monotonic() == 0.0
    assert caught.value.retry_after == 7.0
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_the_deadline_of_a_call_beats_the_one_of_the_policy(
    clock: VirtualClock,
) -> None:
    """``math.inf`` lifts it, None inherits it."""
    policy = RetryPolicy(jitter="none", deadline=5.0)
    session = script(LIMITED, LIMITED, DONE, clock=clock)
    calls = client(session, clock, retry=policy)

    with pytest.raises(RateLimitedError):
        await calls.call_tool("read")
    result = await calls.call_tool("read", deadline=math.inf)

    assert result.text == DONE


async def test_a_deadline_that_has_passed_sends_nothing(clock: VirtualClock) -> None:
    """Even the first attempt needs time; the call certainly did not run."""
    session = script(clock=clock)

    with pytest.raises(TransientError) as caught:
        await client(session, clock).call_tool("write", deadline=0.0)

    assert session.calls == []
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_progress_gives_an_attempt_its_time_again_up_to_the_deadline(
    clock: VirtualClock,
) -> None:
    """A tool that works on is not cut off, but everything ends by the deadline."""
    told: list[float] = []

    async def progress(value: float, total: float | None, text: str | None) -> None:
        told.append(value)

    def working(steps: int) -> ScriptedOutcome:
        outcome: ScriptedOutcome = DONE
        for step in range(steps):
            outcome = After(8.0, Progress(steps - step, outcome))
        return outcome

    session = script(working(4), working(9), clock=clock)
    calls = client(session, clock, timeout=10.0)

    result = await calls.call_tool("write", progress=progress)
    assert (result.text, told, clock.monotonic()) == (DONE, [1, 2, 3, 4], 32.0)
    with pytest.raises(StateUnknownError):
        await calls.call_tool("write", deadline=30.0)
    assert clock.monotonic() == 62.0


@pytest.mark.parametrize("retry", [False, RetryPolicy.off()])
async def test_one_call_can_do_without_retries(
    clock: VirtualClock, retry: Retrying
) -> None:
    """``retry=False`` and a policy that is off are the same."""
    session = script(BUSY, clock=clock)

    with pytest.raises(TransientError) as caught:
        await client(session, clock).call_tool("read", retry=retry)

    assert caught.value.stop_reason is StopReason.RETRY_DISABLED


async def test_policies_can_depend_on_the_tool(clock: VirtualClock) -> None:
    """Globs match the action or the wire name."""
    policies = RetryPolicy.for_tools({"wri*": RetryPolicy.off()})
    session = script(BUSY, BUSY, DONE, clock=clock)
    calls = client(session, clock, retry=policies)

    with pytest.raises(TransientError):
        await calls.call_tool("write")

    assert (await calls.call_tool("read")).text == DONE


async def test_the_word_of_the_caller_beats_annotations(clock: VirtualClock) -> None:
    """Effects by glob, and `idempotent=` for one call, in both directions."""
    session = script(TIMEOUT, DONE, TIMEOUT, TIMEOUT, DONE, clock=clock)
    calls = client(session, clock, effects={"rea*": Effects(read_only=False)})

    result = await calls.call_tool("write", idempotent=True)
    assert result.stop_reason is StopReason.RETRIED
    with pytest.raises(StateUnknownError):
        await calls.call_tool("read")
    again = await calls.call_tool("read", idempotent=True)
    assert again.stop_reason is StopReason.RETRIED


async def test_untrusted_annotations_permit_nothing(clock: VirtualClock) -> None:
    """A server that calls everything read-only gains nothing."""
    session = script(TIMEOUT, clock=clock)

    with pytest.raises(StateUnknownError):
        await client(session, clock, trust_annotations=False).call_tool("read")


async def test_a_warning_is_returned_logged_once_and_told(
    clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Advice on a success is no failure."""
    advice = tool_error("DEPRECATED", "use v2", severity="warning")
    told: list[str | None] = []

    class Listener:
        def on_warning(self, call: ToolCall, warning: ErrorInfo) -> None:
            told.append(warning.code)

    session = script(advice, clock=clock)
    with caplog.at_level(logging.WARNING, "mcpfusion_client"):
        result = await client(session, clock, observers=[Listener()]).call_tool("read")

    assert [each.code for each in result.warnings] == ["DEPRECATED"]
    assert (result.error, result.stop_reason) == (None, StopReason.FIRST_TRY)
    assert told == ["DEPRECATED"]
    assert len(caplog.records) == 1


async def test_a_named_warning_is_repeated(clock: VirtualClock) -> None:
    """Some servers answer "not yet" as a success."""
    advice = tool_error("HANDOFF_CONNECTING", "wait", severity="warning", retry_after=2)
    policy = RetryPolicy(jitter="none", retry_warning_codes=("HANDOFF_*",))
    session = script(advice, DONE, clock=clock)

    result = await client(session, clock, retry=policy).call_tool("write")

    assert (result.text, clock.sleeps) == (DONE, [2.0])
    first = result.attempts[0].error
    assert first is not None
    assert first.code == "HANDOFF_CONNECTING"


async def test_a_warning_that_cannot_be_repeated_is_still_a_success(
    clock: VirtualClock,
) -> None:
    """There was no room for a repeat; the answer that came is handed back."""
    advice = tool_error("HANDOFF_CONNECTING", "wait", severity="warning")
    policy = RetryPolicy(max_attempts=1, retry_warning_codes=("HANDOFF_*",))
    session = script(advice, clock=clock)

    result = await client(session, clock, retry=policy).call_tool("write")

    assert result.error is None
    assert result.stop_reason is StopReason.ATTEMPTS_EXHAUSTED


# Rules


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


# Middleware


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


# Gate and budget


async def test_one_rejection_holds_back_the_next_call(clock: VirtualClock) -> None:
    """It waits without using up an attempt, and observers hear of it."""
    held: list[float | None] = []

    class Listener:
        def on_gate(self, call: ToolCall, seconds: float | None) -> None:
            held.append(seconds)

    session = script(LIMITED, DONE, clock=clock)
    calls = client(session, clock, observers=[Listener()])
    with pytest.raises(RateLimitedError):
        await calls.call_tool("read", retry=False)

    result = await calls.call_tool("read")

    assert session.calls[1].at >= 7.0
    assert len(result.attempts) == 1
    assert len(held) == 1


async def test_a_gate_that_stays_closed_too_long_fails_the_call_unsent(
    clock: VirtualClock,
) -> None:
    """The failure that closed it is raised, with what is left of its hint."""
    session = script(LIMITED, clock=clock)
    calls = client(session, clock)
    with pytest.raises(RateLimitedError):
        await calls.call_tool("read", retry=False)
    await clock.sleep(1.0)

    with pytest.raises(RateLimitedError) as caught:
        await calls.call_tool("read", deadline=3.0)

    assert len(session.calls) == 1
    assert caught.value.stop_reason is StopReason.GATE_DEADLINE
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.retry_after == pytest.approx(6.0)
    assert caught.value.attempts == ()


async def test_clients_can_share_a_gate(clock: VirtualClock) -> None:
    """What one client of a server was told holds for the other."""
    gate = RateLimitGate()
    first, second = script(LIMITED, clock=clock), script(DONE, clock=clock)
    with pytest.raises(RateLimitedError):
        await client(first, clock, gate=gate).call_tool("read", retry=False)

    await client(second, clock, gate=gate).call_tool("read", retry=False, deadline=60)

    assert second.calls[0].at >= 7.0


async def test_without_a_gate_nothing_is_held_back(clock: VirtualClock) -> None:
    """``gate=None`` is none."""
    session = script(LIMITED, DONE, clock=clock)
    calls = client(session, clock, gate=None)
    with pytest.raises(RateLimitedError):
        await calls.call_tool("read", retry=False)

    await calls.call_tool("read")

    assert session.calls[1].at == 0.0


async def test_an_empty_budget_stops_retries_and_no_first_attempt(
    clock: VirtualClock,
) -> None:
    """Futile retries cost a token each."""
    budget = RetryBudget(capacity=1.0, refund=0.0)
    session = script(*[BUSY] * 2, BUSY, clock=clock)
    policy = RetryPolicy(max_attempts=2)
    calls = client(session, clock, budget=budget, retry=policy, gate=None)

    reasons: list[StopReason | None] = []
    for _ in range(2):
        with pytest.raises(TransientError) as caught:
            await calls.call_tool("read")
        reasons.append(caught.value.stop_reason)

    assert reasons == [StopReason.ATTEMPTS_EXHAUSTED, StopReason.BUDGET_EXHAUSTED]


async def test_a_retry_that_succeeds_costs_nothing(clock: VirtualClock) -> None:
    """Only futile retries drain the budget."""
    budget = RetryBudget(capacity=1.0, refund=0.0)
    session = script(*[BUSY, DONE] * 3, clock=clock)
    calls = client(session, clock, budget=budget)

    for _ in range(3):
        await calls.call_tool("read")

    assert budget.left("scripted") == 1.0


async def test_without_a_budget_retries_are_free(clock: VirtualClock) -> None:
    """``budget=None`` is none."""
    session = script(*[BUSY, BUSY, BUSY, DONE] * 40, clock=clock)
    calls = client(session, clock, budget=None, gate=None)

    for _ in range(40):
        await calls.call_tool("read")

    assert len(session.calls) == 160
