"""The small dialect that schemas are read into, and the document of one tool.

Definitions are called ``T0``, keys ``k0``, literals ``v0``; the keywords are
``type``, ``properties``, ``required``, ``items``, ``additionalProperties``,
``anyOf``, ``allOf``, ``enum`` and ``$ref``. An empty schema is any value; what could
not be typed refers to ``U``.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import attrs

from mcpfusion_client.codegen.syntax import Scalar
from mcpfusion_client.model import JsonValue

Where: TypeAlias = tuple[str, ...]
Plain: TypeAlias = dict[str, JsonValue]

UNTYPED_KEY: Final = "U"
UNTYPED: Final[Plain] = {"$ref": f"#/$defs/{UNTYPED_KEY}"}
"""A part that could not be typed, and of which not even the kind is known."""

_MAX_NODES: Final = 50_000


@attrs.frozen(kw_only=True)
class Definition:
    """One named type of a document.

    Attributes:
        where: The words its name is made of. Untrusted.
        defined: Is it an entry of ``$defs``?
        shared: What such an entry and all it refers to say, to tell whether two
            tools mean the same by it; None when that is too much.
        source: The schema it was made from. Untrusted.
        keys: The tokens of its properties.
    """

    where: Where
    defined: bool = False
    shared: str | None = None
    source: JsonValue = None
    keys: tuple[str, ...] = ()


@attrs.define
class Document:
    """The schemas of one tool in the small dialect.

    Attributes:
        definitions: The schemas, by token.
        about: Where each came from, by token.
        keys: Wire names of properties, by token.
        literals: Values of ``enum`` and ``const``, by token.
        notes: What could not be typed, one sentence each. Untrusted names inside.
    """

    definitions: dict[str, Plain] = attrs.field(factory=dict[str, Plain])
    about: dict[str, Definition] = attrs.field(factory=dict[str, Definition])
    keys: dict[str, str] = attrs.field(factory=dict[str, str])
    literals: dict[str, Scalar] = attrs.field(factory=dict[str, Scalar])
    notes: list[str] = attrs.field(factory=list[str])
    _key_tokens: dict[str, str] = attrs.field(factory=dict[str, str])
    _nodes: int = 0

    def define(self, definition: Definition) -> str:
        """Return the token of a new, still empty definition."""
        token = f"T{len(self.definitions)}"
        self.definitions[token] = {}
        self.about[token] = definition
        return token

    def key(self, wire: str) -> str:
        """Return the token of the property *wire*."""
        if wire not in self._key_tokens:
            token = f"k{len(self.keys)}"
            self._key_tokens[wire] = token
            self.keys[token] = wire
        return self._key_tokens[wire]

    def literal(self, value: Scalar) -> str:
        """Return the token of an ``enum`` value."""
        token = f"v{len(self.literals)}"
        self.literals[token] = value
        return token

    def note(self, where: Where, text: str) -> Plain:
        """Remember that *text* is why the part at *where* is not typed."""
        sentence = f"{'.'.join(where[1:]) or 'schema'}: {text}"
        if sentence not in self.notes:
            self.notes.append(sentence)
        return UNTYPED

    def spend(self) -> bool:
        """Count one schema; False when the tool has had more than its share."""
        self._nodes += 1
        return self._nodes <= _MAX_NODES


def object_of(typed: Mapping[str, Plain], required: Iterable[str]) -> Plain:
    """Return an object of *typed* properties."""
    return {
        "type": "object",
        "properties": dict(typed),
        "required": list(required),
    }


def refers_to(schema: Plain) -> str:
    """Return the token a reference of the small dialect leads to."""
    ref: str = schema["$ref"]
    return ref.removeprefix("#/$defs/")


def any_of(branches: Iterable[Plain]) -> Plain:
    """Return the union of *branches*, flat and without doubles."""
    flat: list[Plain] = []
    for branch in branches:
        for member in branch.get("anyOf", [branch]):
            if member not in flat:
                flat.append(member)
    if not flat or {} in flat:
        return {}
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def without_bare(parts: Iterable[Plain]) -> list[Plain]:
    """Drop what says nothing, or no more than another part does."""
    different: list[Plain] = []
    for part in parts:
        if part and part not in different:
            different.append(part)
    typed = [part for part in different if part != UNTYPED]
    precise = [part for part in typed if not _is_bare(part)]
    return precise or typed[:1] or different


def _is_bare(part: Plain) -> bool:
    if "anyOf" in part:
        return all(_is_bare(member) for member in part["anyOf"])
    return set(part) == {"type"}
