"""Typed errors and bounded, safe retries for MCP tool calls.

Every public name is imported when it is first asked for, so that importing the
package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Final

from mcpfusion_client._version import __version__

if TYPE_CHECKING:
    from mcpfusion_client.batch import BatchCall, BatchResult
    from mcpfusion_client.client import MCPFusionClient
    from mcpfusion_client.clock import Clock, SystemClock, Timer
    from mcpfusion_client.decode import Decoder, Meaning, Reading, decode, read
    from mcpfusion_client.encode import ErrorBuilder, tool_error, validation_error
    from mcpfusion_client.errors import (
        AmbiguousError,
        AttemptTimeoutError,
        AuthenticationError,
        BusinessRuleError,
        CallBlockedError,
        CancelledByPeerError,
        ConflictError,
        ConnectError,
        ConnectionLostError,
        EscalationRequiredError,
        MCPFusionClientError,
        PermissionDeniedError,
        ProtocolError,
        RateLimitedError,
        ResourceNotFoundError,
        StateUnknownError,
        TransientError,
        UncategorizedError,
        ValidationFailedError,
    )
    from mcpfusion_client.middleware import Middleware, Next
    from mcpfusion_client.model import (
        Attempt,
        ContractChange,
        Effects,
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
        Peer,
        Severity,
        SideEffects,
        StopReason,
        ToolCall,
        ToolInfo,
        ToolResult,
        redact,
    )
    from mcpfusion_client.observers import LoggingObserver, Observer
    from mcpfusion_client.proxy import Proxy
    from mcpfusion_client.retry import (
        Allow,
        Answer,
        Block,
        Escalate,
        RateLimitGate,
        RepeatGuard,
        Retry,
        RetryBudget,
        RetryPolicy,
        Rule,
        Stop,
        ToolPolicies,
        block_when,
        escalate_when,
    )
    from mcpfusion_client.sessions import HttpClient, ProgressCallback, ToolSession
    from mcpfusion_client.sync import SyncMCPFusionClient

_HOMES: Final = {
    "batch": ("BatchCall", "BatchResult"),
    "client": ("MCPFusionClient",),
    "clock": ("Clock", "SystemClock", "Timer"),
    "decode": ("Decoder", "Meaning", "Reading", "decode", "read"),
    "encode": ("ErrorBuilder", "tool_error", "validation_error"),
    "errors": (
        "AmbiguousError",
        "AttemptTimeoutError",
        "AuthenticationError",
        "BusinessRuleError",
        "CallBlockedError",
        "CancelledByPeerError",
        "ConflictError",
        "ConnectError",
        "ConnectionLostError",
        "EscalationRequiredError",
        "MCPFusionClientError",
        "PermissionDeniedError",
        "ProtocolError",
        "RateLimitedError",
        "ResourceNotFoundError",
        "StateUnknownError",
        "TransientError",
        "UncategorizedError",
        "ValidationFailedError",
    ),
    "middleware": ("Middleware", "Next"),
    "model": (
        "Attempt",
        "ContractChange",
        "Effects",
        "ErrorCategory",
        "ErrorCode",
        "ErrorInfo",
        "Execution",
        "FieldError",
        "HttpEvidence",
        "JsonObject",
        "JsonValue",
        "NextStep",
        "Origin",
        "Peer",
        "Severity",
        "SideEffects",
        "StopReason",
        "ToolCall",
        "ToolInfo",
        "ToolResult",
        "redact",
    ),
    "observers": ("LoggingObserver", "Observer"),
    "proxy": ("Proxy",),
    "retry": (
        "Allow",
        "Answer",
        "Block",
        "Escalate",
        "RateLimitGate",
        "RepeatGuard",
        "Retry",
        "RetryBudget",
        "RetryPolicy",
        "Rule",
        "Stop",
        "ToolPolicies",
        "block_when",
        "escalate_when",
    ),
    "sessions": ("HttpClient", "ProgressCallback", "ToolSession"),
    "sync": ("SyncMCPFusionClient",),
}
_ROOMS: Final = {name: room for room, names in _HOMES.items() for name in names}

__all__ = [
    "Allow",
    "AmbiguousError",
    "Answer",
    "Attempt",
    "AttemptTimeoutError",
    "AuthenticationError",
    "BatchCall",
    "BatchResult",
    "Block",
    "BusinessRuleError",
    "CallBlockedError",
    "CancelledByPeerError",
    "Clock",
    "ConflictError",
    "ConnectError",
    "ConnectionLostError",
    "ContractChange",
    "Decoder",
    "Effects",
    "ErrorBuilder",
    "ErrorCategory",
    "ErrorCode",
    "ErrorInfo",
    "Escalate",
    "EscalationRequiredError",
    "Execution",
    "FieldError",
    "HttpClient",
    "HttpEvidence",
    "JsonObject",
    "JsonValue",
    "LoggingObserver",
    "MCPFusionClient",
    "MCPFusionClientError",
    "Meaning",
    "Middleware",
    "Next",
    "NextStep",
    "Observer",
    "Origin",
    "Peer",
    "PermissionDeniedError",
    "ProgressCallback",
    "ProtocolError",
    "Proxy",
    "RateLimitGate",
    "RateLimitedError",
    "Reading",
    "RepeatGuard",
    "ResourceNotFoundError",
    "Retry",
    "RetryBudget",
    "RetryPolicy",
    "Rule",
    "Severity",
    "SideEffects",
    "StateUnknownError",
    "Stop",
    "StopReason",
    "SyncMCPFusionClient",
    "SystemClock",
    "Timer",
    "ToolCall",
    "ToolInfo",
    "ToolPolicies",
    "ToolResult",
    "ToolSession",
    "TransientError",
    "UncategorizedError",
    "ValidationFailedError",
    "__version__",
    "block_when",
    "decode",
    "escalate_when",
    "read",
    "redact",
    "tool_error",
    "validation_error",
]


def __getattr__(name: str) -> object:
    """Import a public name from its room."""
    room = _ROOMS.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(importlib.import_module(f"{__name__}.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__})
