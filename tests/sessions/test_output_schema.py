"""Results are checked against the schema their tool declares."""

from typing import Any

import pytest

from mcpfusion_client.model import ErrorCategory, ErrorCode, Execution, ToolInfo
from mcpfusion_client.sessions.output_schema import OutputSchemas

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def _schemas(schema: dict[str, Any] | None) -> OutputSchemas:
    schemas = OutputSchemas()
    schemas.learn([ToolInfo(name="count", output_schema=schema)])
    return schemas


@pytest.mark.parametrize(
    ("raw", "broken"),
    [
        ({"structuredContent": {"n": 1}}, False),
        ({"structuredContent": {"n": "one"}}, True),
        ({"structuredContent": {}}, True),
        ({}, True),
    ],
)
def test_a_result_fits_or_does_not(raw: dict[str, Any], *, broken: bool) -> None:
    """As the SDKs check it, but with the result still at hand."""
    assert (_schemas(NUMBER).check("count", raw, {}) is not None) is broken


def test_what_does_not_fit_is_named_and_not_quoted() -> None:
    """The tool ran, so nobody may repeat it; what it returned may be secret."""
    raw = {"structuredContent": {"n": "hunter2"}}

    info = _schemas(NUMBER).check("count", raw, {})

    assert info is not None
    assert info.code == ErrorCode.BAD_RESPONSE
    assert info.category is ErrorCategory.UNKNOWN
    assert info.execution is Execution.EXECUTED
    assert info.is_retryable is False
    assert [field.name for field in info.fields] == ["n"]
    assert "hunter2" not in str(info)


def test_no_regular_expression_of_a_server_is_run() -> None:
    """One that backtracks, and a text to match, would hold the program for years."""
    schema = {"type": "object", "properties": {"w": {"pattern": "^(a+)+$"}}}
    raw = {"structuredContent": {"w": "b"}}

    assert _schemas(schema).check("count", raw, {}) is None


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {"type": "nonsense"},
        {"$ref": "https://example.com/elsewhere.json"},
        {"$ref": "#/$defs/missing"},
    ],
)
def test_a_schema_that_cannot_be_used_checks_nothing(
    schema: dict[str, Any] | None,
) -> None:
    """The tool has run; nothing is fetched, and its result is not thrown away."""
    assert _schemas(schema).check("count", {"structuredContent": {"n": 1}}, {}) is None


def test_a_tool_that_was_not_listed_is_not_checked() -> None:
    """The SDKs would list the tools after the call, and that can fail."""
    assert _schemas(NUMBER).check("other", {}, {}) is None


def test_a_pinned_version_of_a_tool_is_not_checked() -> None:
    """The listing holds another version's schema."""
    meta = {"fastmcp": {"version": "1.0"}}

    assert _schemas(NUMBER).check("count", {}, meta) is None


def test_a_new_listing_replaces_the_old_one() -> None:
    """A tool may lose its schema."""
    schemas = _schemas(NUMBER)
    assert schemas.check("count", {}, {}) is not None

    schemas.learn([ToolInfo(name="count")])

    assert schemas.check("count", {}, {}) is None
