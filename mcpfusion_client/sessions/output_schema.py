"""Check results against the output schema of their tool, as both SDKs do.

The SDKs check after the call and raise an exception that has lost the result;
here the result stays at hand, and a schema that cannot be used is ignored
instead of failing a call that has already run.
"""

import importlib
from collections.abc import Iterable
from typing import Any

import attrs

from mcpfusion_client.model import JsonObject, ToolInfo

_MAX_REASON = 300


@attrs.define(eq=False)
class OutputSchemas:
    """The output schemas of a server's tools, compiled when first used."""

    _schemas: dict[str, JsonObject] = attrs.field(
        factory=dict[str, JsonObject], init=False
    )
    _validators: dict[str, Any] = attrs.field(factory=dict[str, Any], init=False)

    def learn(self, tools: Iterable[ToolInfo]) -> None:
        """Replace what is known by a complete listing."""
        self._schemas = {
            tool.name: tool.output_schema
            for tool in tools
            if tool.output_schema is not None
        }
        self._validators = {}

    def check(self, tool: str, raw: JsonObject, meta: JsonObject) -> str | None:
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
            return "structured content is missing"
        validator = self._validator(tool)
        if validator is None:
            return None
        return _first_error(validator, raw["structuredContent"])

    def _validator(self, tool: str) -> Any:
        if tool not in self._validators:
            self._validators[tool] = _compiled(self._schemas[tool])
        return self._validators[tool]


def _compiled(schema: JsonObject) -> Any:
    jsonschema = importlib.import_module("jsonschema")
    validators = importlib.import_module("jsonschema.validators")
    referencing = importlib.import_module("referencing")
    cls = validators.validator_for(schema)
    try:
        cls.check_schema(schema)
    except jsonschema.SchemaError:
        return None
    # An empty registry: nothing is ever fetched for a reference.
    return cls(schema, registry=referencing.Registry())


def _first_error(validator: Any, content: object) -> str | None:
    exceptions = importlib.import_module("jsonschema.exceptions")
    unresolvable = importlib.import_module("referencing.exceptions").Unresolvable
    try:
        error = exceptions.best_match(validator.iter_errors(content))
    except (unresolvable, RecursionError):
        return None
    if error is None:
        return None
    place = "/".join(str(part) for part in error.absolute_path) or "(root)"
    return f"{place}: {error.message}"[:_MAX_REASON]
