"""What a schema is in Python, the odd ones and the broken ones included."""

import json
from pathlib import Path

import pytest

from mcpfusion_client.model import JsonObject, JsonValue
from tests.codegen.making import loaded, made, tool, type_in, type_of

STRING: JsonObject = {"type": "string"}
UNTYPED = "dict[str, Any] | Any"
NODE: JsonObject = {
    "type": "object",
    "properties": {
        "name": STRING,
        "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    },
    "required": ["name"],
}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (STRING, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "None"),
        ({"type": "string", "format": "date-time"}, "str"),
        ({"type": "string", "format": "uuid", "pattern": "^[a-f]"}, "str"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "array", "items": STRING}, "list[str]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "object", "properties": {}}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": True}, "dict[str, Any]"),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            "dict[str, int]",
        ),
        (
            {
                "type": "object",
                "patternProperties": {"^x": {"type": "integer"}},
                "additionalProperties": False,
            },
            "dict[str, int]",
        ),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["string", "integer", "null"]}, "str | int | None"),
        ({"type": "string", "nullable": True}, "str | None"),
        ({"anyOf": [STRING, {"type": "null"}]}, "str | None"),
        ({"oneOf": [STRING, {"type": "integer"}]}, "str | int"),
        ({"anyOf": [STRING, STRING]}, "str"),
        ({"anyOf": [STRING, {}]}, "Any"),
        ({"allOf": [STRING]}, "str"),
        ({"allOf": [STRING, {"enum": ["a", "b"]}]}, "Literal['a', 'b']"),
        ({"enum": ["a", 3, True, None]}, "Literal['a', 3, True] | None"),
        ({"enum": [1, True]}, "Literal[1, True]"),
        ({"enum": ["a", 2.5]}, "Literal['a'] | float"),
        ({"enum": [{"a": 1}, [1]]}, "list[Any] | dict[str, Any]"),
        ({"const": "x"}, "Literal['x']"),
        ({"const": None}, "None"),
        ({"const": {"a": 1}}, "dict[str, Any]"),
        (
            {
                "type": "array",
                "prefixItems": [STRING, {"type": "integer"}],
                "items": False,
            },
            "list[str | int]",
        ),
        (
            {"type": "array", "items": [STRING, {"type": "integer"}], "maxItems": 2},
            "list[str | int]",
        ),
        ({"type": "array", "prefixItems": [STRING]}, "list[Any]"),
        ({"type": "array", "prefixItems": [STRING], "items": STRING}, "list[str]"),
        ({"items": STRING}, "list[str]"),
        ({"properties": {"a": STRING}}, "ProbeValue"),
        ({"minLength": 3}, "Any"),
        ({"not": STRING}, "Any"),
        ({"if": STRING, "then": STRING}, "Any"),
        ({}, "Any"),
        (True, "Any"),
    ],
    ids=json.dumps,
)
def test_a_schema_has_its_type(schema: JsonValue, expected: str) -> None:
    """JSON arrays are lists, whatever their positions hold."""
    generated = made(tool("probe", {"value": schema}, ["value"]))

    assert type_in(generated.source) == expected
    assert generated.warnings == ()


DEEP_LIST: JsonObject = json.loads(
    '{"type":"array","items":' * 60 + "{}" + "}" * 60,
)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (3, UNTYPED),
        ("string", UNTYPED),
        (None, UNTYPED),
        ([], UNTYPED),
        (False, UNTYPED),
        ({"type": "text"}, UNTYPED),
        ({"type": 5}, UNTYPED),
        ({"type": {}}, UNTYPED),
        ({"type": ["string", "date"]}, UNTYPED),
        ({"type": "text", "nullable": True}, UNTYPED),
        ({"$ref": "https://example.com/schema.json"}, UNTYPED),
        ({"$ref": "file:///etc/passwd"}, UNTYPED),
        ({"$ref": "#/nowhere"}, UNTYPED),
        ({"$ref": 5}, UNTYPED),
        ({"$ref": "#/properties/value"}, UNTYPED),
        ({"$dynamicRef": "#node"}, UNTYPED),
        ({"anyOf": "x"}, UNTYPED),
        ({"anyOf": []}, UNTYPED),
        ({"anyOf": [STRING, {"type": "text"}]}, UNTYPED),
        ({"oneOf": [STRING] * 100}, UNTYPED),
        ({"enum": "x"}, UNTYPED),
        ({"type": "array", "items": "x"}, f"list[{UNTYPED}]"),
        ({"additionalProperties": {"type": "text"}}, f"dict[str, {UNTYPED}]"),
        ({"type": "object", "properties": 5}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": "x"}, "dict[str, Any]"),
        ({"type": "object", "patternProperties": []}, "dict[str, Any]"),
        ({"type": "object", "$ref": "#/nowhere"}, "dict[str, Any]"),
        ({"type": "string", "enum": "x"}, "str"),
        ({"type": "integer", "$ref": "#/nowhere"}, "int"),
        ({"allOf": [STRING, {"$ref": "#/nowhere"}]}, "str"),
        ({"type": "object", "properties": {"a": STRING}, "allOf": 1}, "ProbeValue"),
        ({"allOf": [{"$ref": "#/x"}, {"properties": {"a": STRING}}]}, "ProbeValue"),
        (DEEP_LIST, "list[" * 42 + "Any" + "]" * 42),
    ],
    ids=lambda given: json.dumps(given)[:60],
)
def test_what_cannot_be_typed_keeps_its_kind_and_leaves_a_note(
    schema: JsonValue, expected: str, tmp_path: Path
) -> None:
    """Where not even the kind is known: an object, and yet nothing is refused.

    The rest of the tool keeps its types, and one line says what was lost.
    """
    generated = made(tool("probe", {"value": schema, "good": STRING}, ["value"]))
    module = loaded(generated.source, tmp_path)

    assert type_in(generated.source) == expected
    assert len(generated.warnings) == 1
    assert "value" in generated.warnings[0]
    assert "Not fully typed" in str(module.AppRouter.probe.__doc__)
    assert "good: str" in generated.source


@pytest.mark.parametrize("schema", [None, 3, "x", [], {"type": "string"}])
def test_a_tool_without_a_usable_input_schema_takes_anything(
    schema: JsonValue, tmp_path: Path
) -> None:
    """It can be called all the same."""
    generated = made({"name": "probe", "inputSchema": schema})
    module = loaded(generated.source, tmp_path)

    assert "**arguments: Any" in generated.source
    assert len(generated.warnings) == 1
    assert callable(module.AppRouter.probe)


@pytest.mark.parametrize("schema", [3, "x", [], {"type": "text"}, {"$ref": "http:"}])
def test_an_unusable_output_schema_is_a_dictionary(schema: JsonValue) -> None:
    """Structured content is an object, as far as anybody knows."""
    generated = made(tool("probe", outputSchema=schema))

    assert "-> ToolResult[dict[str, Any]]" in generated.source
    assert len(generated.warnings) == 1


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, "**arguments: Any"),
        ({"type": "object"}, "**arguments: Any"),
        ({"type": "object", "additionalProperties": False}, None),
        ({"type": "object", "properties": {}}, None),
        (
            {"properties": {"a": STRING}, "additionalProperties": True},
            "**extra: Any",
        ),
        ({"properties": {"extra": STRING}, "additionalProperties": {}}, "**extra_2: "),
    ],
    ids=json.dumps,
)
def test_further_arguments_where_the_schema_lets_them_in(
    schema: JsonObject, expected: str | None
) -> None:
    """An object without a word on its properties is open; an empty one is not."""
    source = made({"name": "probe", "inputSchema": schema}).source

    if expected is None:
        assert "**" not in source
    else:
        assert expected in source


def test_a_required_argument_without_a_schema_is_there() -> None:
    """The server rejects a call without it."""
    schema: JsonObject = {"type": "object", "properties": {}, "required": ["id"]}

    assert "id: Any," in made({"name": "probe", "inputSchema": schema}).source


def test_arguments_spread_over_references_and_branches_are_gathered() -> None:
    """An argument of one branch only is optional."""
    schema = {
        "allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"b": {"type": "integer"}}}],
        "anyOf": [
            {"properties": {"c": STRING, "d": STRING}, "required": ["c", "d"]},
            {"properties": {"c": {"type": "integer"}}, "required": ["c"]},
        ],
        "$defs": {"Base": {"properties": {"a": STRING}, "required": ["a"]}},
    }

    source = made({"name": "probe", "inputSchema": schema}).source

    for line in ("a: str,", "b: int | Unset", "c: str | int,", "d: str | Unset"):
        assert f"        {line}" in source


def test_recursion_through_an_object(tmp_path: Path) -> None:
    """A tree refers to itself."""
    listed = {
        "name": "probe",
        "inputSchema": {
            "properties": {"tree": {"$ref": "#/$defs/Node"}},
            "$defs": {"Node": NODE},
        },
    }

    source = made(listed).source

    assert 'children: NotRequired["list[Node]"]' in source
    loaded(source, tmp_path)


def test_recursion_without_an_object(tmp_path: Path) -> None:
    """Any JSON value, as people write it."""
    value = {
        "anyOf": [
            STRING,
            {"type": "array", "items": {"$ref": "#/$defs/Json"}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
        ]
    }
    listed = {
        "name": "probe",
        "inputSchema": {
            "properties": {
                "a": {"$ref": "#/$defs/Json"},
                "b": {"anyOf": [{"$ref": "#/$defs/Json"}, {"type": "null"}]},
            },
            "$defs": {"Json": value},
        },
        "outputSchema": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
    }

    source = made(listed).source

    assert 'Json: TypeAlias = "str | list[Json] | dict[str, Json]"' in source
    loaded(source, tmp_path)


@pytest.mark.parametrize(
    "definitions",
    [
        {"A": {"$ref": "#/$defs/A"}},
        {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
        {"A": {"allOf": [{"$ref": "#/$defs/A"}, NODE]}},
        {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}},
        {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
        {"A": {**NODE, "allOf": [{"$ref": "#/$defs/A"}]}},
    ],
    ids=json.dumps,
)
def test_references_in_a_circle_end(definitions: JsonObject, tmp_path: Path) -> None:
    """Whatever they come to, the module imports."""
    listed = {
        "name": "probe",
        "inputSchema": {
            "properties": {"value": {"$ref": "#/$defs/A"}},
            "$defs": definitions,
        },
        "outputSchema": {"$ref": "#/$defs/A", "$defs": definitions},
    }

    loaded(made(listed).source, tmp_path)


def test_all_of_objects_is_one_object() -> None:
    """The narrower type of a field wins, and what one part requires is required."""
    schema = {
        "allOf": [
            {"$ref": "#/$defs/Base"},
            {"properties": {"kind": {"enum": ["a"]}}, "required": ["name"]},
        ],
        "$defs": {"Base": {"properties": {"kind": STRING, "name": STRING}}},
    }

    source = made(tool("probe", outputSchema=schema)).source

    assert 'kind: NotRequired[Literal["a"]]' in source
    assert "    name: str" in source


def test_an_object_that_a_tool_repeats_is_one_class_with_a_name_for_each_place(
    tmp_path: Path,
) -> None:
    """A change of one place moves no other name, and the module stays small."""
    address = {"properties": {"to": {"properties": {"city": STRING}}}}
    listed = tool("ship", {"from": address, "back": address})
    other = tool("store", {"at": address})

    module = loaded(made(listed, other).source, tmp_path)

    assert module.ShipFrom is module.ShipBack
    assert module.ShipFromTo is module.ShipBackTo
    assert module.StoreAt is not module.ShipFrom


@pytest.mark.parametrize(
    "other",
    [
        {"properties": {"n": {"enum": [True]}}},
        {"properties": {"n": {"enum": [1]}}, "required": ["n"]},
        {"properties": {"n": {"enum": [1]}}, "description": "Another thing."},
        {"properties": {"n": {"enum": [1], "description": "How many."}}},
        {"properties": {"m": {"enum": [1]}}},
    ],
    ids=json.dumps,
)
def test_objects_that_differ_in_anything_stay_apart(
    other: JsonObject, tmp_path: Path
) -> None:
    """In a literal, in what is required, in a name, in what is said of it."""
    one = {"properties": {"n": {"enum": [1]}}}

    module = loaded(made(tool("t", {"a": one, "b": other})).source, tmp_path)

    assert module.TA is not module.TB


def test_variants_are_named_by_their_tag() -> None:
    """Not Option1 and Option2, where the schema says what they are."""
    schema = {
        "anyOf": [
            {"properties": {"type": {"const": "card"}, "number": STRING}},
            {"properties": {"type": {"const": "iban"}, "iban": STRING}},
        ]
    }

    assert type_of(schema) == "ProbeValueCard | ProbeValueIban"


def test_many_literals_are_typed_by_kind() -> None:
    """A type checker has better things to do than to read 5,000 literals."""
    generated = made(tool("probe", {"value": {"enum": [f"v{n}" for n in range(5000)]}}))

    assert "value: str | Unset" in generated.source
    assert len(generated.warnings) == 1
