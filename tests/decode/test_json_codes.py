"""Code and category words in JSON metadata."""

import pytest

from mcpfusion_client.model import (
    ErrorCategory,
    FieldError,
)
from tests.decode.blocks import structured


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (
            {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}},
            "RESOURCE_EXHAUSTED",
        ),
        ({"code": 429, "message": "x"}, None),
        ({"code": "429", "message": "x"}, None),
        ({"code": 88, "message": "x"}, "88"),
        ({"code": "-32000", "message": "x"}, "-32000"),
        ({"code": 0, "message": "x"}, None),
        ({"code": True, "message": "x"}, None),
        ({"error": "error", "message": "x"}, None),
        ({"status": "failed", "message": "x"}, None),
        ({"type": "about:blank", "title": "x"}, None),
        (
            {"type": "https://tools.ietf.org/html/rfc9110#section-15", "title": "x"},
            None,
        ),
        (
            {"type": "https://example.com/probs/out-of-credit", "title": "x"},
            "https://example.com/probs/out-of-credit",
        ),
        (
            {"__type": "com.example#ThrottlingException", "message": "x"},
            "ThrottlingException",
        ),
        ({"name": "ZodError", "message": "x"}, "ZodError"),
        ({"name": "alice", "message": "x"}, None),
        ({"code": "42P01", "message": "x"}, "42P01"),
        ({"code": "99999", "message": "x"}, "99999"),
        ({"errorCode": "nQSError: 43113", "message": "x"}, "nQSError: 43113"),
        ({"code": "two words", "message": "x"}, None),
        ({"statusCode": 404, "error": "Not", "message": "x"}, "Not"),
        ({"statusCode": 403, "error": "Forbidden", "message": "x"}, None),
        ({"code": "https://x", "message": "x"}, None),
    ],
)
def test_the_code_is_the_servers_own_word(value: object, code: str | None) -> None:
    """A word beats a number, a status is no code, generic words are none."""
    assert structured(value).code == code


def test_statuses_of_inner_objects_count_where_they_are_named_so() -> None:
    """A bare ``code`` beside the failure is no status, nor is an unlisted number."""
    assert structured({"message": "x", "response": {"statusCode": 404}}).category is (
        ErrorCategory.NOT_FOUND
    )
    assert structured({"message": "x", "details": {"code": 404}}).category is (
        ErrorCategory.UNKNOWN
    )
    assert structured({"message": "x", "status": 499}).category is ErrorCategory.UNKNOWN


def test_the_code_of_one_issue_is_not_the_code() -> None:
    """``invalid_type`` is about a field."""
    issues = [{"code": "invalid_type", "path": ["a", 0], "message": "Required"}]

    info = structured(issues)

    assert info.code is None
    assert info.fields == (FieldError(name="a.0", message="Required"),)
    assert info.category is ErrorCategory.VALIDATION


@pytest.mark.parametrize(
    ("word", "category"),
    [
        ("TRANSIENT", ErrorCategory.TRANSIENT),
        ("rate-limit", ErrorCategory.RATE_LIMITED),
        ("Auth", ErrorCategory.AUTHENTICATION),
        ("RATE_LIMITS", ErrorCategory.RATE_LIMITED),
        ("NotFound", ErrorCategory.NOT_FOUND),
        ("server_error", ErrorCategory.UNKNOWN),
        ("weather", ErrorCategory.OTHER),
    ],
)
def test_category_words(word: str, category: ErrorCategory) -> None:
    """The documents' words, their likes, and OTHER for the rest."""
    info = structured({"errorCategory": word})

    assert info.category is category
    assert info.category_detail == (word if category is ErrorCategory.OTHER else None)


@pytest.mark.parametrize("word", [5, "", "x" * 500, None, []])
def test_an_odd_category_is_absent(word: object) -> None:
    """Wrong types are dropped."""
    assert (
        structured({"category": word, "code": "X_Y"}).category is ErrorCategory.UNKNOWN
    )


def test_only_the_first_category_word_counts() -> None:
    """An inner one neither replaces it nor leaves its word behind."""
    info = structured({"category": "validation", "error": {"category": "weather"}})

    assert info.category is ErrorCategory.VALIDATION
    assert info.category_detail is None
