"""Play the storm simulator over a grid and keep the figures of every run.

A run takes some seconds and a complete table hundreds of runs, so each is
written down as soon as it ends, with a digest of the code that made it. What is
there already is not played again: an interrupted table goes on where it was, and
after a change of this package only its own rows are played. The simulator draws
everything from the seed, so a kept figure is the one a new run would give.

    nice python bench/storm_run.py storm.py runs.jsonl
        [--scenarios busy half_bad] [--processes 1 50 1000] [--seeds 1 2]
        [--clients 1000] [--dip 0.1] [--only mcpfusion-client reference(all)]

`bench/storm_chart.py` makes a table and a chart of the file.
"""

import argparse
import dataclasses
import hashlib
import importlib.util
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import attrs

sys.path.append(str(Path(__file__).parents[1]))

from bench.storm_policy import Policy

Figures: TypeAlias = dict[str, float | None]
"""What the simulator measured, by its name; None for a recovery that never came."""

_ROOT = Path(__file__).parents[1]

_OUTCOMES_UNKNOWN = frozenset({"timeout", "timeout_cancel", "blips"})
_REPEAT_WRITES = frozenset(
    {
        "naive_fixed_x3",
        "openai_agents_mcp_x3",
        "tenacity_random_exp",
        "openai_sdk_style",
        "aws_standard_2026",
    }
)
"""Policies that repeat a write after a lost answer, so they cannot be the best."""


@attrs.frozen(kw_only=True)
class Run:
    """What one run of the simulator is.

    Attributes:
        policy: The name of the policy.
        scenario: The name of the scenario.
        processes: How many share the agents.
        clients: How many agents there are.
        dip: The share of the capacity that is left; of scenarios without lack
            of capacity it is ignored.
        seed: What the simulator draws from.
        code: A digest of the code that plays.
    """

    policy: str
    scenario: str
    processes: int
    clients: int
    dip: float
    seed: int
    code: str


def digest(*files: Path) -> str:
    """Return what tells one state of *files* from another."""
    seen = hashlib.sha256()
    for file in files:
        seen.update(file.read_bytes())
    return seen.hexdigest()[:12]


def kept(file: Path) -> dict[Run, Figures]:
    """Return the runs that *file* holds, with their figures."""
    if not file.exists():
        return {}
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    return {Run(**line["run"]): line["figures"] for line in lines}


def wanted(
    arguments: argparse.Namespace, policies: dict[str, type], simulator: ModuleType
) -> Iterator[Run]:
    """Yield the runs of the grid that can count."""
    package = sorted((_ROOT / "mcpfusion_client" / "retry").rglob("*.py"))
    ours = digest(*package, _ROOT / "bench" / "storm_policy.py")
    theirs = digest(Path(str(simulator.__file__)))
    for scenario, processes, seed, name in itertools.product(
        arguments.scenarios or simulator.SCENARIOS,
        arguments.processes,
        arguments.seeds,
        policies,
    ):
        if scenario in _OUTCOMES_UNKNOWN and name in _REPEAT_WRITES:
            continue
        if arguments.only and name not in arguments.only:
            continue
        yield Run(
            policy=name,
            scenario=scenario,
            processes=min(processes, arguments.clients),
            clients=arguments.clients,
            dip=arguments.dip,
            seed=seed,
            code=f"{theirs}+{ours}" if name == Policy.name else theirs,
        )


def play(run: Run, policy: type, simulator: ModuleType) -> Figures:
    """Return the figures of *run*."""
    scenario = simulator.SCENARIOS[run.scenario]
    dip = run.dip if scenario.dip < 1.0 else scenario.dip
    scenario = dataclasses.replace(
        scenario, procs=run.processes, clients=run.clients, dip=dip
    )
    figures: Figures = simulator.simulate(scenario, policy, run.seed)
    return figures


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("storm", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["storm"] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Play what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulator", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--scenarios", nargs="+")
    parser.add_argument("--processes", nargs="+", type=int, default=[1, 50, 1000])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--dip", type=float, default=0.1)
    parser.add_argument("--only", nargs="+", metavar="POLICY")
    arguments = parser.parse_args()
    simulator = _load(arguments.simulator)
    policies = {each.name: each for each in (*simulator.POLICIES, Policy)}
    known = kept(arguments.runs)
    for run in wanted(arguments, policies, simulator):
        if run in known:
            continue
        figures = play(run, policies[run.policy], simulator)
        line = json.dumps({"run": attrs.asdict(run), "figures": figures})
        with arguments.runs.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(run.scenario, run.processes, run.seed, run.policy, flush=True)


if __name__ == "__main__":
    main()
