"""The names of spans and metrics are those of the conventions, or ours."""

import importlib
import re
from pathlib import Path

import pytest

import mcpfusion_client

SOURCE = (
    Path(mcpfusion_client.__file__).parent / "integrations" / "opentelemetry.py"
).read_text("utf-8")
NAME = re.compile(r'"((?:[a-z_]+\.)+[a-z_]+)"')
OURS = "mcpfusion."
FAMILIES = (
    "opentelemetry.semconv.attributes.error_attributes",
    "opentelemetry.semconv.attributes.http_attributes",
    "opentelemetry.semconv.attributes.network_attributes",
    "opentelemetry.semconv.attributes.server_attributes",
    "opentelemetry.semconv._incubating.attributes.gen_ai_attributes",
    "opentelemetry.semconv._incubating.attributes.jsonrpc_attributes",
    "opentelemetry.semconv._incubating.attributes.mcp_attributes",
    "opentelemetry.semconv._incubating.attributes.rpc_attributes",
    "opentelemetry.semconv._incubating.metrics.mcp_metrics",
)


def _conventions() -> set[str]:
    """Return every name of the families that concern us, as OpenTelemetry spells it."""
    pytest.importorskip("opentelemetry.semconv")
    return {
        value
        for family in FAMILIES
        for key, value in vars(importlib.import_module(family)).items()
        if key.isupper() and isinstance(value, str)
    }


def test_every_name_is_one_of_the_conventions_or_starts_as_ours_do() -> None:
    """A dashboard that knows the conventions reads what this client sends."""
    used = {name for name in NAME.findall(SOURCE) if not name.startswith(OURS)}

    assert len(used) >= 12
    assert used - _conventions() == set()


def test_no_name_of_ours_is_one_of_theirs() -> None:
    """What they have a word for is said in that word."""
    ours = {name.removeprefix(OURS) for name in NAME.findall(SOURCE)}
    theirs = {name for name in _conventions() if name.startswith("mcp.")}

    assert {f"mcp.{name}" for name in ours} & theirs == set()
