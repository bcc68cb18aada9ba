"""Print a review: as tables for people, as JSON for machines."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcpfusion_client.model import ErrorInfo, JsonObject
from mcpfusion_client.model.text import one_line
from mcpfusion_client.review import (
    RULES,
    Kind,
    Report,
    Reviewed,
    RuleReport,
    ToolReport,
    Verdict,
)

# A pipe has no width of its own; narrower than this and words break.
_PIPE_WIDTH = 150
_GOOD = 80
_FAIR = 50
_MAX_CODE = 80

CHECKLIST = tuple(rule.id for rule in RULES if rule.kind is Kind.CHECKLIST)
"""The ids of the six lines every failure should have."""


def show(report: Report, *, results: int) -> None:
    """Print *report* as tables.

    Args:
        report: The review.
        results: How many results were read.
    """
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH)
    console.print(Text(summary(report, results=results)))
    if report.score is None:
        return
    console.print(_tools(report.tools))
    if report.rules:
        console.print(_rules(report.rules))


def summary(report: Report, *, results: int) -> str:
    """Return the outcome in one sentence."""
    if report.score is None:
        return f"No failure among {results} results: nothing to review."
    failures = len(report.failures)
    disguised = sum(one.failure.disguised for one in report.failures)
    sent = f", {disguised} of them sent as successes" if disguised else ""
    return (
        f"{failures} failures among {results} results{sent}. "
        f"Score: {report.score:.0f} of 100."
    )


def shares(tool: ToolReport) -> list[str]:
    """Return, for each line of the checklist, how much of it is there."""
    return [_share(tool, rule_id) for rule_id in CHECKLIST]


def problems(rule: RuleReport) -> str:
    """Return how many failures do not keep *rule*, and how badly."""
    missing, guessed = rule.verdicts[Verdict.BAD], rule.verdicts[Verdict.PARTLY]
    if rule.rule.kind in (Kind.LEAK, Kind.MISTAKE):
        return f"{missing + guessed} found"
    parts = [f"{missing} missing" * bool(missing), f"{guessed} partly" * bool(guessed)]
    told = ", ".join(part for part in parts if part)
    return f"{told} of {rule.verdicts.total()}"


def examples(rule: RuleReport) -> str:
    """Return where to look: line numbers, and what was found there."""
    return "; ".join(
        f"line {failure.line}: {note.text}" if note.text else f"line {failure.line}"
        for failure, note in rule.examples
    )


def _share(tool: ToolReport, rule_id: str) -> str:
    verdicts = tool.verdicts.get(rule_id)
    if verdicts is None:
        return "-"
    earned = sum(verdict.credit * count for verdict, count in verdicts.items())
    return f"{100 * earned / verdicts.total():.0f} %"


def _tools(tools: Sequence[ToolReport]) -> Table:
    table = Table(caption="How much of each line is there; - where none is needed.")
    table.add_column("tool", overflow="fold")
    for heading in ("failures", "score", *CHECKLIST, "leaks"):
        table.add_column(heading, justify="right")
    for tool in tools:
        table.add_row(
            Text(tool.tool),
            Text(str(tool.failures)),
            Text(f"{tool.score:.0f}", style=_style(tool.score)),
            *(Text(share) for share in shares(tool)),
            Text(str(tool.leaks or "-"), style="red" if tool.leaks else ""),
        )
    return table


def _style(score: float) -> str:
    if score >= _GOOD:
        return "green"
    return "yellow" if score >= _FAIR else "red"


def _rules(rules: Sequence[RuleReport]) -> Table:
    table = Table(title="What to improve, the most points first", title_justify="left")
    for heading in ("rule", "problems", "why it matters", "what to do", "where"):
        table.add_column(heading, overflow="fold")
    for one in rules:
        table.add_row(
            Text(one.rule.id, style="red" if one.rule.kind is Kind.LEAK else ""),
            Text(problems(one)),
            Text(one.rule.why),
            Text(one.rule.fix),
            Text(examples(one)),
        )
    return table


def as_json(report: Report, *, results: int, not_json: Sequence[int]) -> JsonObject:
    """Return *report* as JSON can hold it.

    Args:
        report: The review.
        results: How many results were read.
        not_json: The numbers of the lines that are not JSON.
    """
    return {
        "results": results,
        "not_json": list(not_json),
        "failures": len(report.failures),
        "score": _rounded(report.score),
        "tools": [_tool(tool) for tool in report.tools],
        "rules": [_rule(rule) for rule in report.rules],
        "reviewed": [_failure(one) for one in report.failures],
    }


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 1)


def _tool(tool: ToolReport) -> JsonObject:
    return {
        "tool": tool.tool,
        "failures": tool.failures,
        "score": _rounded(tool.score),
        "leaks": tool.leaks,
        "verdicts": {
            rule_id: {verdict.value: counts[verdict] for verdict in Verdict}
            for rule_id, counts in tool.verdicts.items()
        },
    }


def _rule(one: RuleReport) -> JsonObject:
    return {
        "id": one.rule.id,
        "kind": one.rule.kind.value,
        "looks_for": one.rule.looks_for,
        "why": one.rule.why,
        "fix": one.rule.fix,
        "source": one.rule.source,
        "verdicts": {verdict.value: one.verdicts[verdict] for verdict in Verdict},
        "lost_points": one.lost,
        "lines": [failure.line for failure, _ in one.examples],
    }


def _failure(one: Reviewed) -> JsonObject:
    info: ErrorInfo = one.failure.info
    return {
        "line": one.failure.line,
        "tool": one.failure.tool,
        "score": _rounded(one.score),
        "sent_as_success": one.failure.disguised,
        "category": info.category.value,
        "code": None if info.code is None else one_line(info.code, _MAX_CODE),
        "next_step": info.next_step.value,
        "problems": [
            {
                "rule": found.rule.id,
                "verdict": found.note.verdict.value,
                "note": found.note.text,
            }
            for found in one.problems
        ],
    }
