"""Decisions in words: what the client did about a failure, and why."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from mcpfusion_client.model import (
    Attempt,
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    NextStep,
    Origin,
    StopReason,
)
from mcpfusion_client.model.text import one_line

_STOPPED: Mapping[StopReason, str] = {
    StopReason.FIRST_TRY: "worked at once",
    StopReason.RETRIED: "sent again, then it worked",
    StopReason.CRITICAL: "not repeated: critical, a person has to look",
    StopReason.SERVER_SAID_NO: "not repeated: the server says it is no use",
    StopReason.NOT_RETRYABLE: "not repeated: the same call would fail again",
    StopReason.UNKNOWN_OUTCOME_WRITE: "not repeated: it may have run, "
    "and a repeat could do it twice",
    StopReason.RETRY_DISABLED: "not repeated: retries are off",
    StopReason.RETRY_AFTER_TOO_LONG: "not repeated: the wait asked for is too long",
    StopReason.ATTEMPTS_EXHAUSTED: "given up: every attempt is used",
    StopReason.DEADLINE_TOO_SHORT: "not repeated: the wait does not fit the deadline",
    StopReason.BUDGET_EXHAUSTED: "not repeated: too many calls are failing",
    StopReason.GATE_DEADLINE: "not sent: the server asked for a longer wait",
    StopReason.BLOCKED: "blocked by a rule",
    StopReason.ESCALATED: "a rule wants a person to decide",
}

_NEXT: Mapping[NextStep, str] = {
    NextStep.RETRY: "send it again",
    NextStep.FIX_ARGUMENTS: "fix the arguments",
    NextStep.LOOK_UP_CANDIDATES: "look up candidates",
    NextStep.REAUTHENTICATE: "sign in again",
    NextStep.VERIFY_STATE: "look whether it ran",
    NextStep.EXPLAIN_POLICY: "explain the rule",
    NextStep.USE_OTHER_TOOL: "use another tool",
    NextStep.ESCALATE: "ask a person",
    NextStep.GIVE_UP: "give up",
}


_UNCLEAR: Final = (
    "not repeated: without evidence that it is temporary, a repeat is only load"
)


def decision(reason: StopReason, category: ErrorCategory | None = None) -> str:
    """Return what ended a call, in words.

    Args:
        reason: Why there was no further attempt.
        category: Of the failure; nobody knows of an unknown one that it would come
            again.
    """
    unclear = category is not None and category.family is ErrorCategory.UNKNOWN
    if unclear and reason is StopReason.NOT_RETRYABLE:
        return _UNCLEAR
    return _STOPPED[reason]


_OPTION = re.compile("`(timeout|connect_timeout|deadline)=`")


def message_of(info: ErrorInfo) -> str:
    """Return the message; one that this client made names options as they are here."""
    if info.origin not in (Origin.CLIENT, Origin.TRANSPORT):
        return info.message
    return _OPTION.sub(
        lambda found: f"--{found.group(1).replace('_', '-')}", info.message
    )


def next_step(step: NextStep) -> str:
    """Return what the caller should do, in words."""
    return _NEXT[step]


def waits(attempts: Sequence[Attempt]) -> str:
    """Return the seconds waited between attempts, or a dash."""
    delays = [attempt.delay for attempt in attempts if attempt.delay is not None]
    return " + ".join(f"{delay:.2f} s" for delay in delays) or "-"


def unreadable(error: OSError | ValueError) -> str:
    """Return why a file cannot be read; its name is the caller's to say, once."""
    why = error.strerror if isinstance(error, OSError) else None
    return f"cannot be read: {why or error}"


_RAN: Mapping[Execution, str] = {
    Execution.NOT_EXECUTED: "no",
    Execution.UNKNOWN: "nobody knows: it may have",
    Execution.EXECUTED: "yes",
}


def execution(ran: Execution) -> str:
    """Return whether a tool ran, in words."""
    return _RAN[ran]


def failure(info: ErrorInfo) -> str:
    """Return what failed, in a few words: code or category, and the message."""
    name = code_or_category(info)
    message = one_line(message_of(info), 120)
    return f"{name}: {message}" if message else name


def code_or_category(info: ErrorInfo) -> str:
    """Return the shortest name of a failure."""
    return one_line(info.code or info.category.value, 60)


def effects(tool: Effects) -> str:
    """Return what a call of a tool would do, in words."""
    words = [word for holds, word in _effect_words(tool) if holds]
    return ", ".join(words) or "effects not declared"


def _effect_words(tool: Effects) -> tuple[tuple[bool, str], ...]:
    return (
        (tool.read_only is True, "read-only"),
        (tool.read_only is False, "writes"),
        (tool.destructive is True and tool.read_only is not True, "destructive"),
        (tool.idempotent is True and tool.read_only is not True, "idempotent"),
        (tool.idempotency_argument is not None, "takes an idempotency key"),
    )
