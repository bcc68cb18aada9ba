"""The older HTTP+SSE transport: the answers come over one long stream."""

import importlib
from typing import Any

import anyio
import attrs
import pytest

from mcpfusion_client import (
    ErrorCategory,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
)
from tests.faults.expectations import (
    EITHER,
    FINE,
    LOST,
    MAYBE,
    NO,
    TIMEOUT,
    Expected,
)
from tests.faults.harness import (
    GUARD,
    LONG,
    Observed,
    attempt_timeout,
    differences,
    fate,
    how_it_went,
    living_tasks,
)
from tests.faults.sse_server import SseServer

_GONE = attrs.evolve(LOST, sibling="typed error")
_ODD = Expected(
    categories=(ErrorCategory.PROTOCOL, ErrorCategory.TRANSIENT),
    executions=(MAYBE,),
    answered="by timeout",
)
# The SDK keeps the failure of a POST to itself and sends nothing after it; calls
# in flight still get their answers, or end with the session that is replaced.
_POST_FAILED = Expected(
    categories=(ErrorCategory.TRANSIENT,),
    executions=(MAYBE, NO),
    answered="by timeout",
    sibling=EITHER,
)

ROWS: dict[str, Expected] = {
    "fine": FINE,
    "stream_reset": _GONE,
    "stream_fin": _GONE,
    "stream_ends": _GONE,
    "stream_cut_in_event": _GONE,
    "silence": TIMEOUT,
    "garbage": _ODD,
    "wrong_id": _ODD,
    "post_500": _POST_FAILED,
    "post_429": _POST_FAILED,
    "post_404": _POST_FAILED,
    "post_reset": _POST_FAILED,
}


def _client(url: str) -> MCPFusionClient:
    sse: Any = importlib.import_module("mcp.client.sse")
    policy = RetryPolicy(base_delay=0.01, max_delay=0.05)
    return MCPFusionClient(
        sse.sse_client(url), timeout=LONG, retry=policy, gate=None, budget=None
    )


async def observe(server: SseServer, fault: str, row: Expected) -> Observed:
    """Make *fault* happen to a call over SSE and watch."""
    # A call whose answer may never come need not be waited for.
    patience = 2.0 if row.sibling == EITHER else LONG
    siblings: list[str] = []
    error: MCPFusionClientError | None = None
    next_works, seconds = False, 0.0

    async def sibling() -> None:
        siblings.append(await fate(client, "hold", "sibling", patience))

    before = living_tasks()
    with anyio.fail_after(GUARD):
        async with _client(server.url) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(sibling)
                await server.until(lambda: server.held == 1)
                began, timeout = anyio.current_time(), attempt_timeout(row)
                try:
                    await client.call_tool(
                        "fault", {"fault": fault}, timeout=timeout, retry=False
                    )
                except MCPFusionClientError as failure:
                    error = failure
                seconds = anyio.current_time() - began
                next_works = await fate(client, "ok", "next") == "survives"
                server.release()
            began = anyio.current_time()
        leaving = await how_it_went(began, before)
        await server.until(lambda: not server.wires)
    return Observed(
        error=error,
        result=None,
        posts=server.ledger.posts["fault"],
        next_works=next_works,
        sibling=siblings[0],
        seconds=seconds,
        leaving=leaving,
    )


@pytest.mark.parametrize("fault", ROWS)
async def test_a_fault_over_sse_comes_to_what_the_table_says(fault: str) -> None:
    """A typed error, and the next call works, on a new stream if need be."""
    row = ROWS[fault]
    with SseServer() as server:
        seen = await observe(server, fault, row)

    assert differences(row, seen) == []


async def test_a_restarted_server_is_reached_again_over_sse() -> None:
    """The transport is made again; a call that met its end is harmless here."""
    with SseServer() as server, anyio.fail_after(GUARD):
        async with _client(server.url) as client:
            assert await fate(client, "ok", "first") == "survives"
            server.drop()
            await server.until(lambda: not server.wires)
            server.listen()
            second = await client.call_tool("ok", {"tag": "second"}, idempotent=True)

        assert second.text == "second"
        assert server.openings == 2


async def test_many_callers_open_one_new_stream() -> None:
    """After the stream has died it is opened again once, by all together."""
    fates: list[str] = []

    async def call(number: int) -> None:
        fates.append(await fate(client, "ok", f"call {number}"))

    with SseServer() as server, anyio.fail_after(GUARD):
        async with _client(server.url) as client:
            with pytest.raises(MCPFusionClientError):
                await client.call_tool("fault", {"fault": "stream_fin"}, retry=False)
            async with anyio.create_task_group() as group:
                for number in range(20):
                    group.start_soon(call, number)

        assert fates == ["survives"] * 20
        assert server.openings == 2
