"""What the type generator writes is read, not believed."""

from collections.abc import Callable

import pytest

from mcpfusion_client.codegen import expressions
from mcpfusion_client.codegen.dialect import Plain
from mcpfusion_client.codegen.expressions import expressions as types_of
from mcpfusion_client.codegen.expressions import pattern_of
from mcpfusion_client.codegen.syntax import Atom, Listing
from tests.codegen.making import made, tool, type_of

TEXT = pattern_of({"type": "string"}).text
LIST = pattern_of({"type": "array", "items": {"type": "integer"}}).text


def writing(annotation: str) -> Callable[[Plain], str]:
    """Return a generator that annotates every field with *annotation*."""

    def generated(schema: Plain) -> str:
        names = schema["$defs"]["P"]["properties"]
        fields = "".join(f"    {name}: {annotation}\n" for name in names)
        return f"class P(TypedDict):\n{fields}"

    return generated


@pytest.mark.parametrize(
    "annotation",
    [
        "__import__('os').getcwd()",
        "os.PathLike",
        "eval",
        "list[eval]",
        "'__import__(\"os\")'",
        "Literal[__import__]",
        "Literal[3]",
        "list",
        "Unheard[str]",
        "str if True else int",
        "R9",
        "(yield)",
        "str\n    x: int = open('/etc/passwd')",
    ],
)
def test_only_annotations_of_known_names_come_through(
    annotation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library can have a bad day; its output never becomes ours unread."""
    monkeypatch.setattr(expressions, "_generated", writing(annotation))

    found = types_of([TEXT])

    assert found in ({}, {TEXT: Atom("str")}, {TEXT: Listing(Atom("Any"))})


@pytest.mark.parametrize("source", ["", "class Q: ...", "import os", "def P(): ..."])
def test_a_module_without_the_types_is_no_types(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tool keeps its method and loses its types, with a warning."""

    def generated(_schema: Plain) -> str:
        return source

    monkeypatch.setattr(expressions, "_generated", generated)

    written = made(tool("probe", {"a": {"type": "string"}}))

    assert "a: dict[str, Any] | Any | Unset" in written.source
    assert len(written.warnings) == 1


def test_a_schema_that_defeats_the_generator_costs_itself_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All are tried at once; when that fails, it is found out which."""
    honest = expressions._generated

    def generated(schema: Plain) -> str:
        if any("items" in part for part in schema["$defs"]["P"]["properties"].values()):
            raise RecursionError
        return honest(schema)

    monkeypatch.setattr(expressions, "_generated", generated)
    properties = {
        "a": {"type": "string"},
        "b": {"type": "array", "items": {"type": "integer"}},
        "c": {"type": "boolean"},
    }

    written = made(tool("probe", properties))

    for line in (
        "a: str | Unset",
        "b: dict[str, Any] | Any | Unset",
        "c: bool | Unset",
    ):
        assert line in written.source
    assert len(written.warnings) == 1


def test_schemas_that_differ_in_names_share_a_pattern() -> None:
    """That is why 500 tools need one run."""
    one = pattern_of({"anyOf": [{"$ref": "#/$defs/T3"}, {"enum": ["v7", "v9"]}]})
    other = pattern_of({"anyOf": [{"$ref": "#/$defs/T1"}, {"enum": ["v0", "v1"]}]})

    assert one.text == other.text
    assert (one.refs, one.literals) == (("T3",), ("v7", "v9"))


@pytest.mark.parametrize("ref", ["#here", "#/$defs/a~1b", "#/$defs/a%2Fb"])
def test_every_spelling_of_a_local_reference_is_followed(ref: str) -> None:
    """Anchors, and the escapes of JSON pointers and of URLs."""
    definitions: Plain = {
        "a/b": {"enum": ["x"], "$anchor": "here"},
    }
    if "%" in ref:
        definitions = {"a": {"b": {"enum": ["x"]}}}

    assert type_of({"$ref": ref}, definitions) in {"AB", "Literal['x']", "B"}
