"""The arguments of a call, gathered from the input schema of its tool.

An input schema may spread its properties over references and branches. For one
action of a grouped tool only the branches that allow this action count.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from mcpfusion_client.codegen.pointer import Pointers
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object

_MAX_DEPTH: Final = 12
_MAX_BRANCHES: Final = 64
_OPEN = frozenset({"properties", "additionalProperties", "unevaluatedProperties"})


@attrs.frozen(kw_only=True)
class Parameters:
    """What a call takes.

    Attributes:
        properties: Schemas by wire name, in the order of the schema. Untrusted.
        required: Wire names that must be sent.
        extra: The schema of any further argument; None when there is none.
        known: Does the schema say what the arguments are?
    """

    properties: Mapping[str, JsonValue] = attrs.field(factory=dict[str, JsonValue])
    required: frozenset[str] = frozenset()
    extra: JsonValue = None
    known: bool = True

    def without(self, names: Iterable[str]) -> "Parameters":
        """Return these without the arguments *names*."""
        gone = set(names)
        return attrs.evolve(
            self,
            properties={k: v for k, v in self.properties.items() if k not in gone},
            required=self.required - gone,
        )


UNKNOWN: Final = Parameters(extra=True, known=False)


def parameters(
    schema: JsonValue, pointers: Pointers, chosen: Mapping[str, str] | None = None
) -> Parameters:
    """Return the arguments *schema* describes.

    Args:
        schema: The input schema of a tool. Untrusted.
        pointers: Follows its references.
        chosen: Values of arguments that are fixed; branches that exclude them
            are left out.
    """
    found = _gather(schema, pointers, chosen or {}, 0)
    if found is None or not found.known:
        return UNKNOWN
    bare = not found.properties and _OPEN.isdisjoint(schema)
    return attrs.evolve(
        found,
        properties={**found.properties, **_undescribed(found)},
        extra=True if bare else found.extra,
    )


def _undescribed(found: Parameters) -> JsonObject:
    """Arguments that are required and have no schema take any value."""
    return dict.fromkeys(sorted(found.required - found.properties.keys()), True)


def allowed(rule: JsonValue, pointers: Pointers) -> tuple[str, ...]:
    """Return the strings *rule* allows by ``enum`` or ``const``."""
    for _ in range(_MAX_DEPTH):
        target = pointers.follow(rule.get("$ref")) if is_object(rule) else None
        if target is None:
            break
        rule = target.schema
    if not is_object(rule):
        return ()
    if isinstance(rule.get("const"), str):
        return (rule["const"],)
    values = rule.get("enum")
    if not is_array(values):
        return ()
    return tuple(value for value in values if isinstance(value, str))


def _gather(
    schema: JsonValue, pointers: Pointers, chosen: Mapping[str, str], depth: int
) -> Parameters | None:
    """Return what *schema* adds; None when it excludes what is chosen."""
    if not is_object(schema) or depth > _MAX_DEPTH:
        return UNKNOWN
    if not _may_be_object(schema):
        return UNKNOWN
    own = _own(schema, pointers, chosen)
    parts = [own]
    if "$ref" in schema:
        target = pointers.follow(schema["$ref"])
        inner = UNKNOWN if target is None else target.schema
        parts.append(
            inner
            if isinstance(inner, Parameters)
            else _gather(inner, pointers, chosen, depth + 1)
        )
    parts += [
        _gather(part, pointers, chosen, depth + 1)
        for part in _branches(schema.get("allOf"))
    ]
    for word in ("anyOf", "oneOf"):
        branches = _branches(schema.get(word))
        if branches:
            found = [_gather(part, pointers, chosen, depth + 1) for part in branches]
            parts.append(_one_of(found))
    present = [part for part in parts if part is not None]
    return None if len(present) < len(parts) else _all_of(present)


def _may_be_object(schema: JsonObject) -> bool:
    stated = schema.get("type", "object")
    return stated == "object" or (is_array(stated) and "object" in stated)


def _own(
    schema: JsonObject, pointers: Pointers, chosen: Mapping[str, str]
) -> Parameters | None:
    stated = schema.get("properties")
    properties = stated if is_object(stated) else {}
    for name, value in chosen.items():
        values = allowed(properties.get(name), pointers)
        if values and value not in values:
            return None
    required = schema.get("required")
    extra = schema.get("additionalProperties")
    return Parameters(
        properties=properties,
        required=frozenset(
            name
            for name in (required if is_array(required) else ())
            if isinstance(name, str)
        ),
        extra=extra if extra is True or is_object(extra) else None,
        known="properties" not in schema or is_object(stated),
    )


def _all_of(parts: Iterable[Parameters]) -> Parameters:
    properties: dict[str, JsonValue] = {}
    required: frozenset[str] = frozenset()
    extra: JsonValue = None
    known = True
    for part in parts:
        for name, schema in part.properties.items():
            old = properties.get(name)
            properties[name] = (
                schema if old is None or old == schema else {"allOf": [old, schema]}
            )
        required |= part.required
        extra = part.extra if extra is None else extra
        known = known and part.known
    return Parameters(
        properties=properties, required=required, extra=extra, known=known
    )


def _one_of(branches: Iterable[Parameters | None]) -> Parameters | None:
    """Return arguments that fit every branch that is left."""
    left = [branch for branch in branches if branch is not None]
    if not left:
        return None
    schemas: dict[str, list[JsonValue]] = {}
    for branch in left:
        for name, schema in branch.properties.items():
            options = schemas.setdefault(name, [])
            if schema not in options:
                options.append(schema)
    return Parameters(
        properties={
            name: options[0] if len(options) == 1 else {"anyOf": options}
            for name, options in schemas.items()
        },
        required=left[0].required.intersection(*(each.required for each in left)),
        extra=next((b.extra for b in left if b.extra is not None), None),
        known=all(branch.known for branch in left),
    )


def _branches(stated: JsonValue) -> list[JsonValue]:
    return stated[:_MAX_BRANCHES] if is_array(stated) else []
