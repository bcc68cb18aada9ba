"""JSON metadata in all its spellings and places."""

import json

import pytest

from mcpfusion_client.decode import decode
from mcpfusion_client.model import (
    ErrorCategory,
    Execution,
    FieldError,
    Severity,
    SideEffects,
)
from tests.decode.blocks import in_text, structured, text_of


@pytest.mark.parametrize(
    "key",
    [
        "isRetryable",
        "is_retryable",
        "is-retryable",
        "ISRETRYABLE",
        "retryable",
        "retriable",
        "shouldRetry",
    ],
)
@pytest.mark.parametrize("value", [True, False, "true", "false"])
def test_the_flag_is_read_in_every_spelling(key: str, value: object) -> None:
    """Booleans, and the two words for them."""
    info = structured({key: value})

    assert info.is_retryable is (value in (True, "true"))
    assert info.retryable_source == "stated"


@pytest.mark.parametrize("value", [None, 1, 0, "yes", "", [], {}, "TRUE?"])
def test_a_flag_of_another_type_is_absent(value: object) -> None:
    """No guess about a flag."""
    assert structured({"isRetryable": value}).is_retryable is None


@pytest.mark.parametrize(
    ("key", "value", "seconds"),
    [
        ("retryAfter", 5, 5.0),
        ("retry_after", "30 seconds", 30.0),
        ("retryAfterMs", 1500, 1.5),
        ("retry_after_milliseconds", 250, 0.25),
        ("retryAfterMinutes", 2, 120.0),
        ("retry-after", "15", 15.0),
        ("retryDelay", "3.5s", 3.5),
        ("resetAt", "2026-11-30T12:00:45Z", 45.0),
        ("resetAt", 1796040020000, 20.0),
        ("retry", {"after": 4}, 4.0),
        ("headers", {"Retry-After": "9"}, 9.0),
        ("rateLimit", {"remaining": 0, "reset": 8}, 8.0),
        ("rateLimit", {"remaining": 3, "reset": 8}, None),
        ("retry_after", {"seconds": [30]}, None),
        ("retry_after", True, None),
    ],
)
def test_waits_are_read_under_every_key(
    key: str, value: object, seconds: float | None
) -> None:
    """A unit in the key, an object of the retry's own, headers within."""
    info = structured({"code": "RATE_LIMITED", key: value})

    found = info.retry_after
    assert (None if found is None else round(found, 3)) == seconds


FACTS: dict[str, object] = {
    "code": "REFUND_CLOSED",
    "category": "business",
    "isRetryable": False,
}


PLACES: dict[str, dict[str, object]] = {
    "structured": {"structuredContent": FACTS},
    "error": {"structuredContent": {"error": FACTS}},
    "errors": {"structuredContent": {"errors": [FACTS]}},
    "result": {"structuredContent": {"result": FACTS}},
    "list": {"structuredContent": [FACTS]},
    "meta": {"_meta": FACTS},
    "meta-error": {"_meta": {"error": FACTS}},
    "beside-content": FACTS,
    "text": text_of(json.dumps(FACTS)),
    "fence": text_of(f"It failed.\n```json\n{json.dumps(FACTS)}\n```"),
    "prefix": text_of(f"Error: {json.dumps(FACTS)}"),
    "python-dump": text_of(f"Error code: 403 - {FACTS!r}"),
    "resource": {
        "content": [{"type": "resource", "resource": {"text": json.dumps(FACTS)}}]
    },
}


@pytest.mark.parametrize("place", PLACES)
def test_metadata_is_read_wherever_it_stands(place: str) -> None:
    """The place makes no difference to the meaning."""
    info = decode({"isError": True, **text_of("no"), **PLACES[place]})

    assert info is not None
    assert info.code == "REFUND_CLOSED"
    assert info.category is ErrorCategory.BUSINESS
    assert info.is_retryable is False
    assert {"code", "category", "is_retryable"} <= info.stated


def test_the_first_place_wins() -> None:
    """The result's own keys, structured content, meta, then text."""
    info = decode(
        {
            "isError": True,
            "code": "FIRST_ONE",
            "structuredContent": {"code": "SECOND_ONE", "recovery": "second"},
            "_meta": {"code": "THIRD_ONE", "recovery": "third", "severity": "critical"},
            "content": [
                {"type": "text", "text": '{"code": "LAST", "severity": "error"}'}
            ],
        }
    )

    assert info is not None
    assert info.code == "FIRST_ONE"
    assert info.recovery == "second"
    assert info.severity is Severity.CRITICAL


def test_envelopes_come_before_json_in_another_block() -> None:
    """Whatever the order of the blocks."""
    envelope = '<tool_error code="NOT_FOUND"><message>x</message></tool_error>'

    info = in_text('{"code": "OTHER_CODE", "message": "y"}', envelope)

    assert info.code == "NOT_FOUND"
    assert info.message == "x"


def test_a_stated_no_anywhere_wins() -> None:
    """Also over a yes that stands before it."""
    yes = '{"isRetryable": true, "errorCategory": "transient"}'
    no = '{"isRetryable": false}'

    for blocks in ((yes, no), (no, yes)):
        assert in_text(*blocks).is_retryable is False
    fences = f"```json\n{yes}\n```\n```json\n{no}\n```"
    assert in_text(fences).is_retryable is False
    assert structured(
        {"isRetryable": True, "error": {"retryable": False}}
    ).is_retryable is (False)


def test_two_texts_that_disagree_end_in_no_retry() -> None:
    """Not even when one of them states that it may be repeated."""
    yes = '{"isRetryable": true}'

    info = in_text(yes, "Permission denied")

    assert info.is_retryable is False
    assert info.retryable_source == "inferred"
    assert in_text("Rate limit exceeded", "Permission denied").is_retryable is False
    assert structured({"isRetryable": True}, "Permission denied").is_retryable is True


def test_a_stated_transient_category_is_weighed_against_codes_in_texts() -> None:
    """Prose does not shake it; a status or a code that says no does."""
    facts = {"errorCategory": "transient"}

    assert structured(facts, "the order was not found").is_retryable is True
    assert structured(facts, "HTTP 403 Forbidden").is_retryable is False
    assert in_text(
        '{"errorCategory": "permission"}', '{"retryable": true}'
    ).is_retryable is (False)


def test_equal_keys_that_disagree_are_read_cautiously() -> None:
    """A no beats a yes, a long wait a short one, a refusal a rate limit."""
    info = in_text(
        '{"isRetryable": false, "isRetryable": true, "retry_after": 1,'
        ' "retry_after": 9, "code": "RATE_LIMITED", "code": "FORBIDDEN",'
        ' "message": null, "message": "x"}'
    )

    assert info.is_retryable is False
    assert info.retry_after == 9.0
    assert info.code == "FORBIDDEN"
    assert in_text('{"code": "FORBIDDEN", "code": "RATE_LIMITED"}').code == "FORBIDDEN"
    assert in_text('{"code": "A_B", "code": 5, "code": "A_B"}').code == "A_B"


def test_the_exact_spelling_beats_another_letter_case() -> None:
    """Of keys that differ only in case."""
    assert structured({"isRetryable": True, "ISRETRYABLE": False}).is_retryable is True
    assert structured({"ISRETRYABLE": True, "isRetryable": False}).is_retryable is False
    assert (
        structured({"is_retryable": True, "isRetryable": False}).is_retryable is False
    )
    assert (
        structured({"retry_after": None, "retryAfter": 4, "code": "X_Y"}).retry_after
        == 4
    )


def test_everything_else_is_read_too() -> None:
    """Recovery, actions, severity, details, action, side effects, query."""
    info = structured(
        {
            "code": "X_Y",
            "message": "it broke",
            "suggestion": ["first", "second"],
            "available_actions": ["a.b", "c"],
            "severity": "Critical",
            "details": {"id": 5},
            "action": "billing.get",
            "sideEffects": "some",
            "attemptedQuery": {"q": 1},
        }
    )

    assert info.message == "it broke"
    assert info.recovery == "first\nsecond"
    assert info.available_actions == ("a.b", "c")
    assert info.severity is Severity.CRITICAL
    assert info.is_retryable is False
    assert info.retryable_source == "inferred"
    assert info.details == {"id": 5}
    assert info.action == "billing.get"
    assert info.side_effects is SideEffects.SOME
    assert info.execution is Execution.UNKNOWN
    assert info.attempted_query == {"q": 1}


def test_values_of_the_wrong_type_are_dropped() -> None:
    """Every fact has one type."""
    info = structured(
        {
            "code": {"a": 1},
            "message": 5,
            "suggestion": [],
            "available_actions": ["a", 5],
            "severity": "loud",
            "details": "text",
            "action": "x" * 999,
            "sideEffects": "perhaps",
            "headers": 5,
            "field": 5,
        },
        text="what happened",
    )

    assert info.code is None
    assert info.message == "text"
    assert info.recovery is None
    assert info.available_actions == ()
    assert info.severity is Severity.ERROR
    assert info.details == {}
    assert info.action is None
    assert info.side_effects is None


@pytest.mark.parametrize(
    ("facts", "execution"),
    [
        ({"sideEffects": False}, Execution.NOT_EXECUTED),
        ({"sideEffects": True}, Execution.UNKNOWN),
        ({"sideEffects": "none"}, Execution.NOT_EXECUTED),
        ({"sideEffects": 5}, Execution.UNKNOWN),
        ({"executed": True}, Execution.EXECUTED),
        ({"executed": False}, Execution.NOT_EXECUTED),
        ({"executed": "no"}, Execution.UNKNOWN),
        ({"succeeded": ["a"], "failed": ["b"]}, Execution.EXECUTED),
        ({"succeeded": [], "failed": ["b"]}, Execution.UNKNOWN),
        ({"succeeded": True, "failed": 1}, Execution.UNKNOWN),
        ({"succeeded": 2, "failed": {}}, Execution.UNKNOWN),
        ({"partial_results": [1]}, Execution.EXECUTED),
        ({"partial_results": []}, Execution.UNKNOWN),
        ({"partial_results": [1], "category": "transient"}, Execution.UNKNOWN),
        ({"category": "validation"}, Execution.NOT_EXECUTED),
        ({"code": "QUOTA_EXCEEDED", "category": "transient"}, Execution.NOT_EXECUTED),
    ],
)
def test_did_the_tool_run(facts: dict[str, object], execution: Execution) -> None:
    """Stated, told by what is left behind, else by the category."""
    assert structured({"error": "x", **facts}).execution is execution


def test_a_flag_for_temporary_is_a_transient_category() -> None:
    """Some services say ``is_transient``."""
    assert structured({"is_transient": True}).category is ErrorCategory.TRANSIENT
    assert structured({"is_transient": False, "code": "X_Y"}).category is (
        ErrorCategory.UNKNOWN
    )
    assert structured({"recoverable": False}).is_retryable is False


def test_a_map_of_complaints_is_a_list_of_fields() -> None:
    """A whole object of field names with lists of complaints."""
    info = in_text('{"email": ["not an address"], "age": ["too low", "no number"]}')

    assert [field.name for field in info.fields] == ["email", "age"]
    assert info.fields[1].message == "too low; no number"
    assert info.category is ErrorCategory.VALIDATION


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "[1, 2]", '{"rows": [{"id": 1}]}', '"x"', "{broken", "5", '{"a": {}}'],
)
def test_json_that_says_nothing_is_a_text(text: str) -> None:
    """It is kept as the message."""
    info = in_text(text)

    assert info.message == text
    assert info.category is ErrorCategory.UNKNOWN


def test_strings_in_json_are_data() -> None:
    """An envelope or metadata inside a string is not read again."""
    inner = json.dumps({"isRetryable": True, "errorCategory": "transient"})
    envelope = "<tool_error code='RATE_LIMITED'><message>x</message></tool_error>"

    assert structured({"message": inner, "code": "FORBIDDEN"}).is_retryable is False
    info = structured(
        {"message": envelope, "isRetryable": False, "category": "permission"}
    )
    assert info.code is None
    assert info.message == envelope


def test_a_lone_field_name_is_a_field() -> None:
    """Only beside a validation failure."""
    info = structured({"code": "INVALID_VALUE", "message": "bad", "param": "amount"})

    assert info.fields == (FieldError(name="amount", message="bad"),)
    assert structured({"code": "FORBIDDEN", "param": "amount"}).fields == ()
    assert structured({"code": "INVALID_VALUE", "param": "two words"}).fields == ()


def test_depth_and_breadth_are_bounded() -> None:
    """A deep or broad object is looked at only so far."""
    deep: dict[str, object] = {"isRetryable": True}
    for _ in range(50):
        deep = {"error": deep}
    broad = {f"k{i}": i for i in range(1000)} | {"isRetryable": True}

    assert structured({"code": "X_Y", **deep}).is_retryable is None
    assert structured({"code": "X_Y", **broad}).is_retryable is None
    many = {"code": "X_Y", "details": [{"details": [{"a": 1}] * 16}] * 16}
    assert structured(many).code == "X_Y"
