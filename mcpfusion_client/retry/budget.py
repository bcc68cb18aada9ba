"""How many retries a process may waste on a server.

A retry that succeeds costs nothing, so only futile ones drain the budget. It
needs no clock: answers refill it.
"""

import attrs

from mcpfusion_client.retry.validation import check_number


@attrs.define(eq=False)
class RetryBudget:
    """Tokens for retries, per server.

    A retry takes one token and brings it back when it succeeds; every other
    success brings *refund*. First attempts are always allowed. The engine
    calls, for one logical call::

        if not budget.take(server):
            stop, BUDGET_EXHAUSTED  # before a retry
        budget.give_back(server)  # that retry was never sent
        budget.succeeded(server, retried=...)  # the call succeeded

    Attributes:
        capacity: The most tokens, and how many there are at first.
        refund: Tokens for a success at the first attempt.
    """

    capacity: float = attrs.field(default=50.0)
    refund: float = attrs.field(default=1.0)
    _tokens: dict[str, float] = attrs.field(factory=dict[str, float], init=False)

    def __attrs_post_init__(self) -> None:
        check_number("capacity", self.capacity, 0.0, infinite=True)
        check_number("refund", self.refund, 0.0)

    def left(self, server: str) -> float:
        """Return the tokens there are for *server*."""
        return self._tokens.get(server, self.capacity)

    def take(self, server: str) -> bool:
        """Take a token for a retry; False, and nothing taken, when there is none."""
        left = self.left(server)
        if left < 1.0:
            return False
        self._tokens[server] = left - 1.0
        return True

    def give_back(self, server: str) -> None:
        """Return the token of a retry that was never sent, or was cancelled."""
        self._add(server, 1.0)

    def succeeded(self, server: str, *, retried: bool) -> None:
        """Count a success.

        Args:
            server: Whose.
            retried: It was not the first attempt, so it brings its token back.
        """
        self._add(server, 1.0 if retried else self.refund)

    def _add(self, server: str, tokens: float) -> None:
        if server not in self._tokens:
            return
        left = self._tokens[server] + tokens
        if left >= self.capacity:
            # A full budget is the default, so memory holds only troubled servers.
            del self._tokens[server]
        else:
            self._tokens[server] = left
