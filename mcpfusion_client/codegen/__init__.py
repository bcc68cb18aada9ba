"""``tools/list`` becomes a typed router, and two lists become a graded difference.

Pure: no I/O, no clock. The tools are untrusted; see `schema`, `text` and `syntax`
for what keeps their words from becoming code.
"""

from collections.abc import Iterable

import attrs

from mcpfusion_client.codegen.contract import (
    NoContractError,
    Options,
    read_contract,
    remember,
    wire_tool,
)
from mcpfusion_client.codegen.diff import Change, Grade, at_least, diff, worst
from mcpfusion_client.codegen.expressions import MissingGeneratorError
from mcpfusion_client.codegen.plan import plan
from mcpfusion_client.codegen.render import render
from mcpfusion_client.codegen.text import clean_line
from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo
from mcpfusion_client.model.json import is_object
from mcpfusion_client.router import Contract

__all__ = [
    "Change",
    "Contract",
    "Generated",
    "Grade",
    "MissingGeneratorError",
    "NoContractError",
    "Options",
    "at_least",
    "checked",
    "diff",
    "generate",
    "read_contract",
    "worst",
]


@attrs.frozen(kw_only=True)
class Generated:
    """A module.

    Attributes:
        source: Its text.
        warnings: One line for everything that could not be typed.
    """

    source: str
    warnings: tuple[str, ...]


def generate(
    tools: Iterable[ToolInfo | JsonObject], options: Options | None = None
) -> Generated:
    """Return a typed router for *tools*.

    Args:
        tools: What a server lists, in any order. Untrusted.
        options: How the module is made.

    Raises:
        MissingGeneratorError: The ``codegen`` extra is not installed.
    """
    chosen = options or Options()
    listed, warnings = checked(tools)
    planned = plan(listed, chosen)
    return Generated(
        source=render(planned, remember(listed, chosen)),
        warnings=tuple(
            clean_line(warning) for warning in (*warnings, *planned.warnings)
        ),
    )


def checked(
    tools: Iterable[ToolInfo | JsonObject | JsonValue],
) -> tuple[list[JsonObject], list[str]]:
    """Return the tools that can be called, one of each name, and what was dropped."""
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
            kept[name] = listed
    return list(kept.values()), dropped
