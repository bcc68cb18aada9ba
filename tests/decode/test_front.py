"""The decoder as its users meet it: extending it, merging, bounds, lines."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import attrs
import pytest

from mcpfusion_client.decode import Decoder, Meaning, decode, read
from mcpfusion_client.decode.jsonl import decode_lines, decode_object
from mcpfusion_client.decode.safe_json import cautious, loads, prefix
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    NextStep,
    Severity,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
C = ErrorCategory


def failed(*texts: str, **more: object) -> dict[str, object]:
    """Return a failed result."""
    return {
        "isError": True,
        "content": [{"type": "text", "text": text} for text in texts],
        **more,
    }


def told(*texts: str, decoder: Decoder | None = None, **more: object) -> ErrorInfo:
    """Decode a failed result."""
    info = (decoder or Decoder()).decode(failed(*texts, **more))
    assert info is not None
    return info


def test_a_decoder_knows_the_codes_it_was_taught() -> None:
    """In any spelling, stronger than a built-in row, and only in this decoder."""
    decoder = Decoder(
        codes={
            "WARP_CORE_COLD": C.TRANSIENT,
            "not-found": Meaning(C.BUSINESS, retry=False),
        }
    )

    info = told('{"code": "WarpCoreCold"}', decoder=decoder)
    assert (info.category, info.is_retryable) == (C.TRANSIENT, True)
    assert info.retryable_source == "inferred"
    assert told("[WARP_CORE_COLD] wait", decoder=decoder).category is C.TRANSIENT
    assert told('{"code": "NOT_FOUND"}', decoder=decoder).category is C.BUSINESS
    assert told('{"code": "WARP_CORE_COLD"}').category is C.UNKNOWN
    envelope = '<tool_error code="WARP_CORE_COLD"><message>x</message></tool_error>'
    assert told(envelope, decoder=decoder).category is C.TRANSIENT
    assert told('{"code": "' + "X" * 120 + '"}', decoder=decoder).category is C.UNKNOWN


def test_a_decoder_knows_the_phrases_it_was_taught() -> None:
    """In any letter case, stronger than a status, yet never a statement."""
    decoder = Decoder(phrases={"Flux Capacitor": C.BUSINESS})

    info = told("HTTP 503: the flux capacitor is on holiday", decoder=decoder)

    assert info.category is C.BUSINESS
    assert info.is_retryable is False
    assert info.stated.isdisjoint({"category", "is_retryable"})


def test_decoders_are_values() -> None:
    """Frozen, comparable, and made of what the user gave."""
    decoder = Decoder(codes={"X_Y": C.BUSINESS})

    assert decoder == Decoder(codes={"X_Y": C.BUSINESS})
    assert decoder != Decoder()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        decoder.codes = {}  # type: ignore[misc]  # that is the point


def test_a_decoder_reads_http_and_json_rpc_with_what_it_knows() -> None:
    """The doors for sessions are on the object too."""
    decoder = Decoder(codes={"X_Y": C.BUSINESS})

    http = decoder.from_http(status=500, headers={}, body='{"code": "X_Y"}')
    rpc = decoder.from_rpc(
        code=-32603, message="", data={"code": "X_Y"}, sdk_made=False
    )

    assert (http.category, rpc.category) == (C.BUSINESS, C.BUSINESS)


def test_severity_critical_forbids_a_repeat() -> None:
    """Inferred, and a person is needed."""
    info = told('{"code": "RATE_LIMITED", "severity": "critical"}')

    assert info.severity is Severity.CRITICAL
    assert info.is_retryable is False
    assert info.retryable_source == "inferred"
    assert info.next_step is NextStep.ESCALATE


@pytest.mark.parametrize(
    ("text", "category", "retry"),
    [
        ('{"message": "it broke", "retry_after": 5}', C.TRANSIENT, True),
        ("it broke, try again in 5 seconds", C.TRANSIENT, True),
        ('{"code": "NOT_FOUND", "retry_after": 5}', C.NOT_FOUND, True),
        ("not found, try again in 5 seconds", C.NOT_FOUND, False),
        ('{"code": "CONFLICT", "retry_after": 5}', C.CONFLICT, True),
        ('{"code": "FORBIDDEN", "retry_after": 5}', C.PERMISSION, False),
        ('{"status": 403, "message": "x", "retry_after": 5}', C.RATE_LIMITED, True),
        ('{"status": 402, "message": "x", "retry_after": 5}', C.RATE_LIMITED, True),
        ('{"status": 401, "message": "x", "retry_after": 5}', C.AUTHENTICATION, False),
        ("invalid input, try again in 5 seconds", C.VALIDATION, False),
        ("it broke. Retryable: yes", C.UNKNOWN, True),
        ("it broke. Retryable: no", C.UNKNOWN, False),
        ("Rate limit exceeded. Retryable: no", C.RATE_LIMITED, False),
        ("Rate limit exceeded. Do not retry.", C.RATE_LIMITED, False),
    ],
)
def test_what_a_wait_says_about_repeating(
    text: str, category: ErrorCategory, *, retry: bool
) -> None:
    """A stated wait weighs; a sentence helps only where nothing speaks against it."""
    info = told(text)

    assert (info.category, info.is_retryable) == (category, retry)


def test_the_stronger_evidence_wins() -> None:
    """Code word, status, validator's list, prose, weak status, generic number."""
    assert told("[FORBIDDEN] HTTP 429 Too Many Requests").category is C.PERMISSION
    assert told("HTTP 409: invalid argument").category is C.CONFLICT
    assert told("HTTP 500: order not found").category is C.NOT_FOUND
    assert told("HTTP 500: it broke").category is C.UNKNOWN
    assert told("missing field `x`: rate limit exceeded").category is C.VALIDATION
    assert told("[INTERNAL_ERROR] order not found").category is C.NOT_FOUND


def test_structured_evidence_decides_before_texts() -> None:
    """A clear code there is not outvoted by words."""
    info = told("Permission denied", structuredContent={"code": "NOT_FOUND"})

    assert info.category is C.NOT_FOUND
    vague = told("Permission denied", structuredContent={"code": "INTERNAL_ERROR"})
    assert vague.category is C.PERMISSION
    assert told("order not found", structuredContent={"message": "x"}).category is (
        C.NOT_FOUND
    )


def test_only_the_first_envelope_counts() -> None:
    """Nothing is mixed between two, but a no of the second one vetoes."""
    first = '<tool_error code="RATE_LIMITED"><message>one</message></tool_error>'
    second = (
        '<tool_error code="FORBIDDEN"><message>two</message>'
        "<recovery>ask</recovery></tool_error>"
    )

    info = told(first, second)

    assert (info.code, info.message, info.recovery) == ("RATE_LIMITED", "one", None)
    assert info.is_retryable is False


def test_prose_never_adds_to_an_envelope() -> None:
    """Its own elements are complete."""
    envelope = (
        '<tool_error code="INTERNAL_ERROR"><message>wait 5 seconds, missing field `x`'
        "</message></tool_error>"
    )

    info = told(envelope)
    assert info.retry_after is None
    assert info.fields == ()
    beside = told(envelope, "retry after 7 seconds")
    assert beside.retry_after is None


def test_an_envelope_without_a_code_is_understood_by_its_message() -> None:
    """Routing errors and plain errors have none."""
    info = told("<tool_error><message>Invoice not found</message></tool_error>")

    assert info.category is C.NOT_FOUND
    assert info.code is None
    assert told("<tool_error></tool_error>").category is C.UNKNOWN


def test_contract_changes_after_a_text_leave_the_text_to_be_read() -> None:
    """The error stands before them."""
    info = told(
        "Rate limit exceeded\n\n<contract_awareness>\n<contract_changes>\n"
        '<change severity="BREAKING" field="a"><description>x</description></change>'
        "\n</contract_changes>\n</contract_awareness>"
    )

    assert info.category is C.RATE_LIMITED
    assert [change.field for change in info.contract_changes] == ["a"]


def test_label_lines_are_read() -> None:
    """A label without a category leaves it to the words."""
    info = told("エラー種別: 混雑\n再試行: 同じ内容で可(30秒後)\n副作用: なし")
    assert (info.category, info.retry_after) == (C.RATE_LIMITED, 30.0)
    half = told("何が起きたか: the order was not found\n再試行: 不可")
    assert (half.category, half.is_retryable) == (C.NOT_FOUND, False)


def test_old_plain_texts_are_read() -> None:
    """``[CODE] message`` with a suggestion."""
    info = told("[NOT_FOUND] no invoice\n\nSuggestion: list them")

    assert (info.code, info.message) == ("NOT_FOUND", "no invoice")


def test_a_success_with_advice_is_a_success() -> None:
    """A whole envelope with severity warning; anything else is data."""
    warning = (
        '<tool_error code="DEPRECATED" severity="warning"><message>old</message>'
        "</tool_error>"
    )

    reading = read({"content": [{"type": "text", "text": warning}]})
    assert reading.error is None
    assert [w.code for w in reading.warnings] == ["DEPRECATED"]
    assert reading.warnings[0].severity is Severity.WARNING
    for text in (
        warning.replace("warning", "error"),
        f"see: {warning}",
        f"{warning} x",
    ):
        assert read({"content": [{"type": "text", "text": text}]}).warnings == ()


def test_bounds_of_a_failure() -> None:
    """Only so much is evidence; what is cut is said to be."""
    long = told("x" * 100_000)
    assert len(long.message) == 64 * 1024
    assert long.lossy
    assert told("x" * 300_000).lossy
    many = told(*(["x"] * 100))
    assert many.lossy
    assert many.message == "\n".join(["x"] * 64)
    assert told(*(["x"] * 300)).lossy
    assert not told("short").lossy
    code = "A_" * 50
    assert (
        told(f'<tool_error code="{code * 20}"><message>x</message></tool_error>').code
        == ((code * 20)[:512])
    )
    assert (
        told("the end is cut: " + "x" * 300_000 + " Permission denied").category
        is C.UNKNOWN
    )


@pytest.mark.parametrize(
    "content",
    ["a text", 5, None, [None, 5, {"type": "text"}, {"text": None}, {"resource": {}}]],
    ids=str,
)
def test_odd_content_of_a_failure(content: object) -> None:
    """It stays a failure."""
    info = decode({"isError": True, "content": content})

    assert info is not None
    assert info.message == (content if isinstance(content, str) else "")


def test_a_string_of_content_is_read_beside_metadata() -> None:
    """The form of the documents; without metadata it is a text."""
    assert told_of({"content": "Rate limit exceeded"}).category is C.RATE_LIMITED
    info = told_of({"content": "no", "errorCategory": "permission"})
    assert (info.category, info.message) == (C.PERMISSION, "no")
    assert told_of({"content": "x" * 300_000}).lossy


def told_of(result: dict[str, object]) -> ErrorInfo:
    """Decode a failed result given as keys."""
    info = decode({"isError": True, **result})
    assert info is not None
    return info


def lines(*objects: object, **options: Any) -> Iterator[dict[str, Any]]:
    """Decode JSON lines."""
    texts = [one if isinstance(one, str) else json.dumps(one) for one in objects]
    return (dict(row) for row, _ in decode_lines(texts, now=NOW, **options))


def test_every_line_gives_one_object_in_the_same_order() -> None:
    """Also a line that is no JSON; blank lines give none."""
    rows = list(
        decode_lines(
            [
                json.dumps({"id": "a", "result": failed("HTTP 429")}),
                "not json",
                "",
                "  \n",
                json.dumps({"id": "b", "result": {"content": []}}),
                json.dumps(failed("HTTP 404")),
                "{} trailing",
            ],
            now=NOW,
        )
    )

    assert [row["id"] for row, _ in rows] == ["a", None, "b", None, None]
    assert [was_json for _, was_json in rows] == [True, False, True, True, False]
    assert "error" in rows[1][0]
    assert [row.get("failed") for row, _ in rows] == [True, None, False, True, None]


def test_all_input_forms_of_a_line() -> None:
    """Result, JSON-RPC error, HTTP response, raw text, bare result, no object."""
    raw = '{"content": [], "isError": true, "structuredContent": {"retry_after": NaN}}'
    rows = list(
        lines(
            {"result": failed("x")},
            {"protocol_error": {"code": -32601, "message": "x"}},
            {"http": {"status": 404, "headers": {}, "body": ""}},
            {"raw": raw},
            {"raw": "broken"},
            5,
        )
    )

    assert [row["failed"] for row in rows] == [True] * 6
    assert [row["origin"] for row in rows[:3]] == ["tool", "protocol", "http"]
    assert rows[2]["http_status"] == 404
    assert rows[3]["retry_after_s"] is None
    assert rows[4]["code"] == rows[5]["code"] == "BAD_RESPONSE"


def test_a_line_says_what_now_is() -> None:
    """Its own time, else the time the caller gives."""
    result = failed('{"code": "RATE_LIMITED", "resetAt": "2026-11-30T12:01:00Z"}')
    there = {"result": result, "received_at": "2026-11-30T12:00:30Z"}

    rows = list(lines(there, {"result": result}, {"result": result, "received_at": 5}))

    assert [row["retry_after_s"] for row in rows] == [30.0, 60.0, 60.0]


def test_the_keys_of_a_row() -> None:
    """The same for a failure, a success and a warning."""
    change = (
        '<contract_changes><change severity="BREAKING" field="a"><description>x'
        "</description></change></contract_changes>"
    )
    failure = (
        '<validation_error action="a/b"><field name="id">bad. You sent: 5. Try 6.'
        f"</field><contract_awareness>{change}</contract_awareness></validation_error>"
    )
    warning = (
        '<tool_error code="X" severity="warning"><message>m</message></tool_error>'
    )
    bad, good = lines(
        {"result": failed(failure)},
        {"result": {"content": [{"type": "text", "text": warning}]}},
    )

    assert bad.keys() == good.keys()
    assert good["warnings"][0].keys() == bad.keys() - {
        "id",
        "warnings",
        "suspected_failure",
    }
    assert bad["field_names"] == ["id"]
    assert bad["fields"][0].keys() == {"name", "message", "sent", "expected"}
    assert bad["executed"] == "no"
    assert bad["next_step"] == "fix_arguments"
    assert bad["contract_changes"][0]["severity"] == "BREAKING"
    assert good["failed"] is False
    assert good["fields"] == []
    assert good["details"] == {}
    assert good["category"] is None
    assert good["warnings"][0]["code"] == "X"


def test_the_family_can_be_printed_as_the_category() -> None:
    """What scorers compare."""
    line = {"result": failed("HTTP 429")}

    assert next(lines(line))["category"] == "rate_limited"
    assert next(lines(line, category="family"))["category"] == "transient"
    assert next(lines(line))["family"] == "transient"


def test_a_suspicion_is_printed_with_its_reason() -> None:
    """Only when asked for."""
    line = {"result": {"content": [{"type": "text", "text": '{"error": "x"}'}]}}

    assert next(lines(line))["suspected_failure"] is None
    row = next(lines(line, detect_disguised=True))
    assert row["failed"] is False
    assert row["suspected_failure"]["failed"] is True
    assert row["suspected_failure"]["reason"]


def test_a_line_is_decoded_with_the_decoder_given() -> None:
    """Which may know more."""
    row = decode_object(
        {"result": failed('{"code": "X_Y"}')},
        now=NOW,
        decoder=Decoder(codes={"X_Y": C.BUSINESS}),
    )

    assert row["category"] == "business"


def test_strangers_json_is_parsed_safely() -> None:
    """Too deep, too long, broken: nothing. Duplicates: the cautious one."""
    assert loads("[" * 100_000) is None
    assert loads("{") is None
    assert prefix("x {", 2) == (None, 2)
    assert loads('{"isError": false, "isError": true}') == {"isError": True}
    assert loads("9" * 5000) == float("inf")
    assert loads('{"n": 12}') == {"n": 12}
    assert cautious("a", 1, 2.5) == 2.5
    assert cautious("a", True, False) is False
    assert cautious("a", None, "x") is None
    assert cautious("a", "BUSINESS_RULE", "RATE_LIMITED") == "BUSINESS_RULE"
    assert cautious("a", "RATE_LIMITED", "BUSINESS_RULE") == "BUSINESS_RULE"
    assert cautious("a", "banana", "apple") == "banana"


def test_execution_of_a_partial_batch() -> None:
    """Some of it worked, so the tool ran."""
    assert told("3 of 5 rows failed").execution is Execution.EXECUTED
    assert told("order not found, no changes were made").execution is (
        Execution.NOT_EXECUTED
    )
    assert told("it timed out, no changes were made").execution is Execution.UNKNOWN
