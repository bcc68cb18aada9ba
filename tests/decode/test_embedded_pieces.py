"""A dump that was cut is read piece by piece, and each piece once."""

import pytest

from mcpfusion_client.decode.embedded import _PIECE


@pytest.mark.parametrize("opened", ['"', "'"])
def test_a_text_without_an_end_is_one_piece(opened: str) -> None:
    """Read again from every character, 64 KiB of it took half a minute."""
    text = opened + "a_" * 1000

    assert [piece.group() for piece in _PIECE.finditer(text)] == [text]


def test_a_closed_text_ends_where_it_is_closed() -> None:
    """An escaped quote does not close it."""
    pieces = [piece.group() for piece in _PIECE.finditer(r'"a\"b":1')]

    assert pieces == [r'"a\"b"', ":", "1"]
