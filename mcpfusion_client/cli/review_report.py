"""Print a review: as tables for people, as JSON for machines."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.console import console
from mcpfusion_client.model import ErrorInfo, JsonObject
from mcpfusion_client.model.text import one_line
from mcpfusion_client.review import (
    Kind,
    Report,
    Reviewed,
    RuleReport,
    ToolReport,
    Verdict,
)

_GOOD = 80
_FAIR = 50
_MAX_CODE = 80

CHECKLIST: Mapping[str, str] = {
    "error-type": "type",
    "what-happened": "what",
    "cause": "cause",
    "how-to-fix": "fix",
    "retry": "retry",
    "side-effects": "effects",
}
"""The six lines every failure should have: rule ids and short headings."""

_CAPTION = (
    "n failures; how much of each line is there, in %: error type, what happened, "
    "cause, how to fix, retry, side effects; - where none is needed"
)
_INDENT = 4


def show(report: Report, *, results: int) -> None:
    """Print *report* for people.

    Args:
        report: The review.
        results: How many results were read.
    """
    screen = console()
    screen.print(Text(summary(report, results=results)))
    if report.score is None:
        return
    screen.print(_tools(report.tools))
    if report.rules:
        screen.print(Text("What to improve, the most points first:", style="bold"))
    for one in report.rules:
        screen.print(_rule_lines(one))


def summary(report: Report, *, results: int) -> str:
    """Return the outcome in one sentence."""
    if report.score is None:
        return f"No failure among {results} results: nothing to review."
    failures = len(report.failures)
    disguised = sum(one.failure.disguised for one in report.failures)
    sent = f", {disguised} of them sent as successes" if disguised else ""
    return (
        f"{failures} failure{'s' * (failures != 1)} among {results} "
        f"result{'s' * (results != 1)}{sent}. Score: {report.score:.0f} of 100."
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
    return f"{100 * earned / verdicts.total():.0f}"


def _tools(tools: Sequence[ToolReport]) -> Table:
    table = Table(
        caption=_CAPTION,
        caption_justify="left",
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
    )
    table.add_column("tool", overflow="fold")
    for heading in ("n", "score", *CHECKLIST.values(), "leaks"):
        table.add_column(heading, justify="right", no_wrap=True)
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


def _rule_lines(one: RuleReport) -> RenderableType:
    name = Text(one.rule.id, style="red" if one.rule.kind is Kind.LEAK else "bold")
    rest = [f"why: {one.rule.why}", f"fix: {one.rule.fix}", f"see: {examples(one)}"]
    return Group(
        Text.assemble(name, f": {problems(one)}"),
        Padding(Text("\n".join(rest)), (0, 0, 0, _INDENT), expand=False),
    )


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
