"""Tools become actions: what a router offers under one path.

A dotted or flat tool is one action. A grouped tool is one for each value of its
discriminator, with the arguments that belong to this value as far as the schema
tells: by branches, or by the notes MCP Fusion writes into descriptions.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from mcpfusion_client.codegen.names import path_of
from mcpfusion_client.codegen.parameters import Parameters, allowed, parameters
from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object

DISCRIMINATOR: Final = "action"
_MAX_ACTIONS: Final = 500
_LONGEST_NOTE: Final = 20_000
_NOTE = re.compile(r"(?:^|\. )(?:Required for: ([^\n]*?)(?:\. For: ([^\n]*))?)$")
_OPTIONAL_NOTE = re.compile(r"(?:^|\. )For: ([^\n]*)$")


@attrs.frozen(kw_only=True)
class Action:
    """One method of a router.

    Attributes:
        path: Its namespaces and its name, as on the wire. Untrusted.
        tool: The tool it calls, as the server lists it, with wire keys. Untrusted.
        fixed: Arguments that are always sent: the discriminator and its value.
        parameters: What the caller passes.
    """

    path: tuple[str, ...]
    tool: JsonObject
    fixed: Mapping[str, str] = attrs.field(factory=dict[str, str])
    parameters: Parameters

    @property
    def key(self) -> tuple[str, ...]:
        """What tells this action from every other one."""
        return (self.tool["name"], *self.fixed.values())


def actions(
    tools: Iterable[JsonObject],
    *,
    discriminator: str = DISCRIMINATOR,
    split_flat: bool = True,
) -> list[Action]:
    """Return every action of *tools*, in an order that does not depend on theirs.

    Args:
        tools: Tools as in a ``tools/list`` result. Untrusted.
        discriminator: The argument that chooses the action of a grouped tool
            when its schema does not tell.
        split_flat: Make ``billing.get`` of ``billing_get``.
    """
    found = [
        action
        for tool in tools
        for action in _actions_of(tool, discriminator, split_flat=split_flat)
    ]
    return sorted(found, key=lambda action: (action.path, action.key))


def _actions_of(
    tool: JsonObject, discriminator: str, *, split_flat: bool
) -> list[Action]:
    schema = tool.get("inputSchema")
    pointers = Pointers(schema)
    name = tool["name"]
    key = grouped_by(schema, pointers, discriminator)
    if key is None:
        return [
            Action(
                path=path_of(name, split_flat=split_flat),
                tool=tool,
                parameters=parameters(schema, pointers),
            )
        ]
    return [
        Action(
            path=(name, *(part for part in value.split(".") if part)),
            tool=tool,
            fixed={key: value},
            parameters=_parameters_of(schema, pointers, key, value),
        )
        for value in actions_in(schema, pointers, key)
    ]


def grouped_by(
    schema: JsonValue, pointers: Pointers, discriminator: str = DISCRIMINATOR
) -> str | None:
    """Return the argument that chooses the action; None for a tool of its own.

    Args:
        schema: The input schema. Untrusted.
        pointers: Follows its references.
        discriminator: The name to look for when the schema does not tell.
    """
    if not is_object(schema):
        return None
    stated = schema.get("discriminator")
    named = stated.get("propertyName") if is_object(stated) else None
    if isinstance(named, str) and actions_in(schema, pointers, named):
        return named
    tag = _common_tag(schema, pointers)
    if tag is not None:
        return tag
    return discriminator if actions_in(schema, pointers, discriminator) else None


def _common_tag(schema: JsonObject, pointers: Pointers) -> str | None:
    """Return the property that is one different constant in every branch."""
    for word in ("oneOf", "anyOf"):
        branches = [_resolved(part, pointers) for part in _listed(schema.get(word))]
        if len(branches) <= 1 or not all(branches):
            continue
        for name in branches[0]:
            tags = [allowed(branch.get(name), pointers) for branch in branches]
            if all(len(tag) == 1 for tag in tags) and len(set(tags)) == len(tags):
                return name
    return None


def _resolved(branch: JsonValue, pointers: Pointers) -> JsonObject:
    target = pointers.follow(branch.get("$ref")) if is_object(branch) else None
    schema = branch if target is None else target.schema
    properties = schema.get("properties") if is_object(schema) else None
    return properties if is_object(properties) else {}


def actions_in(schema: JsonValue, pointers: Pointers, key: str) -> tuple[str, ...]:
    """Return every action the schema allows, in order, without doubles."""
    rule = parameters(schema, pointers).properties.get(key)
    values = _all_allowed(rule, pointers)
    if any(not value for value in values):
        return ()
    return tuple(dict.fromkeys(values))[:_MAX_ACTIONS]


def _all_allowed(rule: JsonValue, pointers: Pointers) -> list[str]:
    values = list(allowed(rule, pointers))
    if not values and is_object(rule):
        for branch in _listed(rule.get("anyOf")):
            values += allowed(branch, pointers)
    return values


def _parameters_of(
    schema: JsonValue, pointers: Pointers, key: str, value: str
) -> Parameters:
    everything = parameters(schema, pointers)
    own = parameters(schema, pointers, {key: value})
    if not own.known and everything.known:
        own = everything
    if own.properties.keys() == everything.properties.keys():
        own = _by_notes(own, value, actions_in(schema, pointers, key))
    return own.without([key])


def _by_notes(shared: Parameters, value: str, values: Sequence[str]) -> Parameters:
    """Keep what the notes in the descriptions leave to the action *value*."""
    gone: set[str] = set()
    required = set(shared.required)
    for name, schema in shared.properties.items():
        note = note_of(schema, values)
        if note is None:
            continue
        if value in note.required:
            required.add(name)
        elif value not in note.optional:
            gone.add(name)
    return attrs.evolve(shared, required=frozenset(required)).without(gone)


@attrs.frozen(kw_only=True)
class Note:
    """Which actions an argument belongs to.

    Attributes:
        required: The actions that need it.
        optional: The actions that may have it.
    """

    required: frozenset[str]
    optional: frozenset[str]


def note_of(schema: JsonValue, values: Sequence[str]) -> Note | None:
    """Return what the description of an argument says it is for; None: nothing.

    MCP Fusion ends it with ``Required for: create. For: list``. It counts only
    when every name in it is one of *values*.
    """
    text = schema.get("description") if is_object(schema) else None
    if not isinstance(text, str):
        return None
    tail = text[-_LONGEST_NOTE:]
    if match := _NOTE.search(tail):
        required, optional = _names(match[1]), _names(match[2])
    elif match := _OPTIONAL_NOTE.search(tail):
        required, optional = frozenset[str](), _names(match[1])
    else:
        return None
    named = required | optional
    return Note(required=required, optional=optional) if named <= set(values) else None


def note_text(note: Note) -> str:
    """Return *note* the way `note_of` reads it."""
    required = ", ".join(sorted(note.required))
    optional = ", ".join(sorted(note.optional))
    parts = [f"Required for: {required}"] if required else []
    return ". ".join([*parts, *([f"For: {optional}"] if optional else [])])


def _names(text: str | None) -> frozenset[str]:
    return frozenset(text.split(", ")) if text else frozenset()


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if is_array(value) else []
