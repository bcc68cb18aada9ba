"""Hand a failure on as the installed SDK's ``CallToolResult``.

A plain dict returned by a Python handler would arrive as a success on every SDK.
"""

from typing import TYPE_CHECKING

from mcpfusion_client.encode import envelope
from mcpfusion_client.model import ErrorInfo, JsonValue
from mcpfusion_client.sessions.compat import sdk

if TYPE_CHECKING:
    from mcp.types import CallToolResult


def to_tool_result(info: ErrorInfo, *, given_up: bool) -> "CallToolResult":
    """Return *info* as a result: the envelope as text, and its metadata.

    Args:
        info: The failure to hand on.
        given_up: Whether an engine has already decided not to repeat the call.

    Raises:
        ImportError: No ``mcp`` package is installed.
    """
    wire: dict[str, JsonValue] = {
        "content": [{"type": "text", "text": envelope(info)}],
        "structuredContent": metadata(info, given_up=given_up),
        "isError": True,
    }
    result: CallToolResult = sdk().types.CallToolResult.model_validate(wire)
    return result


def metadata(info: ErrorInfo, *, given_up: bool) -> dict[str, JsonValue]:
    """Return the structured metadata; what is absent stays absent.

    A failure that was given up here is not retryable for whoever gets it next:
    the innermost engine is the one that repeats.
    """
    found: dict[str, JsonValue] = {
        "errorCategory": info.category.family.value,
        "isRetryable": False if given_up else info.is_retryable,
        "retryAfter": info.retry_after,
        "attempted_query": info.attempted_query,
        "partial_results": info.partial_results,
    }
    return {key: value for key, value in found.items() if value is not None}
