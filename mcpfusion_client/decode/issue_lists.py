"""Read which arguments a server rejected, from JSON lists and maps of issues.

pydantic, zod, JSON:API, ASP.NET, Google BadRequest, RFC 9457 extensions and
Rails-like maps differ only in the names of three keys.
"""

from collections.abc import Iterator, Mapping, Sequence

from mcpfusion_client.decode.tables.keys import normalise
from mcpfusion_client.decode.zod_texts import NOT_SENT, split
from mcpfusion_client.model import FieldError, JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping, is_sequence

_MAX_ISSUES = 256
_MAX_KEYS = 64
_MAX_NAME = 256
_MAX_TEXT = 2048

_NAMES = (
    "path",
    "loc",
    "field",
    "instancepath",
    "datapath",
    "param",
    "parameter",
    "property",
    "propertyname",
    "pointer",
    "name",
    "key",
    "argument",
    "location",
    "fieldname",
    "source",
    "attribute",
    "propertypath",
    "target",
    "fieldpath",
)
_TEXTS = ("message", "msg", "reason", "description", "detail", "error", "title")
_SENT = ("received", "input", "value", "rejectedvalue", "sent", "actual", "got")
_EXPECTED = ("expected", "allowed", "constraint", "schema")
_WHERE = frozenset({"body", "query", "header", "cookie"})
_LISTS_OF_NAMES = frozenset({"fields", "invalidfields", "errorfields", "missingfields"})
_NESTED_LISTS = ("causes", "fieldViolations", "violations")
_MAPS = frozenset(
    {
        "errors",
        "fields",
        "fielderrors",
        "validationerrors",
        "invalidfields",
        "modelstate",
        "violations",
        "details",
        "invalidparams",
        "message",
    }
)


_LOOSE_MAPS = frozenset({"details", "message"})
"""Maps of anything; only lists of sentences in them are complaints."""


def from_json(value: JsonValue, *, key: str) -> tuple[FieldError, ...]:
    """Return the fields that the value under the normalised *key* names."""
    if is_mapping(value):
        return tuple(_from_map(value, key))
    if is_sequence(value):
        return tuple(_from_list(value, key))
    return ()


def is_graphql(issue: Mapping[str, JsonValue]) -> bool:
    """Is an item of ``errors`` GraphQL's, whose ``path`` leads into the answer?"""
    if "path" not in issue:
        return False
    kind = issue.get("type")
    return (
        "extensions" in issue
        or "locations" in issue
        or (isinstance(kind, str) and kind.isupper())
    )


def _from_list(values: Sequence[JsonValue], key: str) -> Iterator[FieldError]:
    for value in values[:_MAX_ISSUES]:
        if isinstance(value, str) and key in _LISTS_OF_NAMES:
            if 0 < len(value) <= _MAX_NAME and " " not in value:
                yield FieldError(name=value, message="")
        elif is_mapping(value):
            yield from _from_issue(value)


def _from_issue(issue: JsonObject) -> Iterator[FieldError]:
    if is_graphql(issue):
        return
    lowered = {normalise(str(k)): v for k, v in list(issue.items())[:_MAX_KEYS]}
    text = next((t for k in _TEXTS if (t := _string(lowered.get(k)))), "")
    extra = _missing_property(lowered)
    if extra is not None:
        yield FieldError(name=extra, message=text)
        return
    keys = lowered.get("keys")
    if is_array(keys) and lowered.get("code") == "unrecognized_keys":
        yield from (FieldError(name=str(k), message=text) for k in keys[:_MAX_ISSUES])
        return
    violations = lowered.get("fieldviolations")
    if is_array(violations):
        yield from _from_list(violations, "fieldviolations")
        return
    name = next((n for k in _NAMES if (n := _name(lowered.get(k))) is not None), None)
    if name is not None:
        expected, sent = split(text) if "code" in lowered else (None, None)
        stated = _scalar(lowered, _SENT)
        yield FieldError(
            name=name,
            message=text,
            sent=sent if stated in (None, NOT_SENT) else stated,
            expected=_scalar(lowered, _EXPECTED) or expected,
        )


def _missing_property(issue: Mapping[str, JsonValue]) -> str | None:
    """Return the name in the ``params`` of a JSON Schema validator's issue."""
    params = issue.get("params")
    if not is_mapping(params):
        return None
    for key in ("missingProperty", "additionalProperty", "unevaluatedProperty"):
        name = params.get(key)
        if isinstance(name, str):
            prefix = _name(issue.get("instancepath")) or ""
            return f"{prefix}.{name}".lstrip("./") if prefix else name
    return None


def _name(value: JsonValue) -> str | None:
    if isinstance(value, str):
        return value if 0 < len(value) <= _MAX_NAME and " " not in value else None
    if is_mapping(value):
        return _name(value.get("pointer") or value.get("parameter"))
    if is_array(value) and value:
        parts = [str(v) for v in value[:32] if isinstance(v, str | int)]
        if len(parts) > 1 and parts[0] in _WHERE:
            parts = parts[1:]
        return ".".join(parts)[:_MAX_NAME] or None
    return None


def _from_map(values: JsonObject, key: str) -> Iterator[FieldError]:
    nested = values.get("fieldErrors") or values.get("fields")
    if is_mapping(nested):
        yield from _from_map(nested, "fields")
        return
    for name in _NESTED_LISTS:
        listed = values.get(name)
        if is_array(listed):
            yield from _from_list(listed, name)
            return
    if key not in _MAPS:
        return
    for name, value in list(values.items())[:_MAX_ISSUES]:
        text = _messages(value)
        if text is not None and 0 < len(name) <= _MAX_NAME:
            if key in _LOOSE_MAPS and not (is_array(value) and " " in text):
                continue
            yield FieldError(name=name, message=text)


def _messages(value: JsonValue) -> str | None:
    if isinstance(value, str):
        return value[:_MAX_TEXT]
    if is_array(value) and value:
        texts = [_messages_of_item(v) for v in value[:8]]
        if all(text is not None for text in texts):
            return "; ".join(text for text in texts if text)[:_MAX_TEXT]
    if is_mapping(value):
        return _string(value.get("message") or value.get("msg"))
    return None


def _messages_of_item(value: JsonValue) -> str | None:
    if is_mapping(value):
        return _string(value.get("message") or value.get("error") or value.get("msg"))
    return _string(value)


def _string(value: JsonValue) -> str | None:
    return value[:_MAX_TEXT] if isinstance(value, str) and value else None


def _scalar(issue: Mapping[str, JsonValue], names: tuple[str, ...]) -> str | None:
    for name in names:
        value = issue.get(name)
        if isinstance(value, str | int | float):
            return str(value)[:_MAX_TEXT]
    return None
