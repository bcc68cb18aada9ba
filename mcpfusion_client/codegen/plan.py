"""What the generated module will hold: named types, namespaces and methods."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from mcpfusion_client.codegen.actions import Action, actions
from mcpfusion_client.codegen.contract import Options
from mcpfusion_client.codegen.module import Method, Namespace, Parameter, Plan
from mcpfusion_client.codegen.names import assign, class_name, identifier, unique
from mcpfusion_client.codegen.naming import (
    Keys,
    Tool,
    named_types,
    result_of,
    typed_tools,
)
from mcpfusion_client.codegen.syntax import Type
from mcpfusion_client.model import JsonObject

_IMPORTS: Final = """
    Any Literal NotRequired TypeAlias TypedDict ToolResult UNSET Unset CONTRACT Contract
    AsyncNamespace AsyncRouter SyncNamespace SyncRouter builtins
"""
_BUILTIN_WORDS: Final = "bool classmethod dict float int list property str"
_IMPORTED = frozenset(_IMPORTS.split())
_BUILTINS = frozenset(_BUILTIN_WORDS.split())


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
    typed = typed_tools(found)
    keys = Keys(typed)
    reserved = {options.name, f"Sync{options.name}", *_IMPORTED, *_BUILTINS}
    types = named_types(typed, keys, reserved)
    used = reserved | {named.name for named in types.values()}
    results = {tool.name: result_of(tool, keys, types, used) for tool in typed}
    root = _Tree(keys=keys, taken=used - _BUILTINS, results=results).grow(typed)
    _name_classes(root, options.name, used)
    return Plan(
        types=types,
        root=root,
        warnings=tuple(
            f"{tool.name}: {note}" for tool in typed for note in tool.document.notes
        ),
    )


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

    keys: Keys
    taken: frozenset[str] | set[str]
    results: Mapping[str, Type | None]

    def grow(self, typed: Iterable[Tool]) -> Namespace:
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

    def _method(self, tool: Tool, action: Action, token: str) -> Method:
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
