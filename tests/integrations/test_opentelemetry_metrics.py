"""Metrics, as a real OpenTelemetry SDK receives them."""

from collections.abc import Mapping
from typing import Any

import pytest

from mcpfusion_client import (
    MCPFusionClientError,
)
from tests.integrations.telemetry import (
    BUSY,
    LIMITED,
    TOOL,
    Telemetry,
    client,
)


async def test_metrics_count_calls_failures_retries_waits_and_holds(
    telemetry: Telemetry,
) -> None:
    """Each with its unit and its attributes, tool names included, codes not."""
    calls = client(telemetry, LIMITED, BUSY, "done", LIMITED, "held")
    await calls.call_tool("t")
    with pytest.raises(MCPFusionClientError):
        await calls.call_tool("t", retry=False)
    await calls.call_tool("t")

    assert telemetry.metrics() == {
        "mcp.client.operation.duration": "s",
        "mcpfusion.client.call.duration": "s",
        "mcpfusion.client.call.failures": "{call}",
        "mcpfusion.client.retries": "{retry}",
        "mcpfusion.client.retry.wait": "s",
        "mcpfusion.client.gate.holds": "{hold}",
    }
    limited = {**TOOL, "mcpfusion.error.category": "rate_limited"}
    busy = {**TOOL, "mcpfusion.error.category": "transient"}
    assert _counts(telemetry, "mcpfusion.client.retries") == {
        _key(limited): 1,
        _key(busy): 1,
    }
    assert _counts(telemetry, "mcpfusion.client.call.failures") == {
        _key(
            {
                **limited,
                "error.type": "tool_error",
                "mcpfusion.stop_reason": "retry_disabled",
            }
        ): 1
    }
    assert _sums(telemetry, "mcpfusion.client.retry.wait") == {
        _key(limited): (1, 7.0),
        _key(busy): (1, 1.0),
    }
    assert _counts(telemetry, "mcpfusion.client.gate.holds") == {_key(TOOL): 1}
    assert {
        key: count
        for key, (count, _) in _sums(telemetry, "mcp.client.operation.duration").items()
    } == {_key(TOOL): 2, _key({**TOOL, "error.type": "tool_error"}): 3}
    assert {
        key: count
        for key, (count, _) in _sums(
            telemetry, "mcpfusion.client.call.duration"
        ).items()
    } == {
        _key({**TOOL, "mcpfusion.stop_reason": "retried"}): 1,
        _key({**TOOL, "mcpfusion.stop_reason": "first_try"}): 1,
        _key(
            {
                **TOOL,
                "mcpfusion.stop_reason": "retry_disabled",
                "error.type": "tool_error",
            }
        ): 1,
    }


def _key(told: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    return frozenset(told.items())


def _counts(telemetry: Telemetry, name: str) -> dict[frozenset[Any], int]:
    return {_key(point.attributes): point.value for point in telemetry.points(name)}


def _sums(telemetry: Telemetry, name: str) -> dict[frozenset[Any], tuple[int, float]]:
    return {
        _key(point.attributes): (point.count, point.sum)
        for point in telemetry.points(name)
    }


async def test_durations_have_the_buckets_of_the_conventions(
    telemetry: Telemetry,
) -> None:
    """Dashboards compare them with those of other programs."""
    await client(telemetry, "done").call_tool("t")

    (point,) = telemetry.points("mcp.client.operation.duration")
    assert point.explicit_bounds == (
        *(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300),
    )
