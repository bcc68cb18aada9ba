"""KEY=VALUE and --args: what is typed becomes what the schema says."""

import contextlib
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.cli.arguments import (
    fill,
    read_object,
    read_words,
    unlisted,
)
from mcpfusion_client.model import JsonObject


def typed(word: str, rule: JsonObject | None = None) -> Any:
    """Return the value of *word* for an argument called k."""
    properties = {} if rule is None else {"k": rule}
    return fill({}, read_words([word]), {"properties": properties})["k"]


@pytest.mark.parametrize(
    ("text", "rule", "expected"),
    [
        ("5", {"type": "string"}, "5"),
        ("true", {"type": "string"}, "true"),
        ('["a"]', {"type": "string"}, '["a"]'),
        ("", {"type": "string"}, ""),
        ("a=b:=c", {"type": "string"}, "a=b:=c"),
        ("007", {"enum": ["007", "008"]}, "007"),
        ("5", {"type": "integer"}, 5),
        ("5.0", {"type": "integer"}, 5),
        ("-5", {"type": "number"}, -5),
        ("2.5e3", {"type": "number"}, 2500.0),
        ("TRUE", {"type": "boolean"}, True),
        ("false", {"type": "boolean"}, False),
        ("null", {"type": ["string", "null"]}, None),
        ("nil", {"type": ["string", "null"]}, "nil"),
        ("null", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, None),
        ("5", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, 5),
        ("5", {"type": ["string", "integer"]}, "5"),
        ('{"a": 1}', {"type": ["string", "object"]}, {"a": 1}),
        ("{a", {"type": ["string", "object"]}, "{a"),
        ('{"a": 1}', {"type": "object"}, {"a": 1}),
        ("[1, 2]", {"type": "array"}, [1, 2]),
        ("7", {"type": "array", "items": {"type": "string"}}, ["7"]),
        ("7", {"type": "array", "items": {"type": "integer"}}, [7]),
        ("7", {"type": "array"}, [7]),
        ("5", {}, 5),
        ("five", {}, "five"),
        ("NaN", {}, "NaN"),
        ("5", None, 5),
        ("5", {"type": "surprise"}, 5),
    ],
)
def test_a_value_is_of_the_type_its_schema_says(
    text: str, rule: JsonObject | None, expected: object
) -> None:
    """A text stays a text, and what has no type is JSON if it can be."""
    found = typed(f"k={text}", rule)

    assert found == expected
    assert type(found) is type(expected)


def test_a_schema_may_refer_to_its_definitions() -> None:
    """As pydantic and zod write it."""
    schema = {
        "properties": {"k": {"$ref": "#/$defs/Level"}},
        "$defs": {"Level": {"enum": ["1", "2"]}},
    }

    assert fill({}, read_words(["k=1"]), schema) == {"k": "1"}


def test_a_grouped_tool_knows_the_arguments_of_its_actions() -> None:
    """They stand in its branches."""
    schema = {"oneOf": [{"properties": {"k": {"type": "string"}}}]}

    assert fill({}, read_words(["k=1"]), schema) == {"k": "1"}


def test_json_is_forced_with_a_colon() -> None:
    """Whatever the schema says."""
    assert typed("k:=5", {"type": "string"}) == 5
    assert typed('k:="5"', {"type": "integer"}) == "5"


def test_a_key_of_an_array_may_come_again() -> None:
    """One word for each item."""
    schema = {"properties": {"k": {"type": "array", "items": {"type": "string"}}}}

    assert fill({}, read_words(["k=1", 'k=["2"]', "k=3"]), schema) == {
        "k": ["1", "2", "3"]
    }


def test_words_are_put_over_the_object() -> None:
    """--args is the base."""
    base = {"a": 1, "b": [1]}

    assert fill(base, read_words(["a=2", "b:=[2]"]), {}) == {"a": 2, "b": [2]}
    assert base == {"a": 1, "b": [1]}


def test_the_object_is_json_or_a_file(tmp_path: Path) -> None:
    """After an at sign."""
    file = tmp_path / "args.json"
    file.write_text('{"é": [1]}', "utf-8")

    assert read_object(f"@{file}") == {"é": [1]}
    assert read_object('{"a": null}') == {"a": None}


@pytest.mark.parametrize(
    ("words", "rule", "named"),
    [
        (["novalue"], {}, "novalue"),
        (["=x"], {}, "=x"),
        ([":=x"], {}, ":=x"),
        (["k:=x"], {}, "k:="),
        (["k:=NaN"], {}, "NaN"),
        (["k=x"], {"type": "integer"}, "k"),
        (["k=1.5"], {"type": "integer"}, "k"),
        (["k=NaN"], {"type": "number"}, "k"),
        (["k=true"], {"type": "number"}, "k"),
        (["k=1"], {"type": "boolean"}, "k"),
        (["k=[1]"], {"type": "object"}, "k"),
        (["k=[1"], {"type": "array"}, "k"),
        (["k=x"], {"type": "array", "items": {"type": "integer"}}, "k"),
        (["k=a", "k=b"], {"type": "string"}, "k"),
        (["kk=1"], {"type": "string"}, "'k'"),
        (["k=\udcff"], {"type": "string"}, "UTF-8"),
    ],
)
def test_what_does_not_fit_is_one_line(
    words: list[str], rule: JsonObject, named: str
) -> None:
    """It names the word, and what would fit."""
    schema = {"properties": {"k": rule}, "additionalProperties": False}

    with pytest.raises(click.ClickException) as caught:
        fill({}, read_words(words), schema)

    assert named in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("arguments", "more", "named"),
    [
        ({"path": 1}, {}, []),
        ({"pth": 1}, {}, ["did you mean path?"]),
        ({"zzz\x1b": 1}, {}, ["the tool takes: path"]),
        ({"pth": 1}, {"additionalProperties": True}, ["did you mean path?"]),
        ({"zzz": 1}, {"additionalProperties": True}, []),
        ({"zzz": 1}, {"patternProperties": {"^z": {}}}, []),
        ({"zzz": 1}, {"properties": {}}, []),
    ],
)
def test_a_key_the_tool_does_not_list_is_warned_about(
    arguments: JsonObject, more: JsonObject, named: list[str]
) -> None:
    """Where the schema allows it, it is sent, and a server may just ignore it."""
    schema = {"properties": {"path": {"type": "string"}}, **more}

    lines = unlisted(arguments, schema)

    assert len(lines) == len(named)
    for line, part in zip(lines, named, strict=True):
        assert part in line
        assert "\x1b" not in line


def test_a_file_of_arguments_is_named_once() -> None:
    """And no number of an error."""
    with pytest.raises(click.ClickException) as caught:
        read_object("@/no/such/file")

    assert caught.value.message.count("/no/such/file") == 1
    assert "Errno" not in caught.value.message


@pytest.mark.parametrize(
    "given_", ["", "{", "[1]", "5", '{"a": NaN}', "@/no/such/file", "@", "[" * 99999]
)
def test_an_object_that_is_none_is_one_line(given_: str) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(click.ClickException) as caught:
        read_object(given_)

    assert "\n" not in caught.value.message


_KEYWORDS = st.sampled_from(
    ["type", "properties", "k", "anyOf", "allOf", "$ref", "enum", "const", "items"]
)
_SCHEMAS = st.recursive(
    st.sampled_from([None, True, 5, "string", "array", "k", "#", "#/properties/k"]),
    lambda inner: (
        st.dictionaries(_KEYWORDS, inner, max_size=3) | st.lists(inner, max_size=2)
    ),
    max_leaves=12,
)


@settings(max_examples=settings().max_examples // 2)
@given(
    schema=st.dictionaries(_KEYWORDS, _SCHEMAS, max_size=4), text=st.text(max_size=8)
)
def test_no_schema_breaks_the_reading(schema: JsonObject, text: str) -> None:
    """A server may list anything; the value is taken or refused."""
    with contextlib.suppress(click.ClickException):
        fill({}, read_words([f"k={text}"]), schema)
