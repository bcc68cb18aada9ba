"""The tools for users' tests: a scripted target and clocks that do not wait."""

import math
import time
from datetime import UTC, datetime, timedelta
from typing import cast

import anyio
import pytest

from mcpfusion_client.clock import Clock, SystemClock
from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo, ToolResult
from mcpfusion_client.testing import (
    After,
    Hang,
    Progress,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    ScriptExhaustedError,
    VirtualClock,
    no_waiting,
)


async def turns(count: int) -> None:
    """Let every other task run *count* times; virtual time stands still."""
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


async def test_a_virtual_sleep_moves_both_times_on() -> None:
    """Monotonic and wall time belong to the same clock."""
    start = datetime(2026, 11, 30, 12, tzinfo=UTC)
    clock = VirtualClock(start)

    await clock.sleep(3600.0)

    assert clock.monotonic() == 3600.0
    assert clock.wall() == start + timedelta(hours=1)


async def test_a_virtual_hour_takes_no_real_time() -> None:
    """Nothing really sleeps; the bound is far above what spinning costs."""
    clock = VirtualClock()
    before = time.perf_counter()

    for _ in range(20):
        await clock.sleep(3600.0)

    assert time.perf_counter() - before < 60.0
    assert clock.sleeps == [3600.0] * 20


async def test_concurrent_sleepers_wake_in_the_order_of_their_times() -> None:
    """Each sleeper sees its own time, whatever order they started in."""
    clock = VirtualClock()
    woken: list[tuple[float, float]] = []

    async def sleeper(seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((seconds, clock.monotonic()))

    async with anyio.create_task_group() as tasks:
        for seconds in (5.0, 1.0, 3.0, 0.0, 2.0, 4.0):
            tasks.start_soon(sleeper, seconds)

    assert woken == [(s, s) for s in (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)]


async def test_sleepers_with_the_same_time_wake_in_the_order_they_fell_asleep() -> None:
    """Runs can be repeated only if ties have an order."""
    clock = VirtualClock()
    woken: list[int] = []

    async def sleeper(number: int) -> None:
        await clock.sleep(1.0)
        woken.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(sleeper, number)
            await turns(3)

    assert woken == list(range(5))


async def test_time_stands_still_while_a_task_can_run() -> None:
    """A task that works between sleeps must not find that time has passed."""
    clock = VirtualClock()
    seen: set[float] = set()

    async def worker() -> None:
        for _ in range(50):
            await turns(1)
            seen.add(clock.monotonic())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(clock.sleep, 10.0)
        tasks.start_soon(worker)

    assert seen == {0.0}
    assert clock.monotonic() == 10.0


async def test_a_cancelled_sleep_does_not_move_time() -> None:
    """A deadline that nobody waits for is no reason to jump."""
    clock = VirtualClock()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(clock.sleep, 1000.0)
        await turns(3)
        tasks.cancel_scope.cancel()
    await clock.sleep(1.0)

    assert clock.monotonic() == 1.0


async def test_a_virtual_timer_cuts_what_never_answers() -> None:
    """Attempt timeouts run on the same clock as the waits."""
    clock = VirtualClock()

    with clock.timeout(60.0) as timer:
        await anyio.sleep_forever()

    assert timer.cancelled_caught
    assert clock.monotonic() == 60.0


async def test_a_virtual_timer_lets_go_what_ends_in_time() -> None:
    """A timer that was not needed leaves nothing behind."""
    clock = VirtualClock()

    with clock.timeout(60.0) as timer:
        await clock.sleep(59.0)
    await clock.sleep(10.0)

    assert not timer.cancelled_caught
    assert clock.monotonic() == 69.0


@pytest.mark.parametrize(("moved_to", "ends"), [(30.0, 30.0), (5.0, 5.0), (0.5, 1.0)])
async def test_the_deadline_of_a_virtual_timer_can_be_moved(
    moved_to: float, ends: float
) -> None:
    """Progress extends an attempt; a deadline in the past ends it now."""
    clock = VirtualClock()

    with clock.timeout(10.0) as timer:
        await clock.sleep(1.0)
        timer.deadline = moved_to
        await anyio.sleep_forever()

    assert timer.cancelled_caught
    assert clock.monotonic() == ends


async def test_a_virtual_timer_without_end_never_fires() -> None:
    """``math.inf`` lifts the limit."""
    clock = VirtualClock()

    with clock.timeout(math.inf) as timer:
        await clock.sleep(1e9)

    assert not timer.cancelled_caught


async def test_a_virtual_timer_of_no_seconds_cancels_at_the_first_checkpoint() -> None:
    """The same as the real one does."""
    clock = VirtualClock()

    with clock.timeout(0.0) as timer:
        await anyio.lowlevel.checkpoint()

    assert timer.cancelled_caught
    assert clock.monotonic() == 0.0


async def test_two_virtual_clocks_run_side_by_side() -> None:
    """Neither takes the other's ticking for work."""
    first, second = VirtualClock(), VirtualClock()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first.sleep, 10.0)
        tasks.start_soon(second.sleep, 20.0)

    assert (first.monotonic(), second.monotonic()) == (10.0, 20.0)


@pytest.mark.parametrize("clock", [VirtualClock(), SystemClock()])
def test_the_clocks_are_clocks(clock: Clock) -> None:
    """Both fit the protocol that the client asks for."""
    assert isinstance(clock, Clock)


def test_one_virtual_clock_serves_one_event_loop_after_the_other() -> None:
    """A clock made once for a test module must not remember a closed loop."""
    clock = VirtualClock()

    anyio.run(clock.sleep, 1.0)
    anyio.run(clock.sleep, 1.0, backend="trio")
    anyio.run(clock.sleep, 1.0)

    assert clock.monotonic() == 3.0


def test_a_start_without_time_zone_is_refused() -> None:
    """Dates in hints cannot be compared with a naive time."""
    with pytest.raises(ValueError, match="aware"):
        VirtualClock(datetime(2026, 1, 1))  # noqa: DTZ001


async def test_without_waiting_time_still_passes() -> None:
    """Deadlines end where they would have, only sooner."""
    clock = SystemClock()
    before, wall = clock.monotonic(), clock.wall()
    started = time.perf_counter()

    with no_waiting():
        await clock.sleep(1000.0)

    assert clock.monotonic() - before >= 1000.0
    assert clock.wall() - wall >= timedelta(seconds=1000)
    assert time.perf_counter() - started < 500.0


async def test_without_waiting_concurrent_sleeps_pass_together() -> None:
    """Ten waits side by side are one wait, not ten."""
    clock = SystemClock()
    before = clock.monotonic()

    with no_waiting():
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(clock.sleep, 100.0)

    assert 100.0 <= clock.monotonic() - before < 200.0


async def test_without_waiting_timers_are_real_and_speak_the_same_time() -> None:
    """A session extends its timer in clock seconds, skipped ones included."""
    clock = SystemClock()

    with no_waiting():
        await clock.sleep(1000.0)
        with clock.timeout(50.0) as timer:
            assert 0.0 < timer.deadline - clock.monotonic() <= 50.0
            timer.deadline = clock.monotonic() - 1.0
            await anyio.sleep_forever()

    assert timer.cancelled_caught


async def play(*outcomes: ScriptedOutcome) -> object:
    """Call a scripted session once."""
    return await ScriptedSession(outcomes).call_tool("t", {})


def text(answer: object) -> str:
    """Return the text of a played answer."""
    content = cast("JsonObject", answer)["content"]
    return ToolResult(content=content).text


async def test_a_text_is_played_as_a_success() -> None:
    """The shortest way to write a success."""
    assert text(await play("done")) == "done"


async def test_a_result_is_played_as_it_is() -> None:
    """Wire JSON and values pass through untouched."""
    wire: dict[str, JsonValue] = {"content": [], "isError": True}
    value: ToolResult = ToolResult(structured_content={"n": 1})

    assert await play(wire) is wire
    assert await play(value) is value


async def test_an_exception_is_raised() -> None:
    """A failing connection is an exception of the session."""
    with pytest.raises(ConnectionError):
        await play(ConnectionError("reset"))


async def test_an_outcome_may_depend_on_the_call() -> None:
    """A function sees the request and answers with any outcome."""

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        return f"{call.tool}: {call.arguments}"

    assert text(await play(answer)) == "t: {}"


async def test_a_session_without_outcomes_left_fails_the_test() -> None:
    """An unexpected request must not look like one more failure of the server."""
    session = ScriptedSession(["one"])
    await session.call_tool("t", {})

    with pytest.raises(ScriptExhaustedError):
        await session.call_tool("t", {})


async def test_tools_may_have_scripts_of_their_own() -> None:
    """Concurrent calls of several tools have no order between them."""
    session = ScriptedSession(["rest"], by_tool={"a": ["first", "second"]})

    answers = [await session.call_tool(name, {}) for name in ("a", "b", "a")]

    assert [text(answer) for answer in answers] == ["first", "rest", "second"]


async def test_delays_and_hangs_run_on_the_clock_of_the_session() -> None:
    """A slow answer costs virtual seconds, a hang is cut by a virtual timer."""
    clock = VirtualClock()
    session = ScriptedSession([After(7.0, "late"), Hang()], clock=clock)

    await session.call_tool("t", {})
    with clock.timeout(10.0) as timer:
        await session.call_tool("t", {})

    assert timer.cancelled_caught
    assert clock.monotonic() == 17.0
    assert [call.at for call in session.calls] == [0.0, 7.0]


async def test_progress_is_told_before_the_answer() -> None:
    """A scripted session can keep an attempt alive."""
    told: list[float] = []

    async def progress(value: float, total: float | None, text: str | None) -> None:
        told.append(value)

    session = ScriptedSession([Progress(0.5, Progress(1.0, "done"))])
    await session.call_tool("t", {}, progress_callback=progress)

    assert told == [0.5, 1.0]


async def test_every_request_is_kept_with_arguments_and_meta() -> None:
    """What was sent is what tests ask for most."""
    session = ScriptedSession(["done"], tools=[ToolInfo(name="t")])

    await session.call_tool("t", {"id": 1}, meta={"k": "v"})

    (call,) = session.calls
    assert (call.tool, call.arguments, call.meta) == ("t", {"id": 1}, {"k": "v"})
    assert await session.list_tools() == (ToolInfo(name="t"),)
