"""The types of each tool, and which name each gets in the module."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from mcpfusion_client.codegen.actions import Action
from mcpfusion_client.codegen.dialect import Document, Where
from mcpfusion_client.codegen.module import NamedType
from mcpfusion_client.codegen.names import class_name, unique
from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.codegen.prose import of_type
from mcpfusion_client.codegen.schema import Reader
from mcpfusion_client.codegen.shapes import (
    Fields,
    Shapes,
    closure,
    inlined,
    mentioned,
    shapes,
)
from mcpfusion_client.codegen.syntax import (
    ANY,
    OBJECT,
    UNTYPED,
    Atom,
    Listing,
    Ref,
    Type,
    Writer,
    literal,
    mapped,
)
from mcpfusion_client.model import JsonValue
from mcpfusion_client.model.json import is_object

_RESULT: Final = "Output"


@attrs.frozen(kw_only=True)
class Tool:
    """One tool with its types.

    Attributes:
        name: On the wire. Untrusted.
        actions: Its actions.
        document: Its schemas.
        shapes: Its types by token.
        inputs: The token of the arguments, for each action.
        output: The token that holds the result's type, None without a schema.
    """

    name: str
    actions: Sequence[Action]
    document: Document
    shapes: Shapes
    inputs: Sequence[str]
    output: str | None

    def field(self, token: str, wire: str) -> Type:
        """Return the type of a property of an object."""
        shape = self.shapes[token]
        if not isinstance(shape, Mapping):
            return ANY
        for key, field in shape.items():
            if self.document.keys.get(key) == wire:
                return field.type
        return ANY


def typed_tools(found: Iterable[Action]) -> list[Tool]:
    """Return the tools of all actions, by name, with their types.

    Raises:
        MissingGeneratorError: The ``codegen`` extra is not installed.
    """
    by_name: dict[str, list[Action]] = {}
    for action in found:
        by_name.setdefault(action.tool["name"], []).append(action)
    read = [_read(group) for _, group in sorted(by_name.items())]
    every = shapes([tool.document for tool in read])
    return [
        attrs.evolve(tool, shapes=_without_small_aliases(tool, its))
        for tool, its in zip(read, every, strict=True)
    ]


def _read(group: Sequence[Action]) -> Tool:
    """Return the tool of *group*, its schemas read and not yet typed."""
    tool = group[0].tool
    document = Document()
    schema = tool.get("inputSchema")
    reader = Reader(document=document, pointers=Pointers(schema))
    shared = schema.get("properties") if is_object(schema) else None
    inputs = [
        reader.fields(_placed(action, shared if len(group) > 1 else None))
        for action in group
    ]
    if not group[0].parameters.known:
        document.note(("",), "no valid input schema, any argument is taken")
    output = None
    declared = tool.get("outputSchema")
    if declared is not None:
        where: Where = (_base(group[0], shared=len(group) > 1), _RESULT)
        reader = Reader(document=document, pointers=Pointers(declared))
        output = reader.fields({_RESULT: (where, declared)})
    return Tool(
        name=tool["name"],
        actions=group,
        document=document,
        shapes={},
        inputs=inputs,
        output=output,
    )


def _without_small_aliases(tool: Tool, found: Shapes) -> Shapes:
    about = tool.document.about
    return inlined(found, lambda token: about[token].defined)


def _base(action: Action, *, shared: bool) -> str:
    return action.tool["name"] if shared else " ".join(action.path)


def _base_name(tool: Tool) -> str:
    return _base(tool.actions[0], shared=len(tool.actions) > 1)


def _placed(action: Action, shared: JsonValue) -> dict[str, tuple[Where, JsonValue]]:
    """Return where each argument's types get their names from."""
    listed = shared if is_object(shared) else {}
    return {
        name: ((_base(action, shared=listed.get(name) is schema), name), schema)
        for name, schema in action.parameters.properties.items()
    }


@attrs.define
class Keys:
    """Which types of different tools are one."""

    tools: Sequence[Tool]
    _texts: dict[str, set[str | None]] = attrs.field(
        factory=dict[str, set[str | None]], init=False
    )
    _places: dict[str, set[Where]] = attrs.field(
        factory=dict[str, set[Where]], init=False
    )

    def __attrs_post_init__(self) -> None:
        for tool in self.tools:
            for token in closure(tool.shapes, self.roots(tool)):
                about = tool.document.about.get(token)
                if about is not None and about.defined:
                    self._texts.setdefault(about.where[1], set()).add(about.shared)
        for tool in self.tools:
            self._places[tool.name] = {
                about.where
                for token, about in tool.document.about.items()
                if self.is_shared(tool, token)
            }

    def roots(self, tool: Tool) -> list[str]:
        """Return the types the methods of *tool* mention, in order."""
        tops = [*tool.inputs, *([] if tool.output is None else [tool.output])]
        return [token for top in tops for token in sorted(mentioned(tool.shapes[top]))]

    def is_shared(self, tool: Tool, token: str) -> bool:
        """Do all tools that define this name mean the same by it?"""
        about = tool.document.about.get(token)
        if about is None or about.shared is None or not about.defined:
            return False
        return len(self._texts.get(about.where[1], ())) == 1

    def key(self, tool: Tool, token: str) -> str:
        """Return the key of a type of *tool*."""
        if self.is_shared(tool, token):
            return f"\n{tool.document.about[token].where[1]}"
        return f"{tool.name}\n{token}"

    def words(self, tool: Tool, token: str) -> Where:
        """Return what the name of a type is made of."""
        about = tool.document.about
        if token not in about:
            known = max((t for t in about if token.startswith(t)), key=len, default="")
            start = about[known].where if known else (tool.name,)
            return (*start, token.removeprefix(known))
        where = about[token].where
        return where[1:] if where[:2] in self._places[tool.name] else where

    def of(self, tool: Tool, shape: Type) -> Type:
        """Return *shape* with keys for tokens."""
        return mapped(shape, lambda token: Ref(self.key(tool, token)))

    def of_shape(self, tool: Tool, shape: Type | Fields) -> Type | Fields:
        """Return a type or a TypedDict with keys for tokens."""
        if not isinstance(shape, Mapping):
            return self.of(tool, shape)
        return {
            key: attrs.evolve(field, type=self.of(tool, field.type))
            for key, field in shape.items()
        }


def named_types(
    typed: Iterable[Tool], keys: Keys, reserved: Iterable[str]
) -> dict[str, NamedType]:
    """Return every type the methods need, dependencies first, each with a name."""
    order: dict[str, tuple[Tool, str]] = {}
    for tool in typed:
        for token in keys.roots(tool):
            _visit(tool, token, keys, order)
    used = set(reserved)
    named: dict[str, NamedType] = {}
    for key, (tool, token) in order.items():
        name = unique(class_name(keys.words(tool, token)), used)
        used.add(name)
        about = tool.document.about.get(token)
        named[key] = NamedType(
            name=name,
            shape=keys.of_shape(tool, tool.shapes[token]),
            keys=tool.document.keys,
            source=None if about is None else about.source,
        )
    return _without_twins(named, {key: tool.name for key, (tool, _) in order.items()})


def _without_twins(
    named: Mapping[str, NamedType], tools: Mapping[str, str]
) -> dict[str, NamedType]:
    """Make a TypedDict that another one of its tool says already a name for that one.

    Every type keeps its name, and a class is made once: most schemas are written by
    programs that repeat the whole of an object wherever it is used.

    Args:
        named: The types, dependencies first.
        tools: The tool of each, by key.
    """
    first: dict[tuple[str, ...], str] = {}
    twins: dict[str, str] = {}
    writer = Writer(name=lambda key: literal(twins.get(key, key)))
    for key, each in named.items():
        if isinstance(each.shape, Mapping):
            said = _said(each, each.shape, writer)
            twin = first.setdefault((tools[key], *said), key)
            if twin != key:
                twins[key] = twin
    return {
        key: attrs.evolve(each, shape=Ref(twins[key])) if key in twins else each
        for key, each in named.items()
    }


def _said(named: NamedType, fields: Fields, writer: Writer) -> list[str]:
    """Return all that a TypedDict says but its name."""
    said = [literal(line) for line in of_type(named, fields)]
    for token, field in fields.items():
        mark = "" if field.required else "?"
        said.append(f"{literal(named.keys[token])}{mark}: {writer.flat(field.type)}")
    return said


def result_of(
    tool: Tool, keys: Keys, types: dict[str, NamedType], used: set[str]
) -> Type | None:
    """Return the type of a tool's result; one that is long to write gets a name."""
    if tool.output is None:
        return None
    found = keys.of(tool, tool.field(tool.output, _RESULT))
    if found in {ANY, UNTYPED}:
        return OBJECT
    part = found.item if isinstance(found, Listing) else found
    if isinstance(part, (Ref, Atom)) or part == OBJECT:
        return found
    name = unique(class_name((_base_name(tool), _RESULT)), used)
    used.add(name)
    key = f"{tool.name}\n{_RESULT}"
    types[key] = NamedType(name=name, shape=found, keys={}, source=None)
    return Ref(key)


def _visit(
    tool: Tool, token: str, keys: Keys, order: dict[str, tuple[Tool, str]]
) -> None:
    """Add *token* to *order*, after what it refers to; no recursion."""
    waiting = [(token, False)]
    opened: set[str] = set()
    while waiting:
        here, done = waiting.pop()
        key = keys.key(tool, here)
        if done:
            order.setdefault(key, (tool, here))
        elif key not in order and here not in opened:
            opened.add(here)
            waiting.append((here, True))
            waiting += [
                (other, False)
                for other in sorted(mentioned(tool.shapes[here]), reverse=True)
            ]
