"""`RetryPolicy`: the limits of a call, and the one decision they lead to.

Two questions, always in this order: may it be repeated, and is there room. Both
are answered here from arguments alone; the engine only waits.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import attrs

from mcpfusion_client.model import Effects, ErrorInfo, Severity, StopReason
from mcpfusion_client.retry.backoff import JITTERS, Jitter, step_after, wait_range
from mcpfusion_client.retry.decision import Case, Retry, Stop, forbidden, row_for
from mcpfusion_client.retry.patterns import matches, matches_any
from mcpfusion_client.retry.room import Room, refused
from mcpfusion_client.retry.safety import Safety, safety_of
from mcpfusion_client.retry.validation import (
    check_choice,
    check_flag,
    check_number,
    check_whole,
    codes,
)

Unannotated: TypeAlias = Literal["trust_server", "assume_write", "assume_safe"]
"""How a tool is treated about which nobody says what it does."""

_ASSUMED: Mapping[Unannotated, Safety] = {
    "trust_server": Safety.UNDECLARED,
    "assume_write": Safety.WRITE,
    "assume_safe": Safety.HARMLESS,
}


@attrs.frozen(kw_only=True)
class RetryPolicy:
    """How often, how long and under which conditions a failed call is repeated.

    Times are in seconds. ``math.inf`` lifts ``max_retry_after``,
    ``retry_window`` and ``deadline``.

    Attributes:
        enabled: Are failed calls repeated at all?
        max_attempts: The most attempts, the first included.
        base_delay: The back-off step after the first attempt, at most ``max_delay``.
        multiplier: What each step is the last one times.
        max_delay: The largest step; ``"spread"`` may reach 1.5 of it.
        jitter: ``"spread"`` waits half to one and a half steps, ``"full"``
            nothing to one step, ``"none"`` exactly one step. On top of what a
            server asks for, the first two add nothing to one step.
        max_retry_after: The longest wait a server is followed in.
        retry_window: No retry starts this long after the call, or later.
        deadline: Everything ends this long after the call, the running attempt
            included; None is no deadline. Calls can have their own.
        min_attempt: A retry needs at least this much time before the deadline.
        unannotated: How a tool is treated about which nobody says what it does:
            ``"trust_server"`` repeats what the server states is temporary.
        trust_retryable_on_writes: A declared write is repeated when the server
            answered and states that the failure is temporary.
        retry_codes: Codes, or globs of codes, that count as temporary.
        retry_warning_codes: Codes, or globs, of warnings on the success path
            that mean the call has to be sent again.

    Raises:
        ValueError: A number is impossible; the message names field and range.
    """

    enabled: bool = True
    max_attempts: int = 4
    base_delay: float = 0.5
    multiplier: float = 2.0
    max_delay: float = 20.0
    jitter: Jitter = "spread"
    max_retry_after: float = 120.0
    retry_window: float = 120.0
    deadline: float | None = None
    min_attempt: float = 0.0
    unannotated: Unannotated = "trust_server"
    trust_retryable_on_writes: bool = False
    retry_codes: tuple[str, ...] = attrs.field(default=(), converter=codes)
    retry_warning_codes: tuple[str, ...] = attrs.field(default=(), converter=codes)

    def __attrs_post_init__(self) -> None:
        check_flag("enabled", self.enabled)
        check_whole("max_attempts", self.max_attempts, 1)
        check_number("base_delay", self.base_delay, 0.0)
        check_number("multiplier", self.multiplier, 1.0)
        check_number("max_delay", self.max_delay, 0.0)
        check_number("max_retry_after", self.max_retry_after, 0.0, infinite=True)
        check_number("retry_window", self.retry_window, 0.0, infinite=True)
        if self.deadline is not None:
            check_number("deadline", self.deadline, 0.0, infinite=True)
        check_number("min_attempt", self.min_attempt, 0.0)
        check_flag("trust_retryable_on_writes", self.trust_retryable_on_writes)
        check_choice("jitter", self.jitter, JITTERS)
        check_choice("unannotated", self.unannotated, _ASSUMED)
        if self.base_delay > self.max_delay:
            msg = (
                f"base_delay must be at most max_delay ({self.max_delay!r}), "
                f"not {self.base_delay!r}"
            )
            raise ValueError(msg)

    @classmethod
    def off(cls) -> "RetryPolicy":
        """Return a policy that never repeats a call."""
        return cls(enabled=False)

    @staticmethod
    def for_tools(
        tools: Mapping[str, "RetryPolicy"], *, default: "RetryPolicy | None" = None
    ) -> "ToolPolicies":
        """Return policies by tool.

        Args:
            tools: Policies by name or glob, tried in order on the action and on
                the wire name; the first that fits is taken.
            default: The policy of every other tool; None is `RetryPolicy()`.
        """
        return ToolPolicies(
            tools=tuple(tools.items()),
            default=RetryPolicy() if default is None else default,
        )

    def for_call(self, action: str, tool: str) -> "RetryPolicy":
        """Return the policy of one call: this one, whatever the tool."""
        del action, tool
        return self

    def safety(self, effects: Effects) -> Safety:
        """Return what a call with *effects* counts as under `unannotated`."""
        safety = safety_of(effects)
        return _ASSUMED[self.unannotated] if safety is Safety.UNDECLARED else safety

    def is_harmless(self, effects: Effects) -> bool:
        """Does a call with *effects* count as safe to repeat?"""
        return self.safety(effects) is Safety.HARMLESS

    def describe(self) -> str:
        """Return what this policy does, as one paragraph for people."""
        if not self.enabled:
            return "Failed calls are not repeated."
        if self.max_attempts == 1:
            return "A single attempt is made, so failed calls are not repeated."
        return " ".join(
            (
                f"At most {self.max_attempts} attempts are made.",
                _say_what(self),
                *_say_codes(self),
                _say_waits(self),
                *_say_limits(self),
            )
        )

    def decide(
        self,
        info: ErrorInfo,
        effects: Effects,
        *,
        attempt: int,
        elapsed: float,
        jitter: float,
        deadline: float | None = None,
        answered: bool = True,
    ) -> Retry | Stop:
        """Decide what to do after an attempt failed with *info*.

        A function of its arguments only. Of several calls it knows nothing: the
        engine asks the retry budget when this says `Retry`.

        Args:
            info: What the attempt failed with, or a warning it succeeded with.
            effects: What a repeated call would do.
            attempt: The attempt that just ended, counted from 1.
            elapsed: Seconds since the call started.
            jitter: A number in [0, 1); the waits are spread evenly over it.
            deadline: Seconds from the call's start; None is the policy's own,
                ``math.inf`` lifts it.
            answered: Did the server itself answer? False for our own timer, a
                lost connection and a request that was never sent.

        Returns:
            `Retry` with the seconds to wait, or `Stop`.

        Raises:
            ValueError: A number is impossible.
        """
        _check_arguments(attempt, elapsed, jitter, deadline)
        case = self._case(info, effects, answered=answered)
        row = row_for(case)
        stop = forbidden(case, row)
        if stop is not None:
            return stop if info.severity is not Severity.WARNING else _done(attempt)
        room = self._room(info, attempt=attempt, elapsed=elapsed, deadline=deadline)
        check = refused(room)
        if check is not None:
            return Stop(check.reason, why=check.why)
        return Retry(room.delay(jitter), row.name, why=row.why)

    def _case(self, info: ErrorInfo, effects: Effects, *, answered: bool) -> Case:
        safety = self.safety(effects)
        named = (
            self.retry_warning_codes
            if info.severity is Severity.WARNING
            else self.retry_codes
        )
        return Case(
            info=info,
            safety=safety,
            named=info.code is not None and matches_any(named, info.code),
            believed=answered
            and (safety is Safety.UNDECLARED or self.trust_retryable_on_writes),
        )

    def _room(
        self, info: ErrorInfo, *, attempt: int, elapsed: float, deadline: float | None
    ) -> Room:
        # A hint of 0 is no floor, and no licence to spin either.
        hint = info.retry_after or None
        step = step_after(
            attempt,
            base_delay=self.base_delay,
            multiplier=self.multiplier,
            max_delay=self.max_delay,
        )
        own = math.inf if self.deadline is None else self.deadline
        return Room(
            enabled=self.enabled,
            hint=hint,
            max_hint=self.max_retry_after,
            attempt=attempt,
            max_attempts=self.max_attempts,
            elapsed=elapsed,
            wait=wait_range(hint, step, self.jitter),
            window=self.retry_window,
            deadline=own if deadline is None else deadline,
            min_attempt=self.min_attempt,
        )


@attrs.frozen(kw_only=True)
class ToolPolicies:
    """Retry policies by tool; made by `RetryPolicy.for_tools`.

    Attributes:
        tools: Pairs of a name or glob and its policy; the first that fits.
        default: The policy of every other tool.
    """

    tools: tuple[tuple[str, RetryPolicy], ...]
    default: RetryPolicy

    def __attrs_post_init__(self) -> None:
        for name, policy in (*self.tools, ("default", self.default)):
            _check_policy(name, policy)

    def for_call(self, action: str, tool: str) -> RetryPolicy:
        """Return the policy of one call.

        Args:
            action: The canonical dotted path.
            tool: The wire name.
        """
        for pattern, policy in self.tools:
            if matches(pattern, action, tool):
                return policy
        return self.default

    def describe(self) -> str:
        """Return what these policies do, one paragraph each, for people."""
        named = (*self.tools, ("every other tool", self.default))
        return "\n".join(f"{name}: {policy.describe()}" for name, policy in named)


def _check_policy(name: str, policy: object) -> None:
    if not isinstance(policy, RetryPolicy):
        msg = f"the policy of {name!r} must be a RetryPolicy, not {policy!r}"
        raise TypeError(msg)


def _done(attempt: int) -> Stop:
    """A warning rides on a success, and a success is never repeated."""
    return Stop(StopReason.FIRST_TRY if attempt == 1 else StopReason.RETRIED)


def _check_arguments(
    attempt: int, elapsed: float, jitter: float, deadline: float | None
) -> None:
    check_whole("attempt", attempt, 1)
    check_number("elapsed", elapsed, 0.0)
    if deadline is not None:
        check_number("deadline", deadline, 0.0, infinite=True)
    if not 0.0 <= jitter < 1.0:
        msg = f"jitter must be in [0, 1), not {jitter!r}"
        raise ValueError(msg)


_SAY_UNDECLARED: Mapping[Unannotated, str] = {
    "trust_server": "a tool nobody describes is believed when its server states that "
    "a failure is temporary",
    "assume_write": "a tool nobody describes counts as a write",
    "assume_safe": "a tool nobody describes counts as harmless",
}
_SAY_JITTER: Mapping[Jitter, str] = {
    "spread": ", each times 0.5 to 1.5",
    "full": ", each times 0 to 1",
    "none": "",
}


def _say_what(policy: RetryPolicy) -> str:
    writes = (
        ", or when the server answers and states that the failure is temporary"
        if policy.trust_retryable_on_writes
        else ""
    )
    return (
        "A call that did not run is repeated when the failure is temporary; one that "
        "may have run only when it is harmless (read-only, idempotent, or with an "
        f"idempotency key){writes}; {_SAY_UNDECLARED[policy.unannotated]}."
    )


def _say_codes(policy: RetryPolicy) -> Iterator[str]:
    if policy.retry_codes:
        yield f"The codes {', '.join(policy.retry_codes)} count as temporary."
    if policy.retry_warning_codes:
        warnings = " or ".join(policy.retry_warning_codes)
        yield f"A success with the warning {warnings} counts as a temporary failure."


def _say_waits(policy: RetryPolicy) -> str:
    steps = [
        step_after(
            attempt,
            base_delay=policy.base_delay,
            multiplier=policy.multiplier,
            max_delay=policy.max_delay,
        )
        for attempt in range(1, min(policy.max_attempts, _STEPS_SHOWN + 1))
    ]
    listed = ", ".join(f"{step:g} s" for step in steps)
    more = (
        f" and so on up to {policy.max_delay:g} s"
        if policy.max_attempts > _STEPS_SHOWN + 1
        else ""
    )
    extra = "" if policy.jitter == "none" else " and up to one step more"
    return (
        f"The waits are {listed}{more}{_SAY_JITTER[policy.jitter]}; a server that "
        f"asks for a wait gets it in full{extra}."
    )


_STEPS_SHOWN = 5


def _say_limits(policy: RetryPolicy) -> Iterator[str]:
    if math.isfinite(policy.max_retry_after):
        yield (
            "The call fails at once when the server asks for more than "
            f"{policy.max_retry_after:g} s."
        )
    if math.isfinite(policy.retry_window):
        yield f"No retry starts {policy.retry_window:g} s after the call, or later."
    if policy.deadline is not None and math.isfinite(policy.deadline):
        needs = (
            f"; a retry needs {policy.min_attempt:g} s of it"
            if policy.min_attempt
            else ""
        )
        yield f"Everything ends {policy.deadline:g} s after the call{needs}."
