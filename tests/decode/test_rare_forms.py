"""Forms that are rare, each with what it means."""

from datetime import UTC, datetime

import pytest

from mcpfusion_client.decode import code_text, decode, prose_hints
from mcpfusion_client.decode.issue_lists import from_json
from mcpfusion_client.decode.lexicon import Lexicon
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import codes, meanings


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
