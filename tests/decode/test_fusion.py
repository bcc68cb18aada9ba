"""MCP Fusion's XML: every element and attribute gives back what was put in."""

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

FIELD = """<validation_error action="billing.get_invoice">
  <field name="id">Invalid email format. You sent: 'not-an-email'. \
Expected a valid email address.</field>
  <recovery>Fix the fields above and call the tool again. Do not explain the \
error.</recovery>
</validation_error>"""


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


def test_the_first_element_of_a_name_wins() -> None:
    """Nobody can override what was said before."""
    facts = read(
        "<tool_error><message>a</message><message>b</message>"
        "<retry_after>1</retry_after><retry_after>2</retry_after></tool_error>"
    )

    assert facts.values == {"message": "a", "retry_after": 1.0}


@pytest.mark.parametrize(
    "blank", ["\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\r", "\v"]
)
def test_odd_blanks_between_elements_do_no_harm(blank: str) -> None:
    """Python counts more characters as blank than XML does."""
    facts = read(f"<tool_error>{blank}<message>m</message>{blank}</tool_error>")
    attribute = fusion.read_text(
        f'<tool_error{blank}code="C"><message>m</message></tool_error>'
    )

    assert facts.values == {"message": "m"}
    assert attribute is None or attribute.values["code"] == "C"


def test_entities_and_external_references_are_never_expanded() -> None:
    """A document type is text; what it declares stays a word."""
    facts = read(
        '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]>\n'
        "<tool_error><message>&a; &b; <!DOCTYPE y></message></tool_error>"
    )

    assert facts.values["message"] == "&a; &b; <!DOCTYPE y>"
