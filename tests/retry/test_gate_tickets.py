"""The gate by itself: the life of a ticket, who waits, and who goes first."""

import math
from functools import partial

import pytest

from mcpfusion_client.model import (
    ErrorCode,
    ErrorInfo,
    Execution,
    Origin,
)
from mcpfusion_client.retry import Go, Hold, RateLimitGate, Refused, Ticket
from mcpfusion_client.retry.ticket import Place
from mcpfusion_client.retry.window import Mode
from tests.retry.gate_stage import (
    BUSY,
    FORBIDDEN,
    LATER,
    LOST,
    asked,
    closed,
    held,
    sent,
)

# -- the life of a ticket


def test_a_ticket_in_flight_cannot_ask() -> None:
    """Its attempt has to end first, or it would be counted twice."""
    gate = RateLimitGate()
    ticket = sent(gate)

    with pytest.raises(ValueError, match="in flight"):
        gate.ask(ticket, 0.0, 0.0)


def test_a_ticket_that_is_not_in_flight_has_nothing_to_end() -> None:
    """A second word about the same attempt is no news."""
    gate = RateLimitGate()
    ticket = sent(gate)
    gate.failed(ticket, BUSY, 0.0)

    gate.failed(ticket, LATER, 0.0)
    gate.succeeded(ticket, 0.0)
    gate.abandoned(ticket, 0.0)

    assert ticket.failures == 1
    assert ticket.place is Place.IDLE
    assert isinstance(asked(gate, 0.0)[1], Go)


def test_an_answer_is_as_old_as_its_attempt() -> None:
    """Not as its call, and not as the clock."""
    gate = RateLimitGate()
    ticket = gate.ticket("s", "t", 1.0, 100.0)
    gate.ask(ticket, 5.0, 0.0)

    gate.succeeded(ticket, 5.25)

    assert gate._servers["s"].lanes["t"].window.usual.latency == 0.25


def test_a_ticket_that_goes_waits_no_longer() -> None:
    """Nobody waits for it then, and nothing wakes it."""
    gate, flying, woken, waiting = half_open()
    gate.abandoned(flying[0], 12.5)
    assert woken == ["c"]

    assert isinstance(gate.ask(waiting[0], 12.6, 0.0), Go)

    assert list(gate._servers["s"].lanes["t"].waiting) == [waiting[1]]


def test_tickets_are_counted() -> None:
    """Which of two is newer decides who goes first."""
    gate = RateLimitGate()

    assert [gate.ticket("s", "t", 0.0, 1.0).number for _ in range(3)] == [1, 2, 3]
    assert gate.ticket("s", "t", 2.0, 1.5).until == 3.5
    assert gate.ticket("s", "t", 2.0, math.inf).until == math.inf


@pytest.mark.parametrize(
    ("failures", "kind"), [((20,), Go), ((5, 4, 2), Go), ((4, 4, 3), Hold)]
)
def test_what_one_call_meets_again_and_again_is_one_opinion(
    failures: tuple[int, ...], kind: type[Go] | type[Hold]
) -> None:
    """Its first four failures count; overload is what several calls see."""
    gate = RateLimitGate()
    now = 0.0
    for count in failures:
        ticket = gate.ticket("s", "t", now, 100.0)
        for _ in range(count):
            gate.ask(ticket, now, 0.0)
            gate.failed(ticket, BUSY, now)
            now += 1.0

    assert isinstance(asked(gate, now)[1], kind)


@pytest.mark.parametrize(("info", "kind"), [(BUSY, Hold), (FORBIDDEN, Go), (LOST, Go)])
def test_only_refusals_for_now_speak_of_overload(
    info: ErrorInfo, kind: type[Go] | type[Hold]
) -> None:
    """An answer that says no is an answer, and a fast loss says nothing."""
    gate = RateLimitGate()
    for number in range(11):
        gate.failed(sent(gate, float(number)), info, float(number))

    assert isinstance(asked(gate, 11.0)[1], kind)


def test_a_call_without_room_at_an_overloaded_tool_is_refused() -> None:
    """With a failure of this client's own, for no server has said anything."""
    gate = RateLimitGate()
    for number in range(11):
        gate.failed(sent(gate, float(number)), BUSY, float(number))

    _, answer = asked(gate, 10.5, room=0.0)

    assert isinstance(answer, Refused)
    assert answer.info.code == ErrorCode.SERVER_BUSY
    assert answer.info.origin is Origin.CLIENT
    assert answer.info.execution is Execution.NOT_EXECUTED
    assert answer.retry_after is None


# -- who waits, and who goes first


def half_open() -> tuple[RateLimitGate, list[Ticket], list[str], list[Ticket]]:
    """Return a gate with two in flight, three that wait, and who was woken."""
    gate, woken = closed(), list[str]()
    flying = [sent(gate, 10.0), sent(gate, 11.0)]
    waiting: list[Ticket] = []
    for name in "abc":
        ticket, answer = asked(gate, 12.0, wake=partial(woken.append, name))
        assert isinstance(answer, Hold)
        assert answer.until_woken
        waiting.append(ticket)
    return gate, flying, woken, waiting


def test_waiters_are_woken_by_an_answer_the_newest_first() -> None:
    """Its caller is the likeliest to be still there."""
    gate, (first, _), woken, waiting = half_open()

    gate.succeeded(first, 12.5)

    assert woken == ["c", "b", "a"]
    assert [ticket.place for ticket in waiting] == [Place.WOKEN] * 3


def test_an_attempt_that_is_given_up_makes_room_for_one() -> None:
    """It says nothing about the server, so the window opens no further."""
    gate, flying, woken, _ = half_open()

    gate.abandoned(flying[0], 12.5)

    assert woken == ["c"]
    assert flying[0].place is Place.IDLE


def test_one_that_was_woken_and_gives_up_wakes_the_next() -> None:
    """Its turn must not be lost with it."""
    gate, flying, woken, waiting = half_open()
    gate.failed(flying[0], LOST, 12.5)
    assert woken == ["c"]

    gate.abandoned(waiting[2], 12.6)

    assert woken == ["c", "b"]
    assert waiting[2].place is Place.IDLE


def test_one_that_gives_up_while_it_waits_wakes_nobody() -> None:
    """It was not its turn."""
    gate, _, woken, waiting = half_open()

    gate.abandoned(waiting[1], 12.6)
    assert woken == []
    gate.abandoned(waiting[1], 12.6)
    assert woken == []
    assert waiting[1].place is Place.IDLE


def test_when_the_one_that_asks_by_itself_gives_up_another_is_woken() -> None:
    """They all wait for it; one that only waits takes nothing with it."""
    gate, woken = RateLimitGate(), list[str]()
    for number in range(11):
        gate.failed(sent(gate, float(number)), BUSY, float(number))
    tickets = [asked(gate, 10.2, wake=partial(woken.append, name))[0] for name in "abc"]
    assert tickets[2].place is Place.NEXT

    gate.abandoned(tickets[1], 10.3)
    assert woken == []
    again = gate.ask(tickets[0], 10.3, 0.0)
    assert isinstance(again, Hold)
    assert again.until_woken
    gate.abandoned(tickets[2], 10.3)
    assert woken == ["a"]


def test_a_waiter_asks_again_when_what_it_waits_for_is_late() -> None:
    """Ten seconds after the oldest was sent while nothing is known, or at its end."""
    gate, *_ = half_open()

    assert held(asked(gate, 12.0)[1]) == pytest.approx(8.01)
    assert held(asked(gate, 12.0, room=5.0)[1]) == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("waited", "failures", "credit"), [(0, 0, 1.0), (1, 0, 0.0), (0, 1, 0.0)]
)
def test_a_repeat_spends_what_a_drain_has_earned(
    waited: int, failures: int, credit: float
) -> None:
    """As much as a call that waited does, and unlike a new one."""
    gate = RateLimitGate()
    gate.succeeded(sent(gate), 0.1)
    window = gate._servers["s"].lanes["t"].window
    window.mode, window._waited_at, window.drain._credit = Mode.DRAINING, 0.1, 1.0
    ticket = gate.ticket("s", "t", 0.1, 100.0)
    ticket.waited, ticket.failures = bool(waited), failures

    assert isinstance(gate.ask(ticket, 0.1, 0.0), Go)

    assert window.drain._credit == credit
