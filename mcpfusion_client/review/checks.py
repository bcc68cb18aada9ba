"""What an error must tell an agent; each check looks at one decoded failure.

A check gives None when it does not apply. *Partly* is for what a careful reader can
guess but nobody stated.
"""

import re

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    NextStep,
    Severity,
    SideEffects,
)
from mcpfusion_client.model.json import is_sequence
from mcpfusion_client.retry.safety import Safety, safety_of
from mcpfusion_client.review.failure import Failure
from mcpfusion_client.review.verdict import BAD, GOOD, Note, Verdict, bad, partly
from mcpfusion_client.review.words import (
    advises,
    empty_answer,
    gives_a_cause,
    is_prose,
    names_a_lookup,
    names_an_argument,
    shows_a_value,
    tells_nothing,
)

_CANONICAL = frozenset(code.value.replace("_", "") for code in ErrorCode)
_NO_LETTERS = re.compile(r"[^A-Z]")
_NEVER_AS_IT_IS = frozenset(
    {ErrorCategory.VALIDATION, ErrorCategory.PERMISSION, ErrorCategory.BUSINESS}
)
_VAGUE = frozenset({ErrorCategory.UNKNOWN, ErrorCategory.OTHER})


def error_flag(failure: Failure) -> Note | None:
    """A failure is sent with ``isError: true``."""
    return BAD if failure.disguised else None


def category(failure: Failure) -> Note:
    """The kind of failure is a word, not a guess."""
    info = failure.info
    if "category" in info.stated:
        if info.category is ErrorCategory.UNKNOWN:
            return partly("the category says that it is unknown")
        if info.category is ErrorCategory.OTHER and _says_only_other(info):
            return partly("other, without a detail")
        return GOOD
    code = _NO_LETTERS.sub("", (info.code or "").upper())
    if code in _CANONICAL:
        return GOOD
    if info.category in _VAGUE:
        return BAD
    return partly(f"only to be guessed: {info.category.value}")


def _says_only_other(info: ErrorInfo) -> bool:
    return (info.category_detail or "other").lower() == "other" and not info.details


def retry_word(failure: Failure) -> Note:
    """Whether the same call is worth repeating is stated."""
    info = failure.info
    if (
        info.stated & {"is_retryable", "retry_after"}
        or info.stated_next_step is not None
    ):
        return GOOD
    if info.is_retryable is None:
        return BAD
    if info.retry_after is not None or category(failure).verdict is Verdict.GOOD:
        return partly("only implied")
    return BAD


def retry_wait(failure: Failure) -> Note | None:
    """A rate limit says how long to wait."""
    info = failure.info
    if info.category is not ErrorCategory.RATE_LIMITED:
        return None
    if "retry_after" in info.stated:
        return GOOD
    return BAD if info.retry_after is None else partly("the wait stands in prose")


def retry_contradiction(failure: Failure) -> Note | None:
    """What cannot succeed unchanged is not called retryable."""
    info = failure.info
    if info.is_retryable is not True or "is_retryable" not in info.stated:
        return None
    if info.severity is Severity.CRITICAL:
        return bad("critical, and yet retryable")
    if "category" in info.stated and info.category.family in _NEVER_AS_IT_IS:
        return bad(f"{info.category.value}, and yet retryable")
    return None


def blind_repeat(failure: Failure) -> Note | None:
    """A write that may have happened is not offered for a repeat."""
    if not _may_have_written(failure):
        return None
    info = failure.info
    if info.is_retryable is True:
        return bad("says that it may be sent again")
    said_no = "is_retryable" in info.stated or info.stated_next_step is not None
    return GOOD if said_no else partly("nobody says that it must not be repeated")


def what_happened(failure: Failure) -> Note:
    """The message says what failed."""
    message = failure.info.message.strip()
    if not message and failure.info.fields:
        return GOOD
    if tells_nothing(message, failure.tool):
        return BAD
    if message.startswith(("{", "[")) or not is_prose(message):
        return partly("no sentence")
    return GOOD


def cause(failure: Failure) -> Note | None:
    """The cause is given, or is called unknown."""
    info = failure.info
    if info.category in {ErrorCategory.NOT_FOUND, ErrorCategory.RATE_LIMITED}:
        return None
    if what_happened(failure).verdict is Verdict.BAD:
        return BAD
    named = info.details.keys() & {"cause", "reason", "constraint"}
    if named or any(field.message for field in info.fields):
        return GOOD
    return GOOD if gives_a_cause(f"{info.message}\n{info.recovery or ''}") else BAD


def how_to_fix(failure: Failure) -> Note:
    """What to do next stands in a place of its own."""
    info = failure.info
    sent_again = info.category.family is ErrorCategory.TRANSIENT and (
        "retry_after" in info.stated
        or (info.is_retryable is True and "is_retryable" in info.stated)
    )
    if info.recovery or info.available_actions or sent_again:
        return GOOD
    if any(field.expected for field in info.fields):
        return GOOD
    told = [info.message, *(field.message for field in info.fields)]
    if any(advises(text) for text in told):
        return partly("only within the message")
    return BAD


def names_argument(failure: Failure) -> Note | None:
    """A rejected argument is named."""
    if failure.info.category is not ErrorCategory.VALIDATION:
        return None
    info = failure.info
    if info.fields:
        return GOOD
    # The forms without a list of fields name it in the line on how to fix.
    if names_an_argument(info.recovery or ""):
        return GOOD
    if names_an_argument(info.message):
        return GOOD if info.recovery else partly("only within the message")
    return BAD


def correct_value(failure: Failure) -> Note | None:
    """A rejected argument comes with a right value, or its form."""
    info = failure.info
    if info.category is not ErrorCategory.VALIDATION:
        return None
    if any(field.expected for field in info.fields):
        return GOOD
    told = [
        info.message,
        info.recovery or "",
        *(field.message for field in info.fields),
    ]
    return GOOD if any(shows_a_value(text) for text in told) else BAD


def lookup(failure: Failure) -> Note | None:
    """What was not found comes with where to look."""
    info = failure.info
    if info.category not in {ErrorCategory.NOT_FOUND, ErrorCategory.AMBIGUOUS}:
        return None
    listed = any(is_sequence(value) and value for value in info.details.values())
    if info.available_actions or listed or names_a_lookup(info.recovery or ""):
        return GOOD
    if names_a_lookup(info.message):
        return partly("only within the message")
    return BAD


def policy(failure: Failure) -> Note | None:
    """A business rule is explained in words a customer can be told."""
    if failure.info.category is not ErrorCategory.BUSINESS:
        return None
    return GOOD if is_prose(failure.info.message) else BAD


def side_effects(failure: Failure) -> Note | None:
    """A tool that may have changed something says whether it did."""
    info = failure.info
    if info.side_effects is not None or "execution" in info.stated:
        return GOOD
    if info.execution is Execution.NOT_EXECUTED:
        return None
    if safety_of(failure.effects) is Safety.HARMLESS:
        return None
    return BAD


def how_to_check(failure: Failure) -> Note | None:
    """An unknown outcome comes with the way to find it out."""
    info = failure.info
    unknown = (
        info.side_effects is SideEffects.UNKNOWN
        or info.category is ErrorCategory.STATE_UNKNOWN
    )
    if not unknown and not _may_have_written(failure):
        return None
    told = (
        info.recovery
        or info.available_actions
        or info.details.get("side_effects_note")
        or info.stated_next_step in {NextStep.VERIFY_STATE, NextStep.ESCALATE}
    )
    return GOOD if told else BAD


def empty_is_no_failure(failure: Failure) -> Note | None:
    """A search that found nothing has not failed."""
    if failure.info.category is not ErrorCategory.NOT_FOUND or failure.disguised:
        return None
    if empty_answer(failure.info.message):
        return partly("reads like the answer of a search that worked")
    return None


def _may_have_written(failure: Failure) -> bool:
    """Is it a declared write whose outcome nobody knows?"""
    unknown = (
        failure.info.execution is Execution.UNKNOWN
        or failure.info.category is ErrorCategory.STATE_UNKNOWN
    )
    return unknown and safety_of(failure.effects) is Safety.WRITE
