"""A tool list before anything looks at it: callable tools, JSON of a sane depth."""

from collections.abc import Iterable, Mapping
from typing import Final, cast

from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo
from mcpfusion_client.model.json import is_object

_MAX_DEPTH: Final = 150


def checked(
    tools: Iterable[ToolInfo | JsonObject | JsonValue],
) -> tuple[list[JsonObject], list[str]]:
    """Return the tools that can be called, one of each name, and what was dropped.

    Args:
        tools: What a server lists. Untrusted.
    """
    kept: dict[str, JsonObject] = {}
    dropped: list[str] = []
    for number, tool in enumerate(tools, start=1):
        listed = wire_tool(tool) if isinstance(tool, ToolInfo) else tool
        name = listed.get("name") if is_object(listed) else None
        if not isinstance(name, str) or not name:
            dropped.append(f"tool {number} of the list has no name; left out")
        elif name in kept:
            dropped.append(f"{name}: listed twice; the first one counts")
        else:
            copy = _Copy()
            kept[name] = copy.of(listed)
            if copy.is_cut:
                dropped.append(f"{name}: nested deeper than {_MAX_DEPTH}; cut there")
    return list(kept.values()), dropped


def wire_tool(tool: ToolInfo) -> dict[str, JsonValue]:
    """Return *tool* with the keys of the wire."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": tool.annotations,
    }


class _Copy:
    """Copies JSON into plain lists and dictionaries, down to a depth.

    Attributes:
        is_cut: Was there more below it?
    """

    def __init__(self) -> None:
        self.is_cut = False

    def of(self, value: JsonValue, depth: int = 0) -> JsonValue:
        """Return a copy of *value*; what is too deep becomes None."""
        is_mapping = isinstance(value, Mapping)
        if not is_mapping and not isinstance(value, (list, tuple)):
            return value
        if depth >= _MAX_DEPTH:
            self.is_cut = True
            return None
        if is_mapping:
            items = cast("Mapping[object, JsonValue]", value).items()
            return {str(key): self.of(part, depth + 1) for key, part in items}
        parts = cast("Iterable[JsonValue]", value)
        return [self.of(part, depth + 1) for part in parts]
