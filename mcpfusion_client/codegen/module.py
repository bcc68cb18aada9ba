"""The parts of a generated module, as values."""

from collections.abc import Iterator, Mapping

import attrs

from mcpfusion_client.codegen.actions import Action
from mcpfusion_client.codegen.shapes import Fields
from mcpfusion_client.codegen.syntax import Type
from mcpfusion_client.model import JsonValue


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
