"""What a result offers beside its content blocks: its text and its data."""

import pytest

from mcpfusion_client.model import JsonObject, JsonValue, ToolResult
from mcpfusion_client.model.json import is_array, is_mapping, is_object, is_sequence
from mcpfusion_client.model.snapshot import snapshot

IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}


def text(value: JsonValue) -> JsonObject:
    """A text block."""
    return {"type": "text", "text": value}


class Frozen(dict[str, JsonValue]):
    """A mapping that is not a plain dict."""


@pytest.mark.parametrize(
    ("blocks", "joined"),
    [
        ([], ""),
        ([text("a")], "a"),
        ([text("a"), IMAGE, text("b")], "a\nb"),
        ([text(5), text(None), {"type": "text"}], ""),
        ([{"type": "resource", "text": "not a text block"}], ""),
    ],
)
def test_the_text_is_that_of_the_text_blocks(
    blocks: list[JsonObject], joined: str
) -> None:
    """Blocks come from a server: what is no text is passed over."""
    result: ToolResult[JsonValue] = ToolResult(content=blocks)

    assert result.text == joined
    assert result.content == tuple(blocks)


@pytest.mark.parametrize(
    ("structured", "blocks", "found"),
    [
        ({"a": 1}, [text('{"a": 2}')], {"a": 1}),
        ({}, [text('{"a": 2}')], {}),
        (False, [text("true")], False),
        (None, [text('{"a": 2}')], {"a": 2}),
        (None, [text("[1, 2]")], [1, 2]),
        (None, [text("no JSON")], None),
        (None, [text("[" * 100_000)], None),
        (None, [text("1" * 5000)], None),
        (None, [text(5)], None),
        (None, [IMAGE], None),
        (None, [text("1"), text("2")], None),
        (None, [text("1"), IMAGE], None),
        (None, [], None),
    ],
    ids=[
        "structured",
        "structured and empty",
        "structured and false",
        "object in a text",
        "array in a text",
        "prose",
        "too deep",
        "too many digits",
        "no text in the block",
        "image",
        "two texts",
        "text and image",
        "nothing",
    ],
)
def test_the_data_is_structured_content_else_json_in_a_single_text_block(
    structured: JsonValue, blocks: list[JsonObject], found: JsonValue
) -> None:
    """Whatever else a server sends is no data, and never an exception."""
    result: ToolResult[JsonValue] = ToolResult(
        structured_content=structured, content=blocks
    )

    assert result.data == found


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ({"a": 1}, {"object", "mapping"}),
        (Frozen(a=1), {"object", "mapping"}),
        (snapshot({"a": 1}, what="a test"), {"object", "mapping"}),
        ([1], {"array", "sequence"}),
        ((1,), {"sequence"}),
        ("text", set[str]()),
        (b"bytes", set[str]()),
        (1, set[str]()),
        (None, set[str]()),
    ],
    ids=["dict", "Frozen", "copy", "list", "tuple", "str", "bytes", "int", "None"],
)
def test_text_is_neither_an_array_nor_a_sequence(
    value: object, kinds: set[str]
) -> None:
    """Whoever walks over JSON asks these before looking inside."""
    asked = {
        "object": is_object(value),
        "array": is_array(value),
        "mapping": is_mapping(value),
        "sequence": is_sequence(value),
    }

    assert {kind for kind, yes in asked.items() if yes} == kinds
