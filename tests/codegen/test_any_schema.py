"""Schemas without end, without bottom, and without sense."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.codegen import generate
from mcpfusion_client.model import JsonObject, JsonValue
from tests.codegen.making import loaded, made


@pytest.mark.parametrize(
    "schema",
    [
        json.loads('{"properties":{"a":' * 300 + "{}" + "}}" * 300),
        json.loads('{"items":' * 400 + "{}" + "}" * 400),
        {
            "$defs": {
                f"D{n}": {"anyOf": [{"$ref": f"#/$defs/D{n + 1}"}] * 2}
                for n in range(60)
            },
            "properties": {"a": {"$ref": "#/$defs/D0"}},
        },
        {
            "properties": {
                f"p{n}": {"properties": {"x": {"type": "string"}}} for n in range(3000)
            }
        },
        {
            "properties": {
                "x": {
                    "allOf": [
                        {
                            "anyOf": [
                                {"properties": {f"a{n}{m}": {"type": "string"}}}
                                for m in range(4)
                            ]
                        }
                        for n in range(12)
                    ]
                }
            }
        },
    ],
    ids=["deep objects", "deep arrays", "doubling", "wide", "products"],
)
def test_a_schema_that_grows_without_end_is_cut(
    schema: JsonObject, tmp_path: Path
) -> None:
    """Time and size stay in proportion to what was sent."""
    generated = made({"name": "probe", "inputSchema": schema, "outputSchema": schema})

    assert len(generated.source) < 6_000_000
    loaded(generated.source, tmp_path)


@pytest.mark.parametrize("place", ["default", "enum", "items", "x-own", "const"])
def test_any_depth_is_survived(place: str, tmp_path: Path) -> None:
    """JSON of that depth can be sent; the recursion limit is ours to mind."""
    deep: JsonValue = "bottom"
    for _ in range(900):
        deep = [deep] if place != "items" else {"items": deep}
    schema = {"allOf": [{"properties": {"a": {place: deep}}}] * 2}

    generated = made({"name": "probe", "inputSchema": schema, "outputSchema": deep})

    assert generated.warnings
    loaded(generated.source, tmp_path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


_WORDS = """
    type properties items anyOf oneOf allOf enum const required $ref $defs default
    additionalProperties prefixItems patternProperties nullable description title
    definitions discriminator maxItems
"""


WORDS = st.sampled_from(_WORDS.split())


VALUES = (
    st.sampled_from(["object", "array", "string", "#", "#/$defs/a", "null", "a"])
    | st.none()
    | st.booleans()
    | st.integers(-2, 2)
)


SCHEMAS = st.recursive(
    VALUES | JSON,
    lambda inner: (
        st.dictionaries(WORDS, inner, max_size=4)
        | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
        | st.lists(inner, max_size=3)
    ),
    max_leaves=14,
)


@settings(max_examples=settings().max_examples // 2)
@given(
    st.lists(
        st.fixed_dictionaries({"inputSchema": SCHEMAS, "outputSchema": SCHEMAS}),
        max_size=3,
    )
)
def test_any_json_in_place_of_a_schema_gives_a_module(
    tools: list[JsonObject],
) -> None:
    """Never a crash; and the code at the top level runs."""
    listed = [{**each, "name": f"t{number}"} for number, each in enumerate(tools)]

    source = generate(listed).source

    exec(compile(source, "made", "exec"), {"__name__": "made"})  # noqa: S102 - the test
