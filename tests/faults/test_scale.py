"""Many calls; the full sizes (1,000 and 10,000) are ``bench/scale.py``."""

import anyio
import pytest

from mcpfusion_client import MCPFusionClient
from tests.faults.harness import LONG, fate, living_tasks, settle
from tests.faults.scale import all_at_once, one_by_one
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

pytestmark = pytest.mark.parametrize("era", ERAS)


async def test_many_calls_are_in_flight_at_once_through_one_client(era: str) -> None:
    """No connection pool of ours makes a call wait for another one."""
    before = living_tasks()
    with FaultServer(era) as server, anyio.fail_after(LONG):
        tally = await all_at_once(server, 150)

        assert (tally.at_once, tally.results) == (150, 150)
        await server.until(lambda: not server.wires)
    assert await settle(before) <= 0


async def test_a_burst_through_the_default_client_gets_all_its_results(
    era: str,
) -> None:
    """With the gate and its window on, as everybody has it."""
    fates: list[str] = []

    async def call(number: int) -> None:
        fates.append(await fate(client, "ok", f"call {number}"))

    with FaultServer(era) as server, anyio.fail_after(LONG):
        async with (
            MCPFusionClient(server.url, timeout=LONG) as client,
            anyio.create_task_group() as group,
        ):
            for number in range(200):
                group.start_soon(call, number)

    assert fates == ["survives"] * 200


async def test_a_server_that_restarts_again_and_again_costs_no_result(
    era: str,
) -> None:
    """Writes included: each one ran once and was reported."""
    with FaultServer(era) as server, anyio.fail_after(LONG):
        tally = await one_by_one(server, 120, restart_every=20)

    assert tally.results == 120
    assert set(server.ledger.runs.values()) == {1}
