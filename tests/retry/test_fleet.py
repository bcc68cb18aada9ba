"""A gate and a budget that keep the news for other processes, and hear theirs."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    HttpEvidence,
    Origin,
)
from mcpfusion_client.retry import Go, Hold, Refused
from mcpfusion_client.retry.fleet import (
    LONGEST,
    MOST,
    Closed,
    FleetBudget,
    FleetGate,
    digest,
    is_digest,
)

_LATER = ErrorInfo(
    message="Slow down, bob:hunter2",
    code="RATE_LIMITED",
    category=ErrorCategory.RATE_LIMITED,
    execution=Execution.NOT_EXECUTED,
    retry_after=30.0,
)


class _Bell:
    """Counts how often it was rung."""

    def __init__(self) -> None:
        self.rung = 0

    def __call__(self) -> None:
        self.rung += 1


def _gate() -> tuple[FleetGate, _Bell]:
    bell = _Bell()
    return FleetGate(tell=bell), bell


def _fail(gate: FleetGate, info: ErrorInfo, *, tool: str = "search") -> None:
    ticket = gate.ticket("orders", tool, 0.0, 60.0)
    assert isinstance(gate.ask(ticket, 0.0, 0.5), Go)
    gate.failed(ticket, info, 0.0)


def test_a_rejection_with_a_hint_is_news_and_a_plain_failure_is_none() -> None:
    """The others hear of what closes a gate, and only of that."""
    gate, bell = _gate()

    _fail(gate, attrs.evolve(_LATER, retry_after=None))
    assert (gate.news(0.0), bell.rung) == ({}, 0)
    _fail(gate, _LATER)

    (closed,) = gate.news(0.0)
    assert closed == Closed(
        server=digest("orders"),
        tool=digest("search"),
        category=ErrorCategory.RATE_LIMITED,
        code="RATE_LIMITED",
    )
    assert gate.news(0.0) == {closed: 30.0}
    assert bell.rung == 1


def test_http_429_is_news_about_the_whole_server() -> None:
    """As it is in one process."""
    gate, _ = _gate()
    evidence = HttpEvidence(status=429, headers={}, body_excerpt="")
    _fail(gate, attrs.evolve(_LATER, origin=Origin.HTTP, http=evidence))

    assert [closed.tool for closed in gate.news(0.0)] == [None]


def test_what_one_gate_tells_holds_back_the_calls_of_another() -> None:
    """Told through text, as over a network; names of servers do not go along."""
    one, _ = _gate()
    two, bell = _gate()
    _fail(one, _LATER)

    for closed, until in one.news(10.0).items():
        told = str(closed)
        heard = Closed.read(told)
        assert heard is not None
        assert heard == closed
        assert "orders" not in told
        assert "hunter2" not in told
        two.heard(heard, 1000.0, until - 10.0)

    patient = two.ticket("orders", "search", 1000.0, 60.0)
    answer = two.ask(patient, 1000.0, 0.0)
    hurried = two.ask(two.ticket("orders", "search", 1000.0, 5.0), 1000.0, 0.0)
    other = two.ask(two.ticket("orders", "get", 1000.0, 5.0), 1000.0, 0.0)
    assert answer == Hold(20.0)
    assert isinstance(hurried, Refused)
    assert (hurried.info.code, hurried.info.retry_after) == ("RATE_LIMITED", 20.0)
    assert hurried.info.execution is Execution.NOT_EXECUTED
    assert isinstance(other, Go)
    assert bell.rung == 0, "what a process heard it does not tell again"
    assert two.news(1000.0) == {}


def test_news_are_told_once_unless_they_are_new_or_got_lost() -> None:
    """A shorter time is no news, a longer one is; a forgetful fleet is told again."""
    gate, bell = _gate()
    gate.close("orders", None, _LATER, 0.0, 30.0)
    news = gate.news(0.0)
    (closed,) = news

    gate.close("orders", None, _LATER, 1.0, 40.0)
    gate.told(news)
    assert gate.news(1.0) == {closed: 41.0}, "it was not this that was told"
    gate.told(gate.news(1.0))
    gate.close("orders", None, _LATER, 2.0, 5.0)
    assert (gate.news(2.0), bell.rung) == ({}, 2)

    gate.tell_again(except_for=[str(closed)])
    assert gate.news(2.0) == {}
    gate.tell_again(except_for=[])
    assert gate.news(2.0) == {closed: 41.0}
    assert gate.news(41.0) == {}, "it is over"


def test_what_is_kept_for_the_others_is_bounded() -> None:
    """Many tools fill it until their times are over; a day is told to nobody."""
    gate, bell = _gate()
    for number in range(MOST + 5):
        gate.close("orders", f"tool{number}", _LATER, 0.0, 30.0)
    gate.close("orders", "tool0", _LATER, 0.0, 31.0)
    assert len(gate.news(0.0)) == MOST
    assert bell.rung == MOST + 1

    gate.close("orders", "one more", _LATER, 31.0, 30.0)
    gate.close("orders", "for a day", _LATER, 31.0, 24 * LONGEST)
    assert len(gate.news(31.0)) == 1


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("SERVER_BUSY", "SERVER_BUSY"),
        ("HTTP_429", "HTTP_429"),
        (None, None),
        ("", None),
        ("password is hunter2", None),
        ("x" * 61, None),
    ],
)
def test_only_what_looks_like_a_code_is_told(
    code: str | None, told: str | None
) -> None:
    """A server writes anything into its code."""
    info = ErrorInfo(message="", code=code, category=ErrorCategory.TRANSIENT)
    closed = Closed.of("orders", "search", info)

    assert closed.info.code == told
    assert Closed.read(str(closed)) == closed


@given(st.text())
def test_a_name_has_one_digest_which_is_its_own(name: str) -> None:
    """So it does not matter whether a name or its digest is passed on."""
    assert is_digest(digest(name))
    assert digest(digest(name)) == digest(name)


@given(st.text() | st.from_regex(r"[0-9a-f]{32} \* (transient|x) [A-Z]{1,80}"))
def test_no_text_makes_reading_raise(text: str) -> None:
    """What it reads it would write the same way."""
    closed = Closed.read(text)

    assert closed is None or str(closed) == text


def test_strange_servers_and_tools_do_not_fill_the_memory_of_a_gate() -> None:
    """Others may speak of any number; what is known stays known."""
    gate, _ = _gate()
    known = [Closed.of("orders", "search", _LATER), Closed.of("orders", None, _LATER)]
    gate.heard(known[0], 0.0, 30.0)
    for number in range(MOST + 5):
        gate.heard(Closed.of("orders", f"tool{number}", _LATER), 0.0, 30.0)
        gate.heard(Closed.of(f"server{number}", "search", _LATER), 0.0, 30.0)
    assert len(gate._servers) == MOST
    assert len(gate._servers[digest("orders")].lanes) == MOST

    for closed in known:
        gate.heard(closed, 0.0, 40.0)
        ticket = gate.ticket("orders", "search", 0.0, 60.0)
        assert gate.ask(ticket, 0.0, 0.0) == Hold(40.0)
    unknown = gate.ticket("orders", f"tool{MOST + 4}", 0.0, 60.0)
    assert gate.ask(unknown, 0.0, 0.0) == Hold(40.0)


def _budget(capacity: float = 10.0) -> tuple[FleetBudget, _Bell]:
    bell = _Bell()
    return FleetBudget(capacity, tell=bell), bell


def _exchange(fleet: dict[str, float], *budgets: FleetBudget) -> None:
    """Carry the news of each budget to the sum, and the sum back."""
    for budget in budgets:
        for server, spent in budget.news().items():
            fleet[server] = max(0.0, fleet.get(server, 0.0) + spent)
            budget.told(server, spent, fleet[server])


def test_what_one_process_spends_another_has_no_more() -> None:
    """One bucket: ten tokens for both."""
    fleet: dict[str, float] = {}
    one, bell = _budget()
    two, _ = _budget()
    for _ in range(7):
        assert one.take("orders")
    assert bell.rung == 7
    two.heard("orders")

    _exchange(fleet, one, two)

    assert two.left("orders") == 3.0
    assert [two.take("orders") for _ in range(4)] == [True] * 3 + [False]
    assert two.left("elsewhere") == 10.0
    _exchange(fleet, two, one)
    assert not one.take("orders")


def test_successes_of_every_process_fill_it() -> None:
    """A retry that succeeds brings its own token back, others a refund."""
    fleet: dict[str, float] = {}
    one, _ = _budget()
    two, bell = _budget()
    for _ in range(10):
        one.take("orders")
    two.heard("orders")
    _exchange(fleet, one, two)

    two.succeeded("orders", retried=False)
    one.succeeded("orders", retried=True)
    one.give_back("orders")
    _exchange(fleet, one, two)

    assert one.left("orders") == 2.0
    assert two.left("orders") == 3.0
    assert bell.rung == 2


def test_a_full_budget_is_forgotten_and_costs_nothing() -> None:
    """Most processes are well most of the time, and have nothing to tell."""
    fleet: dict[str, float] = {}
    budget, bell = _budget()
    budget.succeeded("orders", retried=False)
    budget.give_back("orders")
    assert (bell.rung, budget.news()) == (0, {})

    budget.take("orders")
    _exchange(fleet, budget)
    budget.succeeded("orders", retried=True)
    budget.succeeded("orders", retried=False)
    assert budget.left("orders") == 10.0
    assert len(budget.news()) == 1
    _exchange(fleet, budget)
    assert budget.news() == {}


def test_what_is_spent_while_the_fleet_is_asked_is_told_the_next_time() -> None:
    """An answer is about what was said, not about what came since."""
    budget, _ = _budget()
    budget.take("orders")
    news = budget.news()
    budget.take("orders")
    (server,) = news

    budget.told(server, news[server], 5.0)

    assert budget.left("orders") == 4.0
    assert budget.news() == {server: 1.0}


def test_strange_servers_do_not_fill_the_memory_of_a_budget() -> None:
    """Others may speak of any number of servers."""
    budget, _ = _budget()
    for number in range(MOST + 5):
        budget.heard(f"server{number}")

    assert len(budget.news()) == MOST
    assert budget.take("a server of our own")
