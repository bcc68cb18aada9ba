"""From documents to shapes: what every definition is in Python.

An object is a TypedDict; everything else is a type expression. A schema that
cannot be typed costs itself its type, not the tool.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import attrs

from mcpfusion_client.codegen.dialect import (
    UNTYPED_KEY,
    Document,
    Plain,
    refers_to,
)
from mcpfusion_client.codegen.expressions import Pattern, expressions, pattern_of
from mcpfusion_client.codegen.syntax import (
    ANY,
    OBJECT,
    UNTYPED,
    Atom,
    Choice,
    Either,
    Ref,
    Type,
    filled,
    mapped,
    references,
)


@attrs.frozen
class Field:
    """A property of a TypedDict."""

    type: Type
    required: bool


Fields: TypeAlias = Mapping[str, Field]
"""A TypedDict: its fields by token."""

Shapes: TypeAlias = Mapping[str, "Type | Fields"]


def shapes(documents: Sequence[Document]) -> list[Shapes]:
    """Return what every definition of each document is, by token.

    A schema that defeats the generator becomes `UNTYPED`, with a note.

    Raises:
        MissingGeneratorError: The ``codegen`` extra is not installed.
    """
    parts = [_parts(document) for document in documents]
    known = expressions(
        pattern.text
        for part in parts
        for patterns in part.values()
        for pattern in patterns.values()
    )
    return [
        _Typist(document, part, known).shapes()
        for document, part in zip(documents, parts, strict=True)
    ]


_WHOLE = ""


def _parts(document: Document) -> dict[str, dict[str, Pattern]]:
    """Return the patterns of every definition: one a property, or one."""
    return {
        token: {key: pattern_of(part) for key, part in _schemas(definition).items()}
        for token, definition in document.definitions.items()
    }


def _schemas(definition: Plain) -> Mapping[str, Plain]:
    if "allOf" in definition:
        return {}
    if "properties" in definition:
        properties: Mapping[str, Plain] = definition["properties"]
        return properties
    return {_WHOLE: definition}


@attrs.frozen
class _Typist:
    """Puts the types of patterns together again."""

    document: Document
    parts: Mapping[str, Mapping[str, Pattern]]
    known: Mapping[str, Type]

    def shapes(self) -> Shapes:
        """Return the shape of every definition."""
        found: dict[str, Type | Fields] = {}
        for token, definition in self.document.definitions.items():
            if "properties" in definition:
                found[token] = self._fields(token, definition)
            elif "allOf" not in definition:
                found[token] = self._type(token, _WHOLE)
        for token, definition in self.document.definitions.items():
            if "allOf" in definition:
                found[token] = self._merged(definition, frozenset({token}))
        for token in _empty_circles(found):
            found[token] = UNTYPED
            self.document.note(self.document.about[token].where, "refers to itself")
        return found

    def _fields(self, token: str, definition: Plain) -> Fields:
        required = set(definition["required"])
        return {
            key: Field(self._type(token, key), required=key in required)
            for key in definition["properties"]
        }

    def _type(self, token: str, key: str) -> Type:
        pattern = self.parts[token][key]
        shape = self.known.get(pattern.text)
        if shape is None:
            where = self.document.about[token].where
            step = self.document.keys.get(key, "")
            self.document.note((*where, step), "a schema that defeats typing")
            return UNTYPED
        typed = filled(
            shape,
            refs={f"R{number}": ref for number, ref in enumerate(pattern.refs)},
            literals={
                f"v{number}": self.document.literals[token]
                for number, token in enumerate(pattern.literals)
            },
        )
        return mapped(typed, _reference)

    def _merged(self, definition: Plain, trail: frozenset[str]) -> Type | Fields:
        """Return the object that is all of several objects at once."""
        fields: dict[str, Field] = {}
        for part in definition["allOf"]:
            shape = self._object(refers_to(part), trail)
            if shape is None:
                return OBJECT
            _inherit(fields, shape)
        for part in definition["allOf"]:
            demanded = self.document.definitions[refers_to(part)].get("required", ())
            for key in fields.keys() & set(demanded):
                fields[key] = attrs.evolve(fields[key], required=True)
        return fields

    def _object(self, token: str, trail: frozenset[str]) -> Fields | None:
        """Return the fields of *token*; None when it is no object."""
        if token in trail or len(trail) > _LONGEST_CHAIN or token == UNTYPED_KEY:
            return None
        definition = self.document.definitions[token]
        if "properties" in definition:
            return self._fields(token, definition)
        if "$ref" in definition:
            return self._object(refers_to(definition), trail | {token})
        if "allOf" in definition:
            merged = self._merged(definition, trail | {token})
            return merged if isinstance(merged, Mapping) else None
        return None


_LONGEST_CHAIN: Final = 50


def _reference(token: str) -> Type:
    return UNTYPED if token == UNTYPED_KEY else Ref(token)


def _empty_circles(found: Shapes) -> list[str]:
    """Return the tokens that are, or may be, nothing but themselves."""
    next_to = {
        token: {part.key for part in _members(shape) if isinstance(part, Ref)}
        for token, shape in found.items()
        if not isinstance(shape, Mapping)
    }
    return [token for token in next_to if token in _reached(next_to, token)]


def _members(shape: Type) -> Sequence[Type]:
    return shape.members if isinstance(shape, Either) else (shape,)


def _reached(next_to: Mapping[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = next_to.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return reached


def _inherit(fields: dict[str, Field], more: Fields) -> None:
    """Add *more*; a field that is there already takes the narrower type."""
    for key, field in more.items():
        old = fields.get(key)
        if old is None:
            fields[key] = field
            continue
        keep = old.type if _narrower(old.type, field.type) else field.type
        fields[key] = Field(keep, required=old.required or field.required)


def _narrower(one: Type, other: Type) -> bool:
    return other == ANY or (isinstance(one, Choice) and not isinstance(other, Choice))


def inlined(found: Shapes, keep: Callable[[str], bool]) -> Shapes:
    """Replace references to aliases that are no type of their own.

    Args:
        found: What `shapes` returned.
        keep: Is an alias worth a name?
    """
    plain = {
        token: shape
        for token, shape in found.items()
        if not isinstance(shape, Mapping)
        and (isinstance(shape, (Atom, Ref)) or not keep(token))
        and token not in _all_references(found, token)
    }

    def resolve(shape: Type, trail: frozenset[str] = frozenset()) -> Type:
        def replace(key: str) -> Type:
            target = plain.get(key)
            if target is None:
                return Ref(key)
            return ANY if key in trail else resolve(target, trail | {key})

        return mapped(shape, replace)

    return {
        token: {
            key: Field(resolve(field.type), required=field.required)
            for key, field in shape.items()
        }
        if isinstance(shape, Mapping)
        else resolve(shape)
        for token, shape in found.items()
    }


def mentioned(shape: Type | Fields) -> set[str]:
    """Return the tokens *shape* refers to."""
    if isinstance(shape, Mapping):
        return {key for field in shape.values() for key in references(field.type)}
    return references(shape)


def _all_references(found: Shapes, token: str) -> set[str]:
    """Return what *token* leads to without passing through a class."""
    reached: set[str] = set()
    waiting = [token]
    while waiting:
        shape = found[waiting.pop()]
        if isinstance(shape, Mapping):
            continue
        fresh = references(shape) - reached
        reached |= fresh
        waiting += fresh
    return reached


def closure(found: Shapes, roots: Iterable[str]) -> set[str]:
    """Return every token reachable from *roots*."""
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        token = waiting.pop()
        if token not in reached:
            reached.add(token)
            waiting += mentioned(found[token])
    return reached
