"""Tests for the texts in which zod rejects arguments."""

import pytest

from mcpfusion_client.decode import issue_texts
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.model import FieldError

INTRO = "MCP error -32602: Input validation error: Invalid arguments for tool book: "
NO_PATH = FieldError(
    name="path",
    message="Invalid input: expected string, received undefined",
    expected="string",
)
BAD_LIMIT = FieldError(
    name="limit",
    message="Invalid input: expected number, received string",
    sent="string",
    expected="number",
)
CITY = FieldError(
    name="city",
    message='Invalid option: expected one of "New York"|"at home, maybe"',
    expected='"New York"|"at home, maybe"',
)
SHORT = FieldError(
    name="guests.0.name",
    message="Too small: expected string to have >=1 characters",
    expected="string to have >=1 characters",
)
ISSUES = [NO_PATH, BAD_LIMIT, CITY, SHORT]


def found(text: str) -> tuple[FieldError, ...]:
    """Return the fields that a validator itself names."""
    fields, sure = issue_texts.find(Passage(text))
    assert sure
    return fields


def line(field: FieldError) -> str:
    """Return the issue as the official TypeScript SDK words it."""
    return f"{field.message} at {field.name}"


@pytest.mark.parametrize("intro", [INTRO, "Invalid params: ", ""])
@pytest.mark.parametrize("issue", ISSUES, ids=lambda issue: issue.name)
def test_an_issue_is_the_message_alone(intro: str, issue: FieldError) -> None:
    """What the SDK puts before it is about the call, not the argument."""
    assert found(intro + line(issue)) == (issue,)


@pytest.mark.parametrize("between", ["\n", ", ", "; "])
@pytest.mark.parametrize("intro", [INTRO, ""])
def test_several_issues_are_told_apart(intro: str, between: str) -> None:
    """However they are joined; a comma in an option joins nothing."""
    text = intro + between.join(line(issue) for issue in ISSUES)

    assert found(text) == tuple(ISSUES)


def test_a_message_of_the_servers_own_is_read_after_the_intro() -> None:
    """The SDK says what follows; without it, the words could mean anything."""
    city = FieldError(name="city", message="We do not fly there")

    assert found(f"{INTRO}{line(city)}\n{line(NO_PATH)}") == (city, NO_PATH)


def test_pretty_text_has_the_path_below() -> None:
    """A message without a path is about no argument."""
    text = (
        "✖ Passwords differ\n"
        "✖ Invalid input: expected string, received undefined\n"
        "  → at path\n"
        "✖ We do not fly there\n"
        "  → at stops[0].city\n"
    )

    assert found(text) == (
        NO_PATH,
        FieldError(name="stops[0].city", message="We do not fly there"),
    )


def test_the_wordings_of_zod_3_are_split_too() -> None:
    """Its options and types stand behind a sentence."""
    text = (
        "Expected number, received nan at limit\n"
        "Invalid enum value. Expected 'a' | 'b', received 'c' at mode\n"
        "Required at path"
    )

    assert found(text) == (
        FieldError(
            name="limit",
            message="Expected number, received nan",
            sent="nan",
            expected="number",
        ),
        FieldError(
            name="mode",
            message="Invalid enum value. Expected 'a' | 'b', received 'c'",
            sent="'c'",
            expected="'a' | 'b'",
        ),
        FieldError(name="path", message="Required"),
    )


def test_an_unknown_argument_is_named_beside_the_others() -> None:
    """Its issue has no path of its own."""
    fields = found(f'{INTRO}{line(NO_PATH)}\nUnrecognized key: "colour"')

    assert [field.name for field in fields] == ["path", "colour"]


def test_of_two_issues_with_one_argument_the_first_counts() -> None:
    """One entry for each argument."""
    text = f"{INTRO}{line(NO_PATH)}\nToo big: expected string to have <=3 at path"

    assert found(text) == (NO_PATH,)
