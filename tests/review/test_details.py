"""The finer points of the rules, and of the drafts."""

from typing import Any

import pytest

from mcpfusion_client.review import Verdict, draft, failure_of
from tests.review.test_rules import DECODER, NOW, failed, reviewed, stated, verdicts

WRITE = {"annotations": {"readOnlyHint": False}}


def drafted(line: Any) -> dict[str, str]:
    """Return the draft of one failure."""
    failure = failure_of(line, line=1, now=NOW, decoder=DECODER)
    assert failure is not None
    return dict(draft(failure))


@pytest.mark.parametrize(
    ("line", "rule", "verdict"),
    [
        (stated("odd thing here", errorCategory="other"), "error-type", Verdict.PARTLY),
        (
            stated("disk gone", severity="critical", isRetryable=True),
            "retry-contradiction",
            Verdict.BAD,
        ),
        (
            {**stated("gateway timeout", isRetryable=False), **WRITE},
            "no-blind-repeat",
            Verdict.GOOD,
        ),
        (
            {**failed("something broke down"), **WRITE},
            "no-blind-repeat",
            Verdict.PARTLY,
        ),
        (
            stated("The sale is closed", errorCategory="business", reason="it is late"),
            "policy",
            Verdict.GOOD,
        ),
        (
            failed(
                '<validation_error action="a.b"><field name="id">Bad. You sent: 1. '
                "Expected 2.</field></validation_error>"
            ),
            "how-to-fix",
            Verdict.GOOD,
        ),
        (
            failed("validation failed: the field `id` is bad"),
            "argument-name",
            Verdict.GOOD,
        ),
    ],
)
def test_a_rule_looks_closely(line: Any, rule: str, verdict: Verdict) -> None:
    """Cases between good and bad, and those two rules share."""
    assert verdicts(line)[rule] is verdict


def test_a_json_rpc_error_is_a_failure_too() -> None:
    """It is recorded as the whole message."""
    line = {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32603, "message": "cannot reach http://db:1/"},
    }

    assert verdicts(line)["no-internal-hosts"] is Verdict.BAD


def test_a_raw_result_is_searched_for_leaks() -> None:
    """It is the JSON text of a result."""
    line = {
        "raw": '{"isError": true, "content": [{"type": "text", "text": '
        '"Traceback (most recent call last):"}]}'
    }

    assert verdicts(line)["no-stack-trace"] is Verdict.BAD


def test_arguments_of_any_depth_do_no_harm() -> None:
    """What cannot be written as JSON again is as if it were not there."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]

    assert reviewed(failed("broken", arguments=deep)).score is not None


def test_a_draft_keeps_what_is_stated_and_marks_the_rest() -> None:
    """A person sees at a glance what to add."""
    told = drafted(
        failed(
            "Error type: state unknown\nWhat happened: no answer from pay.\n"
            "How to fix: call get_payment.\nRetry: only after checking\n"
            "Side effects: unknown (get_payment tells)"
        )
    )

    assert told["Error type"] == "state unknown"
    assert told["Retry"] == "only after checking"
    assert told["Side effects"] == "unknown (get_payment tells)"
    assert told["Cause"] == "???"


def test_a_draft_names_the_arguments_to_change() -> None:
    """The value is for a person to fill in."""
    told = drafted(stated("bad", errorCategory="validation", fields=["amount"]))

    assert "amount" in told["How to fix"]
    assert "???" in told["How to fix"]


def test_a_draft_hands_on_a_stated_wait() -> None:
    """It is the server's own."""
    told = drafted(stated("slow", isRetryable=True, retryAfter=7))

    assert told["Retry"] == "the same call after 7 seconds"
