"""Hand a failure on as the installed SDK's ``CallToolResult``.

A plain dict returned by a Python handler would arrive as a success on every SDK.
"""

from typing import TYPE_CHECKING

from mcpfusion_client.encode import envelope
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import JsonValue
from mcpfusion_client.sessions.compat import sdk

if TYPE_CHECKING:
    from mcp.types import CallToolResult


def to_tool_result(error: MCPFusionClientError) -> "CallToolResult":
    """Return *error* as a result: the envelope as text, and its metadata.

    Raises:
        ImportError: No ``mcp`` package is installed.
    """
    wire: dict[str, JsonValue] = {
        "content": [{"type": "text", "text": envelope(error.info)}],
        "structuredContent": metadata(error),
        "isError": True,
    }
    result: CallToolResult = sdk().types.CallToolResult.model_validate(wire)
    return result


def metadata(error: MCPFusionClientError) -> dict[str, JsonValue]:
    """Return the structured metadata; what is absent stays absent.

    A failure that was given up here is not retryable for whoever gets it next:
    the innermost engine is the one that repeats.
    """
    info = error.info
    given_up = bool(error.attempts) or error.stop_reason is not None
    found: dict[str, JsonValue] = {
        "errorCategory": info.category.family.value,
        "isRetryable": False if given_up else info.is_retryable,
        "retryAfter": info.retry_after,
        "attempted_query": info.attempted_query,
        "partial_results": info.partial_results,
    }
    return {key: value for key, value in found.items() if value is not None}
