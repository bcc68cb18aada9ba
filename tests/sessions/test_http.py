"""Streamable HTTP: evidence of failures, and the caller's own client."""

import importlib
import json
import threading
from typing import Any

import anyio
import anyio.to_thread
import httpx
import pytest

from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import ErrorCategory, Execution, Origin
from mcpfusion_client.sessions import (
    Connection,
    ConnectOptions,
    Outcome,
    Request,
    SessionEvent,
    SessionEventKind,
    connect,
)
from tests.sessions.http_calls import CALL, error_of, fine, one_call
from tests.sessions.http_server import Asked, HttpServer, Reply, rpc
from tests.sessions.sdk import HTTP_BACKENDS, MODERN


@pytest.fixture(params=HTTP_BACKENDS)
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every event loop the installed SDK supports over Streamable HTTP."""
    backend: str = request.param
    return backend


HTTPX2: Any = importlib.import_module("httpx2") if MODERN else None


async def test_a_result_arrives_as_wire_json_with_what_the_sdk_would_drop() -> None:
    """The seeds print errorCategory beside content; mcp 2.x forgets such keys."""

    def answer(asked: Asked) -> Reply:
        return rpc(
            asked,
            result={
                "content": [{"type": "text", "text": "late", "odd": 1}],
                "isError": True,
                "errorCategory": "transient",
                "isRetryable": True,
            },
        )

    with HttpServer(answer) as server:
        outcome = await one_call(server)

    assert outcome.failure is None
    assert outcome.raw == {
        "content": [{"type": "text", "text": "late", "odd": 1}],
        "isError": True,
        "errorCategory": "transient",
        "isRetryable": True,
    }


async def test_content_that_is_plain_text_is_no_reason_to_lose_a_failure() -> None:
    """Another form the seeds print; the SDKs refuse it."""

    def answer(asked: Asked) -> Reply:
        return rpc(asked, result={"content": "it broke", "isError": True})

    with HttpServer(answer) as server:
        outcome = await one_call(server)

    assert outcome.failure is None
    assert outcome.raw == {"content": "it broke", "isError": True}


async def test_a_kind_of_content_the_sdk_does_not_know_is_a_result() -> None:
    """The tool has run."""
    block = {"type": "hologram", "data": "x"}

    def answer(asked: Asked) -> Reply:
        return rpc(asked, result={"content": [block]})

    with HttpServer(answer) as server:
        outcome = await one_call(server)

    assert outcome.failure is None
    assert outcome.raw is not None
    assert outcome.raw["content"] == [block]


async def test_status_hint_and_body_of_a_refusal_arrive() -> None:
    """What the SDKs lose, and the session lives on."""
    refusal = Reply(
        status=429,
        body=b'{"error": "slow down"}',
        headers=(("Retry-After", "7"), ("X-RateLimit-Remaining", "0")),
    )

    with HttpServer(lambda _: refusal) as server:
        connection = connect(server.url, ConnectOptions())
        outcome = await connection.call_tool(CALL)
        server.answer = fine
        after = await connection.call_tool(CALL)
        await connection.close()

    info = outcome.failure
    assert info is not None
    assert (info.code, info.category) == ("HTTP_429", ErrorCategory.RATE_LIMITED)
    assert (info.origin, info.execution) == (Origin.HTTP, Execution.NOT_EXECUTED)
    assert info.retry_after == 7
    assert info.http is not None
    assert info.http.status == 429
    assert info.http.body_excerpt == '{"error": "slow down"}'
    assert outcome.answered
    assert after.raw is not None
    assert server.count("initialize") == 1


async def test_a_forgotten_session_is_retired_and_the_next_call_opens_another() -> None:
    """The call itself never ran, so the retry engine may send it again."""
    events: list[SessionEvent] = []

    def forgetful(asked: Asked) -> Reply:
        if asked.headers["mcp-session-id"] == "s1":
            return Reply(status=404)
        return fine(asked)

    with HttpServer(forgetful) as server:
        options = ConnectOptions(listener=events.append)
        connection = connect(server.url, options)
        outcome = await connection.call_tool(CALL)
        epoch = connection.epoch
        after = await connection.call_tool(CALL)
        await connection.close()

    assert outcome.failure is not None
    assert outcome.failure.execution is Execution.NOT_EXECUTED
    assert outcome.failure.category is ErrorCategory.TRANSIENT
    assert after.raw is not None
    assert connection.epoch == epoch + 1
    assert [event.kind for event in events] == [
        SessionEventKind.OPENED,
        SessionEventKind.RETIRED,
        SessionEventKind.REOPENED,
    ]


async def test_calls_in_flight_on_a_retired_session_finish() -> None:
    """The server may answer them yet."""
    arrived, released = threading.Event(), threading.Event()

    def answer(asked: Asked) -> Reply:
        arguments = asked.message["params"]["arguments"]
        if arguments.get("slow"):
            arrived.set()
            released.wait(5)
            return fine(asked)
        released.set()
        return Reply(status=404)

    outcomes: dict[str, Outcome] = {}

    async def call(name: str, **arguments: object) -> None:
        request = Request(tool="tool", arguments=arguments, timeout=10)
        outcomes[name] = await connection.call_tool(request)

    with HttpServer(answer) as server:
        connection = connect(server.url, ConnectOptions())
        await connection.open()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: call("slow", slow=True))
            await anyio.to_thread.run_sync(arrived.wait, 5)
            tasks.start_soon(lambda: call("forgotten"))
        await connection.close()

    assert outcomes["slow"].raw is not None
    assert outcomes["forgotten"].failure is not None


async def test_nobody_who_waits_is_told_of_a_call_he_gave_up_on() -> None:
    """The connection of a call that timed out is let go of; the next call works."""
    with HttpServer(fine) as server:
        connection = connect(server.url, ConnectOptions())
        await connection.open()
        server.answer = _hang
        timed_out = await connection.call_tool(
            Request(tool="tool", arguments={}, timeout=0.2)
        )
        server.answer = fine
        after = await connection.call_tool(CALL)
        await connection.close()

    assert timed_out.failure is not None
    assert timed_out.failure.code == "TIMEOUT"
    assert timed_out.failure.execution is Execution.UNKNOWN
    assert not timed_out.answered
    assert after.raw is not None


def _hang(_: Asked) -> Reply:
    threading.Event().wait(2)
    return Reply(status=500)


async def test_a_url_that_refuses_is_a_connect_error_that_names_it() -> None:
    """Without the credentials in it."""
    connection = connect("http://me:hunter22@127.0.0.1:9/mcp?k=abc", ConnectOptions())

    with pytest.raises(MCPFusionClientError) as caught:
        await connection.open()
    outcome = await connection.call_tool(CALL)
    await connection.close()

    assert caught.value.code == "CONNECT_FAILED"
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert "http://127.0.0.1:9/mcp" in str(caught.value)
    assert "hunter22" not in repr(caught.value)
    assert "abc" not in repr(caught.value)
    assert outcome.failure is not None
    assert outcome.failure.code == "CONNECT_FAILED"


async def test_a_handshake_that_is_refused_says_why() -> None:
    """A missing token at the door is no network trouble."""
    with HttpServer(fine) as server:
        server.refuses = Reply(
            status=401, headers=(("WWW-Authenticate", 'Bearer error="invalid_token"'),)
        )
        connection = connect(server.url, ConnectOptions())
        with pytest.raises(MCPFusionClientError) as caught:
            await connection.open()
        await connection.close()

    assert caught.value.category is ErrorCategory.AUTHENTICATION
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.http is not None
    assert caught.value.http.status == 401


class Signs(httpx.Auth):
    """An auth flow of the caller's own."""

    def auth_flow(self, request: httpx.Request) -> Any:
        """Sign the request."""
        request.headers["x-signature"] = "signed"
        yield request


def _own_clients() -> list[Any]:
    clients: list[Any] = [httpx.AsyncClient(auth=Signs())]
    if MODERN:
        clients.append(HTTPX2.AsyncClient(headers={"x-signature": "signed"}))
    return clients


@pytest.mark.parametrize("number", range(2))
async def test_the_callers_own_client_sends_and_stays_open(number: int) -> None:
    """Of either kind, whatever the SDK speaks."""
    clients = _own_clients()
    if number >= len(clients):
        pytest.skip("httpx2 comes with mcp 2.x")
    client = clients[number]

    with HttpServer(fine) as server:
        outcome = await one_call(server, http_client=client, headers={"x-own": "yes"})
        assert not client.is_closed
        for one in clients:
            await one.aclose()

    calls = [asked for asked in server.asked if asked.method == "tools/call"]
    assert outcome.raw is not None
    assert calls[0].headers["x-signature"] == "signed"
    assert calls[0].headers["x-own"] == "yes"


async def test_a_hook_that_raises_for_the_status_keeps_the_evidence() -> None:
    """A common habit with httpx."""

    async def raising(response: httpx.Response) -> None:
        response.raise_for_status()

    client = httpx.AsyncClient(event_hooks={"response": [raising]})
    refusal = Reply(status=503, headers=(("Retry-After", "3"),))

    with HttpServer(lambda _: refusal) as server:
        outcome = await one_call(server, http_client=client)
        await client.aclose()

    assert outcome.failure is not None
    assert outcome.failure.retry_after == 3
    assert outcome.failure.execution is Execution.NOT_EXECUTED


async def test_a_closed_client_is_refused() -> None:
    """It never heals by itself."""
    client = httpx.AsyncClient()
    await client.aclose()

    with HttpServer(fine) as server:
        outcome = await one_call(server, http_client=client)

    assert outcome.failure is not None
    assert outcome.failure.is_retryable is False
    assert outcome.failure.execution is Execution.NOT_EXECUTED


async def test_an_auth_of_the_other_kind_is_a_type_error() -> None:
    """It could not sign what the client sends."""
    if not MODERN:
        pytest.skip("one kind of client only")
    auth = HTTPX2.BasicAuth("a", "b")
    async with httpx.AsyncClient() as client:
        with pytest.raises(TypeError):
            connect(
                "http://127.0.0.1:9/", ConnectOptions(http_client=client, auth=auth)
            )


async def test_the_user_of_a_url_signs_in_and_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nor is the query, which reaches the server all the same."""
    caplog.set_level("DEBUG")
    with HttpServer(fine) as server:
        url = server.url.replace("127", "me:hunter22@127") + "?key=s3cr3tkey"
        connection = connect(url, ConnectOptions())
        outcome = await connection.call_tool(CALL)
        await connection.close()

    calls = [asked for asked in server.asked if asked.method == "tools/call"]
    assert outcome.raw is not None
    assert calls[0].headers["authorization"].startswith("Basic ")
    assert calls[0].path == "/mcp?key=s3cr3tkey"
    assert "hunter22" not in caplog.text
    assert "s3cr3tkey" not in caplog.text


async def test_an_illegal_header_is_refused_without_its_value() -> None:
    """h11 repeats it in its error."""
    with HttpServer(fine) as server:
        outcome = await one_call(server, headers={"x-key": "hunter\r\n22"})

    assert outcome.failure is not None
    assert outcome.failure.category is ErrorCategory.VALIDATION
    assert outcome.failure.execution is Execution.NOT_EXECUTED
    assert "hunter" not in repr(outcome)
    assert server.asked == []


async def test_half_a_surrogate_pair_in_arguments_is_refused_before_it_is_sent() -> (
    None
):
    """UTF-8 cannot hold it; the SDKs' sessions die of it."""
    request = Request(tool="tool", arguments={"a": "\ud800"}, timeout=5)

    with HttpServer(fine) as server:
        outcome = await one_call(server, request)

    assert outcome.failure is not None
    assert outcome.failure.category is ErrorCategory.VALIDATION
    assert outcome.failure.execution is Execution.NOT_EXECUTED


async def test_a_result_with_half_a_surrogate_pair_is_kept_on_a_typed_error() -> None:
    """The SDKs cannot read it, but the tool has run."""
    body = (
        '{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%s"}]}}'
    )

    def answer(asked: Asked) -> Reply:
        return Reply(body=(body % (asked.message["id"], "\\ud800")).encode())

    with HttpServer(answer) as server:
        outcome = await one_call(server)

    assert outcome.failure is not None
    assert outcome.failure.execution is Execution.EXECUTED
    assert outcome.raw is not None
    assert outcome.raw["content"] == [{"type": "text", "text": "\ud800"}]


async def test_a_ten_megabyte_error_is_cut() -> None:
    """And it takes no time to speak of."""
    huge = Reply(status=500, body=b"x" * 10_000_000)

    with HttpServer(lambda _: huge) as server, anyio.fail_after(5):
        outcome = await one_call(server)

    assert outcome.failure is not None
    assert outcome.failure.http is not None
    assert len(outcome.failure.http.body_excerpt or "") <= 4096


async def test_a_header_mismatch_is_resent_once_after_listing() -> None:
    """Only servers of 2026-07-28 say so; others get no second call."""
    mismatch = {"code": -32020, "message": "header mismatch"}

    def answer(asked: Asked) -> Reply:
        return Reply(status=400, body=json.dumps(error_of(asked, mismatch)).encode())

    with HttpServer(answer) as server:
        outcome = await one_call(server)

    assert outcome.failure is not None
    assert outcome.failure.code == "-32020"
    assert server.count("tools/call") == 1


async def test_open_and_close_may_run_in_different_tasks() -> None:
    """Frameworks start and stop things wherever they like."""
    with HttpServer(fine) as server:
        connection = connect(server.url, ConnectOptions())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(connection.open)
        outcomes: list[Outcome] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_collect, connection, outcomes)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(connection.close)

    assert outcomes[0].raw is not None
    assert [asked.verb for asked in server.asked].count("DELETE") == 1


async def _collect(connection: Connection, outcomes: list[Outcome]) -> None:
    outcomes.append(await connection.call_tool(CALL))
