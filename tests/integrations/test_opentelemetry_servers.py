"""What spans say of real servers, over each transport, on both SDK generations."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import propagate, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mcpfusion_client import MCPFusionClient, RateLimitedError
from mcpfusion_client.integrations.opentelemetry import OpenTelemetryObserver
from mcpfusion_client.integrations.scripted_server import ServedTool, scripted_server
from mcpfusion_client.model import JsonObject, ToolInfo
from tests.sessions.http_server import Asked, HttpServer, Reply, rpc, text_result
from tests.sessions.sdk import HTTP_BACKENDS, MODERN

STDIO = str(Path(__file__).parents[1] / "sessions" / "stdio_server.py")


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    """Where the spans of this test arrive."""
    return InMemorySpanExporter()


@pytest.fixture
def observer(exporter: InMemorySpanExporter) -> OpenTelemetryObserver:
    """An observer with providers of this test alone."""
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    meters = MeterProvider([InMemoryMetricReader()], shutdown_on_exit=False)
    return OpenTelemetryObserver(tracer_provider=tracers, meter_provider=meters)


def told(exporter: InMemorySpanExporter) -> dict[str, Any]:
    """Return the attributes of the only span."""
    (span,) = exporter.get_finished_spans()
    return dict(span.attributes or {})


@pytest.mark.parametrize("anyio_backend", HTTP_BACKENDS)
async def test_over_http_a_span_names_server_session_version_and_request(
    observer: OpenTelemetryObserver, exporter: InMemorySpanExporter
) -> None:
    """And the server gets the span as the parent of what it does."""

    def answer(asked: Asked) -> Reply:
        return text_result(asked, "fine")

    with HttpServer(answer) as server:
        url = server.url.replace("http://", "http://user:password@")
        async with MCPFusionClient(f"{url}?key=k", observers=[observer]) as client:
            await client.call_tool("tool")

    (call,) = (asked for asked in server.asked if asked.method == "tools/call")
    (shake,) = (asked for asked in server.asked if asked.method == "initialize")
    assert told(exporter) == {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "tool",
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "server.address": "127.0.0.1",
        "server.port": server.port,
        "mcp.protocol.version": shake.message["params"]["protocolVersion"],
        "mcp.session.id": "s1",
        "jsonrpc.request.id": str(call.message["id"]),
        "mcpfusion.action": "tool",
        "mcpfusion.attempts": 1,
        "mcpfusion.stop_reason": "first_try",
    }
    _is_parent(exporter, call.message["params"]["_meta"])


def _is_parent(exporter: InMemorySpanExporter, meta: JsonObject) -> None:
    (span,) = exporter.get_finished_spans()
    carried = trace.get_current_span(propagate.extract(meta)).get_span_context()
    ours: Any = span.get_span_context()
    assert (carried.trace_id, carried.span_id) == (ours.trace_id, ours.span_id)


@pytest.mark.parametrize("anyio_backend", HTTP_BACKENDS)
async def test_a_status_is_the_type_of_the_error(
    observer: OpenTelemetryObserver, exporter: InMemorySpanExporter
) -> None:
    """The status is what the conventions want; the hint stays out of metrics."""

    def busy(_: Asked) -> Reply:
        return Reply(status=429, body=b"later", headers=(("retry-after", "7"),))

    with HttpServer(busy) as server:
        async with MCPFusionClient(server.url, observers=[observer]) as client:
            with pytest.raises(RateLimitedError):
                await client.call_tool("tool", retry=False)

    facts = told(exporter)
    assert (facts["error.type"], facts["http.response.status_code"]) == ("429", 429)
    assert facts["mcpfusion.error.category"] == "rate_limited"


@pytest.mark.parametrize("anyio_backend", HTTP_BACKENDS)
async def test_a_json_rpc_error_is_told_by_code_and_message(
    observer: OpenTelemetryObserver, exporter: InMemorySpanExporter
) -> None:
    """It comes from the protocol, so the conventions ask for its message."""

    def refuse(asked: Asked) -> Reply:
        return rpc(asked, error={"code": -32602, "message": "Unknown tool: tool"})

    with HttpServer(refuse) as server:
        async with MCPFusionClient(server.url, observers=[observer]) as client:
            await client.call_tool("tool", raise_on_error=False)

    facts = told(exporter)
    assert facts["error.type"] == facts["rpc.response.status_code"] == "-32602"
    assert exporter.get_finished_spans()[0].status.description == "Unknown tool: tool"


async def test_a_command_is_a_pipe(
    observer: OpenTelemetryObserver, exporter: InMemorySpanExporter, tmp_path: Path
) -> None:
    """No address, no arguments of the command; the version that was agreed on."""
    command = [sys.executable, STDIO, str(tmp_path / "starts")]

    async with MCPFusionClient(command, observers=[observer]) as client:
        await client.call_tool("echo", {"text": "hi"})

    facts = told(exporter)
    assert facts["network.transport"] == "pipe"
    assert facts["mcp.protocol.version"].startswith("202")
    assert facts["jsonrpc.request.id"].isdecimal()
    assert not {"server.address", "server.port", "mcp.session.id"} & set(facts)
    assert str(tmp_path) not in json.dumps(facts)


async def test_an_in_process_server_works_inside_the_span(
    observer: OpenTelemetryObserver, exporter: InMemorySpanExporter
) -> None:
    """It has no transport; its protocol version is known."""

    async def echo(_: JsonObject) -> JsonObject:
        return {"content": [{"type": "text", "text": "fine"}]}

    tool = ServedTool(info=ToolInfo(name="echo"), handle=echo)
    target = scripted_server("demo", [tool])
    async with MCPFusionClient(target, observers=[observer]) as client:
        await client.call_tool("echo")

    facts = told(exporter)
    assert "network.transport" not in facts
    assert facts["mcp.protocol.version"].startswith("202")


@pytest.mark.skipif(not MODERN, reason="a session of mcp 1.x does not tell its version")
async def test_a_client_that_somebody_else_opened_tells_the_version(
    observer: OpenTelemetryObserver, exporter: InMemorySpanExporter
) -> None:
    """Its transport is known to whoever opened it."""
    target = scripted_server("demo", [])
    sdk: Any = importlib.import_module("mcp")

    async with sdk.Client(target) as theirs:
        client = MCPFusionClient(theirs, observers=[observer])
        await client.call_tool("no_such_tool", raise_on_error=False)

    facts = told(exporter)
    assert "network.transport" not in facts
    assert facts["mcp.protocol.version"].startswith("202")
    assert facts["error.type"] == "-32602"
