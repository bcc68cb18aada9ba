"""1,000 calls in flight at once, and 10,000 in a row at a server that restarts.

python bench/scale.py [--at-once 1000] [--in-a-row 10000] [--restart-every 500]
    [--loops asyncio,trio] [--eras legacy,modern]
"""

import argparse
import resource
import sys
from functools import partial
from pathlib import Path

import anyio

sys.path.append(str(Path(__file__).parents[1]))

from tests.faults.leftovers import Holdings
from tests.faults.scale import all_at_once, one_by_one
from tests.faults.sdk import ERAS, HTTP_BACKENDS, SDK
from tests.faults.server import FaultServer


async def at_once(era: str, calls: int) -> bool:
    """Hold *calls* calls at the server, all at the same moment."""
    with FaultServer(era) as server:
        tally = await all_at_once(server, calls)
    print(
        f"  {tally.at_once} calls in flight at once: {tally.results} results "
        f"in {tally.seconds:.1f} s"
    )
    return tally.results == calls


async def in_a_row(era: str, calls: int, restart_every: int) -> bool:
    """Make *calls* calls one after the other while the server restarts."""
    before = Holdings.now()
    with FaultServer(era) as server:
        tally = await one_by_one(server, calls, restart_every)
        twice = sum(runs > 1 for runs in server.ledger.runs.values())
        openings = server.openings
    after = Holdings.now()
    print(
        f"  {calls} calls in a row, a restart every {restart_every}: "
        f"{tally.results} results, {twice} ran twice, {openings} sessions, "
        f"{tally.seconds:.1f} s ({1000 * tally.seconds / calls:.2f} ms a call)"
    )
    print(
        f"    left: {after.tasks - before.tasks:+d} tasks, "
        f"{after.descriptors - before.descriptors:+d} descriptors, "
        f"{after.objects - before.objects:+,} objects, "
        f"{(after.resident - before.resident) / 2**20:+.1f} MB resident"
    )
    return tally.results == calls and not twice


def main() -> None:
    """Run every era on every event loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", type=int, default=1000)
    parser.add_argument("--in-a-row", type=int, default=10_000)
    parser.add_argument("--restart-every", type=int, default=500)
    parser.add_argument("--loops", default=",".join(HTTP_BACKENDS))
    parser.add_argument("--eras", default=",".join(ERAS))
    arguments = parser.parse_args()
    # A call in flight is a socket here and another one at the server.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    fine = True
    for loop in arguments.loops.split(","):
        for era in arguments.eras.split(","):
            print(f"mcp {SDK}.x, {era} era, {loop}")
            burst = partial(at_once, era, arguments.at_once)
            fine &= anyio.run(burst, backend=loop)
            row = partial(in_a_row, era, arguments.in_a_row, arguments.restart_every)
            fine &= anyio.run(row, backend=loop)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
