"""Repeat a failed call only when that is allowed, safe and worth it.

Nothing in this room sleeps, draws random numbers or reads a clock.
"""

from mcpfusion_client.retry.budget import RetryBudget
from mcpfusion_client.retry.decision import Retry, Stop
from mcpfusion_client.retry.gate import RateLimitGate
from mcpfusion_client.retry.guard import RepeatGuard
from mcpfusion_client.retry.policy import RetryPolicy, ToolPolicies
from mcpfusion_client.retry.rules import (
    Allow,
    Answer,
    Block,
    Escalate,
    Refusal,
    Rule,
    block_when,
    escalate_when,
    refusal_of,
    tell_success,
)
from mcpfusion_client.retry.safety import (
    Safety,
    is_harmless,
    key_argument,
    resolve,
    safety_of,
)
from mcpfusion_client.retry.ticket import Go, Hold, Refused, Ticket

__all__ = [
    "Allow",
    "Answer",
    "Block",
    "Escalate",
    "Go",
    "Hold",
    "RateLimitGate",
    "Refusal",
    "Refused",
    "RepeatGuard",
    "Retry",
    "RetryBudget",
    "RetryPolicy",
    "Rule",
    "Safety",
    "Stop",
    "Ticket",
    "ToolPolicies",
    "block_when",
    "escalate_when",
    "is_harmless",
    "key_argument",
    "refusal_of",
    "resolve",
    "safety_of",
    "tell_success",
]
