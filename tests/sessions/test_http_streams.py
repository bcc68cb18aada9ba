"""Answers in a stream of events that ends too early."""

import json

import anyio
import pytest

from mcpfusion_client.model import Execution
from mcpfusion_client.sessions import (
    ConnectOptions,
    Request,
    connect,
)
from tests.sessions.http_calls import one_call
from tests.sessions.http_server import Asked, HttpServer, Reply
from tests.sessions.sdk import HTTP_BACKENDS


@pytest.fixture(params=HTTP_BACKENDS)
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every event loop the installed SDK supports over Streamable HTTP."""
    backend: str = request.param
    return backend


def cut_stream(asked: Asked) -> Reply:
    """Begin to answer with a stream that can be resumed, and stop."""
    return Reply(
        body=b"id: 7\nretry: 20\ndata: \n\n",
        headers=(("content-type", "text/event-stream"),),
    )


async def test_a_stream_that_is_cut_is_resumed() -> None:
    """The answer comes through the second stream."""

    def resumed(asked: Asked) -> Reply:
        if asked.headers.get("last-event-id") != "7":
            return Reply(status=405)
        answer = json.dumps({"jsonrpc": "2.0", "id": 99, "result": {"content": []}})
        (call,) = [one for one in server.asked if one.method == "tools/call"]
        body = answer.replace("99", str(call.message["id"]))
        return Reply(
            body=f"data: {body}\n\n".encode(),
            headers=(("content-type", "text/event-stream"),),
        )

    with HttpServer(cut_stream) as server:
        server.resumes = resumed
        outcome = await one_call(server)

    assert outcome.raw == {"content": []}


async def test_a_stream_that_cannot_be_resumed_may_have_been_answered() -> None:
    """The tool may have run, whatever the refusal would mean for a call."""
    with HttpServer(cut_stream) as server:
        server.resumes = lambda _: Reply(status=429, headers=(("Retry-After", "7"),))
        outcome = await one_call(server)

    info = outcome.failure
    assert info is not None
    assert (info.code, info.execution) == ("CONNECTION_LOST", Execution.UNKNOWN)
    assert info.retry_after == 7
    assert info.http is not None
    assert info.http.status == 429


async def test_a_stream_nobody_waits_for_is_not_resumed() -> None:
    """A server that cuts every stream would be asked for ever."""

    def cut_again(asked: Asked) -> Reply:
        listening = "last-event-id" not in asked.headers
        return Reply(status=405) if listening else cut_stream(asked)

    with HttpServer(cut_stream) as server:
        server.resumes = cut_again
        connection = connect(server.url, ConnectOptions())
        await connection.open()
        outcome = await connection.call_tool(
            Request(tool="tool", arguments={}, timeout=1)
        )
        before = sum("last-event-id" in asked.headers for asked in server.asked)
        await anyio.sleep(0.3)
        after = sum("last-event-id" in asked.headers for asked in server.asked)
        await connection.close()

    assert outcome.failure is not None
    assert (outcome.failure.code, outcome.failure.execution) == (
        "TIMEOUT",
        Execution.UNKNOWN,
    )
    assert before > 1
    assert after <= before + 1
