"""What the tests of integrations share."""

from collections.abc import AsyncGenerator
from typing import Any

import fakeredis
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


@pytest.fixture
def server() -> fakeredis.FakeServer:
    """What every fleet of a test shares."""
    return fakeredis.FakeServer()


@pytest.fixture
async def redis_client(server: fakeredis.FakeServer) -> AsyncGenerator[Any, None]:
    """A client for the test itself."""
    client = fakeredis.FakeAsyncRedis(server=server)
    yield client
    await client.aclose()
