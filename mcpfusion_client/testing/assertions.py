"""Say what attempts and waits a call should have had, and show what it had."""

import math
from collections.abc import Sequence
from typing import Protocol

from mcpfusion_client.model import Attempt, ErrorCategory, ErrorInfo, StopReason
from mcpfusion_client.model.text import one_line


class Story(Protocol):
    """What has attempts: a `ToolResult`, an error of a call, a `RecordedCall`."""

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Every attempt."""
        ...

    @property
    def stop_reason(self) -> StopReason | None:
        """Why there was no further attempt."""
        ...


def assert_attempts(
    story: Story,
    *expected: str | None,
    waits: Sequence[float | tuple[float, float]] | None = None,
    stop: StopReason | None = None,
) -> None:
    """Check how the attempts of a call ended, and how long it waited in between.

    Example::

        assert_attempts(result, "RATE_LIMITED", None, waits=[7.0])

    Args:
        story: A result, an error, or a recorded call.
        expected: For each attempt the code or the `ErrorCategory` it failed with,
            None for the one that succeeded.
        waits: For each wait its seconds, or the least and the most: waits have
            jitter.
        stop: Why there was no further attempt.

    Raises:
        AssertionError: It went otherwise; the message shows every attempt.
    """
    __tracebackhide__ = True
    wrong: list[str] = []
    attempts = story.attempts
    ended = [_word(attempt.error) for attempt in attempts]
    if len(attempts) != len(expected) or not all(
        _fits(attempt.error, word)
        for attempt, word in zip(attempts, expected, strict=True)
    ):
        wrong.append(f"expected attempts {_words(expected)}, got {_words(ended)}")
    delays = [each.delay for each in attempts if each.delay is not None]
    if waits is not None and not (
        len(delays) == len(waits)
        and all(_within(*pair) for pair in zip(delays, waits, strict=True))
    ):
        got = [round(delay, 3) for delay in delays]
        wrong.append(f"expected waits of {list(waits)} s, got {got}")
    if stop is not None and story.stop_reason is not stop:
        wrong.append(f"expected to stop for {stop}, got {story.stop_reason}")
    if wrong:
        raise AssertionError("\n".join([*wrong, attempts_table(story)]))


def attempts_table(story: Story) -> str:
    """Return every attempt of a call in a line, for people."""
    lines = [_line(attempt) for attempt in story.attempts] or ["  (no attempt)"]
    return "\n".join([*lines, f"  stopped: {story.stop_reason or 'unknown'}"])


def _line(attempt: Attempt) -> str:
    error = attempt.error
    if error is None:
        ended = "ok"
    else:
        message = one_line(error.message, 60)
        ended = f"{_word(error)} ({error.category.value}) {message}"
    wait = "" if attempt.delay is None else f", then waited {attempt.delay:.3f} s"
    return f"  {attempt.number}. {ended}{wait} [{attempt.reason}]"


def _word(error: ErrorInfo | None) -> str | None:
    return None if error is None else one_line(error.code or error.category.value, 60)


def _words(words: Sequence[str | None]) -> str:
    return f"[{', '.join('ok' if word is None else str(word) for word in words)}]"


def _fits(error: ErrorInfo | None, word: str | None) -> bool:
    if error is None or word is None:
        return error is None and word is None
    if isinstance(word, ErrorCategory):
        return error.category is word
    return error.code == word


def _within(delay: float, wait: float | tuple[float, float]) -> bool:
    if isinstance(wait, tuple):
        return wait[0] <= delay <= wait[1]
    return math.isclose(delay, wait, abs_tol=1e-6)
