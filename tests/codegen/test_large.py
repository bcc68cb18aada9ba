"""What keeps a server of 500 tools quick to generate and to import.

The seconds are those of ``bench/codegen.py``; here are their causes, counted.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from mcpfusion_client.codegen import expressions
from mcpfusion_client.codegen.dialect import Plain
from mcpfusion_client.model import JsonObject, JsonValue
from tests.codegen.making import made, tool

STRING: JsonObject = {"type": "string"}
IMPORT = """
import builtins, json, sys
import mcpfusion_client.router
before = set(sys.modules)
parsed = []
json.loads = parsed.append
import made_router
print(len(parsed), *sorted(set(sys.modules) - before))
"""


def _tools(count: int) -> list[JsonObject]:
    """Return tools with arguments and results of the same forms and other words."""
    return [
        tool(
            f"area{number % 10}_get_{number}",
            {
                f"id_{number}": STRING,
                "filter": {"properties": {f"by_{number}": STRING}},
                "kind": {"enum": [f"one_{number}", f"two_{number}"]},
            },
            outputSchema={"properties": {"found": {"type": "array", "items": STRING}}},
        )
        for number in range(count)
    ]


def test_the_type_generator_runs_once_whatever_the_number_of_tools(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only what differs in its form is a reason for more work; names are none."""
    asked: list[int] = []
    generated = expressions._generated

    def counted(schema: Plain) -> str:
        holder: JsonObject = schema["$defs"]["P"]
        asked.append(len(holder["properties"]))
        return generated(schema)

    monkeypatch.setattr(expressions, "_generated", counted)

    made(*_tools(10))
    made(*_tools(150))

    assert len(asked) == 2
    assert asked[0] == asked[1]


def test_a_module_grows_with_its_tools_and_no_faster() -> None:
    """Ten times the tools are at most ten times the module, but for longer numbers."""
    small, large = (len(made(*_tools(count)).source) for count in (15, 150))

    assert large < 11 * small


def test_importing_a_module_loads_nothing_and_parses_no_schema(tmp_path: Path) -> None:
    """The generator, the schemas and what checks results wait until they are used."""
    (tmp_path / "made_router.py").write_text(made(*_tools(3)).source, "utf-8")

    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", IMPORT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["0", "made_router"]


def test_a_repeated_object_costs_one_class() -> None:
    """An import spends most of its time on making classes."""
    deep: JsonValue = {"properties": {"x": STRING}}
    for level in range(4):
        deep = {"properties": {f"left_{level}": deep, f"right_{level}": deep}}

    source = made(tool("probe", {"value": deep})).source

    assert source.count("(TypedDict):") == 5
