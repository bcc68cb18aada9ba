"""A table and a chart of what the storm simulator found, for the documentation.

It reads what `bench/storm_run.py` wrote down, and holds this package's policy to
the best of the others in each scenario. Those count that never ran a write twice
there.

    python bench/storm_chart.py runs.jsonl [--svg docs/explanation/storms.svg]
"""

import argparse
import sys
from pathlib import Path

import attrs

sys.path.append(str(Path(__file__).parents[1]))

from bench.storm_policy import Policy
from bench.storm_run import Figures, Run, kept

SHARE_MARGIN = 1.0  # percentage points below the best
RECOVERY = 10.0  # seconds
AMPLIFICATION = 1.2

_LEFT, _RIGHT, _TOP, _ROW = 210, 30, 64, 22
_WIDTH = 760


@attrs.frozen(kw_only=True)
class Cell:
    """One scenario with one number of processes.

    Attributes:
        run: What was played with this package's policy.
        ours: The figures of this package's policy.
        best: The name of the best other one without a duplicate write.
        theirs: Its figures.
        others: The success shares of all the others.
    """

    run: Run
    ours: Figures
    best: str
    theirs: Figures
    others: tuple[float, ...]

    @property
    def misses(self) -> tuple[str, ...]:
        """The goals that are not reached, in a word each."""
        allowed = max(RECOVERY, _seconds(self.theirs))
        checks = {
            "share": _number(self.ours, "ok_pct")
            < _number(self.theirs, "ok_pct") - SHARE_MARGIN,
            "recovery": _seconds(self.ours) > allowed,
            "amplification": _number(self.ours, "amp_total") > AMPLIFICATION,
            "duplicates": _number(self.ours, "dup_writes") > 0,
        }
        return tuple(name for name, missed in checks.items() if missed)


def _number(figures: Figures, name: str) -> float:
    value = figures[name]
    assert value is not None
    return value


def _seconds(figures: Figures) -> float:
    """Return the time to recovery; infinite when there was none."""
    seconds = figures["recovery_s"]
    return float("inf") if seconds is None else seconds


def cells(runs: dict[Run, Figures]) -> list[Cell]:
    """Return a cell for each run of this package's policy, as it was last."""
    latest = {
        attrs.evolve(run, code=""): (run, figures)
        for run, figures in runs.items()
        if run.policy == Policy.name
    }
    found: list[Cell] = []
    for run, ours in latest.values():
        others = {
            other.policy: figures
            for other, figures in runs.items()
            if attrs.evolve(other, policy=run.policy, code=run.code) == run
            and other.policy != run.policy
        }
        clean = [name for name in others if _number(others[name], "dup_writes") == 0]
        best = max(clean, key=lambda name: _number(others[name], "ok_pct"))
        found.append(
            Cell(
                run=run,
                ours=ours,
                best=best,
                theirs=others[best],
                others=tuple(_number(each, "ok_pct") for each in others.values()),
            )
        )
    return sorted(found, key=_order)


def _order(cell: Cell) -> tuple[int, float, int, str, int]:
    run = cell.run
    return run.clients, run.dip, run.seed, run.scenario, run.processes


def table(rows: list[Cell]) -> str:
    """Return a Markdown table."""
    columns = (
        "scenario",
        "processes",
        "succeed %",
        "best other %",
        "which",
        "recovery s",
        "its recovery s",
        "amplification",
        "duplicates",
        "missed",
    )
    lines = ["| " + " | ".join(columns) + " |", "| --- " * len(columns) + "|"]
    for row in rows:
        figures = (
            row.run.scenario,
            str(row.run.processes),
            f"{_number(row.ours, 'ok_pct'):.1f}",
            f"{_number(row.theirs, 'ok_pct'):.1f}",
            row.best,
            f"{_seconds(row.ours):.0f}",
            f"{_seconds(row.theirs):.0f}",
            f"{_number(row.ours, 'amp_total'):.2f}",
            f"{_number(row.ours, 'dup_writes'):.0f}",
            ", ".join(row.misses) or "-",
        )
        lines.append("| " + " | ".join(figures) + " |")
    return "\n".join(lines)


def svg(rows: list[Cell]) -> str:
    """Return a dot plot: a row for each cell, a dot for each policy."""
    height = _TOP + _ROW * len(rows) + 40
    font = 'font-family="sans-serif" font-size="12"'
    size = f'width="{_WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        "<title>Share of calls that succeed, by policy</title>",
        f'<rect {size} fill="white"/>',
        '<text x="12" y="22" font-size="14">Calls that succeed, in percent</text>',
        *_legend(),
    ]
    bottom = _TOP + _ROW * len(rows)
    for percent in range(0, 101, 20):
        x = _x(percent)
        parts.append(
            f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{bottom}" stroke="#ddd"/>'
            f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{percent}</text>'
        )
    for number, row in enumerate(rows):
        parts += _row(row, _TOP + _ROW * number + _ROW / 2)
    return "\n".join([*parts, "</svg>", ""])


def _legend() -> list[str]:
    entries = (
        (300, "#b0b0b0", "other policies"),
        (420, "#222222", "best without a duplicate write"),
        (630, "#d9480f", "this package"),
    )
    return [
        f'<circle cx="{x}" cy="40" r="5" fill="{colour}"/>'
        f'<text x="{x + 10}" y="44">{text}</text>'
        for x, colour, text in entries
    ]


def _row(row: Cell, y: float) -> list[str]:
    label = f"{row.run.scenario}, {row.run.processes} process"
    label += "" if row.run.processes == 1 else "es"
    dots = [(share, "#b0b0b0", 3) for share in row.others]
    dots.append((_number(row.theirs, "ok_pct"), "#222222", 5))
    dots.append((_number(row.ours, "ok_pct"), "#d9480f", 5))
    return [
        f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{label}</text>',
        *(
            f'<circle cx="{_x(share)}" cy="{y}" r="{radius}" fill="{colour}" '
            'fill-opacity="0.8"/>'
            for share, colour, radius in dots
        ),
    ]


def _x(percent: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * percent / 100.0, 1)


def main() -> None:
    """Print the table, write the chart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--svg", type=Path)
    arguments = parser.parse_args()
    rows = cells(kept(arguments.runs))
    print(table(rows))
    if arguments.svg is not None:
        arguments.svg.write_text(svg(rows), "utf-8")


if __name__ == "__main__":
    main()
