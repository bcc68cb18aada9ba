"""``mcpfusion policy``: which failures of a tool would be retried, and why."""

from typing import Final

import attrs
import click
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.connecting import connected, run
from mcpfusion_client.cli.console import console
from mcpfusion_client.cli.decode_jsonl import as_json as json_text
from mcpfusion_client.cli.lookup import find_tool
from mcpfusion_client.cli.policies import policy_options
from mcpfusion_client.cli.targets import Target, takes_target
from mcpfusion_client.cli.wording import effects
from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    Origin,
    Severity,
)
from mcpfusion_client.model.text import one_line
from mcpfusion_client.retry import Retry, RetryPolicy, Stop
from mcpfusion_client.retry.safety import Safety, resolve

_MIDDLE: Final = 0.5
_HINT: Final = 5.0


_DEPENDING: Final = frozenset({"stated_temporary", "outcome_unknown"})
_TOLERATED: Final = {
    Safety.HARMLESS: "This tool may be called twice.",
    Safety.UNDECLARED: "Nobody says that this tool writes, so the server is believed.",
    Safety.WRITE: "The policy trusts the server about writes.",
}


@attrs.frozen(kw_only=True)
class _Case:
    """A failure to ask about.

    Attributes:
        told: What it is, for people.
        info: The same, decoded.
        answered: Did the server itself answer?
        any_category: Is it decided whatever the category is?
    """

    told: str
    info: ErrorInfo
    answered: bool = True
    any_category: bool = False

    @property
    def category(self) -> str:
        """The category it is about."""
        return "any" if self.any_category else self.info.category.value


_CATEGORY: Final = frozenset({"category"})
_FLAG: Final = frozenset({"is_retryable"})
_HINTED: Final = frozenset({"category", "retry_after"})

_BEFORE = ErrorInfo(
    message="",
    code="RATE_LIMITED",
    category=ErrorCategory.RATE_LIMITED,
    execution=Execution.NOT_EXECUTED,
)
_OUTAGE = ErrorInfo(message="", category=ErrorCategory.TRANSIENT)


def _stated(category: ErrorCategory) -> ErrorInfo:
    return ErrorInfo(message="", category=category, stated=_CATEGORY)


_CASES: Final = (
    _Case(told="refused before it ran", info=_BEFORE),
    _Case(
        told=f"refused, and asked to wait {_HINT:g} s",
        info=attrs.evolve(_BEFORE, retry_after=_HINT, stated=_HINTED),
    ),
    _Case(
        told="the server was not reached",
        info=attrs.evolve(
            _OUTAGE,
            execution=Execution.NOT_EXECUTED,
            origin=Origin.TRANSPORT,
        ),
        answered=False,
    ),
    _Case(
        told="the server says it is temporary", info=_stated(ErrorCategory.TRANSIENT)
    ),
    _Case(told="no answer in time, or none at all", info=_OUTAGE, answered=False),
    *(
        _Case(told="it answers with this category", info=_stated(category))
        for category in ErrorCategory
        if category.family is not ErrorCategory.TRANSIENT
    ),
    _Case(
        told="the server says isRetryable: true",
        any_category=True,
        info=ErrorInfo(
            message="",
            category=ErrorCategory.UNKNOWN,
            is_retryable=True,
            stated=_FLAG,
        ),
    ),
    _Case(
        told="the server says isRetryable: false",
        any_category=True,
        info=attrs.evolve(_OUTAGE, is_retryable=False, stated=_FLAG),
    ),
    _Case(
        told="its severity is critical",
        any_category=True,
        info=attrs.evolve(_OUTAGE, severity=Severity.CRITICAL),
    ),
)


@click.command()
@takes_target("TOOL")
@policy_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    *, target: Target, words: tuple[str, ...], policy: RetryPolicy, as_json: bool
) -> int:
    """Say which failures of TOOL would be retried, and why.

    Nothing is called: the server is asked for its tools, and the client's policy for
    its decision about each kind of failure.
    """
    if len(words) != 1:
        msg = "name one TOOL; mcpfusion tools lists them"
        raise click.UsageError(msg)

    async def asked() -> tuple[str, Effects]:
        async with connected(target) as (client, _):
            tool = await find_tool(client, words[0])
            return (words[0] if tool is None else tool.name), resolve(tool)

    name, does = run(asked, as_json=as_json)
    decisions = [(case, _decide(policy, case, does)) for case in _CASES]
    if as_json:
        click.echo(json_text(_plain(name, does, policy, decisions), indent=2))
    else:
        _show(name, does, policy, decisions)
    return 0


def _decide(policy: RetryPolicy, case: _Case, does: Effects) -> Retry | Stop:
    return policy.decide(
        case.info,
        does,
        attempt=1,
        elapsed=0.0,
        jitter=_MIDDLE,
        answered=case.answered,
    )


def _show(
    name: str,
    does: Effects,
    policy: RetryPolicy,
    decisions: list[tuple[_Case, Retry | Stop]],
) -> None:
    screen = console()
    head = Text(one_line(name, 120), style="bold cyan")
    head.append(f"  {effects(does)}; counts as {policy.safety(does).value}", "default")
    screen.print(head)
    screen.print(Text(policy.describe()))
    table = Table("category", "failure", "retried?", "why")
    for (told, verdict, why), categories in _grouped(policy, does, decisions).items():
        style = "red" if verdict == "no" else "green"
        table.add_row(
            Text(", ".join(dict.fromkeys(categories))),
            Text(told),
            Text(verdict, style=style),
            Text(why),
        )
    screen.print(table)


def _grouped(
    policy: RetryPolicy, does: Effects, decisions: list[tuple[_Case, Retry | Stop]]
) -> dict[tuple[str, str, str], list[str]]:
    """Return the categories by what is decided about them, in order."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for case, outcome in decisions:
        verdict = "no"
        if isinstance(outcome, Retry):
            verdict = f"yes, after about {outcome.delay:.1f} s"
        row = case.told, verdict, _why(policy.safety(does), outcome)
        rows.setdefault(row, []).append(case.category)
    return rows


def _why(safety: Safety, outcome: Retry | Stop) -> str:
    """Return the reason of the decision table, and what the tool has to do with it."""
    if isinstance(outcome, Retry) and outcome.reason in _DEPENDING:
        return f"{outcome.why} {_TOLERATED[safety]}"
    return outcome.why


def _plain(
    name: str,
    does: Effects,
    policy: RetryPolicy,
    decisions: list[tuple[_Case, Retry | Stop]],
) -> dict[str, object]:
    return {
        "tool": name,
        "effects": attrs.asdict(does),
        "safety": policy.safety(does).value,
        "policy": policy.describe(),
        "decisions": [
            {
                "category": case.info.category.value,
                "failure": case.told,
                "retried": isinstance(outcome, Retry),
                "delay": outcome.delay if isinstance(outcome, Retry) else None,
                "reason": str(outcome.reason),
                "why": outcome.why,
            }
            for case, outcome in decisions
        ],
    }
