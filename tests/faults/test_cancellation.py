"""A caller that gives up is let go at once, and nobody else notices."""

import asyncio

import anyio
import pytest

from mcpfusion_client import MCPFusionClient, MCPFusionClientError
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

pytestmark = pytest.mark.parametrize("era", ERAS)


async def test_a_cancelled_caller_is_let_go_and_harms_nobody(era: str) -> None:
    """The sibling gets its result, the next call works, the exit is clean."""
    fates: list[str] = []
    before = living_tasks()

    async def sibling() -> None:
        fates.append(await fate(client, "hold", "sibling"))

    async def cancelled(scope: anyio.CancelScope) -> None:
        with scope:
            await client.call_tool("hold", {"tag": "cancelled"})
            fates.append("not cancelled")

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client, anyio.create_task_group() as group:
            scope = anyio.CancelScope()
            group.start_soon(sibling)
            group.start_soon(cancelled, scope)
            await server.until(lambda: server.held == 2)
            scope.cancel()
            assert await fate(client, "ok", "after") == "survives"
            server.release()

        await server.until(lambda: not server.wires)
    assert fates == ["survives"]
    assert await settle(before) <= 0


async def test_a_cancelled_caller_stops_holding_the_server(era: str) -> None:
    """The request is given up on the wire too, so that the server may stop."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client, anyio.create_task_group() as group:
            group.start_soon(fate, client, "hold", "cancelled")
            await server.until(lambda: server.held == 1)
            group.cancel_scope.cancel()

        told = "notifications/cancelled"
        await server.until(lambda: not server.held or server.ledger.methods[told] > 0)


async def test_a_callers_own_timer_is_its_own(era: str) -> None:
    """A timeout around a call raises what the caller wrote, not one of our errors."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            with pytest.raises(TimeoutError), anyio.fail_after(SHORT):
                await client.call_tool("hold", {"tag": "too slow"})

            assert await fate(client, "ok", "after") == "survives"


async def test_a_task_cancelled_the_asyncio_way_ends_cancelled(
    era: str, anyio_backend: str
) -> None:
    """``task.cancel()`` knows nothing of scopes and is honoured all the same."""
    if anyio_backend != "asyncio":
        pytest.skip("task.cancel() is asyncio's")
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            task = asyncio.create_task(client.call_tool("hold", {"tag": "cancelled"}))
            await server.until(lambda: server.held == 1)
            task.cancel()
            done, _ = await asyncio.wait({task}, timeout=GUARD)

            assert task in done
            assert task.cancelled()
            assert await fate(client, "ok", "after") == "survives"


async def test_cancelling_during_a_retry_wait_ends_the_call(era: str) -> None:
    """A sleeping call is as easy to cancel as a running one."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG, gate=None) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "fault", {"fault": "503_hint"})
                await server.until(lambda: server.ledger.posts["fault"] == 1)
                group.cancel_scope.cancel()

            assert await fate(client, "ok", "after") == "survives"
    assert server.ledger.posts["fault"] == 1


async def test_cancelling_one_of_many_who_wait_for_a_reopening(era: str) -> None:
    """The reopening goes on for the others, and happens once."""
    if era != "legacy":
        pytest.skip("only a session can be forgotten")
    fates: list[str] = []

    async def impatient(scope: anyio.CancelScope) -> None:
        with scope:
            await client.call_tool("ok", {"tag": "impatient"})

    async def patient() -> None:
        fates.append(await fate(client, "ok", "patient"))

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client, anyio.create_task_group() as group:
            await client.call_tool("ok", {"tag": "first"})
            server.forget_sessions()
            with pytest.raises(MCPFusionClientError):
                await client.call_tool("ok", {"tag": "meets the 404"})
            server.shut_gate("initialize")
            scope = anyio.CancelScope()
            group.start_soon(impatient, scope)
            group.start_soon(patient)
            await server.until(lambda: server.openings == 2)
            scope.cancel()
            server.open_gate("initialize")

    assert fates == ["survives"]
    assert server.openings == 2


async def test_leaving_with_calls_in_flight_ends_them_with_a_typed_error(
    era: str,
) -> None:
    """Closing the client is no stray cancellation for those who still wait."""
    fates: list[str] = []
    before = living_tasks()

    async def doomed() -> None:
        fates.append(await fate(client, "hold", "doomed"))

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with anyio.create_task_group() as group, own(server.url) as client:
            group.start_soon(doomed)
            await server.until(lambda: server.held == 1)

        await server.until(lambda: not server.wires)
    assert fates == ["typed error"]
    assert await settle(before) <= 0


async def test_the_body_of_async_with_may_raise(era: str) -> None:
    """The caller's own exception comes out alone, in no group."""

    async def body() -> None:
        async with own(server.url) as client:
            await client.call_tool("ok", {"tag": "only"})
            raise ZeroDivisionError

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        with pytest.raises(ZeroDivisionError):
            await body()

        await server.until(lambda: not server.wires)


async def test_progress_extends_an_attempt(era: str) -> None:
    """A tool that reports progress outlives the attempt timeout."""
    told: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            result = await client.call_tool(
                "progress", {"steps": 60}, timeout=4.0, progress=progress
            )

    assert result.text == "done"
    assert told[-1] == 60


async def test_progress_never_extends_a_call_past_its_deadline(era: str) -> None:
    """A server cannot hold a caller by reporting progress for ever."""

    async def progress(done: float, total: float | None, message: str | None) -> None:
        pass

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool(
                    "progress",
                    {"steps": 400},
                    timeout=SHORT,
                    deadline=2 * SHORT,
                    progress=progress,
                )
            assert await fate(client, "ok", "after") == "survives"

    assert caught.value.code == "TIMEOUT"


async def test_progress_without_a_callback_still_extends_an_attempt(era: str) -> None:
    """Whether the caller listens or not, a working tool is not timed out."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with own(server.url) as client:
            result = await client.call_tool("progress", {"steps": 60}, timeout=4.0)

    assert result.text == "done"


async def test_a_silent_goodbye_does_not_hold_a_cancelled_exit(era: str) -> None:
    """Cancelling somebody who is leaving takes bounded time as well."""
    with FaultServer(era) as server, anyio.fail_after(GUARD + 5):
        server.overrides["DELETE"] = SCRIPTS["silence"]
        with anyio.move_on_after(SHORT):
            async with own(server.url) as client:
                await fate(client, "hold", "cancelled by the timer")

        await server.until(lambda: not server.wires)


async def test_a_call_given_up_on_a_retired_session_logs_no_traceback(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its answer finds the SDK's session closed, which is nobody's trouble."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with (
            MCPFusionClient(server.url, timeout=LONG) as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(fate, client, "hold", "given up")
            await server.until(lambda: server.held == 1)
            server.forget_sessions()
            assert await fate(client, "ok", "on a new session") == "survives"
            group.cancel_scope.cancel()

        await server.until(lambda: not server.wires)
    assert [record for record in caplog.records if record.exc_info] == []
