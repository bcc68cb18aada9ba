"""``mcpfusion review``: how well do a server's recorded errors serve an agent?"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, TextIO

import attrs
import click

from mcpfusion_client.cli.exits import TOOL_FAILED, USAGE
from mcpfusion_client.cli.parameters import Number
from mcpfusion_client.cli.review_markdown import as_markdown
from mcpfusion_client.cli.review_report import as_json, show
from mcpfusion_client.decode import Decoder
from mcpfusion_client.decode.safe_json import prefix as parse_prefix
from mcpfusion_client.review import RULES, Failure, Report, failure_of, review

_HIGHEST: Final = 100


@attrs.define
class Counts:
    """What was read.

    Attributes:
        results: Lines that hold a result.
        not_json: The numbers of the lines that are not JSON, counted from 1.
    """

    results: int = 0
    not_json: list[int] = attrs.field(factory=list[int])


@click.command()
@click.argument(
    "file", type=click.File(encoding="utf-8", errors="replace"), required=False
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="How to print the report.",
)
@click.option("--json", "as_json_too", is_flag=True, help="The same as --format json.")
@click.option(
    "--fail-under",
    type=Number(0, _HIGHEST),
    metavar="SCORE",
    help="Exit with status 1 when a tool scores less (0 to 100).",
)
@click.option("--rules", "list_rules", is_flag=True, help="List the rules; read none.")
def command(
    *,
    file: TextIO | None,
    form: str,
    as_json_too: bool,
    fail_under: float | None,
    list_rules: bool,
) -> int:
    """Review recorded failures: do they tell an agent what to do?

    FILE holds JSON lines, one result a line as for decode --jsonl; - is standard
    input. A line may also name its "tool", and hold the "arguments" it was called
    with and the tool's "annotations".

    Secrets that are found are counted and never printed.
    """
    form = "json" if as_json_too else form
    if list_rules:
        _list_rules(form)
        return 0
    if file is None:
        msg = "give a FILE of JSON lines, or - for standard input"
        raise click.UsageError(msg)
    counts = Counts()
    report = review(_failures(file, counts))
    if not counts.results and not counts.not_json:
        msg = "nothing to read: write one result a line, as for decode --jsonl"
        raise click.ClickException(msg)
    _PRINT[form](report, counts)
    return _status(report, counts, fail_under)


def _failures(file: TextIO, counts: Counts) -> Iterator[Failure]:
    now = datetime.now(UTC)
    decoder = Decoder()
    for number, line in enumerate(file, 1):
        text = line.strip()
        if not text:
            continue
        parsed, end = parse_prefix(text, 0)
        if end != len(text):
            counts.not_json.append(number)
            continue
        counts.results += 1
        failure = failure_of(parsed, line=number, now=now, decoder=decoder)
        if failure is not None:
            yield failure


def _status(report: Report, counts: Counts, fail_under: float | None) -> int:
    """Return the exit status; what is wrong is said on standard error."""
    status = 0
    low = [
        tool
        for tool in report.tools
        if fail_under is not None and tool.score < fail_under
    ]
    if low:
        status = TOOL_FAILED
        names = ", ".join(
            f"{tool.tool} ({tool.score:.0f})" for tool in low[:_MAX_NAMED]
        )
        more = f" and {len(low) - _MAX_NAMED} more" if len(low) > _MAX_NAMED else ""
        click.echo(f"mcpfusion: below {fail_under:g}: {names}{more}", err=True)
    if counts.not_json:
        status = USAGE
        lines = ", ".join(str(number) for number in counts.not_json[:_MAX_NAMED])
        click.echo(
            f"mcpfusion: left out as not JSON: {len(counts.not_json)} (line {lines})",
            err=True,
        )
    return status


_MAX_NAMED: Final = 5


def _list_rules(form: str) -> None:
    rules = [
        {
            "id": rule.id,
            "kind": rule.kind.value,
            "points": rule.points,
            "looks_for": rule.looks_for,
            "why": rule.why,
            "fix": rule.fix,
            "source": rule.source,
        }
        for rule in RULES
    ]
    if form == "json":
        click.echo(json.dumps(rules, indent=2))
        return
    for rule in RULES:
        points = f"{rule.points} point{'' if rule.points == 1 else 's'}"
        click.echo(f"{rule.id} ({rule.kind.value}, {points})")
        click.echo(f"  looks for: {rule.looks_for}")
        click.echo(f"  why: {rule.why}")
        click.echo(f"  fix: {rule.fix}")


def _print_json(report: Report, counts: Counts) -> None:
    found = as_json(report, results=counts.results, not_json=counts.not_json)
    click.echo(json.dumps(found, indent=2))


def _print_markdown(report: Report, counts: Counts) -> None:
    click.echo(as_markdown(report, results=counts.results))


def _print_table(report: Report, counts: Counts) -> None:
    show(report, results=counts.results)


_PRINT: Mapping[str, Callable[[Report, Counts], None]] = {
    "json": _print_json,
    "markdown": _print_markdown,
    "table": _print_table,
}
