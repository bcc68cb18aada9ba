"""``mcpfusion tools``: what a server offers."""

import fnmatch
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs
import click
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.connecting import connected, run
from mcpfusion_client.cli.console import console, untrusted
from mcpfusion_client.cli.decode_jsonl import as_json as json_text
from mcpfusion_client.cli.schemas import Argument, arguments_of, kind_of
from mcpfusion_client.cli.showing import json_view
from mcpfusion_client.cli.targets import Target, takes_target
from mcpfusion_client.cli.wording import effects
from mcpfusion_client.codegen.listing import wire_tool
from mcpfusion_client.model import JsonObject, ToolInfo
from mcpfusion_client.model.text import one_line
from mcpfusion_client.retry.safety import resolve

_KIND_WIDTH: Final = 40


@click.command()
@takes_target("[TOOL]...")
@click.option("--schema", is_flag=True, help="Show the JSON schemas too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    *, target: Target, words: tuple[str, ...], schema: bool, as_json: bool
) -> int:
    """List the tools of TARGET: what each does, what a call would do, its arguments.

    TOOL limits the list to a tool, or to those a pattern such as 'billing*' fits.
    The JSON is a tools/list result, which mcpfusion codegen reads, with the effects
    of each tool added.
    """

    async def listed() -> tuple[ToolInfo, ...]:
        async with connected(target) as (client, _):
            return await client.list_tools()

    everything = run(listed, as_json=as_json)
    tools = [tool for tool in everything if _is_wanted(tool.name, words)]
    if words and not tools:
        msg = (
            f"no tool fits {' '.join(words)!r}; {target.label} has {_names(everything)}"
        )
        raise click.ClickException(one_line(msg, 600))
    if as_json:
        click.echo(json_text({"tools": [_plain(tool) for tool in tools]}, indent=2))
    else:
        _show(tools, console(), schema=schema)
    return 0


def _is_wanted(name: str, words: Sequence[str]) -> bool:
    return not words or any(fnmatch.fnmatchcase(name, word) for word in words)


def _names(tools: Sequence[ToolInfo]) -> str:
    return ", ".join(one_line(tool.name, 60) for tool in tools) or "no tools"


def _plain(tool: ToolInfo) -> JsonObject:
    wire = {key: value for key, value in wire_tool(tool).items() if value is not None}
    return {**wire, "effects": attrs.asdict(resolve(tool))}


def _show(tools: Sequence[ToolInfo], screen: Console, *, schema: bool) -> None:
    if not tools:
        screen.print(Text("no tools"))
    for number, tool in enumerate(tools):
        if number:
            screen.print()
        screen.print(Group(*_tool(tool, schema=schema)))


def _tool(tool: ToolInfo, *, schema: bool) -> Iterator[RenderableType]:
    head = Text(one_line(tool.name, 120), style="bold cyan")
    head.append(f"  {effects(resolve(tool))}", style="not bold dim default")
    yield head
    if tool.description:
        yield _indented(untrusted(tool.description.strip()))
    arguments = arguments_of(tool.input_schema)
    if arguments:
        yield _indented(_arguments(arguments.values()))
    if schema:
        yield _indented(json_view(dict(tool.input_schema)))
        if tool.output_schema is not None:
            yield Padding(
                Text("answers with:", style="dim"), (0, 0, 0, 2), expand=False
            )
            yield Padding(
                json_view(dict(tool.output_schema)), (0, 0, 0, 2), expand=False
            )


def _indented(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 2), expand=False)


def _arguments(arguments: Iterable[Argument]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="green", no_wrap=True)
    table.add_column(no_wrap=True, max_width=_KIND_WIDTH)
    table.add_column(overflow="fold")
    for argument in arguments:
        name = one_line(argument.name, 60) + ("" if argument.required else "?")
        table.add_row(
            Text(name),
            Text(kind_of(argument)),
            Text(one_line(argument.description, 400)),
        )
    return table
