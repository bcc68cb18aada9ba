"""Fetch the tool list, every page, as `ToolInfo`s."""

from typing import Any

from mcpfusion_client.model import JsonObject, ToolInfo
from mcpfusion_client.model.json import is_mapping
from mcpfusion_client.sessions.compat import Sdk, SdkSession
from mcpfusion_client.sessions.shapes import is_sequence

_MAX_PAGES = 1000


async def fetch_tools(sdk: Sdk, session: SdkSession) -> tuple[ToolInfo, ...]:
    """Return every tool the server lists.

    A server that repeats a cursor, or never stops, is cut off.
    """
    tools: list[ToolInfo] = []
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        listing = await session.list_tools(params=sdk.page(cursor))
        tools.extend(tool_info(tool) for tool in listing.tools)
        cursor = sdk.next_cursor(listing)
        if cursor is None or cursor in seen:
            break
        seen.add(cursor)
    return tuple(tools)


def tool_info(tool: Any) -> ToolInfo:
    """Return a tool of either SDK, or its wire JSON, as a `ToolInfo`."""
    wire: JsonObject
    if is_mapping(tool):
        wire = tool
    else:
        wire = tool.model_dump(by_alias=True, mode="json", exclude_none=True)
    return ToolInfo(
        name=str(wire["name"]),
        title=_text(wire.get("title")),
        description=_text(wire.get("description")),
        input_schema=_object(wire.get("inputSchema")) or {},
        output_schema=_object(wire.get("outputSchema")),
        annotations=_object(wire.get("annotations")) or {},
        meta=_object(wire.get("_meta")) or {},
    )


def tool_infos(listing: object) -> tuple[ToolInfo, ...]:
    """Return whatever a ``list_tools`` returned as `ToolInfo`s."""
    tools: object
    if is_mapping(listing):
        tools = listing.get("tools")
    else:
        tools = getattr(listing, "tools", listing)
    if not is_sequence(tools):
        return ()
    return tuple(
        tool if isinstance(tool, ToolInfo) else tool_info(tool) for tool in tools
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: object) -> JsonObject | None:
    return value if is_mapping(value) else None
