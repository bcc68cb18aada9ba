"""Print a review as Markdown, for a pull request or a ticket.

What a server wrote stands only in code spans: no link, mention or mark of it works.
"""

from collections.abc import Iterator, Sequence

from mcpfusion_client.cli.review_report import (
    CHECKLIST,
    examples,
    problems,
    shares,
    summary,
)
from mcpfusion_client.model.text import one_line
from mcpfusion_client.review import Report, Reviewed, Verdict, draft

_MAX_DRAFTS = 10
_MAX_LINE = 300


def as_markdown(report: Report, *, results: int) -> str:
    """Return *report* as Markdown.

    Args:
        report: The review.
        results: How many results were read.
    """
    return "\n".join(_lines(report, results))


def _lines(report: Report, results: int) -> Iterator[str]:
    yield "# Error review"
    yield ""
    yield summary(report, results=results)
    if report.score is None:
        return
    yield from ("", "## Tools", "")
    yield from _table(
        ("tool", "failures", "score", *(f"{name}, %" for name in CHECKLIST), "leaks"),
        [
            (
                _code(tool.tool),
                str(tool.failures),
                f"{tool.score:.0f}",
                *shares(tool),
                str(tool.leaks or "-"),
            )
            for tool in report.tools
        ],
    )
    if report.rules:
        yield from ("", "## What to improve, the most points first", "")
        yield from _table(
            ("rule", "problems", "why it matters", "what to do", "where"),
            [
                (
                    one.rule.id,
                    problems(one),
                    one.rule.why,
                    one.rule.fix,
                    _code(examples(one)),
                )
                for one in report.rules
            ],
        )
    yield from _drafts(report)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _row(headings)
    yield _row(["---"] * len(headings))
    for row in rows:
        yield _row(row)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """Return untrusted *text* in a code span that it cannot leave."""
    return f"`{_tame(text)}`" if text else ""


def _tame(text: str) -> str:
    return text.replace("`", "'").replace("|", "\\|").strip()


def _drafts(report: Report) -> Iterator[str]:
    """Yield a draft of what each tool's worst failure should say."""
    worst: dict[str, Reviewed] = {}
    for one in sorted(report.failures, key=lambda one: one.score):
        if any(found.note.verdict is not Verdict.GOOD for found in one.findings):
            worst.setdefault(one.failure.tool, one)
    if not worst:
        return
    yield from ("", "## Drafts", "")
    yield "The worst failure of each tool in the six-line form. What it does not say is"
    yield "marked with ???: fill in what is true, and nothing else."
    for tool, one in list(worst.items())[:_MAX_DRAFTS]:
        yield from ("", f"{_code(tool)}, line {one.failure.line}:", "", "```text")
        for label, value in draft(one.failure):
            yield f"{label}: {one_line(value, _MAX_LINE).replace('`', chr(39))}"
        yield "```"
