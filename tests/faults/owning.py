"""The same two calls over a session the program opened, and over a URL.

The page on connections shows these functions.
"""

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from mcpfusion_client import MCPFusionClient, RateLimitedError, RetryPolicy, ToolResult


async def over_their_session(url: str) -> ToolResult:
    """The program opens the session; the SDK decides what it survives."""
    async with (
        streamable_http_client(url) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        async with MCPFusionClient(session, retry=RetryPolicy.off()) as client:
            return await busy_then_fine(client)


async def over_the_url(url: str) -> ToolResult:
    """The client opens the session, and again whenever it has to."""
    async with MCPFusionClient(url, retry=RetryPolicy.off()) as client:
        return await busy_then_fine(client)


async def busy_then_fine(client: MCPFusionClient) -> ToolResult:
    """Call a tool that answers 429, then one that answers."""
    try:
        await client.call_tool("fault", {"fault": "429_hint"})
    except RateLimitedError as err:
        print(err.code, err.retry_after, err.execution)  # noqa: T201 - it is shown
    return await client.call_tool("ok", {"tag": "fine"})
