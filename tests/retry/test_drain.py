"""The drain by itself: how fast calls that waited go, and what changes that."""

import math

import pytest

from mcpfusion_client.retry.drain import Cause, Drain
from mcpfusion_client.retry.usual import Usual


def usual(rate: float = 10.0) -> Usual:
    """Return healthy times with *rate* answers a second, one of them slow in 14."""
    known = Usual()
    known._answers = 100
    known._weight, known._rate = 1.0, rate
    return known


def begun(cause: Cause = Cause.OVERLOAD, *, held: int = 0, draw: float = 0.0) -> Drain:
    """Return a drain that begins at 10, after ten seconds of trouble."""
    drain = Drain()
    drain.trouble(0.0)
    drain.prepare(cause)
    for _ in range(held):
        drain.held()
    drain.begin(10.0, draw)
    return drain


# -- where it begins


@pytest.mark.parametrize(
    ("cause", "share"),
    [(Cause.OVERLOAD, 0.15), (Cause.CLOSED, 0.15), (Cause.QUOTA, 0.5)],
)
def test_it_begins_at_a_share_that_follows_the_cause(
    cause: Cause, share: float
) -> None:
    """A new quota is there all at once."""
    assert begun(cause).share == share


@pytest.mark.parametrize(("ends", "came"), [(10.0, 2.0), (1.0, 20.0), (0.1, 20.0)])
def test_how_fast_they_came_is_counted_over_the_time_of_trouble(
    ends: float, came: float
) -> None:
    """Less than a second says nothing about a rate."""
    drain = Drain()
    drain.held()
    drain.trouble(0.0)
    for _ in range(20):
        drain.held()

    drain.begin(ends, 0.0)

    assert drain._came == pytest.approx(came)


@pytest.mark.parametrize(("after", "gentle"), [(6.0, False), (6.1, True)])
def test_trouble_soon_after_it_began_begins_it_again(
    after: float, gentle: object
) -> None:
    """It was not to blame then; later it was, and is cut."""
    drain = begun(Cause.CLOSED)
    drain.share = 0.8

    drain.interrupted(10.0 + after, Cause.QUOTA)

    assert drain.share == pytest.approx(0.8 * 0.85 if gentle else 0.5)
    assert drain._fast is not gentle
    assert drain._cause is Cause.QUOTA


# -- how fast calls go


@pytest.mark.parametrize(
    ("held", "rate", "wait"),
    [(0, 10.0, 1.0 / 1.5), (50, 10.0, 1.0 / 1.5), (400, 10.0, 1.0 / 6.0)],
)
def test_a_call_goes_at_a_share_of_the_rate(
    held: int, rate: float, wait: float
) -> None:
    """Of what is usual, or of how they came where that is more."""
    assert begun(held=held).wait(10.0, usual(rate), 0.0) == pytest.approx(wait)


@pytest.mark.parametrize("rate", [0.0, 1e-300, 0.1, 0.2])
def test_what_is_rarely_called_is_not_held_back_for_long(rate: float) -> None:
    """How seldom an agent calls says nothing about what the server can take."""
    drain = begun(Cause.QUOTA)

    assert drain.wait(10.0, usual(rate), 0.0) == pytest.approx(10.0)


def test_a_fleet_is_spread_by_its_draws() -> None:
    """At the beginning by a whole call, later by a fifth of the wait."""
    first = begun(draw=0.5)
    assert first.wait(10.0, usual(), 0.0) == pytest.approx(0.5 / 1.5)
    assert begun().wait(10.0, usual(), 0.5) == pytest.approx(1.1 / 1.5)


def test_a_call_may_go_when_a_whole_one_has_been_earned() -> None:
    """By time, and what is spent is gone."""
    drain = begun()
    assert drain.wait(10.5, usual(), 0.0) == pytest.approx(0.25 / 1.5)

    assert drain.wait(10.0 + 1.0 / 1.5, usual(), 0.0) == pytest.approx(0.0, abs=1e-9)
    assert drain.wait(11.0, usual(), 0.0) == 0.0
    drain.spend()
    assert drain.wait(11.0, usual(), 0.0) == pytest.approx(1.0 / 1.5)


@pytest.mark.parametrize(("rate", "credit"), [(10.0, 1.0), (100.0, 7.5)])
def test_half_a_second_of_credit_adds_up_or_one_call(
    rate: float, credit: float
) -> None:
    """More would go at once after a pause."""
    drain = begun()

    drain.wait(99.0, usual(rate), 0.0)

    assert drain._credit == pytest.approx(credit)


def test_credit_is_never_less_than_nothing() -> None:
    """A call that may go without it takes what there is."""
    drain = begun(draw=0.4)
    drain.spend()
    assert drain._credit == 0.0


@pytest.mark.parametrize(("slow", "wait"), [(0.2, 1.0 / 1.5), (0.21, 2.0), (1.0, 2.0)])
def test_while_answers_are_slow_hardly_any_goes(slow: float, wait: float) -> None:
    """At a twentieth of the rate, whatever the share is."""
    drain = begun()
    drain._slow.share = slow

    assert drain.wait(10.0, usual(), 0.0) == pytest.approx(wait)


def test_what_is_just_no_congestion_slows_nobody() -> None:
    """Fifteen in a hundred beyond the usual are tolerated."""
    drain, known = begun(), usual()
    known.slow_share, drain._slow.share = 0.0, 0.15

    assert drain.wait(10.0, known, 0.0) == pytest.approx(1.0 / 1.5)


def test_what_was_seen_in_the_last_drain_is_forgotten() -> None:
    """The server has recovered since."""
    drain = begun()
    drain._slow.share = 1.0
    drain.begin(20.0, 0.0)
    assert drain._slow.share == 0.0


# -- how the share grows


@pytest.mark.parametrize(
    ("cause", "held", "released", "gap", "growth"),
    [
        (Cause.OVERLOAD, 0, False, 0.05, 0.35 * 0.05),
        (Cause.OVERLOAD, 0, False, 9.0, 0.35 * 0.1),
        (Cause.OVERLOAD, 0, True, 9.0, 0.35 * 0.5),
        (Cause.OVERLOAD, 300, True, 9.0, 0.35 * 0.5),
        (Cause.OVERLOAD, 310, True, 9.0, 0.35 * 3.0),
        (Cause.OVERLOAD, 310, False, 9.0, 0.35 * 0.1),
        (Cause.QUOTA, 0, True, 9.0, 0.35 * 0.5),
        (Cause.CLOSED, 0, True, 9.0, 0.02 * 0.5),
        (Cause.CLOSED, 310, True, 9.0, 0.15 * 3.0),
    ],
)
def test_fast_answers_let_it_grow_by_the_time_they_stand_for(
    cause: Cause, held: int, released: object, gap: float, growth: float
) -> None:
    """More for one of a call that waited, and most where they came in a burst."""
    drain = begun(cause, held=held)
    before = drain.share

    drain.saw(19.0, gap, usual(), bad=False, released=bool(released))

    assert drain.share == pytest.approx(min(1.0, before * math.exp(growth)))


def test_it_never_grows_beyond_the_whole() -> None:
    """Nobody goes faster than they came."""
    drain = begun()
    drain.share = 0.99
    drain.saw(19.0, 9.0, usual(), bad=False, released=True)
    assert drain.share == 1.0


@pytest.mark.parametrize(
    ("slow", "share"), [(0.14, 0.15 * math.exp(0.035)), (0.17, 0.15), (0.19, 0.15)]
)
def test_it_grows_only_while_answers_are_calm(slow: float, share: float) -> None:
    """Between calm and congested it stays as it is."""
    drain = begun()
    drain._slow.share = slow
    drain._slow._seen = 11.0

    drain.saw(11.0, 1.0, usual(), bad=False, released=False)

    assert drain.share == pytest.approx(share)


# -- how it is cut


@pytest.mark.parametrize(
    ("cause", "kept"), [(Cause.OVERLOAD, 0.4), (Cause.CLOSED, 0.4), (Cause.QUOTA, 0.85)]
)
def test_congestion_cuts_it_once_a_second(cause: Cause, kept: float) -> None:
    """A cut needs time to show."""
    drain = begun(cause)
    drain.share = 0.8
    drain._slow.share = 0.5

    drain.saw(10.9, 0.1, usual(), bad=True, released=False)
    assert drain.share == 0.8
    drain.saw(11.0, 0.1, usual(), bad=True, released=False)
    assert drain.share == pytest.approx(0.8 * kept)
    drain.saw(11.9, 0.1, usual(), bad=True, released=False)
    assert drain.share == pytest.approx(0.8 * kept)


def test_the_second_cut_is_smaller_and_growth_is_gentle_from_then_on() -> None:
    """The spare capacity has been found, about."""
    drain = begun()
    drain.share = 0.8
    drain._slow.share = 0.5
    drain.saw(11.0, 0.1, usual(), bad=True, released=False)
    drain.saw(12.0, 0.1, usual(), bad=True, released=False)
    assert drain.share == pytest.approx(0.8 * 0.4 * 0.6)

    drain._slow.share = 0.0
    drain.saw(13.0, 0.1, usual(), bad=False, released=False)

    assert drain.share == pytest.approx(0.8 * 0.4 * 0.6 * math.exp(0.002))


def test_a_twentieth_is_left_of_it() -> None:
    """Something has to find out when there is more."""
    drain = begun()
    drain._slow.share = 0.5
    for number in range(9):
        drain.saw(11.0 + number, 0.1, usual(), bad=True, released=False)
    assert drain.share == 0.05
