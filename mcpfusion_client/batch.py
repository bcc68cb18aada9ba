"""Several calls at once, and an account of which of them ran."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeAlias, cast

import anyio
import attrs

from mcpfusion_client.errors import for_info
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    JsonObject,
    NextStep,
    Origin,
    SideEffects,
    ToolCall,
    ToolResult,
)
from mcpfusion_client.reply import Failed

BatchCall: TypeAlias = (
    ToolCall | tuple[str] | tuple[str, JsonObject | None] | JsonObject
)
"""One call of a batch.

A pair of an action and its arguments, ``{"action": ..., "args": ...}`` or a
`ToolCall`.
"""

Item: TypeAlias = tuple[int, ToolResult]
"""The place of a call in its batch, and its result."""

Send: TypeAlias = Callable[[ToolCall], Awaitable[ToolResult | Failed]]
"""Carries out one call."""


@attrs.frozen(kw_only=True)
class BatchResult:
    """What became of the calls of a batch.

    Attributes:
        results: One result for each call, in their order.
    """

    results: tuple[ToolResult, ...]
    _raised: Mapping[int, Exception] = attrs.field(
        factory=dict[int, Exception], alias="raised", repr=False, eq=False
    )

    @property
    def ok(self) -> tuple[Item, ...]:
        """The calls that succeeded."""
        return self._where(lambda result: result.error is None)

    @property
    def failed(self) -> tuple[Item, ...]:
        """The calls that did not."""
        return self._where(lambda result: result.error is not None)

    @property
    def not_executed(self) -> tuple[Item, ...]:
        """The calls that certainly did not run."""
        return self._where(lambda result: _ran(result) is Execution.NOT_EXECUTED)

    @property
    def maybe_executed(self) -> tuple[Item, ...]:
        """The calls that may have run; look before repeating them."""
        return self._where(lambda result: _ran(result) is Execution.UNKNOWN)

    @property
    def executed(self) -> tuple[Item, ...]:
        """The calls that certainly ran, those that failed then included."""
        return self._where(lambda result: _ran(result) is Execution.EXECUTED)

    def raise_for_errors(self) -> None:
        """Raise what failed, if anything did.

        Raises:
            ExceptionGroup: The errors of the failed calls, in their order.
        """
        raised = [self._exception(index, result) for index, result in self.failed]
        if raised:
            msg = f"{len(raised)} of {len(self.results)} calls failed"
            raise ExceptionGroup(msg, raised)

    def _exception(self, index: int, result: ToolResult) -> Exception:
        error = result.error
        if index in self._raised or error is None:
            return self._raised[index]
        return for_info(
            error,
            attempts=result.attempts,
            stop_reason=result.stop_reason,
            raw=result.raw,
        )

    def _where(self, fits: Callable[[ToolResult], bool]) -> tuple[Item, ...]:
        return tuple(item for item in enumerate(self.results) if fits(item[1]))


def _ran(result: ToolResult) -> Execution:
    """Did the tool run?"""
    error = result.error
    if error is None:
        return Execution.EXECUTED
    left_something = error.side_effects in {SideEffects.SOME, SideEffects.UNKNOWN}
    if error.execution is Execution.NOT_EXECUTED and left_something:
        return Execution.UNKNOWN
    return error.execution


def tool_calls(calls: Iterable[BatchCall]) -> list[ToolCall]:
    """Return *calls* as `ToolCall`s.

    Raises:
        TypeError: One of them has none of the accepted forms.
    """
    return [_tool_call(index, call) for index, call in enumerate(calls)]


def _tool_call(index: int, call: object) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    kind = type(call).__name__
    action: object = None
    arguments: object = None
    if isinstance(call, Mapping):
        named = cast("Mapping[object, object]", call)
        if set(named) <= {"action", "args"}:
            action, arguments = named.get("action"), named.get("args")
    elif isinstance(call, tuple):
        parts = cast("tuple[object, ...]", call)
        if len(parts) in {1, 2}:
            action, arguments = parts[0], parts[-1] if len(parts) > 1 else None
    if isinstance(action, str):
        return ToolCall(action=action, arguments=cast("JsonObject", arguments or {}))
    msg = (
        f"call {index} of the batch must be (action, arguments), "
        f'{{"action": ..., "args": ...}} or a ToolCall, not {kind}'
    )
    raise TypeError(msg)


async def run_batch(
    send: Send,
    calls: list[ToolCall],
    *,
    limit: int | None,
    stop_on_error: bool,
) -> BatchResult:
    """Carry out *calls*; never raises for one of them.

    Args:
        send: Carries out one call.
        calls: The calls.
        limit: How many run at the same time at most; None is no limit.
        stop_on_error: Start no call after one has failed.
    """
    batch = _Batch(send, calls, stop_on_error=stop_on_error)
    workers = len(calls) if limit is None else min(limit, len(calls))
    async with anyio.create_task_group() as tasks:
        for _ in range(workers):
            tasks.start_soon(batch.work)
    return batch.result()


class _Batch:
    """The calls of a batch, worked off in order by any number of workers."""

    def __init__(
        self, send: Send, calls: list[ToolCall], *, stop_on_error: bool
    ) -> None:
        self._send = send
        self._calls = calls
        self._next = iter(enumerate(calls))
        self._stop_on_error = stop_on_error
        self._stopped = False
        self._results: dict[int, ToolResult] = {}
        self._raised: dict[int, Exception] = {}

    async def work(self) -> None:
        """Take one call after the other until there is none left."""
        for index, call in self._next:
            if self._stopped:
                return
            await self._carry_out(index, call)

    async def _carry_out(self, index: int, call: ToolCall) -> None:
        try:
            ended = await self._send(call)
        except Exception as raised:  # noqa: BLE001 - it belongs to one call
            self._results[index] = _failed(_of_exception(raised))
            self._raised[index] = raised
        else:
            if isinstance(ended, Failed):
                self._raised[index] = ended.exception()
                ended = ended.result
            self._results[index] = ended
        if self._stop_on_error and self._results[index].error is not None:
            self._stopped = True

    def result(self) -> BatchResult:
        """Return the account."""
        return BatchResult(
            results=tuple(
                self._results.get(index, _LEFT_OUT) for index in range(len(self._calls))
            ),
            raised=self._raised,
        )


def _failed(error: ErrorInfo) -> ToolResult:
    return ToolResult(is_error=True, error=error)


_LEFT_OUT = _failed(
    ErrorInfo(
        message="not sent: an earlier call of the batch failed",
        code=ErrorCode.CANCELLED,
        category=ErrorCategory.CANCELLED,
        is_retryable=False,
        execution=Execution.NOT_EXECUTED,
        origin=Origin.CLIENT,
        dialect="client",
    )
)


def _of_exception(raised: Exception) -> ErrorInfo:
    """Return what the caller's own code says when it raises in a call."""
    return ErrorInfo(
        message=f"{type(raised).__name__}: {raised}",
        code=type(raised).__name__,
        origin=Origin.CLIENT,
        dialect="client",
        advice=NextStep.VERIFY_STATE,
    )
