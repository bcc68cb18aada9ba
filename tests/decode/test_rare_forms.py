"""Forms that are rare, each with what it means."""

from datetime import UTC, datetime

import pytest

from mcpfusion_client.decode import code_text, decode, prose_hints, reply_text
from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.issue_lists import from_json
from mcpfusion_client.decode.lexicon import Lexicon
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import codes, meanings
from mcpfusion_client.model import ErrorCategory, ErrorInfo


def test_a_class_of_ruby_is_known_by_its_colons() -> None:
    """Its name need not end in "Error"."""
    found = code_text.find(
        Passage("ActiveRecord::RecordNotFound: Couldn't find it"), Lexicon()
    )

    assert found.word is not None
    assert "RecordNotFound" in found.word


def test_five_digits_that_no_driver_wrote_are_no_sqlstate() -> None:
    """They are a number of the server's own."""
    found = code_text.find(Passage("42703: the parcel is late"), Lexicon())

    assert found.number == "42703"
    assert found.clues == ()


def test_a_code_may_say_that_it_is_a_sqlstate() -> None:
    """Then its digits are looked up as one."""
    assert codes.meaning_of("SQLSTATE 23505") is meanings.CONFLICT
    assert codes.meaning_of("42P01") is codes.meaning_of("SQLSTATE 42P01")


@pytest.mark.parametrize("name", ["causes", "fieldViolations", "violations"])
def test_fields_stand_in_a_list_inside_an_object(name: str) -> None:
    """As Kubernetes, Google and Java write them."""
    fields = from_json(
        {name: [{"field": "spec.size", "message": "too big"}]}, key="details"
    )

    assert [field.name for field in fields] == ["spec.size"]


def test_a_header_in_a_text_tells_when_the_limit_resets() -> None:
    """A small number counts from now."""
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)

    assert prose_hints.find(Passage("x-ratelimit-reset: 30"), now) == 30
    assert prose_hints.find(Passage("x-ratelimit-reset: 9999999999999"), now) is None


def test_a_text_that_forbids_a_repeat_beats_a_flag_in_another() -> None:
    """Two blocks that disagree never end in a retry."""
    error = decode(
        {
            "isError": True,
            "content": [
                {"type": "text", "text": '{"code": "X", "isRetryable": true}'},
                {"type": "text", "text": "The queue moved on. Do not retry."},
            ],
        }
    )

    assert error is not None
    assert error.is_retryable is False


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("550 No such user here", meanings.NOT_FOUND),
        ("421 closing the channel", meanings.OUTAGE),
        ("452 4.2.2 over quota for now", meanings.OUTAGE),
        ("535 5.7.8 not accepted", meanings.AUTHENTICATION),
        ("554 5.7.1 refused", meanings.PERMISSION),
        ("599 something", None),
        ("the parcel 550 is late", None),
    ],
)
def test_replies_of_mail_servers_mean_what_their_standard_says(
    text: str, meaning: Meaning | None
) -> None:
    """The enhanced status says more than the reply; class 4 passes."""
    clue = reply_text.find(Passage(text))

    assert (None if clue is None else clue.meaning) is meaning


def _decoded(text: str) -> ErrorInfo:
    error = decode({"isError": True, "content": [{"type": "text", "text": text}]})
    assert error is not None
    return error


def test_the_path_of_a_graphql_error_names_no_argument() -> None:
    """It leads into the answer; the code beside it is that of the failure."""
    error = _decoded(
        '{"errors": [{"message": "no", "path": ["shop"],'
        ' "extensions": {"code": "FORBIDDEN"}}]}'
    )

    assert error.code == "FORBIDDEN"
    assert error.fields == ()


def test_what_holds_the_arguments_is_no_argument() -> None:
    """Only what is in it can be wrong."""
    assert _decoded("Invalid parameter 'arguments'").fields == ()


def test_a_sentence_in_an_inner_object_is_evidence() -> None:
    """Where the outer one says nothing."""
    error = _decoded(
        '{"error": {"message": "oops", "details": {"message": "permission denied"}}}'
    )

    assert error.category is ErrorCategory.PERMISSION
