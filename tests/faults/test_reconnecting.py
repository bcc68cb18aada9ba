"""A server that goes away, comes back, forgets its sessions or cannot be found."""

import socket

import anyio
import pytest

from mcpfusion_client import (
    ConnectError,
    ErrorCategory,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
)
from tests.faults.harness import (
    GUARD,
    LONG,
    SHORT,
    fate,
    living_tasks,
    own,
    settle,
)
from tests.faults.scripts import SCRIPTS
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

QUICK = RetryPolicy(base_delay=0.01, max_delay=0.05)

pytestmark = pytest.mark.parametrize("era", ERAS)


async def _error(client: MCPFusionClient, tool: str = "ok") -> MCPFusionClientError:
    with pytest.raises(MCPFusionClientError) as caught:
        await client.call_tool(tool, {"tag": "fails"})
    return caught.value


async def test_a_refused_connection_was_never_sent_to(era: str) -> None:
    """The call did not run; a call in flight on a live connection goes on."""
    fates: list[str] = []

    async def sibling() -> None:
        fates.append(await fate(client, "hold", "sibling"))

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client, anyio.create_task_group() as group:
            await client.call_tool("ok", {"tag": "first"})
            group.start_soon(sibling)
            await server.until(lambda: server.held == 1)
            server.refuse()
            await server.until(lambda: len(server.wires) == 1)

            error = await _error(client)
            server.listen()
            fates.append(await fate(client, "ok", "after"))
            server.release()

            assert isinstance(error, ConnectError)
            assert error.code == "CONNECT_FAILED"
            assert error.category is ErrorCategory.TRANSIENT
            assert error.execution is Execution.NOT_EXECUTED
    assert server.ledger.attempts["fails"] == 0
    assert fates == ["survives", "survives"]


async def test_a_name_that_stops_resolving_was_never_sent_to(
    era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A DNS failure in the middle of a session is a failed connect."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        url = f"http://localhost:{server.port}/mcp"
        async with own(url) as client:
            await client.call_tool("ok", {"tag": "first"})
            server.refuse()
            await server.until(lambda: not server.wires)
            server.listen()
            with monkeypatch.context() as patched:
                patched.setattr(socket, "getaddrinfo", _no_such_name)
                error = await _error(client)
            after = await fate(client, "ok", "after")

    assert isinstance(error, ConnectError)
    assert error.execution is Execution.NOT_EXECUTED
    assert server.ledger.attempts["fails"] == 0
    assert after == "survives"


def _no_such_name(*args: object, **options: object) -> object:
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


async def test_opening_fails_with_a_typed_error_when_the_name_is_unknown(
    era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was sent, and the client can be opened later."""
    before = living_tasks()
    monkeypatch.setattr(socket, "getaddrinfo", _no_such_name)

    with anyio.fail_after(GUARD), pytest.raises(ConnectError) as caught:
        async with own("http://no-such-host.invalid/mcp"):
            pass

    assert caught.value.execution is Execution.NOT_EXECUTED
    assert await settle(before) <= 0


async def test_opening_at_a_silent_server_ends_at_the_connect_timeout(era: str) -> None:
    """A handshake nobody answers is bounded too."""
    before = living_tasks()
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.overrides["initialize"] = SCRIPTS["silence"]
        server.overrides["server/discover"] = SCRIPTS["silence"]

        with pytest.raises(MCPFusionClientError) as caught:
            async with MCPFusionClient(server.url, connect_timeout=SHORT):
                pass

        assert caught.value.execution is Execution.NOT_EXECUTED
        await server.until(lambda: not server.wires)
    assert await settle(before) <= 0


@pytest.mark.parametrize("fault", ["status_401", "status_403", "status_500", "html"])
async def test_opening_at_a_server_that_refuses_is_a_typed_error(
    era: str, fault: str
) -> None:
    """Whatever the handshake is answered with, nothing but our errors comes out."""
    before = living_tasks()
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.overrides["initialize"] = SCRIPTS[fault]
        server.overrides["server/discover"] = SCRIPTS[fault]

        with pytest.raises(MCPFusionClientError) as caught:
            async with MCPFusionClient(server.url, connect_timeout=LONG):
                pass

        assert caught.value.execution is Execution.NOT_EXECUTED
        await server.until(lambda: not server.wires)
    assert await settle(before) <= 0


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("html", 200),
        ("202", 202),
        ("garbage_json", 200),
        ("wrong_id", 200),
        ("sse_ends_without_reply", 200),
        ("bad_gzip", 200),
    ],
)
async def test_what_is_no_mcp_server_is_noticed_at_once_with_evidence(
    era: str, fault: str, status: int
) -> None:
    """A login page or a wrong URL: long before the connect timeout."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.overrides["initialize"] = SCRIPTS[fault]
        server.overrides["server/discover"] = SCRIPTS[fault]

        with pytest.raises(ConnectError) as caught:
            async with MCPFusionClient(server.url, connect_timeout=LONG):
                pass

    assert caught.value.code == "CONNECT_FAILED"
    assert caught.value.http is not None
    assert caught.value.http.status == status
    if fault == "html":
        assert caught.value.http.headers["content-type"] == "text/html"
        assert caught.value.http.body_excerpt == "<html>please log in</html>"


async def test_a_cancelled_opening_leaves_nothing_behind(era: str) -> None:
    """Nobody is left who could close what goes on opening."""
    before = living_tasks()
    opening = "initialize" if era == "legacy" else "server/discover"
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.shut_gate(opening)
        async with anyio.create_task_group() as group:
            client = MCPFusionClient(server.url, connect_timeout=LONG)
            group.start_soon(client.connect)
            await server.until(lambda: server.openings == 1)
            group.cancel_scope.cancel()

        assert await settle(before) <= 0
        server.open_gate(opening)
        await server.until(lambda: not server.wires)


async def test_a_restarted_server_gets_the_next_call(era: str) -> None:
    """Connections and sessions of the old one are gone; the retry opens new ones."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG, retry=QUICK) as client:
            for round_ in range(5):
                tag = f"round {round_}"
                assert await fate(client, "ok", tag) == "survives"
                server.restart()
                await server.until(lambda: not server.wires)

    assert {server.ledger.runs[f"round {round_}"] for round_ in range(5)} == {1}


async def test_a_call_in_flight_on_a_restarted_server_may_have_run(era: str) -> None:
    """It ends at once, as unknown, and the next call gets its result."""
    errors: list[MCPFusionClientError] = []

    async def doomed() -> None:
        errors.append(await _error(client, "hold"))

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG, retry=QUICK) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(doomed)
                await server.until(lambda: server.held == 1)
                server.restart()
            after = await fate(client, "ok", "after")

    assert errors[0].execution is Execution.UNKNOWN
    assert errors[0].code == "CONNECTION_LOST"
    assert after == "survives"


async def test_a_forgotten_session_is_opened_again_once_by_many_callers(
    era: str,
) -> None:
    """Forty callers meet the 404 together; one new session serves them all."""
    fates: list[str] = []

    async def call(number: int) -> None:
        fates.append(await fate(client, "ok", f"call {number}"))

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG, retry=QUICK) as client:
            await client.call_tool("ok", {"tag": "first"})
            server.forget_sessions()
            async with anyio.create_task_group() as group:
                for number in range(40):
                    group.start_soon(call, number)

    assert fates == ["survives"] * 40
    assert server.openings == (2 if era == "legacy" else 1)
    assert set(server.ledger.runs.values()) == {1}


async def test_calls_in_flight_on_a_forgotten_session_finish(era: str) -> None:
    """A retired session takes no new calls and keeps the ones it has."""
    fates: list[str] = []

    async def sibling() -> None:
        fates.append(await fate(client, "hold", "sibling"))

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with (
            MCPFusionClient(server.url, timeout=LONG, retry=QUICK) as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(sibling)
            await server.until(lambda: server.held == 1)
            server.forget_sessions()
            assert await fate(client, "ok", "during") == "survives"
            server.release()

    assert fates == ["survives"]


@pytest.mark.parametrize("fault", ["silence", "reset_before_headers", "status_500"])
async def test_leaving_is_clean_when_ending_the_session_fails(
    era: str, fault: str
) -> None:
    """Goodbye is best effort: bounded, and never an error of its own."""
    before = living_tasks()
    with FaultServer(era) as server, anyio.fail_after(GUARD + 5):
        server.overrides["DELETE"] = SCRIPTS[fault]
        async with own(server.url) as client:
            assert await fate(client, "ok", "only") == "survives"

        await server.until(lambda: not server.wires)
    assert await settle(before) <= 0


async def test_leaving_is_clean_when_the_server_is_gone(era: str) -> None:
    """Nobody is there to say goodbye to."""
    before = living_tasks()
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            assert await fate(client, "ok", "only") == "survives"
            server.drop()
            await server.until(lambda: not server.wires)
    assert await settle(before) <= 0


async def test_a_redirect_within_the_origin_is_followed(era: str) -> None:
    """The SDKs follow a 307 that stays on the server and keeps the method."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            server.redirect_once = f"{server.origin}/mcp/"
            assert await fate(client, "ok", "moved") == "survives"

    assert server.ledger.runs["moved"] == 1


async def test_connecting_and_closing_may_happen_in_different_tasks(era: str) -> None:
    """The session belongs to no caller's task."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        client = MCPFusionClient(server.url, timeout=LONG)
        async with anyio.create_task_group() as group:
            group.start_soon(client.connect)
        assert await fate(client, "ok", "between") == "survives"
        async with anyio.create_task_group() as group:
            group.start_soon(client.close)

        await server.until(lambda: not server.wires)
