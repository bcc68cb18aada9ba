"""Envelopes that were cut or damaged: what survived whole is kept, and no more."""

import pytest

from mcpfusion_client.decode import fusion
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import FieldError, Severity

INVOICE = """<tool_error code="NOT_FOUND" severity="error">
  <message>No invoice with that ID</message>
  <recovery>List invoices first, then retry with a real ID</recovery>
  <available_actions>
    <action>billing.list_invoices</action>
  </available_actions>
  <details>
    <detail key="requestedId">inv_2026_9999</detail>
  </details>
  <retry_after>30 seconds</retry_after>
</tool_error>"""

NOTICE = (
    "\n\n[SYSTEM INTERVENTION: Payload truncated at 1KB to prevent memory crash. "
    "You MUST use pagination (limit/offset) or filters to retrieve smaller result "
    "sets.]"
)


def read(text: str) -> Facts:
    """Return the facts of a text that has some."""
    facts = fusion.read_text(text)
    assert facts is not None
    return facts


@pytest.mark.parametrize(
    ("survived", "values"),
    [
        (
            '<tool_error code="C" severity="error">\n<message>all of it</mess',
            {"code": "C", "severity": Severity.ERROR, "message": "all of it"},
        ),
        (
            '<tool_error code="C">\n<message>half of it, &l',
            {"code": "C", "message": "half of it, "},
        ),
        (
            '<tool_error code="C">\n<message>half of it &amp;',
            {"code": "C", "message": "half of it &"},
        ),
        (
            '<tool_error code="C">\n<message>a</message>\n',
            {"code": "C", "message": "a"},
        ),
        (
            '<tool_error code="C">\n<message>a</message>\n</to',
            {"code": "C", "message": "a"},
        ),
        (
            '<tool_error code="C">\n<message>a</message>\n<recovery>do th',
            {"code": "C", "message": "a", "recovery": "do th"},
        ),
        (
            (
                "<tool_error>\n<message>a</message>\n<available_actions>\n"
                "  <action>one</action>\n  <action>tw"
            ),
            {"message": "a", "available_actions": ("one",)},
        ),
        (
            (
                "<tool_error>\n<message>a</message>\n<available_actions>\n"
                "  <action>one</action>\n  <action>two</ac"
            ),
            {"message": "a", "available_actions": ("one", "two")},
        ),
        (
            "<tool_error>\n<message>a</message>\n<available_actions>one, two, th",
            {"message": "a", "available_actions": ("one", "two")},
        ),
        (
            "<tool_error>\n<message>a</message>\n<available_actions>on",
            {"message": "a"},
        ),
        (
            "<tool_error>\n<message>a</message>\n<available_actions>a, b</available",
            {"message": "a", "available_actions": ("a", "b")},
        ),
        (
            (
                "<tool_error>\n<message>a</message>\n<details>\n"
                '  <detail key="k">v</detail>\n'
                '  <detail key="l">w'
            ),
            {"message": "a", "details": {"k": "v"}},
        ),
        (
            (
                "<tool_error>\n<message>a</message>\n<details>\n"
                '  <detail key="k">v</detail>\n'
                '  <detail key="l'
            ),
            {"message": "a", "details": {"k": "v"}},
        ),
        ("<tool_error>\n<message>a</message>\n<retry_after>3", {"message": "a"}),
        ("<tool_error>\n<message>a</message>\n<retry_after>30 sec", {"message": "a"}),
        (
            "<tool_error>\n<message>a</message>\n<retry_after>30 seconds</r",
            {"message": "a", "retry_after": 30.0},
        ),
        ('<tool_error code="C" severity="cri', {"code": "C"}),
        ('<tool_error code="C" sev', {"code": "C"}),
        ('<tool_error code="A\x00B" severity=', {"code": "A\x00B"}),
        ('<tool_error code="half', {}),
        ("<tool_error ", {}),
        ("<tool_error>", {}),
    ],
)
def test_a_cut_keeps_what_survived_whole(
    survived: str, values: dict[str, object]
) -> None:
    """Prose stays, numbers and names that were cut do not."""
    facts = read(survived + NOTICE)

    assert facts.values == values
    assert facts.lossy
    assert facts.complete


def test_a_cut_field_keeps_its_name_and_no_value() -> None:
    """What was sent is no longer known."""
    facts = read(
        '<validation_error action="t/a">\n'
        "<field name=\"a\">Bad. You sent: 'x'. Expected type: y.</field>\n"
        '<field name="b">Bad. You sent: \'12.3' + NOTICE
    )

    assert facts.values["fields"] == (
        FieldError(
            name="a",
            message="Bad. You sent: 'x'. Expected type: y.",
            sent="'x'",
            expected="y",
        ),
        FieldError(name="b", message="Bad. You sent: '12.3"),
    )
    assert facts.lossy


@pytest.mark.parametrize("number", ["1KB", "2.0MB", "512B"])
def test_a_notice_after_a_whole_envelope_marks_it_lossy(number: str) -> None:
    """Something was cut, if only padding."""
    facts = read(INVOICE + "   " + NOTICE.replace("1KB", number))

    assert facts.values == read(INVOICE).values
    assert facts.lossy


def test_a_notice_after_other_text_is_told_apart_from_it() -> None:
    """Other readers see the text without it."""
    text = "half an answ" + NOTICE

    assert fusion.peel(text) == fusion.Peeled(body="half an answ", lossy=True)
    assert read(text) == Facts(
        dialect="fusion-xml", inferred={"message": "half an answ"}, lossy=True
    )


@pytest.mark.parametrize(
    "text",
    [
        NOTICE.strip() + "\nand more",
        "x [SYSTEM INTERVENTION: Payload truncated at 1KB, see above",
        NOTICE + "x" * 500,
    ],
)
def test_a_notice_that_is_not_at_the_end_is_text(text: str) -> None:
    """Only the server's own notice, at the end, says that something was cut."""
    assert fusion.peel(text) == fusion.Peeled(body=text)


def test_an_unclosed_envelope_is_lossy_without_a_notice_too() -> None:
    """Half an envelope is still a failure with a code."""
    facts = read('<tool_error code="RATE_LIMITED" severity="error">\n<message>half of')

    assert facts.values["code"] == "RATE_LIMITED"
    assert facts.values["message"] == "half of"
    assert facts.lossy


@pytest.mark.parametrize(
    ("inside", "values"),
    [
        ("<message>m<recovery>r</recovery>", {"message": "m<recovery>r</recovery>"}),
        ("<message>m</message><retry_after>30", {"message": "m"}),
        (
            (
                "<message>m</message><available_actions><action>a</action><action>b"
                "</available_actions><recovery>r</recovery>"
            ),
            {"message": "m", "available_actions": ("a",), "recovery": "r"},
        ),
        (
            "<message>m</message><available_actions>a, b<recovery>r</recovery>",
            {"message": "m", "available_actions": ("a",)},
        ),
        (
            '<message>m</message><details><detail key="a">b</details>',
            {"message": "m"},
        ),
    ],
)
def test_what_is_not_closed_inside_an_envelope_is_dropped_or_kept_as_text(
    inside: str, values: dict[str, object]
) -> None:
    """Damage in the middle never turns text into a fact."""
    facts = read(f"<tool_error>{inside}</tool_error>")

    assert facts.values == values
    assert facts.lossy


def test_stray_closing_tags_are_text() -> None:
    """A closing tag that closes nothing changes nothing."""
    facts = read(
        "<tool_error></recovery><message>m </action> n</message></details></tool_error>"
    )

    assert facts.values == {"message": "m </action> n"}
    assert not facts.lossy


def test_a_text_beyond_the_limit_is_cut_there() -> None:
    """Only the first 256 KiB are evidence."""
    facts = read(f"<tool_error><message>{'x' * 300_000}</message></tool_error>")

    assert set(facts.values["message"]) == {"x"}
    assert facts.lossy
