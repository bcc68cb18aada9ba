"""Type expressions as values, and how they are written.

Nothing from the wire becomes code anywhere else: a name in an expression is one
of a few builtins or one this package made, everything else is a literal that is
escaped here.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import attrs

WIDTH: Final = 88

Scalar: TypeAlias = str | int | bool | None


@attrs.frozen
class Atom:
    """A type without parts, such as ``str``, ``None`` or ``Any``."""

    name: str


@attrs.frozen
class Ref:
    """A named type of the same module, by its key."""

    key: str


@attrs.frozen
class Listing:
    """``list[item]``."""

    item: "Type"


@attrs.frozen
class Table:
    """``dict[str, value]``."""

    value: "Type"


@attrs.frozen
class Choice:
    """``Literal[...]``."""

    values: tuple[Scalar, ...]


@attrs.frozen
class Either:
    """A union of at least two members."""

    members: tuple["Type", ...]


Type: TypeAlias = Atom | Ref | Listing | Table | Choice | Either

ANY: Final = Atom("Any")
NONE: Final = Atom("None")
OBJECT: Final = Table(ANY)
UNTYPED: Final = Either((OBJECT, ANY))
"""What could not be typed: an object as far as is known, and nothing is refused."""


def either(members: Iterable[Type]) -> Type:
    """Return the union of *members*, flat and without doubles; None comes last."""
    flat: list[Type] = []
    choices: list[Scalar] = []
    for member in _flatten(members):
        if isinstance(member, Choice):
            choices.extend(v for v in member.values if not _among(v, choices))
        elif member not in flat:
            flat.append(member)
    if ANY in flat:
        return UNTYPED if OBJECT in flat else ANY
    if choices:
        flat.insert(0, Choice(tuple(choices)))
    if NONE in flat:
        flat.remove(NONE)
        flat.append(NONE)
    if not flat:
        return ANY
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def _flatten(members: Iterable[Type]) -> Iterable[Type]:
    for member in members:
        if isinstance(member, Either):
            yield from member.members
        else:
            yield member


def _among(value: Scalar, values: Sequence[Scalar]) -> bool:
    """Tell ``True`` from ``1``."""
    return any(type(value) is type(other) and value == other for other in values)


def mapped(shape: Type, replace: Callable[[str], Type]) -> Type:
    """Return *shape* with every named type replaced."""
    match shape:
        case Ref(key):
            return replace(key)
        case Listing(part):
            return Listing(mapped(part, replace))
        case Table(part):
            return Table(mapped(part, replace))
        case Either(members):
            return either(mapped(member, replace) for member in members)
        case _:
            return shape


def filled(
    shape: Type, *, refs: Mapping[str, str], literals: Mapping[str, Scalar]
) -> Type:
    """Return *shape* with real references and literals for its placeholders."""
    match shape:
        case Ref(key):
            return Ref(refs[key])
        case Choice(values):
            return Choice(tuple(literals[str(value)] for value in values))
        case Listing(part):
            return Listing(filled(part, refs=refs, literals=literals))
        case Table(part):
            return Table(filled(part, refs=refs, literals=literals))
        case Either(members):
            return either(
                filled(member, refs=refs, literals=literals) for member in members
            )
        case _:
            return shape


def references(shape: Type) -> set[str]:
    """Return the keys of every named type in *shape*."""
    match shape:
        case Ref(key):
            return {key}
        case Listing(part) | Table(part):
            return references(part)
        case Either(members):
            return {key for member in members for key in references(member)}
        case _:
            return set()


def builtins_of(shape: Type) -> set[str]:
    """Return the builtin names *shape* is written with."""
    match shape:
        case Atom(name):
            return {name} - {"Any", "None"}
        case Listing(part):
            return {"list", *builtins_of(part)}
        case Table(part):
            return {"dict", "str", *builtins_of(part)}
        case Either(members):
            return {name for member in members for name in builtins_of(member)}
        case _:
            return set()


def uses(shape: Type, name: str) -> bool:
    """Is *shape* written with ``Any`` or ``Literal``, whichever *name* is?"""
    match shape:
        case Atom(atom):
            return atom == name
        case Choice():
            return name == "Literal"
        case Listing(part):
            return uses(part, name)
        case Table(part):
            return uses(part, name)
        case Either(members):
            return any(uses(member, name) for member in members)
        case _:
            return False


def literal(value: object) -> str:
    """Return *value* as source: a scalar, safe whatever a string holds."""
    if not isinstance(value, str):
        return repr(value)
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + "".join(_escaped(char, quote) for char in value) + quote


def _escaped(char: str, quote: str) -> str:
    if char in {"\\", quote}:
        return f"\\{char}"
    return char if char.isprintable() else repr(char)[1:-1]


@attrs.frozen(kw_only=True)
class Writer:
    """Writes type expressions in one scope.

    Attributes:
        name: The name of a named type, by its key.
        shadowed: Builtins that mean something else in this scope.
        late: Keys that are not bound yet where this is evaluated.
    """

    name: Callable[[str], str]
    shadowed: Collection[str] = ()
    late: Collection[str] = ()

    def flat(self, shape: Type) -> str:
        """Return *shape* on one line."""
        match shape:
            case Atom(name):
                return self._builtin(name)
            case Ref(key):
                return self.name(key)
            case Listing(part):
                return f"{self._builtin('list')}[{self.flat(part)}]"
            case Table(part):
                head, key = self._builtin("dict"), self._builtin("str")
                return f"{head}[{key}, {self.flat(part)}]"
            case Choice(values):
                return f"Literal[{', '.join(literal(value) for value in values)}]"
            case Either(members):
                return " | ".join(self.flat(member) for member in members)

    def _builtin(self, name: str) -> str:
        return f"builtins.{name}" if name in self.shadowed else name
