"""Find failures that were sent as successes; precision first.

A tool may well return error words as its data: a log, a document, the status of
a job. So a JSON object counts only when it is an error envelope and nothing else,
and a text only when it is short and begins as an error does.
"""

import re
from collections.abc import Iterator, Mapping

import attrs

from mcpfusion_client.decode.failures import read as read_result
from mcpfusion_client.decode.json_values import status as status_of
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.decode.tables.keys import normalise
from mcpfusion_client.decode.tables.wordlist import words
from mcpfusion_client.model import ErrorInfo, JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping, is_sequence

_MAX_JSON = 256 * 1024
_MAX_TEXT = 600
_MAX_LINES = 6
_MAX_DEPTH = 4

_ENVELOPE = words(
    """error errors message msg code type status statuscode httpstatus httpcode
    detail details reason hint suggestion suggestedaction recovery description
    title success ok iserror errortype errorcode errorcategory errormessage
    errorclass category retryable isretryable retryafter retryafterms
    retryafterseconds timestamp requestid traceid correlationid service operation
    tool toolname action path method url instance field fields param parameter
    data result results duration durationms meta metadata context severity level
    help docs documentationurl docurl moreinfo fullerror fullresponse stack trace
    cause object name failed resolution remediation validactions availableactions
    availabletools availablemethods failedmethod nextsteps query attemptedquery
    partialresults usererrors extensions locations response exception
    errordescription erroruri helpurl support region account server tips warning
    timestampms time integrationid additionaldata examples example usage"""
)
_PAYLOAD = frozenset({"data", "result", "results", "items", "rows", "records"})
_REASONS = words(
    """message msg error errors detail details reason description errormessage title
    errortype errorcode code hint"""
)
_WORKED = frozenset({"ok", "success", "succeeded", "completed", "done", "running"})
_BUILDER = ("_code", "_message")
_BUILDER_KEYS = {"actions": "availableActions", "suggestion": "recovery"}

_VERBS = (
    "executing|calling|fetching|getting|creating|updating|deleting|reading|writing"
    "|running|processing|searching|listing|loading|sending|connecting|parsing"
    "|retrieving|querying|opening|saving|uploading|downloading|invoking|adding"
    "|removing|performing|generating|validating|accessing|while|during|in|from|making"
    "|setting|starting|stopping|finding|looking|resolving|scraping|analyzing|moving"
)
_TEXT = re.compile(
    r"[\W_]{0,8}(?:"
    rf"(?:[A-Z][\w-]{{0,30}} ){{0,3}}[Ee]rror(?: (?:{_VERBS})\b[^:\n]{{0,120}})?: ?"
    r"(?!(?:none|null|nil|n/a|0|false)\W{0,2}$)\S"
    r"|ERROR: ?\S"
    r"|[A-Z]\w{1,60}(?:Error|Exception): ?\S"
    r"|Failed to [a-z][^\n]{0,200}"
    r"|(?:Unable|Could not|Couldn't|Cannot) (?:to )?(?:connect|reach|fetch|retrieve"
    r"|access"
    r"|load|authenticate|complete|process|execute|resolve|open|read|write|create|update"
    r"|delete|get)\b[^\n]{0,200}"
    r"|(?:An?|There was an) (?:unexpected |internal |unknown )?error"
    r"(?: (?:occurred|has occurred|happened|calling|while|processing)|[:.])"
    r"|(?:[A-Z][\w ]{0,40} limit (?:reached|exceeded)"
    r"|(?:API )?[Rr]ate limit(?:ed| exceeded| reached)"
    r"|Too many requests"
    r"|(?:Access|Permission) denied"
    r"|Unauthori[sz]ed(?: access)?"
    r"|Authentication (?:failed|required|error)"
    r"|Invalid (?:API key|token|credentials)"
    r"|(?:Request|Operation|Connection|Query) (?:timed out|timeout|failed|refused)"
    r")(?=\s{0,2}(?:$|[\n.:;,!(\[—–-])|\s(?:for|to|on|by|while|when|because|after|in"
    r"|from|with|and|or|due|error|please|as|at|until)\b(?!:))"
    r"|HTTP (?:error )?[45]\d\d(?::| [A-Z]|$)"
    r"|[45]\d\d (?:Client|Server) Error\b"
    r"|(?:エラー|エラーが発生|错误|錯誤|오류|Erreur|Fehler|Errore|Erro|Ошибка) ?[:：]"
    r")"
)
_COUNT = re.compile(
    r"(?:events|entries|messages|lines|attempts|responses|requests|errors|records|items"
    r"|occurrences|matches|logs|reports|incidents|cases|tests|rows|pages|files|jobs"
    r"|alerts|warnings|hits|results)\b[^\n.]{0,60}: ?\d"
    r"|\b\d{1,9} (?:found|matches|results|events|entries|occurrences|hits|times"
    r"|incidents)\b|\b\d{1,9} (?:of|out of) \d{1,9}\b",
    re.IGNORECASE,
)
"""A text that counts errors is a report of them."""

_LOG = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b(?:INFO|DEBUG|WARN(?:ING)?|TRACE)\b")
_DOCUMENT = re.compile(r"\n#{1,4} |\n\n[^\n]{200}|^#{1,4} |\n```")


@attrs.frozen(kw_only=True)
class Suspect:
    """A failure sent as a success, and why it is taken for one."""

    error: ErrorInfo
    reason: str


def find(result: JsonObject, context: Context) -> Suspect | None:
    """Return the failure hidden in a successful *result*, if there is one."""
    structured = _unwrapped(result.get("structuredContent"))
    text = _only_text(result.get("content"))
    if text is None:
        return _in_object(structured, context) if is_mapping(structured) else None
    value = _parsed(text)
    if structured is not None and structured not in (value, text):
        mapping = structured if is_mapping(structured) else None
        return (
            None
            if mapping is None or _echoes(mapping, text)
            else (_in_object(mapping, context))
        )
    if is_mapping(value):
        return _in_object(value, context)
    if value is None and _is_error_text(text):
        return Suspect(error=_decoded(text, context), reason="the text is an error")
    return None


def _unwrapped(structured: JsonValue) -> JsonValue:
    """Return what a tool returned, out of the wrapper that some SDKs put around it."""
    if is_mapping(structured) and len(structured) == 1 and "result" in structured:
        inner = structured["result"]
        return inner[0] if is_array(inner) and len(inner) == 1 else inner
    return structured


def _echoes(structured: JsonObject, text: str) -> bool:
    """Is the text only the value of one of the structured keys?"""
    return any(
        isinstance(value, str) and value == text for value in structured.values()
    )


def _only_text(content: JsonValue) -> str | None:
    if not is_sequence(content) or len(content) != 1:
        return None
    block = content[0]
    if not is_mapping(block) or block.get("type", "text") != "text":
        return None
    text = block.get("text")
    return text if isinstance(text, str) else None


def _parsed(text: str) -> JsonValue:
    if text[:64].lstrip()[:1] != "{" or len(text) > _MAX_JSON:
        return None
    return parse_json(text)


def _in_object(value: JsonObject, context: Context) -> Suspect | None:
    reason = _reason(value)
    if reason is None:
        return None
    if reason == _SERIALISED:
        return Suspect(
            error=read_result({**value, "isError": True}, context), reason=reason
        )
    if reason == _USER_ERRORS:
        value = {"errors": next(_user_errors(value, 0))}
    if reason == _DUMP:
        value = {_builder_key(key): found for key, found in value.items()}
    failed: JsonObject = {"structuredContent": value, "isError": True}
    return Suspect(error=read_result(failed, context), reason=reason)


_SERIALISED = "a failed result is serialised in the text"
_USER_ERRORS = "userErrors are listed"
_DUMP = "an error builder was returned unbuilt"


def _builder_key(key: str) -> str:
    name = key.removeprefix("_")
    return _BUILDER_KEYS.get(name, name)


def _decoded(text: str, context: Context) -> ErrorInfo:
    failed: JsonObject = {"content": [{"type": "text", "text": text}]}
    return read_result(failed, context)


def _reason(value: JsonObject) -> str | None:
    """Return why *value* is an error envelope, None when it may be data."""
    if value.get("isError") is True and is_array(value.get("content")):
        return _SERIALISED
    if all(key in value for key in _BUILDER):
        return _DUMP
    if value.get("__error") is True:
        return "__error is true"
    if next(_user_errors(value, 0), None) is not None:
        return _USER_ERRORS
    found = {normalise(str(key)): one for key, one in value.items()}
    if _carries_payload(found):
        return None
    return _strong(found) or (_weak(found) if found.keys() <= _ENVELOPE else None)


def _carries_payload(found: Mapping[str, JsonValue]) -> bool:
    """Does the object hold results, so that its errors are part of its data?"""
    for key, value in found.items():
        if key in _PAYLOAD and (is_array(value) or is_mapping(value)) and value:
            return True
        if key not in _ENVELOPE and is_array(value) and value:
            return True
    return False


def _strong(found: Mapping[str, JsonValue]) -> str | None:
    explained = any(found.get(key) for key in _REASONS)
    for key in ("success", "ok"):
        if found.get(key) is False and explained:
            return f"{key} is false"
    if found.get("error") is True and explained:
        return "error is true"
    if found.get("error") and (found.get("errortype") or found.get("errorcode")):
        return "an error has a type"
    if _graphql(found):
        return "errors are listed and there is no data"
    return None


def _graphql(found: Mapping[str, JsonValue]) -> bool:
    errors = found.get("errors")
    return (
        is_array(errors)
        and bool(errors)
        and is_mapping(errors[0])
        and isinstance(errors[0].get("message"), str)
        and found.keys() <= {"errors", "data", "extensions"}
    )


def _weak(found: Mapping[str, JsonValue]) -> str | None:
    explained = any(found.get(key) for key in (*_REASONS, "data"))
    status = found.get("status")
    if isinstance(status, str) and status.lower() in {"error", "failed", "failure"}:
        return f"status is {status!r}" if explained else None
    for key in ("status", "statuscode", "httpstatus", "code"):
        number = found.get(key)
        if isinstance(number, int) and status_of(number) and _said(found):
            return f"{key} is {number}"
    error = found.get("error")
    if isinstance(error, str | Mapping) and error and not _worked(status):
        return "there is nothing but an error"
    if found.get("iserror") is True and explained:
        return "isError is true"
    return None


def _said(found: Mapping[str, JsonValue]) -> bool:
    return any(
        isinstance(found.get(key), str)
        for key in ("message", "error", "detail", "title")
    )


def _worked(status: JsonValue) -> bool:
    return isinstance(status, str) and status.lower() in _WORKED


def _user_errors(value: JsonValue, depth: int) -> Iterator[list[JsonValue]]:
    if not is_mapping(value) or depth > _MAX_DEPTH:
        return
    errors = value.get("userErrors")
    if is_array(errors) and errors and is_mapping(errors[0]):
        yield errors
    for key, inner in list(value.items())[:32]:
        if key != "userErrors":
            yield from _user_errors(inner, depth + 1)


def _is_error_text(text: str) -> bool:
    stripped = text.strip()
    if len(stripped) > _MAX_TEXT or stripped.count("\n") > _MAX_LINES:
        return False
    if any(pattern.search(stripped) for pattern in (_LOG, _DOCUMENT, _COUNT)):
        return False
    return _TEXT.match(stripped) is not None
