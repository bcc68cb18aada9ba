"""What came back: from one attempt, and from a whole call that failed."""

from collections.abc import Callable, Sequence
from datetime import datetime

import attrs

from mcpfusion_client.decode import Decoder
from mcpfusion_client.decode.front import is_plain_success
from mcpfusion_client.errors import MCPFusionClientError, for_info
from mcpfusion_client.model import (
    Attempt,
    Effects,
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    JsonObject,
    JsonValue,
    NextStep,
    Origin,
    StopReason,
    ToolResult,
)
from mcpfusion_client.model.json import is_mapping, is_sequence
from mcpfusion_client.sessions.base import Outcome


@attrs.define
class Reply:
    """An attempt that has ended.

    Attributes:
        error: What it failed with.
        warnings: Advice that came with a success.
        suspected: A failure that may have been sent as a success.
        outcome: What came back, None when nothing was sent.
        made: What middleware made of it, None without middleware.
        heard: What the server let us know, when *error* is middleware's word.
    """

    error: ErrorInfo | None = None
    warnings: tuple[ErrorInfo, ...] = ()
    suspected: ErrorInfo | None = None
    outcome: Outcome | None = None
    made: ToolResult | None = None
    heard: ErrorInfo | None = None

    @property
    def failure(self) -> ErrorInfo | None:
        """What the request failed with, whatever middleware made of it."""
        return self.error if self.made is None else self.heard

    @property
    def answered(self) -> bool:
        """Did the server itself answer?"""
        return self.outcome is not None and self.outcome.answered

    @property
    def cause(self) -> BaseException | None:
        """The exception of the SDK behind it."""
        return None if self.outcome is None else self.outcome.cause

    def result(
        self,
        error: ErrorInfo | None,
        attempts: Sequence[Attempt] = (),
        reason: StopReason | None = None,
    ) -> ToolResult:
        """Return it as the caller gets it.

        Args:
            error: What the call failed with, in the end.
            attempts: Every attempt.
            reason: Why there is no further one.
        """
        if self.made is not None:
            return attrs.evolve(
                self.made,
                is_error=error is not None,
                error=error,
                attempts=tuple(attempts),
                stop_reason=reason,
            )
        raw = None if self.outcome is None else self.outcome.raw
        wire: JsonObject = raw or {}
        return ToolResult(
            content=_blocks(wire.get("content")),
            structured_content=wire.get("structuredContent"),
            meta=_mapping(wire.get("_meta")),
            is_error=error is not None,
            error=error,
            warnings=self.warnings,
            suspected_failure=self.suspected,
            attempts=tuple(attempts),
            stop_reason=reason,
            raw=raw,
        )

    def remade(self, made: ToolResult) -> "Reply":
        """Return it as middleware has changed it."""
        error = made.error
        if error is None and made.is_error:
            error = ErrorInfo(message=made.text, origin=Origin.CLIENT, dialect="client")
        return attrs.evolve(
            self, error=error, warnings=made.warnings, made=made, heard=self.error
        )


@attrs.frozen(kw_only=True)
class Failed:
    """A call that ended without success.

    Attributes:
        error: What it failed with.
        reason: Why it was not sent (again).
        result: The same as a result.
        tool: The wire name.
        harmless: The call counts as safe to repeat.
        key_lost: It may have run under an idempotency key that its caller does not
            know.
        cause: The exception of the SDK, or of a rule.
    """

    error: ErrorInfo
    reason: StopReason
    result: ToolResult
    tool: str
    harmless: bool
    key_lost: bool = False
    cause: BaseException | None = None

    @property
    def refused(self) -> bool:
        """Did a rule refuse the call?"""
        return self.reason in {StopReason.BLOCKED, StopReason.ESCALATED}

    def exception(self) -> MCPFusionClientError:
        """Return the exception that stands for it."""
        error = for_info(
            self.error,
            tool=self.tool,
            attempts=self.result.attempts,
            stop_reason=self.reason,
            raw=self.result.raw,
            harmless=self.harmless,
            key_lost=self.key_lost,
        )
        error.__cause__ = self.cause
        return error


def wrong_call(tool: str, mistake: Exception) -> Failed:
    """Return what stands for a call that was not sent because it is malformed."""
    error = ErrorInfo(
        message=str(mistake),
        code=ErrorCode.VALIDATION_ERROR,
        category=ErrorCategory.VALIDATION,
        is_retryable=False,
        execution=Execution.NOT_EXECUTED,
        origin=Origin.CLIENT,
        dialect="client_check",
    )
    reason = StopReason.NOT_RETRYABLE
    return Failed(
        error=error,
        reason=reason,
        result=ToolResult(is_error=True, error=error, stop_reason=reason),
        tool=tool,
        harmless=False,
        cause=mistake,
    )


def read(
    outcome: Outcome,
    decoder: Decoder,
    *,
    wall: Callable[[], datetime],
    detect_disguised: bool,
) -> Reply:
    """Return what *outcome* means.

    Args:
        outcome: What came back.
        decoder: Reads it.
        wall: Tells the time, for hints that are relative to it.
        detect_disguised: Look for failures that were sent as successes.
    """
    if outcome.failure is not None:
        return Reply(decoder.taught(outcome.failure), outcome=outcome)
    raw = outcome.raw or {}
    if not detect_disguised and is_plain_success(raw):
        return Reply(outcome=outcome)
    reading = decoder.read(
        # Only the wrapped form says for certain that it is a result.
        raw if "content" in raw else {"result": raw},
        received_at=wall(),
        detect_disguised=detect_disguised,
    )
    return Reply(reading.error, reading.warnings, reading.suspected_failure, outcome)


def nothing_to_verify(error: ErrorInfo, effects: Effects) -> NextStep | None:
    """Return the next step after a harmless call where it is not to look first.

    Args:
        error: What the call failed with.
        effects: What the call does; it is harmless.

    Returns:
        None where what *error* itself says to do stands.
    """
    unknown = attrs.evolve(error, execution=Execution.UNKNOWN).next_step
    known = attrs.evolve(error, execution=Execution.NOT_EXECUTED).next_step
    if error.next_step is not unknown or known is unknown:
        return None
    return known if effects.read_only or error.is_retryable is True else None


def in_hindsight(error: ErrorInfo, attempts: Sequence[Attempt]) -> ErrorInfo:
    """Return *error* for the whole call: it may have run in an earlier attempt."""
    if error.execution is not Execution.NOT_EXECUTED:
        return error
    earlier = {
        attempt.error.execution for attempt in attempts if attempt.error is not None
    }
    for execution in (Execution.EXECUTED, Execution.UNKNOWN):
        if execution in earlier:
            return attrs.evolve(error, execution=execution)
    return error


def _blocks(content: JsonValue) -> tuple[JsonObject, ...]:
    if isinstance(content, str):
        return ({"type": "text", "text": content},)
    if not is_sequence(content):
        return ()
    for block in content:
        if type(block) is not dict:
            return tuple(each for each in content if is_mapping(each))
    return tuple(content)


def _mapping(value: object) -> JsonObject:
    return value if value is not None and is_mapping(value) else {}
