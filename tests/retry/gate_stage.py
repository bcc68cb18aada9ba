"""Calls at a gate, told the time by the test."""

from collections.abc import Callable

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
)
from mcpfusion_client.retry import Go, Hold, RateLimitGate, Refused, Ticket

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
