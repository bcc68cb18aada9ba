"""Failures that were sent as successes, and successes that only look like it."""

import json
from typing import Any

import pytest

from mcpfusion_client.decode import Decoder, read
from mcpfusion_client.decode.front import Reading
from mcpfusion_client.model import ErrorCategory


def look(value: object, **more: object) -> Reading:
    """Look for a disguise in a success whose text is *value*."""
    text = value if isinstance(value, str) else json.dumps(value)
    result = {"content": [{"type": "text", "text": text}], **more}
    return read(result, detect_disguised=True)


FAILED = {"content": [{"type": "text", "text": "boom"}], "isError": True}

DISGUISED: list[Any] = [
    FAILED,
    {"_code": "NOT_FOUND", "_message": "x", "_suggestion": "y", "_retryAfter": 3},
    {"__error": True, "code": "X_Y", "message": "x"},
    {"status": "error", "message": "Paper not found"},
    {"status": "failed", "reason": "permission denied"},
    {"status": "error", "data": "<html>502</html>"},
    {"success": False, "error": "Invoice not found", "invoice": "i1"},
    {"ok": False, "error": "channel_not_found"},
    {"error": True, "type": "not_found", "message": "x"},
    {"error": "it broke"},
    {"error": "it broke", "hint": "do better"},
    {"error": {"code": "X_Y", "message": "x"}},
    {"error": "timeout", "error_type": "TimeoutError", "elapsed": 30},
    {"status": 404, "object": "error", "code": "object_not_found", "message": "x"},
    {"code": 403, "message": "no"},
    {"isError": True, "message": "x"},
    {"errors": [{"message": "x"}], "data": None},
    {"data": {"make": {"it": None, "userErrors": [{"field": ["a"], "message": "no"}]}}},
    "Error: it broke",
    "ERROR: it broke",
    "AWS Error: Rate exceeded",
    "Error fetching zone details: no",
    "Failed to fetch weather: HTTP 503",
    "Unable to connect to the server",
    "There was an error calling the tool.",
    "An error occurred: no",
    "KeyError: 'a'",
    "Rate limit exceeded. Try later.",
    "Keyless limit reached for this address.",
    "Access denied",
    "Request timed out",
    "HTTP 404: no such page",
    "❌ Error: no key",
    "エラー: 失敗しました",
]
INNOCENT: list[Any] = [
    {"content": [{"type": "text", "text": "fine"}], "isError": False},
    {"status": "ok", "message": "done"},
    {"status": "error", "count": 3},
    {"status": "failed"},
    {"status": "failed", "job_id": "j1", "message": "the build failed"},
    {"status": "completed", "error": "none really"},
    {"success": False},
    {"success": True, "error": None},
    {"success": False, "error": "partly", "items": [1, 2]},
    {"success": False, "error": "partly", "warnings": ["a"]},
    {"error": None, "result": 5},
    {"error": "", "message": "done"},
    {"errors": [], "data": {"a": 1}},
    {"errors": [{"message": "x"}], "data": {"a": 1}},
    {"errors": [{"message": "x"}], "rows": 5},
    {"errors": ["one"], "checked": 9},
    {"errors": [{"line": 1}], "data": None},
    {"code": 404, "pages": 12},
    {"code": 404, "message": 5},
    {"status": 200, "message": "fine"},
    {"total": 0, "items": []},
    {"logs": [{"level": "error", "message": "429 Too Many Requests"}]},
    {"data": {"userErrors": []}},
    {"a": {"b": {"c": {"d": {"e": {"userErrors": [{"field": "x"}]}}}}}},
    {"isError": True, "rows": [1]},
    [1, 2],
    "[]",
    "No results found.",
    "Error handling in Go\n\nErrors are values.",
    "Error budget: 0.1 % left",
    "HTTP 404 pages found by the crawler: 12",
    "HTTP/1.1 404 Not Found\nContent-Type: text/plain\n\nsample",
    "Error: see\n\n# How errors work\n" + "x" * 100,
    "Error: a\n" * 20,
    "Error: " + "x" * 1000,
    "2026-11-30T09:00:01Z ERROR handler failed: x",
    "Error: x\n2026-11-30 09:00 retrying",
    '{"error": broken',
    '{"error": "' + "x" * 300_000,
]


@pytest.mark.parametrize("value", DISGUISED, ids=lambda v: json.dumps(v)[:50])
def test_a_failure_in_disguise_is_suspected(value: object) -> None:
    """With a reason, and never as a failure."""
    reading = look(value)

    assert reading.error is None
    assert reading.suspected_failure is not None
    assert reading.reason


@pytest.mark.parametrize("value", INNOCENT, ids=lambda v: json.dumps(v)[:50])
def test_a_success_is_left_alone(value: object) -> None:
    """Precision first: data may hold any word."""
    assert look(value).suspected_failure is None


def test_nothing_is_suspected_unless_asked() -> None:
    """It is off by default."""
    result = {"content": [{"type": "text", "text": '{"error": "x"}'}]}

    assert read(result).suspected_failure is None
    assert Decoder().read(result).suspected_failure is None


def test_what_is_suspected_is_decoded() -> None:
    """As if it had been sent as the failure it is."""
    suspect = look({"_code": "NOT_FOUND", "_message": "x", "_retryAfter": 3})
    assert suspect.suspected_failure is not None
    assert suspect.suspected_failure.code == "NOT_FOUND"
    assert suspect.suspected_failure.message == "x"
    assert suspect.suspected_failure.retry_after == 3.0
    text = look("Error: Permission denied").suspected_failure
    assert text is not None
    assert text.category is ErrorCategory.PERMISSION
    nested = look(FAILED).suspected_failure
    assert nested is not None
    assert nested.message == "boom"


def test_structured_content_counts_too() -> None:
    """Alone, equal to the text, or in the wrapper some SDKs put around it."""
    broken = {"error": {"code": "RATE_LIMITED", "message": "slow"}}

    assert look("x", structuredContent=broken).suspected_failure is not None
    assert look(broken, structuredContent=broken).suspected_failure is not None
    assert look("Error: x", structuredContent={"result": "Error: x"}).suspected_failure
    assert look(broken, structuredContent={"result": [broken]}).suspected_failure
    assert look(broken, structuredContent={"result": [1, 2]}).suspected_failure is None
    alone = read({"structuredContent": broken, "content": []}, detect_disguised=True)
    assert alone.suspected_failure is not None


def test_a_file_that_holds_an_error_is_data() -> None:
    """The text is then the value of one of the structured keys."""
    text = json.dumps({"isError": True, "message": "sample"})

    assert look(text, structuredContent={"content": text}).suspected_failure is None
    assert look("Error: x", structuredContent={"rows": 1}).suspected_failure is None


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        5,
        [{"type": "text", "text": "Error: a"}, {"type": "text", "text": "Error: b"}],
        [{"type": "image", "data": "x"}],
        [{"type": "resource", "resource": {"text": '{"error": "x"}'}}],
        ["Error: x"],
        [{"type": "text", "text": 5}],
    ],
    ids=str,
)
def test_other_content_is_left_alone(content: object) -> None:
    """Only one text, and nothing beside it, can be a disguise."""
    reading = read({"content": content}, detect_disguised=True)

    assert reading.suspected_failure is None


def test_a_warning_is_kept_beside_a_suspicion() -> None:
    """Both are told."""
    warning = (
        '<tool_error code="DEPRECATED" severity="warning"><message>x</message>'
        "</tool_error>"
    )
    reading = look(warning, structuredContent={"error": "it broke"})

    assert len(reading.warnings) == 1
    assert reading.suspected_failure is not None
