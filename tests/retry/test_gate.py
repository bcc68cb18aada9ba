"""The gate by itself: who is held back by whom, and for how long."""

from collections.abc import Mapping

import attrs
import pytest

from mcpfusion_client.model import (
    ErrorInfo,
    HttpEvidence,
    Origin,
    StopReason,
)
from mcpfusion_client.retry import Go, Hold, RateLimitGate, Refused
from mcpfusion_client.retry.drain import Cause
from mcpfusion_client.retry.gate import SPREAD
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


@pytest.mark.parametrize(
    ("info", "cause"),
    [(LATER, Cause.QUOTA), (attrs.evolve(BUSY, retry_after=10.0), Cause.CLOSED)],
)
def test_a_quota_that_ran_out_is_told_from_a_busy_server(
    info: ErrorInfo, cause: Cause
) -> None:
    """A new quota is there all at once."""
    gate = closed(info)

    assert gate._servers["s"].lanes["t"].window.drain._cause is cause


@pytest.mark.parametrize(("hint", "counted"), [(SPREAD, 1.0), (SPREAD + 0.1, 0.0)])
def test_a_short_hint_is_a_refusal_like_any_other(hint: float, counted: float) -> None:
    """After a longer one the window is half open, which is answer enough."""
    gate = closed(attrs.evolve(LATER, retry_after=hint), now=1.0)

    assert gate._servers["s"].lanes["t"].window._rejections == counted


# -- what is forgotten


def _known(gate: RateLimitGate, what: str) -> Mapping[str, object]:
    return gate._servers if what == "server" else gate._servers["s"].lanes


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
        assert len(_known(gate, what)) <= 256

    known = _known(gate, what)
    assert len(known) > 128
    assert "599" in known
    assert isinstance(asked(gate, 1.0)[1], Hold)
