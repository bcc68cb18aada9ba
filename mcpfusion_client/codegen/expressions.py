"""Type expressions for schemas in the small dialect.

datamodel-code-generator reads the schemas, all of a server in one run. What it writes
is parsed, never run, and only an annotation made of known names comes through.
"""

import ast
import json
import warnings
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from mcpfusion_client.codegen.dialect import Plain, refers_to
from mcpfusion_client.codegen.syntax import (
    ANY,
    NONE,
    OBJECT,
    Atom,
    Choice,
    Listing,
    Ref,
    Table,
    Type,
    either,
)

_ATOMS: Final = frozenset({"str", "int", "float", "bool", "Any"})
_EXTRA: Final = "the `codegen` extra: pip install 'mcpfusion-client[codegen]'"
_HOLDER: Final = "P"


class MissingGeneratorError(ImportError):
    """datamodel-code-generator is not installed."""


class _NotUnderstoodError(Exception):
    """The generator wrote something this file does not let through."""


@attrs.frozen
class Pattern:
    """A schema without what is special about it, so that many share one.

    Attributes:
        text: The schema as JSON, with ``R0`` for the first reference and ``v0`` for
            the first literal.
        refs: The tokens of the references.
        literals: The tokens of the literals.
    """

    text: str
    refs: tuple[str, ...]
    literals: tuple[str, ...]


def pattern_of(schema: Plain) -> Pattern:
    """Return the pattern of *schema*."""
    refs: dict[str, str] = {}
    literals: dict[str, str] = {}

    def rename(part: Plain) -> Plain:
        if "$ref" in part:
            token = refers_to(part)
            return {"$ref": f"#/$defs/{refs.setdefault(token, f'R{len(refs)}')}"}
        if "enum" in part:
            return {
                "enum": [
                    literals.setdefault(token, f"v{len(literals)}")
                    for token in part["enum"]
                ]
            }
        renamed = dict(part)
        for word in ("items", "additionalProperties"):
            if word in part:
                renamed[word] = rename(part[word])
        if "anyOf" in part:
            renamed["anyOf"] = [rename(branch) for branch in part["anyOf"]]
        return renamed

    text = json.dumps(rename(schema), sort_keys=True)
    return Pattern(text, tuple(refs), tuple(literals))


def expressions(patterns: Iterable[str]) -> dict[str, Type]:
    """Return the type of every pattern that can be typed.

    Args:
        patterns: Texts of `Pattern`.

    Raises:
        MissingGeneratorError: The ``codegen`` extra is not installed.
    """
    found: dict[str, Type] = {}
    waiting: list[Sequence[str]] = [sorted(set(patterns))]
    while waiting:
        batch = waiting.pop()
        types = _attempt(batch) if batch else []
        if types is not None:
            found.update(zip(batch, types, strict=True))
        elif len(batch) > 1:
            middle = len(batch) // 2
            waiting += [batch[:middle], batch[middle:]]
    return found


def _attempt(batch: Sequence[str]) -> list[Type] | None:
    schemas = [json.loads(text) for text in batch]
    names = {f"k{number}": schema for number, schema in enumerate(schemas)}
    refs = sorted({ref for text in batch for ref in _refs(text)})
    stub: Plain = {"type": "object", "properties": {"k": {"type": "string"}}}
    holder: Plain = {
        "type": "object",
        "properties": names,
        "required": list(names),
    }
    try:
        source = _generated({"$defs": {**dict.fromkeys(refs, stub), _HOLDER: holder}})
        fields = _fields_of_holder(ast.parse(source))
        return [_type(fields[name], set(refs)) for name in names]
    except MissingGeneratorError:
        raise
    except Exception:  # noqa: BLE001 - whatever it trips over, the rest goes on
        return None


def _refs(text: str) -> list[str]:
    return [piece.partition('"')[0] for piece in text.split('"#/$defs/')[1:]]


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


def _fields_of_holder(module: ast.Module) -> dict[str, ast.expr]:
    """Return the annotation of every field of the holder.

    Raises:
        _NotUnderstoodError: The module has no such class.
    """
    for statement in module.body:
        match statement:
            case ast.ClassDef(name=name, body=body) if name == _HOLDER:
                return {
                    field.target.id: field.annotation
                    for field in body
                    if isinstance(field, ast.AnnAssign)
                    and isinstance(field.target, ast.Name)
                }
            case _:
                continue
    raise _NotUnderstoodError


def _type(node: ast.expr, refs: set[str]) -> Type:
    """Return the type *node* writes.

    Raises:
        _NotUnderstoodError: It is not made of known names alone.
    """
    match node:
        case ast.Name(id=name):
            return _named(name, refs)
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str(text)):
            return _type(ast.parse(text, mode="eval").body, refs)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return either([_type(left, refs), _type(right, refs)])
        case ast.Subscript(value=ast.Name(id=head), slice=part):
            parts = part.elts if isinstance(part, ast.Tuple) else [part]
            return _generic(head, parts, refs)
        case _:
            raise _NotUnderstoodError


def _named(name: str, refs: set[str]) -> Type:
    if name in _ATOMS:
        return Atom(name)
    if name == "list":
        return Listing(ANY)
    if name == "dict":
        return OBJECT
    if name in refs:
        return Ref(name)
    raise _NotUnderstoodError


def _generic(head: str, parts: list[ast.expr], refs: set[str]) -> Type:
    match head, parts:
        case "list", [item]:
            return Listing(_type(item, refs))
        case "dict", [_, value]:
            return Table(_type(value, refs))
        case "Optional", [part]:
            return either([_type(part, refs), NONE])
        case "Union", _:
            return either(_type(part, refs) for part in parts)
        case "Literal", _:
            return either(_literal(part) for part in parts)
        case _:
            raise _NotUnderstoodError


def _literal(node: ast.expr) -> Type:
    match node:
        case ast.Constant(value=str(token)):
            return Choice((token,))
        case _:
            raise _NotUnderstoodError
