"""The examples of the structured-error documents, each with what it must mean."""

import pytest

from mcpfusion_client.decode import decode, read
from mcpfusion_client.model import ErrorCategory, Execution, NextStep


def test_business_rule_in_the_result_itself() -> None:
    """Metadata beside a string content: the refund window of 30 days."""
    content = (
        "払い戻しは購入から30日以内のみ対応しております。この注文(#12345)は47日前であり、"
        "払い戻し期間を過ぎています。例外とお考えの場合は、"
        "スーパーバイザーへのエスカレーションをご依頼ください。"
    )
    info = decode(
        {
            "isError": True,
            "errorCategory": "BUSINESS",
            "isRetryable": False,
            "content": content,
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.BUSINESS
    assert info.is_retryable is False
    assert info.retryable_source == "stated"
    assert info.message == content
    assert info.code is None
    assert info.execution is Execution.NOT_EXECUTED
    assert info.next_step is NextStep.EXPLAIN_POLICY


def test_access_failure_is_retryable() -> None:
    """The database could not be asked: transient, stated retryable."""
    info = decode(
        {
            "isError": True,
            "errorCategory": "TRANSIENT",
            "isRetryable": True,
            "content": "注文データベースに到達できません(5秒後にタイムアウト)。",
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.TRANSIENT
    assert info.is_retryable is True
    assert info.retryable_source == "stated"
    assert info.retry_after is None
    assert info.execution is Execution.UNKNOWN
    assert info.next_step is NextStep.RETRY


def test_valid_empty_result_is_a_success() -> None:
    """Asked and nothing there: not a failure."""
    reading = read(
        {"isError": False, "content": "顧客 #8421 の注文は見つかりませんでした。"}
    )

    assert reading.error is None
    assert reading.warnings == ()


def test_sub_agent_a_meets_a_paywall() -> None:
    """PERMISSION, not retryable; the 403 in its text changes nothing."""
    info = decode(
        {
            "isError": True,
            "errorCategory": "PERMISSION",
            "isRetryable": False,
            "content": "Source returned 403 — paywall requires institutional access.",
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.PERMISSION
    assert info.is_retryable is False
    assert info.next_step is NextStep.ESCALATE


def test_sub_agent_b_is_rate_limited() -> None:
    """TRANSIENT, retryable; the wait stands only in the text, so it is inferred."""
    info = decode(
        {
            "isError": True,
            "errorCategory": "TRANSIENT",
            "isRetryable": True,
            "content": "Search rate limit exceeded, retry after 60s.",
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.TRANSIENT
    assert info.is_retryable is True
    assert info.retry_after == 60.0
    assert "retry_after" not in info.stated
    assert "is_retryable" in info.stated
    assert info.next_step is NextStep.RETRY


def test_sub_agent_c_found_no_citations() -> None:
    """An empty list is an answer."""
    assert decode({"isError": False, "content": "[]"}) is None


@pytest.mark.parametrize(
    ("category", "retryable", "expected"),
    [
        ("VALIDATION", True, ErrorCategory.VALIDATION),
        ("UNKNOWN", False, ErrorCategory.UNKNOWN),
        ("BUSINESS", False, ErrorCategory.BUSINESS),
        ("NOT_FOUND", False, ErrorCategory.NOT_FOUND),
        ("NOT_FOUND", True, ErrorCategory.NOT_FOUND),
        ("TRANSIENT", False, ErrorCategory.TRANSIENT),
        ("transient", True, ErrorCategory.TRANSIENT),
        ("permission", False, ErrorCategory.PERMISSION),
        ("validation", False, ErrorCategory.VALIDATION),
        ("other", None, ErrorCategory.OTHER),
    ],
)
def test_category_and_flag_are_kept_as_stated(
    category: str, expected: ErrorCategory, *, retryable: bool | None
) -> None:
    """The two are independent, so no combination is corrected."""
    flags = {} if retryable is None else {"isRetryable": retryable}
    info = decode(
        {
            "isError": True,
            "content": [{"type": "text", "text": "払い戻しできません。"}],
            "structuredContent": {"errorCategory": category, **flags},
        }
    )

    assert info is not None
    assert info.category is expected
    assert info.is_retryable is retryable
    assert "category" in info.stated


def test_query_and_partial_results_are_kept() -> None:
    """Both come back as sent, and neither is invented when absent."""
    info = decode(
        {
            "isError": True,
            "content": [{"type": "text", "text": "the fifth source timed out"}],
            "structuredContent": {
                "errorCategory": "transient",
                "isRetryable": True,
                "attempted_query": "SELECT * FROM papers",
                "partial_results": [{"source": 1}, {"source": 2}],
            },
        }
    )
    bare = decode({"isError": True, "content": []})

    assert info is not None
    assert info.attempted_query == "SELECT * FROM papers"
    assert info.partial_results == [{"source": 1}, {"source": 2}]
    assert info.execution is Execution.UNKNOWN
    assert bare is not None
    assert bare.attempted_query is None
    assert bare.partial_results is None


def test_an_unknown_category_word_is_kept_beside_other() -> None:
    """The taxonomy has a free-text detail for what nobody foresaw."""
    info = decode(
        {
            "isError": True,
            "content": [],
            "structuredContent": {"errorCategory": "weather", "isRetryable": False},
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.OTHER
    assert info.category_detail == "weather"
    assert info.category.family is ErrorCategory.UNKNOWN


def test_the_specification_text_is_rate_limited() -> None:
    """The one failing result of the protocol's own document."""
    info = decode(
        {
            "content": [
                {
                    "type": "text",
                    "text": "Failed to fetch weather data: API rate limit exceeded",
                }
            ],
            "isError": True,
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.RATE_LIMITED
    assert info.is_retryable is True
    assert info.retryable_source == "inferred"
    assert info.execution is Execution.NOT_EXECUTED


def test_the_policy_code_of_the_bad_example() -> None:
    """``error: REFUND_WINDOW_EXCEEDED`` says little to people and enough to us."""
    info = decode(
        {
            "isError": True,
            "content": [{"type": "text", "text": "error: REFUND_WINDOW_EXCEEDED"}],
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.BUSINESS
    assert info.is_retryable is False
    assert info.code == "REFUND_WINDOW_EXCEEDED"
