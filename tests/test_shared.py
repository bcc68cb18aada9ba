"""What the gate is told of, and what it is not."""

import random

from mcpfusion_client.model import ErrorCategory, ErrorInfo, Execution, Origin
from mcpfusion_client.reply import Reply
from mcpfusion_client.retry import RateLimitGate
from mcpfusion_client.sessions.base import Outcome
from mcpfusion_client.shared import Shared
from mcpfusion_client.testing import VirtualClock

_REFUSED = ErrorInfo(
    message="not now",
    category=ErrorCategory.TRANSIENT,
    execution=Execution.NOT_EXECUTED,
    origin=Origin.HTTP,
)


def _held(*, session_gone: bool) -> int:
    """Return how many of 40 calls are held back after each was refused once."""
    shared = Shared(
        server="s",
        gate=RateLimitGate(),
        budget=None,
        clock=VirtualClock(),
        randomness=random.Random(1),  # noqa: S311 - it spreads waits
    )
    tickets = [shared.ticket("tool", 0.0, 60.0, 120.0) for _ in range(40)]
    now = 0.0
    for _ in range(3):
        for ticket in tickets:
            now += 0.3
            if shared.ask(ticket, now) is None:
                outcome = Outcome(failure=_REFUSED, session_gone=session_gone)
                shared.report(ticket, Reply(_REFUSED, outcome=outcome), now)
    return sum(shared.ask(ticket, now) is not None for ticket in tickets)


def test_a_forgotten_session_is_no_sign_of_overload() -> None:
    """After a restart every caller is refused once; none has to wait for it."""
    assert _held(session_gone=True) == 0
    assert _held(session_gone=False) > 0
