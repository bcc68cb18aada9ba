"""The types a JSON Schema asks for, as a document that is safe to hand on.

A schema from the wire is untrusted and often odd. What leaves this file is a small
dialect: definitions called ``T0``, keys called ``k0``, literals called ``v0`` and a
handful of keywords, so that no text of the server reaches the type generator.
Whatever cannot be typed leaves a note and keeps its kind, if that is known.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from mcpfusion_client.codegen.dialect import (
    Definition,
    Document,
    Plain,
    Where,
    any_of,
    object_of,
    without_bare,
)
from mcpfusion_client.codegen.pointer import Pointers, Target
from mcpfusion_client.model import JsonValue
from mcpfusion_client.model.json import is_array, is_object

_MAX_DEPTH: Final = 40
_MAX_BRANCHES: Final = 40
_MAX_LITERALS: Final = 200
_SIMPLE: Final = ("string", "integer", "number", "boolean", "null")
_OBJECT_WORDS = frozenset({"properties", "additionalProperties", "patternProperties"})
_OBJECT_FORMS: Final[Mapping[str, tuple[type, ...]]] = {
    "properties": (dict,),
    "patternProperties": (dict,),
    "additionalProperties": (dict, bool),
}
_ARRAY_WORDS = frozenset({"items", "prefixItems"})
_COMBINING = frozenset(
    {
        "$dynamicRef",
        "$recursiveRef",
        "$ref",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "nullable",
        "oneOf",
    }
)
_LONGEST_LITERAL: Final = 300
_LARGEST_LITERAL: Final = 2**63


@attrs.define
class Reader:
    """Reads the schemas under one root into *document*."""

    document: Document
    pointers: Pointers
    _by_pointer: dict[str, str] = attrs.field(factory=dict[str, str])
    _seen: dict[int, tuple[JsonValue, Plain]] = attrs.field(
        factory=dict[int, tuple[JsonValue, Plain]]
    )

    def fields(self, properties: Mapping[str, tuple[Where, JsonValue]]) -> str:
        """Define an object and return its token.

        Args:
            properties: Where each stands and its schema, by wire name. Untrusted.
        """
        token = self.document.define(Definition(where=()))
        typed = {
            self.document.key(name): self.read(schema, where)
            for name, (where, schema) in properties.items()
        }
        self.document.definitions[token] = object_of(typed, typed)
        return token

    def read(self, schema: JsonValue, where: Where, depth: int = 0) -> Plain:
        """Return *schema* in the small dialect; empty for any value."""
        document = self.document
        if schema is True:
            return {}
        if not is_object(schema):
            reason = "no value fits" if schema is False else "no valid schema"
            return document.note(where, reason)
        if depth > _MAX_DEPTH or not document.spend():
            untyped = document.note(where[:2], "too large or too deep to be typed")
            return _kind_of(schema) or untyped
        if id(schema) in self._seen:
            return self._seen[id(schema)][1]
        found = self._all_of(list(self._parts(schema, where, depth + 1)), where)
        if schema.get("nullable") is True:
            found = any_of([found, {"type": "null"}])
        self._seen[id(schema)] = (schema, found)
        return found

    def _parts(
        self, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> Iterable[Plain]:
        """Yield what each keyword asks for; all of it holds at once."""
        literals = self._literals(schema, where)
        if literals is not None:
            yield literals
            return
        for word in ("enum", "allOf"):
            if word in schema and not is_array(schema[word]):
                yield self.document.note(where, f"{word} is no array")
        if ref := schema.get("$ref", schema.get("$recursiveRef")):
            yield self._reference(ref, where, depth)
        elif "$dynamicRef" in schema:
            yield self.document.note(where, "a $dynamicRef is not followed")
        yield self._typed(schema, where, depth)
        for word in ("anyOf", "oneOf"):
            if word in schema:
                yield self._alternatives(schema[word], where, depth)
        for part in _listed(schema.get("allOf"))[:_MAX_BRANCHES]:
            yield self.read(part, where, depth)

    def _reference(self, ref: JsonValue, where: Where, depth: int) -> Plain:
        target = self.pointers.follow(ref)
        if target is None:
            return self.document.note(where, "a $ref that leads out of the schema")
        token = self._by_pointer.get(target.pointer)
        if token is None:
            token = self._define(target, where, depth)
        return {"$ref": f"#/$defs/{token}"}

    def _define(self, target: Target, where: Where, depth: int) -> str:
        name = target.definition
        token = self.document.define(
            Definition(
                where=(where[0], name) if name else where,
                defined=bool(name),
                shared=self.pointers.shared(target) if name else None,
                source=target.schema,
            )
        )
        self._by_pointer[target.pointer] = token
        at = self.document.about[token].where
        if _is_plain_object(target.schema):
            self._fill(token, target.schema, at, depth)
            return token
        found = self.read(target.schema, at, depth)
        if found == {"$ref": f"#/$defs/{token}"}:
            found = self.document.note(at, "refers to itself")
        self.document.definitions[token] = found
        return token

    def _typed(
        self, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> Plain:
        """Return what ``type`` asks for, or the keywords that imply one."""
        stated = schema.get("type")
        names = stated if is_array(stated) else [stated]
        if stated is None:
            names = [
                name
                for name, words in (("object", _OBJECT_WORDS), ("array", _ARRAY_WORDS))
                if not words.isdisjoint(schema)
            ]
        branches = [self._named_type(name, schema, where, depth) for name in names]
        return any_of(branches) if branches else {}

    def _named_type(
        self, name: JsonValue, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> Plain:
        if name == "object":
            return self._object(schema, where, depth)
        if name == "array":
            return self._array(schema, where, depth)
        if name in _SIMPLE:
            return {"type": name}
        return self.document.note(where, "a type that is not JSON Schema's")

    def _object(
        self, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> Plain:
        if not _is_object(schema):
            return self._table(schema, where, depth)
        token = self.document.define(Definition(where=where, source=schema))
        self._fill(token, schema, where, depth)
        return {"$ref": f"#/$defs/{token}"}

    def _fill(
        self, token: str, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> None:
        document = self.document
        required = set(_strings(schema.get("required")))
        typed = {
            document.key(name): self.read(value, (*where, name), depth)
            for name, value in schema["properties"].items()
        }
        asked = [document.key(name) for name in sorted(required)]
        document.definitions[token] = object_of(typed, asked)
        document.about[token] = attrs.evolve(document.about[token], keys=tuple(typed))

    def _table(
        self, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> Plain:
        for word, valid in _OBJECT_FORMS.items():
            if word in schema and not isinstance(schema[word], valid):
                self.document.note(where, f"{word} is no object")
        patterns = schema.get("patternProperties")
        values = list(patterns.values()) if is_object(patterns) else []
        rest = schema.get("additionalProperties")
        if is_object(rest) or (rest is True and values):
            values.append(rest)
        if not values or (values and rest is None and is_object(patterns)):
            return {"type": "object"}
        typed = [
            self.read(value, (*where, "Value"), depth)
            for value in values[:_MAX_BRANCHES]
        ]
        return {"type": "object", "additionalProperties": any_of(typed)}

    def _array(
        self, schema: Mapping[str, JsonValue], where: Where, depth: int
    ) -> Plain:
        first = schema.get("prefixItems")
        rest = schema.get("items")
        if is_array(rest):
            first, rest = rest, schema.get("additionalItems")
        items = _listed(first)
        closed = rest is False or schema.get("maxItems") == len(items)
        if items and (closed or is_object(rest)):
            items = items if closed else [*items, rest]
        elif items or rest is None or rest is True:
            return {"type": "array"}
        else:
            items = [rest]
        typed = [
            self.read(item, (*where, "Item"), depth) for item in items[:_MAX_BRANCHES]
        ]
        return {"type": "array", "items": any_of(typed)}

    def _alternatives(self, stated: JsonValue, where: Where, depth: int) -> Plain:
        branches = _listed(stated)
        if not branches or len(branches) > _MAX_BRANCHES:
            reason = "too many alternatives" if branches else "no alternatives"
            return self.document.note(where, reason)
        many = sum(not _is_null(branch) for branch in branches) > 1
        return any_of(
            [
                self.read(
                    branch, (*where, _option(branch, number)) if many else where, depth
                )
                for number, branch in enumerate(branches, start=1)
            ]
        )

    def _literals(self, schema: Mapping[str, JsonValue], where: Where) -> Plain | None:
        values = [schema["const"]] if "const" in schema else _listed(schema.get("enum"))
        if not values:
            return None
        scalars = [value for value in values if _is_writable(value)]
        others = [value for value in values if not _is_writable(value)]
        if len(scalars) > _MAX_LITERALS:
            self.document.note(where, f"one of {len(scalars)} values, typed by kind")
            scalars, others = [], values
        tokens = [self.document.literal(value) for value in scalars]
        named: list[Plain] = [{"enum": tokens}] if tokens else []
        kinds = [{"type": kind} for kind in sorted({_kind(value) for value in others})]
        return any_of([*named, *kinds])

    def _all_of(self, parts: list[Plain], where: Where) -> Plain:
        """Return the schema that asks for all of *parts* at once."""
        wanted = without_bare(parts)
        if len(wanted) <= 1:
            return wanted[0] if wanted else {}
        for part in wanted:
            if "enum" in part:
                return part
        unions = [part for part in wanted if "anyOf" in part]
        if math.prod(len(part["anyOf"]) for part in unions) > _MAX_BRANCHES:
            self.document.note(where, "too many alternatives at once")
            wanted, unions = [part for part in wanted if "anyOf" not in part], []
        if not unions:
            return self._both(wanted, where) if wanted else {}
        others = [part for part in wanted if part is not unions[0]]
        return any_of(
            [
                self._all_of([*others, branch], (*where, f"Option{number}"))
                for number, branch in enumerate(unions[0]["anyOf"], start=1)
            ]
        )

    def _both(self, parts: list[Plain], where: Where) -> Plain:
        refs = [part for part in parts if "$ref" in part]
        if len(refs) <= 1:
            return refs[0] if refs else parts[0]
        token = self.document.define(Definition(where=where))
        self.document.definitions[token] = {"allOf": refs}
        return {"$ref": f"#/$defs/{token}"}


def _kind_of(schema: Mapping[str, JsonValue]) -> Plain | None:
    """Return the one type *schema* states, without what it says of its parts."""
    kind = schema.get("type")
    return {"type": kind} if kind in (*_SIMPLE, "array", "object") else None


def _is_object(schema: JsonValue) -> bool:
    """Is it an object with properties of its own?"""
    return (
        is_object(schema)
        and is_object(schema.get("properties"))
        and bool(schema["properties"])
    )


def _is_plain_object(schema: JsonValue) -> bool:
    """Is it such an object and nothing else?"""
    return (
        _is_object(schema)
        and schema.get("type", "object") == "object"
        and _COMBINING.isdisjoint(schema)
    )


def _is_null(schema: JsonValue) -> bool:
    return is_object(schema) and (
        schema.get("type") == "null" or ("const" in schema and schema["const"] is None)
    )


def _is_writable(value: JsonValue) -> bool:
    """Can *value* stand in a ``Literal``?"""
    if isinstance(value, str):
        return len(value) <= _LONGEST_LITERAL
    return isinstance(value, int) and abs(value) < _LARGEST_LITERAL


def _kind(value: JsonValue) -> str:
    kinds = ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"))
    for kind, name in kinds:
        if isinstance(value, kind):
            return name
    if value is None:
        return "null"
    return "array" if is_array(value) else "object"


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if is_array(value) else []


def _strings(value: JsonValue) -> list[str]:
    return [item for item in _listed(value) if isinstance(item, str)]


def _option(branch: JsonValue, number: int) -> str:
    """Return a word for a branch: what its tag says, else its number."""
    properties = branch.get("properties") if is_object(branch) else None
    for schema in properties.values() if is_object(properties) else ():
        tag = schema.get("const") if is_object(schema) else None
        if isinstance(tag, str) and tag:
            return tag
    return f"Option{number}"
