"""A failure handed on is a failure for whoever gets it, with all that is known."""

import importlib
import warnings
from datetime import UTC, datetime
from typing import Any

import mcp
import pytest

from mcpfusion_client.decode import decode
from mcpfusion_client.errors import for_info
from mcpfusion_client.model import (
    Attempt,
    ErrorCategory,
    ErrorInfo,
    StopReason,
)

INFO = ErrorInfo(
    message="too many",
    code="RATE_LIMITED",
    category=ErrorCategory.RATE_LIMITED,
    is_retryable=True,
    retry_after=7,
    recovery="wait",
    attempted_query="SELECT 1",
    partial_results=[1, 2],
)
ATTEMPT = Attempt(
    number=1, started=datetime(2026, 1, 1, tzinfo=UTC), duration=0.1, reason="first_try"
)


def _wire(result: Any) -> dict[str, Any]:
    wire: dict[str, Any] = result.model_dump(by_alias=True, mode="json")
    return wire


def test_it_is_the_installed_sdks_own_result_and_an_error() -> None:
    """A plain dict returned by a handler would arrive as a success."""
    result: Any = for_info(INFO).to_tool_result()

    assert isinstance(result, mcp.types.CallToolResult)
    assert _wire(result)["isError"] is True
    assert _wire(result)["content"][0]["text"].startswith("<tool_error")


def test_the_metadata_has_the_words_of_the_documents() -> None:
    """So that an agent that knows only the four categories understands it."""
    wire = _wire(for_info(INFO).to_tool_result())

    assert wire["structuredContent"] == {
        "errorCategory": "transient",
        "isRetryable": True,
        "retryAfter": 7,
        "attempted_query": "SELECT 1",
        "partial_results": [1, 2],
    }


def test_what_is_not_known_is_left_out() -> None:
    """Nothing is invented to fill a schema."""
    info = ErrorInfo(message="?", category=ErrorCategory.UNKNOWN)

    wire = _wire(for_info(info).to_tool_result())

    assert wire["structuredContent"] == {"errorCategory": "unknown"}


@pytest.mark.parametrize("attempts", [(ATTEMPT,), ()])
def test_what_was_given_up_here_is_not_retryable_there(
    attempts: tuple[Attempt, ...],
) -> None:
    """The innermost engine is the one that repeats."""
    error = for_info(INFO, attempts=attempts, stop_reason=StopReason.ATTEMPTS_EXHAUSTED)

    assert _wire(error.to_tool_result())["structuredContent"]["isRetryable"] is False


def test_what_was_tried_and_how_often_is_handed_on() -> None:
    """A coordinator need not ask; what the innermost client said stays."""
    error = for_info(
        INFO,
        tool="search",
        attempts=(ATTEMPT, ATTEMPT),
        stop_reason=StopReason.ATTEMPTS_EXHAUSTED,
    )
    first = decode(_wire(error.to_tool_result()))
    assert first is not None

    again = for_info(first, tool="agent", attempts=(ATTEMPT,))
    second = decode(_wire(again.to_tool_result()))

    assert second is not None
    for info in (first, second):
        assert info.details["tried_tool"] == "search"
        assert int(str(info.details["tried_attempts"])) == 2


def test_it_decodes_to_what_it_was() -> None:
    """On the other side of the wire."""
    wire = _wire(for_info(INFO).to_tool_result())

    info = decode(wire)

    assert info is not None
    assert info.category.family is ErrorCategory.TRANSIENT
    assert (info.code, info.retry_after, info.is_retryable) == ("RATE_LIMITED", 7, True)
    assert info.attempted_query == "SELECT 1"
    assert info.partial_results == [1, 2]


def test_a_result_of_the_sdk_is_read_by_its_own_names() -> None:
    """Where fastmcp is loaded, results of mcp 2.x warn when asked for older ones."""
    importlib.import_module("fastmcp")
    result = for_info(ErrorInfo(message="no", code="NOT_FOUND")).to_tool_result()

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        info = decode(result)

    assert info is not None
    assert info.code == "NOT_FOUND"
    assert not warned
