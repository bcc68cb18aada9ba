"""A real server of any tools, which answers with what reached it.

Run it with the path of a saved tool list; it serves over standard input and output.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import anyio

from mcpfusion_client.integrations.scripted_server import (
    ServedTool,
    scripted_server,
    serve_stdio,
)
from mcpfusion_client.model import JsonObject, ToolInfo


def echo_server(tools: Iterable[JsonObject]) -> object:
    """Return a server of *tools*; their output schemas are left out."""
    return scripted_server("echo", [_served(tool) for tool in tools])


def _served(tool: JsonObject) -> ServedTool:
    async def handle(arguments: JsonObject) -> JsonObject:
        text = json.dumps({"tool": tool["name"], "arguments": arguments})
        return {"content": [{"type": "text", "text": text}]}

    info = ToolInfo(name=tool["name"], input_schema=tool["inputSchema"])
    return ServedTool(info=info, handle=handle)


if __name__ == "__main__":
    listed = json.loads(Path(sys.argv[1]).read_text("utf-8"))["tools"]
    anyio.run(serve_stdio, echo_server(listed))
