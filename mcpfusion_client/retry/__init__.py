"""Repeat a failed call only when that is allowed, safe and worth it.

Nothing in this room sleeps, draws random numbers or reads a clock.
"""

from mcpfusion_client.retry.decision import Retry, Stop
from mcpfusion_client.retry.policy import RetryPolicy, ToolPolicies
from mcpfusion_client.retry.safety import (
    Safety,
    is_harmless,
    key_argument,
    resolve,
    safety_of,
)

__all__ = [
    "Retry",
    "RetryPolicy",
    "Safety",
    "Stop",
    "ToolPolicies",
    "is_harmless",
    "key_argument",
    "resolve",
    "safety_of",
]
