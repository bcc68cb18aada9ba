"""The closed word lists every room shares: why, how bad, did it run, what next.

Values are the lower-case names (codes: as MCP Fusion writes them), so they read
well in JSON and compare equal to plain strings.
"""

import enum


class ErrorCategory(enum.StrEnum):
    """Why a call failed.

    The words are those of the structured-error documents; `family` folds the
    finer ones into the coarse ones.
    """

    TRANSIENT = "transient"
    RATE_LIMITED = "rate_limited"
    VALIDATION = "validation"
    AMBIGUOUS = "ambiguous"
    PERMISSION = "permission"
    AUTHENTICATION = "authentication"
    BUSINESS = "business"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    STATE_UNKNOWN = "state_unknown"
    CANCELLED = "cancelled"
    PROTOCOL = "protocol"
    OTHER = "other"
    UNKNOWN = "unknown"

    @property
    def family(self) -> "ErrorCategory":
        """The coarse category this one belongs to; most are their own family."""
        return _FAMILIES.get(self, self)


_FAMILIES = {
    ErrorCategory.RATE_LIMITED: ErrorCategory.TRANSIENT,
    ErrorCategory.AMBIGUOUS: ErrorCategory.VALIDATION,
    ErrorCategory.AUTHENTICATION: ErrorCategory.PERMISSION,
    ErrorCategory.STATE_UNKNOWN: ErrorCategory.UNKNOWN,
    ErrorCategory.OTHER: ErrorCategory.UNKNOWN,
}


class ErrorCode(enum.StrEnum):
    """The canonical codes of MCP Fusion, and those this client makes itself.

    The list is open: `ErrorInfo.code` is any string a server sends. Members
    compare equal to their plain strings.
    """

    MISSING_DISCRIMINATOR = "MISSING_DISCRIMINATOR"
    UNKNOWN_ACTION = "UNKNOWN_ACTION"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    MISSING_REQUIRED_FIELD = "MISSING_REQUIRED_FIELD"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    RATE_LIMITED = "RATE_LIMITED"
    UNAUTHORIZED = "UNAUTHORIZED"
    FORBIDDEN = "FORBIDDEN"
    NOT_FOUND = "NOT_FOUND"
    CONFLICT = "CONFLICT"
    TIMEOUT = "TIMEOUT"
    SERVER_BUSY = "SERVER_BUSY"
    DEPRECATED = "DEPRECATED"
    AUTH_REQUIRED = "AUTH_REQUIRED"
    HANDOFF_UPSTREAM_UNAVAILABLE = "HANDOFF_UPSTREAM_UNAVAILABLE"
    HANDOFF_NAMESPACE_MISMATCH = "HANDOFF_NAMESPACE_MISMATCH"
    HANDOFF_CONNECTING = "HANDOFF_CONNECTING"
    CONNECTION_LOST = "CONNECTION_LOST"
    CONNECT_FAILED = "CONNECT_FAILED"
    BAD_RESPONSE = "BAD_RESPONSE"
    BLOCKED = "BLOCKED"
    ESCALATED = "ESCALATED"
    CANCELLED = "CANCELLED"


class Severity(enum.StrEnum):
    """How bad it is; ``warning`` rides on a success."""

    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


class Execution(enum.StrEnum):
    """Did the tool run?"""

    NOT_EXECUTED = "not_executed"
    UNKNOWN = "unknown"
    EXECUTED = "executed"


class SideEffects(enum.StrEnum):
    """What the failed call left behind, as the server states it."""

    NONE = "none"
    SOME = "some"
    UNKNOWN = "unknown"


class Origin(enum.StrEnum):
    """Where a failure was seen."""

    TOOL = "tool"
    PROTOCOL = "protocol"
    HTTP = "http"
    TRANSPORT = "transport"
    CLIENT = "client"


class NextStep(enum.StrEnum):
    """What the caller should do about a failure."""

    RETRY = "retry"
    FIX_ARGUMENTS = "fix_arguments"
    LOOK_UP_CANDIDATES = "look_up_candidates"
    REAUTHENTICATE = "reauthenticate"
    VERIFY_STATE = "verify_state"
    EXPLAIN_POLICY = "explain_policy"
    USE_OTHER_TOOL = "use_other_tool"
    ESCALATE = "escalate"
    GIVE_UP = "give_up"


class StopReason(enum.StrEnum):
    """Why a call was not sent (again)."""

    FIRST_TRY = "first_try"
    RETRIED = "retried"
    CRITICAL = "critical"
    SERVER_SAID_NO = "server_said_no"
    NOT_RETRYABLE = "not_retryable"
    UNKNOWN_OUTCOME_WRITE = "unknown_outcome_write"
    RETRY_DISABLED = "retry_disabled"
    RETRY_AFTER_TOO_LONG = "retry_after_too_long"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    DEADLINE_TOO_SHORT = "deadline_too_short"
    BUDGET_EXHAUSTED = "budget_exhausted"
    GATE_DEADLINE = "gate_deadline"
    BLOCKED = "blocked"
    ESCALATED = "escalated"
