"""What each rule finds, on the documents' own good and bad examples."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.decode import Decoder
from mcpfusion_client.review import RULES, Kind, Report, Verdict, failure_of, review

NOW = datetime(2026, 11, 30, tzinfo=UTC)
DECODER = Decoder()
TOKEN = "ghp_" + "a1B2" * 9

SIX_LINES = {
    "bad argument": (
        "エラー種別: 入力不正\n"
        "何が起きたか: read_file の path が許可範囲外です。\n"
        "原因: path に絶対パス「/etc/hosts」が渡されました。\n"
        "直し方: プロジェクト直下からの相対パス(例: reports/2026-09.csv)で"
        "指定してください。\n"
        "再試行: 引数を直せば可\n"
        "副作用: なし"
    ),
    "rate limit": (
        "エラー種別: 混雑\n"
        "何が起きたか: 1分あたりの呼び出し上限に達しました。\n"
        "原因: 短時間に search_orders を連続で呼びました。\n"
        "直し方: 引数の変更は不要です。\n"
        "再試行: 同じ内容で可(30秒後)\n"
        "副作用: なし"
    ),
    "expired token": (
        "エラー種別: 認証\n"
        "何が起きたか: アクセストークンの有効期限が切れています。\n"
        "原因: 認証サーバーが 401 を返しました。\n"
        "直し方: AI側では直せません。\n"
        "再試行: 人の操作が必要(再ログイン後に再開)\n"
        "副作用: なし"
    ),
    "write without an answer": (
        "Error type: state unknown\n"
        "What happened: no answer to create_invoice within 30 seconds.\n"
        "Cause: unknown; the server may still be working.\n"
        "How to fix: call get_invoice_status with request_id=REQ-1042.\n"
        "Retry: only after checking\n"
        "Side effects: unknown (get_invoice_status tells)"
    ),
}
SAY_NOTHING = ["Error: invalid argument", "429", "Request failed", "Timeout", ""]


def failed(text: str, **beside: Any) -> dict[str, Any]:
    """Return a line that holds a failed result."""
    return {
        "result": {"content": [{"type": "text", "text": text}], "isError": True},
        **beside,
    }


def stated(text: str, **facts: Any) -> dict[str, Any]:
    """Return a line with a failed result and stated facts."""
    return {
        "result": {
            "content": [{"type": "text", "text": text}],
            "isError": True,
            "structuredContent": facts,
        }
    }


def reviewed(line: Any) -> Report:
    """Return the review of one line."""
    failure = failure_of(line, line=1, now=NOW, decoder=DECODER)
    return review([] if failure is None else [failure])


def verdicts(line: Any) -> dict[str, Verdict]:
    """Return what each rule that applies says about *line*."""
    (one,) = reviewed(line).failures
    return {found.rule.id: found.note.verdict for found in one.findings}


@pytest.mark.parametrize("name", SIX_LINES)
def test_the_documents_good_examples_score_100(name: str) -> None:
    """A server written by the book has nothing to improve."""
    report = reviewed(failed(SIX_LINES[name]))

    assert report.score == 100.0
    assert report.rules == ()


@pytest.mark.parametrize("text", SAY_NOTHING)
def test_the_documents_bad_examples_score_next_to_nothing(text: str) -> None:
    """A word that something failed is no help."""
    report = reviewed(failed(text))

    assert report.score is not None
    assert report.score < 20
    assert verdicts(failed(text))["what-happened"] is Verdict.BAD


@pytest.mark.parametrize(
    ("line", "rule", "verdict"),
    [
        (stated("no", errorCategory="TRANSIENT"), "error-type", Verdict.GOOD),
        (stated("no", errorCategory="UNKNOWN"), "error-type", Verdict.PARTLY),
        (failed("HTTP 503 Service Unavailable"), "error-type", Verdict.PARTLY),
        (failed("boom"), "error-type", Verdict.BAD),
        (stated("no", isRetryable=False), "retry", Verdict.GOOD),
        (stated("no", errorCategory="PERMISSION"), "retry", Verdict.PARTLY),
        (failed("permission denied"), "retry", Verdict.BAD),
        (
            stated("slow down", errorCategory="rate_limited", retryAfter=3),
            "retry-wait",
            Verdict.GOOD,
        ),
        (failed("429 Too Many Requests"), "retry-wait", Verdict.BAD),
        (
            failed("Rate limit exceeded, try again in 2 minutes"),
            "retry-wait",
            Verdict.PARTLY,
        ),
        (
            stated("bad date", errorCategory="VALIDATION", isRetryable=True),
            "retry-contradiction",
            Verdict.BAD,
        ),
        (stated("x", suggestion="Use list_users first"), "how-to-fix", Verdict.GOOD),
        (failed("Quota exceeded, please use a plan"), "how-to-fix", Verdict.PARTLY),
        (failed("the disk is full"), "how-to-fix", Verdict.BAD),
        (
            failed("Invalid params: end_date must be after start_date"),
            "correct-value",
            Verdict.GOOD,
        ),
        (failed("validation failed"), "argument-name", Verdict.BAD),
        (failed("validation failed"), "correct-value", Verdict.BAD),
        (failed("Order not found"), "look-up", Verdict.BAD),
        (
            stated("Order not found", suggestion="Call list_orders"),
            "look-up",
            Verdict.GOOD,
        ),
        (
            stated("rule_id=REFUND_WINDOW", errorCategory="BUSINESS"),
            "policy",
            Verdict.BAD,
        ),
        (
            stated("Refunds end 30 days after the sale", errorCategory="BUSINESS"),
            "policy",
            Verdict.GOOD,
        ),
        (failed("the request timed out"), "side-effects", Verdict.BAD),
        (failed("No matching records found"), "empty-answer", Verdict.PARTLY),
    ],
)
def test_a_rule_tells_good_from_bad(
    line: dict[str, Any], rule: str, verdict: Verdict
) -> None:
    """One example for each outcome."""
    assert verdicts(line)[rule] is verdict


def test_side_effects_are_not_asked_of_a_read_only_tool() -> None:
    """A read has none, whatever becomes of it."""
    line = failed("the request timed out", annotations={"readOnlyHint": True})

    assert "side-effects" not in verdicts(line)


def test_a_write_that_may_have_happened_must_not_be_offered_for_a_repeat() -> None:
    """This is how an invoice is created twice."""
    line = stated("gateway timeout", code="TIMEOUT", isRetryable=True)
    line["annotations"] = {"readOnlyHint": False}

    found = verdicts(line)

    assert found["no-blind-repeat"] is Verdict.BAD
    assert found["how-to-check"] is Verdict.BAD


def test_a_failure_sent_as_a_success_is_found() -> None:
    """The flag is the gate: without it the error is taken for data."""
    line = {"content": [{"type": "text", "text": '{"error": "no such bucket"}'}]}

    assert verdicts(line)["error-flag"] is Verdict.BAD


def test_a_success_is_not_reviewed() -> None:
    """Only failures have to explain themselves."""
    assert reviewed({"content": [{"type": "text", "text": "3 orders"}]}).failures == ()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Traceback (most recent call last):\n  File 'x'", "no-stack-trace"),
        ("boom\n    at handler (/srv/app.js:12:3)", "no-stack-trace"),
        ("boom\n\tat com.acme.Pay.run(Pay.java:17)", "no-stack-trace"),
        ("goroutine 12 [running]:\nmain.main()", "no-stack-trace"),
        ("cannot reach http://billing-db:5432/x", "no-internal-hosts"),
        ("cannot reach db-1.prod.internal", "no-internal-hosts"),
        ("connect ECONNREFUSED 10.0.3.7:5432", "no-internal-hosts"),
        ("connect ECONNREFUSED localhost:5432", "no-internal-hosts"),
        ("cannot import /usr/lib/python3/site-packages/x/y", "no-source-paths"),
        ("cannot open /home/deploy/config", "no-source-paths"),
        ("ask jane.doe@example.com", "no-personal-data"),
        ("upstream said <html><body>502</body></html>", "no-upstream-page"),
        (f"token={TOKEN} was refused", "no-secrets"),
        ("Authorization: Bearer abcdef1234567890 refused", "no-secrets"),
    ],
)
def test_a_leak_is_found(text: str, rule: str) -> None:
    """Each kind, as servers really write it."""
    assert verdicts(failed(text))[rule] is Verdict.BAD


@pytest.mark.parametrize(
    "text",
    [
        "cannot reach https://api.example.com/v1/orders",
        "version 10.2 of the schema is not supported",
        "token expired, please sign in",
        "Authorization: Bearer [redacted]",
        "password=*** is wrong",
        "settings.local.json was not found",
        "see docs/guide.md:12 for the format",
        "s3://bucket/key does not exist",
        "at 10:15:30 the limit is reset",
    ],
)
def test_what_only_looks_like_a_leak_is_none(text: str) -> None:
    """A false alarm teaches people to ignore the report."""
    leaks = {rule.id for rule in RULES if rule.kind is Kind.LEAK}

    assert not leaks & verdicts(failed(text)).keys()


def test_what_the_caller_sent_is_no_leak() -> None:
    """A file tool has to name the file it was asked for."""
    text = "no such file: /home/ada/report.csv"

    told = verdicts(failed(text, arguments={"path": "/home/ada/report.csv"}))

    assert "no-source-paths" not in told


def test_a_secret_costs_the_whole_score_and_is_not_shown() -> None:
    """Nothing outweighs a token in a log."""
    line = failed(f"{SIX_LINES['rate limit']}\ntoken={TOKEN}", tool=TOKEN)

    report = reviewed(line)

    assert report.score == 0.0
    assert report.rules[0].rule.id == "no-secrets"
    assert TOKEN not in repr([note for _, note in report.rules[0].examples])
    assert TOKEN not in report.tools[0].tool


def test_the_lowest_tool_and_the_costliest_rule_come_first() -> None:
    """Whoever reads the report starts where it pays."""
    lines = [
        failed(SIX_LINES["rate limit"], tool="good"),
        failed("Error", tool="poor"),
        failed("Error", tool="poor"),
    ]
    failures = [
        failure_of(line, line=number, now=NOW, decoder=DECODER)
        for number, line in enumerate(lines, 1)
    ]

    report = review(failure for failure in failures if failure is not None)

    assert [(tool.tool, tool.failures) for tool in report.tools] == [
        ("poor", 2),
        ("good", 1),
    ]
    lost = [rule.lost for rule in report.rules]
    assert lost == sorted(lost, reverse=True)
    assert [failure.line for failure, _ in report.rules[0].examples] == [2, 3]


def test_every_rule_has_a_name_of_its_own_and_points() -> None:
    """Scripts go by the ids."""
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert all(rule.points > 0 for rule in RULES)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(
    line=json_values
    | st.fixed_dictionaries(
        {"isError": st.just(value=True), "content": json_values},
        optional={
            "structuredContent": json_values,
            "tool": json_values,
            "arguments": json_values,
            "annotations": json_values,
        },
    )
)
def test_no_line_breaks_the_review(line: Any) -> None:
    """Whatever was recorded, the score is a number from 0 to 100."""
    report = reviewed(line)

    assert report.score is None or 0.0 <= report.score <= 100.0
