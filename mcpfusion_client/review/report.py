"""From failures to scores: one for each failure, each tool and all of them."""

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from mcpfusion_client.review.failure import Failure
from mcpfusion_client.review.rules import RULES, Kind, Rule
from mcpfusion_client.review.verdict import Note, Verdict

_MAX_EXAMPLES = 3
_FULL = 100.0


@attrs.frozen
class Finding:
    """What one rule says about one failure."""

    rule: Rule
    note: Note


@attrs.frozen(kw_only=True)
class Reviewed:
    """One failure after its review.

    Attributes:
        failure: The failure.
        findings: One for every rule that applies, in the order of the table.
        score: From 0 to 100.
    """

    failure: Failure
    findings: tuple[Finding, ...]
    score: float

    @property
    def problems(self) -> tuple[Finding, ...]:
        """The findings that are not good."""
        return tuple(
            found for found in self.findings if found.note.verdict is not Verdict.GOOD
        )


@attrs.frozen(kw_only=True)
class ToolReport:
    """The failures of one tool.

    Attributes:
        tool: Untrusted, but printable.
        failures: How many.
        score: The mean of theirs, from 0 to 100.
        verdicts: By rule id: how many failures got which verdict.
        leaks: How many failures leak something.
    """

    tool: str
    failures: int
    score: float
    verdicts: dict[str, Counter[Verdict]]
    leaks: int


@attrs.frozen(kw_only=True)
class RuleReport:
    """What one rule found over all failures.

    Attributes:
        rule: The rule.
        verdicts: How many failures got which verdict.
        lost: The points it cost, over all failures.
        examples: The first failures that do not keep it, with the note on each.
    """

    rule: Rule
    verdicts: Counter[Verdict]
    lost: float
    examples: tuple[tuple[Failure, Note], ...]


@attrs.frozen(kw_only=True)
class Report:
    """A whole review.

    Attributes:
        score: The mean of all failures, from 0 to 100; None when there are none.
        tools: The lowest score first.
        rules: The costliest first; only those that found a problem.
        failures: In the order of the input.
    """

    score: float | None
    tools: tuple[ToolReport, ...]
    rules: tuple[RuleReport, ...]
    failures: tuple[Reviewed, ...]


def review(failures: Iterable[Failure]) -> Report:
    """Return what every rule says about *failures*."""
    reviewed = tuple(_reviewed(failure) for failure in failures)
    by_tool: dict[str, list[Reviewed]] = {}
    for one in reviewed:
        by_tool.setdefault(one.failure.tool, []).append(one)
    tools = [_tool_report(tool, group) for tool, group in by_tool.items()]
    rules = [_rule_report(rule, reviewed) for rule in RULES]
    return Report(
        score=_mean(reviewed) if reviewed else None,
        tools=tuple(sorted(tools, key=lambda one: (one.score, one.tool))),
        rules=tuple(
            sorted(
                (one for one in rules if one.examples),
                key=lambda one: (not one.rule.fatal, -one.lost),
            )
        ),
        failures=reviewed,
    )


def _reviewed(failure: Failure) -> Reviewed:
    notes = ((rule, rule.check(failure)) for rule in RULES)
    findings = tuple(Finding(rule, note) for rule, note in notes if note is not None)
    return Reviewed(failure=failure, findings=findings, score=_score(findings))


def _score(findings: Sequence[Finding]) -> float:
    if any(found.rule.fatal for found in findings if _is_bad(found)):
        return 0.0
    reachable = sum(found.rule.points for found in findings)
    earned = sum(found.rule.points * found.note.verdict.credit for found in findings)
    return _FULL * earned / reachable


def _is_bad(found: Finding) -> bool:
    return found.note.verdict is Verdict.BAD


def _mean(reviewed: Sequence[Reviewed]) -> float:
    return sum(one.score for one in reviewed) / len(reviewed)


def _tool_report(tool: str, reviewed: Sequence[Reviewed]) -> ToolReport:
    verdicts: dict[str, Counter[Verdict]] = {}
    for one in reviewed:
        for found in one.findings:
            counts = verdicts.setdefault(found.rule.id, Counter[Verdict]())
            counts[found.note.verdict] += 1
    leaks = sum(
        any(found.rule.kind is Kind.LEAK for found in one.findings) for one in reviewed
    )
    return ToolReport(
        tool=tool,
        failures=len(reviewed),
        score=_mean(reviewed),
        verdicts=verdicts,
        leaks=leaks,
    )


def _rule_report(rule: Rule, reviewed: Sequence[Reviewed]) -> RuleReport:
    notes = [
        (one.failure, found.note)
        for one in reviewed
        for found in one.findings
        if found.rule is rule
    ]
    problems = [pair for pair in notes if pair[1].verdict is not Verdict.GOOD]
    return RuleReport(
        rule=rule,
        verdicts=Counter(note.verdict for _, note in notes),
        lost=sum(rule.points * (1 - note.verdict.credit) for _, note in problems),
        examples=tuple(problems[:_MAX_EXAMPLES]),
    )
