"""Promises of the readers for any text whatsoever."""

import math
import time

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.decode import fusion, fusion_legacy, fusion_repair, labels
from mcpfusion_client.encode import tool_error, validation_error

READERS = [fusion.read_text, fusion_legacy.read_text, labels.read_text]

PIECES = st.sampled_from(
    [
        "<tool_error",
        ' code="C"',
        " severity='critical'",
        "/>",
        "\x1f",
        "\x85",
        "\xa0",
        "<tool_error>",
        '<tool_error code="A" severity="critical">',
        "</tool_error>",
        '<validation_error action="a">',
        "</validation_error>",
        "<message>",
        "</message>",
        "<recovery>",
        "</recovery>",
        "<available_actions>",
        "</available_actions>",
        "<action>",
        "</action>",
        "<details>",
        '<detail key="k">',
        "</detail>",
        "</details>",
        "<retry_after>",
        "30 seconds",
        "</retry_after>",
        '<field name="f">',
        "</field>",
        "You sent: '",
        "'. Expected type: x.",
        "<contract_awareness>",
        "</contract_awareness>",
        "\n<contract_changes>",
        '<change severity="S">',
        "</change>",
        "</contract_changes>",
        "<description>",
        "</description>",
        "\n\n[SYSTEM INTERVENTION: Payload truncated at 1KB to prevent memory crash.]",
        "&amp;",
        "&#0;",
        "&",
        "<",
        ">",
        "]]>",
        '"',
        "'",
        "\\",
        "{",
        "}",
        "[",
        "]",
        "\n",
        "\r",
        "\x00",
        "\ud800",
        "\U0010fffd",
        ", ",
        "エラー種別: ",
        "再試行：",
        "同じ内容で可(30秒後)",
        "Retry: ",
        "[NOT_FOUND] ",
        "\n\n💡 Suggestion: ",
        "\n\n📋 Try: ",
        "❌ UNKNOWN ACTION: ",
        "⚠️ VALIDATION FAILED — ACTION 'A'\n",
        "\n  • ",
        " — ",
    ]
)
ENVELOPE_LIKE = st.lists(
    PIECES | st.text(st.characters(), max_size=4), max_size=30
).map("".join)


@given(text=ENVELOPE_LIKE)
def test_no_text_makes_a_reader_fail(text: str) -> None:
    """Damaged, nested, cut, hostile: facts or none, never an exception."""
    for read in READERS:
        facts = read(text)
        if facts is not None:
            wait = facts.values.get("retry_after")
            assert wait is None or (math.isfinite(wait) and wait >= 0)
    fusion.is_whole_envelope(text)
    fusion.peel(text)


@pytest.mark.parametrize(
    "name",
    ["tool_error", "validation_error", "contract_awareness", "contract_changes"],
)
@given(text=ENVELOPE_LIKE, end=st.booleans(), cut=st.booleans())
def test_the_repair_always_gives_xml_that_a_parser_accepts(
    *, name: str, text: str, end: bool, cut: bool
) -> None:
    """Whatever begins like an element can be parsed after the repair."""
    whole = f"<{name}>{text}</{name}>" if end else f"<{name}>{text}"

    repaired = fusion_repair.repair(whole, 0, cut=cut)

    if repaired is not None:
        root = fromstring(repaired.xml, forbid_dtd=True)
        assert root.tag == name


@given(attributes=ENVELOPE_LIKE, text=ENVELOPE_LIKE)
def test_a_start_tag_may_hold_anything(attributes: str, text: str) -> None:
    """It is a tag that can be parsed, or none at all."""
    whole = f"<tool_error {attributes}><message>{text}</message></tool_error>"

    repaired = fusion_repair.repair(whole, 0, cut=False)

    if repaired is not None:
        root = fromstring(repaired.xml, forbid_dtd=True)
        assert root.tag == "tool_error"


@given(message=ENVELOPE_LIKE, code=ENVELOPE_LIKE, after=ENVELOPE_LIKE)
def test_no_value_and_no_trailer_changes_what_an_envelope_says(
    message: str, code: str, after: str
) -> None:
    """Markup in a value is data, and what follows belongs to nobody."""
    text = tool_error(code, message, retry_after=5)

    facts = fusion.read_text(f"{text}\n{after}")

    assert facts is not None
    assert facts.values["code"] == code
    assert facts.values["message"] == message
    assert facts.values["retry_after"] == 5.0


@given(data=st.data(), message=ENVELOPE_LIKE, detail=ENVELOPE_LIKE)
def test_a_cut_anywhere_never_makes_up_a_value(
    data: st.DataObject, message: str, detail: str
) -> None:
    """What is left is what was there: whole names and numbers, or none."""
    whole = tool_error(
        "CODE",
        message,
        recovery="do it",
        available_actions=["one", "two"],
        details={"k": detail},
        retry_after=30,
    )
    kept = data.draw(st.integers(0, len(whole)))
    notice = "\n\n[SYSTEM INTERVENTION: Payload truncated at 1KB to prevent it.]"

    facts = fusion.read_text(whole[:kept] + notice)

    assert facts is not None
    assert facts.lossy
    assert facts.values.get("code") in {None, "CODE"}
    assert facts.values.get("retry_after") in {None, 30.0}
    actions = facts.values.get("available_actions", ())
    assert actions == ("one", "two")[: len(actions)]
    assert facts.values.get("details", {"k": detail}) == {"k": detail}
    if facts.complete and "message" in facts.values:
        assert message.startswith(facts.values["message"])


@given(
    fields=st.lists(st.tuples(ENVELOPE_LIKE, ENVELOPE_LIKE), max_size=3),
    before=st.sampled_from(["", "Error executing tool x: ", "failed:\n"]),
)
def test_fields_come_back_whatever_they_hold(
    fields: list[tuple[str, str]], before: str
) -> None:
    """Values and advice are told apart, the text is never changed."""
    facts = fusion.read_text(before + validation_error("a/b", fields))

    assert facts is not None
    read = facts.values.get("fields", ())
    assert [(field.name, field.message) for field in read] == fields
    for field in read:
        assert field.sent is None or field.sent in field.message


@pytest.mark.parametrize(
    "unit",
    [
        "<tool_error ",
        "<tool_error>",
        '<tool_error code="X">',
        '<tool_error code="',
        "<tool_error a='<tool_error b=\"",
        '<tool_error code="X"><message>',
        '<tool_error code="X"><validation_error action="Y">',
        "<message>",
        "<available_actions><action>",
        "</tool_error></validation_error>",
        '{"a": "<tool_error> ',
        "[\"<tool_error code='X'>\", ",
        '"<tool_error>',
        "\n<contract_awareness>",
        "</contract_awareness>",
        "[SYSTEM INTERVENTION: Payload truncated at ",
        "&amp;",
        "&",
        "&#0;",
        "\x00",
        "\U0010fffd",
        "9",
        " ",
        "\n",
        "<",
        "You sent: '. ",
        "再試行: 不可\n",
        "エラー種別",
        " \t",
        "[",
        "[A] ",
        "\n\nTry: ",
        "\n  • a — b",
    ],
)
@pytest.mark.parametrize(
    "start",
    [
        "",
        '<tool_error code="X"><message>',
        '<validation_error action="a"><field name="b">',
        "[X_Y] ",
        "再試行: ",
        "⚠️ VALIDATION FAILED — ACTION 'A'\n",
    ],
)
def test_a_flood_is_read_in_bounded_time(start: str, unit: str) -> None:
    """128 KiB of anything takes far less than a second, closed or not."""
    flood = start + unit * (128 * 1024 // len(unit))
    began = time.process_time()

    for end in ("", "</message></tool_error>", "</field></validation_error>"):
        for read in READERS:
            read(flood + end)
        fusion.is_whole_envelope(flood + end)

    assert time.process_time() - began < 5.0
