"""Find the tool that a name on the command line means."""

import click

from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import ToolInfo
from mcpfusion_client.model.text import one_line
from mcpfusion_client.routing import Router
from mcpfusion_client.suggestions import near_names


async def find_tool(client: MCPFusionClient, name: str) -> ToolInfo | None:
    """Return the tool that *name* means; None when the server does not list any.

    Raises:
        click.ClickException: It lists tools, and none fits.
    """
    try:
        tools = {tool.name: tool for tool in await client.list_tools()}
    except MCPFusionClientError:
        return None
    router = Router(tools, "action")
    route = router.route(name, {})
    if route is not None:
        return tools[route.tool]
    if not tools:
        return None
    close = near_names(name, router)
    names = ", ".join(one_line(each, 60) for each in (close or sorted(tools)[:20]))
    meant = "did you mean" if close else "there is"
    msg = f"no tool {one_line(name, 80)!r}; {meant}: {names}"
    raise click.ClickException(one_line(msg, 600))
