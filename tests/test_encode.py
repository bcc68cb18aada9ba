"""What is written is what MCP Fusion writes, and is read back unchanged."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.decode import fusion
from mcpfusion_client.encode import (
    ErrorBuilder,
    envelope,
    tool_error,
    validation_error,
)
from mcpfusion_client.model import (
    ErrorInfo,
    FieldError,
    JsonObject,
    JsonValue,
    Severity,
)

RECORDED = Path(__file__).parents[2] / "shared" / "data" / "golden_dev.jsonl"

# Any text, lone surrogates and control characters included.
TEXT = st.text(st.characters(), max_size=40)
WAITS = st.floats(min_value=0, exclude_min=True, allow_infinity=False)
SEVERITIES = st.sampled_from(Severity)


def recorded(producer: str) -> list[JsonObject]:
    """Return what one producer of MCP Fusion put on the wire."""
    if not RECORDED.exists():
        pytest.skip("the recorded results are not beside this checkout")
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    results = [json.loads(line) for line in lines if line]
    return [result for result in results if result["producer"] == producer]


def test_every_part_is_written_in_the_order_of_mcp_fusion() -> None:
    """The envelope of the documentation, with every section."""
    text = tool_error(
        "NOT_FOUND",
        "No invoice with that ID",
        suggestion="List invoices first, then retry with a real ID",
        available_actions=["billing.list_invoices"],
        details={"requestedId": "inv_2026_9999"},
        retry_after=30,
    )

    assert text == (
        '<tool_error code="NOT_FOUND" severity="error">\n'
        "<message>No invoice with that ID</message>\n"
        "<recovery>List invoices first, then retry with a real ID</recovery>\n"
        "<available_actions>\n"
        "  <action>billing.list_invoices</action>\n"
        "</available_actions>\n"
        "<details>\n"
        '  <detail key="requestedId">inv_2026_9999</detail>\n'
        "</details>\n"
        "<retry_after>30 seconds</retry_after>\n"
        "</tool_error>"
    )


def test_text_escapes_two_characters_and_attributes_five() -> None:
    """Everything else stays readable for a model."""
    text = tool_error("a<>&\"'", "a<>&\"'", details={"k<>&\"'": "v<>&\"'"})

    assert text == (
        '<tool_error code="a&lt;&gt;&amp;&quot;&apos;" severity="error">\n'
        "<message>a&lt;>&amp;\"'</message>\n"
        "<details>\n"
        '  <detail key="k&lt;&gt;&amp;&quot;&apos;">v&lt;>&amp;"\'</detail>\n'
        "</details>\n"
        "</tool_error>"
    )


def test_what_is_empty_is_left_out() -> None:
    """MCP Fusion writes no empty sections, and no wait of zero."""
    text = tool_error(
        "C", "m", suggestion="", available_actions=(), details={}, retry_after=0
    )

    assert text == (
        '<tool_error code="C" severity="error">\n<message>m</message>\n</tool_error>'
    )


def test_recovery_is_another_name_for_suggestion() -> None:
    """The envelope calls it recovery, the builder of MCP Fusion suggestion."""
    assert tool_error("C", "m", recovery="r") == tool_error("C", "m", suggestion="r")


def test_index_keys_come_first_as_javascript_lists_them() -> None:
    """JavaScript lists array indices in order, then all other keys as put in."""
    text = tool_error(
        "C", "m", details={"b": "1", "10": "2", "9": "3", "01": "4", "4294967295": "5"}
    )

    keys = [line.split('"')[1] for line in text.splitlines() if "<detail " in line]
    assert keys == ["9", "10", "b", "01", "4294967295"]


@pytest.mark.parametrize(
    ("number", "spelling"),
    [
        (30, "30"),
        (30.0, "30"),
        (0.5, "0.5"),
        (1.75, "1.75"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (10**21, "1e+21"),
        (123456789.125, "123456789.125"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (5e-324, "5e-324"),
    ],
)
def test_waits_are_spelled_as_javascript_spells_numbers(
    number: float, spelling: str
) -> None:
    """A reader written for MCP Fusion sees the spelling it knows."""
    text = tool_error("C", "m", retry_after=number)

    assert f"<retry_after>{spelling} seconds</retry_after>" in text


def test_details_take_scalars_as_the_builder_of_mcp_fusion_does() -> None:
    """Numbers and booleans become the text JavaScript makes of them."""
    text = tool_error(
        "C", "m", details={"a": True, "b": False, "c": -2.5, "d": 7, "e": -0.0}
    )

    facts = fusion.read_text(text)
    assert facts is not None
    assert facts.values["details"] == {
        "a": "true",
        "b": "false",
        "c": "-2.5",
        "d": "7",
        "e": "0",
    }


def test_validation_error_names_the_action_and_every_field() -> None:
    """The form of the documentation, with the closing instruction."""
    text = validation_error(
        "billing.get_invoice",
        [
            FieldError(
                name="id",
                message="Invalid email format. You sent: 'not-an-email'. "
                "Expected a valid email address.",
            ),
            ("(root)", "a < b"),
        ],
    )

    assert text == (
        '<validation_error action="billing.get_invoice">\n'
        "<field name=\"id\">Invalid email format. You sent: 'not-an-email'. "
        "Expected a valid email address.</field>\n"
        '<field name="(root)">a &lt; b</field>\n'
        "<recovery>Fix the fields above and call the tool again. "
        "Do not explain the error.</recovery>\n"
        "</validation_error>"
    )


def test_validation_error_needs_no_action() -> None:
    """Prompts have none."""
    assert validation_error(None, []).startswith("<validation_error>\n")


def test_the_builder_builds_what_the_function_writes() -> None:
    """Both are one way to the same envelope."""
    built = (
        ErrorBuilder("NOT_FOUND", "Invoice missing")
        .suggest("List first")
        .actions("billing.list_invoices")
        .actions("billing.search", "billing.get")
        .severity("critical")
        .details({"requestedId": "inv_1"})
        .details({"tries": 2})
        .retry_after(30)
        .build()
    )

    assert built == tool_error(
        "NOT_FOUND",
        "Invoice missing",
        suggestion="List first",
        available_actions=["billing.list_invoices", "billing.search", "billing.get"],
        severity=Severity.CRITICAL,
        details={"requestedId": "inv_1", "tries": 2},
        retry_after=30,
    )


def test_a_step_of_the_builder_leaves_the_builder_as_it_was() -> None:
    """A builder can be kept and extended in two ways."""
    base = ErrorBuilder("X", "m")

    assert 'severity="critical"' in base.critical().build()
    assert 'severity="warning"' in base.warning().build()
    assert 'severity="error"' in base.build()


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((None, "m"), {}, TypeError),
        (("C", 5), {}, TypeError),
        (("C", "m"), {"suggestion": 5}, TypeError),
        (("C", "m"), {"suggestion": "a", "recovery": "b"}, TypeError),
        (("C", "m"), {"available_actions": "list"}, TypeError),
        (("C", "m"), {"available_actions": [1]}, TypeError),
        (("C", "m"), {"details": {"n": None}}, TypeError),
        (("C", "m"), {"details": {"n": math.nan}}, TypeError),
        (("C", "m"), {"details": {"n": [1]}}, TypeError),
        (("C", "m"), {"details": {1: "x"}}, TypeError),
        (("C", "m"), {"retry_after": "30"}, TypeError),
        (("C", "m"), {"retry_after": True}, TypeError),
        (("C", "m"), {"retry_after": -1}, ValueError),
        (("C", "m"), {"retry_after": math.inf}, ValueError),
        (("C", "m"), {"retry_after": 10**400}, ValueError),
        (("C", "m"), {"severity": "fatal"}, ValueError),
    ],
)
def test_what_cannot_be_written_is_refused(
    arguments: tuple[object, ...],
    options: dict[str, object],
    error: type[Exception],
) -> None:
    """A wrong value is an error here and not a wrong envelope there."""
    with pytest.raises(error):
        tool_error(*arguments, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["name", ("name",), ("name", 5), None])
def test_a_field_that_is_none_is_refused(field: object) -> None:
    """Only a name and its text make a field."""
    with pytest.raises(TypeError):
        validation_error("a", [field])  # type: ignore[list-item]


def test_a_failure_is_handed_on_as_an_envelope() -> None:
    """A sub-agent passes on what it was told, details that are objects as JSON."""
    info = ErrorInfo(
        message="slow down",
        code="RATE_LIMITED",
        severity=Severity.CRITICAL,
        recovery="wait",
        available_actions=("a.list",),
        retry_after=2.5,
        details={"id": "x", "tries": 3, "seen": [1, {"a": None}], "huge": 10**400},
    )

    facts = fusion.read_text(envelope(info))

    assert facts is not None
    assert facts.values == {
        "code": "RATE_LIMITED",
        "message": "slow down",
        "severity": Severity.CRITICAL,
        "recovery": "wait",
        "available_actions": ("a.list",),
        "retry_after": 2.5,
        "details": {
            "id": "x",
            "tries": "3",
            "seen": '[1, {"a": null}]',
            "huge": str(10**400),
        },
    }


def test_a_failure_without_a_code_is_written_without_one() -> None:
    """No code is made up."""
    assert envelope(ErrorInfo(message="m")) == (
        '<tool_error severity="error">\n<message>m</message>\n</tool_error>'
    )


def test_a_detail_that_nests_without_end_is_left_out() -> None:
    """Handing a failure on never fails itself."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]

    facts = fusion.read_text(
        envelope(ErrorInfo(message="m", details={"deep": deep, "id": "x"}))
    )

    assert facts is not None
    assert facts.values["details"] == {"id": "x"}


@given(
    code=TEXT,
    message=TEXT,
    recovery=TEXT,
    actions=st.lists(TEXT, max_size=4),
    details=st.dictionaries(TEXT, TEXT, max_size=4),
    retry_after=WAITS,
    severity=SEVERITIES,
)
def test_whatever_is_written_is_read_back(
    *,
    code: str,
    message: str,
    recovery: str,
    actions: list[str],
    details: dict[str, str],
    retry_after: float,
    severity: Severity,
) -> None:
    """No text can break out of its place, and none is changed on the way."""
    text = tool_error(
        code,
        message,
        recovery=recovery,
        available_actions=actions,
        details=details,
        retry_after=retry_after,
        severity=severity,
    )

    facts = fusion.read_text(text)

    assert facts is not None
    assert facts.complete
    assert not facts.lossy
    expected: dict[str, JsonValue] = {
        "code": code,
        "message": message,
        "severity": severity,
        "retry_after": retry_after,
    }
    if recovery:
        expected["recovery"] = recovery
    if actions:
        expected["available_actions"] = tuple(actions)
    if details:
        expected["details"] = details
    assert facts.values == expected


@given(
    action=st.none() | TEXT,
    fields=st.lists(st.tuples(TEXT, TEXT), max_size=4),
)
def test_whatever_field_is_written_is_read_back(
    action: str | None, fields: list[tuple[str, str]]
) -> None:
    """Names and texts of fields come back in order, repeated names too."""
    facts = fusion.read_text(validation_error(action, fields))

    assert facts is not None
    read = facts.values.get("fields", ())
    assert [(field.name, field.message) for field in read] == fields
    assert facts.values.get("action") == action


def _options(put_in: JsonObject) -> dict[str, object] | None:
    """Return our options for what MCP Fusion was given; None when we refuse it."""
    names = {
        "suggestion": "suggestion",
        "availableActions": "available_actions",
        "details": "details",
        "retryAfter": "retry_after",
        "severity": "severity",
    }
    options = {names[key]: value for key, value in put_in.items() if key != "message"}
    wait = options.get("retry_after", 0)
    if isinstance(wait, str) or wait < 0:
        return None
    if options.get("severity", "error") not in set(Severity):
        return None
    return options


def test_recorded_tool_errors_are_written_byte_for_byte() -> None:
    """The same values give the same bytes as the real server's."""
    compared = 0
    for result in recorded("core/response.ts toolError()"):
        options = _options(result["input"]["options"])
        if options is None:
            continue
        text = tool_error(
            result["input"]["code"],
            result["input"]["options"]["message"],
            **options,  # type: ignore[arg-type]
        )
        assert text == result["result"]["content"][0]["text"], result["id"]
        compared += 1

    assert compared > 50


def test_recorded_validation_errors_are_written_byte_for_byte() -> None:
    """The same fields give the same bytes as the real server's."""
    producer = "core/execution/ValidationErrorFormatter.ts formatValidationError()"
    results = recorded(producer)
    for result in results:
        put_in = result["truth"]
        fields = [(field["name"], field["message"]) for field in put_in["fields"]]
        text = validation_error(put_in["action"], fields)
        assert text == result["result"]["content"][0]["text"], result["id"]

    assert results
