"""Check results against the output schema of their tool, as both SDKs do.

The SDKs check after the call and raise an exception that has lost the result;
here the result stays at hand, and a schema that cannot be used is ignored
instead of failing a call that has already run.
"""

from collections.abc import Iterable

import attrs

from mcpfusion_client.model import ErrorInfo, FieldError, JsonObject, ToolInfo
from mcpfusion_client.output import Check, invalid_output, output_check

_MISSING = FieldError(name="(root)", message="structured content is missing")


@attrs.define(eq=False)
class OutputSchemas:
    """The output schemas of a server's tools, compiled when first used."""

    _schemas: dict[str, JsonObject] = attrs.field(
        factory=dict[str, JsonObject], init=False
    )
    _checks: dict[str, Check | None] = attrs.field(
        factory=dict[str, "Check | None"], init=False
    )

    def learn(self, tools: Iterable[ToolInfo]) -> None:
        """Replace what is known by a complete listing."""
        self._schemas = {
            tool.name: tool.output_schema
            for tool in tools
            if tool.output_schema is not None
        }
        self._checks = {}

    def check(self, tool: str, raw: JsonObject, meta: JsonObject) -> ErrorInfo | None:
        """Return what is wrong with a successful result, None if it fits.

        Args:
            tool: The wire name.
            raw: The result as wire JSON.
            meta: The request's ``_meta``; fastmcp pins a version of a tool
                there, whose schema the listing does not hold.
        """
        if tool not in self._schemas or "fastmcp" in meta:
            return None
        if "structuredContent" not in raw:
            return invalid_output(_MISSING)
        if tool not in self._checks:
            self._checks[tool] = output_check(self._schemas[tool])
        check = self._checks[tool]
        return None if check is None else check(raw["structuredContent"])
