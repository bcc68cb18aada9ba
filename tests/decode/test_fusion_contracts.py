"""Contract changes inside a validation error and after any error text."""

import pytest

from mcpfusion_client.decode import fusion
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import ContractChange

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
