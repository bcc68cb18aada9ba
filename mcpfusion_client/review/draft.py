"""A failure rewritten in the six-line form, as far as its facts reach.

Nothing is made up: what the server did not say is marked for a person to fill in,
and what was guessed is called a guess.
"""

from collections.abc import Mapping

from mcpfusion_client.model import ErrorInfo, NextStep, SideEffects
from mcpfusion_client.review.checks import category, side_effects, what_happened
from mcpfusion_client.review.failure import Failure
from mcpfusion_client.review.leaks import without_leaks
from mcpfusion_client.review.verdict import Verdict

TO_FILL_IN = "???"
"""What a person has to fill in."""

_MAX_VALUE = 4096

_RETRY: Mapping[NextStep, str] = {
    NextStep.FIX_ARGUMENTS: "after fixing the arguments",
    NextStep.VERIFY_STATE: "only after checking",
    NextStep.ESCALATE: "needs a person",
}


def draft(failure: Failure) -> tuple[tuple[str, str], ...]:
    """Return label and value of each line; values are untrusted, without leaks."""
    info = failure.info
    lines = (
        ("Error type", _error_type(failure)),
        ("What happened", _what_happened(failure)),
        ("Cause", _text(info.details.get("cause") or info.details.get("reason"))),
        ("How to fix", _how_to_fix(info)),
        ("Retry", _retry(info)),
        ("Side effects", _side_effects(failure)),
    )
    return tuple((label, without_leaks(value[:_MAX_VALUE])) for label, value in lines)


def _error_type(failure: Failure) -> str:
    word = failure.info.category.value.replace("_", " ")
    verdict = category(failure).verdict
    if verdict is Verdict.GOOD:
        return word
    return f"{TO_FILL_IN} (guess: {word})" if verdict is Verdict.PARTLY else TO_FILL_IN


def _what_happened(failure: Failure) -> str:
    said = failure.info.message
    good = what_happened(failure).verdict is not Verdict.BAD
    return said if good and said else f"{TO_FILL_IN} (it says only: {said!r})"


def _how_to_fix(info: ErrorInfo) -> str:
    named = ", ".join(field.name for field in info.fields)
    told = info.recovery or ", ".join(info.available_actions)
    if told:
        return told
    if named:
        return f"change {named} to {TO_FILL_IN} (a right value, with an example)"
    return TO_FILL_IN


def _retry(info: ErrorInfo) -> str:
    if info.stated_next_step is not None and info.stated_next_step in _RETRY:
        return _RETRY[info.stated_next_step]
    after = "" if info.retry_after is None else f" after {info.retry_after:g} seconds"
    word = f"the same call{after}" if info.is_retryable else "no"
    if info.is_retryable is not None and info.retryable_source == "stated":
        return word
    if info.is_retryable is None:
        return TO_FILL_IN
    return f"{TO_FILL_IN} (guess: {word})"


def _side_effects(failure: Failure) -> str:
    stated = failure.info.side_effects
    if stated is not None:
        note = failure.info.details.get("side_effects_note")
        return f"{stated.value} ({note})" if note else stated.value
    needed = side_effects(failure) is not None
    return TO_FILL_IN if needed else f"{TO_FILL_IN} (guess: {SideEffects.NONE.value})"


def _text(value: object) -> str:
    return value if isinstance(value, str) and value else TO_FILL_IN
