"""What a tool list must and should hold: schemas, annotations, names. No I/O here."""

import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from mcpfusion_client.cli.doctor_steps import Found, Status
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object
from mcpfusion_client.model.text import one_line, visible

_MOST_SHOWN: Final = 8
_MAX_NAME: Final = 60
_MAX_WHY: Final = 160
_DEEPEST: Final = 100

# The specification's own advice (2025-11-25); the narrower one is that of model APIs.
_ADVISED = re.compile(r"[A-Za-z0-9_./-]{1,128}")
_PORTABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")

_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def schemas_found(tools: Sequence[JsonValue]) -> Found:
    """Check that every tool has schemas that can be used."""
    broken = [
        f"{_name(tool, number)}: {why}"
        for number, tool in enumerate(tools, 1)
        for why in _schema_trouble(tool)
    ]
    if not broken:
        return Found(message=f"all {len(tools)} can be used")
    return Found(
        message=f"{_count(broken, 'schema')} cannot be used",
        status=Status.FAILED,
        fix='give every tool an inputSchema of "type": "object" that is valid JSON '
        "Schema; one broken tool can hide all of them from a client",
        evidence=_bounded(broken),
    )


def _schema_trouble(tool: JsonValue) -> Iterator[str]:
    if not is_object(tool):
        yield "the tool is no object"
        return
    if "inputSchema" not in tool:
        yield "there is no inputSchema"
    for key in ("inputSchema", "outputSchema"):
        if tool.get(key) is not None:
            why = _why_unusable(tool[key])
            if why is not None:
                yield f"{key}: {why}"


def _why_unusable(schema: JsonValue) -> str | None:
    if not is_object(schema):
        return "no object"
    if schema.get("type") != "object":
        return f'its type is {_short(schema.get("type"))} and not "object"'
    if _is_deep(schema):
        return f"nested more than {_DEEPEST} levels deep"
    outside = next(_outside_references(schema), None)
    if outside is not None:
        return f"$ref leads outside: {one_line(outside, _MAX_NAME)}"
    return _first_error(schema)


def _first_error(schema: JsonObject) -> str | None:
    """Return what is wrong with *schema* as JSON Schema, None when nothing is."""
    validators: Any = importlib.import_module("jsonschema.validators")
    exceptions: Any = importlib.import_module("jsonschema.exceptions")
    if not isinstance(schema.get("$schema", ""), str):
        return "$schema is no text"
    # With a default, an unknown dialect is no warning and no request for it.
    dialect = validators.validator_for(schema, validators.Draft202012Validator)
    # No format checker: a pattern is ECMA's, and Python's idea of one differs.
    errors = dialect(dialect.META_SCHEMA).iter_errors(schema)
    error = exceptions.best_match(errors)
    if error is None:
        return None
    place = "/".join(str(part) for part in error.absolute_path) or "the top"
    return one_line(f"at {place}: {error.message}", _MAX_WHY)


def _is_deep(schema: JsonObject) -> bool:
    level: list[JsonValue] = [schema]
    for _ in range(_DEEPEST):
        level = [inner for part in level for inner in _parts(part)]
        if not level:
            return False
    return True


def _outside_references(schema: JsonObject) -> Iterator[str]:
    pending: list[JsonValue] = [schema]
    while pending:
        part = pending.pop()
        if is_object(part):
            reference = part.get("$ref")
            if isinstance(reference, str) and not reference.startswith("#"):
                yield reference
        pending += _parts(part)


def _parts(value: JsonValue) -> Sequence[JsonValue]:
    if is_object(value):
        return tuple(value.values())
    return value if is_array(value) else ()


def annotations_found(tools: Sequence[JsonValue]) -> Found:
    """Check whether every tool says what calling it does."""
    listed = [(number, tool) for number, tool in enumerate(tools, 1) if is_object(tool)]
    silent = [_name(tool, number) for number, tool in listed if not _hints(tool)]
    odd = [
        f"{_name(tool, number)}: {why}"
        for number, tool in listed
        for why in _odd_hints(_hints(tool))
    ]
    if not silent and not odd:
        return Found(message="every tool says what calling it does")
    parts: list[str] = []
    if silent:
        parts.append(f"{len(silent)} of {len(tools)} tools do not say what they change")
    if odd:
        parts.append(f"{_count(odd, 'hint')} make no sense")
    return Found(
        message=" and ".join(parts),
        status=Status.WARNING,
        fix="set readOnlyHint, and idempotentHint and destructiveHint where it is "
        "false: a client repeats only what it knows to be safe",
        evidence=_bounded([*odd, *silent]),
    )


def _hints(tool: JsonObject) -> JsonObject:
    annotations = tool.get("annotations")
    if not is_object(annotations):
        return {}
    return {name: annotations[name] for name in _HINTS if name in annotations}


def _odd_hints(hints: JsonObject) -> Iterator[str]:
    for name, value in hints.items():
        if not isinstance(value, bool):
            yield f"{name} is {_short(value)} and not true or false"
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        yield "read-only, and yet destructive"


def names_found(tools: Sequence[JsonValue]) -> Found:
    """Check that every name is there, is one of a kind, and works everywhere."""
    names = [tool.get("name") for tool in tools if is_object(tool)]
    texts = [name for name in names if isinstance(name, str)]
    broken = list(_broken_names(names, texts))
    if broken:
        return Found(
            message=f"{_count(broken, 'name')} cannot be used safely",
            status=Status.FAILED,
            fix="give every tool a name of its own, of letters, digits, _, - and .",
            evidence=_bounded(broken),
        )
    risky = list(_risky_names(texts))
    if risky:
        return Found(
            message=f"{_count(risky, 'name')} may not work everywhere",
            status=Status.WARNING,
            fix="use letters, digits, _ and -, at most 64 of them: several model APIs "
            "take nothing else",
            evidence=_bounded(risky),
        )
    return Found(message="all of a kind that works everywhere")


def _broken_names(names: Sequence[JsonValue], texts: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names, 1):
        if not isinstance(name, str) or not name:
            yield f"tool {number}: it has no name"
        elif name != visible(name) or "\n" in name or "\t" in name:
            yield f"{_shown(name)}: it holds characters that cannot be seen"
    for name, count in Counter(texts).items():
        if count > 1:
            yield f"{_shown(name)}: {count} tools have this name"


def _risky_names(texts: Sequence[str]) -> Iterator[str]:
    for name in texts:
        if not _ADVISED.fullmatch(name):
            yield f"{_shown(name)}: {_against_advice(name)}"
        elif not _PORTABLE.fullmatch(name):
            yield f"{_shown(name)}: {_not_portable(name)}"
    alike: dict[str, list[str]] = {}
    for name in texts:
        alike.setdefault(name.lower().replace(".", "_").replace("-", "_"), []).append(
            name
        )
    for group in alike.values():
        if len(group) > 1:
            yield f"{', '.join(_shown(name) for name in group)}: too much alike"


def _against_advice(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_./-]*", name):
        return "other characters than the specification advises"
    return f"{len(name)} characters, longer than the specification advises"


def _not_portable(name: str) -> str:
    if re.search(r"[./]", name):
        return "a dot or a slash, which several hosts refuse"
    return f"{len(name)} characters, which several hosts refuse"


def _name(tool: JsonValue, number: int) -> str:
    name = tool.get("name") if is_object(tool) else None
    return _shown(name) if isinstance(name, str) and name else f"tool {number}"


def _shown(name: str) -> str:
    return one_line(name, _MAX_NAME) or "(invisible)"


def _short(value: JsonValue) -> str:
    return one_line(repr(value), _MAX_NAME)


def _count(items: Sequence[str], word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _bounded(lines: Sequence[str]) -> tuple[str, ...]:
    more = len(lines) - _MOST_SHOWN
    rest = (f"and {more} more",) if more > 0 else ()
    return (*lines[:_MOST_SHOWN], *rest)


CHECKS: Final[Mapping[str, Callable[[Sequence[JsonValue]], Found]]] = {
    "schemas": schemas_found,
    "annotations": annotations_found,
    "names": names_found,
}
"""By the name of the step."""
