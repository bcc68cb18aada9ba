"""The short way for results that hold neither an error nor a warning."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client import tool_error
from mcpfusion_client.decode import Decoder
from mcpfusion_client.decode.front import is_plain_success

TEXT = {"type": "text", "text": "done"}
IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}
WARNING = {"type": "text", "text": tool_error("OLD", "use v2", severity="warning")}

TEXTS = st.text() | st.sampled_from(
    [WARNING["text"], f"\n {WARNING['text']}", tool_error("BUSY", "later"), "<"]
)
LEAVES = st.none() | st.booleans() | st.integers() | TEXTS
BLOCKS = (
    st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS})
    | st.dictionaries(st.sampled_from(["type", "text", "resource"]), LEAVES)
    | LEAVES
)
RESULTS = st.fixed_dictionaries(
    {},
    optional={
        "content": st.lists(BLOCKS, max_size=3) | LEAVES,
        "isError": LEAVES | st.sampled_from(["true", 0, 1]),
        "is_error": LEAVES,
        "structuredContent": st.dictionaries(st.text(), LEAVES),
    },
)


@pytest.mark.parametrize("content", [[], [TEXT], [TEXT, IMAGE]])
def test_what_most_tools_return_is_plain(content: object) -> None:
    """Text, other content, and none at all."""
    assert is_plain_success({"content": content, "isError": False})
    assert is_plain_success({"content": content})


@pytest.mark.parametrize(
    "result",
    [
        {"content": [TEXT], "isError": True},
        {"content": [TEXT], "isError": "true"},
        {"content": [TEXT], "isError": None},
        {"content": [TEXT], "isError": False, "is_error": True},
        {"content": "done", "isError": False},
        {"content": ["done"], "isError": False},
        {"content": [{"type": "text", "text": 7}], "isError": False},
        {"content": [TEXT, WARNING], "isError": False},
        {"isError": False},
        {},
    ],
)
def test_what_is_not_certain_is_left_to_the_decoder(result: dict[str, object]) -> None:
    """Failures, warnings, and every shape that is out of the ordinary."""
    assert not is_plain_success(result)


@given(result=RESULTS)
def test_the_decoder_finds_nothing_in_a_plain_success(result: dict[str, Any]) -> None:
    """Going the short way never loses a failure or a warning."""
    if is_plain_success(result):
        reading = Decoder().read({"result": result})

        assert reading.error is None
        assert reading.warnings == ()
