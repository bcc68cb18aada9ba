"""Observers hear of every step and can change none."""

import logging
from typing import Any

import anyio
import attrs
import pytest

from mcpfusion_client import (
    Attempt,
    CallBlockedError,
    ErrorInfo,
    LoggingObserver,
    MCPFusionClient,
    MCPFusionClientError,
    Observer,
    Peer,
    RetryPolicy,
    StopReason,
    ToolCall,
    ToolInfo,
    block_when,
    tool_error,
)
from mcpfusion_client.observers import EVENTS, Audience
from mcpfusion_client.testing import (
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

BUSY = tool_error("SERVER_BUSY", "full")
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=7)
SECRET = "sk-live-abcdefghijklmnop1234"


@attrs.define
class Recorder(Observer):
    """Writes down every event."""

    events: list[tuple[str, Any]] = attrs.field(factory=list[tuple[str, Any]])

    def on_attempt(self, call: ToolCall, attempt: Attempt) -> None:
        """Note number and reason."""
        self.events.append(("attempt", (attempt.number, attempt.reason)))

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        """Note number, wait and code."""
        assert attempt.error is not None
        facts = attempt.number, attempt.delay, attempt.error.code
        self.events.append(("retry", facts))

    def on_stop(
        self,
        call: ToolCall,
        attempts: tuple[Attempt, ...],
        reason: StopReason,
        error: ErrorInfo | None,
    ) -> None:
        """Note the number of attempts, reason and code."""
        code = error and error.code
        self.events.append(("stop", (len(attempts), reason.value, code)))

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:
        """Note that a call is held."""
        self.events.append(("gate", call.tool))

    def on_block(
        self, call: ToolCall, reason: StopReason, why: str, error: ErrorInfo | None
    ) -> None:
        """Note why."""
        self.events.append(("block", (reason.value, why)))

    def on_warning(self, call: ToolCall, warning: ErrorInfo) -> None:
        """Note the code."""
        self.events.append(("warning", warning.code))


def client(
    *outcomes: ScriptedOutcome, observers: list[object], rules: Any = ()
) -> MCPFusionClient:
    """Return a client whose server plays *outcomes*."""
    clock = VirtualClock()
    tools = [ToolInfo(name="t"), ToolInfo(name="forbidden")]
    return MCPFusionClient(
        ScriptedSession(outcomes, tools=tools, clock=clock),
        clock=clock,
        retry=RetryPolicy(jitter="none", max_attempts=3),
        observers=observers,
        rules=rules,
    )


def never(scope: anyio.CancelScope) -> ScriptedOutcome:
    """Return an outcome that never comes: whoever waits for it is cancelled."""

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        scope.cancel()
        return Hang()

    return answer


async def test_every_step_is_told_in_its_order() -> None:
    """A wait is told before it is waited."""
    recorder = Recorder()

    await client(LIMITED, BUSY, "done", observers=[recorder]).call_tool("t")

    assert recorder.events == [
        ("attempt", (1, "rejected")),
        ("retry", (1, 7.0, "RATE_LIMITED")),
        ("attempt", (2, "rejected")),
        ("retry", (2, 1.0, "SERVER_BUSY")),
        ("attempt", (3, "retried")),
        ("stop", (3, "retried", None)),
    ]


async def test_the_end_of_a_failed_call_is_told_with_its_error() -> None:
    """`on_stop` comes last, whatever the end."""
    recorder = Recorder()

    with pytest.raises(MCPFusionClientError):
        await client(BUSY, BUSY, BUSY, observers=[recorder]).call_tool("t")

    assert recorder.events[-1] == ("stop", (3, "attempts_exhausted", "SERVER_BUSY"))


async def test_a_refusal_is_told_with_the_words_of_the_rule() -> None:
    """No attempt is told, for there was none."""
    recorder = Recorder()
    rules = [block_when("forbidden", reason="not here")]

    with pytest.raises(CallBlockedError):
        await client(observers=[recorder], rules=rules).call_tool("forbidden")

    assert recorder.events == [
        ("block", ("blocked", "not here")),
        ("stop", (0, "blocked", "BLOCKED")),
    ]


async def test_holding_a_call_back_is_told() -> None:
    """Once for a wait, however often the gate is asked."""
    recorder = Recorder()
    calls = client(LIMITED, "done", observers=[recorder])
    with pytest.raises(MCPFusionClientError):
        await calls.call_tool("t", retry=False)

    await calls.call_tool("t")

    assert recorder.events.count(("gate", "t")) == 1


@pytest.mark.parametrize("event", EVENTS)
async def test_an_observer_that_raises_is_logged_and_ignored(
    event: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it raises at; the next observer is told all the same."""

    def fault(*facts: object) -> None:
        raise ZeroDivisionError

    broken = type("Broken", (), {event: staticmethod(fault)})()
    recorder = Recorder()
    warning = tool_error("DEPRECATED", "old", severity="warning")

    calls = client(LIMITED, warning, observers=[broken, recorder])
    result = await calls.call_tool("t")

    assert result.stop_reason is StopReason.RETRIED
    assert recorder.events[-1][0] == "stop"


async def test_an_observer_may_have_some_methods_only() -> None:
    """Most listen to one thing."""
    heard: list[str] = []

    class Partial:
        def on_stop(self, call: ToolCall, *facts: object) -> None:
            heard.append(call.tool)

    await client(BUSY, "done", observers=[Partial()]).call_tool("t")

    assert heard == ["t"]


def test_what_listens_to_nothing_is_refused() -> None:
    """A typo would otherwise go unnoticed."""
    with pytest.raises(TypeError):
        Audience([object()])


async def test_the_logging_observer_writes_facts_and_no_secrets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Structured extras; neither arguments nor keys, and texts only redacted."""
    leaky = tool_error(
        "SERVER_BUSY", f"Authorization: Bearer {SECRET}\x1b[31m\nsecond line"
    )
    calls = client(leaky, "done", observers=[LoggingObserver()])

    with caplog.at_level(logging.DEBUG, "mcpfusion_client.calls"):
        await calls.call_tool(
            "t", {"password": SECRET}, idempotency_key=SECRET, meta={"token": SECRET}
        )

    levels = [record.levelname for record in caplog.records]
    assert levels == ["DEBUG", "DEBUG", "DEBUG", "INFO", "DEBUG", "DEBUG"]
    listed, *steps = caplog.records
    assert vars(listed)["mcpfusion_tools"] == 2
    for record in caplog.records:
        assert SECRET not in record.getMessage() + repr(vars(record))
        assert record.getMessage().isprintable()
    for record in steps:
        facts = vars(record)
        assert (facts["mcpfusion_tool"], facts["mcpfusion_call"]) == ("t", 1)


async def test_the_lines_of_a_call_read_as_its_story(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Who, what, how long, and what follows."""
    calls = client(LIMITED, BUSY, LIMITED, observers=[LoggingObserver()])

    with (
        caplog.at_level(logging.INFO, "mcpfusion_client.calls"),
        pytest.raises(MCPFusionClientError),
    ):
        await calls.call_tool("t")

    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("INFO", "t #1: attempt 1 failed with RATE_LIMITED, next one in 7.000 s"),
        ("INFO", "t #1: attempt 2 failed with SERVER_BUSY, next one in 1.000 s"),
        (
            "WARNING",
            (
                "t #1: RATE_LIMITED (rate_limited) after 3 attempts "
                "(attempts_exhausted): too many"
            ),
        ),
    ]


async def test_side_by_side_calls_can_be_told_apart_in_a_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each has a number, which its lines share."""
    calls = client(*["done"] * 3, observers=[LoggingObserver()])

    with caplog.at_level(logging.DEBUG, "mcpfusion_client.calls"):
        await calls.execute_batch([("t",)] * 3)

    told = [vars(record).get("mcpfusion_call") for record in caplog.records]
    assert sorted(number for number in told if number) == [1, 1, 1, 2, 2, 2, 3, 3, 3]


async def test_a_cancelled_call_is_logged_without_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody failed; somebody stopped waiting."""
    scope = anyio.CancelScope()
    calls = client(never(scope), observers=[LoggingObserver()])

    with caplog.at_level(logging.INFO, "mcpfusion_client.calls"), scope:
        await calls.call_tool("t", timeout=float("inf"))

    (record,) = caplog.records
    assert record.levelno == logging.INFO
    assert vars(record)["mcpfusion_raised"] in {"CancelledError", "Cancelled"}


async def test_a_hostile_name_is_cleaned_before_it_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A name comes from a model or a server, and may try to forge a line."""
    calls = client("done", observers=[LoggingObserver()])
    forged = "t\r\nERROR forged\x1b[31m password=hunter22 " + "x" * 10_000

    with caplog.at_level(logging.DEBUG, "mcpfusion_client.calls"):
        await calls.call_tool(forged)

    for record in caplog.records:
        assert record.getMessage().isprintable()
        everything = repr(vars(record))
        assert "\\x1b" not in everything
        assert "hunter22" not in everything
        assert len(record.getMessage()) < 300


async def test_the_logging_observer_can_have_a_logger_of_its_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Programs have their own names for loggers."""
    logger = logging.getLogger("my.program")
    calls = client(
        BUSY, BUSY, BUSY, observers=[LoggingObserver(logger)], rules=[block_when("f*")]
    )

    with caplog.at_level(logging.INFO, "my.program"):
        with pytest.raises(MCPFusionClientError):
            await calls.call_tool("t")
        with pytest.raises(CallBlockedError):
            await calls.call_tool("forbidden")

    assert {record.name for record in caplog.records} == {"my.program"}
    stops = [vars(record).get("mcpfusion_stop") for record in caplog.records]
    assert stops == [None, None, "attempts_exhausted", "blocked", "blocked"]


async def test_what_happens_to_the_connection_is_logged_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A reopened session explains a slow call."""
    audience = Audience([LoggingObserver()])

    with caplog.at_level(logging.INFO, "mcpfusion_client.calls"):
        audience.tell("on_session", "https://example.com/mcp", "reopened", "died")
        audience.tell("on_gate", ToolCall(action="t"), None)

        audience.tell("on_session", "stdio:x", "lost", "EndOfStream\x1b[31m")

    reopened, held, lost = caplog.records
    assert vars(reopened)["mcpfusion_session"] == "reopened"
    assert vars(held)["mcpfusion_gate"] is None
    assert lost.levelno == logging.WARNING
    assert lost.getMessage().isprintable()


async def test_a_call_is_told_from_its_start_to_its_end() -> None:
    """The same call object comes with every event; the server is named."""
    told: list[tuple[str, object]] = []
    calls_seen: set[int] = set()

    class Whole:
        def on_start(self, call: ToolCall, peer: Peer) -> None:
            calls_seen.add(id(call))
            told.append(("start", peer))

        def on_stop(self, call: ToolCall, *facts: object) -> None:
            calls_seen.add(id(call))
            told.append(("stop", call.tool))

        def on_abort(self, call: ToolCall, *facts: object) -> None:
            told.append(("abort", facts))

    await client("done", observers=[Whole()]).call_tool("t")

    assert told == [("start", Peer(server="scripted")), ("stop", "t")]
    assert len(calls_seen) == 1


async def test_a_call_that_is_cancelled_is_told_as_aborted() -> None:
    """With the attempts that had ended; `on_stop` does not come."""
    told: list[tuple[str, int]] = []

    class Ends:
        def on_stop(self, call: ToolCall, *facts: object) -> None:
            told.append(("stop", 0))

        def on_abort(
            self, call: ToolCall, attempts: tuple[Attempt, ...], raised: BaseException
        ) -> None:
            told.append((type(raised).__name__, len(attempts)))

    scope = anyio.CancelScope()
    calls = client(BUSY, never(scope), observers=[Ends()])
    with scope:
        await calls.call_tool("t", timeout=float("inf"))

    assert told in ([("CancelledError", 1)], [("Cancelled", 1)])


async def test_a_trace_context_goes_along_in_every_attempt() -> None:
    """The first observer has its say, and the caller's own `_meta` before it."""

    class Carrier:
        def __init__(self, **pairs: str) -> None:
            self.pairs = pairs

        def trace_context(self, call: ToolCall) -> dict[str, str]:
            return self.pairs

    class Broken:
        def trace_context(self, call: ToolCall) -> dict[str, str]:
            raise ZeroDivisionError

        def on_stop(self, *facts: object) -> None:
            """An observer needs an event to hear of."""

    class Mute(Carrier, Observer):
        pass

    session = ScriptedSession([BUSY, "done"], tools=[ToolInfo(name="t")])
    calls = MCPFusionClient(
        session,
        clock=VirtualClock(),
        observers=[Broken(), Mute(a="1", b="1"), Mute(b="2", c="2")],
    )

    await calls.call_tool("t", meta={"c": "mine"})

    first, second = (dict(call.meta) for call in session.calls)
    assert first == {"a": "1", "b": "1", "c": "mine"}
    assert second == first | {"mcpfusion/attempt": 2}
