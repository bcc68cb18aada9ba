"""Clocks that run backwards, as those of clients that share a gate: no time goes by."""

import math
from random import Random

import attrs
import pytest

from mcpfusion_client.retry import Go, Hold, RateLimitGate, Ticket
from mcpfusion_client.retry.drain import Cause, Drain
from mcpfusion_client.retry.ticket import Place
from mcpfusion_client.retry.usual import Trend
from mcpfusion_client.retry.window import Ending, Mode
from tests.retry.gate_stage import BUSY, LATER, LOST
from tests.retry.window_stage import ended, usual, window

_SOON = attrs.evolve(BUSY, retry_after=1.0)
_ENDS = (None, None, None, BUSY, LATER, LOST, _SOON)
_STEPS = (0.01, 0.1, 1.0, 5.0) * 2 + (-0.5, -60.0, -1e4, -1e6)


def _deed(gate: RateLimitGate, now: float, draw: Random, known: list[Ticket]) -> None:
    """Let one of the calls in *known*, or a new one, do what comes next."""
    if not known or draw.random() < 0.3:
        known.append(gate.ticket("s", "t", now, 1e9))
    ticket = draw.choice(known)
    if ticket.place is not Place.IN_FLIGHT:
        answer = gate.ask(ticket, now, draw.random())
        if isinstance(answer, Hold):
            assert 0.0 < answer.seconds <= ticket.until - now
    elif info := draw.choice(_ENDS):
        gate.failed(ticket, info, now)
    else:
        gate.succeeded(ticket, now)
        known.remove(ticket)


@pytest.mark.parametrize("seed", range(8))
def test_no_leap_of_the_clock_breaks_a_gate(seed: int) -> None:
    """Every wait stays a number, and none is longer than the call may wait."""
    draw = Random(seed)  # noqa: S311 - a story, not a secret
    for _ in range(50):
        gate, known, now = RateLimitGate(), list[Ticket](), 1000.0
        for _ in range(150):
            now += draw.choice(_STEPS)
            _deed(gate, now, draw, known)


def test_a_calm_server_seen_by_two_clocks_stays_calm() -> None:
    """Two clients whose clocks are an hour apart, in turn."""
    gate = RateLimitGate()
    for number in range(200):
        now = number * 0.1 + 3600.0 * (number % 2)
        ticket = gate.ticket("s", "t", now, 30.0)
        assert isinstance(gate.ask(ticket, now, 0.5), Go)
        gate.succeeded(ticket, now + 0.1)

    known = gate._servers["s"].lanes["t"].window.usual
    assert known.latency == pytest.approx(0.1)
    assert 0.1 < known.patience < 10.0


@pytest.mark.parametrize("back", [0.0, 0.1, 3600.0, 1e9])
def test_an_observation_from_the_past_weighs_as_one_at_the_same_time(
    back: float,
) -> None:
    """The least there is, but something."""
    trend = Trend(0.5)
    trend.add(1e9, bad=True)

    trend.add(1e9 - back, bad=True)

    assert trend.share == pytest.approx(0.5 + 0.02 * 0.5)


@pytest.mark.parametrize("seconds", [0.01, 0.1, 9.0])
def test_an_answer_from_the_past_teaches_as_one_at_the_same_time(
    seconds: float,
) -> None:
    """What is usual moves by number then, not by time."""
    same, before = usual(1.0), usual(1.0)
    same._answered = before._answered = 1e9

    same.learn(1e9, seconds, healthy=False)
    before.learn(0.0, seconds, healthy=False)

    assert before._upper == same._upper


def test_a_drain_earns_nothing_while_the_clock_runs_backwards() -> None:
    """And loses nothing of what was earned."""
    drain = Drain()
    drain.begin(100.0, 0.4)

    wait = drain.wait(0.0, usual(1.0), 0.0)

    assert drain._credit == 0.4
    assert wait == pytest.approx(0.6 / (0.15 * 10.0))


def test_the_share_stays_what_it_was_when_an_answer_comes_from_the_past() -> None:
    """It grows by the time since the last answer, and there was none."""
    made = window(Mode.DRAINING)
    made.drain.prepare(Cause.OVERLOAD)
    made.drain.begin(100.0, 0.0)
    made._ended_at = 100.0

    ended(made, 50.0, 0.1, Ending.SUCCESS)

    assert made.drain.share == 0.15


def test_the_window_opens_by_one_answer_when_it_comes_from_the_past() -> None:
    """As it does for the second of two at the same time."""
    made = window(Mode.TIGHT, limit=2.0)
    made._ended_at = 100.0

    ended(made, 50.0, 0.1, Ending.SUCCESS)

    assert made.limit == 3.0


def test_a_refusal_from_the_past_is_the_same_evidence_as_the_last_one() -> None:
    """Those within a quarter of a second count as one."""
    made = window()
    ended(made, 100.0, 0.04, Ending.REJECTED)
    assert made._rejections == 1.0

    ended(made, 50.0, 0.04, Ending.REJECTED)

    assert made._rejections == 1.0


def test_an_attempt_that_ends_before_it_was_sent_took_no_time() -> None:
    """It is answered by another client's clock."""
    made = window()

    ended(made, 50.0, -3600.0, Ending.SUCCESS)

    assert made.usual.latency == pytest.approx(0.09)
    assert math.isfinite(made.usual.patience)
