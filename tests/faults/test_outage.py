"""A server that is down for a while, behind the gate everybody has."""

from collections import Counter

import anyio
import pytest

from mcpfusion_client import (
    ConnectError,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    ToolResult,
)
from tests.faults.harness import GUARD, LONG, MARGIN, fate
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

pytestmark = pytest.mark.parametrize("era", ERAS)

CALLERS = 20


async def test_the_next_call_works_soon_after_a_server_is_back(era: str) -> None:
    """Refused connections hold calls back; the newest finds out that it is over."""
    ended: list[ToolResult | MCPFusionClientError] = []
    first, back = anyio.Event(), ""

    async def caller(number: int) -> None:
        try:
            ended.append(await client.call_tool("ok", {"tag": f"caller {number}"}))
        except MCPFusionClientError as error:
            ended.append(error)
            first.set()

    with FaultServer(era) as server, anyio.fail_after(LONG):
        async with (
            MCPFusionClient(server.url, timeout=LONG) as client,
            anyio.create_task_group() as group,
        ):
            assert await fate(client, "ok", "first") == "survives"
            server.refuse()
            await server.until(lambda: not server.wires)
            for number in range(CALLERS):
                group.start_soon(caller, number)
            await first.wait()
            server.listen()
            result = await client.call_tool("ok", {"tag": "back"}, deadline=MARGIN)
            back = result.text

    assert back == "back"
    assert len(ended) == CALLERS
    assert all(isinstance(each, ToolResult | ConnectError) for each in ended)
    assert set(server.ledger.runs.values()) == {1}


async def test_a_server_that_is_down_fails_calls_that_do_not_repeat_at_once(
    era: str,
) -> None:
    """Without retries and gate nothing waits for it to come back."""
    kinds: Counter[type] = Counter()
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(
            server.url, timeout=LONG, retry=RetryPolicy.off(), gate=None
        ) as client:
            assert await fate(client, "ok", "first") == "survives"
            server.refuse()
            await server.until(lambda: not server.wires)
            for _ in range(CALLERS):
                with pytest.raises(MCPFusionClientError) as caught:
                    await client.call_tool("ok", {"tag": "never"})
                kinds[type(caught.value)] += 1
            server.listen()
            assert await fate(client, "ok", "after") == "survives"

    assert kinds == {ConnectError: CALLERS}
    assert server.ledger.runs["never"] == 0
