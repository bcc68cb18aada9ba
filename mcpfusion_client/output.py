"""Is a result what the output schema promised?

Checked is what types promise: kinds, required fields, literals, bounds. Left out
are further fields, which break no type, and regular expressions, which let a server
choose how long a check takes. No reference is followed out of the schema.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    FieldError,
    JsonValue,
    Origin,
)
from mcpfusion_client.model.json import is_array, is_object

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Check: TypeAlias = Callable[[JsonValue], ErrorInfo | None]
"""Takes a result's data; returns what is wrong with it, None when nothing is."""

_MAX_DEPTH: Final = 100
_MAX_FIELDS: Final = 20
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "properties"})
_VERBATIM = frozenset({"const", "default", "enum", "required", "type"})
_LEFT_OUT = frozenset({"format", "pattern", "patternProperties", "propertyNames"})
_CLOSING = frozenset({"additionalProperties", "unevaluatedProperties"})


def output_check(schema: JsonValue) -> Check | None:
    """Return what checks data against *schema*; None when it cannot be checked.

    Args:
        schema: An output schema. Untrusted.
    """
    if not is_object(schema):
        return None
    validator = _validator(tolerant(schema))
    if validator is None:
        return None

    def check(data: JsonValue) -> ErrorInfo | None:
        try:
            found = [
                problem
                for problem, _ in zip(
                    validator.iter_errors(data), range(_MAX_FIELDS), strict=False
                )
            ]
        except Exception:  # noqa: BLE001 - a schema that cannot be evaluated
            return None
        return invalid_output(*map(_field, found)) if found else None

    return check


def tolerant(schema: JsonValue, depth: int = 0) -> JsonValue:
    """Return *schema* without what no type promises."""
    if depth > _MAX_DEPTH:
        return {}
    if is_array(schema):
        return [tolerant(part, depth + 1) for part in schema]
    if not is_object(schema):
        return schema
    kept: dict[str, JsonValue] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT or (key in _CLOSING and value is False):
            continue
        if key in _VERBATIM:
            kept[key] = value
        elif key in _NAMED and is_object(value):
            kept[key] = {
                name: tolerant(part, depth + 1) for name, part in value.items()
            }
        else:
            kept[key] = tolerant(value, depth + 1)
    return kept


def _validator(schema: JsonValue) -> "Validator | None":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import
    from jsonschema.validators import validator_for  # noqa: PLC0415 - the same
    from referencing import Registry  # noqa: PLC0415 - the same

    try:
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
        return kind(schema, registry=Registry())
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it cannot check
        return None


def invalid_output(*fields: FieldError) -> ErrorInfo:
    """The tool ran, but what it returned breaks its own output schema.

    Args:
        fields: What does not fit, at least one. Untrusted.
    """
    return ErrorInfo(
        message=(
            "the tool ran, but its result breaks its output schema: "
            f"{fields[0].name}: {fields[0].message}"
        ),
        code=ErrorCode.BAD_RESPONSE,
        category=ErrorCategory.UNKNOWN,
        is_retryable=False,
        execution=Execution.EXECUTED,
        fields=fields,
        origin=Origin.CLIENT,
        dialect="output_schema",
    )


def _field(problem: "ValidationError") -> FieldError:
    return FieldError(
        name=".".join(str(step) for step in problem.absolute_path) or "(root)",
        message=f"breaks {problem.validator!r} of the output schema",
        expected=_expected(problem),
    )


def _expected(problem: "ValidationError") -> str:
    return f"{problem.validator}: {problem.validator_value!r}"[:200]
