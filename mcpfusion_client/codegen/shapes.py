"""From schemas in the small dialect to type expressions.

datamodel-code-generator reads the schemas. What it writes is parsed, never run,
and only an annotation made of known names comes through; a schema it cannot type
costs that schema its type, not the tool.
"""

import ast
import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

import attrs

from mcpfusion_client.codegen.schema import Document, Plain
from mcpfusion_client.codegen.syntax import (
    ANY,
    NONE,
    OBJECT,
    Atom,
    Choice,
    Listing,
    Ref,
    Scalar,
    Table,
    Type,
    either,
    mapped,
    references,
)

_ATOMS: Final = frozenset({"str", "int", "float", "bool", "Any"})
_EXTRA: Final = "the `codegen` extra: pip install 'mcpfusion-client[codegen]'"


class MissingGeneratorError(ImportError):
    """datamodel-code-generator is not installed."""


class _NotUnderstoodError(Exception):
    """The generator wrote something this file does not let through."""


@attrs.frozen
class Field:
    """A property of a TypedDict."""

    type: Type
    required: bool


Fields: TypeAlias = Mapping[str, Field]
"""A TypedDict: its fields by token."""

Shapes: TypeAlias = Mapping[str, "Type | Fields"]


def shapes(document: Document) -> Shapes:
    """Return what every definition of *document* is in Python, by token.

    Definitions that defeat the generator become any value, with a note.

    Raises:
        MissingGeneratorError: The ``codegen`` extra is not installed.
    """
    definitions = dict(document.definitions)
    found = _attempt(definitions, document.literals)
    if found is not None:
        return found
    for token, definition in document.definitions.items():
        alone = _reachable(definitions, token)
        if _attempt(alone, document.literals) is None:
            definitions[token] = _untyped(definition)
            document.note(document.about[token].where, "a schema that defeats typing")
    found = _attempt(definitions, document.literals)
    if found is not None:
        return found
    return dict.fromkeys(definitions, OBJECT)


def _untyped(definition: Plain) -> Plain:
    if definition.get("type") == "object":
        anything: Plain = {}
        return {
            **definition,
            "properties": dict.fromkeys(definition["properties"], anything),
        }
    return {}


def _reachable(definitions: Mapping[str, Plain], token: str) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    waiting = [token]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found[here] = definitions[here]
            waiting += _mentioned(definitions[here])
    return found


def _mentioned(schema: Plain) -> list[str]:
    prefix = "#/$defs/"
    text = json.dumps(schema)
    return [piece.partition('"')[0] for piece in text.split(prefix)[1:]]


def _attempt(
    definitions: Mapping[str, Plain], literals: Mapping[str, Scalar]
) -> Shapes | None:
    if not definitions:
        return {}
    try:
        source = _generated({"$defs": dict(definitions)})
        return _Module(set(definitions), literals).read(ast.parse(source))
    except MissingGeneratorError:
        raise
    except Exception:  # noqa: BLE001 - whatever it trips over, the rest goes on
        return None


def _generated(schema: Plain) -> str:
    try:
        import datamodel_code_generator as generator  # noqa: PLC0415 - heavy, an extra
        from datamodel_code_generator import enums  # noqa: PLC0415 - the same
    except ImportError as error:
        msg = f"generating code needs {_EXTRA}"
        raise MissingGeneratorError(msg) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written = generator.generate(
            json.dumps(schema),
            input_file_type=generator.InputFileType.JsonSchema,
            output_model_type=enums.DataModelType.TypingTypedDict,
            target_python_version=generator.PythonVersion.PY_311,
            use_standard_collections=True,
            use_union_operator=True,
            use_closed_typed_dict=False,
            enum_field_as_literal=generator.LiteralType.All,
            allow_remote_refs=False,
            disable_timestamp=True,
            formatters=[],
        )
    return str(written)


@attrs.define
class _Module:
    """Reads what the generator wrote, statement by statement.

    Attributes:
        tokens: The definitions it was asked for.
        literals: The values of literal tokens.
    """

    tokens: set[str]
    literals: Mapping[str, Scalar]
    _bodies: dict[str, ast.ClassDef | ast.expr] = attrs.field(
        factory=dict[str, ast.ClassDef | ast.expr]
    )
    _open: set[str] = attrs.field(factory=set[str])

    def read(self, module: ast.Module) -> Shapes:
        """Return the shape of every token.

        Raises:
            _NotUnderstoodError: Something is not of the expected form.
        """
        for statement in module.body:
            self._collect(statement)
        if not self.tokens <= self._bodies.keys():
            raise _NotUnderstoodError
        found = {name: self._shape(name) for name in self._bodies if name != "Model"}
        return {name: OBJECT if shape == {} else shape for name, shape in found.items()}

    def _collect(self, statement: ast.stmt) -> None:
        match statement:
            case ast.ClassDef(name=name, decorator_list=[], keywords=[]):
                self._bodies[name] = statement
            case ast.AnnAssign(
                target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")
            ) if statement.value is not None:
                self._bodies[name] = statement.value
            case ast.Import() | ast.ImportFrom():
                pass
            case _:
                raise _NotUnderstoodError

    def _shape(self, name: str) -> Type | Fields:
        body = self._bodies[name]
        if isinstance(body, ast.ClassDef):
            return self._fields(name, body)
        return self._type(body)

    def _fields(self, name: str, body: ast.ClassDef) -> Fields:
        if name in self._open:
            raise _NotUnderstoodError
        self._open.add(name)
        fields: dict[str, Field] = {}
        for base in body.bases:
            match base:
                case ast.Name(id="TypedDict"):
                    continue
                case ast.Name(id=parent) if isinstance(
                    known := self._bodies.get(parent), ast.ClassDef
                ):
                    _inherit(fields, self._fields(parent, known))
                case _:
                    raise _NotUnderstoodError
        for statement in body.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=key), value=None):
                    _inherit(fields, {key: self._field(statement.annotation)})
                case ast.Pass():
                    continue
                case _:
                    raise _NotUnderstoodError
        self._open.discard(name)
        return fields

    def _field(self, annotation: ast.expr) -> Field:
        match annotation:
            case ast.Subscript(value=ast.Name(id="NotRequired"), slice=part):
                return Field(self._type(part), required=False)
            case _:
                return Field(self._type(annotation), required=True)

    def _type(self, node: ast.expr) -> Type:
        match node:
            case ast.Name(id=name):
                return self._named(name)
            case ast.Constant(value=None):
                return NONE
            case ast.Constant(value=str(text)):
                return self._type(ast.parse(text, mode="eval").body)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return either([self._type(left), self._type(right)])
            case ast.Subscript(value=ast.Name(id=head), slice=part):
                parts = part.elts if isinstance(part, ast.Tuple) else [part]
                return self._generic(head, parts)
            case _:
                raise _NotUnderstoodError

    def _named(self, name: str) -> Type:
        if name in _ATOMS:
            return Atom(name)
        if name == "list":
            return Listing(ANY)
        if name == "dict":
            return OBJECT
        if name in self._bodies:
            return Ref(name)
        raise _NotUnderstoodError

    def _generic(self, head: str, parts: list[ast.expr]) -> Type:
        match head, parts:
            case "list", [item]:
                return Listing(self._type(item))
            case "dict", [_, value]:
                return Table(self._type(value))
            case "Optional", [part]:
                return either([self._type(part), NONE])
            case "Union", _:
                return either(self._type(part) for part in parts)
            case "Literal", _:
                return either(Choice((self._literal(part),)) for part in parts)
            case _:
                raise _NotUnderstoodError

    def _literal(self, node: ast.expr) -> Scalar:
        match node:
            case ast.Constant(value=str(token)) if token in self.literals:
                return self.literals[token]
            case _:
                raise _NotUnderstoodError


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
