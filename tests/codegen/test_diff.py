"""Every kind of change has its grade."""

import json
from collections.abc import Mapping
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.codegen import (
    Grade,
    NoContractError,
    checked,
    diff,
    generate,
    read_contract,
    worst,
)
from mcpfusion_client.codegen.diff import Change
from mcpfusion_client.model import JsonObject, JsonValue
from tests.codegen.making import SERVERS, listed_by, made, tool

BREAKING, RISKY, SAFE = Grade.BREAKING, Grade.RISKY, Grade.SAFE

STRING: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
NUMBER: JsonObject = {"type": "number"}
NULL: JsonObject = {"type": "null"}
NOTHING: JsonObject = {}


def changes(old: list[JsonObject], new: list[JsonObject]) -> tuple[Change, ...]:
    """Return what changed, by way of a generated module."""
    return diff(read_contract(generate(old).source), checked(new)[0])


def grades(old: list[JsonObject], new: list[JsonObject]) -> list[Grade]:
    """Return the grade of every change."""
    return [change.grade for change in changes(old, new)]


def one_of(*schemas: JsonValue) -> JsonObject:
    """Return a schema that allows any of *schemas*."""
    return {"anyOf": list(schemas)}


def fields(properties: Mapping[str, JsonValue], *required: str) -> JsonObject:
    """Return an object schema."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
    }


Case: TypeAlias = tuple[str, JsonValue, JsonValue, Grade | None, Grade | None]
VALUES: list[Case] = [
    ("the same", STRING, STRING, None, None),
    ("narrowed to a literal", STRING, {"enum": ["a"]}, BREAKING, SAFE),
    ("widened from a literal", {"enum": ["a"]}, STRING, SAFE, BREAKING),
    ("a literal less", {"enum": ["a", "b"]}, {"enum": ["a"]}, BREAKING, SAFE),
    ("a literal more", {"enum": ["a"]}, {"enum": ["a", "b"]}, SAFE, BREAKING),
    ("other literals", {"enum": ["a"]}, {"enum": ["b"]}, BREAKING, BREAKING),
    ("the order of literals", {"enum": ["a", "b"]}, {"enum": ["b", "a"]}, None, None),
    ("const for an enum of one", {"enum": ["a"]}, {"const": "a"}, None, None),
    ("another type", STRING, INTEGER, BREAKING, BREAKING),
    ("an integer becomes a number", INTEGER, NUMBER, SAFE, BREAKING),
    ("a number becomes an integer", NUMBER, INTEGER, BREAKING, SAFE),
    ("null is possible now", STRING, one_of(STRING, NULL), SAFE, BREAKING),
    ("null is impossible now", one_of(STRING, NULL), STRING, BREAKING, SAFE),
    (
        "another spelling of nullable",
        one_of(STRING, NULL),
        {"type": ["string", "null"]},
        None,
        None,
    ),
    ("any value becomes a string", NOTHING, STRING, BREAKING, SAFE),
    ("a string becomes any value", STRING, NOTHING, SAFE, BREAKING),
    ("a tighter limit", STRING, {**STRING, "maxLength": 9}, RISKY, SAFE),
    (
        "a tighter number",
        {**INTEGER, "minimum": 0},
        {**INTEGER, "minimum": 1},
        RISKY,
        SAFE,
    ),
    ("no limit", {**STRING, "maxLength": 9}, STRING, SAFE, RISKY),
    (
        "another pattern",
        {**STRING, "pattern": "a"},
        {**STRING, "pattern": "b"},
        RISKY,
        RISKY,
    ),
    ("a format", STRING, {**STRING, "format": "date"}, RISKY, SAFE),
    (
        "items narrowed",
        {"type": "array", "items": NUMBER},
        {"type": "array", "items": INTEGER},
        BREAKING,
        SAFE,
    ),
    (
        "a tuple's place widened",
        {"type": "array", "prefixItems": [STRING], "items": False},
        {"type": "array", "prefixItems": [one_of(STRING, NULL)], "items": False},
        SAFE,
        BREAKING,
    ),
    ("a field more", fields({}), fields({"a": STRING}), SAFE, SAFE),
    ("a required field more", fields({}), fields({"a": STRING}, "a"), BREAKING, SAFE),
    ("a field less", fields({"a": STRING}), fields({}), BREAKING, BREAKING),
    (
        "required now",
        fields({"a": STRING}),
        fields({"a": STRING}, "a"),
        BREAKING,
        SAFE,
    ),
    (
        "optional now",
        fields({"a": STRING}, "a"),
        fields({"a": STRING}),
        SAFE,
        BREAKING,
    ),
    (
        "deep inside",
        fields({"a": fields({"b": {"type": "array", "items": STRING}})}),
        fields({"a": fields({"b": {"type": "array", "items": INTEGER}})}),
        BREAKING,
        BREAKING,
    ),
    (
        "closed",
        fields({"a": STRING}),
        {**fields({"a": STRING}), "additionalProperties": False},
        RISKY,
        SAFE,
    ),
    (
        "opened",
        {**fields({"a": STRING}), "additionalProperties": False},
        fields({"a": STRING}),
        SAFE,
        SAFE,
    ),
    (
        "values of a map",
        {"type": "object", "additionalProperties": INTEGER},
        {"type": "object", "additionalProperties": STRING},
        BREAKING,
        BREAKING,
    ),
    (
        "a variant more",
        one_of(fields({"t": {"const": "a"}})),
        one_of(fields({"t": {"const": "a"}}), fields({"t": {"const": "b"}})),
        SAFE,
        BREAKING,
    ),
    (
        "a variant less",
        one_of(fields({"t": {"const": "a"}}), fields({"t": {"const": "b"}})),
        one_of(fields({"t": {"const": "b"}})),
        BREAKING,
        SAFE,
    ),
    ("prose", STRING, {**STRING, "description": "new words"}, SAFE, SAFE),
]


@pytest.mark.parametrize(
    ("old", "new", "argument", "result"),
    [case[1:] for case in VALUES],
    ids=[str(case[0]) for case in VALUES],
)
def test_a_change_of_a_value_is_graded_by_who_sends_it(
    old: JsonValue, new: JsonValue, argument: Grade | None, result: Grade | None
) -> None:
    """What narrows an argument breaks a caller; what widens a result does."""
    sent = changes([tool("t", {"value": old})], [tool("t", {"value": new})])
    returned = changes(
        [tool("t", outputSchema=fields({"value": old}, "value"))],
        [tool("t", outputSchema=fields({"value": new}, "value"))],
    )

    assert worst(sent) == argument
    assert worst(returned) == result


READS = {"readOnlyHint": True}
DELETES = {"destructiveHint": True}
SAFE_TWICE = {"idempotentHint": True}


def hinted(hints: JsonValue) -> JsonObject:
    """Return a tool with annotations."""
    return tool("t", annotations=hints)


GROUP = {"enum": ["a", "b"]}
TOOLS: list[tuple[str, list[JsonObject], list[JsonObject], list[Grade]]] = [
    ("nothing", [tool("t")], [tool("t")], []),
    ("a tool is gone", [tool("t"), tool("u")], [tool("u")], [BREAKING]),
    ("a tool is new", [tool("u")], [tool("t"), tool("u")], [SAFE]),
    ("renamed", [tool("t")], [tool("u")], [BREAKING, SAFE]),
    (
        "another exposition",
        [tool("t_get")],
        [tool("t.get")],
        [BREAKING],
    ),
    (
        "an action is gone",
        [tool("t", {"action": GROUP}, ["action"])],
        [tool("t", {"action": {"enum": ["a"]}}, ["action"])],
        [BREAKING],
    ),
    (
        "an action is new",
        [tool("t", {"action": GROUP}, ["action"])],
        [tool("t", {"action": {"enum": ["a", "b", "c"]}}, ["action"])],
        [SAFE],
    ),
    ("an argument is gone", [tool("t", {"a": STRING})], [tool("t")], [BREAKING]),
    ("a new optional argument", [tool("t")], [tool("t", {"a": STRING})], [SAFE]),
    (
        "a new required argument",
        [tool("t")],
        [tool("t", {"a": STRING}, ["a"])],
        [BREAKING],
    ),
    (
        "a default changes",
        [tool("t", {"a": {**INTEGER, "default": 1}})],
        [tool("t", {"a": {**INTEGER, "default": 2}})],
        [RISKY],
    ),
    (
        "the arguments are no longer described",
        [tool("t", {"a": STRING})],
        [{"name": "t", "inputSchema": None}],
        [RISKY],
    ),
    (
        "further arguments are refused",
        [{"name": "t", "inputSchema": {**fields({}), "additionalProperties": True}}],
        [{"name": "t", "inputSchema": fields({})}],
        [BREAKING],
    ),
    (
        "a result schema is gone",
        [tool("t", outputSchema=fields({}))],
        [tool("t")],
        [BREAKING],
    ),
    (
        "a result schema is new",
        [tool("t")],
        [tool("t", outputSchema=fields({}))],
        [SAFE],
    ),
    (
        "no longer read-only",
        [hinted(READS)],
        [hinted({"readOnlyHint": False})],
        [BREAKING],
    ),
    ("not said to be read-only", [hinted(READS)], [hinted({})], [BREAKING]),
    ("read-only now", [hinted({})], [hinted(READS)], [SAFE]),
    ("said to write", [hinted({})], [hinted({"readOnlyHint": False})], [RISKY]),
    ("destructive now", [hinted({})], [hinted(DELETES)], [BREAKING]),
    ("no longer destructive", [hinted(DELETES)], [hinted({})], [SAFE]),
    ("no longer idempotent", [hinted(SAFE_TWICE)], [hinted({})], [RISKY]),
    ("idempotent now", [hinted({})], [hinted(SAFE_TWICE)], [SAFE]),
    ("open-world now", [hinted({})], [hinted({"openWorldHint": True})], [RISKY]),
    (
        "a description",
        [tool("t", description="old")],
        [tool("t", description="new")],
        [SAFE],
    ),
    ("the order", [tool("t"), tool("u")], [tool("u"), tool("t")], []),
]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [case[1:] for case in TOOLS],
    ids=[case[0] for case in TOOLS],
)
def test_a_change_of_a_tool_has_its_grade(
    old: list[JsonObject], new: list[JsonObject], expected: list[Grade]
) -> None:
    """Gone, new, asked for, effects, words."""
    assert grades(old, new) == expected


def test_a_note_of_mcp_fusion_counts_as_contract() -> None:
    """It is what makes an argument required for one action."""

    def grouped(note: str) -> JsonObject:
        properties = {"action": GROUP, "x": {**STRING, "description": f"X. {note}"}}
        return tool("t", properties, ["action"])

    found = changes([grouped("For: a, b")], [grouped("Required for: a. For: b")])

    assert [(each.grade, each.action) for each in found] == [(BREAKING, "t.a")]


def test_a_change_of_all_actions_is_told_once() -> None:
    """Not fifty times for a tool of fifty actions."""
    old = tool("t", {"action": GROUP, "x": STRING}, ["action"])
    new = tool("t", {"action": GROUP, "x": INTEGER}, ["action"])

    (found,) = changes([old], [new])

    assert (found.grade, found.action, found.place) == (BREAKING, "t.*", "argument x")


def test_references_are_followed_on_both_sides() -> None:
    """Moving a schema into ``$defs`` changes nothing; changing it there does."""
    inline = tool("t", outputSchema=fields({"a": fields({"b": STRING})}))
    moved = tool(
        "t",
        outputSchema={
            **fields({"a": {"$ref": "#/$defs/A"}}),
            "$defs": {"A": fields({"b": STRING})},
        },
    )
    changed = tool(
        "t",
        outputSchema={
            **fields({"a": {"$ref": "#/$defs/A"}}),
            "$defs": {"A": fields({"b": INTEGER})},
        },
    )

    assert worst(changes([inline], [moved])) is SAFE or not changes([inline], [moved])
    assert worst(changes([moved], [changed])) is BREAKING


def test_recursive_schemas_are_compared_to_an_end() -> None:
    """A tree against a tree."""

    def tree(kind: JsonObject) -> JsonObject:
        node = fields(
            {"v": kind, "next": {"type": "array", "items": {"$ref": "#/$defs/N"}}}
        )
        return tool("t", outputSchema={"$ref": "#/$defs/N", "$defs": {"N": node}})

    assert worst(changes([tree(STRING)], [tree(INTEGER)])) is BREAKING


def test_the_worst_comes_first_and_says_where() -> None:
    """Whoever reads one line reads the right one."""
    old = [tool("t", {"a": STRING, "b": STRING}, description="x")]
    new = [tool("t", {"a": INTEGER, "b": STRING, "c": STRING}), tool("u")]

    found = changes(old, new)

    assert [each.grade for each in found] == [BREAKING, SAFE, SAFE]
    assert (found[0].before, found[0].after) == ("string", "integer")


@pytest.mark.parametrize("server", SERVERS, ids=lambda path: path.stem)
def test_a_server_that_has_not_changed_has_not_changed(server: object) -> None:
    """No false alarm, for anything real."""
    tools = next(listed_by(path) for path in SERVERS if path == server)

    assert changes(tools, json.loads(json.dumps(tools))) == ()


@pytest.mark.parametrize(
    "source",
    [
        "",
        "CONTRACT = 3",
        "CONTRACT = Contract()",
        "CONTRACT = Contract(version=open('x'), options={}, tools={})",
        "CONTRACT = Contract(version=1, options=[], tools=3)",
        "def broken(:",
        "\x00",
        "(" * 500,
    ],
)
def test_what_is_no_generated_module_is_refused(source: str) -> None:
    """And never run."""
    with pytest.raises(NoContractError):
        read_contract(source)


def test_a_contract_of_another_form_is_refused() -> None:
    """Rather than compared wrongly."""
    source = made(tool("t")).source.replace("version=1", "version=99")

    with pytest.raises(NoContractError):
        diff(read_contract(source), [])


def pair(one: JsonObject, other: JsonObject) -> JsonObject:
    """Return an object of a required and an optional field."""
    return fields({"x": one, "y": other}, "x")


def listing(item: JsonObject) -> JsonObject:
    """Return an array."""
    return {"type": "array", "items": item}


LITERAL: JsonObject = {"enum": ["a"]}
ARRAY: JsonObject = {"type": "array"}
SIMPLE = st.sampled_from([STRING, INTEGER, NUMBER, NULL, NOTHING, LITERAL, ARRAY])
SCHEMA = st.recursive(
    SIMPLE,
    lambda inner: (
        st.builds(pair, inner, inner)
        | st.builds(one_of, inner, inner)
        | st.builds(listing, inner)
    ),
    max_leaves=6,
)


@settings(max_examples=settings().max_examples // 2)
@given(SCHEMA, SCHEMA)
def test_no_change_breaks_both_ways_unless_it_is_another_type(
    old: JsonObject, new: JsonObject
) -> None:
    """SAFE one way is never SAFE the other way, except for what is added."""
    there = changes([tool("t", {"v": old})], [tool("t", {"v": new})])
    back = changes([tool("t", {"v": new})], [tool("t", {"v": old})])

    assert bool(there) == bool(back)
    if there and worst(there) is SAFE:
        kinds = {(each.place, each.change) for each in there}
        assert worst(back) is not SAFE or all("description" in k[0] for k in kinds)
