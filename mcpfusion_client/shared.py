"""The gate and the budget that calls share, as one engine uses them.

They decide, told the time; here is waited for what they say.
"""

import random
from collections.abc import Callable

import anyio
import attrs

from mcpfusion_client.clock import Clock
from mcpfusion_client.reply import Reply
from mcpfusion_client.retry.budget import RetryBudget
from mcpfusion_client.retry.gate import RateLimitGate
from mcpfusion_client.retry.ticket import Go, Hold, Refused, Ticket


@attrs.frozen(kw_only=True, eq=False)
class Shared:
    """What the calls of one connection share.

    Attributes:
        server: Whose calls they are.
        gate: Holds calls back, None: nothing does.
        budget: Pays for retries, None: they are free.
        clock: Time, as seen by every wait.
        randomness: Spreads the waits.
    """

    server: str
    gate: RateLimitGate | None
    budget: RetryBudget | None
    clock: Clock
    randomness: random.Random

    def ticket(
        self, tool: str, now: float, room: float, max_retry_after: float
    ) -> Ticket | None:
        """Return a call's ticket, None when there is no gate.

        Args:
            tool: The wire name.
            now: The time.
            room: Seconds the call may wait in all.
            max_retry_after: The longest hint that it follows.
        """
        if self.gate is None:
            return None
        return self.gate.ticket(
            self.server, tool, now, room, max_retry_after=max_retry_after
        )

    def ask(self, ticket: Ticket | None, now: float) -> Hold | Refused | None:
        """Ask the gate to let a call go; None: it does."""
        if self.gate is None or ticket is None:
            return None
        answer = self.gate.ask(ticket, now, self.randomness.random())
        return None if isinstance(answer, Go) else answer

    async def wait(
        self,
        ticket: Ticket | None,
        answer: Hold | Refused,
        tell: Callable[[float | None], None],
    ) -> Refused | None:
        """Wait until the gate lets a call go; return why it never will.

        Args:
            ticket: The call's.
            answer: What the gate said when it was asked.
            tell: Told once of the wait: the seconds, None when nobody knows.
        """
        held: Hold | Refused | None = answer
        if isinstance(held, Hold):
            tell(None if held.until_woken else held.seconds)
        while isinstance(held, Hold):
            awake = anyio.Event()
            if ticket is not None:
                ticket.wake = awake.set
            with self.clock.timeout(held.seconds):
                await awake.wait()
            held = self.ask(ticket, self.clock.monotonic())
        return held

    def report(self, ticket: Ticket | None, reply: Reply, now: float) -> None:
        """Tell the gate what became of an attempt."""
        if self.gate is None or ticket is None:
            return
        failure = reply.failure
        if reply.outcome is None or reply.outcome.session_gone:
            self.gate.abandoned(ticket, now)
        elif failure is None:
            self.gate.succeeded(ticket, now)
        else:
            self.gate.failed(ticket, failure, now)

    def pay(self) -> bool:
        """Take a token for a retry; False: there is none."""
        return self.budget is None or self.budget.take(self.server)

    def earn(self, *, retried: bool) -> None:
        """Count a success."""
        if self.budget is not None:
            self.budget.succeeded(self.server, retried=retried)

    def let_go(self, ticket: Ticket | None, *, owes_token: bool) -> None:
        """Take back what a call still holds that ends or is cancelled."""
        if self.gate is not None and ticket is not None:
            self.gate.abandoned(ticket, self.clock.monotonic())
        if self.budget is not None and owes_token:
            self.budget.give_back(self.server)
