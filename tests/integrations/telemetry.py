"""An observer, and what arrives at the exporters behind it."""

from typing import Any

import attrs
from opentelemetry import trace
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mcpfusion_client import (
    MCPFusionClient,
    RetryPolicy,
    ToolInfo,
    tool_error,
)
from mcpfusion_client.integrations.opentelemetry import OpenTelemetryObserver
from mcpfusion_client.testing import (
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

BUSY = tool_error("SERVER_BUSY", "full")
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=7)
TOOL = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "t",
}


@attrs.frozen
class Telemetry:
    """An observer, and what arrived at the exporters behind it."""

    observer: OpenTelemetryObserver
    tracer: trace.Tracer
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        """The spans that have ended, in that order."""
        return self.exporter.get_finished_spans()

    def points(self, name: str) -> list[Any]:
        """Return the data points of a metric."""
        told: Any = self.reader.get_metrics_data()
        if told is None:
            return []
        return [
            point
            for resource in told.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]

    def metrics(self) -> dict[str, str]:
        """Return the units of what was measured, by name."""
        told: Any = self.reader.get_metrics_data()
        return {
            metric.name: metric.unit
            for resource in told.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


def client(
    telemetry: Telemetry, *outcomes: ScriptedOutcome, **options: Any
) -> MCPFusionClient:
    """Return a client whose server plays *outcomes*."""
    clock = VirtualClock()
    tools = [ToolInfo(name="t"), ToolInfo(name="forbidden")]
    return MCPFusionClient(
        ScriptedSession(outcomes, tools=tools, clock=clock),
        clock=clock,
        retry=RetryPolicy(jitter="none", max_attempts=3),
        observers=[telemetry.observer],
        **options,
    )


def attributes(span: ReadableSpan) -> dict[str, Any]:
    """Return the attributes of a span."""
    return dict(span.attributes or {})


def events(span: ReadableSpan) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of a span."""
    return [(event.name, dict(event.attributes or {})) for event in span.events]
