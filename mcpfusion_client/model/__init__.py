"""The values: what a call is, what came back, and what went wrong.

Nothing here imports another room, does I/O or reads a clock.
"""

from mcpfusion_client.model.calls import (
    Attempt,
    Effects,
    ToolCall,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.model.info import (
    ContractChange,
    ErrorInfo,
    FieldError,
    HttpEvidence,
)
from mcpfusion_client.model.json import JsonObject, JsonValue
from mcpfusion_client.model.peer import Peer
from mcpfusion_client.model.text import redact
from mcpfusion_client.model.vocabulary import (
    ErrorCategory,
    ErrorCode,
    Execution,
    NextStep,
    Origin,
    Severity,
    SideEffects,
    StopReason,
)

__all__ = [
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
]
