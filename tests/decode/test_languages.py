"""Failures in languages that few servers speak: why, and when to try again."""

from pathlib import Path

import pytest

from mcpfusion_client import decode

_ROWS = [
    tuple(part.strip() for part in line.split(" | "))
    for line in (Path(__file__).parent / "languages.txt")
    .read_text("utf-8")
    .splitlines()
]
_FLAGS = {"yes": True, "no": False, "unknown": None}


@pytest.mark.parametrize(("category", "retry", "wait", "text"), _ROWS)
def test_a_sentence_says_why_it_failed_in_any_language(
    category: str, retry: str, wait: str, text: str
) -> None:
    """A line of `languages.txt`: category, may it be repeated, seconds, sentence."""
    error = decode({"content": [{"type": "text", "text": text}], "isError": True})

    assert error is not None
    assert error.category.value == category
    assert error.is_retryable is _FLAGS[retry]
    assert error.retry_after == (None if wait == "-" else float(wait))
