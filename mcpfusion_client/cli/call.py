"""``mcpfusion call``: one call, and everything that happens to it."""

from typing import Final

import attrs
import click

from mcpfusion_client.cli.arguments import (
    Word,
    fill,
    read_object,
    read_words,
    unlisted,
)
from mcpfusion_client.cli.connecting import SideOutput, connected, run
from mcpfusion_client.cli.console import console
from mcpfusion_client.cli.decode_jsonl import as_json as json_text
from mcpfusion_client.cli.exits import TOOL_FAILED, InterruptedCallError, exit_status
from mcpfusion_client.cli.failure_panel import failure_panel
from mcpfusion_client.cli.json_form import beside_json, exception_json
from mcpfusion_client.cli.lookup import find_tool
from mcpfusion_client.cli.policies import policy_options
from mcpfusion_client.cli.showing import advice, result_view
from mcpfusion_client.cli.status import CallStatus
from mcpfusion_client.cli.targets import Target, takes_target
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.clock import SystemClock
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import (
    Attempt,
    ErrorCode,
    JsonObject,
    JsonValue,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.model.text import one_line
from mcpfusion_client.retry import RetryPolicy

_SERVER_LINES: Final = 3


@attrs.frozen(kw_only=True)
class _Wanted:
    """What was typed: a call of a tool."""

    tool: str
    base: JsonObject
    words: list[Word]


@attrs.frozen(kw_only=True)
class _Failure:
    """A call that failed, and what the server left behind."""

    error: MCPFusionClientError
    tool: ToolInfo | None
    server_lines: tuple[str, ...]


@click.command()
@takes_target("TOOL [KEY=VALUE]...")
@click.option(
    "--args",
    "base",
    metavar="JSON|@FILE|-",
    help="The arguments as a JSON object; KEY=VALUE is put over them.",
)
@policy_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    *,
    target: Target,
    words: tuple[str, ...],
    base: str | None,
    policy: RetryPolicy,
    as_json: bool,
) -> int:
    """Call TOOL of TARGET, and say what happens: attempts, waits, progress.

    TOOL is a name that mcpfusion tools lists, or a dotted action such as
    billing.get_invoice. The tool's schema says what a VALUE is: text, a number, true
    or false, JSON; an array takes its KEY several times. KEY:=JSON is always JSON.

    The result goes to standard output, everything else to standard error. What looks
    like a secret is not shown; --json prints what came as it came.
    """
    if not words:
        msg = "TOOL is missing; mcpfusion tools lists them"
        raise click.UsageError(msg)
    wanted = _Wanted(
        tool=words[0],
        base={} if base is None else read_object(base),
        words=read_words(words[1:]),
    )
    status = CallStatus(
        console(stderr=True),
        SystemClock(),
        tool=wanted.tool,
        max_attempts=policy.max_attempts,
        quiet=as_json,
    )

    async def called() -> ToolResult | _Failure:
        with status.shown():
            async with connected(
                target,
                retry=policy,
                observers=[status],
                middleware=[status.attempt],
                detect_disguised=True,
                asked=status.asked,
            ) as (client, output):
                return await _call(client, wanted, policy, status, output)

    try:
        ended = run(called, as_json=as_json)
    except KeyboardInterrupt:
        if not status.may_have_run:
            raise
        raise InterruptedCallError(wanted.tool) from None
    if isinstance(ended, _Failure):
        return _show_failure(ended, as_json=as_json)
    _show_result(ended, as_json=as_json)
    return 0


async def _call(
    client: MCPFusionClient,
    wanted: _Wanted,
    policy: RetryPolicy,
    status: CallStatus,
    output: SideOutput,
) -> ToolResult | _Failure:
    tool = await find_tool(client, wanted.tool)
    schema: JsonObject = {} if tool is None else tool.input_schema
    arguments = fill(wanted.base, wanted.words, schema)
    for line in unlisted(arguments, schema):
        status.warn(line)
    try:
        return await client.execute(
            wanted.tool,
            arguments,
            deadline=policy.deadline,
            progress=status.progress,
        )
    except MCPFusionClientError as error:
        lost = error.code == ErrorCode.CONNECTION_LOST
        lines = output.last_lines()[-_SERVER_LINES:] if lost else ()
        return _Failure(error=error, tool=tool, server_lines=lines)
    except (TypeError, ValueError) as error:
        raise click.ClickException(one_line(str(error), 400)) from error


def _show_result(result: ToolResult, *, as_json: bool) -> None:
    if as_json:
        click.echo(json_text(_plain(result), indent=2))
        return
    console().print(result_view(result), soft_wrap=True)
    errors = console(stderr=True)
    for line in advice(result):
        errors.print(line, soft_wrap=True)


def _show_failure(failure: _Failure, *, as_json: bool) -> int:
    error = failure.error
    if as_json:
        plain = {
            "ok": False,
            "tool": error.tool,
            "error": exception_json(error),
            "stop_reason": error.stop_reason,
            "attempts": [_attempt(attempt) for attempt in error.attempts],
            "result": error.raw,
        }
        click.echo(json_text(plain, indent=2))
    else:
        panel = failure_panel(error, failure.tool, failure.server_lines)
        console(stderr=True).print(panel)
    known = exit_status(error)
    return TOOL_FAILED if known is None else known


def _plain(result: ToolResult) -> JsonObject:
    return {
        "ok": True,
        "content": [dict(block) for block in result.content],
        "structured_content": result.structured_content,
        **beside_json(result),
        "stop_reason": result.stop_reason,
        "attempts": [_attempt(attempt) for attempt in result.attempts],
    }


def _attempt(attempt: Attempt) -> dict[str, JsonValue]:
    error = attempt.error
    return {
        "number": attempt.number,
        "duration": attempt.duration,
        "code": None if error is None else error.code,
        "category": None if error is None else error.category.value,
        "delay": attempt.delay,
        "reason": attempt.reason,
    }
