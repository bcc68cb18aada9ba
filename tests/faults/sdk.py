"""Which SDK is installed, and what it can do; found at run time."""

import importlib.util
from importlib.metadata import version

SDK = int(version("mcp").split(".")[0])
"""The major version of the installed ``mcp`` package."""

ERAS = ("legacy", "modern") if SDK >= 2 else ("legacy",)
"""The protocol eras its Streamable HTTP client speaks."""

HTTP_BACKENDS = ("asyncio", "trio") if SDK >= 2 else ("asyncio",)
"""mcp 1.x doubles and loses concurrent HTTP requests on trio; that is refused."""

ALL_BACKENDS = ("asyncio", "trio")

HAS_FASTMCP = importlib.util.find_spec("fastmcp") is not None
