"""The window by itself: how long a call waits, and what opens it again."""

import math

import pytest

from mcpfusion_client.retry.drain import Cause
from mcpfusion_client.retry.window import Ending, Mode, Wait, Window
from tests.retry.window_stage import PATIENCE, ended, mode, window

# -- how long a call waits


def test_an_open_window_lets_everybody_pass() -> None:
    """And is worth no memory once nothing is under way."""
    made = window(flying=100)

    assert made.wait(0.1, 0.5, waited=False) == Wait(0.0)
    assert made.room() == math.inf
    assert not made.idle
    assert Window().idle
    assert not window(Mode.TIGHT).idle


@pytest.mark.parametrize(
    ("limit", "flying", "passes"),
    [(2.0, 1, True), (2.0, 2, False), (1.9, 1, False), (1.0, 0, True), (0.9, 1, False)],
)
def test_a_tight_window_lets_as_many_pass_as_its_limit(
    limit: float, flying: int, passes: object
) -> None:
    """The others wait for one of them to end, or to be late."""
    made = window(Mode.TIGHT, limit=limit, flying=flying)

    found = made.wait(0.1, 0.5, waited=False)

    assert found.for_others is not passes
    assert found.seconds == pytest.approx(0.0 if passes else PATIENCE - 0.1 + 0.01)


def test_below_one_call_only_time_helps() -> None:
    """Until the next probe, and not a moment longer."""
    made = window(Mode.TIGHT, limit=0.9)
    made._probe_at = 3.0

    assert made.wait(1.0, 0.5, waited=False) == Wait(2.0)
    assert made.wait(3.0, 0.5, waited=False) == Wait(0.0)
    assert made.wait(4.0, 0.5, waited=False) == Wait(0.0)


@pytest.mark.parametrize(
    ("mode", "limit", "flying", "room"),
    [
        (Mode.TIGHT, 5.0, 2, 3.0),
        (Mode.TIGHT, 2.0, 2, 1.0),
        (Mode.TIGHT, 0.1, 0, 1.0),
        (Mode.DRAINING, math.inf, 2, 1.0),
    ],
)
def test_room_is_for_one_at_least(
    mode: Mode, limit: float, flying: int, room: float
) -> None:
    """One that is woken in vain asks, and waits on."""
    assert window(mode, limit=limit, flying=flying).room() == room


def test_while_nothing_is_known_a_drain_lets_all_go() -> None:
    """There is no rate to hold them to."""
    made = Window()
    made.mode = Mode.DRAINING

    assert made.room() == math.inf
    assert made.wait(0.0, 0.5, waited=True) == Wait(0.0)


# -- draining


def test_new_calls_pass_a_drain_and_those_that_waited_take_their_turn() -> None:
    """At a share of the rate: 0.15 of a hundred a second."""
    made = window(Mode.DRAINING)
    made.drain.begin(0.0, 0.0)

    assert made.wait(0.0, 0.0, waited=True).seconds == pytest.approx(1.0 / 15.0)
    assert made.wait(0.0, 0.0, waited=False) == Wait(0.0)
    made.sent(0.0, "new", waited=False)
    assert made.wait(0.0, 0.0, waited=True).for_others
    assert made.wait(0.4, 0.0, waited=True) == Wait(0.0)


def test_only_one_that_waited_spends_what_a_drain_has_earned() -> None:
    """And only its answer shows what the share is worth."""
    made = window(Mode.DRAINING)
    made.drain.begin(0.0, 0.9)
    credit = made.drain._credit

    made.sent(0.0, "new", waited=False)
    assert made.drain._credit == credit
    made.sent(0.0, "old", waited=True)
    assert made.drain._credit == 0.0
    assert made._released == {"old"}
    made.ended(0.1, "old", 0.1, Ending.ABANDONED)
    assert made._released == set()


def test_outside_a_drain_nothing_is_spent() -> None:
    """A call that waited at a tight window goes with its limit."""
    made = window(Mode.TIGHT, limit=5.0)
    made.drain.begin(0.0, 0.9)

    made.sent(0.0, "old", waited=True)

    assert made.drain._credit == 0.9
    assert made._released == set()


def test_ten_seconds_without_a_waiter_end_a_drain() -> None:
    """Counted from the last one that waited."""
    made = window(Mode.DRAINING)
    made.drain.begin(0.0, 0.0)
    made.wait(1.0, 0.0, waited=True)

    made.wait(10.9, 0.0, waited=False)
    assert mode(made) is Mode.DRAINING
    made.wait(11.0, 0.0, waited=False)
    assert mode(made) is Mode.OPEN


def test_time_alone_does_not_open_a_tight_window() -> None:
    """Only answers show that the server is back."""
    made = window(Mode.TIGHT, limit=5.0)

    made.wait(0.0, 0.0, waited=True)
    made.wait(99.0, 0.0, waited=False)

    assert mode(made) is Mode.TIGHT


@pytest.mark.parametrize(
    ("seconds", "ending", "slower", "grows"),
    [
        (0.1, Ending.SUCCESS, 0.0, 1),
        (0.1, Ending.ANSWER, 0.0, 1),
        (0.2, Ending.SUCCESS, 0.0, 0),
        (0.1, Ending.REJECTED, 0.0, 1),
        (0.1, Ending.REJECTED, 0.2, 0),
        (0.1, Ending.REJECTED_WITH_HINT, 0.2, 0),
        (0.1, Ending.LOST, 0.0, None),
        (0.1, Ending.ABANDONED, 0.0, None),
    ],
)
def test_what_a_drain_learns_from_an_end(
    seconds: float, ending: Ending, slower: float, grows: int | None
) -> None:
    """A slow answer is bad, a refusal while answers are slow too, a loss nothing."""
    made = window(Mode.DRAINING)
    made.drain.begin(0.0, 0.0)
    made._slow.share = slower
    made._slow._seen = 1.0

    ended(made, 1.0, seconds, ending)

    trend = made.drain._slow.share
    assert (made.drain._slow._seen == 1.0) == (grows is not None)
    assert (trend > 0.0) == (grows == 0)


def test_trouble_in_a_drain_interrupts_it() -> None:
    """What waits then has come in another time of trouble."""
    made = window(Mode.DRAINING)
    made.drain.begin(0.0, 0.0)
    made.drain.share = 0.8

    made.close(1.0, Cause.QUOTA)

    assert made.drain.share == 0.5
    assert mode(made) is Mode.TIGHT


def test_trouble_in_trouble_does_not_start_the_count_again() -> None:
    """The calls held back so far are still held back."""
    made = window()
    made.close(1.0, Cause.CLOSED)
    made.held()

    made.close(2.0, Cause.QUOTA)

    assert made.drain._held == 1
    assert made.drain._trouble == 1.0
    assert made.drain._cause is Cause.CLOSED


# -- a closed gate, and what opens the window again


@pytest.mark.parametrize(
    ("in_flight", "limit", "half"),
    [(10.0, math.inf, 2.0), (10.0, 1.5, 1.5), (0.5, math.inf, 0.5)],
)
def test_a_closed_gate_opens_half(in_flight: float, limit: float, half: float) -> None:
    """Two calls, or what is usual where that is less; and it probes at once."""
    made = window(in_flight=in_flight, limit=limit)

    made.close(1.0, Cause.CLOSED)

    assert made.limit == half
    assert made.wait(1.0, 0.5, waited=False) == Wait(0.0)


@pytest.mark.parametrize(
    ("limit", "gap", "more"),
    [
        (0.2, 0.5, 0.2 + 0.2 * (2.0**1.5 - 1.0)),  # doubles, and more as time goes by
        (0.1, 2.0, 0.1 + 0.1 * 7.0),
        (0.05, 9.0, 0.05 + 0.05 * 15.0),  # for three seconds at most
        (0.5, 9.0, 1.5),  # by one at most
        (5.0, 0.5, 6.0),
        (0.001, 0.1, 1.0),  # one answer in twice its time is one under way
        (0.001, 0.2, 1.0),
        (0.001, 0.4, 0.5),
    ],
)
def test_every_fast_answer_opens_a_tight_window_further(
    limit: float, gap: float, more: float
) -> None:
    """Until as many are under way as usual."""
    made = window(Mode.TIGHT, limit=limit)
    made._ended_at = 1.0

    ended(made, 1.0 + gap, 0.1, Ending.ANSWER)

    assert made.limit == pytest.approx(more)
    assert mode(made) is Mode.TIGHT


@pytest.mark.parametrize(
    ("seconds", "ending"),
    [(0.2, Ending.SUCCESS), (0.1, Ending.REJECTED), (0.1, Ending.LOST)],
)
def test_nothing_else_does(seconds: float, ending: Ending) -> None:
    """A slow answer came out of a queue."""
    made = window(Mode.TIGHT, limit=0.5)

    ended(made, 1.0, seconds, ending)

    assert made.limit == 0.5


def test_what_is_usual_under_way_again_begins_the_drain() -> None:
    """Exactly that much is enough."""
    made = window(Mode.TIGHT, limit=1.0, in_flight=2.0)
    made._ended_at = 0.9

    ended(made, 1.0, 0.1, Ending.ANSWER)

    assert mode(made) is Mode.DRAINING
    assert made.limit == math.inf
    assert made.drain._began == 1.0


# -- probes


@pytest.mark.parametrize(
    ("limit", "ending", "draw", "gap"),
    [
        (0.01, Ending.REJECTED, 0.5, 3.0),
        (0.01, Ending.REJECTED, 0.0, 1.5),
        (0.01, Ending.LOST, 0.5, 8.0),
        (0.1, Ending.LOST, 0.5, 1.0),
        (0.1, Ending.ABANDONED, 0.9, 1.4),
    ],
)
def test_probes_are_as_rare_as_the_limit_says_and_spread(
    limit: float, ending: Ending, draw: float, gap: float
) -> None:
    """But never rarer than every three seconds, eight after a loss."""
    made = window(Mode.TIGHT, limit=limit)
    made.wait(0.0, draw, waited=False)

    ended(made, 1.0, 0.1, ending)

    assert made._probe_at == pytest.approx(1.0 + gap)


def test_a_limit_of_one_call_needs_no_probe() -> None:
    """An end lets the next one go."""
    made = window(Mode.TIGHT, limit=1.0)
    ended(made, 1.0, 0.1, Ending.REJECTED)
    assert made._probe_at == -math.inf


def test_a_limit_of_one_call_waits_for_no_probe() -> None:
    """Whole calls go by the count of those under way."""
    made = window(Mode.TIGHT, limit=1.0)
    made._probe_at = 3.0

    assert made.wait(1.0, 0.5, waited=False) == Wait(0.0)


@pytest.mark.parametrize(("waited", "seconds"), [(0, 0.1), (1, 0.5)])
def test_the_answer_to_a_call_that_waited_lets_a_drain_grow_more(
    waited: int, seconds: float
) -> None:
    """It shows what the share is worth; that to a new call hardly does."""
    made = window(Mode.DRAINING)
    made.drain.begin(0.0, 0.9)
    before = made.drain.share
    made.sent(0.9, "key", waited=bool(waited))

    made.ended(1.0, "key", 0.1, Ending.SUCCESS)

    assert made.drain.share == pytest.approx(before * math.exp(0.35 * seconds))
