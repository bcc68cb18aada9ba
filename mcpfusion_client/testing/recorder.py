"""Keep what happened to the calls of a client, for a test to look at."""

import attrs

from mcpfusion_client.model import (
    Attempt,
    ErrorInfo,
    JsonObject,
    Peer,
    StopReason,
    ToolCall,
)
from mcpfusion_client.observers import Observer


@attrs.define(kw_only=True, eq=False)
class RecordedCall:
    """One call of a client.

    Attributes:
        tool: The wire name.
        action: The canonical dotted path.
        arguments: What the tool got.
        attempts: Every attempt so far.
        stop_reason: Why there was no further one, None while it runs.
        error: What it failed with, None for a success.
        warnings: Advice that came with a success.
        holds: How often it was held back before it was sent.
        aborted: What cut it short: its cancellation, or an exception of middleware.
    """

    tool: str
    action: str
    arguments: JsonObject
    attempts: tuple[Attempt, ...] = ()
    stop_reason: StopReason | None = None
    error: ErrorInfo | None = None
    warnings: list[ErrorInfo] = attrs.field(factory=list[ErrorInfo])
    holds: int = 0
    aborted: BaseException | None = None


class CallRecorder(Observer):
    """An observer that keeps every call, for code whose results a test never sees.

    Example::

        recorder = CallRecorder()
        client = MCPFusionClient(target, observers=[recorder])
        await run_my_agent(client)
        assert_attempts(recorder.only("orders_search"), "RATE_LIMITED", None)

    Attributes:
        calls: Every call, in the order they started.
    """

    def __init__(self) -> None:
        """Start with no calls."""
        self.calls: list[RecordedCall] = []
        self._open: dict[int, RecordedCall] = {}

    def of(self, tool: str) -> tuple[RecordedCall, ...]:
        """Return the calls of a tool, by its wire name or its action."""
        return tuple(call for call in self.calls if tool in {call.tool, call.action})

    def only(self, tool: str | None = None) -> RecordedCall:
        """Return the only call there was.

        Args:
            tool: The only one of this tool, by its wire name or its action.

        Raises:
            AssertionError: There was none, or there were several.
        """
        __tracebackhide__ = True
        found = self.calls if tool is None else self.of(tool)
        if len(found) == 1:
            return found[0]
        called = [call.tool for call in self.calls]
        msg = f"expected one call of {tool or 'any tool'}, got {len(found)} of {called}"
        raise AssertionError(msg)

    def on_start(self, call: ToolCall, peer: Peer) -> None:  # noqa: ARG002
        """Keep the call."""
        kept = RecordedCall(
            tool=call.tool, action=call.action, arguments=call.arguments
        )
        self.calls.append(kept)
        self._open[id(call)] = kept

    def on_attempt(self, call: ToolCall, attempt: Attempt) -> None:
        """Keep the attempt."""
        self._open[id(call)].attempts += (attempt,)

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:  # noqa: ARG002
        """Count the hold."""
        self._open[id(call)].holds += 1

    def on_warning(self, call: ToolCall, warning: ErrorInfo) -> None:
        """Keep the warning."""
        self._open[id(call)].warnings.append(warning)

    def on_stop(
        self,
        call: ToolCall,
        attempts: tuple[Attempt, ...],
        reason: StopReason,
        error: ErrorInfo | None,
    ) -> None:
        """Keep the end."""
        kept = self._open.pop(id(call))
        kept.attempts = attempts
        kept.stop_reason = reason
        kept.error = error

    def on_abort(
        self, call: ToolCall, attempts: tuple[Attempt, ...], raised: BaseException
    ) -> None:
        """Keep what cut the call short."""
        kept = self._open.pop(id(call))
        kept.attempts = attempts
        kept.aborted = raised
