"""What a generated module remembers of the tools it was made from.

Enough to tell later, without a network or the generator, what changed: the schemas
without their prose, the annotations, and a digest of the prose.
"""

import ast
import hashlib
import json
from collections.abc import Iterable
from typing import Final

import attrs

from mcpfusion_client.codegen.actions import (
    DISCRIMINATOR,
    actions_in,
    grouped_by,
    note_of,
    note_text,
)
from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object
from mcpfusion_client.router import Contract

FORMAT: Final = 1
VARIABLE: Final = "CONTRACT"
_MAX_DEPTH: Final = 100
_PROSE = frozenset(
    {"$comment", "description", "example", "examples", "markdownDescription", "title"}
)
_NAMED = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
_VERBATIM = frozenset({"const", "default", "enum", "required", "type"})


class NoContractError(ValueError):
    """The file is not a module that ``mcpfusion codegen`` wrote."""


@attrs.frozen(kw_only=True)
class Options:
    """What decides how tools become methods.

    Attributes:
        name: The class of the router.
        discriminator: The argument that chooses the action of a grouped tool
            when its schema does not tell.
        split_flat: Make ``billing.get`` of ``billing_get``.
    """

    name: str = "AppRouter"
    discriminator: str = DISCRIMINATOR
    split_flat: bool = True


def remember(tools: Iterable[JsonObject], options: Options) -> Contract:
    """Return the contract of *tools*.

    Args:
        tools: Tools as in a ``tools/list`` result. Untrusted.
        options: How the module is made.
    """
    return Contract(
        version=FORMAT,
        options=attrs.asdict(options),
        tools={
            tool["name"]: json.dumps(
                _remembered(tool, options), sort_keys=True, separators=(",", ":")
            )
            for tool in sorted(tools, key=lambda tool: str(tool["name"]))
        },
    )


def recall(contract: Contract) -> list[JsonObject]:
    """Return the tools *contract* remembers, with wire keys.

    Raises:
        NoContractError: It was written by another version of this format.
    """
    if contract.version != FORMAT:
        msg = f"the router has contract format {contract.version!r}, not {FORMAT}"
        raise NoContractError(msg)
    return [{**json.loads(text), "name": name} for name, text in contract.tools.items()]


def options_of(contract: Contract) -> Options:
    """Return how the module of *contract* was made."""
    known = {field.name for field in attrs.fields(Options)}
    return Options(**{k: v for k, v in contract.options.items() if k in known})


def read_contract(source: str) -> Contract:
    """Return the contract of a generated module; its code is not run.

    Raises:
        NoContractError: There is none in *source*.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        msg = "the file is no Python module"
        raise NoContractError(msg) from error
    for statement in reversed(module.body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(keywords=keywords)
            ) if name == VARIABLE:
                return _contract(keywords)
            case _:
                continue
    msg = f"the file has no {VARIABLE}: it is not a generated router"
    raise NoContractError(msg)


def _contract(keywords: list[ast.keyword]) -> Contract:
    try:
        values = {word.arg: ast.literal_eval(word.value) for word in keywords}
        return Contract(
            version=int(values["version"]),
            options=dict(values["options"]),
            tools={str(k): str(v) for k, v in dict(values["tools"]).items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        msg = f"the {VARIABLE} of the file cannot be read"
        raise NoContractError(msg) from error


def _remembered(tool: JsonObject, options: Options) -> JsonObject:
    schema = without_prose(tool.get("inputSchema"))
    output = tool.get("outputSchema")
    kept: dict[str, JsonValue] = {
        "inputSchema": _with_notes(schema, tool.get("inputSchema"), options),
        "prose": digest(tool),
    }
    if output is not None:
        kept["outputSchema"] = without_prose(output)
    annotations = tool.get("annotations")
    if is_object(annotations):
        hints = {k: v for k, v in annotations.items() if isinstance(v, bool)}
        if hints:
            kept["annotations"] = hints
    return kept


def digest(tool: JsonObject) -> str:
    """Return a digest of everything *tool* says, prose included."""
    told = [
        tool.get(key) for key in ("title", "description", "inputSchema", "outputSchema")
    ]
    try:
        text = json.dumps(told, sort_keys=True)
    except (RecursionError, TypeError, ValueError):
        text = "unreadable"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def without_prose(schema: JsonValue, depth: int = 0) -> JsonValue:
    """Return *schema* without descriptions, titles, examples and comments."""
    if depth > _MAX_DEPTH:
        return {}
    if is_array(schema):
        return [without_prose(part, depth + 1) for part in schema]
    if not is_object(schema):
        return schema
    kept: dict[str, JsonValue] = {}
    for key, value in schema.items():
        if key in _PROSE or key.startswith("x-"):
            continue
        if key in _VERBATIM:
            kept[key] = value
        elif key in _NAMED and is_object(value):
            kept[key] = {
                name: without_prose(part, depth + 1) for name, part in value.items()
            }
        else:
            kept[key] = without_prose(value, depth + 1)
    return kept


def _with_notes(bare: JsonValue, schema: JsonValue, options: Options) -> JsonValue:
    """Keep the notes that say which action an argument of *schema* belongs to."""
    pointers = Pointers(schema)
    key = grouped_by(schema, pointers, options.discriminator)
    properties = schema.get("properties") if is_object(schema) else None
    if key is None or not is_object(properties):
        return bare
    values = actions_in(schema, pointers, key)
    noted = dict(bare["properties"])
    for name, rule in properties.items():
        note = note_of(rule, values)
        if note is not None:
            noted[name] = {**noted[name], "description": note_text(note)}
    return {**bare, "properties": noted}
