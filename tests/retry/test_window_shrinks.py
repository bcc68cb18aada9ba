"""The window by itself: what shrinks it, and by how much."""

import math

import pytest

from mcpfusion_client.retry.window import Ending, Mode, Window
from tests.retry.window_stage import PATIENCE, ended, mode, window


@pytest.mark.parametrize(
    ("mode", "limit", "flying", "in_flight", "less"),
    [
        (Mode.OPEN, math.inf, 3, 10.0, 2.0),  # half of what was under way
        (Mode.OPEN, math.inf, 39, 10.0, 5.0),  # half of what is usual
        (Mode.TIGHT, 5.0, 9, 10.0, 3.5),
        (Mode.TIGHT, 5.0, 2, 10.0, 2.1),
        (Mode.TIGHT, 0.8, 0, 10.0, 0.7),  # never less than some of the usual
        (Mode.TIGHT, 1.1, 0, 100.0, 1.0),  # but one will do
        (Mode.TIGHT, 1.0, 0, 0.0, 0.7),
        (Mode.OPEN, math.inf, 0, 0.0, 1e-6),
    ],
)
def test_how_far_it_shrinks(
    mode: Mode, limit: float, flying: int, in_flight: float, less: float
) -> None:
    """To half at first, then by less at a time."""
    made = window(mode, limit=limit, flying=flying, in_flight=in_flight)

    made._shrink(0.2)

    assert made.limit == pytest.approx(less)
    assert made.mode is Mode.TIGHT
    assert made._cut_at == 0.2


def test_an_attempt_that_is_out_for_far_longer_than_usual_shrinks_it() -> None:
    """Long before it ends; exactly five times the upper latency is late."""
    made = window(flying=1)

    made.wait(PATIENCE - 0.001, 0.5, waited=False)
    assert mode(made) is Mode.OPEN
    made.wait(PATIENCE, 0.5, waited=False)

    assert mode(made) is Mode.TIGHT
    assert made.in_flight == 1
    assert not made._under_way


def test_late_attempts_among_many_fast_answers_shrink_nothing() -> None:
    """One may have got lost."""
    made = window(flying=1)
    for number in range(10):
        ended(made, 0.1 + 0.04 * number, 0.04, Ending.SUCCESS)

    made.wait(0.51, 0.5, waited=False)

    assert made.in_flight == 1
    assert mode(made) is Mode.OPEN


def test_one_that_was_late_is_no_good_news_when_it_is_answered() -> None:
    """It has been counted already."""
    made = window(flying=1)
    made.wait(1.0, 0.5, waited=False)
    share = made._very_slow.share

    made.ended(1.1, 0, 1.1, Ending.SUCCESS)

    assert made._very_slow.share == share > 0.0
    assert made.in_flight == 0
    ended(made, 1.3, 0.1, Ending.SUCCESS)
    assert made._very_slow.share < share


def test_what_was_sent_before_the_last_cut_shrinks_nothing_again() -> None:
    """It met the same overload."""
    made = window(flying=2)
    made._shrink(0.1)
    limit = made.limit

    made.wait(1.0, 0.5, waited=False)

    assert made.limit == limit
    assert made._very_slow.share == 0.0


def test_a_late_attempt_puts_off_the_next_probe() -> None:
    """An unanswered one adds to the queue of the server."""
    made = window(Mode.TIGHT, limit=0.01, flying=1, in_flight=0.1)
    made._cut_at = 0.1

    made.wait(1.0, 0.5, waited=False)
    made.wait(1.0, 0.5, waited=False)

    assert made._probe_at == pytest.approx(9.0)


def test_nobody_is_late_while_nothing_is_known() -> None:
    """Ten seconds pass before an attempt is given up, and that says nothing."""
    made = Window()
    made.sent(0.0, "key", waited=False)

    made.wait(10.0, 0.5, waited=False)

    assert mode(made) is Mode.OPEN
    assert made.in_flight == 1
    assert not made._under_way


@pytest.mark.parametrize(
    ("gap", "ending", "before", "after"),
    [
        (1.0, Ending.REJECTED, 0.0, 1.0),
        (0.1, Ending.REJECTED, 2.0, 2.4),
        (1.0, Ending.REJECTED_WITH_HINT, 2.0, 2.0),
        (1.0, Ending.SUCCESS, 3.0, 0.3),
        (1.0, Ending.SUCCESS, 2.0, 0.0),
        (0.1, Ending.ANSWER, 3.0, 3.0 - 0.4 * 2.7),
        (1.0, Ending.LOST, 2.0, 2.0),
        (1.0, Ending.REJECTED, 16.2, 16.5),
    ],
)
def test_what_a_refusal_and_an_answer_weigh(
    gap: float, ending: Ending, before: float, after: float
) -> None:
    """Four of them in a second at most; the sum has a floor and a ceiling."""
    made = window()
    made._rejections, made._counted = before, 1.0

    ended(made, 1.0 + gap, 0.1, ending)

    assert made._rejections == pytest.approx(after)


def test_answers_count_from_the_last_one_that_counted() -> None:
    """Also from one that had nothing to outweigh."""
    made = window()
    ended(made, 1.0, 0.1, Ending.SUCCESS)
    ended(made, 1.1, 0.1, Ending.REJECTED)

    assert made._rejections == pytest.approx(0.4)


@pytest.mark.parametrize(("slower", "weight"), [(0.57, 1.0), (0.61, 3.0)])
def test_a_refusal_weighs_more_while_most_answers_are_slow(
    slower: float, weight: float
) -> None:
    """More than 57 in a hundred beyond the seven that are usual."""
    made = window()
    made._slow.share = slower

    ended(made, 1.0, 0.1, Ending.REJECTED)

    assert made._rejections == pytest.approx(weight)


@pytest.mark.parametrize(
    ("before", "sent_at", "ending", "expected"),
    [
        (10.0, 0.9, Ending.REJECTED, Mode.TIGHT),
        (9.9, 0.9, Ending.REJECTED, Mode.OPEN),
        (10.0, 0.4, Ending.REJECTED, Mode.OPEN),  # sent before the last cut
        (10.0, 0.5, Ending.REJECTED, Mode.TIGHT),
        (12.0, 0.9, Ending.REJECTED_WITH_HINT, Mode.OPEN),  # the gate is closed anyway
        (14.0, 0.9, Ending.SUCCESS, Mode.OPEN),
        (11.0, 0.9, Ending.LOST, Mode.TIGHT),
    ],
)
def test_eleven_net_refusals_shrink_it(
    before: float, sent_at: float, ending: Ending, expected: Mode
) -> None:
    """Those of attempts that were sent since the last cut."""
    made = window()
    made._rejections, made._counted, made._cut_at = before, 0.0, 0.5

    ended(made, 1.0, 1.0 - sent_at, ending)

    assert made.mode is expected


@pytest.mark.parametrize(
    ("seconds", "ending", "cut_at", "counted"),
    [
        (0.1, Ending.SUCCESS, 0.0, True),
        (0.1, Ending.SUCCESS, 0.95, True),  # a fast answer is always good news
        (0.2, Ending.SUCCESS, 0.0, True),
        (0.2, Ending.SUCCESS, 0.95, False),
        (0.2, Ending.LOST, 0.0, True),
        (0.1, Ending.LOST, 0.0, False),
        (0.1, Ending.REJECTED, 0.0, False),
    ],
)
def test_which_ends_say_how_fast_answers_are(
    seconds: float, ending: Ending, cut_at: float, counted: object
) -> None:
    """Of slow ones only those that were sent since the last cut."""
    made = window()
    made._slow.share, made._cut_at = 0.3, cut_at

    ended(made, 1.0, seconds, ending)

    assert (made._slow.share != 0.3) == counted


def test_only_successes_of_healthy_times_teach_what_is_usual() -> None:
    """What fails may fail fast, and trouble is no yardstick."""
    made = window()
    for ending in (Ending.ANSWER, Ending.REJECTED, Ending.LOST, Ending.ABANDONED):
        ended(made, 1.0, 0.1, ending)
    assert made.usual._answers == 100

    ended(made, 1.0, 0.1, Ending.SUCCESS)
    rate = made.usual._rate
    made.mode = Mode.TIGHT
    ended(made, 1.0, 0.1, Ending.SUCCESS)

    assert made.usual._answers == 102
    assert made.usual._rate == rate


def test_a_call_that_was_given_up_says_nothing() -> None:
    """Its caller wanted it no longer."""
    made = window(flying=1)

    made.ended(0.3, 0, 0.3, Ending.ABANDONED)

    assert made._ended_at == -math.inf
    assert made._rejections == made._slow.share == 0.0
    assert made.idle


def test_what_was_sent_right_at_the_last_cut_counts() -> None:
    """It met what is left of the window."""
    made = window(flying=5)
    made._shrink(0.1)
    limit = made.limit
    made.sent(0.1, "key", waited=False)

    made.wait(0.2 + PATIENCE, 0.5, waited=False)

    assert made.limit < limit


def test_a_slow_answer_outweighs_no_refusal() -> None:
    """It came out of the queue of a server that refuses all others."""
    made = window()
    made._rejections, made._counted = 3.0, 0.0

    ended(made, 1.0, 0.2, Ending.SUCCESS)

    assert made._rejections == 3.0


def test_only_healthy_time_says_that_fewer_calls_come() -> None:
    """While the server is in trouble the silence is its own."""
    healthy, troubled = window(), window(Mode.TIGHT, limit=5.0)
    usual = healthy.usual.rate
    for made in (healthy, troubled):
        made.wait(0.0, 0.5, waited=False)
        made.wait(60.0, 0.5, waited=False)

    assert troubled.usual.rate == usual
    assert healthy.usual.rate < usual
