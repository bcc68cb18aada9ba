"""When the list of tools is fetched, kept and asked for again."""

import pytest

from mcpfusion_client import (
    MCPFusionClient,
    MCPFusionClientError,
    StopReason,
)
from mcpfusion_client.catalogue import MAX_AGE, PATIENCE
from mcpfusion_client.testing import (
    VirtualClock,
)
from tests.client_stage import FLAT, GROUPED, TIMEOUT, server


async def test_the_tool_list_is_fetched_before_the_first_call_and_kept(
    clock: VirtualClock,
) -> None:
    """Annotations have to be known before a failure is judged."""
    session = server(clock, TIMEOUT, "done", "done")
    client = MCPFusionClient(session, clock=clock)

    result = await client.call_tool("crm_find")
    await client.call_tool("crm_find")

    assert result.stop_reason is StopReason.RETRIED
    assert session.listed == 1


async def test_concurrent_first_calls_fetch_one_list(clock: VirtualClock) -> None:
    """The others wait for it."""
    session = server(clock)
    session.slow = 2.0
    client = MCPFusionClient(session, clock=clock)

    await client.execute_batch([("crm.find", {"n": n}) for n in range(5)])

    assert (session.listed, len(session.calls)) == (1, 5)


async def test_a_list_whose_changes_are_not_announced_grows_old(
    clock: VirtualClock,
) -> None:
    """It is fetched again after a time limit."""
    session = server(clock)
    client = MCPFusionClient(session, clock=clock)
    await client.call_tool("crm_find")

    await clock.sleep(MAX_AGE - 1)
    await client.call_tool("crm_find")
    assert session.listed == 1
    await clock.sleep(2)
    await client.call_tool("crm_find")

    assert session.listed == 2


async def test_when_listing_fails_calls_go_on_as_unannotated(
    clock: VirtualClock,
) -> None:
    """The list is not asked for with every call then."""
    session = server(clock, TIMEOUT, "done", "done")
    session.fault = ConnectionResetError("x")
    client = MCPFusionClient(session, clock=clock)

    result = await client.call_tool("crm_find", raise_on_error=False)
    await client.call_tool("crm_find")

    assert result.stop_reason is StopReason.UNKNOWN_OUTCOME_WRITE
    assert session.listed == 1
    await clock.sleep(PATIENCE + 1)
    session.fault = None
    await client.call_tool("crm_find")
    assert session.listed == 2


async def test_listing_eats_into_the_deadline(clock: VirtualClock) -> None:
    """Everything ends by then, and nothing was sent."""
    session = server(clock)
    session.slow = 100.0

    with pytest.raises(MCPFusionClientError) as caught:
        await MCPFusionClient(session, clock=clock).call_tool("crm_find", deadline=5.0)

    assert (clock.monotonic(), session.calls) == (5.0, [])
    assert caught.value.stop_reason is StopReason.DEADLINE_TOO_SHORT


async def test_a_list_cut_off_by_a_deadline_is_asked_for_again(
    clock: VirtualClock,
) -> None:
    """One hurried call must not leave all others unannotated."""
    session = server(clock)
    session.slow = 10.0
    client = MCPFusionClient(session, clock=clock)
    await client.call_tool("crm_find", deadline=5.0, raise_on_error=False)
    session.slow = 0.0

    await client.call_tool("crm_find")

    assert session.listed == 2


async def test_list_tools_returns_the_list_or_raises(clock: VirtualClock) -> None:
    """Whoever asks for the list wants to know."""
    session = server(clock)
    client = MCPFusionClient(session, clock=clock)
    session.fault = ConnectionResetError("x")
    with pytest.raises(MCPFusionClientError):
        await client.list_tools()
    session.fault = None

    assert await client.list_tools() == (GROUPED, FLAT)
    assert await client.list_tools() == (GROUPED, FLAT)
    assert session.listed == 2
