"""The package's own retry policy, gate and budget, for the storm simulator.

The simulator plays many processes that call one server whose capacity dips. It
asks a policy before every attempt and after every end; this one hands each
question to the objects a client uses, with their default settings. Nothing is
decided here.
"""

import math
import random
from collections import deque
from typing import Protocol

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    Origin,
)
from mcpfusion_client.retry import (
    Go,
    Hold,
    RateLimitGate,
    Retry,
    RetryBudget,
    RetryPolicy,
    Ticket,
)

_SERVER, _TOOL = "server", "tool"
_READ = Effects(idempotent=True)
_WRITE = Effects(read_only=False)


class Call(Protocol):
    """A call as the simulator shows it."""

    attempt: int
    started: float
    deadline: float
    idempotent: bool
    state: dict[str, Ticket]


class Failure(Protocol):
    """A failed attempt as the simulator shows it."""

    kind: str
    code: str
    retry_after: float | None


class Policy:
    """One process: what its calls share, and what each of them decides."""

    name = "mcpfusion-client"
    lifo = True  # the gate wakes the newest first
    parked = 0

    def __init__(self, rng: random.Random) -> None:
        self.random = rng
        self.policy = RetryPolicy()
        self.gate = RateLimitGate()
        self.budget = RetryBudget()
        self.open: deque[Ticket] = deque()

    def before_attempt(self, call: Call, now: float) -> float | None:
        """Return 0 to send, seconds to wait, inf to be woken, None to give up."""
        self._expire(now)
        ticket = call.state.get("ticket")
        if ticket is None:
            room = call.deadline - now
            ticket = self.gate.ticket(_SERVER, _TOOL, now, room)
            call.state["ticket"] = ticket
            self.open.append(ticket)
        answer = self.gate.ask(ticket, now, self.random.random())
        if isinstance(answer, Go):
            return 0.0
        if isinstance(answer, Hold):
            return math.inf if answer.until_woken else answer.seconds
        if call.attempt:
            self.budget.give_back(_SERVER)
        return None

    def after_success(self, call: Call, now: float) -> None:
        """Tell gate and budget."""
        self.gate.succeeded(call.state["ticket"], now)
        self.budget.succeeded(_SERVER, retried=call.attempt > 1)

    def after_failure(self, call: Call, failure: Failure, now: float) -> float | None:
        """Return the delay before the next attempt, None to give up."""
        info = _info(failure)
        self.gate.failed(call.state["ticket"], info, now)
        decision = self.policy.decide(
            info,
            _READ if call.idempotent else _WRITE,
            attempt=call.attempt,
            elapsed=now - call.started,
            jitter=self.random.random(),
            deadline=call.deadline - call.started,
            answered=failure.kind == "rejected",
        )
        if isinstance(decision, Retry) and self.budget.take(_SERVER):
            return decision.delay
        return None

    def _expire(self, now: float) -> None:
        """Give up what the simulator ended at its deadline without a word."""
        while self.open and self.open[0].until <= now:
            self.gate.abandoned(self.open.popleft(), now)


def _info(failure: Failure) -> ErrorInfo:
    limited = failure.code == "RATE_LIMITED"
    rejected = failure.kind == "rejected"
    return ErrorInfo(
        message="",
        code=failure.code,
        category=ErrorCategory.RATE_LIMITED if limited else ErrorCategory.TRANSIENT,
        is_retryable=True,
        retry_after=failure.retry_after,
        stated=frozenset({"retry_after"} if failure.retry_after is not None else ()),
        execution=Execution.NOT_EXECUTED if rejected else Execution.UNKNOWN,
        origin=Origin.TOOL if rejected else Origin.TRANSPORT,
    )
