"""Random faults, a ledger of what really happened, and nothing left over.

The full size (2,000 calls from 50 tasks) is ``bench/chaos.py``; this is the same
run, smaller.
"""

import logging
import sys

import anyio
import pytest

from tests.faults.chaos import ChaosProxy, Report, run
from tests.faults.harness import GUARD
from tests.faults.leftovers import Holdings
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

SEED = 20261102
PATIENCE = 5.0
"""Seconds: no answer may meet its attempt's end on a busy machine."""


async def _chaos(era: str, seed: int) -> tuple[Report, list[str]]:
    with FaultServer(era) as server, ChaosProxy(server, seed=seed) as proxy:
        with anyio.fail_after(2 * GUARD):
            report = await run(proxy.url, calls=300, tasks=25, patience=PATIENCE)
        await proxy.until(lambda: not proxy.wires)
        assert sum(proxy.injected.values()) > 50
        return report, report.violations(server, proxy)


@pytest.mark.parametrize("era", ERAS)
async def test_no_call_is_lost_in_chaos(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A result or a typed error for each, and every one of them is the truth.

    What the callers are told is not told on standard error as well.
    """
    report, violations = await _chaos(era, SEED)

    assert violations == []
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []
    assert len(report.outcomes) == 300
    assert report.count()["result"] > 100


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("era", ERAS[-1:])
async def test_nothing_is_left_over_after_chaos(era: str) -> None:
    """The second run starts with what the first one started with."""
    await _chaos(era, SEED + 1)
    before = Holdings.now()
    await _chaos(era, SEED + 2)
    after = Holdings.now()

    assert after.tasks <= before.tasks
    assert after.descriptors <= before.descriptors
    assert after.objects - before.objects < 5_000
