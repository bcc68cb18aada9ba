"""What the window takes for overload, and how it lets go of those that waited."""

import pytest

from mcpfusion_client import ErrorCategory, ErrorInfo, Execution, RateLimitGate
from mcpfusion_client.retry import Go, Hold
from mcpfusion_client.retry.drain import Cause, Drain
from mcpfusion_client.retry.gate import SPREAD
from mcpfusion_client.retry.usual import Usual
from mcpfusion_client.retry.window import Ending, Mode, Window

FAST = 0.1
EVERY = 0.2
FORGETS = 1e-9


def healthy(window: Window, *, seconds: float) -> float:
    """Play a quiet time of fast answers; return when it is over."""
    now = 0.0
    while now < seconds:
        now = attempt(window, now, FAST, Ending.SUCCESS)
    return now


def attempt(window: Window, now: float, seconds: float, ending: Ending) -> float:
    """Send one attempt and end it; return when the next may be sent."""
    window.wait(now, 0.5, waited=False)
    window.sent(now, now, waited=False)
    window.ended(now + seconds, now, seconds, ending)
    return now + max(EVERY, seconds)


def known() -> Usual:
    """Return what is usual after a healthy minute of five answers a second."""
    usual = Usual()
    for number in range(300):
        usual.pass_time(number * EVERY, healthy=True)
        usual.learn(number * EVERY, FAST, healthy=True)
    return usual


@pytest.mark.parametrize("good", [0.3, 0.5, 0.9])
def test_losses_that_come_fast_say_nothing_about_load(good: float) -> None:
    """A connection that breaks at once is broken, not busy."""
    window = Window()
    now = healthy(window, seconds=20.0)

    for number in range(300):
        lost = number % 10 >= 10 * good
        now = attempt(window, now, FAST, Ending.LOST if lost else Ending.SUCCESS)

    assert window.mode is Mode.OPEN


def test_losses_that_come_late_do() -> None:
    """Nothing but timeouts is what an overloaded server looks like."""
    window = Window()
    now = healthy(window, seconds=20.0)

    for _ in range(10):
        now = attempt(window, now, 5.0, Ending.LOST)

    assert window.mode is Mode.TIGHT


def test_a_refusal_after_two_slow_answers_is_chance() -> None:
    """One answer in fourteen is slow in healthy times."""
    window = Window()
    now = healthy(window, seconds=20.0)
    for ending in (Ending.SUCCESS, Ending.SUCCESS, Ending.REJECTED):
        slow = FAST if ending is Ending.REJECTED else 3.0 * FAST
        now = attempt(window, now + 3.0, slow, ending)

    assert window.mode is Mode.OPEN


def test_refusals_while_answers_are_slow_weigh_more() -> None:
    """The queue is full then: a few of them are enough."""
    refusals: dict[float, int] = {}
    for seconds in (FAST, 3.0 * FAST):
        window = Window()
        now = healthy(window, seconds=20.0)
        for _ in range(5):
            now = attempt(window, now + 3.0, seconds, Ending.ANSWER)
        while window.mode is Mode.OPEN:
            now = attempt(window, now + 3.0, FAST, Ending.REJECTED)
            refusals[seconds] = refusals.get(seconds, 0) + 1

    assert refusals == {FAST: 11, 3.0 * FAST: 4}


@pytest.mark.parametrize(
    ("seconds", "mode"), [(FAST, Mode.OPEN), (3.0 * FAST, Mode.TIGHT)]
)
def test_a_slow_success_between_refusals_outweighs_none(
    seconds: float, mode: Mode
) -> None:
    """It has come out of the queue of a server that is full; a fast one has not."""
    window = Window()
    now = healthy(window, seconds=20.0)

    for number in range(25):
        fits = number % 5 == 0
        ending = Ending.SUCCESS if fits else Ending.REJECTED
        now = attempt(window, now, seconds if fits else FAST, ending)

    assert window.mode is mode


def test_answers_that_take_no_time_open_a_closed_window() -> None:
    """On a virtual or a coarse clock an answer may come at once."""
    window = Window()
    attempt(window, 0.0, 0.0, Ending.SUCCESS)
    window.usual.latency = 0.0
    window.close(0.0, Cause.CLOSED)

    attempt(window, 0.0, 0.0, Ending.SUCCESS)

    assert window.mode is Mode.DRAINING


@pytest.mark.parametrize(
    ("hint", "third"), [(SPREAD, Go), (SPREAD + 0.1, Hold)], ids=["short", "long"]
)
def test_only_a_long_wait_opens_the_window_half(
    hint: float, third: type[Go] | type[Hold]
) -> None:
    """After a short one nothing has piled up."""
    gate = RateLimitGate()
    refusal = ErrorInfo(
        message="",
        category=ErrorCategory.RATE_LIMITED,
        execution=Execution.NOT_EXECUTED,
        retry_after=hint,
    )
    ticket = gate.ticket("s", "t", 0.0, 60.0)
    gate.ask(ticket, 0.0, 0.5)

    gate.failed(ticket, refusal, FAST)
    opened = FAST + hint
    others = [gate.ticket("s", "t", opened, 60.0) for _ in range(3)]
    answers = [gate.ask(other, opened, 0.5) for other in others]

    assert [type(answer) for answer in answers] == [Go, Go, third]


@pytest.mark.parametrize("hint", [0.005, 0.2, SPREAD])
def test_a_short_wait_is_spread_over_as_long_again(hint: float) -> None:
    """Never earlier than asked for, never more than twice as late."""
    for draw in (0.0, 0.5, 0.99):
        gate = RateLimitGate()
        refusal = ErrorInfo(
            message="",
            category=ErrorCategory.RATE_LIMITED,
            execution=Execution.NOT_EXECUTED,
            retry_after=hint,
        )
        ticket = gate.ticket("s", "t", 0.0, 60.0)
        gate.ask(ticket, 0.0, draw)
        gate.failed(ticket, refusal, 0.0)

        held = gate.ask(ticket, 0.0, draw)

        assert isinstance(held, Hold)
        assert hint <= held.seconds <= 2.0 * hint
        assert isinstance(gate.ask(ticket, held.seconds + 1e-6, draw), Go)


def test_trouble_does_not_become_usual() -> None:
    """Half a minute of slow answers is still slow at its end."""
    usual = known()
    patience = usual.patience

    for number in range(30):
        usual.pass_time(60.0 + number, healthy=False)
        usual.learn(60.0 + number, 20 * FAST, healthy=False)

    assert usual.slow(5 * FAST)
    assert usual.patience < 1.2 * patience


def test_what_is_usually_slow_is_no_congestion() -> None:
    """A server with one slow answer in five always has one slow answer in five."""
    usual = known()
    for number in range(300):
        usual.learn(60.0 + number, FAST * (10 if number % 5 == 0 else 1), healthy=True)

    assert usual.more_than(usual.slow_share) == pytest.approx(0.0)
    assert usual.more_than(1.0) == pytest.approx(1.0)


def waits(drain: Drain, usual: Usual, *, answers: int) -> list[float]:
    """Release calls, each answered fast; return the gaps between them."""
    now, gaps = 100.0, [0.0]
    for _ in range(answers):
        while (left := drain.wait(now, usual, 0.0)) > FORGETS:
            now += left
            gaps[-1] += left
        drain.spend()
        drain.saw(now + FAST, gaps[-1] + FAST, usual, bad=False, released=True)
        gaps.append(0.0)
    return gaps[1:-1]


def test_those_that_waited_never_go_faster_than_they_came() -> None:
    """However fast the answers are."""
    drain = Drain()
    drain.trouble(90.0)
    drain.prepare(Cause.OVERLOAD)
    for _ in range(20):
        drain.held()
    drain.begin(100.0, 0.0)

    gaps = waits(drain, Usual(), answers=20)

    assert gaps == sorted(gaps, reverse=True)
    assert min(gaps) == pytest.approx(10.0 / 20.0, rel=0.01)


def test_congestion_slows_them_down_at_once() -> None:
    """One look at slow answers takes back more than the last growth."""
    usual = known()
    drain = Drain()
    drain.trouble(90.0)
    drain.prepare(Cause.OVERLOAD)
    drain.begin(100.0, 0.0)
    before = drain.share

    for number in range(10):
        drain.saw(101.0 + number * EVERY, EVERY, usual, bad=True, released=False)

    assert drain.share <= 0.4 * before


@pytest.mark.parametrize(
    ("cause", "slower_after"),
    [(Cause.OVERLOAD, 2), (Cause.CLOSED, 2), (Cause.QUOTA, 1)],
)
def test_one_slow_answer_of_a_sparse_caller_is_no_congestion(
    cause: Cause, slower_after: int
) -> None:
    """Chance, and a thousand such callers would all slow down; a quota is precious."""
    drain, usual = Drain(), known()
    drain.prepare(cause)
    drain.begin(60.0, 0.0)
    shares = [drain.share]

    for number in range(1, 3):
        drain.saw(60.0 + 3.0 * number, 3.0, usual, bad=True, released=False)
        shares.append(drain.share)

    assert shares.index(min(shares)) >= slower_after
    assert shares[slower_after] < shares[0] == shares[slower_after - 1]
