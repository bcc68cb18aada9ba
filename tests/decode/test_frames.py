"""Sentences are understood by the way they are built."""

from pathlib import Path

import pytest

from mcpfusion_client.decode import decode, prose
from mcpfusion_client.decode.evidence import Strength
from mcpfusion_client.decode.frames import WORD, Frame, compiled
from mcpfusion_client.decode.passage import Passage
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables import sentences, sentences_weak
from mcpfusion_client.model import ErrorCategory as C

WORDS = {"cannot": "cannot can_not", "who": "nobody no_one"}


def _frame(text: str) -> Frame:
    return next(compiled([(m.NOT_FOUND, text)], WORDS, Strength.PROSE))


def _search(frame: Frame, text: str) -> tuple[int, int] | None:
    return frame.search(text, frozenset(WORD.findall(text)))


@pytest.mark.parametrize(
    ("frame", "text", "found"),
    [
        ("{cannot} find|see", "we can not see it", True),
        ("{cannot} find|see", "we cannot seek it", False),
        ("{who} ?here knows", "nobody knows", True),
        ("{who} ?here knows", "no one here knows", True),
        ("{who} ?here knows", "nobody there knows", False),
        ("no * named", "no big red thing named x", True),
        ("no * named", "no a b c d e f g named x", False),
        ("no * named", "no thing. one named x", False),
        ("no * named", "no thing\nnamed x", False),
        ("no \0 named", "no thing named x", False),
        ("no * named", "no \0\0\0 named x", True),
        ("in # days", "in 30 days", True),
        ("in # days", "in some days", False),
        ("already !gone +", "already there", True),
        ("already !gone +", "already gone", False),
        ("already !gone +", "already.", False),
        ("busy !signal|line", "busy signal", False),
        ("busy !signal|line", "busy now", True),
        ("busy !signal|line", "busy\nsignal", True),
        ("^nothing here", "well, nothing here", False),
        ("^nothing here", "well: nothing here", True),
        ("^nothing here", "nothing here", True),
        ("is lock~ here", "is locked here", True),
        ("knows|sees|\n   hears it", "hears it", True),
    ],
)
def test_a_frame_fits_by_its_tokens(frame: str, text: str, *, found: bool) -> None:
    """Alternatives, classes, gaps on one line, what may and what must not stand."""
    assert (_search(_frame(frame), text) is not None) is found


def test_a_long_word_ends_a_gap() -> None:
    """What is longer than a word is none, so a gap stays bounded."""
    assert _search(_frame("no * named"), f"no {'x' * 99} named") is None


def test_a_word_inside_others_is_looked_for_only_so_often() -> None:
    """A flood of near hits is given up."""
    assert _search(_frame("no * named"), "nod " * 200 + "no x named y") is None


def test_what_a_frame_matched_is_read_once() -> None:
    """Its words are hidden, the text keeps its length."""
    frame = _frame("no * named")
    span = _search(frame, "there is no x named y")

    assert span is not None
    assert frame.hide("there is no x named y", span) == "there is " + "\0" * 11 + "y"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Nobody called Ada works here.", C.NOT_FOUND),
        ("There is no shelf named 7.", C.NOT_FOUND),
        ("The pump has to be between 1 and 9.", C.VALIDATION),
        ("Only the curator may hang this picture; only owners can.", C.PERMISSION),
        ("Somebody else changed this drawing.", C.CONFLICT),
        ("Your tier comes without telescopes.", C.BUSINESS),
        ("The user turned the request down.", C.CANCELLED),
        ("Two of the pumps match.", C.AMBIGUOUS),
        ("The gauge stopped responding.", C.TRANSIENT),
        ("We could not confirm who you are.", C.AUTHENTICATION),
        ("unexpected status 7 of the gauge", C.UNKNOWN),
        ("The payment may or may not have gone through.", C.STATE_UNKNOWN),
        ("Nur Vorstände dürfen das.", C.PERMISSION),
        ("Нет открытого проекта.", C.CONFLICT),
    ],
)
def test_sentences_nobody_has_listed_are_understood(text: str, category: C) -> None:
    """Whatever stands in their gaps."""
    clues, _ = prose.find(Passage(text))

    assert [clue.meaning.category for clue in clues] == [category]
    assert clues[0].source.startswith("sentence ")


def test_no_frame_makes_a_write_retryable_by_itself() -> None:
    """All that a frame calls passing is a limit that counts seconds or minutes."""
    rows = (*sentences.STRONG, *sentences_weak.WEAK)

    assert {meaning.category for meaning, _ in rows if meaning.retry} <= {
        C.RATE_LIMITED,
        C.TRANSIENT,
    }


def test_a_refusal_beats_what_passes() -> None:
    """A limit beside a missing right is no reason to repeat."""
    text = "Only 5 calls per minute are allowed, and only admins may make them."
    error = decode({"isError": True, "content": [{"type": "text", "text": text}]})

    assert error is not None
    assert error.is_retryable is False


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("{bad", C.UNKNOWN),
        ('{"state": "wrong", "cut', C.UNKNOWN),
        ('[{"state": "denied"', C.UNKNOWN),
        ('{"state": "permission denied", "cut', C.PERMISSION),
        ("{name} must be a string", C.VALIDATION),
        ("[Error] invalid date", C.VALIDATION),
        ("bad", C.UNKNOWN),
        ("bad filter", C.VALIDATION),
    ],
)
def test_weak_words_in_broken_json_say_nothing(text: str, category: C) -> None:
    """They may be names or values there; a whole sentence still counts."""
    error = decode({"isError": True, "content": [{"type": "text", "text": text}]})

    assert error is not None
    assert error.category is category


@pytest.mark.parametrize(
    "line", (Path(__file__).parent / "breakdowns.txt").read_text("utf-8").splitlines()
)
def test_what_broke_was_not_refused(line: str) -> None:
    """“Failed to delete” tells of a breakdown, “cannot be deleted” of a rule."""
    family, _, text = line.partition(" ")
    error = decode({"isError": True, "content": [{"type": "text", "text": text}]})

    assert error is not None
    assert error.category.family == family
    assert error.is_retryable is not False
