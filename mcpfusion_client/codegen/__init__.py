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
)
from mcpfusion_client.codegen.diff import Change, Grade, at_least, diff, worst
from mcpfusion_client.codegen.expressions import MissingGeneratorError
from mcpfusion_client.codegen.listing import checked
from mcpfusion_client.codegen.plan import plan
from mcpfusion_client.codegen.render import render
from mcpfusion_client.codegen.text import clean_line
from mcpfusion_client.model import JsonObject, ToolInfo
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
