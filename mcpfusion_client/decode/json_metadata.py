"""Read the facts of a JSON object, wherever it was found.

One table of keys serves every spelling; where an object came from makes no
difference. A value of the wrong type is as good as absent.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from mcpfusion_client.decode import hints, issue_lists
from mcpfusion_client.decode.evidence import Clue, Strength
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.tables import codes, keys, numbers, reasons
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables.systems import sqlstate
from mcpfusion_client.model import (
    ErrorCategory,
    Execution,
    JsonObject,
    JsonValue,
    Severity,
    SideEffects,
)

_MAX_LAYERS = 24
_MAX_KEYS = 256
_MAX_DEPTH = 4
_MAX_LIST = 256
_MAX_FIELDS = 32

_MAIN = (
    "error",
    "errors",
    "result",
    "err",
    "fault",
    "extensions",
    "exception",
    "detail",
    "message",
)
_AUX = (
    "details",
    "data",
    "meta",
    "metadata",
    "parameters",
    "context",
    "info",
    "response",
    "body",
    "cause",
    "innererror",
    "errorinfo",
    "responsemetadata",
    "ratelimit",
    "headers",
    "results",
)
_RETRY_OBJECTS = ("retry", "retryinfo", "retrypolicy")
"""Objects about repeating: ``{"after": 5}`` in one of them is ``retry_after``."""

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/#-]{1,120}")
_CODE_KEYS = frozenset({"errorcode", "code"})
_LOOSE_CODE = re.compile(r"[A-Za-z_][\w.-]{0,30}:? \d{1,9}")
_SQLSTATE = re.compile(r"\d[0-9A-Z]{4}")
_NO_CODES = frozenset(
    [
        "error",
        "errors",
        "failed",
        "failure",
        "fail",
        "false",
        "true",
        "exception",
        "fault",
        "object",
        "about:blank",
        "ok",
        "success",
        "unknown",
        "status",
        "result",
        "none",
        "null",
        "err",
        "problem",
        "tool",
        "text",
        "invalid",
        "warning",
        "critical",
        "info",
        "debug",
        "http",
        "httperror",
    ]
)
_STATUS_KEYS_OF_AUX = frozenset({"statuscode", "httpstatus", "httpstatuscode"})
_RESULT_WORDS = frozenset({"content", "text"})


@attrs.frozen(kw_only=True)
class Found:
    """What one JSON value gave.

    Attributes:
        facts: What it states.
        clues: What its codes and status numbers suggest.
        prose: The sentences in it, for readers of prose.
    """

    facts: Facts
    clues: tuple[Clue, ...] = ()
    prose: tuple[str, ...] = ()


@attrs.frozen
class _Layer:
    """One object of a nest; the outer ones come first."""

    keys: Mapping[str, JsonValue]
    main: bool


def read(value: JsonValue, context: Context, *, dialect: str = "json") -> Found | None:
    """Return what *value* says about a failure, None when it says nothing."""
    root = _root(value)
    if root is None:
        return None
    layers = list(_layers(root))
    state = _State(context)
    for layer in layers:
        _read_layer(layer, state)
    if not state.values and not state.clues:
        _read_field_map(root, state)
    if not state.values:
        return None
    facts = Facts(
        dialect=dialect,
        values=state.values,
        veto=state.values.get("is_retryable") is False,
    )
    return Found(facts=facts, clues=tuple(state.clues), prose=tuple(state.prose))


def _read_field_map(root: JsonObject, state: "_State") -> None:
    """Read an object that is nothing but field names with lists of complaints."""
    complaints = root.values()
    if (
        len(root) <= _MAX_FIELDS
        and "errors" not in root
        and all(
            isinstance(one, list) and one and all(isinstance(text, str) for text in one)
            for one in complaints
        )
    ):
        state.put("fields", issue_lists.from_json(root, key="errors"))
        state.clues.append(Clue(m.VALIDATION, Strength.SDK, "a map of rejected fields"))


class _State:
    """What has been found so far; the first of a kind stays."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.values: dict[str, JsonValue] = {}
        self.clues: list[Clue] = []
        self.prose: list[str] = []
        self.number_code: str | None = None

    def put(self, name: str, value: JsonValue) -> None:
        if value is not None:
            self.values.setdefault(name, value)

    def status(self, status: int) -> None:
        meaning = numbers.HTTP_STATUSES.get(status)
        if meaning is not None:
            strength = numbers.status_strength(status)
            self.clues.append(Clue(meaning, strength, f"HTTP status {status}"))
        self.put("http_status", status)

    def code(self, code: str) -> None:
        meaning = self.context.lexicon.meaning_of(code)
        if meaning is not None:
            self.clues.append(code_clue(code, meaning))


def code_clue(code: str, meaning: m.Meaning) -> Clue:
    """Return the clue a code word is; one that means a crash says little."""
    vague = meaning.category is ErrorCategory.UNKNOWN
    strength = Strength.GENERIC if vague else Strength.CODE
    return Clue(meaning, strength, f"code {code}")


def _root(value: JsonValue) -> JsonObject | None:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str | bytes) and value:
        return {"errors": value} if isinstance(value[0], Mapping) else None
    return None


def _layers(root: JsonObject) -> Iterator[_Layer]:
    queue: list[tuple[JsonObject, bool, int]] = [(root, True, 0)]
    for count in range(_MAX_LAYERS):
        if count >= len(queue):
            return
        mapping, main, depth = queue[count]
        layer = _Layer(_normalised(mapping), main)
        yield layer
        if depth < _MAX_DEPTH:
            queue += _inner(layer, depth + 1)


def _normalised(mapping: JsonObject) -> dict[str, JsonValue]:
    """Return the keys without case and separators; exact spellings win."""
    result: dict[str, JsonValue] = {}
    exact: set[str] = set()
    for index, (key, value) in enumerate(mapping.items()):
        if index >= _MAX_KEYS:
            break
        if not isinstance(key, str):
            continue
        name = keys.normalise(key)
        is_exact = key in keys.EXACT or key == _snake(key)
        if name not in result or (is_exact and name not in exact):
            result[name] = value
        elif is_exact == (name in exact):
            result[name] = _more_cautious(result[name], value)
        if is_exact:
            exact.add(name)
    return result


def _snake(key: str) -> str:
    return key.lower()


def _more_cautious(one: JsonValue, other: JsonValue) -> JsonValue:
    if one is False or other is False:
        return False
    return one if one is not None else other


def _inner(layer: _Layer, depth: int) -> Iterator[tuple[JsonObject, bool, int]]:
    for name in _RETRY_OBJECTS:
        value = layer.keys.get(name)
        if isinstance(value, Mapping):
            named = {
                f"retry_{key}": one for key, one in list(value.items())[:_MAX_KEYS]
            }
            yield {**value, **named}, False, depth
    for names, main in ((_MAIN, True), (_AUX, False)):
        for name in names:
            value = layer.keys.get(name)
            if isinstance(value, Mapping):
                yield value, main, depth
            elif isinstance(value, list) and value and isinstance(value[0], Mapping):
                if name == "details":
                    yield from ((item, False, depth) for item in _mappings(value))
                else:
                    yield value[0], main, depth


def _mappings(values: Sequence[JsonValue]) -> Iterator[JsonObject]:
    return (item for item in values[:16] if isinstance(item, Mapping))


def _read_layer(layer: _Layer, state: _State) -> None:
    _read_flags(layer, state)
    _read_waits(layer, state)
    _read_status(layer, state)
    _read_issues(layer, state)
    if not layer.main:
        _read_reason(layer, state)
        _read_prose(layer, state)
        return
    if not _is_issue(layer):
        _read_code(layer, state)
    _read_category(layer, state)
    _read_texts(layer, state)
    _read_extras(layer, state)


def _is_issue(layer: _Layer) -> bool:
    """Is this one field's issue? Its code is not the code of the failure."""
    return any(isinstance(layer.keys.get(key), list | str) for key in _ISSUE_KEYS)


_ISSUE_KEYS = ("path", "loc", "instancepath")


def _read_prose(layer: _Layer, state: _State) -> None:
    """Keep the sentences of an inner object as evidence, never as the message."""
    for key in _PROSE_KEYS:
        text = layer.keys.get(key)
        if isinstance(text, str):
            state.prose.append(text)


_PROSE_KEYS = (
    "message",
    "errormessage",
    "detail",
    "error",
    "description",
    "details",
    "msg",
)


def _all(layer: _Layer, role: str) -> Iterator[tuple[str, JsonValue]]:
    found = layer.keys
    return ((key, found[key]) for key in keys.ORDER[role] if key in found)


def flag(value: JsonValue) -> bool | None:
    """Return a flag: a boolean, or the words "true" and "false"."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def _read_flags(layer: _Layer, state: _State) -> None:
    for _, value in _all(layer, keys.FLAG):
        stated = flag(value)
        if stated is False:
            state.values["is_retryable"] = False
        state.put("is_retryable", stated)
    if layer.keys.get("recoverable") is False:
        state.values["is_retryable"] = False
    for _, value in _all(layer, keys.TRANSIENT):
        if value is True:
            state.put("category", ErrorCategory.TRANSIENT)


def _read_waits(layer: _Layer, state: _State) -> None:
    now = state.context.now
    for key, value in _all(layer, keys.WAIT):
        state.put("retry_after", hints.wait(value, now, keys.unit_of(key)))
    for _, value in _all(layer, keys.RESET):
        if isinstance(value, str | int | float):
            state.put("retry_after", hints.reset(value, now))
    for _, value in _all(layer, keys.HEADERS):
        if isinstance(value, Mapping):
            headers = lower_headers(value)
            state.put("retry_after", hints.from_headers(headers, now, limited=False))


def lower_headers(headers: JsonObject) -> dict[str, str]:
    """Return the headers as text with lower-case names; odd ones are dropped."""
    result: dict[str, str] = {}
    for name, value in list(headers.items())[:_MAX_KEYS]:
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(name, str) and isinstance(first, str | int | float):
            result[name.lower()] = str(first)
    return result


def _status_number(value: JsonValue) -> int | None:
    if isinstance(value, str) and len(value) == 3 and value.isascii():
        value = int(value) if value.isdigit() else None
    if isinstance(value, int) and not isinstance(value, bool) and 400 <= value <= 599:
        return value
    return None


def _read_status(layer: _Layer, state: _State) -> None:
    for key, value in _all(layer, keys.STATUS):
        if layer.main or key in _STATUS_KEYS_OF_AUX or key == "status":
            status = _status_number(value)
            if status is not None:
                state.status(status)


def _read_reason(layer: _Layer, state: _State) -> None:
    """Take the reason word of a typed detail, as Google's ErrorInfo has it."""
    reason = layer.keys.get("reason")
    if isinstance(reason, str) and _TOKEN.fullmatch(reason):
        state.code(reason)


def _read_code(layer: _Layer, state: _State) -> None:
    has_status = any(_status_number(v) for _, v in _all(layer, keys.STATUS))
    for key, value in _all(layer, keys.CODE):
        token = _code_token(key, value, has_status=has_status)
        if token is not None:
            state.put("code", value if key == "type" and "/" in value else token)
            state.code(token)
        elif key in {"code", "errorcode", "errno"}:
            number = _number_code(value)
            if number is not None and "number_code" not in state.values:
                state.values["number_code"] = number


def _number_code(value: JsonValue) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int) and abs(value) < 10**9:
        return None if _status_number(value) or value == 0 else str(value)
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}", value):
        return None if _status_number(value) else value
    return None


def _code_token(key: str, value: JsonValue, *, has_status: bool) -> str | None:
    if not isinstance(value, str):
        return None
    if key == "type" and "/" in value:
        return _problem_type(value)
    if key == "type":
        value = value.rpartition("#")[2]
    if key in {"code", "sqlstate"} and _SQLSTATE.fullmatch(value) and sqlstate(value):
        return value
    if key in _CODE_KEYS and _LOOSE_CODE.fullmatch(value):
        return value
    if not _TOKEN.fullmatch(value) or "//" in value or value.lower() in _NO_CODES:
        return None
    if key in {"name", "kind", "exception", "symbol"} and not _is_class(value):
        return None
    if key == "error" and has_status and value.lower() in reasons.PHRASES:
        return None
    return value


def _is_class(value: str) -> bool:
    return value.endswith(("Error", "Exception", "Fault", "Failure"))


def _problem_type(url: str) -> str | None:
    """Return the last word of a problem type's URL."""
    word = re.split(r"[/#:]", url[:512].rstrip("/"))[-1]
    if "ietf.org" in url or not _TOKEN.fullmatch(word) or word.lower() in _NO_CODES:
        return None
    return word


def _read_category(layer: _Layer, state: _State) -> None:
    for _, value in _all(layer, keys.CATEGORY):
        if isinstance(value, str) and 0 < len(value) <= 128:
            category = category_of(value)
            state.put("category", category)
            if (
                category is ErrorCategory.OTHER
                and "category_detail" not in state.values
            ):
                state.put("category_detail", value)


def category_of(word: str) -> ErrorCategory:
    """Return the category a server's word names, OTHER for a word nobody knows."""
    known = keys.CATEGORIES.get(keys.normalise(word))
    if known is not None:
        return known
    meaning = codes.meaning_of(word)
    return ErrorCategory.OTHER if meaning is None else meaning.category


def _read_texts(layer: _Layer, state: _State) -> None:
    for key, value in _all(layer, keys.MESSAGE):
        text = _text(value)
        if text is None or (key == "error" and text.lower() in _NO_CODES):
            continue
        state.prose.append(text)
        if not (key in {"reason", "error", "errors"} and _TOKEN.fullmatch(text)):
            state.put("message", text)
    for _, value in _all(layer, keys.RECOVERY):
        state.put("recovery", _text(value))


def _text(value: JsonValue) -> str | None:
    if isinstance(value, str) and value.strip():
        return value
    if (
        isinstance(value, list)
        and value
        and all(isinstance(v, str) for v in value[:_MAX_LIST])
    ):
        return "\n".join(value[:_MAX_LIST])
    return None


def _read_issues(layer: _Layer, state: _State) -> None:
    if "fields" in state.values:
        return
    for key, value in _all(layer, keys.ISSUES):
        fields = issue_lists.from_json(value, key=key)
        if fields:
            state.put("fields", fields)
            state.clues.append(
                Clue(m.VALIDATION, Strength.SDK, "a list of rejected fields")
            )
            return
    for _, value in _all(layer, keys.FIELD):
        if isinstance(value, str) and 0 < len(value) <= 128 and " " not in value:
            state.put("field_name", value)


def _read_extras(layer: _Layer, state: _State) -> None:
    for _, value in _all(layer, keys.SEVERITY):
        if isinstance(value, str) and value.lower() in set(Severity):
            state.put("severity", Severity(value.lower()))
    for _, value in _all(layer, keys.ACTIONS):
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            state.put("available_actions", tuple(value[:_MAX_LIST]))
    details = layer.keys.get("details")
    if isinstance(details, Mapping):
        state.put("details", details)
    for role in (keys.QUERY, keys.PARTIAL):
        for _, value in _all(layer, role):
            state.put(role, value)
    for _, value in _all(layer, keys.SIDE_EFFECTS):
        state.put("side_effects", _side_effects(value))
    for _, value in _all(layer, keys.EXECUTED):
        if isinstance(value, bool):
            done = Execution.EXECUTED if value else Execution.NOT_EXECUTED
            state.put("execution", done)
    if _is_partial(layer):
        state.put("execution", Execution.EXECUTED)
    action = layer.keys.get("action")
    if isinstance(action, str) and len(action) <= 128:
        state.put("action", action)


def _is_partial(layer: _Layer) -> bool:
    """Are there parts that worked beside parts that failed?"""
    worked = any(_filled(layer.keys.get(key)) for key in _WORKED)
    return worked and any(_filled(layer.keys.get(key)) for key in _FAILED)


def _filled(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return False
    return bool(value) and isinstance(value, list | Mapping | int)


_WORKED = ("succeeded", "successes", "successful", "completed", "created", "processed")
_FAILED = ("failed", "failures", "failurecount", "failedcount", "errors", "rejected")


def _side_effects(value: JsonValue) -> SideEffects | None:
    if isinstance(value, bool):
        return SideEffects.SOME if value else SideEffects.NONE
    if isinstance(value, str) and value.lower() in set(SideEffects):
        return SideEffects(value.lower())
    return None
