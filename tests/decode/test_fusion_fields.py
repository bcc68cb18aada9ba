"""What a field of a validation error says was sent and expected."""

import pytest

from mcpfusion_client.decode.fusion_fields import composed_message, field_error
from mcpfusion_client.model import FieldError


@pytest.mark.parametrize(
    ("text", "sent", "expected"),
    [
        (
            (
                "Invalid input: expected string, received undefined "
                "You sent: (missing). Expected type: string."
            ),
            "(missing)",
            "string",
        ),
        ("Bad You sent: 1.5. Expected type: int.", "1.5", "int"),
        ("Bad You sent: null. Expected type: string.", "null", "string"),
        (
            (
                "Bad You sent: 'admin@local'. Expected: a valid email address "
                "(e.g. user@example.com)."
            ),
            "'admin@local'",
            "a valid email address (e.g. user@example.com)",
        ),
        (
            "Bad You sent: ''. Minimum length: 1 character.",
            "''",
            "Minimum length: 1 character",
        ),
        ("Bad You sent: 101. Must be <= 100.", "101", "Must be <= 100"),
        (
            "Bad You sent: 'a'. b'. Valid options: 'x', 'y. z'.",
            "'a'. b'",
            "Valid options: 'x', 'y. z'",
        ),
        (
            'Bad You sent: {"a":"b. c. Value didn\'t match any of the formats.',
            '{"a":"b. c',
            "Value didn't match any of the formats",
        ),
        ("Invalid ISO date You sent: '2024-13-45'.", "'2024-13-45'", None),
        ("Bad You sent: array(3).", "array(3)", None),
        (
            "Bad & <wrong>\nsecond line You sent: 1. Expected type: string.",
            "1",
            "string",
        ),
        ("Bad. You sent nothing", None, None),
        ("Bad You sent: half of", None, None),
        ("Bad", None, None),
    ],
)
def test_the_value_and_the_advice_are_told_apart(
    text: str, sent: str | None, expected: str | None
) -> None:
    """The whole text stays the message."""
    assert field_error("a.b", text) == FieldError(
        name="a.b", message=text, sent=sent, expected=expected
    )


def test_a_cut_text_tells_nothing_about_the_value() -> None:
    """The end of a cut text means nothing."""
    text = "Bad You sent: 1. Expected type: int."

    assert field_error("a", text, whole=False) == FieldError(name="a", message=text)


def test_the_message_of_a_validation_error_names_every_field_and_is_bounded() -> None:
    """Somebody has to say in one text what was wrong."""
    fields = [FieldError(name="a", message="x"), FieldError(name="b", message="y")]

    assert composed_message(fields) == "a: x; b: y"
    assert len(composed_message([FieldError(name="a", message="x" * 10**6)])) == 65536
