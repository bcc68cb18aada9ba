"""What the generated module will hold: named types, namespaces and methods."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from mcpfusion_client.codegen.actions import Action, actions
from mcpfusion_client.codegen.contract import Options
from mcpfusion_client.codegen.names import assign, class_name, identifier, unique
from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.codegen.schema import Document, Reader, Where
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
    Atom,
    Listing,
    Ref,
    Type,
    mapped,
)
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object

_IMPORTS: Final = """
    Any Literal NotRequired TypeAlias TypedDict ToolResult UNSET Unset CONTRACT Contract
    AsyncNamespace AsyncRouter SyncNamespace SyncRouter builtins
"""
_BUILTIN_WORDS: Final = "bool classmethod dict float int list property str"
_IMPORTED = frozenset(_IMPORTS.split())
_BUILTINS = frozenset(_BUILTIN_WORDS.split())
_RESULT = "Output"


@attrs.frozen(kw_only=True)
class Parameter:
    """One argument of a method.

    Attributes:
        name: In Python.
        wire: On the wire. Untrusted.
        type: What it takes.
        required: Must it be given?
        schema: Where its description and default stand. Untrusted.
    """

    name: str
    wire: str
    type: Type
    required: bool
    schema: JsonValue


@attrs.frozen(kw_only=True)
class Method:
    """One method.

    Attributes:
        name: In Python.
        action: What it calls.
        parameters: Required ones first.
        extra: The name that takes further arguments, None without.
        result: The type of the data; None when the tool declares no schema.
        notes: What could not be typed.
    """

    name: str
    action: Action
    parameters: tuple[Parameter, ...]
    extra: str | None
    result: Type | None
    notes: tuple[str, ...]


@attrs.define(kw_only=True)
class Namespace:
    """A class with methods and further namespaces.

    Attributes:
        path: On the wire. Untrusted.
        name: The class, without what marks the async and the sync one.
        methods: In order.
        children: By the name of the property.
    """

    path: tuple[str, ...]
    name: str = ""
    methods: list[Method] = attrs.field(factory=list[Method])
    children: dict[str, "Namespace"] = attrs.field(factory=dict[str, "Namespace"])

    def walk(self) -> Iterator["Namespace"]:
        """Yield the namespaces below this one and then this one."""
        for child in self.children.values():
            yield from child.walk()
        yield self


@attrs.frozen(kw_only=True)
class NamedType:
    """A TypedDict or an alias at the top of the module.

    Attributes:
        name: In Python.
        shape: What it is.
        keys: Wire names by token. Untrusted.
        source: The schema it was made from. Untrusted.
    """

    name: str
    shape: Type | Fields
    keys: Mapping[str, str]
    source: JsonValue


@attrs.frozen(kw_only=True)
class Plan:
    """The whole module.

    Attributes:
        types: By key, each after those it refers to as far as that is possible.
        root: The router.
        warnings: One line for each part that could not be typed. Untrusted names.
    """

    types: Mapping[str, NamedType]
    root: Namespace
    warnings: tuple[str, ...]


def plan(tools: Sequence[JsonObject], options: Options) -> Plan:
    """Plan the module for *tools*.

    Args:
        tools: Checked, one of each name. Untrusted.
        options: How the module is made.

    Raises:
        MissingGeneratorError: The ``codegen`` extra is not installed.
    """
    found = actions(
        tools, discriminator=options.discriminator, split_flat=options.split_flat
    )
    by_tool: dict[str, list[Action]] = {}
    for action in found:
        by_tool.setdefault(action.tool["name"], []).append(action)
    read = [_read(group) for _, group in sorted(by_tool.items())]
    found_shapes = shapes([tool.document for tool in read])
    typed = [
        attrs.evolve(tool, shapes=_without_small_aliases(tool, found))
        for tool, found in zip(read, found_shapes, strict=True)
    ]
    keys = _Keys(typed)
    reserved = {options.name, f"Sync{options.name}", *_IMPORTED, *_BUILTINS}
    types = _named(typed, keys, reserved)
    used = reserved | {named.name for named in types.values()}
    results = {tool.name: _result(tool, keys, types, used) for tool in typed}
    root = _Tree(keys=keys, taken=used - _BUILTINS, results=results).grow(typed)
    _name_classes(root, options.name, used)
    return Plan(
        types=types,
        root=root,
        warnings=tuple(
            f"{tool.name}: {note}" for tool in typed for note in tool.document.notes
        ),
    )


@attrs.frozen(kw_only=True)
class _Tool:
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


def _read(group: Sequence[Action]) -> _Tool:
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
    return _Tool(
        name=tool["name"],
        actions=group,
        document=document,
        shapes={},
        inputs=inputs,
        output=output,
    )


def _without_small_aliases(tool: _Tool, found: Shapes) -> Shapes:
    about = tool.document.about
    return inlined(found, lambda token: about[token].defined)


def _base(action: Action, *, shared: bool) -> str:
    return action.tool["name"] if shared else " ".join(action.path)


def _base_name(tool: _Tool) -> str:
    return _base(tool.actions[0], shared=len(tool.actions) > 1)


def _placed(action: Action, shared: JsonValue) -> dict[str, tuple[Where, JsonValue]]:
    """Return where each argument's types get their names from."""
    listed = shared if is_object(shared) else {}
    return {
        name: ((_base(action, shared=listed.get(name) is schema), name), schema)
        for name, schema in action.parameters.properties.items()
    }


def _named(
    typed: Iterable[_Tool], keys: "_Keys", reserved: Iterable[str]
) -> dict[str, NamedType]:
    """Return every type the methods need, dependencies first, each with a name."""
    order: dict[str, tuple[_Tool, str]] = {}
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
    return named


def _result(
    tool: _Tool, keys: "_Keys", types: dict[str, NamedType], used: set[str]
) -> Type | None:
    """Return the type of a tool's result; one that is long to write gets a name."""
    if tool.output is None:
        return None
    found = keys.of(tool, tool.field(tool.output, _RESULT))
    if found == ANY:
        return OBJECT
    part = found.item if isinstance(found, Listing) else found
    if isinstance(part, (Ref, Atom)) or part == OBJECT:
        return found
    name = unique(class_name((_base_name(tool), _RESULT)), used)
    used.add(name)
    key = f"{tool.name}\n{_RESULT}"
    types[key] = NamedType(name=name, shape=found, keys={}, source=None)
    return Ref(key)


@attrs.define
class _Keys:
    """Which types of different tools are one."""

    tools: Sequence[_Tool]
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

    def roots(self, tool: _Tool) -> list[str]:
        """Return the types the methods of *tool* mention, in order."""
        tops = [*tool.inputs, *([] if tool.output is None else [tool.output])]
        return [token for top in tops for token in sorted(mentioned(tool.shapes[top]))]

    def is_shared(self, tool: _Tool, token: str) -> bool:
        """Do all tools that define this name mean the same by it?"""
        about = tool.document.about.get(token)
        if about is None or about.shared is None or not about.defined:
            return False
        return len(self._texts.get(about.where[1], ())) == 1

    def key(self, tool: _Tool, token: str) -> str:
        """Return the key of a type of *tool*."""
        if self.is_shared(tool, token):
            return f"\n{tool.document.about[token].where[1]}"
        return f"{tool.name}\n{token}"

    def words(self, tool: _Tool, token: str) -> Where:
        """Return what the name of a type is made of."""
        about = tool.document.about
        if token not in about:
            known = max((t for t in about if token.startswith(t)), key=len, default="")
            start = about[known].where if known else (tool.name,)
            return (*start, token.removeprefix(known))
        where = about[token].where
        return where[1:] if where[:2] in self._places[tool.name] else where

    def of(self, tool: _Tool, shape: Type) -> Type:
        """Return *shape* with keys for tokens."""
        return mapped(shape, lambda token: Ref(self.key(tool, token)))

    def of_shape(self, tool: _Tool, shape: Type | Fields) -> Type | Fields:
        """Return a type or a TypedDict with keys for tokens."""
        if not isinstance(shape, Mapping):
            return self.of(tool, shape)
        return {
            key: attrs.evolve(field, type=self.of(tool, field.type))
            for key, field in shape.items()
        }


def _visit(
    tool: _Tool, token: str, keys: _Keys, order: dict[str, tuple[_Tool, str]]
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


@attrs.define
class _Node:
    """A namespace while it grows: what is in it, by wire name."""

    children: dict[str, "_Node"] = attrs.field(factory=dict[str, "_Node"])
    methods: list[tuple[str, Method]] = attrs.field(factory=list[tuple[str, Method]])


@attrs.frozen(kw_only=True)
class _Tree:
    """Puts methods into namespaces.

    Attributes:
        keys: Of every type.
        taken: Names that a method must not hide.
        results: The type of what each tool returns, by wire name.
    """

    keys: _Keys
    taken: frozenset[str] | set[str]
    results: Mapping[str, Type | None]

    def grow(self, typed: Iterable[_Tool]) -> Namespace:
        """Return the router of all tools."""
        top = _Node()
        for tool in typed:
            for action, token in zip(tool.actions, tool.inputs, strict=True):
                node = top
                for segment in action.path[:-1]:
                    node = node.children.setdefault(segment, _Node())
                name = action.path[-1]
                node.methods.append((name, self._method(tool, action, token)))
        return self._finished(top, ())

    def _finished(self, node: _Node, path: tuple[str, ...]) -> Namespace:
        wanted: dict[str, str] = {
            segment: identifier(segment, prefix="tools") for segment in node.children
        }
        waiting: dict[str, Method] = {}
        for segment, method in node.methods:
            key = segment
            if key in node.children and not _callable(node.children[key]):
                node.children[key].methods.append(("", method))
                continue
            while key in wanted:
                key += " again"
            if not segment:
                continue
            wanted[key] = identifier(segment, prefix="tool")
            waiting[key] = method
        names = assign(wanted, taken=self.taken | _ROOT_NAMES)
        return Namespace(
            path=path,
            methods=[
                *(
                    attrs.evolve(method, name="__call__")
                    for segment, method in node.methods
                    if not segment
                ),
                *(
                    attrs.evolve(waiting[key], name=names[key])
                    for key in sorted(waiting)
                ),
            ],
            children={
                names[segment]: self._finished(child, (*path, segment))
                for segment, child in sorted(node.children.items())
            },
        )

    def _method(self, tool: _Tool, action: Action, token: str) -> Method:
        given = action.parameters
        names = assign(
            {wire: identifier(wire, prefix="arg") for wire in given.properties}
        )
        found = [
            Parameter(
                name=names[wire],
                wire=wire,
                type=self.keys.of(tool, tool.field(token, wire)),
                required=wire in given.required,
                schema=schema,
            )
            for wire, schema in given.properties.items()
        ]
        extra = None
        if given.extra is not None:
            extra = unique("arguments" if not found else "extra", set(names.values()))
        return Method(
            name="",
            action=action,
            parameters=tuple(sorted(found, key=lambda each: not each.required)),
            extra=extra,
            result=self.results[tool.name],
            notes=tuple(tool.document.notes),
        )


_ROOT_NAMES: Final = frozenset({"with_options"})


def _callable(node: _Node) -> bool:
    return any(not segment for segment, _ in node.methods)


def _name_classes(root: Namespace, name: str, used: Iterable[str]) -> None:
    taken = set(used)
    for namespace in root.walk():
        if namespace is root:
            root.name = name
            continue
        wanted = class_name((*namespace.path, "Namespace"))
        twins = {each.removeprefix("Sync") for each in taken}
        namespace.name = unique(wanted, taken | twins)
        taken |= {namespace.name, f"Sync{namespace.name}"}
