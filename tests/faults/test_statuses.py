"""Every HTTP status, one after the other, over one client."""

import anyio
import pytest

from mcpfusion_client import MCPFusionClient, MCPFusionClientError, RetryPolicy
from tests.faults.expectations import SWEPT, status_row
from tests.faults.harness import GUARD, LONG, differences, fate, own
from tests.faults.harness import Observed as Seen
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer


async def _seen(client: MCPFusionClient, server: FaultServer, status: int) -> Seen:
    before = server.ledger.posts["fault"]
    failure: MCPFusionClientError | None = None
    began = anyio.current_time()
    try:
        await client.call_tool("fault", {"fault": f"status_{status}"})
    except MCPFusionClientError as error:
        failure = error
    return Seen(
        seconds=anyio.current_time() - began,
        error=failure,
        result=None,
        posts=server.ledger.posts["fault"] - before,
        next_works=await fate(client, "ok", f"after {status}") == "survives",
        sibling="survives",
        leaving="clean",
    )


@pytest.mark.parametrize("session_ids", ["with session ids", "without"])
@pytest.mark.parametrize("era", ERAS)
async def test_every_status_is_one_typed_error_and_the_client_lives_on(
    era: str, session_ids: str
) -> None:
    """Status by status: the tables, one POST, and the next call works."""
    found: dict[int, list[str]] = {}
    issues = session_ids == "with session ids"
    has_session = issues and era == "legacy"
    with FaultServer(era, session_ids=issues) as server, anyio.fail_after(LONG):
        async with own(server.url) as client:
            for status in SWEPT:
                row = status_row(status, session=has_session)
                found[status] = differences(row, await _seen(client, server, status))

    assert {status: lines for status, lines in found.items() if lines} == {}
    assert server.openings == (2 if has_session else 1)


@pytest.mark.parametrize("era", ERAS)
async def test_a_repeated_call_is_one_post_per_attempt(era: str) -> None:
    """Nothing below the engine repeats a request behind its back."""
    policy = RetryPolicy(max_attempts=3, base_delay=0.001, max_delay=0.001)
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(
            server.url, timeout=LONG, retry=policy, gate=None
        ) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool(
                    "fault", {"fault": "status_502"}, idempotent=True
                )

    assert len(caught.value.attempts) == 3
    assert server.ledger.posts["fault"] == 3


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_whose_outcome_is_unknown_is_sent_once(era: str) -> None:
    """Without a word that it is harmless, a call that may have run stays alone."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG, gate=None) as client:
            with pytest.raises(MCPFusionClientError):
                await client.call_tool("fault", {"fault": "reset_in_body"})

    assert server.ledger.posts["fault"] == 1
