"""``mcpfusion codegen``: write a typed router, or check the one there is."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

import attrs
import click

from mcpfusion_client.cli.connecting import connected, run
from mcpfusion_client.cli.exits import TOOL_FAILED
from mcpfusion_client.cli.server_configs import servers_in
from mcpfusion_client.cli.targets import Target, TargetOptions, target_options
from mcpfusion_client.cli.wording import unreadable
from mcpfusion_client.codegen import (
    Change,
    Contract,
    Grade,
    MissingGeneratorError,
    NoContractError,
    Options,
    at_least,
    checked,
    diff,
    generate,
    read_contract,
    worst,
)
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object
from mcpfusion_client.model.text import one_line

_COLOURS: Final[Mapping[Grade, str]] = {
    Grade.BREAKING: "red",
    Grade.RISKY: "yellow",
    Grade.SAFE: "green",
}


@click.command(
    context_settings={"ignore_unknown_options": False, "allow_interspersed_args": True}
)
@click.argument("target", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The module to write; without it, standard output.",
)
@click.option(
    "--check",
    "router",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare this generated module with the server; write nothing.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["breaking", "risky", "safe"]),
    default="safe",
    show_default=True,
    help="With --check: the least change that counts as a difference.",
)
@click.option("--name", default="AppRouter", show_default=True, help="The class.")
@click.option(
    "--discriminator",
    default="action",
    show_default=True,
    help="The argument of a grouped tool that chooses its action.",
)
@click.option(
    "--flat-names",
    is_flag=True,
    help="Keep billing_get_invoice one name; do not make it billing.get_invoice.",
)
@target_options
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(
    *,
    target: tuple[str, ...],
    output: Path | None,
    router: Path | None,
    fail_on: str,
    name: str,
    discriminator: str,
    flat_names: bool,
    where: TargetOptions,
    as_json: bool,
) -> int:
    """Write a typed router for the tools of TARGET.

    TARGET is a URL, a server's name in the JSON file that --config names, a command
    that starts a server (several words after --, or one quoted word), or a file with
    a saved tools/list result, as mcpfusion tools --json prints it; - is standard
    input. With --stdio there is no TARGET.

    With --check the exit status is 1 when the server has changed.
    """
    listed, dropped = checked(_tools(target, where, as_json=as_json))
    if router is not None:
        if output is not None:
            _refuse("--check writes nothing: leave out --output")
        return _check(router, listed, Grade[fail_on.upper()], as_json=as_json)
    options = Options(
        name=_class_name(name), discriminator=discriminator, split_flat=not flat_names
    )
    return _write(listed, dropped, options, output, as_json=as_json)


def _write(
    tools: Sequence[JsonObject],
    dropped: Sequence[str],
    options: Options,
    output: Path | None,
    *,
    as_json: bool,
) -> int:
    try:
        generated = generate(tools, options)
    except MissingGeneratorError as error:
        _refuse(str(error))
    warnings = [one_line(warning, 400) for warning in (*dropped, *generated.warnings)]
    if output is not None:
        output.write_text(generated.source, encoding="utf-8", newline="\n")
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)
    if as_json:
        made = {"source": generated.source} if output is None else {}
        where = None if output is None else str(output)
        report = {"output": where, "tools": len(tools), "warnings": warnings, **made}
        click.echo(json.dumps(report))
    elif output is None:
        click.echo(generated.source, nl=False)
    else:
        click.echo(f"{output}: {_count(len(tools), 'tool')}")
    return 0


def _check(
    router: Path, tools: Sequence[JsonObject], limit: Grade, *, as_json: bool
) -> int:
    try:
        contract = read_contract(router.read_text(encoding="utf-8"))
        changes = diff(contract, tools)
    except (NoContractError, UnicodeDecodeError) as error:
        _refuse(f"{router}: {error}")
    failed = any(at_least(change.grade, limit) for change in changes)
    if as_json:
        click.echo(json.dumps(_report(changes, failed=failed)))
    else:
        _show(router, contract, changes)
    return TOOL_FAILED if failed else 0


def _report(changes: Sequence[Change], *, failed: bool) -> JsonObject:
    return {
        "up_to_date": not changes,
        "failed": failed,
        "grade": worst(changes),
        "changes": [attrs.asdict(change) for change in changes],
    }


def _show(router: Path, contract: Contract, changes: Sequence[Change]) -> None:
    for change in changes:
        grade = click.style(f"{change.grade:<8}", fg=_COLOURS[change.grade])
        told = f"{change.action}: {change.place} {change.change}"
        if change.before is not None or change.after is not None:
            told += f" ({change.before or 'nothing'} -> {change.after or 'nothing'})"
        click.echo(f"{grade}  {one_line(told, 400)}")
    if not changes:
        click.echo(f"{router}: up to date, {_count(len(contract.tools), 'tool')}")
        return
    counts = [sum(change.grade is grade for change in changes) for grade in Grade]
    told = ", ".join(
        f"{count} {grade.value.lower()}"
        for grade, count in zip(Grade, counts, strict=True)
    )
    click.echo(f"{router}: {told}")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _tools(
    words: Sequence[str], where: TargetOptions, *, as_json: bool
) -> list[JsonValue]:
    """Return what the target lists."""
    document = words[0] if where.stdio is None and len(words) == 1 else None
    if document is not None and (document == "-" or _is_document(document)):
        return _saved(document)
    target = _target(words, where)

    async def listed() -> list[JsonValue]:
        async with connected(target) as (client, _):
            return list(await client.list_tools())

    return run(listed, as_json=as_json)


def _target(words: Sequence[str], where: TargetOptions) -> Target:
    """Return the server; a word that names no server is the command of one."""
    if where.stdio is None and len(words) == 1 and not where.names(words[0]):
        where, words = attrs.evolve(where, stdio=words[0]), ()
    return where.resolve_alone(words)


def _is_document(name: str) -> bool:
    """Is it a file to read, and neither a URL nor a command to run?"""
    path = Path(name)
    if path.suffix == ".json":
        return "://" not in name
    return path.is_file() and not os.access(path, os.X_OK)


def _saved(name: str) -> list[JsonValue]:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        _refuse(f"{name}: {unreadable(error)}")
    try:
        found: JsonValue = json.loads(text)
    except (ValueError, RecursionError) as error:
        _refuse(f"{name}: not JSON: {error}")
    if is_object(found) and "tools" not in found and servers_in(found) is not None:
        _refuse(f"{name}: a file of servers: use --config {name} and a server's name")
    for key in ("result", "tools"):
        if is_object(found) and key in found:
            found = found[key]
    if not is_array(found):
        _refuse(f"{name}: no tools/list result: neither a list nor an object of one")
    return found


def _class_name(name: str) -> str:
    if not name.isidentifier() or not name[0].isupper() or len(name) > _LONGEST_NAME:
        _refuse(f"--name {name!r}: a short CapWords name of a class, please")
    return name


_LONGEST_NAME: Final = 40


def _refuse(why: str) -> NoReturn:
    raise click.ClickException(one_line(why, 400))
