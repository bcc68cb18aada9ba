"""A failed call on one screen: what failed, what to do now, what was tried."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.schemas import arguments_of, kind_of
from mcpfusion_client.cli.showing import json_view
from mcpfusion_client.cli.wording import (
    code_or_category,
    decision,
    execution,
    failure,
    message_of,
    next_step,
)
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import (
    Attempt,
    ErrorInfo,
    FieldError,
    NextStep,
    SideEffects,
    ToolInfo,
)
from mcpfusion_client.model.text import one_line

_MAX_MESSAGE: Final = 1000
_MAX_FACT: Final = 300
_MAX_FIELDS: Final = 10
_MAX_ACTIONS: Final = 12
_MAX_DETAIL_LINES: Final = 12


def failure_panel(
    error: MCPFusionClientError, tool: ToolInfo | None, server_lines: Sequence[str]
) -> Panel:
    """Return everything about *error* that helps a person.

    Args:
        error: What the call failed with.
        tool: The tool as it is listed, None when it is not.
        server_lines: The end of the server's standard error, cleaned, for a
            connection that was lost.
    """
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in _facts(error, tool):
        grid.add_row(Text(name), value)
    for line in server_lines:
        grid.add_row(Text("server"), Text(line))
    title = f"{error.category.value}: {one_line(error.tool or 'the call', 60)} failed"
    return Panel(grid, title=Text(title), title_align="left", border_style="red")


def _takes(tool: ToolInfo) -> Text:
    arguments = arguments_of(tool.input_schema).values()
    lines = [
        Text(
            f"{one_line(each.name, 60)}{'' if each.required else '?'}  {kind_of(each)}"
        )
        for each in arguments
    ]
    return Text("\n").join(lines[:_MAX_FIELDS]) if lines else Text("no arguments")


def _facts(
    error: MCPFusionClientError, tool: ToolInfo | None
) -> Iterator[tuple[str, RenderableType]]:
    info = error.info
    yield "message", Text(one_line(message_of(info), _MAX_MESSAGE) or "(none)")
    yield "category", Text(_category(info))
    for name, value in _optional(info):
        if value:
            yield name, Text(one_line(value, _MAX_FACT))
    if info.fields:
        yield "fields", _fields(info.fields)
    if info.next_step is NextStep.FIX_ARGUMENTS and tool is not None:
        yield "it takes", _takes(tool)
    if info.available_actions:
        yield "actions", Text(_listed(info.available_actions))
    if info.details:
        yield "details", _details(info)
    yield "did it run?", Text(_ran(info))
    yield "next step", Text(next_step(info.next_step), style="bold")
    yield "tried", _tried(error)


def _optional(info: ErrorInfo) -> Iterator[tuple[str, str]]:
    yield "code", info.code or ""
    if info.http is not None and info.http.status is not None:
        yield "HTTP status", str(info.http.status)
    if info.retry_after is not None:
        yield "wait", f"{info.retry_after:g} s, says the server"
    yield "recovery", info.recovery or ""
    yield "action", info.action or ""


def _category(info: ErrorInfo) -> str:
    name = info.category.value
    if info.category_detail:
        name = f"{name} ({one_line(info.category_detail, 60)})"
    said = "says the server" if "category" in info.stated else "inferred"
    return f"{name}, {said}"


def _fields(fields: Sequence[FieldError]) -> RenderableType:
    lines: list[RenderableType] = []
    for field in fields[:_MAX_FIELDS]:
        line = Text(one_line(field.name, 80), style="bold")
        line.append(f": {one_line(field.message, _MAX_FACT)}", style="not bold")
        for word, value in (("sent", field.sent), ("expected", field.expected)):
            if value and value not in field.message:
                line.append(f"; {word}: {one_line(value, 120)}", style="not bold")
        lines.append(line)
    return _with_rest(lines, len(fields))


def _with_rest(lines: list[RenderableType], total: int) -> Group:
    more = total - len(lines)
    return Group(*lines, *([Text(f"… and {more} more")] if more else []))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(name, 80) for name in names[:_MAX_ACTIONS])
    more = len(names) - _MAX_ACTIONS
    return f"{shown} … and {more} more" if more > 0 else shown


def _details(info: ErrorInfo) -> Text:
    lines = json_view(dict(info.details)).split("\n")
    if len(lines) <= _MAX_DETAIL_LINES:
        return Text("\n").join(lines)
    return Text("\n").join([*lines[:_MAX_DETAIL_LINES], Text("…")])


def _ran(info: ErrorInfo) -> str:
    words = execution(info.execution)
    if info.side_effects not in (None, SideEffects.UNKNOWN):
        words += f"; side effects, says the server: {info.side_effects.value}"
    return words


def _tried(error: MCPFusionClientError) -> Group:
    lines = [Text(_attempt(attempt, error.info)) for attempt in error.attempts]
    if error.stop_reason is not None:
        lines.append(Text(decision(error.stop_reason, error.category)))
    return Group(*(lines or [Text("nothing was sent")]))


def _attempt(attempt: Attempt, last: ErrorInfo) -> str:
    """Return one attempt; the message of *last* is on the screen already."""
    ended = "worked"
    if attempt.error is not None:
        same = attempt.error.message == last.message
        ended = code_or_category(last) if same else failure(attempt.error)
    line = f"attempt {attempt.number}, {attempt.duration:.2f} s: {ended}"
    if attempt.delay is not None:
        line += f"; waited {attempt.delay:.1f} s"
    return line
