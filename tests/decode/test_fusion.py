"""MCP Fusion's XML: every element, text around it, cuts, and what is no envelope."""

import pytest

from mcpfusion_client.decode import fusion
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import ContractChange, FieldError, Severity

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

FIELD = """<validation_error action="billing.get_invoice">
  <field name="id">Invalid email format. You sent: 'not-an-email'. \
Expected a valid email address.</field>
  <recovery>Fix the fields above and call the tool again. Do not explain the \
error.</recovery>
</validation_error>"""

NOTICE = (
    "\n\n[SYSTEM INTERVENTION: Payload truncated at 1KB to prevent memory crash. "
    "You MUST use pagination (limit/offset) or filters to retrieve smaller result "
    "sets.]"
)

CONTRACT = """<contract_awareness>
  <system_note>IMPORTANT: The behavioral contract for tool "a<b>&c" has changed \
since your last calibration.</system_note>
  <action>create</action>
  <change_count>2</change_count>
  <max_severity>BREAKING</max_severity>

  <instructions>
    Review the contract changes below and adjust your next invocation accordingly.
  </instructions>

  <contract_changes>
    <change severity="BREAKING" field="inputSchema.email">
      <description>Field &quot;email&quot; became required</description>
      <before>optional</before>
      <after>required</after>
    </change>
    <change severity="RISKY" field="">
      <description></description>
    </change>
  </contract_changes>
</contract_awareness>"""

CHANGES = (
    ContractChange(
        severity="BREAKING",
        field="inputSchema.email",
        description='Field "email" became required',
        before="optional",
        after="required",
    ),
    ContractChange(severity="RISKY", field="", description=""),
)


def read(text: str) -> Facts:
    """Return the facts of a text that has some."""
    facts = fusion.read_text(text)
    assert facts is not None
    return facts


def test_the_documented_envelope_gives_every_value() -> None:
    """The example of the error documentation, all of it stated by the server."""
    facts = read(INVOICE)

    assert facts == Facts(
        dialect="fusion-xml",
        values={
            "code": "NOT_FOUND",
            "severity": Severity.ERROR,
            "message": "No invoice with that ID",
            "recovery": "List invoices first, then retry with a real ID",
            "available_actions": ("billing.list_invoices",),
            "details": {"requestedId": "inv_2026_9999"},
            "retry_after": 30.0,
        },
        complete=True,
    )


def test_the_documented_validation_error_gives_its_fields() -> None:
    """It has no code, no severity and no message of its own: those are inferred."""
    facts = read(FIELD)

    assert facts.values == {
        "action": "billing.get_invoice",
        "fields": (
            FieldError(
                name="id",
                message="Invalid email format. You sent: 'not-an-email'. "
                "Expected a valid email address.",
                sent="'not-an-email'",
                expected="a valid email address",
            ),
        ),
        "recovery": "Fix the fields above and call the tool again. "
        "Do not explain the error.",
    }
    assert facts.inferred["code"] == "VALIDATION_ERROR"
    assert facts.inferred["severity"] is Severity.ERROR
    assert "not-an-email" in facts.inferred["message"]


def test_an_envelope_without_attributes_states_neither_code_nor_severity() -> None:
    """Most routing errors and every plain error come like this."""
    facts = read("<tool_error>\n<message>m</message>\n</tool_error>")

    assert facts.values == {"message": "m"}
    assert facts.inferred == {"severity": Severity.ERROR}


@pytest.mark.parametrize(
    ("attribute", "stated", "inferred"),
    [
        ('severity="critical"', Severity.CRITICAL, None),
        ('severity="CRITICAL"', Severity.CRITICAL, None),
        ('severity="warning"', Severity.WARNING, None),
        ('severity="fatal"', None, Severity.ERROR),
        ('severity=""', None, Severity.ERROR),
    ],
)
def test_an_unknown_severity_counts_as_none(
    attribute: str, stated: Severity | None, inferred: Severity | None
) -> None:
    """Only the three words are stated; the rest leaves the default."""
    facts = read(f"<tool_error {attribute}><message>m</message></tool_error>")

    assert facts.values.get("severity") is stated
    assert facts.inferred.get("severity") is inferred


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ("<tool_error code='A'>", "A"),
        ('<tool_error code="A" code="B">', "A"),
        ('<tool_error  code = "A"\n\tseverity="error" >', "A"),
        ("<tool_error code=A severity='error'>", "A"),
        ('<tool_error code="it\'s">', "it's"),
        ("<tool_error code='say \"x\"'>", 'say "x"'),
        ('<tool_error code="a>b<c">', "a>b<c"),
        ('<tool_error code="">', ""),
        ('<tool_error code="A\r\nB\tC">', "A\r\nB\tC"),
        ('<tool_error code=" A ">', " A "),
        ('<tool_error other="x" code="A">', "A"),
        (
            '<tool_error code="X&quot; severity=&quot;critical">',
            'X" severity="critical',
        ),
    ],
)
def test_attributes_come_back_as_they_were_put_in(start: str, code: str) -> None:
    """Either quote, any order, the first of a name, no blank changed."""
    facts = read(f"{start}<message>m</message></tool_error>")

    assert facts.values["code"] == code
    assert not facts.lossy


@pytest.mark.parametrize(
    ("written", "put_in"),
    [
        ("a &lt; b > c &amp;&amp; d", "a < b > c && d"),
        ("&amp;lt;script&amp;gt;", "&lt;script&gt;"),
        ("&gt;&quot;&apos;", ">\"'"),
        ("&#39;&#x27;&#65;", "''A"),
        ("idx[0]]> 5", "idx[0]]> 5"),
        ("nul \x00 esc \x1b[2J bell \x07", "nul \x00 esc \x1b[2J bell \x07"),
        ("lone \ud83d surrogate \udc00", "lone \ud83d surrogate \udc00"),
        ("\ufffe\uffff", "\ufffe\uffff"),
        ("\U0010fffd\U00100000", "\U0010fffd\U00100000"),
        ("\U0010fffd\x00\U0010fffd", "\U0010fffd\x00\U0010fffd"),
        ("cr \r crlf \r\n lf \n", "cr \r crlf \r\n lf \n"),
        ("  blanks  ", "  blanks  "),
        ("", ""),
        ("a <b>bold</b> word", "a <b>bold</b> word"),
        (
            "<!-- note --> <![CDATA[ x ]]> <?pi?>",
            "<!-- note --> <![CDATA[ x ]]> <?pi?>",
        ),
        ("R & D, &nbsp; &lol; &", "R & D, &nbsp; &lol; &"),
        ("&#0; &#x1b; &#xd800; &#x110000; &#9999999;", None),
    ],
)
def test_a_value_comes_back_exactly_as_it_was_put_in(
    written: str, put_in: str | None
) -> None:
    """Escapes are undone once; what XML forbids, and what is no escape, is kept."""
    facts = read(f"<tool_error><message>{written}</message></tool_error>")

    assert facts.values["message"] == (written if put_in is None else put_in)
    assert not facts.lossy


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("30 seconds", 30.0),
        ("1 seconds", 1.0),
        ("0.5 seconds", 0.5),
        ("1e+21 seconds", 1e21),
        ("1.7976931348623157e+308 seconds", 1.7976931348623157e308),
        ("5e-324 seconds", 5e-324),
        ("30", 30.0),
        ("30s", 30.0),
        ("\n  30 seconds\n", 30.0),
        ("0 seconds", None),
        ("-1 seconds", None),
        ("NaN seconds", None),
        ("Infinity seconds", None),
        ("1e999 seconds", None),
        ("", None),
        ("soon", None),
        ("30 minutes", None),
        ("9" * 500 + " seconds", None),
    ],
)
def test_a_wait_is_a_positive_finite_number_of_seconds(
    written: str, seconds: float | None
) -> None:
    """JavaScript's spelling of numbers; everything else is as good as absent."""
    facts = read(
        f"<tool_error><message>m</message><retry_after>{written}</retry_after>"
        "</tool_error>"
    )

    assert facts.values.get("retry_after") == seconds


@pytest.mark.parametrize(
    ("written", "actions"),
    [
        ("a, b", ("a", "b")),
        ("a&amp;b, c,d, &lt;e>", ("a&b", "c,d", "<e>")),
        ("only", ("only",)),
        ("a,b,c", ("a", "b", "c")),
        ("\n  a,\n  b,\n", ("a", "b")),
        ("<action>a</action><action></action><action> </action>", ("a", "", " ")),
        ("\n  <action>a</action>\n  <action>a</action>\n", ("a", "a")),
        ("<action/>", ("",)),
        ("", None),
        ("\n", None),
    ],
)
def test_actions_are_elements_or_a_list_with_commas(
    written: str, actions: tuple[str, ...] | None
) -> None:
    """Both forms are current; the list stands before the recovery."""
    facts = read(
        f"<tool_error><message>m</message><available_actions>{written}"
        "</available_actions><recovery>r</recovery></tool_error>"
    )

    assert facts.values.get("available_actions") == actions
    assert facts.values["recovery"] == "r"


def test_details_keep_odd_keys_and_the_first_of_a_name() -> None:
    """Keys are data too."""
    facts = read(
        "<tool_error><message>m</message><details>"
        '<detail key="">a</detail><detail key="a\nb">c</detail>'
        '<detail key="__proto__">d</detail><detail>e</detail>'
        "</details></tool_error>"
    )

    assert facts.values["details"] == {"": "a", "a\nb": "c", "__proto__": "d"}


def test_fields_keep_their_order_and_repeat_their_names() -> None:
    """One argument may break several rules; the root has a name of its own."""
    facts = read(
        '<validation_error action="t/a">'
        '<field name="items.1.sku">a</field><field name="items.1.sku">b</field>'
        '<field name="(root)">c</field><field name="">d</field><field>e</field>'
        "</validation_error>"
    )

    fields = facts.values["fields"]
    assert [(field.name, field.message) for field in fields] == [
        ("items.1.sku", "a"),
        ("items.1.sku", "b"),
        ("(root)", "c"),
        ("", "d"),
        ("", "e"),
    ]


def test_text_without_a_message_element_is_the_message() -> None:
    """An envelope somebody else wrote may have no elements."""
    facts = read('<tool_error code="X"> plain text </tool_error>')

    assert facts.values["message"] == "plain text"


def test_an_empty_envelope_states_only_its_attributes() -> None:
    """Nothing is invented."""
    facts = read('<tool_error code="X"/>')

    assert facts.values == {"code": "X"}
    assert not facts.lossy


@pytest.mark.parametrize(
    "text",
    [
        f"Operation failed:\n{INVOICE}",
        f"Error executing tool billing: {INVOICE}",
        f"Error calling tool 'billing': {INVOICE}",
        f"{INVOICE}\n\nSee https://x/?a=1&b=2",
        f'<?xml version="1.0"?>\n{INVOICE}',
        f"\ufeff{INVOICE}",
        f"```xml\n{INVOICE}\n```",
        f"Got <tool_error> from upstream: {INVOICE}",
        f"[1] {{x}} {INVOICE}",
    ],
)
def test_text_around_an_envelope_changes_nothing(text: str) -> None:
    """A prefix of an SDK, a mention of the tag and a trailer are not read."""
    assert read(text) == read(INVOICE)


def test_of_two_envelopes_only_the_first_counts() -> None:
    """Nothing is mixed between two."""
    second = (
        '<tool_error code="Y" severity="critical"><message>2</message>'
        "<recovery>r</recovery><retry_after>60 seconds</retry_after></tool_error>"
    )

    facts = read(
        f'<tool_error code="X">\n<message>1</message>\n</tool_error>\n{second}'
    )

    assert facts.values == {"code": "X", "message": "1"}


@pytest.mark.parametrize(
    "inner",
    [
        '<tool_error code="R"><retry_after>1 seconds</retry_after></tool_error>',
        (
            '<tool_error code="RATE_LIMITED"><message>go</message>'
            "<retry_after>1 seconds</retry_after></tool_error>"
        ),
        "<tool_error><message>go</message><retry_after>1</retry_after></tool_error>",
        '<validation_error action="x"><field name="a">b</field></validation_error>',
        "<retry_after>1 seconds</retry_after><recovery>no</recovery>",
        '<tool_error code="X"/>',
        "</validation_error> </recovery>",
    ],
)
def test_markup_inside_a_message_is_data(inner: str) -> None:
    """A server that does not escape cannot be made to say more than it says."""
    facts = read(
        f'<tool_error code="FORBIDDEN"><message>no {inner} way</message></tool_error>'
    )

    assert facts.values == {"code": "FORBIDDEN", "message": f"no {inner} way"}


def test_a_nested_envelope_that_is_never_closed_gives_nothing_away() -> None:
    """Then nobody can say whose the rest is."""
    facts = read(
        '<tool_error code="FORBIDDEN"><message>no <tool_error code="RATE_LIMITED">'
        "<message>go</message><retry_after>0.1 seconds</retry_after></message>"
        "</tool_error>"
    )

    assert facts.values["code"] == "FORBIDDEN"
    assert "retry_after" not in facts.values
    assert facts.lossy


def test_an_envelope_beside_the_elements_of_another_is_not_read() -> None:
    """Between elements, a closed envelope is skipped and an open one ends it all."""
    closed = read(
        '<tool_error code="A"><message>a</message><tool_error code="B">'
        "<retry_after>5 seconds</retry_after></tool_error><recovery>r</recovery>"
        "</tool_error>"
    )
    unclosed = read(
        '<tool_error code="A"><message>a</message><validation_error action="B">'
        "<recovery>r</recovery></tool_error>"
    )

    assert closed.values == {"code": "A", "message": "a", "recovery": "r"}
    assert not closed.lossy
    assert unclosed.values == {"code": "A", "message": "a"}
    assert unclosed.lossy


@pytest.mark.parametrize(
    "text",
    [
        "nothing here",
        "",
        "a tool_error without a tag",
        "the <tool_error> tag is missing",
        "the <tool_error code= is broken",
        "the <tool_errors> and <tool_error_x> tags",
        "</tool_error>",
        f"expected `{INVOICE}`",
        f"got '{INVOICE}'",
        f'TextContent(text="{INVOICE}")',
        '{"message": "<tool_error><message>go</message></tool_error>"}',
        'Error: {"a": ["x <tool_error><message>go</message></tool_error>"]} [done',
        r'{"message": "x <tool_error>\n<message>go</message>\n</tool_error>',
        r'{"message": "x <tool_error code=\"X\"><message>go</message></tool_error>',
        f"エラー種別: 入力不正\n何が起きたか: {INVOICE}",
    ],
)
def test_a_quoted_or_mentioned_envelope_is_none(text: str) -> None:
    """In JSON, in quotation marks and in a label value it is somebody's data."""
    assert fusion.read_text(text) is None


@pytest.mark.parametrize("prefix", ['{"a": 1} [2]', "[1] " * 9, "{" * 100_000])
def test_an_envelope_after_json_counts(prefix: str) -> None:
    """JSON that ends before it, or is none, does not quote it."""
    facts = read(f"{prefix} {INVOICE}")

    assert facts.values["code"] == "NOT_FOUND"


def test_the_first_element_of_a_name_wins() -> None:
    """Nobody can override what was said before."""
    facts = read(
        "<tool_error><message>a</message><message>b</message>"
        "<retry_after>1</retry_after><retry_after>2</retry_after></tool_error>"
    )

    assert facts.values == {"message": "a", "retry_after": 1.0}


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


def test_contract_changes_inside_a_validation_error_are_read() -> None:
    """Their action is not an available action, and their names are not escaped."""
    facts = read(
        '<validation_error action="a/create">\n<field name="email">x</field>\n'
        f"<recovery>r</recovery>\n\n\n{CONTRACT}\n</validation_error>"
    )

    assert facts.values["contract_changes"] == CHANGES
    assert facts.values["recovery"] == "r"
    assert "available_actions" not in facts.values
    assert not facts.lossy


def test_contract_changes_after_a_tool_error_are_read() -> None:
    """They follow any error text."""
    facts = read(f"{INVOICE}\n\n{CONTRACT}")

    assert facts.values == {**read(INVOICE).values, "contract_changes": CHANGES}
    assert facts.complete


def test_contract_changes_after_other_text_leave_the_text_to_others() -> None:
    """The text itself is only what this reader suggests as the message."""
    facts = read(f"no closing tag here\n\n{CONTRACT}")

    assert facts == Facts(
        dialect="fusion-xml",
        values={"contract_changes": CHANGES},
        inferred={"message": "no closing tag here"},
    )
    assert fusion.peel(f"a\n\n\n{CONTRACT}").body == "a\n"


def test_contract_changes_alone_are_read() -> None:
    """Then their descriptions are the message."""
    changes = CONTRACT[CONTRACT.index("<contract_changes>") :].removesuffix(
        "\n</contract_awareness>"
    )

    facts = read(changes)

    assert facts.values["contract_changes"] == CHANGES
    assert 'Field "email" became required' in facts.inferred["message"]


def test_contract_changes_after_a_cut_are_read() -> None:
    """The guard cuts first, the changes are appended to what it left."""
    facts = read(f'<tool_error code="X">\n<message>half{NOTICE}\n\n{CONTRACT}')

    assert facts.values == {
        "code": "X",
        "message": "half",
        "contract_changes": CHANGES,
    }
    assert facts.lossy


def test_contract_changes_that_are_cut_keep_what_is_whole() -> None:
    """A change without its description still names its field."""
    cut = CONTRACT[: CONTRACT.index("</after>")]

    facts = read(f"{INVOICE}\n\n{cut}{NOTICE}")

    assert facts.values["code"] == "NOT_FOUND"
    assert facts.values["contract_changes"] == (
        ContractChange(
            severity="BREAKING",
            field="inputSchema.email",
            description='Field "email" became required',
            before="optional",
        ),
    )
    assert facts.lossy


@pytest.mark.parametrize(
    ("before", "changes"),
    [
        ("", ()),
        (
            (
                '<contract_changes><change severity="S" field="f"><description>d'
                "</description></change>"
            ),
            (ContractChange(severity="S", field="f", description="d"),),
        ),
        ("<system_note>", ()),
    ],
)
def test_contract_changes_that_end_too_early_give_what_came_before(
    before: str, changes: tuple[ContractChange, ...]
) -> None:
    """The last closing tag of a text counts; an earlier one ends what is read."""
    tag = "contract_awareness"

    peeled = fusion.peel(f"x\n\n<{tag}>{before}</{tag}>\n<action>a</action>\n</{tag}>")

    assert peeled == fusion.Peeled(body="x", contract_changes=changes, lossy=True)


@pytest.mark.parametrize(
    "text",
    [
        "we have no <contract_awareness> here",
        "x <contract_changes>\n</contract_changes>",
        "a <contract_awareness> was\n</contract_awareness> that",
    ],
)
def test_a_mention_of_contracts_is_none(text: str) -> None:
    """They stand on their own line and reach to the end."""
    assert fusion.read_text(text) is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (INVOICE, True),
        (f"\n  {INVOICE}\n", True),
        (f"\ufeff{INVOICE}", True),
        (FIELD, True),
        (
            '<tool_error code="PARTIAL" severity="warning">\n<message>half' + NOTICE,
            True,
        ),
        (INVOICE + NOTICE, True),
        ('<tool_error code="PARTIAL" severity="warning">\n<message>half', False),
        (f"see {INVOICE}", False),
        (f"{INVOICE} is what it looks like", False),
        (INVOICE + INVOICE, False),
        ("<tool_error is no tag", False),
        ("<tool_error> is a tag", False),
        ("", False),
        ("{}", False),
        (f"<tool_error><message>{'x' * 300_000}</message></tool_error>", False),
    ],
)
def test_only_one_envelope_and_nothing_else_is_a_whole_envelope(
    text: str, *, whole: bool
) -> None:
    """On the success path a quoted envelope is an answer, not a warning."""
    assert fusion.is_whole_envelope(text) is whole


def test_entities_and_external_references_are_never_expanded() -> None:
    """A document type is text; what it declares stays a word."""
    facts = read(
        '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]>\n'
        "<tool_error><message>&a; &b; <!DOCTYPE y></message></tool_error>"
    )

    assert facts.values["message"] == "&a; &b; <!DOCTYPE y>"
