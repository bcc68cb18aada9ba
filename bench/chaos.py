"""2,000 calls from 50 tasks through a proxy that spoils a third of what passes.

A ledger on the server and one on the proxy say what really happened; a call that
is lost, a lie about a call, or a write that ran twice ends the script with status
1. Then the same again, to see what a run leaves behind.

    python bench/chaos.py [--calls 2000] [--tasks 50] [--seed 1] [--rounds 3]
        [--loops asyncio,trio] [--eras legacy,modern] [--patience 10]

The patience is the timeout of an attempt, in seconds: an answer that a busy machine
hands over after it counts as lost.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

import anyio

sys.path.append(str(Path(__file__).parents[1]))

from tests.faults.chaos import ChaosProxy, run
from tests.faults.leftovers import Holdings
from tests.faults.sdk import ERAS, HTTP_BACKENDS, SDK
from tests.faults.server import FaultServer


async def one_round(era: str, arguments: argparse.Namespace, seed: int) -> list[str]:
    """Run once, print the figures, return what was wrong."""
    with FaultServer(era) as server, ChaosProxy(server, seed=seed) as proxy:
        report = await run(
            proxy.url,
            calls=arguments.calls,
            tasks=arguments.tasks,
            patience=arguments.patience,
        )
        await proxy.until(lambda: not proxy.wires)
        violations = report.violations(server, proxy)
        writes = [
            runs for tag, runs in server.ledger.runs.items() if tag.startswith("write")
        ]
        print(
            f"  seed {seed}: {len(report.outcomes)} calls in {report.seconds:.1f} s, "
            f"{sum(proxy.injected.values())} faults of {len(proxy.injected)} kinds, "
            f"{sum(server.ledger.runs.values())} executions, {server.openings} sessions"
        )
        print(f"    {dict(report.count().most_common())}")
        print(
            f"    violations {len(violations)}, "
            f"writes that ran {len(writes)}, at most {max(writes)} time(s) each"
        )
    return violations


async def rounds(era: str, arguments: argparse.Namespace) -> list[str]:
    """Run several rounds and print what each leaves behind."""
    wrong: list[str] = []
    for number in range(arguments.rounds):
        wrong += await one_round(era, arguments, arguments.seed + number)
        held = Holdings.now()
        print(
            f"    left: {held.tasks} tasks, {held.descriptors} descriptors, "
            f"{held.objects:,} objects, {held.resident / 2**20:.1f} MB resident"
        )
    return wrong


def main() -> None:
    """Run every era on every event loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--tasks", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=10.0)
    parser.add_argument("--loops", default=",".join(HTTP_BACKENDS))
    parser.add_argument("--eras", default=",".join(ERAS))
    arguments = parser.parse_args()
    wrong: list[str] = []
    for loop in arguments.loops.split(","):
        for era in arguments.eras.split(","):
            print(f"mcp {SDK}.x, {era} era, {loop}")
            wrong += anyio.run(partial(rounds, era, arguments), backend=loop)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
