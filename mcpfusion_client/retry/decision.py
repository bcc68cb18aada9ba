"""May a failed call be repeated: the decision table, as data.

The first row that fits decides. Nothing here sleeps, draws a number or reads a
clock, so every decision can be replayed from its arguments; the documentation
page is written from the same rows.
"""

import enum
from collections.abc import Callable, Mapping

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    NextStep,
    Origin,
    Severity,
    SideEffects,
    StopReason,
)
from mcpfusion_client.retry.safety import Safety


@attrs.frozen
class Retry:
    """Send the call again.

    Attributes:
        delay: Seconds to wait first.
        reason: The row of the decision table that permits it.
        why: The same for people.
    """

    delay: float
    reason: str
    why: str = attrs.field(default="", kw_only=True, eq=False)


@attrs.frozen
class Stop:
    """Do not send the call again.

    Attributes:
        reason: Why not.
        next_step: What the caller should do instead, where only the decision
            can know: `NextStep.VERIFY_STATE` when the call may have taken
            effect. Belongs on `ErrorInfo.advice`.
        why: The reason for people.
    """

    reason: StopReason
    next_step: NextStep | None = attrs.field(default=None, kw_only=True)
    why: str = attrs.field(default="", kw_only=True, eq=False)


class Repeat(enum.StrEnum):
    """What a row of the decision table says; the value is for people."""

    NEVER = "never"
    ALWAYS = "yes, every tool"
    IF_BELIEVED = (
        "yes if the call did not run or is harmless; a declared write only with "
        "`trust_retryable_on_writes` and an answer from the server; "
        "else `unannotated` decides"
    )
    IF_HARMLESS = "only if harmless"


@attrs.frozen(kw_only=True)
class Case:
    """Everything the decision table looks at.

    Attributes:
        info: The failure, or a warning on the success path.
        safety: What sending the call twice would do; never ``UNDECLARED`` when
            the policy assumes one or the other.
        named: The caller named this code as one to repeat.
        believed: The server's word is enough for a call that is not harmless.
    """

    info: ErrorInfo
    safety: Safety
    named: bool
    believed: bool

    @property
    def execution(self) -> Execution:
        """Did the tool run? Cautiously: side effects say that it may have.

        So does a declared write whose failure is known to be temporary from its
        sentences alone: "saved, but the mail was rate limited" reads the same.
        """
        stated = self.info.execution
        if stated is not Execution.NOT_EXECUTED:
            success = self.info.severity is Severity.WARNING
            return Execution.EXECUTED if success else stated
        if self.info.side_effects in _MAY_HAVE_RUN:
            return Execution.UNKNOWN
        if self.safety is Safety.WRITE and is_only_told(self.info):
            return Execution.UNKNOWN
        return stated

    @property
    def family(self) -> ErrorCategory:
        """The coarse category."""
        return self.info.category.family


_MAY_HAVE_RUN = frozenset({SideEffects.SOME, SideEffects.UNKNOWN})
_STATEMENTS = frozenset({"category", "execution", "is_retryable", "retry_after"})


def is_only_told(info: ErrorInfo) -> bool:
    """Do nothing but a tool's sentences say that *info* is temporary?"""
    return (
        info.category.family is ErrorCategory.TRANSIENT
        and info.origin is Origin.TOOL
        and info.code is None
        and info.http is None
        and info.stated.isdisjoint(_STATEMENTS)
    )


def _is_believed(case: Case) -> bool:
    return (
        case.execution is Execution.NOT_EXECUTED
        or case.safety is Safety.HARMLESS
        or (case.believed and case.execution is Execution.UNKNOWN)
    )


_PERMITS: Mapping[Repeat, Callable[[Case], bool]] = {
    Repeat.NEVER: lambda _case: False,
    Repeat.ALWAYS: lambda _case: True,
    Repeat.IF_BELIEVED: _is_believed,
    Repeat.IF_HARMLESS: lambda case: case.safety is Safety.HARMLESS,
}


@attrs.frozen(kw_only=True)
class Row:
    """One row of the decision table.

    Attributes:
        name: A short name; `Retry.reason` when the row permits a repeat.
        outcome: What it is about, for people.
        repeat: What it says.
        stop: The reason when the row forbids a repeat outright.
        why: Why it says so, for people.
        fits: Is this the row for a case?
    """

    name: str
    outcome: str
    repeat: Repeat
    stop: StopReason = StopReason.NOT_RETRYABLE
    why: str
    fits: Callable[[Case], bool] = attrs.field(repr=False, eq=False)


IDEMPOTENCY_IN_FLIGHT = "IDEMPOTENCY_IN_FLIGHT"
"""The code of a server that is still working on a call with the same key."""

PERMANENT = frozenset(
    {
        ErrorCategory.VALIDATION,
        ErrorCategory.PERMISSION,
        ErrorCategory.BUSINESS,
        ErrorCategory.NOT_FOUND,
        ErrorCategory.CONFLICT,
        ErrorCategory.CANCELLED,
    }
)
"""Families that the same call cannot get past."""

# Codes without letter case and punctuation, for "the server broke, in the middle
# of something": INTERNAL_ERROR, InternalServerError, -32603, HTTP_500 and so on.
_CRASH_CODES = frozenset(
    {
        "INTERNAL",
        "INTERNALERROR",
        "INTERNALFAILURE",
        "INTERNALSERVERERROR",
        "32603",
        "HTTP500",
        "BADRESPONSE",
        "CONNECTIONLOST",
        "TIMEOUT",
    }
)
_SERVER_BROKE = 500


def says_no(info: ErrorInfo) -> bool:
    """Does the server state that the same call must not be sent again?"""
    if info.is_retryable is False and "is_retryable" in info.stated:
        return True
    return info.stated_next_step not in {None, NextStep.RETRY}


def says_temporary(info: ErrorInfo) -> bool:
    """Does the server state that the failure is temporary?

    A flag, a transient category, a hint and a retry label weigh the same. Where the
    server speaks of repeating itself, if only to say that it does not know whether
    that helps, the category says no more about it.
    """
    flagged = "is_retryable" in info.stated
    return (
        (flagged and info.is_retryable is True)
        or (
            info.category.family is ErrorCategory.TRANSIENT
            and "category" in info.stated
            and not flagged
        )
        or (info.retry_after is not None and "retry_after" in info.stated)
        or info.stated_next_step is NextStep.RETRY
    )


def _broke(case: Case) -> bool:
    info = case.info
    if case.family is ErrorCategory.TRANSIENT:
        return True
    if case.execution is Execution.EXECUTED:
        return False
    if case.family is ErrorCategory.PROTOCOL:
        return case.execution is Execution.UNKNOWN
    code = "".join(char for char in (info.code or "").upper() if char.isalnum())
    return code in _CRASH_CODES or (
        info.http is not None and info.http.status == _SERVER_BROKE
    )


TABLE: tuple[Row, ...] = (
    Row(
        name="success",
        outcome="success, warnings and empty answers included "
        "(`retry_warning_codes` names exceptions)",
        repeat=Repeat.NEVER,
        stop=StopReason.FIRST_TRY,
        why="The call has done what it was sent for.",
        fits=lambda case: case.info.severity is Severity.WARNING and not case.named,
    ),
    Row(
        name="critical",
        outcome="severity `critical`",
        repeat=Repeat.NEVER,
        stop=StopReason.CRITICAL,
        why="A person has to look at it, whatever else the server says.",
        fits=lambda case: case.info.severity is Severity.CRITICAL,
    ),
    Row(
        name="server_said_no",
        outcome="stated as not retryable: `isRetryable: false`, or a retry label "
        "that asks for something else",
        repeat=Repeat.NEVER,
        stop=StopReason.SERVER_SAID_NO,
        why="The server knows more about the failure than its category tells.",
        fits=lambda case: says_no(case.info),
    ),
    Row(
        name="key_in_flight",
        outcome=f"stated code `{IDEMPOTENCY_IN_FLIGHT}`",
        repeat=Repeat.ALWAYS,
        why="The server is still working on a call with this idempotency key and "
        "refused this one; the same key gets the answer later.",
        fits=lambda case: (
            case.info.code == IDEMPOTENCY_IN_FLIGHT and "code" in case.info.stated
        ),
    ),
    Row(
        name="words_say_no",
        outcome="transient or rate limited, and its words, or two places that "
        "disagree, speak against a repeat: `is_retryable` False, inferred",
        repeat=Repeat.NEVER,
        why="Nobody stated it, so it permits nothing; to forbid, words are enough.",
        fits=lambda case: (
            case.family is ErrorCategory.TRANSIENT
            and case.info.is_retryable is False
            and not case.named
        ),
    ),
    Row(
        name="rejected",
        outcome="transient or rate limited, and the tool did not run: "
        "`RATE_LIMITED`, `SERVER_BUSY`, HTTP 429, HTTP 503 with a hint, "
        "connection refused, session gone",
        repeat=Repeat.ALWAYS,
        why="Nothing happened yet, so sending it again is the first time.",
        fits=lambda case: (
            case.family is ErrorCategory.TRANSIENT
            and case.execution is Execution.NOT_EXECUTED
        ),
    ),
    Row(
        name="stated_temporary",
        outcome="the server states that it is temporary (`isRetryable: true`, a "
        "transient category, `retry_after`, a retry label), or the code is in "
        "`retry_codes`",
        repeat=Repeat.IF_BELIEVED,
        why="A statement that it will work later is no statement that it is safe "
        "to do twice.",
        fits=lambda case: case.named or says_temporary(case.info),
    ),
    Row(
        name="permanent",
        outcome="validation, permission, business, not found, conflict, cancelled; "
        "protocol errors of calls that did not run",
        repeat=Repeat.NEVER,
        why="The same call gets the same answer.",
        fits=lambda case: (
            case.family in PERMANENT
            or (
                case.family is ErrorCategory.PROTOCOL
                and case.execution is Execution.NOT_EXECUTED
            )
        ),
    ),
    Row(
        name="outcome_unknown",
        outcome="transient and the tool may have run, `INTERNAL_ERROR`, -32603, "
        "HTTP 500, an unreadable reply, no answer in time, a lost connection",
        repeat=Repeat.IF_HARMLESS,
        why="Nobody knows whether the call took effect.",
        fits=_broke,
    ),
    Row(
        name="unclassified",
        outcome="anything else",
        repeat=Repeat.NEVER,
        why="Without evidence that it is temporary, a repeat is only load.",
        fits=lambda _case: True,
    ),
)
"""The decision table; the first row that fits decides."""


def row_for(case: Case) -> Row:
    """Return the row of `TABLE` that decides *case*."""
    return next(row for row in TABLE if row.fits(case))


def forbidden(case: Case, row: Row) -> Stop | None:
    """Return why *row* forbids to repeat *case*, or None when it permits it."""
    if _PERMITS[row.repeat](case):
        return None
    if row.repeat is Repeat.NEVER:
        return Stop(row.stop, why=row.why)
    if case.execution is Execution.NOT_EXECUTED:
        return Stop(StopReason.NOT_RETRYABLE, why=row.why)
    reason = (
        StopReason.UNKNOWN_OUTCOME_WRITE
        if case.execution is Execution.UNKNOWN
        else StopReason.NOT_RETRYABLE
    )
    return Stop(reason, next_step=NextStep.VERIFY_STATE, why=row.why)
