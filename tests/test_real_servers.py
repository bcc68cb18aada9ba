"""The main job against real servers: over stdio, over HTTP and in process."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from mcpfusion_client import (
    BusinessRuleError,
    MCPFusionClient,
    MCPFusionClientError,
    NextStep,
    ResourceNotFoundError,
    StopReason,
)
from mcpfusion_client.model import JsonObject

SERVER = Path(__file__).parent / "servers" / "failing.py"
REMEMBERING = SERVER.parent / "remembering.py"
COMMAND = [sys.executable, str(SERVER), "stdio"]


def _in_process() -> object:
    spec = importlib.util.spec_from_file_location("failing_server", SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server: object = module.failing_server()
    return server


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server process on loopback, ended when the module is done."""
    process = subprocess.Popen(  # noqa: S603 - our own server
        [sys.executable, str(SERVER), "http"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(timeout=10)
        process.stdout.close()


@pytest.fixture(params=["stdio", "http", "in process"])
def target(request: pytest.FixtureRequest, anyio_backend: str) -> object:
    """One server per way to reach it."""
    if request.param == "stdio":
        return COMMAND
    if request.param == "in process":
        return _in_process()
    if anyio_backend == "trio" and not _second_generation():
        pytest.skip("mcp 1.x loses concurrent requests over HTTP on trio")
    return request.getfixturevalue("url")


def _second_generation() -> bool:
    return not metadata.version("mcp").startswith("1.")


async def test_an_xml_envelope_becomes_a_typed_error(target: object) -> None:
    """MCP Fusion's own dialect."""
    async with MCPFusionClient(target) as client:
        with pytest.raises(ResourceNotFoundError) as caught:
            await client.execute("xml")

    error = caught.value
    assert error.code == "NOT_FOUND"
    assert error.message == "No invoice with that ID"
    assert error.recovery == "List invoices first"
    assert error.available_actions == ("billing.list",)
    assert dict(error.details) == {"requestedId": "inv_9"}
    assert error.next_step is NextStep.LOOK_UP_CANDIDATES
    assert error.raw is not None
    assert error.raw["isError"] is True


async def test_structured_metadata_becomes_a_typed_error(target: object) -> None:
    """The dialect of the structured-error documents."""
    async with MCPFusionClient(target) as client:
        with pytest.raises(BusinessRuleError) as caught:
            await client.call_tool("structured", {"order": 12345})

    error = caught.value
    assert error.is_retryable is False
    assert error.retryable_source == "stated"
    assert error.partial_results == [{"order": 1}]
    assert error.stop_reason is StopReason.SERVER_SAID_NO
    assert len(error.attempts) == 1


async def test_a_json_rpc_error_becomes_a_typed_error(target: object) -> None:
    """A protocol error with data; the SDK's exception is the cause."""
    async with MCPFusionClient(target) as client:
        with pytest.raises(MCPFusionClientError) as caught:
            await client.execute("rpc")

    error = caught.value
    assert error.code == "QUOTA"
    assert error.origin == "protocol"
    assert error.message == "over quota"
    assert error.is_retryable is False
    assert error.__cause__ is not None


async def test_a_busy_server_is_asked_again_with_the_same_arguments(
    target: object,
) -> None:
    """The second attempt succeeds and carries what the first one did."""
    async with MCPFusionClient(target) as client:
        result = await client.execute("flaky", {"page": 1, "tags": ["a", "b"]})

    assert result.data == {"same": True}
    assert [a.error.code if a.error else None for a in result.attempts] == [
        "SERVER_BUSY",
        None,
    ]
    assert result.stop_reason is StopReason.RETRIED


async def test_a_repeat_is_the_same_call_under_a_new_id(tmp_path: Path) -> None:
    """On the wire: the list first, then the same arguments twice."""
    heard = tmp_path / "heard.jsonl"
    arguments: JsonObject = {"b": 1, "a": [{"x": None}], "名": "\u2028"}

    async with MCPFusionClient([sys.executable, str(REMEMBERING), str(heard)]) as c:
        result = await c.call_tool("find", arguments)

    sent = [json.loads(line) for line in heard.read_text("utf-8").split("\n") if line]
    tools = [each for each in sent if each["method"].startswith("tools/")]
    assert [each["method"] for each in tools] == [
        "tools/list",
        "tools/call",
        "tools/call",
    ]
    assert len({each["id"] for each in tools}) == 3
    assert [each["params"]["arguments"] for each in tools[1:]] == [arguments] * 2
    assert result.text == "found"


async def test_failures_can_be_values_instead_of_exceptions(target: object) -> None:
    """With throwOnError off: the same facts, nothing raised."""
    async with MCPFusionClient(target, raise_on_error=False) as client:
        results = [await client.call_tool(name) for name in ("xml", "rpc")]

    assert [r.error.code for r in results if r.error] == ["NOT_FOUND", "QUOTA"]
