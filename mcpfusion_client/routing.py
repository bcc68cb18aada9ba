"""From an action path to a tool and its arguments, and back.

MCP Fusion serves ``billing.invoices.get`` either as a flat tool
(``billing_invoices.get``, or ``billing_invoices_get``) or as one action of a
grouped tool (``billing`` with ``{"action": "invoices.get"}``). Nothing here does
I/O: the tool list comes in as an argument.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import attrs

from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo

DEFAULT_ACTION = "default"
"""What a grouped tool is asked for when it is called by its bare name."""

_BRANCHES = ("oneOf", "anyOf", "allOf")


@attrs.frozen(kw_only=True)
class Route:
    """Where a call goes.

    Attributes:
        action: The canonical dotted path.
        tool: The wire name.
        arguments: What the tool gets, its discriminator included.
    """

    action: str
    tool: str
    arguments: dict[str, JsonValue]


@attrs.frozen(eq=False)
class Router:
    """Knows the tools of a server and finds the one that a path means.

    Attributes:
        tools: The listed tools by wire name.
        discriminator: The argument that chooses the action of a grouped tool
            whose schema does not tell.
    """

    tools: Mapping[str, ToolInfo]
    discriminator: str
    _keys: dict[str, tuple[str, ...]] = attrs.field(
        factory=dict[str, tuple[str, ...]], init=False, repr=False
    )

    def route(self, action: str, arguments: dict[str, JsonValue]) -> Route | None:
        """Find the tool that *action* means; the first of these that is listed.

        * the exact name; when it takes a discriminator that knows ``default``,
          that
        * the flat spelling: the first dot as an underscore, then every dot
        * the part before the first dot, with the rest in its discriminator

        Args:
            action: The path, dotted or a wire name.
            arguments: What the caller passes; the path beats a discriminator in
                it.

        Returns:
            The route, None when no listed tool fits.
        """
        tools = self.tools
        if action in tools:
            filled = _with_default(arguments, tools[action], self.discriminator)
            return Route(
                action=self.canonical(action, filled), tool=action, arguments=filled
            )
        for spelling in (action.replace(".", "_", 1), action.replace(".", "_")):
            if spelling in tools:
                return Route(action=action, tool=spelling, arguments=arguments)
        head, _, rest = action.partition(".")
        if rest and head in tools:
            schema = tools[head].input_schema
            key = find_discriminator(schema, rest, self.discriminator)
            return Route(action=action, tool=head, arguments={**arguments, key: rest})
        return None

    def unlisted(self, action: str, arguments: dict[str, JsonValue]) -> Route:
        """Return the grouped form of *action*, for the server to answer.

        Args:
            action: A path that no listed tool fits.
            arguments: What the caller passes.
        """
        head, _, rest = action.partition(".")
        if not head or not rest:
            path = self.canonical(action, arguments)
            return Route(action=path, tool=action, arguments=arguments)
        filled = {**arguments, self.discriminator: rest}
        return Route(action=action, tool=head, arguments=filled)

    def canonical(self, tool: str, arguments: JsonObject) -> str:
        """Return the dotted path of a call of *tool*, however it was spelled.

        Args:
            tool: The wire name.
            arguments: What the tool gets; its discriminator is looked for in them.
        """
        for key in self._discriminators(tool):
            value = arguments.get(key)
            if value and isinstance(value, str) and self._chooses(tool, key, value):
                return f"{tool}.{value}"
        head, _, rest = tool.partition("_")
        if head and rest and "." not in head:
            return f"{head}.{rest}"
        return tool

    def _discriminators(self, tool: str) -> tuple[str, ...]:
        """Return the arguments of *tool* that may choose an action."""
        keys = self._keys.get(tool)
        if keys is None:
            if tool not in self.tools:
                return (self.discriminator,)
            schema = self.tools[tool].input_schema
            stated = _stated(schema)
            keys = (stated,) if stated else (self.discriminator, *_choices(schema))
            self._keys[tool] = keys
        return keys

    def _chooses(self, tool: str, key: str, value: str) -> bool:
        """Would a path that ends in *value* have put it into *key*?"""
        if tool not in self.tools:
            return True
        schema = self.tools[tool].input_schema
        return find_discriminator(schema, value, self.discriminator) == key


def find_discriminator(schema: JsonObject, value: str, fallback: str) -> str:
    """Return the argument that chooses *value* among the actions of a grouped tool.

    Args:
        schema: Untrusted; the tool's input schema.
        value: The action to choose.
        fallback: The argument to use when the schema does not tell.
    """
    stated = _stated(schema)
    if stated:
        return stated
    choices = _choices(schema)
    required = _required(schema)
    knowing = [key for key, values in choices.items() if value in values]
    for found in (
        [key for key in knowing if key == fallback],
        [key for key in knowing if key in required],
        knowing,
        [fallback] if fallback in _properties(schema) else [],
        [key for key in choices if key in required],
    ):
        if found:
            return found[0]
    return fallback


def _stated(schema: JsonObject) -> str | None:
    """Return the discriminator that *schema* names, as OpenAPI does."""
    name = _mapping(schema.get("discriminator")).get("propertyName")
    return name if isinstance(name, str) else None


def _with_default(
    arguments: dict[str, JsonValue], tool: ToolInfo, fallback: str
) -> dict[str, JsonValue]:
    schema = tool.input_schema
    key = find_discriminator(schema, DEFAULT_ACTION, fallback)
    certain = key == fallback or key in _required(schema)
    if (
        certain
        and key not in arguments
        and DEFAULT_ACTION in _choices(schema).get(key, ())
    ):
        return {**arguments, key: DEFAULT_ACTION}
    return arguments


def _choices(schema: JsonObject) -> dict[str, list[str]]:
    """Return the texts that each enumerated property of *schema* may be."""
    choices: dict[str, list[str]] = {}
    for part in _parts(schema):
        for name, rule in _mapping(part.get("properties")).items():
            allowed = _allowed(_mapping(rule))
            if allowed:
                choices.setdefault(name, []).extend(allowed)
    return choices


def _allowed(rule: JsonObject) -> list[str]:
    allowed: list[str] = []
    for part in _parts(rule):
        values = _sequence(part.get("enum"))
        if "const" in part:
            values = [*values, part["const"]]
        allowed += [value for value in values if isinstance(value, str)]
    return allowed


def _parts(schema: JsonObject) -> Iterator[JsonObject]:
    """Yield *schema* and the schemas it is put together from, one level deep."""
    yield schema
    for keyword in _BRANCHES:
        for branch in _sequence(schema.get(keyword)):
            yield _mapping(branch)


def _properties(schema: JsonObject) -> frozenset[str]:
    return frozenset(
        name for part in _parts(schema) for name in _mapping(part.get("properties"))
    )


def _required(schema: JsonObject) -> frozenset[str]:
    return frozenset(
        name
        for part in _parts(schema)
        for name in _sequence(part.get("required"))
        if isinstance(name, str)
    )


def _mapping(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[JsonValue]:
    return cast("Sequence[JsonValue]", value) if isinstance(value, list) else ()
