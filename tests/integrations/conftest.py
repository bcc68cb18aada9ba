"""What the tests of integrations share."""

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mcpfusion_client.integrations.opentelemetry import OpenTelemetryObserver
from tests.integrations.telemetry import Telemetry


@pytest.fixture
def telemetry() -> Telemetry:
    """Providers of this test alone."""
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    meters = MeterProvider([reader], shutdown_on_exit=False)
    observer = OpenTelemetryObserver(tracer_provider=tracers, meter_provider=meters)
    return Telemetry(observer, tracers.get_tracer("test"), exporter, reader)
