"""Read the facts of a JSON object, wherever it was found.

One table of keys serves every spelling; where an object came from makes no
difference. Nothing inside a string is parsed: sentences are handed on as prose.
"""

import functools

import attrs

from mcpfusion_client.decode.evidence import Clue, Meaning, Strength
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.hints import from_headers as wait_of_headers
from mcpfusion_client.decode.hints import reset as reset_of
from mcpfusion_client.decode.hints import wait as wait_of
from mcpfusion_client.decode.issue_lists import from_json as fields_of
from mcpfusion_client.decode.json_layers import Layer, layers, root_of
from mcpfusion_client.decode.json_values import NO_CODES, TOKEN, of_driver
from mcpfusion_client.decode.json_values import category as category_of
from mcpfusion_client.decode.json_values import code as code_of
from mcpfusion_client.decode.json_values import filled as is_filled
from mcpfusion_client.decode.json_values import flag as flag_of
from mcpfusion_client.decode.json_values import headers as headers_of
from mcpfusion_client.decode.json_values import number_code as number_code_of
from mcpfusion_client.decode.json_values import side_effects as side_effects_of
from mcpfusion_client.decode.json_values import status as status_of
from mcpfusion_client.decode.json_values import text as text_of
from mcpfusion_client.decode.json_values import texts as texts_of
from mcpfusion_client.decode.json_values import word as word_of
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.tables import keys, numbers
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.model import (
    ErrorCategory,
    Execution,
    JsonObject,
    JsonValue,
    Severity,
)
from mcpfusion_client.model.json import is_mapping

_MAX_FIELDS = 32

_STATUS_BESIDE = frozenset({"statuscode", "httpstatus", "httpstatuscode", "status"})
_NUMBERED = frozenset({"code", "errorcode", "errno", "errcode", "retcode"})
_TOKENS_NOT_TEXT = frozenset({"reason", "error", "errors"})
_PROSE_BESIDE = (
    "message",
    "errormessage",
    "detail",
    "error",
    "description",
    "details",
    "msg",
)
_WORKED = ("succeeded", "successes", "successful", "completed", "created", "processed")
_FAILED = ("failed", "failures", "failurecount", "failedcount", "errors", "rejected")


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


def read(value: JsonValue, context: Context, *, dialect: str = "json") -> Found | None:
    """Return what *value* says about a failure, None when it says nothing."""
    root = root_of(value)
    if root is None:
        return None
    state = _State(context=context)
    for layer in layers(root):
        _read_layer(layer, state)
    if not state.values and not state.clues:
        _read_field_map(root, state)
    if not state.values:
        return None
    vetoes = state.values.get("is_retryable") is False
    facts = Facts(dialect=dialect, values=state.values, veto=vetoes)
    return Found(facts=facts, clues=tuple(state.clues), prose=tuple(state.prose))


@functools.lru_cache(maxsize=512)
def code_clue(code: str, meaning: Meaning) -> Clue:
    """Return the clue a code word is; one that means a crash says little."""
    vague = meaning.category is ErrorCategory.UNKNOWN
    strength = Strength.GENERIC if vague else Strength.CODE
    return Clue(meaning, strength, f"code {code}")


@attrs.define(kw_only=True)
class _State:
    """What has been found so far; the first of a kind stays."""

    context: Context
    values: dict[str, JsonValue] = attrs.field(factory=dict[str, JsonValue])
    clues: list[Clue] = attrs.field(factory=list[Clue])
    prose: list[str] = attrs.field(factory=list[str])
    explicit_code: bool = False

    def put(self, name: str, value: JsonValue) -> None:
        """Keep *value* if it is the first of its name."""
        if value is not None:
            self.values.setdefault(name, value)

    def put_code(self, code: str, *, explicit: bool) -> None:
        """Keep a code; one under a key for codes beats a type or class name."""
        if explicit and not self.explicit_code:
            self.values["code"] = code
            self.explicit_code = True
        self.put("code", code)

    def add_status(self, status: int) -> None:
        """Keep an HTTP status and what it suggests."""
        meaning = numbers.HTTP_STATUSES.get(status)
        if meaning is not None:
            strength = numbers.status_strength(status)
            self.clues.append(Clue(meaning, strength, f"HTTP status {status}"))
        self.put("http_status", status)

    def add_code(self, code: str) -> None:
        """Keep what a code word suggests."""
        meaning = self.context.lexicon.meaning_of(code)
        if meaning is not None:
            self.clues.append(code_clue(code, meaning))


def _read_layer(layer: Layer, state: _State) -> None:
    _read_flags(layer, state)
    _read_waits(layer, state)
    _read_status(layer, state)
    _read_issues(layer, state)
    if not layer.main:
        _read_beside(layer, state)
        return
    if not layer.is_issue:
        _read_code(layer, state)
    _read_category(layer, state)
    _read_texts(layer, state)
    _read_extras(layer, state)
    _read_outcome(layer, state)


def _read_flags(layer: Layer, state: _State) -> None:
    for _, value in layer.all(keys.FLAG):
        stated = flag_of(value)
        if stated is False:
            state.values["is_retryable"] = False
        state.put("is_retryable", stated)
    if layer.keys.get("recoverable") is False:
        state.values["is_retryable"] = False
    for _, value in layer.all(keys.TRANSIENT):
        if value is True:
            state.put("category", ErrorCategory.TRANSIENT)


def _read_waits(layer: Layer, state: _State) -> None:
    now = state.context.now
    for key, value in layer.all(keys.WAIT):
        state.put("retry_after", wait_of(value, now, keys.unit_of(key)))
    if not is_filled(layer.keys.get("remaining")):
        for _, value in layer.all(keys.RESET):
            state.put("retry_after", reset_of(value, now))
    for _, value in layer.all(keys.HEADERS):
        if is_mapping(value):
            headers = headers_of(value)
            state.put("retry_after", wait_of_headers(headers, now, limited=False))


def _read_status(layer: Layer, state: _State) -> None:
    for key, value in layer.all(keys.STATUS):
        if layer.main or key in _STATUS_BESIDE:
            status = status_of(value)
            if status is not None:
                state.add_status(status)


def _read_issues(layer: Layer, state: _State) -> None:
    if "fields" in state.values:
        return
    for key, value in layer.all(keys.ISSUES):
        fields = fields_of(value, key=key)
        if fields:
            state.put("fields", fields)
            state.clues.append(
                Clue(m.VALIDATION, Strength.SDK, "a list of rejected fields")
            )
            return
    for _, value in layer.all(keys.FIELD):
        name = word_of(value)
        if name is not None and " " not in name:
            state.put("field_name", name)


def _read_beside(layer: Layer, state: _State) -> None:
    """Keep the sentences and the reason word of an inner object as evidence."""
    reason = layer.keys.get("reason")
    if isinstance(reason, str) and TOKEN.fullmatch(reason):
        state.add_code(reason)
    for key in _PROSE_BESIDE:
        text = layer.keys.get(key)
        if isinstance(text, str):
            state.prose.append(text)


def _read_code(layer: Layer, state: _State) -> None:
    statuses = (status_of(value) for _, value in layer.all(keys.STATUS))
    has_status = any(statuses)
    driver = of_driver(layer.keys)
    for key, value in layer.all(keys.CODE):
        found = code_of(key, value, has_status=has_status, driver=driver)
        if found is not None:
            state.put_code(found[0], explicit=key in keys.CODES_PROPER)
            state.add_code(found[1])
        elif key in _NUMBERED:
            state.put("number_code", number_code_of(value))


def _read_category(layer: Layer, state: _State) -> None:
    for _, value in layer.all(keys.CATEGORY):
        word = word_of(value)
        if word is not None and "category" not in state.values:
            category = category_of(word)
            state.put("category", category)
            if category is ErrorCategory.OTHER:
                state.put("category_detail", word)


def _read_texts(layer: Layer, state: _State) -> None:
    for key, value in layer.all(keys.MESSAGE):
        text = text_of(value)
        if text is None or (key == "error" and text.lower() in NO_CODES):
            continue
        state.prose.append(text)
        if not (key in _TOKENS_NOT_TEXT and TOKEN.fullmatch(text)):
            state.put("message", text)
    for _, value in layer.all(keys.RECOVERY):
        state.put("recovery", text_of(value))


def _read_extras(layer: Layer, state: _State) -> None:
    for _, value in layer.all(keys.SEVERITY):
        word = word_of(value)
        if word is not None and word.lower() in set(Severity):
            state.put("severity", Severity(word.lower()))
    for _, value in layer.all(keys.ACTIONS):
        state.put("available_actions", texts_of(value))
    details = layer.keys.get("details")
    if is_mapping(details):
        state.put("details", details)
    state.put("action", word_of(layer.keys.get("action")))
    for role in (keys.QUERY, keys.PARTIAL):
        for _, value in layer.all(role):
            state.put(role, value)


def _read_outcome(layer: Layer, state: _State) -> None:
    """Read what the call did: its side effects, and whether it ran at all."""
    for _, value in layer.all(keys.SIDE_EFFECTS):
        state.put("side_effects", side_effects_of(value))
    for _, value in layer.all(keys.EXECUTED):
        if isinstance(value, bool):
            ran = Execution.EXECUTED if value else Execution.NOT_EXECUTED
            state.put("execution", ran)
    worked = any(is_filled(layer.keys.get(key)) for key in _WORKED)
    if worked and any(is_filled(layer.keys.get(key)) for key in _FAILED):
        state.put("execution", Execution.EXECUTED)


def _read_field_map(root: JsonObject, state: _State) -> None:
    """Read an object that is nothing but field names with lists of complaints."""
    complaints = [texts_of(value) for value in root.values()]
    if not 0 < len(complaints) <= _MAX_FIELDS or "errors" in root:
        return
    if all(complaints):
        state.put("fields", fields_of(root, key="errors"))
        state.clues.append(Clue(m.VALIDATION, Strength.SDK, "a map of rejected fields"))
