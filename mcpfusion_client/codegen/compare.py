"""How one JSON Schema differs from another, and in which direction.

Only what changes the values that are allowed counts: narrowed, widened, or
something else. Whether that is bad depends on who sends the value; see `diff`.
"""

import enum
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object

_MAX_DEPTH: Final = 40
_MAX_BRANCHES: Final = 64
_LITERAL: Final = "literal"
_ANY: Final = "any"
_LOWER_IS_TIGHTER: Final = (
    "maximum",
    "exclusiveMaximum",
    "maxLength",
    "maxItems",
    "maxProperties",
)
_HIGHER_IS_TIGHTER: Final = (
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minProperties",
)
_OTHER_CONSTRAINTS: Final = ("pattern", "format", "multipleOf", "uniqueItems")


class Kind(enum.Enum):
    """What happened to the values that are allowed."""

    NARROWED = "accepts less"
    WIDENED = "accepts more"
    CHANGED = "is of another type"
    TIGHTENED = "has a tighter limit"
    LOOSENED = "has a looser limit"
    ALTERED = "has another limit"
    DEFAULT = "has another default"
    ADDED = "is new, optional"
    DEMANDED = "is new, required"
    REMOVED = "is gone"
    REQUIRED = "is required now"
    OPTIONAL = "is optional now"
    CLOSED = "takes no further fields now"
    OPENED = "takes further fields now"


@attrs.frozen(kw_only=True)
class Difference:
    """One difference of two schemas.

    Attributes:
        path: Where, from the top. Untrusted names.
        kind: What.
        before: The old state in short. Untrusted.
        after: The new state in short. Untrusted.
    """

    path: tuple[str, ...]
    kind: Kind
    before: str | None = None
    after: str | None = None


@attrs.frozen
class Branch:
    """One alternative of a schema.

    Attributes:
        kind: A JSON type, ``literal`` or ``any``.
        schema: The keywords that hold for it.
    """

    kind: str
    schema: JsonObject


def compare(
    old: JsonValue, new: JsonValue, old_root: Pointers, new_root: Pointers
) -> Iterator[Difference]:
    """Yield the differences of two schemas.

    Args:
        old: The schema as it was. Untrusted.
        new: The schema as it is. Untrusted.
        old_root: Follows the references of *old*.
        new_root: Follows the references of *new*.
    """
    yield from _Comparison(old_root, new_root).run(old, new, ())


@attrs.frozen
class _Comparison:
    """Two schemas side by side.

    Attributes:
        old: Follows references on the old side.
        new: Follows references on the new side.
    """

    old: Pointers
    new: Pointers
    _under_way: set[tuple[str, str]] = attrs.field(factory=set[tuple[str, str]])

    def run(
        self, old: JsonValue, new: JsonValue, path: tuple[str, ...]
    ) -> Iterator[Difference]:
        """Yield the differences at *path* and below."""
        here = (self.old.text(old), self.new.text(new))
        if here in self._under_way or len(path) > _MAX_DEPTH:
            return
        if here[0] == here[1] and '"$ref"' not in here[0]:
            return
        self._under_way.add(here)
        yield from _defaults(old, new, path)
        before, after = branches(old, self.old), branches(new, self.new)
        yield from _types(before, after, path)
        for kind in ("string", "integer", "number", "array", "object"):
            yield from self._same_kind(
                [branch.schema for branch in before if branch.kind == kind],
                [branch.schema for branch in after if branch.kind == kind],
                kind,
                path,
            )
        self._under_way.discard(here)

    def _same_kind(
        self,
        old: Sequence[JsonObject],
        new: Sequence[JsonObject],
        kind: str,
        path: tuple[str, ...],
    ) -> Iterator[Difference]:
        if not old or not new:
            return
        pairs, gone, fresh = _paired(old, new)
        if gone:
            yield Difference(path=path, kind=Kind.NARROWED, before=_alternatives(old))
        if fresh:
            yield Difference(path=path, kind=Kind.WIDENED, after=_alternatives(new))
        for before, after in pairs:
            yield from _limits(before, after, path)
            if kind == "array":
                yield from self._items(before, after, path)
            if kind == "object":
                yield from self.fields(before, after, path)

    def _items(
        self, old: JsonObject, new: JsonObject, path: tuple[str, ...]
    ) -> Iterator[Difference]:
        old_first, old_rest = _positions(old)
        new_first, new_rest = _positions(new)
        for number in range(max(len(old_first), len(new_first))):
            before = old_first[number] if number < len(old_first) else old_rest
            after = new_first[number] if number < len(new_first) else new_rest
            yield from self.run(before, after, (*path, f"[{number}]"))
        yield from self.run(old_rest, new_rest, (*path, "[]"))

    def fields(
        self, old: JsonObject, new: JsonObject, path: tuple[str, ...]
    ) -> Iterator[Difference]:
        """Yield the differences of two objects."""
        before, after = _properties(old), _properties(new)
        asked, asks = _required(old), _required(new)
        for name in sorted(before.keys() | after.keys()):
            here = (*path, name)
            if name not in after:
                yield Difference(path=here, kind=Kind.REMOVED)
            elif name not in before:
                demanded = name in asks
                kind = Kind.DEMANDED if demanded else Kind.ADDED
                yield Difference(path=here, kind=kind)
            else:
                if (name in asked) != (name in asks):
                    kind = Kind.REQUIRED if name in asks else Kind.OPTIONAL
                    yield Difference(path=here, kind=kind)
                yield from self.run(before[name], after[name], here)
        yield from self._further(old, new, path)

    def _further(
        self, old: JsonObject, new: JsonObject, path: tuple[str, ...]
    ) -> Iterator[Difference]:
        before = old.get("additionalProperties", True)
        after = new.get("additionalProperties", True)
        if (before is False) != (after is False):
            kind = Kind.CLOSED if after is False else Kind.OPENED
            yield Difference(path=path, kind=kind)
        elif before is not False:
            yield from self.run(before, after, (*path, "*"))


def branches(schema: JsonValue, pointers: Pointers, depth: int = 0) -> list[Branch]:
    """Return the alternatives of *schema*, references followed."""
    if not is_object(schema) or depth > _MAX_DEPTH:
        return [Branch(_ANY, {})]
    whole = _whole(schema, pointers)
    for word in ("anyOf", "oneOf"):
        if is_array(whole.get(word)):
            rest = {key: value for key, value in whole.items() if key != word}
            found = [
                branch
                for part in whole[word][:_MAX_BRANCHES]
                for branch in branches(_both(rest, part), pointers, depth + 1)
            ]
            return found[:_MAX_BRANCHES]
    found = _kinds(whole)
    if whole.get("nullable") is True:
        found.append(Branch("null", {}))
    return found


def _kinds(schema: JsonObject) -> list[Branch]:
    if "const" in schema or is_array(schema.get("enum")):
        return [Branch(_LITERAL, schema)]
    stated = schema.get("type")
    names = stated if is_array(stated) else [stated]
    if stated is None:
        names = [
            name
            for name, words in _IMPLIED.items()
            if not words.isdisjoint(schema.keys())
        ] or [_ANY]
    return [Branch(str(name), schema) for name in names]


_IMPLIED: Final = {
    "object": frozenset({"properties", "additionalProperties", "required"}),
    "array": frozenset({"items", "prefixItems"}),
}


def _whole(schema: JsonObject, pointers: Pointers, depth: int = 0) -> JsonObject:
    """Return *schema* with its reference and its ``allOf`` put into it."""
    if depth > _MAX_DEPTH:
        return {}
    whole: JsonObject = {k: v for k, v in schema.items() if k not in {"$ref", "allOf"}}
    parts = [part for part in _list(schema.get("allOf")) if is_object(part)]
    target = pointers.follow(schema.get("$ref"))
    if target is not None and is_object(target.schema):
        parts.append(target.schema)
    for part in parts:
        whole = _both(_whole(part, pointers, depth + 1), whole)
    return whole


def _both(one: JsonObject, other: JsonValue) -> JsonObject:
    """Return the keywords of both; *other* wins where they disagree."""
    if not is_object(other):
        return one
    merged = {**one, **other}
    mine, theirs = one.get("properties"), other.get("properties")
    if is_object(mine) and is_object(theirs):
        merged["properties"] = {**mine, **theirs}
    required = sorted(_required(one) | _required(other))
    if required:
        merged["required"] = required
    return merged


def _defaults(
    old: JsonValue, new: JsonValue, path: tuple[str, ...]
) -> Iterator[Difference]:
    before = _short(old["default"]) if is_object(old) and "default" in old else None
    after = _short(new["default"]) if is_object(new) and "default" in new else None
    if before != after:
        yield Difference(path=path, kind=Kind.DEFAULT, before=before, after=after)


def _types(
    old: Sequence[Branch], new: Sequence[Branch], path: tuple[str, ...]
) -> Iterator[Difference]:
    lost = not _covers(new, old)
    won = not _covers(old, new)
    if not lost and not won:
        return
    kind = Kind.CHANGED if lost and won else Kind.NARROWED if lost else Kind.WIDENED
    yield Difference(path=path, kind=kind, before=spelled(old), after=spelled(new))


def _covers(wide: Sequence[Branch], narrow: Sequence[Branch]) -> bool:
    """Does *wide* allow every kind and literal of *narrow*?"""
    kinds = {branch.kind for branch in wide}
    if _ANY in kinds:
        return True
    literals = {value for branch in wide for value in _literals(branch)}
    for branch in narrow:
        if branch.kind == _LITERAL:
            for value in _literals(branch):
                if value not in literals and _kind_of(value) not in _with_integer(
                    kinds
                ):
                    return False
        elif branch.kind not in _with_integer(kinds):
            return False
    return True


def _with_integer(kinds: set[str]) -> set[str]:
    return kinds | {"integer"} if "number" in kinds else kinds


def _literals(branch: Branch) -> list[str]:
    """Return the values of a literal branch, each as JSON."""
    if branch.kind != _LITERAL:
        return []
    if "const" in branch.schema:
        return [_json(branch.schema["const"])]
    return [_json(value) for value in branch.schema["enum"]]


def _kind_of(text: str) -> str:
    first = text[:1]
    known = {'"': "string", "{": "object", "[": "array", "n": "null"}
    if first in known:
        return known[first]
    if text in {"true", "false"}:
        return "boolean"
    return "integer" if text.lstrip("-").isdecimal() else "number"


def spelled(found: Iterable[Branch]) -> str:
    """Return alternatives in words."""
    words: list[str] = []
    for branch in found:
        words += _literals(branch) if branch.kind == _LITERAL else [branch.kind]
    unique = list(dict.fromkeys(words))
    return " | ".join(unique)[:_LONGEST_TEXT]


_LONGEST_TEXT: Final = 120


def _paired(
    old: Sequence[JsonObject], new: Sequence[JsonObject]
) -> tuple[list[tuple[JsonObject, JsonObject]], bool, bool]:
    """Return which alternatives belong together; was one left on either side?"""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])], False, False
    left = {_tag(schema, number): schema for number, schema in enumerate(new)}
    pairs: list[tuple[JsonObject, JsonObject]] = []
    gone: list[JsonObject] = []
    for number, schema in enumerate(old):
        tag = _tag(schema, number)
        if tag in left:
            pairs.append((schema, left.pop(tag)))
        else:
            gone.append(schema)
    return pairs, bool(gone), bool(left)


def _tag(schema: JsonObject, number: int) -> str:
    """Return what tells an alternative from the others: its constants, or its place."""
    constants = {
        name: _json(rule["const"])
        for name, rule in _properties(schema).items()
        if is_object(rule) and "const" in rule
    }
    return _json(constants) if constants else f"number {number}"


def _alternatives(schemas: Sequence[JsonObject]) -> str:
    return f"{len(schemas)} alternatives"


def _limits(
    old: JsonObject, new: JsonObject, path: tuple[str, ...]
) -> Iterator[Difference]:
    for word in (*_LOWER_IS_TIGHTER, *_HIGHER_IS_TIGHTER, *_OTHER_CONSTRAINTS):
        before, after = old.get(word), new.get(word)
        if before == after:
            continue
        yield Difference(
            path=path,
            kind=_tightness(word, before, after),
            before=None if before is None else f"{word} {_short(before)}",
            after=None if after is None else f"{word} {_short(after)}",
        )


def _tightness(word: str, before: JsonValue, after: JsonValue) -> Kind:
    if before is None or before is False:
        return Kind.TIGHTENED
    if after is None or after is False:
        return Kind.LOOSENED
    if not isinstance(before, (int, float)) or not isinstance(after, (int, float)):
        return Kind.ALTERED
    if word in _LOWER_IS_TIGHTER:
        return Kind.TIGHTENED if after < before else Kind.LOOSENED
    if word in _HIGHER_IS_TIGHTER:
        return Kind.TIGHTENED if after > before else Kind.LOOSENED
    return Kind.ALTERED


def _positions(schema: JsonObject) -> tuple[list[JsonValue], JsonValue]:
    rest = schema.get("items", True)
    if is_array(rest):
        return rest, schema.get("additionalItems", True)
    return _list(schema.get("prefixItems")), rest


def _properties(schema: JsonObject) -> Mapping[str, JsonValue]:
    stated = schema.get("properties")
    return stated if is_object(stated) else {}


def _required(schema: JsonObject) -> set[str]:
    return {name for name in _list(schema.get("required")) if isinstance(name, str)}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if is_array(value) else []


def _json(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True)


def _short(value: JsonValue) -> str:
    return _json(value)[:_LONGEST_TEXT]
