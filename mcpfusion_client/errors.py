"""The exceptions, one per category.

::

    * MCPFusionClientError
      + TransientError            may be sent again
        - RateLimitedError
        - ConnectError            never sent
        - ConnectionLostError
        - AttemptTimeoutError
      + ValidationFailedError
        - AmbiguousError
      + PermissionDeniedError
        - AuthenticationError
      + BusinessRuleError
      + ResourceNotFoundError
      + ConflictError
      + StateUnknownError         may have run: look before you repeat
      + CancelledByPeerError
      + ProtocolError
      + UncategorizedError
      + CallBlockedError          refused by a rule of this client
      + EscalationRequiredError   a person has to decide

The promise: whoever catches `TransientError` may send the call again. A failure
whose outcome is unknown under a call that is not known to be harmless is
therefore raised as `StateUnknownError`, whatever its category; so is one of a call
that only an idempotency key of our own making protected, once its retries are spent.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, Literal, Self, TypeVar, overload

import attrs

from mcpfusion_client.model import (
    Attempt,
    ContractChange,
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    FieldError,
    HttpEvidence,
    JsonObject,
    JsonValue,
    NextStep,
    Origin,
    Severity,
    SideEffects,
    StopReason,
)
from mcpfusion_client.model.text import one_line

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_MAX_STR = 300
T = TypeVar("T")


class _Fact(Generic[T]):
    """A read-only view of the attribute of the same name of ``.info``."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"``info.{name}``; see `ErrorInfo`."

    @overload
    def __get__(self, error: None, owner: type) -> Self: ...
    @overload
    def __get__(self, error: "MCPFusionClientError", owner: type) -> T: ...
    def __get__(self, error: "MCPFusionClientError | None", owner: type) -> Self | T:
        if error is None:
            return self
        value: T = getattr(error.info, self._name)
        return value


class MCPFusionClientError(Exception):
    """A tool call failed; the root of every error this package raises for one.

    Attributes:
        info: The failure, decoded; its attributes are readable on the error too.
        tool: The wire name of the tool, None when no call was involved.
        attempts: Every attempt that was made.
        stop_reason: Why the call was not repeated.
        raw: The wire JSON, None when no result arrived. SDK exceptions are the
            ``__cause__``.
    """

    def __init__(
        self,
        info: ErrorInfo,
        tool: str | None = None,
        attempts: tuple[Attempt, ...] = (),
        stop_reason: StopReason | None = None,
        raw: JsonObject | None = None,
    ) -> None:
        """Take everything positionally too, so that it pickles."""
        super().__init__(info, tool, attempts, stop_reason, raw)
        self.info = info
        self.tool = tool
        self.attempts = attempts
        self.stop_reason = stop_reason
        self.raw = raw

    message: _Fact[str] = _Fact()
    code: _Fact[str | None] = _Fact()
    category: _Fact[ErrorCategory] = _Fact()
    category_detail: _Fact[str | None] = _Fact()
    severity: _Fact[Severity] = _Fact()
    is_retryable: _Fact[bool | None] = _Fact()
    stated: _Fact[frozenset[str]] = _Fact()
    retryable_source: _Fact[Literal["stated", "inferred"] | None] = _Fact()
    retry_after: _Fact[float | None] = _Fact()
    execution: _Fact[Execution] = _Fact()
    side_effects: _Fact[SideEffects | None] = _Fact()
    recovery: _Fact[str | None] = _Fact()
    available_actions: _Fact[tuple[str, ...]] = _Fact()
    details: _Fact[JsonObject] = _Fact()
    fields: _Fact[tuple[FieldError, ...]] = _Fact()
    action: _Fact[str | None] = _Fact()
    attempted_query: _Fact[JsonValue] = _Fact()
    partial_results: _Fact[JsonValue] = _Fact()
    contract_changes: _Fact[tuple[ContractChange, ...]] = _Fact()
    origin: _Fact[Origin] = _Fact()
    http: _Fact[HttpEvidence | None] = _Fact()
    dialect: _Fact[str] = _Fact()
    lossy: _Fact[bool] = _Fact()
    stated_next_step: _Fact[NextStep | None] = _Fact()
    advice: _Fact[NextStep | None] = _Fact()
    next_step: _Fact[NextStep] = _Fact()

    def __str__(self) -> str:
        """One line that is safe to log: no arguments, secrets or control characters."""
        parts: list[str] = []
        if self.tool is not None:
            parts.append(f"{one_line(self.tool, 80)}:")
        parts.append(one_line(self.info.code or "no code", 60))
        parts.append(f"({self.info.category.value})")
        message = one_line(self.info.message, 160)
        if message:
            parts.append(message)
        if self.info.recovery and "recovery" not in self.info.stated:
            # It is this client's own, and says what was meant.
            parts.append(f"- {one_line(self.info.recovery, 200)}")
        tail = _tail(len(self.attempts), self.stop_reason)
        line = " ".join(parts)
        return line[: _MAX_STR - len(tail)] + tail

    def __repr__(self) -> str:
        """The class and the one line; `info` has the rest."""
        return f"{type(self).__name__}({str(self)!r})"

    def to_prompt(self, max_chars: int = 2000) -> str:
        """Return text for a model: fenced as untrusted, redacted and cut."""
        return self.info.to_prompt(max_chars)

    def to_tool_result(self) -> "CallToolResult":
        """Return the installed SDK's ``CallToolResult`` that hands this failure on.

        What was tried, and how often, is among the details: ``tried_tool`` and
        ``tried_attempts``.

        Raises:
            ImportError: No ``mcp`` package is installed.
        """
        from mcpfusion_client.sessions.tool_result import (  # noqa: PLC0415 - edge
            to_tool_result,
        )

        given_up = bool(self.attempts) or self.stop_reason is not None
        info = self.info
        if given_up and self.tool is not None:
            tried = {"tried_tool": self.tool, "tried_attempts": len(self.attempts)}
            # The innermost client knows what was really sent.
            info = attrs.evolve(info, details={**tried, **info.details})
        return to_tool_result(info, given_up=given_up)


def _tail(attempts: int, stop_reason: StopReason | None) -> str:
    if stop_reason is None:
        return ""
    plural = "" if attempts == 1 else "s"
    return f" [{attempts} attempt{plural}, {stop_reason.value}]"


class TransientError(MCPFusionClientError):
    """It may work later; the call may be sent again."""


class RateLimitedError(TransientError):
    """Too many calls; `retry_after` says how long to wait, when the server does."""


class ConnectError(TransientError):
    """The server could not be reached; nothing was sent."""


class ConnectionLostError(TransientError):
    """The connection died while the call was in flight."""


class AttemptTimeoutError(TransientError):
    """No answer in time."""


class ValidationFailedError(MCPFusionClientError):
    """The arguments were rejected; `fields` says which."""


class AmbiguousError(ValidationFailedError):
    """Several candidates match; choose one."""


class PermissionDeniedError(MCPFusionClientError):
    """The caller may not do this."""


class AuthenticationError(PermissionDeniedError):
    """The caller is not (or no longer) signed in."""


class BusinessRuleError(MCPFusionClientError):
    """A rule of the domain refused a well-formed call."""


class ResourceNotFoundError(MCPFusionClientError):
    """What was asked for does not exist."""


class ConflictError(MCPFusionClientError):
    """The state of the resource does not allow this now."""


class StateUnknownError(MCPFusionClientError):
    """The call may have taken effect; look before repeating it."""


class CancelledByPeerError(MCPFusionClientError):
    """The server, or a person behind it, cancelled the call."""


class ProtocolError(MCPFusionClientError):
    """The two sides do not understand each other."""


class UncategorizedError(MCPFusionClientError):
    """Nobody could say why."""


class CallBlockedError(MCPFusionClientError):
    """A rule of this client refused the call."""


class EscalationRequiredError(MCPFusionClientError):
    """A rule of this client demands that a person decides."""


_BY_CATEGORY: Mapping[ErrorCategory, type[MCPFusionClientError]] = {
    ErrorCategory.TRANSIENT: TransientError,
    ErrorCategory.RATE_LIMITED: RateLimitedError,
    ErrorCategory.VALIDATION: ValidationFailedError,
    ErrorCategory.AMBIGUOUS: AmbiguousError,
    ErrorCategory.PERMISSION: PermissionDeniedError,
    ErrorCategory.AUTHENTICATION: AuthenticationError,
    ErrorCategory.BUSINESS: BusinessRuleError,
    ErrorCategory.NOT_FOUND: ResourceNotFoundError,
    ErrorCategory.CONFLICT: ConflictError,
    ErrorCategory.STATE_UNKNOWN: StateUnknownError,
    ErrorCategory.CANCELLED: CancelledByPeerError,
    ErrorCategory.PROTOCOL: ProtocolError,
    ErrorCategory.OTHER: UncategorizedError,
    ErrorCategory.UNKNOWN: UncategorizedError,
}

_TRANSIENT_BY_CODE: Mapping[str, type[MCPFusionClientError]] = {
    ErrorCode.CONNECT_FAILED: ConnectError,
    ErrorCode.CONNECTION_LOST: ConnectionLostError,
    ErrorCode.TIMEOUT: AttemptTimeoutError,
}


def for_info(
    info: ErrorInfo,
    *,
    tool: str | None = None,
    attempts: tuple[Attempt, ...] = (),
    stop_reason: StopReason | None = None,
    raw: JsonObject | None = None,
    harmless: bool = False,
    key_lost: bool = False,
) -> MCPFusionClientError:
    """Return the exception that stands for *info*; it is not raised here.

    Args:
        info: The failure.
        tool: The wire name of the tool.
        attempts: Every attempt that was made.
        stop_reason: Why the call was not repeated.
        raw: The wire JSON.
        harmless: The call is known to be safe to repeat.
        key_lost: It may have run under an idempotency key that its caller does not
            know, so sending it again would not be a repeat to the server.
    """
    kind = class_for(info, stop_reason, harmless=harmless, key_lost=key_lost)
    return kind(info, tool, attempts, stop_reason, raw)


def class_for(
    info: ErrorInfo,
    stop_reason: StopReason | None,
    *,
    harmless: bool,
    key_lost: bool = False,
) -> type[MCPFusionClientError]:
    """Return the class `for_info` uses; keeps the promise of `TransientError`."""
    if stop_reason in _BY_STOP:
        return _BY_STOP[stop_reason]
    if info.category.family is not ErrorCategory.TRANSIENT:
        return _BY_CATEGORY[info.category]
    unsafe = info.execution is not Execution.NOT_EXECUTED and not harmless
    if unsafe and (key_lost or stop_reason in _NEVER_ASKED_IF_SAFE):
        return StateUnknownError
    by_category = _BY_CATEGORY[info.category]
    if info.origin is Origin.TOOL or info.code is None:
        return by_category
    return _TRANSIENT_BY_CODE.get(info.code, by_category)


_BY_STOP: Mapping[StopReason | None, type[MCPFusionClientError]] = {
    StopReason.BLOCKED: CallBlockedError,
    StopReason.ESCALATED: EscalationRequiredError,
    StopReason.UNKNOWN_OUTCOME_WRITE: StateUnknownError,
}

_NEVER_ASKED_IF_SAFE = frozenset(
    {StopReason.SERVER_SAID_NO, StopReason.CRITICAL, StopReason.NOT_RETRYABLE}
)
