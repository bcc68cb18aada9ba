"""The gate by itself: who is held back by whom, for how long, and who goes first."""

import math
from collections.abc import Callable
from functools import partial

import attrs
import pytest

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    HttpEvidence,
    Origin,
    StopReason,
)
from mcpfusion_client.retry import Go, Hold, RateLimitGate, Refused, Ticket
from mcpfusion_client.retry.lane import Closure, Lane, Server, forget
from mcpfusion_client.retry.ticket import Place
from mcpfusion_client.retry.window import Ending, Mode

LATER = ErrorInfo(
    message="later",
    code="RATE_LIMITED",
    category=ErrorCategory.RATE_LIMITED,
    execution=Execution.NOT_EXECUTED,
    retry_after=10.0,
)
BUSY = ErrorInfo(
    message="busy",
    code="SERVER_BUSY",
    category=ErrorCategory.TRANSIENT,
    execution=Execution.NOT_EXECUTED,
)
FORBIDDEN = ErrorInfo(message="no", category=ErrorCategory.PERMISSION)
LOST = ErrorInfo(
    message="gone", category=ErrorCategory.TRANSIENT, execution=Execution.UNKNOWN
)


def asked(
    gate: RateLimitGate,
    now: float = 0.0,
    *,
    server: str = "s",
    tool: str = "t",
    room: float = 100.0,
    draw: float = 0.0,
    max_retry_after: float = 120.0,
    wake: Callable[[], object] = lambda: None,
) -> tuple[Ticket, Go | Hold | Refused]:
    """Return a new ticket and the answer to it."""
    ticket = gate.ticket(
        server, tool, now, room, max_retry_after=max_retry_after, wake=wake
    )
    return ticket, gate.ask(ticket, now, draw)


def sent(gate: RateLimitGate, now: float = 0.0, *, tool: str = "t") -> Ticket:
    """Return a ticket that is in flight."""
    ticket, answer = asked(gate, now, tool=tool)
    assert isinstance(answer, Go)
    return ticket


def closed(
    info: ErrorInfo = LATER, *, now: float = 0.0, tool: str = "t"
) -> RateLimitGate:
    """Return a gate that *info* has just closed."""
    gate = RateLimitGate()
    gate.failed(sent(gate, now, tool=tool), info, now)
    return gate


def held(answer: Go | Hold | Refused) -> float:
    """Return for how long; 0 for not at all."""
    assert not isinstance(answer, Refused)
    return answer.seconds if isinstance(answer, Hold) else 0.0


# -- a closed gate


@pytest.mark.parametrize(("draw", "seconds"), [(0.0, 9.0), (0.5, 9.75), (0.9, 10.35)])
def test_a_hint_holds_other_calls_back_until_it_is_over(
    draw: float, seconds: float
) -> None:
    """They are let go spread over the second and a half that follows."""
    _, answer = asked(closed(), 1.0, draw=draw)

    assert isinstance(answer, Hold)
    assert answer.seconds == pytest.approx(seconds)
    assert not answer.until_woken


def test_the_gate_opens_when_the_hint_is_over_and_no_moment_sooner() -> None:
    """Never earlier than the server asked for."""
    gate = closed()

    assert held(asked(gate, 9.999)[1]) == pytest.approx(0.001)
    assert isinstance(asked(gate, 10.0)[1], Go)


def test_the_spread_fits_the_room_of_the_call() -> None:
    """Only the random part of a wait is ever cut."""
    _, answer = asked(closed(), 1.0, room=9.4, draw=0.5)

    assert held(answer) == pytest.approx(9.2)


@pytest.mark.parametrize(("room", "kind"), [(9.0, Refused), (9.001, Hold)])
def test_a_call_without_room_for_the_hint_is_refused_at_once(
    room: float, kind: type[Refused] | type[Hold]
) -> None:
    """It could not be sent in time, so its caller need not wait to hear that."""
    _, answer = asked(closed(), 1.0, room=room)

    assert isinstance(answer, kind)


def test_a_refusal_says_what_closed_the_gate_and_what_is_left() -> None:
    """But nothing of what the other call asked for and got."""
    private = attrs.evolve(LATER, attempted_query="mine", partial_results=("mine",))

    _, answer = asked(closed(private), 3.0, room=5.0)

    assert isinstance(answer, Refused)
    assert answer.retry_after == pytest.approx(7.0)
    assert answer.reason is StopReason.GATE_DEADLINE
    assert answer.info == attrs.evolve(LATER, retry_after=answer.retry_after)


@pytest.mark.parametrize(
    ("second", "left"), [(3.0, 9.0), (9.9, 9.0), (10.1, 9.1), (30.0, 29.0)]
)
def test_a_shorter_hint_never_shortens_a_longer_one(second: float, left: float) -> None:
    """Whichever comes later."""
    gate = RateLimitGate()
    first, other = sent(gate), sent(gate)

    gate.failed(first, LATER, 0.0)
    gate.failed(other, attrs.evolve(LATER, retry_after=second), 0.0)

    assert held(asked(gate, 1.0)[1]) == pytest.approx(left)


def test_of_two_equal_hints_the_first_is_told() -> None:
    """Nothing is gained by replacing it."""
    gate = RateLimitGate()
    first, other = sent(gate), sent(gate)

    gate.failed(first, LATER, 0.0)
    gate.failed(other, attrs.evolve(LATER, message="other"), 0.0)

    _, answer = asked(gate, 1.0, room=1.0)
    assert isinstance(answer, Refused)
    assert answer.info.message == LATER.message


@pytest.mark.parametrize(("hint", "kind"), [(5.0, Hold), (5.001, Go), (0.0, Go)])
def test_a_hint_that_is_too_long_or_nothing_closes_no_gate(
    hint: float, kind: type[Hold] | type[Go]
) -> None:
    """The most that the policy waits for is still waited for."""
    gate = RateLimitGate()
    ticket, _ = asked(gate, max_retry_after=5.0)

    gate.failed(ticket, attrs.evolve(LATER, retry_after=hint), 0.0)

    assert isinstance(asked(gate, 0.0)[1], kind)


@pytest.mark.parametrize(
    "info",
    [
        attrs.evolve(FORBIDDEN, retry_after=10.0),
        attrs.evolve(LOST, retry_after=10.0),
    ],
    ids=["not transient", "may have run"],
)
def test_only_a_call_that_was_refused_for_now_closes_the_gate(info: ErrorInfo) -> None:
    """What else carries a hint speaks of that call alone."""
    assert isinstance(asked(closed(info), 1.0)[1], Go)


@pytest.mark.parametrize(
    ("origin", "http", "other"),
    [
        (Origin.HTTP, HttpEvidence(status=429), Hold),
        (Origin.HTTP, HttpEvidence(status=503), Hold),
        (Origin.HTTP, HttpEvidence(status=500), Go),
        (Origin.HTTP, None, Go),
        (Origin.TOOL, HttpEvidence(status=429), Go),
    ],
)
def test_http_statuses_for_the_whole_server_close_all_its_tools(
    origin: Origin, http: HttpEvidence | None, other: type[Hold] | type[Go]
) -> None:
    """And everything else only the tool that was called."""
    gate = RateLimitGate()
    ticket = sent(gate)
    gate.succeeded(sent(gate, tool="other"), 0.0)

    gate.failed(ticket, attrs.evolve(LATER, origin=origin, http=http), 0.0)

    assert held(asked(gate, 1.0)[1]) == pytest.approx(9.0)
    answers = [asked(gate, 10.0, tool="other")[1] for _ in range(3)]
    assert isinstance(asked(gate, 1.0, tool="other")[1], other)
    assert isinstance(answers[2], other)  # open half, or never closed
    assert isinstance(asked(gate, 1.0, server="another")[1], Go)


@pytest.mark.parametrize(("tool", "server"), [(10.0, 20.0), (20.0, 10.0)])
def test_the_longer_of_two_closures_holds(tool: float, server: float) -> None:
    """One of the tool, one of the whole server."""
    gate = RateLimitGate()
    first, second = sent(gate), sent(gate)
    whole = attrs.evolve(LATER, origin=Origin.HTTP, http=HttpEvidence(status=503))

    gate.failed(first, attrs.evolve(LATER, retry_after=tool), 0.0)
    gate.failed(second, attrs.evolve(whole, retry_after=server), 0.0)

    assert held(asked(gate, 1.0)[1]) == pytest.approx(19.0)
    assert held(asked(gate, 11.0)[1]) == pytest.approx(9.0)
    assert isinstance(asked(gate, 20.0)[1], Go)


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


def tight(limit: float, *, flying: int = 0) -> Lane:
    """Return a lane whose window allows *limit* calls, with some under way."""
    lane = Lane()
    lane.window.mode, lane.window.limit = Mode.TIGHT, limit
    lane.window._probe_at = 5.0
    for number in range(flying):
        lane.window.sent(0.0, number, waited=False)
    return lane


def tickets(count: int, woken: list[int]) -> list[Ticket]:
    """Return tickets that note their number when they are woken."""

    def ticket(number: int) -> Ticket:
        return Ticket(
            server="s",
            tool="t",
            until=100.0,
            number=number,
            wake=lambda: woken.append(number),
        )

    return [ticket(number) for number in range(count)]


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(3.5, [3, 2]), (3.0, [3, 2]), (1.0, [3]), (9.0, [3, 2, 1, 0])],
)
def test_as_many_are_woken_as_there_is_room_for(
    limit: float, expected: list[int]
) -> None:
    """One at least, for it may be that the one under way never ends."""
    lane, woken = tight(limit, flying=1), list[int]()
    for ticket in tickets(4, woken):
        lane._queue(ticket)

    lane.pass_on()

    assert woken == expected
    assert len(lane.waiting) == 4 - len(expected)


def test_where_only_time_helps_one_asks_by_itself_and_the_newest_does() -> None:
    """The others look a second later whether it has."""
    lane, woken = tight(0.1), list[int]()
    first, second, third = tickets(3, woken)

    answers = [lane.hold(each, 2.0, 0.5) for each in (second, first, third)]

    assert answers == [Hold(3.0), Hold(4.0, until_woken=True), Hold(3.0)]
    places = [each.place for each in (first, second, third)]
    assert places == [Place.WAITING, Place.WAITING, Place.NEXT]
    assert list(lane.waiting) == [first, second]
    assert lane.hold(third, 5.0, 0.5) is None


def test_the_wait_of_the_others_ends_with_their_room() -> None:
    """A ticket never waits past what its call has left."""
    lane = tight(0.1)
    first, second, third = tickets(3, [])
    first.until, second.until, third.until = 5.5, 4.0, 100.0

    answers = [lane.hold(each, 2.0, 0.5) for each in (third, first, second)]

    assert answers == [
        Hold(3.0),
        Hold(3.5, until_woken=True),
        Hold(2.0, until_woken=True),
    ]


def test_the_next_is_waited_for_only_while_nothing_is_under_way() -> None:
    """An answer lets others go all the same."""
    lane, woken = tight(0.1), list[int]()
    for each in tickets(2, woken):
        lane.hold(each, 2.0, 0.5)

    lane.pass_on()
    assert woken == []
    lane.window.sent(3.0, "another", waited=False)
    lane.pass_on()
    assert woken == [0]


def test_a_call_that_comes_back_is_no_new_demand() -> None:
    """What the calls that waited are let go by counts each of them once."""
    lane = Lane()
    fresh, again = tickets(2, [])
    again.failures = 1

    counts: list[int] = []
    for each in (fresh, fresh, again):
        lane.held(each)
        counts.append(lane.window.drain._held)

    assert counts == [1, 1, 1]
    assert fresh.waited
    assert again.waited


@pytest.mark.parametrize(
    ("waited", "failures", "held_back"), [(0, 0, 0), (1, 0, 1), (0, 1, 1)]
)
def test_a_repeat_takes_its_turn_with_those_that_waited(
    waited: int, failures: int, held_back: int
) -> None:
    """A new call passes a drain."""
    lane = Lane()
    for number in range(9):
        lane.window.sent(float(number), "key", waited=False)
        lane.window.ended(number + 0.1, "key", 0.1, Ending.SUCCESS)
    lane.window.mode = Mode.DRAINING
    lane.window._waited_at = 9.0
    lane.window.drain.begin(9.0, 0.0)
    (ticket,) = tickets(1, [])
    ticket.waited, ticket.failures = bool(waited), failures

    assert (lane.hold(ticket, 9.0, 0.0) is not None) == held_back


# -- what is forgotten


def test_what_is_idle_is_forgotten_the_oldest_half() -> None:
    """What is in trouble or in use is not."""
    lanes = {str(number): Lane() for number in range(10)}
    lanes["0"].closure = Closure(5.0, 1.0, LATER)
    lanes["1"].window.sent(0.0, "key", waited=False)
    lanes["2"].waiting[tickets(1, [])[0]] = None
    lanes["3"].next = tickets(1, [])[0]

    forget(lanes, 4.0)
    assert list(lanes) == ["0", "1", "2", "3", "7", "8", "9"]
    forget(lanes, 5.0)
    assert list(lanes) == ["1", "2", "3", "8", "9"]


def test_the_last_one_that_is_idle_is_forgotten_too() -> None:
    """Half of one would be none."""
    lanes = {"only": Lane()}
    forget(lanes, 0.0)
    assert lanes == {}


def test_a_server_is_idle_when_all_its_tools_are() -> None:
    """And nothing holds it back as a whole."""
    server = Server()
    server.lane("t", 0.0)
    assert server.idle(0.0)

    server.closure = Closure(5.0, 1.0, LATER)
    assert not server.idle(4.9)
    assert server.idle(5.0)
    server.lane("t", 0.0).window.sent(0.0, "key", waited=False)
    assert not server.idle(5.0)


@pytest.mark.parametrize("what", ["server", "tool"])
def test_the_gate_remembers_a_bounded_number_and_whoever_is_in_trouble(
    what: str,
) -> None:
    """Names come from outside; memory must not grow with them."""
    gate = closed()
    for number in range(600):
        name = str(number)
        if what == "server":
            ticket, _ = asked(gate, 1.0, server=name)
        else:
            ticket, _ = asked(gate, 1.0, tool=name)
        gate.succeeded(ticket, 1.0)
        known = gate._servers if what == "server" else gate._servers["s"].lanes
        assert len(known) <= 256

    assert len(known) > 128
    assert "599" in known
    assert isinstance(asked(gate, 1.0)[1], Hold)
