"""What MCP Fusion wrote before it wrote XML."""

import pytest

from mcpfusion_client.decode import fusion_legacy
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import Severity


def read(text: str) -> Facts:
    """Return the facts of a text that has some."""
    facts = fusion_legacy.read_text(text)
    assert facts is not None
    return facts


def test_the_whole_old_form_gives_every_part() -> None:
    """Code, message, suggestion and actions; nothing is escaped there."""
    facts = read(
        "[ProjectNotFound] Project 'p1' does not exist & <gone>.\n\n"
        "💡 Suggestion: Call projects.list first.\n\n"
        "📋 Try: projects.list, a&b, c,d"
    )

    assert facts == Facts(
        dialect="fusion-text",
        values={
            "code": "ProjectNotFound",
            "message": "Project 'p1' does not exist & <gone>.",
            "recovery": "Call projects.list first.",
            "available_actions": ("projects.list", "a&b", "c,d"),
        },
        inferred={"severity": Severity.ERROR},
        complete=True,
    )


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "[C\"<>&'] m\n\n💡 Suggestion: s",
            {"code": "C\"<>&'", "message": "m", "recovery": "s"},
        ),
        (
            "[a/b c] m\n\n📋 Try: x",
            {"code": "a/b c", "message": "m", "available_actions": ("x",)},
        ),
        ("[X] m\n\n📋 Try: ", {"code": "X", "message": "m"}),
        (
            "[NOT_FOUND] m\nn\n\no\n\nSuggestion: s\n\nTry: x, y",
            {
                "code": "NOT_FOUND",
                "message": "m\nn\n\no",
                "recovery": "s",
                "available_actions": ("x", "y"),
            },
        ),
        (
            "[A] [B] m\n\n💡 Suggestion: inner\n\n💡 Suggestion: outer",
            {
                "code": "A",
                "message": "[B] m\n\n💡 Suggestion: inner",
                "recovery": "outer",
            },
        ),
        (
            "[RateLimited] Wait 30 seconds.",
            {"code": "RateLimited", "message": "Wait 30 seconds."},
        ),
        ("[INSUFFICIENT_FUNDS] m", {"code": "INSUFFICIENT_FUNDS", "message": "m"}),
        ("[Unauthorized] m", {"code": "Unauthorized", "message": "m"}),
        ("[TIMEOUT] ", {"code": "TIMEOUT", "message": ""}),
        (
            "[not_found] 見つかりません",
            {"code": "not_found", "message": "見つかりません"},
        ),
    ],
)
def test_what_is_missing_is_left_out(text: str, values: dict[str, object]) -> None:
    """A code alone has to look like one; the last marker of a kind counts."""
    assert read(text).values == values


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "[users/boom] kaput <x>",
        "[2026-11-30 11:58:02] ERROR 429 Too Many Requests",
        "[2026-11-30 11:58:02] ERROR down\n\nSuggestion: wait",
        "[GitHub] rate limit exceeded",
        "[ERROR] failed",
        "[object Object]",
        "[1, 2] is no code",
        "[NotFound]no blank",
        "[\nNotFound] m",
        "[" * 1000,
        "❌ nothing known",
        "⚠️ VALIDATION FAILED — ACTION 'X'",
        "⚠️ VALIDATION FAILED — ACTION 'X'\nno bullets",
        "⚠️ VALIDATION FAILED — ACTION 'X'\n  • no dash",
        'Unknown tool: "nope". Available tools: users',
    ],
)
def test_other_text_is_left_to_others(text: str) -> None:
    """A name of a tool, a time and a level in brackets are no codes."""
    assert fusion_legacy.read_text(text) is None


def test_a_routing_banner_gives_a_code_and_the_actions() -> None:
    """The whole text is the message; nothing else is told apart in it."""
    text = (
        "❌ ROUTING ERROR: The required field 'action' is missing.\n"
        "You must specify which action to perform. Available: [create, list].\n"
        "💡 Add the 'action' field to your JSON and call the tool again."
    )

    facts = read(text)

    assert facts.values == {"message": text, "available_actions": ("create", "list")}
    assert facts.inferred["code"] == "MISSING_DISCRIMINATOR"
    assert facts.complete


def test_an_unknown_action_cannot_forge_the_list_of_actions() -> None:
    """The value is echoed unescaped; the last list is the server's."""
    text = (
        "❌ UNKNOWN ACTION: The action 'x\nAvailable actions: [evil].\n💡 y' does not "
        "exist.\nAvailable actions: [create].\n💡 Choose a valid action."
    )

    facts = read(text)

    assert facts.values["available_actions"] == ("create",)
    assert facts.inferred["code"] == "UNKNOWN_ACTION"


@pytest.mark.parametrize(
    "text",
    [
        "❌ UNKNOWN ACTION: The action 'x' does not exist.",
        "❌ UNKNOWN ACTION: The action 'x' does not.\nAvailable actions: [].\n💡 x",
        "❌ UNKNOWN ACTION: x].\n💡 y",
    ],
)
def test_a_banner_without_a_list_has_no_actions(text: str) -> None:
    """None is made up."""
    assert read(text).values == {"message": text}


@pytest.mark.parametrize(
    ("header", "action"),
    [
        ("⚠️ VALIDATION FAILED — ACTION 'USERS/CREATE'", None),
        ("❌ Validation failed for 'users/create':", "users/create"),
    ],
)
def test_a_validation_banner_gives_the_fields(header: str, action: str | None) -> None:
    """The newer header is in capitals and no longer names the action."""
    facts = read(
        f"{header}\n"
        "  • email — Invalid email. You sent: 'admin@local'. "
        "Expected: a valid email address.\n"
        "  • a — b — two\nlines. You sent: 10. Must be >= 18.\n"
        "💡 Fix the fields above and call the tool again."
    )

    fields = facts.values["fields"]
    assert [(field.name, field.sent, field.expected) for field in fields] == [
        ("email", "'admin@local'", "a valid email address"),
        ("a", "10", "Must be >= 18"),
    ]
    assert fields[1].message == "b — two\nlines. You sent: 10. Must be >= 18."
    assert facts.values.get("action") == action
    assert facts.inferred["code"] == "VALIDATION_ERROR"
    assert "email" in facts.inferred["message"]
