"""What the installed SDK is and supports."""

import importlib

MODERN = hasattr(importlib.import_module("mcp"), "MCPError")
"""mcp 2.x."""

HTTP_BACKENDS = ("asyncio", "trio") if MODERN else ("asyncio",)
"""The event loops for Streamable HTTP."""
