"""One owner of retries: what an inner engine gave up on, an outer one lets be.

A tool may itself call tools through this package, in the same process. The inner
engine notes here what it gave up on while an attempt of the outer one is running.
"""

from contextvars import ContextVar

import attrs

from mcpfusion_client.errors import TransientError, class_for
from mcpfusion_client.model import ErrorCategory, ErrorInfo, StopReason
from mcpfusion_client.retry import Retry, Stop


@attrs.frozen
class GivenUp:
    """A failure that an inner engine has given up on.

    Attributes:
        code: The code of the failure.
        family: Its coarse category.
        reason: Why the inner engine did not repeat it.
    """

    code: str | None
    family: ErrorCategory
    reason: StopReason

    def led_to(self, error: ErrorInfo) -> bool:
        """Is *error* what came of it?"""
        return self.code == error.code or self.family is error.category.family


given_up_here: ContextVar[list[GivenUp] | None] = ContextVar(
    "mcpfusion_given_up", default=None
)
"""Where inner engines note what they gave up on, during an attempt of an outer one."""


def give_up(error: ErrorInfo, reason: StopReason) -> None:
    """Tell the outer engine, if there is one, what was given up on."""
    outer = given_up_here.get()
    # Whoever has its retries switched off leaves them to the outer engine.
    if outer is not None and reason is not StopReason.RETRY_DISABLED:
        outer.append(GivenUp(error.code, error.category.family, reason))


def yielding(
    decision: Retry | Stop,
    error: ErrorInfo,
    given_up: list[GivenUp],
    *,
    harmless: bool,
) -> Retry | Stop:
    """Return *decision*, or a stop for the reason of the inner engine.

    Args:
        decision: What this engine would do on its own.
        error: What its attempt failed with.
        given_up: What inner engines gave up on during that attempt.
        harmless: The call of this engine counts as safe to repeat.
    """
    reason = next((each.reason for each in given_up if each.led_to(error)), None)
    if reason is None:
        return decision
    if isinstance(decision, Retry):
        return Stop(reason)
    theirs = class_for(error, reason, harmless=harmless)
    ours = class_for(error, decision.reason, harmless=harmless)
    if issubclass(theirs, TransientError) > issubclass(ours, TransientError):
        # Their reason would promise that this call may be sent again.
        return decision
    return attrs.evolve(decision, reason=reason)
