"""A failure as every ``--json`` prints it: the attributes of `ErrorInfo`.

``decode --jsonl`` alone has keys of its own, which other programs rely on.
"""

from mcpfusion_client.cli.wording import message_of
from mcpfusion_client.decode import Reading
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import ErrorInfo, JsonObject, ToolResult


def failure_json(info: ErrorInfo) -> dict[str, object]:
    """Return a failure as JSON can hold it."""
    return {
        **info.to_dict(),
        "message": message_of(info),
        "next_step": info.next_step.value,
    }


def exception_json(error: MCPFusionClientError) -> JsonObject:
    """Return what was raised for a failure, as JSON can hold it."""
    return {"type": type(error).__name__, **failure_json(error.info)}


def beside_json(read: ToolResult | Reading) -> dict[str, object]:
    """Return what came beside a success: warnings, and a failure that may hide."""
    suspect = read.suspected_failure
    return {
        "warnings": [failure_json(warning) for warning in read.warnings],
        "suspected_failure": None if suspect is None else failure_json(suspect),
    }
