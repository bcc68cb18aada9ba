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


def route(
    action: str,
    arguments: dict[str, JsonValue],
    tools: Mapping[str, ToolInfo],
    *,
    discriminator: str,
) -> Route | None:
    """Find the listed tool that *action* means; the first of these that is listed.

    * the exact name; when it takes a discriminator that knows ``default``, that
    * the flat spelling: the first dot as an underscore, then every dot
    * the part before the first dot, with the rest in its discriminator

    Args:
        action: The path, dotted or a wire name.
        arguments: What the caller passes; the path beats a discriminator in it.
        tools: The listed tools by wire name.
        discriminator: The argument to use when the schema does not tell.

    Returns:
        The route, None when no listed tool fits.
    """
    if action in tools:
        filled = _with_default(arguments, tools[action], discriminator)
        return Route(
            action=canonical(action, filled, tools, discriminator=discriminator),
            tool=action,
            arguments=filled,
        )
    for spelling in (action.replace(".", "_", 1), action.replace(".", "_")):
        if spelling in tools:
            return Route(action=action, tool=spelling, arguments=arguments)
    head, _, rest = action.partition(".")
    if rest and head in tools:
        key = find_discriminator(tools[head].input_schema, rest, discriminator)
        return Route(action=action, tool=head, arguments={**arguments, key: rest})
    return None


def unlisted(
    action: str, arguments: dict[str, JsonValue], *, discriminator: str
) -> Route:
    """Return the grouped form of *action*, for the server to answer.

    Args:
        action: A path that no listed tool fits.
        arguments: What the caller passes.
        discriminator: The argument that takes what follows the first dot.
    """
    head, _, rest = action.partition(".")
    if not head or not rest:
        return Route(action=action, tool=action, arguments=arguments)
    return Route(action=action, tool=head, arguments={**arguments, discriminator: rest})


def canonical(
    tool: str,
    arguments: JsonObject,
    tools: Mapping[str, ToolInfo],
    *,
    discriminator: str,
) -> str:
    """Return the dotted path of a call of *tool*, however it was spelled.

    Args:
        tool: The wire name.
        arguments: What the tool gets; its discriminator is looked for in them.
        tools: The listed tools by wire name.
        discriminator: The argument to use when the schema does not tell.
    """
    schema: JsonObject = tools[tool].input_schema if tool in tools else {}
    for key, value in arguments.items():
        if (
            isinstance(value, str)
            and value
            and (key == discriminator or key in _properties(schema))
            and _is_discriminator(key, value, schema, discriminator)
        ):
            return f"{tool}.{value}"
    head, underscore, rest = tool.partition("_")
    if underscore and head and rest and "." not in head:
        return f"{head}.{rest}"
    return tool


def find_discriminator(schema: JsonObject, value: str, fallback: str) -> str:
    """Return the argument that chooses *value* among the actions of a grouped tool.

    Args:
        schema: Untrusted; the tool's input schema.
        value: The action to choose.
        fallback: The argument to use when the schema does not tell.
    """
    stated = _mapping(schema.get("discriminator")).get("propertyName")
    if isinstance(stated, str) and stated:
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


def _is_discriminator(key: str, value: str, schema: JsonObject, fallback: str) -> bool:
    """Would an action path that ends in *value* have put it into *key*?"""
    return find_discriminator(schema, value, fallback) == key


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
