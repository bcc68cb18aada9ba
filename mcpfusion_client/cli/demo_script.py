"""What ``mcpfusion demo`` calls, and what it makes of the answers. No output here."""

from collections.abc import AsyncIterator, Iterable, Sequence

import attrs

from mcpfusion_client.cli.wording import decision, next_step, waits
from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.model import (
    ErrorInfo,
    JsonObject,
    JsonValue,
    StopReason,
    ToolResult,
)
from mcpfusion_client.model.text import one_line

# Long enough for an in-process answer, short enough for somebody who watches.
_ATTEMPT_TIMEOUT = 1.0
_MAX_SAID = 120


@attrs.frozen(kw_only=True)
class Step:
    """One thing to show.

    Attributes:
        title: What it is, for people.
        action: What is called.
        arguments: With what.
    """

    title: str
    action: str
    arguments: JsonObject = attrs.field(factory=dict[str, JsonValue])


@attrs.frozen(kw_only=True)
class Row:
    """What became of one step.

    Attributes:
        title: The step, for people.
        action: What was called.
        said: Untrusted, but printable; what the server said.
        category: Of the failure, None for a plain success.
        code: Of the failure.
        ok: Did the call work in the end?
        decision: What the client did and why.
        reason: The same as a word of `StopReason`.
        attempts: How many were made.
        waited: The waits in between, for people.
        delays: The waits in between, in seconds.
        next_step: What to do now, for people.
    """

    title: str
    action: str
    said: str
    category: str | None
    code: str | None
    ok: bool
    decision: str
    reason: str
    attempts: int
    waited: str
    delays: tuple[float, ...]
    next_step: str


STEPS = (
    Step(title="rate limit, then fine", action="orders.search"),
    Step(title="a moment's outage", action="orders.lookup"),
    Step(
        title="a bad argument", action="billing.get_invoice", arguments={"id": "latest"}
    ),
    Step(title="no permission", action="sources.fetch"),
    Step(title="the 30-day refund rule", action="refunds.process"),
    Step(
        title="something that is not there",
        action="billing.get_invoice",
        arguments={"id": "inv_9"},
    ),
    Step(title="an empty answer is fine", action="tickets.list_open"),
    Step(
        title="several candidates, with labels in Japanese",
        action="customers.find",
    ),
    Step(title="a write that times out", action="billing.create_invoice"),
    Step(title="a warning on a success", action="reports.export"),
)
BATCH = (
    Step(title="batch: source A", action="sources.fetch"),
    Step(title="batch: source B", action="web.search"),
    Step(title="batch: source C", action="sources.summarize"),
)


async def play(client: MCPFusionClient) -> AsyncIterator[Row]:
    """Make every call and yield its row when it has ended."""
    for step in STEPS:
        result = await client.execute(
            step.action,
            step.arguments,
            timeout=_ATTEMPT_TIMEOUT,
            raise_on_error=False,
        )
        yield _row(step, result)
    batch = await client.execute_batch(
        [(step.action, step.arguments) for step in BATCH]
    )
    for row in _rows(BATCH, batch.results):
        yield row


def _rows(steps: Iterable[Step], results: Sequence[ToolResult]) -> Iterable[Row]:
    return (_row(step, result) for step, result in zip(steps, results, strict=True))


def _row(step: Step, result: ToolResult) -> Row:
    failure = _seen_failure(result)
    reason = result.stop_reason or StopReason.FIRST_TRY
    return Row(
        title=step.title,
        action=step.action,
        said=one_line(result.text if failure is None else failure.message, _MAX_SAID),
        category=None if failure is None else failure.category.value,
        code=None if failure is None else failure.code,
        ok=not result.is_error,
        decision=decision(reason, None if failure is None else failure.category),
        reason=reason.value,
        attempts=len(result.attempts),
        waited=waits(result.attempts),
        delays=tuple(a.delay for a in result.attempts if a.delay is not None),
        next_step="-" if result.error is None else next_step(result.error.next_step),
    )


def _seen_failure(result: ToolResult) -> ErrorInfo | None:
    """Return the failure worth showing: the last one, also of a call that recovered."""
    if result.warnings:
        return result.warnings[0]
    failures = [a.error for a in result.attempts if a.error is not None]
    return result.error or (failures[-1] if failures else None)
