"""The module as text: types, namespaces, routers and the contract.

Every line is made of words of this package, identifiers of `names`, types of
`syntax` and literals; text of the server stands in docstrings only, cleaned.
"""

import keyword
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import attrs

from mcpfusion_client.codegen.layout import Layout, width
from mcpfusion_client.codegen.module import Method, NamedType, Namespace, Plan
from mcpfusion_client.codegen.prose import of_method, of_namespace, of_type
from mcpfusion_client.codegen.shapes import Fields
from mcpfusion_client.codegen.syntax import (
    WIDTH,
    Atom,
    Either,
    Ref,
    Type,
    Writer,
    builtins_of,
    literal,
    references,
    uses,
)
from mcpfusion_client.codegen.text import docstring
from mcpfusion_client.router import Contract

_HEADER: Final = (
    '"""A typed router, written by ``mcpfusion codegen``; do not edit."""',
    "",
    "# ruff: noqa",
    "",
)
_UNSET: Final = Atom("Unset")
_BETWEEN: Final = ("", "")


def render(plan: Plan, contract: Contract) -> str:
    """Return the source of the module.

    Args:
        plan: What it holds.
        contract: What it remembers of the tools.
    """
    module = _Module(plan)
    body = [
        *module.types(),
        *module.classes(sync=True),
        *module.classes(sync=False),
        *_contract(contract),
    ]
    return "\n".join([*_HEADER, *module.imports(), *body]) + "\n"


@attrs.define
class _Module:
    """Writes the module of a plan and remembers what it has to import.

    Attributes:
        plan: What the module holds.
        written: Keys of the types written so far.
        quoted: Keys of aliases that are a string at run time.
        words: What of `typing` and this package is used.
    """

    plan: Plan
    written: set[str] = attrs.field(factory=set[str])
    quoted: set[str] = attrs.field(factory=set[str])
    words: set[str] = attrs.field(factory=set[str])

    def imports(self) -> Iterator[str]:
        """Yield the imports of what has been written."""
        words = sorted(self.words - {"builtins", "Unset"})
        if "builtins" in self.words:
            yield "import builtins"
        if words:
            yield f"from typing import {', '.join(words)}"
        if self.words - {"Unset"}:
            yield ""
        names = {"AsyncRouter", "Contract", "SyncRouter", "ToolResult"}
        names |= {"UNSET", "Unset"} if "Unset" in self.words else set()
        if self.plan.root.children:
            names |= {"AsyncNamespace", "SyncNamespace"}
        yield "from mcpfusion_client.router import ("
        constants_first = sorted(names, key=lambda name: (not name.isupper(), name))
        yield from (f"    {name}," for name in constants_first)
        yield ")"

    def types(self) -> Iterator[str]:
        """Yield the named types."""
        for key, named in self.plan.types.items():
            yield from _BETWEEN
            if isinstance(named.shape, Mapping):
                yield from self._typed_dict(named, named.shape)
            else:
                yield from self._alias(key, named.name, named.shape)
            self.written.add(key)

    def classes(self, *, sync: bool) -> Iterator[str]:
        """Yield the namespaces and the router, without or with ``await``."""
        for namespace in self.plan.root.walk():
            yield from _BETWEEN
            yield from self._class(namespace, sync=sync)

    def _writer(self, shadowed: Collection[str] = ()) -> Writer:
        return Writer(name=lambda key: self.plan.types[key].name, shadowed=shadowed)

    def _note(self, shape: Type) -> None:
        self.words |= {word for word in ("Any", "Literal") if uses(shape, word)}

    def _needs_quotes(self, shape: Type) -> bool:
        """Would evaluating *shape* fail while the module is imported?"""
        named = references(shape)
        if not named <= self.written:
            return True
        return isinstance(shape, Either) and not named.isdisjoint(self.quoted)

    def _evaluable(self, shape: Type, writer: Writer) -> Type:
        self._note(shape)
        if self._needs_quotes(shape):
            return Atom(literal(writer.flat(shape)))
        return shape

    def _alias(self, key: str, name: str, shape: Type) -> list[str]:
        self.words.add("TypeAlias")
        writer = self._writer()
        # A name for a string is a string too.
        if self._needs_quotes(shape) or (
            isinstance(shape, Ref) and shape.key in self.quoted
        ):
            self.quoted.add(key)
        return Layout(writer).alias(name, self._evaluable(shape, writer))

    def _typed_dict(self, named: NamedType, fields: Fields) -> list[str]:
        self.words.add("TypedDict")
        if not all(field.required for field in fields.values()):
            self.words.add("NotRequired")
        if self._fits_class(named, fields):
            return self._class_of_fields(named, fields)
        writer = self._writer()
        layout = Layout(writer)
        lines = [f"{named.name} = TypedDict(", f'    "{named.name}",', "    {"]
        for token, field in fields.items():
            shape = self._evaluable(field.type, writer)
            lines += layout.item(named.keys[token], shape, required=field.required)
        return [*lines, "    },", ")"]

    def _class_of_fields(self, named: NamedType, fields: Fields) -> list[str]:
        writer = self._writer()
        layout = Layout(writer)
        lines = [f"class {named.name}(TypedDict):"]
        told = of_type(named, fields)
        lines += [*told, ""] if told else []
        for token, field in fields.items():
            shape = self._evaluable(field.type, writer)
            lines += layout.field(named.keys[token], shape, required=field.required)
        return lines

    def _fits_class(self, named: NamedType, fields: Fields) -> bool:
        """Can every key be written as a field, without hiding a type?"""
        used = {"NotRequired", "Literal", "Any"}
        for field in fields.values():
            used |= builtins_of(field.type)
            used |= {self.plan.types[key].name for key in references(field.type)}
        return all(
            _is_field_name(named.keys[token]) and named.keys[token] not in used
            for token in fields
        )

    def _class(self, namespace: Namespace, *, sync: bool) -> list[str]:
        prefix = "Sync" if sync else ""
        is_root = namespace is self.plan.root
        base = "SyncNamespace" if sync else "AsyncNamespace"
        if is_root:
            base = "SyncRouter" if sync else f"AsyncRouter[Sync{namespace.name}]"
        names = {method.name for method in namespace.methods} | {*namespace.children}
        lines = [f"class {prefix}{namespace.name}({base}):"]
        if is_root:
            lines.append('    """The tools of the server."""')
        else:
            lines += docstring(of_namespace(namespace.path), indent=4)
        for name, child in namespace.children.items():
            lines += self._property(name, child, names, prefix)
        for method in namespace.methods:
            lines += ["", *self._method(method, names, sync=sync)]
        if is_root:
            lines += [
                "",
                f"    @{self._builtin('classmethod', names)}",
                "    def __contract__(cls) -> Contract:",
                '        """Return what this router was generated from."""',
                "        return CONTRACT",
            ]
        return lines

    def _builtin(self, name: str, names: AbstractSet[str]) -> str:
        if name not in names:
            return name
        self.words.add("builtins")
        return f"builtins.{name}"

    def _property(
        self, name: str, child: Namespace, names: AbstractSet[str], prefix: str
    ) -> list[str]:
        kind = f"{prefix}{child.name}"
        return [
            "",
            f"    @{self._builtin('property', names)}",
            *_signature(f"    def {name}(", ["self"], f") -> {kind}:"),
            *docstring(of_namespace(child.path), indent=8),
            *_call(f"        return {kind}(", ["self._binding"]),
        ]

    def _method(
        self, method: Method, names: AbstractSet[str], *, sync: bool
    ) -> list[str]:
        writer = self._writer(names)
        result = "ToolResult"
        if method.result is not None:
            self._see(method.result, names)
            result = f"ToolResult[{writer.flat(method.result)}]"
        opening = f"    {'' if sync else 'async '}def {method.name}("
        parameters = list(self._parameters(method, writer, names))
        if parameters:
            head = [opening, "        self,", *parameters, f"    ) -> {result}:"]
        else:
            head = _signature(opening, ["self"], f") -> {result}:")
        returned = "return" if sync else "return await"
        return [
            *head,
            *of_method(method),
            f"        {returned} self._call(",
            *_sent(method),
            "        )",
        ]

    def _parameters(
        self, method: Method, writer: Writer, names: AbstractSet[str]
    ) -> Iterator[str]:
        layout = Layout(writer)
        if method.parameters:
            yield "        *,"
        for parameter in method.parameters:
            shape, default = parameter.type, None
            if not parameter.required:
                self.words.add("Unset")
                shape, default = _or_unset(shape), "UNSET"
            self._see(shape, names)
            yield from layout.parameter(
                parameter.name, self._evaluable(shape, writer), default=default
            )
        if method.extra is not None:
            self.words.add("Any")
            yield f"        **{method.extra}: Any,"

    def _see(self, shape: Type, names: AbstractSet[str]) -> None:
        self._note(shape)
        if not names.isdisjoint(builtins_of(shape)):
            self.words.add("builtins")


def _or_unset(shape: Type) -> Type:
    members = shape.members if isinstance(shape, Either) else (shape,)
    return Either((*members, _UNSET))


def _is_field_name(wire: str) -> bool:
    return (
        wire.isidentifier()
        and not keyword.iskeyword(wire)
        and not wire.startswith("__")
        and unicodedata.normalize("NFKC", wire) == wire
    )


def _signature(opening: str, arguments: list[str], closing: str) -> list[str]:
    line = f"{opening}{', '.join(arguments)}{closing}"
    if width(line) <= WIDTH:
        return [line]
    return [opening, *(f"        {each}," for each in arguments), f"    {closing}"]


def _call(opening: str, arguments: list[str]) -> list[str]:
    line = f"{opening}{', '.join(arguments)})"
    if width(line) <= WIDTH:
        return [line]
    return [opening, *(f"            {each}," for each in arguments), "        )"]


def _sent(method: Method) -> Iterator[str]:
    """Yield the arguments of the call: the tool, what is set, what else is given."""
    yield f"            {literal(method.action.tool['name'])},"
    items = [
        *((key, literal(value)) for key, value in method.action.fixed.items()),
        *((each.wire, each.name) for each in method.parameters),
    ]
    if items:
        yield "            {"
        yield from (f"                {literal(key)}: {text}," for key, text in items)
        yield "            },"
    else:
        yield "            {},"
    if method.extra is not None:
        yield f"            {method.extra},"


def _contract(contract: Contract) -> Iterator[str]:
    yield from _BETWEEN
    yield "CONTRACT = Contract("
    yield f"    version={contract.version},"
    yield "    options={"
    for key, value in contract.options.items():
        yield f"        {literal(key)}: {literal(value)},"
    yield "    },"
    if not contract.tools:
        yield "    tools={},"
    else:
        yield "    tools={"
        for name, text in contract.tools.items():
            yield f"        {literal(name)}: {literal(text)},"
        yield "    },"
    yield ")"
