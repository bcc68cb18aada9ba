"""The queue at one tool by itself: who is woken, who asks, what is forgotten."""

import pytest

from mcpfusion_client.model import ErrorCategory, ErrorInfo
from mcpfusion_client.retry import Hold, Ticket
from mcpfusion_client.retry.lane import Closure, Lane, Server, forget
from mcpfusion_client.retry.ticket import Place
from mcpfusion_client.retry.window import Ending, Mode

LATER = ErrorInfo(message="later", category=ErrorCategory.RATE_LIMITED)


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
