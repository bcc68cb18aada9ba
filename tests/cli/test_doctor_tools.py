"""What a check-up says about a list of tools, and how it is printed."""

from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.cli.app import app
from mcpfusion_client.cli.doctor_steps import Status
from mcpfusion_client.cli.doctor_tools import (
    CHECKS,
    annotations_found,
    names_found,
    schemas_found,
)

OBJECT: dict[str, Any] = {"type": "object"}


def tool(name: str = "t", **facts: Any) -> dict[str, Any]:
    """Return a tool as it is on the wire."""
    return {"name": name, "inputSchema": OBJECT, **facts}


def deep(levels: int) -> dict[str, Any]:
    """Return a schema that many levels deep."""
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        OBJECT,
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"pattern": r"^\p{L}+$"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"},
        {"$schema": "https://x.test/dialect", "type": "object"},
    ],
)
def test_a_schema_that_works_is_good(schema: dict[str, Any]) -> None:
    """A pattern is ECMA's and not Python's; other drafts are fine."""
    found = schemas_found([tool(inputSchema=schema, outputSchema=schema)])

    assert found.status is Status.OK


@pytest.mark.parametrize(
    "broken",
    [
        {"name": "t"},
        "no object",
        tool(inputSchema=[]),
        tool(inputSchema={"type": "string"}),
        tool(inputSchema={}),
        tool(inputSchema={"type": "object", "properties": []}),
        tool(inputSchema={"type": "object", "required": "a"}),
        tool(inputSchema={"type": "object", "properties": {"a": {"type": "strin"}}}),
        tool(inputSchema={"type": "object", "$ref": "https://x.test/schema.json"}),
        tool(inputSchema=deep(300)),
        tool(inputSchema={"type": "object", "$schema": ["?"]}),
        tool(outputSchema={"type": "array"}),
    ],
)
def test_a_schema_that_does_not_work_is_a_failure(broken: object) -> None:
    """A client may then see no tool at all."""
    found = schemas_found([tool("fine"), broken])

    assert found.status is Status.FAILED
    assert len(found.evidence) == 1
    assert found.fix


@pytest.mark.parametrize(
    ("annotations", "status"),
    [
        ({"readOnlyHint": True}, Status.OK),
        ({"readOnlyHint": False, "destructiveHint": True}, Status.OK),
        (None, Status.WARNING),
        ({}, Status.WARNING),
        ({"title": "T"}, Status.WARNING),
        ({"readOnlyHint": "true"}, Status.WARNING),
        ({"readOnlyHint": True, "destructiveHint": True}, Status.WARNING),
    ],
)
def test_annotations_are_advised(annotations: object, status: Status) -> None:
    """Without them no call is repeated; that is no failure."""
    assert annotations_found([tool(annotations=annotations)]).status is status


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["get_invoice", "list-users", "A1"], Status.OK),
        (["billing.get"], Status.WARNING),
        (["get invoice"], Status.WARNING),
        (["x" * 65], Status.WARNING),
        (["get_user", "get-user"], Status.WARNING),
        (["Get", "get"], Status.WARNING),
        (["a", "a"], Status.FAILED),
        ([""], Status.FAILED),
        ([None], Status.FAILED),
        (["a\u200bb"], Status.FAILED),
        (["a\x1b[31m"], Status.FAILED),
    ],
)
def test_names_are_checked(names: list[Any], status: Status) -> None:
    """Twice the same or invisible fails; what some hosts refuse is a warning."""
    found = names_found([tool(name) for name in names])

    assert found.status is status
    assert all("\x1b" not in line for line in found.evidence)


def test_a_long_list_of_findings_is_cut() -> None:
    """Ten thousand lines help nobody."""
    found = schemas_found([{"name": f"t{number}"} for number in range(500)])

    *shown, last = found.evidence
    assert len(shown) < 20
    assert "more" in last


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(max_examples=settings().max_examples // 2)
@given(
    tools=st.lists(
        json_values
        | st.fixed_dictionaries(
            {},
            optional={
                "name": json_values,
                "inputSchema": json_values
                | st.dictionaries(
                    st.sampled_from(["type", "properties", "$ref", "$schema", "items"]),
                    json_values | st.just("object"),
                ),
                "annotations": json_values,
            },
        ),
        max_size=4,
    )
)
def test_no_list_breaks_the_checks(tools: list[Any]) -> None:
    """Whatever a server lists, each check says something."""
    for check in CHECKS.values():
        assert check(tools).message


def test_people_get_one_line_a_step_with_the_fix_below() -> None:
    """What to do stands next to what is wrong; the rest is named, not listed."""
    done = CliRunner().invoke(
        app, ["doctor", "--stdio", "no-such-program"], standalone_mode=False
    )

    lines = done.stdout.splitlines()
    assert done.return_value == 4
    assert lines[1].startswith("FAILED")
    assert lines[2].strip().startswith("fix:")
    assert "handshake" in lines[-1]
    assert len(lines) == 4


def test_debug_shows_the_exception_behind_a_failure() -> None:
    """For a report of a bug."""
    done = CliRunner().invoke(
        app,
        ["--debug", "doctor", "http://no-such-host.invalid/"],
        standalone_mode=False,
    )

    assert done.return_value == 4
    assert "gaierror" in done.stderr
    assert "gaierror" not in done.stdout
