"""What is usual: learnt from answers, forgotten slowly, by number and by time."""

import math

import pytest

from mcpfusion_client.retry.usual import Trend, Usual


def taught(*seconds: float, every: float = 1.0) -> Usual:
    """Return what was learnt from healthy answers that took *seconds*."""
    usual = Usual()
    for number, each in enumerate(seconds):
        usual.pass_time(number * every, healthy=True)
        usual.learn(number * every, each, healthy=True)
    return usual


# -- a trend


@pytest.mark.parametrize(
    ("gap", "weight"),
    [
        (0.0, 0.02),
        (0.01, 0.02),
        (0.02, 0.04),
        (0.05, 0.1),
        (0.2, 0.1),  # by time it would be less
        (0.6, 1.0 - math.exp(-0.2)),
        (9.0, 0.5),
    ],
)
def test_an_observation_weighs_more_the_rarer_it_is(gap: float, weight: float) -> None:
    """A busy caller learns from many, a sparse one from few."""
    trend = Trend(0.5)
    trend.add(1.0, bad=True)
    assert trend.share == 0.5

    trend.add(1.0 + gap, bad=True)

    assert trend.share == pytest.approx(0.5 + weight * 0.5)


def test_good_observations_bring_a_trend_down_and_count_from_the_last_one() -> None:
    """Also those that had nothing to bring down."""
    trend = Trend(0.5)
    trend.add(0.0, bad=False)
    assert trend.share == 0.0
    trend.add(9.0, bad=False)

    trend.add(9.05, bad=True)
    assert trend.share == pytest.approx(0.1)
    trend.add(99.0, bad=False)
    assert trend.share == pytest.approx(0.05)


# -- latency


def test_three_answers_are_too_few_to_compare_with() -> None:
    """Nothing is slow until four are known, and patience is ten seconds."""
    few, enough = taught(0.1, 0.1, 0.1), taught(0.1, 0.1, 0.1, 0.1)

    assert (few.known, enough.known) == (False, True)
    assert (few.slow(99.0), enough.slow(99.0)) == (False, True)
    assert few.patience == 10.0
    assert enough.patience < 1.0


def test_the_first_guess_is_somewhat_above_the_first_answer() -> None:
    """By a third; an answer that took no time makes a guess that can grow."""
    assert taught(0.2)._upper == pytest.approx(0.2 * math.exp(0.3))
    assert taught(0.2).latency == 0.2
    assert taught(0.0)._upper == pytest.approx(1e-4 * math.exp(0.3))


def test_the_upper_latency_is_what_four_of_five_answers_stay_below() -> None:
    """Answers that take one to ten tenths: eight of them take up to eight."""
    usual = taught(*(0.1 * (1 + number * 7 % 10) for number in range(600)))

    assert 0.65 < usual._upper < 0.95
    assert usual.patience == pytest.approx(5.0 * usual._upper)
    assert not usual.slow(1.5 * usual._upper)
    assert usual.slow(1.501 * usual._upper)


@pytest.mark.parametrize(("seconds", "step"), [(1.0, 0.25 * 0.8), (0.1, 0.25 * -0.2)])
def test_early_answers_move_the_guess_by_what_they_are_worth(
    seconds: float, step: float
) -> None:
    """The third answer is one of two that came after the first."""
    usual = taught(0.2, 0.2)
    before = usual._upper

    usual.learn(2.0, seconds, healthy=True)

    assert usual._upper == pytest.approx(before * math.exp(step))


@pytest.mark.parametrize(("gap", "step"), [(0.6, 0.01), (9.0, 0.05)])
def test_later_answers_move_it_by_the_time_they_stand_for(
    gap: float, step: float
) -> None:
    """A minute makes a new normal, whatever the number of calls."""
    usual = taught(*[0.2] * 200)
    before = usual._upper

    usual.learn(199.0 + gap, 0.5, healthy=True)

    assert usual._upper == pytest.approx(before * math.exp(step * 0.8))


def test_answers_in_trouble_move_it_by_a_fifth_of_that() -> None:
    """What trouble looks like is not to become usual."""
    usual = taught(*[0.2] * 200)
    before = usual._upper

    usual.learn(299.0, 0.5, healthy=False)

    assert usual._upper == pytest.approx(before * math.exp(0.01 * 0.8))


def test_trouble_at_the_start_is_learnt_from_while_nothing_else_is_known() -> None:
    """There is nothing to protect yet."""
    usual = taught(0.2, 0.2)
    before = usual._upper

    usual.learn(2.0, 1.0, healthy=False)

    assert usual._upper == pytest.approx(before * math.exp(0.25 * 0.8))


def test_the_mean_latency_is_that_of_answers_that_are_not_slow() -> None:
    """It follows each of them by a tenth."""
    usual = taught(0.2, 0.2, 0.2, 0.2)
    assert usual.latency == pytest.approx(0.2)

    usual.learn(4.0, 0.3, healthy=True)
    assert usual.latency == pytest.approx(0.21)
    usual.learn(5.0, 9.0, healthy=True)
    assert usual.latency == pytest.approx(0.21)


def test_slow_answers_in_healthy_times_are_expected_from_then_on() -> None:
    """But not those of troubled times."""
    usual = taught(*[0.2] * 200)
    before = usual.slow_share

    usual.learn(300.0, 9.0, healthy=False)
    assert usual.slow_share == before
    usual.learn(400.0, 9.0, healthy=True)
    assert usual.slow_share == pytest.approx(before + 0.05 * (1.0 - before))


@pytest.mark.parametrize(
    ("share", "more"), [(0.0, 0.0), (0.07, 0.0), (0.535, 0.5), (1.0, 1.0)]
)
def test_how_far_a_share_is_above_the_usual_one(share: float, more: float) -> None:
    """Seven in a hundred are expected until more is known."""
    assert Usual().more_than(share) == pytest.approx(more)


# -- rate


def test_the_rate_is_what_came_in_the_time_that_was_looked_at() -> None:
    """However short that was; less than five seconds count as five."""
    assert taught(*[0.2] * 240, every=0.5).rate == pytest.approx(2.0, rel=0.05)
    assert taught(*[0.2] * 20, every=0.5).rate == pytest.approx(2.0, rel=0.1)
    assert taught(0.2).rate == pytest.approx(1.0 / 5.0, rel=0.05)
    assert Usual().rate == 0.0


def test_calls_under_way_are_rate_times_latency() -> None:
    """Often less than one."""
    usual = taught(*[0.2] * 240, every=0.5)
    assert usual.in_flight == pytest.approx(usual.rate * usual.latency)


def test_troubled_time_counts_for_no_rate() -> None:
    """A dip is not to become what is usual."""
    usual = taught(*[0.2] * 240, every=0.5)
    before = usual.rate

    usual.pass_time(500.0, healthy=False)
    usual.learn(500.0, 0.2, healthy=False)
    assert usual.rate == before
    usual.pass_time(560.0, healthy=True)
    assert usual.rate < 0.6 * before


def test_a_clock_that_steps_back_changes_nothing() -> None:
    """Time that did not pass is no time."""
    usual = taught(*[0.2] * 24, every=0.5)
    before = usual.rate

    usual.pass_time(1.0, healthy=True)

    assert usual.rate == before
