"""Say why a JSON value is an error envelope; None when it may be data.

An object counts when it states its own failure and carries no answer. What has a
failure as its subject, such as the record of a job or the verdict of a check, is an
answer.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping

from mcpfusion_client.decode.json_values import status as status_of
from mcpfusion_client.decode.tables.keys import normalise
from mcpfusion_client.decode.tables.wordlist import words
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping

_MAX_DEPTH = 4
_MAX_KEYS = 64
"""An object of more keys is data."""

_MAX_LOOKED_AT = 32

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
    timestampms time integrationid additionaldata examples example usage
    errcode errmsg errno exceptionmessage exceptiontype stacktrace traceback fault"""
)
_PAYLOAD = words("data result results items rows records output answer")
_REASONS = words(
    """message msg error errors detail details reason description errormessage title
    errortype errorcode code hint errordescription exceptionmessage errormessages"""
)
_SUCCESS = ("success", "ok", "succeeded", "succeed", "successful", "issuccess")
_FAILED = frozenset({"error", "failed", "failure", "fail"})
_WORKED = words(
    "ok success succeeded completed done running pending queued open in_progress"
)
_UNSUCCESSFUL = (None, False, "false", "", 0)
_SCHEMA_TYPES = ("string", "object", "array", "integer", "number", "boolean", "null")
_OUTCOMES = ("result", "outcome", "state")
_SUBJECTS = words("url host endpoint server name")
"""What a report of somebody else's failure is about."""

_CHECKED = words("check probe component job step stage test target")
"""What a report of one check among others names."""

_TOPICS = _SUBJECTS | {"title", "context", "path"}

_MEASURES = words("latency latencyms responsetime responsetimems rtt")
_VERDICTS = words(
    """valid isvalid healthy ishealthy reachable isreachable alive up online passed
    connected isconnected allowed authorized available eligible converged paid done
    match matches equal"""
)
"""Answers of a check: false there is what was asked for."""

_CHOICES = (
    "available",
    "valid",
    "allowed",
    "supported",
    "accepted",
    "known",
    "missing",
    "possible",
    "similar",
    "suggest",
    "candidate",
    "expected",
)
"""How the names of lists begin that tell what could be asked for instead."""

_NAMES = ("id", "name", "path", "version", "index", "title", "key", "addr", "address")
"""How the names of keys end that only repeat what was asked for."""

_PAGING = words("cursor nextcursor pagination paging")
_LONE = words(
    """error errors message msg code errorcode errortype detail details reason hint
    suggestion success ok status fields description statuscode"""
)
_BUILDER = ("_code", "_message")
_BUILDER_KEYS = {"actions": "availableActions", "suggestion": "recovery"}

SERIALISED = "a failed result is serialised in the text"
_USER_ERRORS = "userErrors are listed"
_DUMP = "an error builder was returned unbuilt"
_TYPED = "an error has a type"
_RPC = "a JSON-RPC error is serialised in the text"
_LISTED = "the only item of the list is an error"
_ALONE = "there is nothing but an error"


def find(value: JsonValue) -> tuple[JsonObject, str] | None:
    """Return the error envelope that *value* is, and why it is taken for one."""
    if is_array(value):
        return _in_list(value[0]) if len(value) == 1 else None
    if not is_mapping(value) or len(value) > _MAX_KEYS:
        return None
    reason = _reason(value)
    return None if reason is None else (_envelope(value, reason), reason)


def is_reason(key: str) -> bool:
    """Is a *key* of this name where an error says what went wrong?"""
    return normalise(str(key)) in _REASONS


def _in_list(item: JsonValue) -> tuple[JsonObject, str] | None:
    if not is_mapping(item) or len(item) > _MAX_KEYS:
        return None
    found = _normalised(item)
    stated = found.get("error") or (found.get("errorcode") and found.get("message"))
    return (item, _LISTED) if stated and found.keys() <= _LONE else None


def _envelope(value: JsonObject, reason: str) -> JsonObject:
    if reason == _USER_ERRORS:
        return {"errors": next(_user_errors(value, 0))}
    if reason == _DUMP:
        return {_builder_key(key): found for key, found in value.items()}
    if reason == _RPC:
        error: JsonObject = value["error"]
        return error
    return value


def _builder_key(key: str) -> str:
    name = key.removeprefix("_")
    return _BUILDER_KEYS.get(name, name)


def _normalised(value: JsonObject) -> dict[str, JsonValue]:
    return {normalise(str(key)): one for key, one in value.items()}


def _reason(value: JsonObject) -> str | None:
    """Return why *value* is an error envelope, None when it may be data."""
    for reason, is_error in _CERTAIN:
        if is_error(value):
            return reason
    found = _normalised(value)
    if _succeeded(found) or _is_report(found) or _is_schema(found.get("error")):
        return None
    return _denied(found) or _of_data(found)


def _is_serialised(value: JsonObject) -> bool:
    return value.get("isError") is True and is_array(value.get("content"))


def _is_dump(value: JsonObject) -> bool:
    return all(key in value for key in _BUILDER)


def _is_branded(value: JsonObject) -> bool:
    return value.get("__error") is True


def _is_rpc_error(value: JsonObject) -> bool:
    error = value.get("error")
    return (
        "jsonrpc" in value
        and value.keys() <= {"jsonrpc", "id", "error"}
        and is_mapping(error)
        and "code" in error
    )


def _is_typed(value: JsonObject) -> bool:
    """Is it an exception as AWS' JSON protocols write one?"""
    name = value.get("__type")
    return isinstance(name, str) and name.endswith(("Exception", "Error"))


def _has_user_errors(value: JsonObject) -> bool:
    return next(_user_errors(value, 0), None) is not None


def _succeeded(found: Mapping[str, JsonValue]) -> bool:
    """Does a flag say that it worked, or is it a text for when it does?"""
    return any(found.get(key) not in _UNSUCCESSFUL for key in _SUCCESS)


def _is_schema(error: JsonValue) -> bool:
    return is_mapping(error) and error.get("type") in _SCHEMA_TYPES


def _is_report(found: Mapping[str, JsonValue]) -> bool:
    """Does the object tell how something else fared?"""
    if found.keys() & _MEASURES or {"level", "timestamp"} <= found.keys():
        return True
    status = found.get("status")
    if not isinstance(status, str) or status.lower() not in _FAILED:
        return False
    subjects = _SUBJECTS if status.lower() != "error" else {"name"}
    return not found.keys().isdisjoint(subjects)


def _denied(found: Mapping[str, JsonValue]) -> str | None:
    """Return the reason of an object that says itself that it did not work."""
    explained = any(found.get(key) for key in _REASONS)
    for key in _SUCCESS:
        if found.get(key) in (False, "false") and explained:
            return None if _answers(found) else f"{key} is false"
    return None


def _answers(found: Mapping[str, JsonValue]) -> bool:
    """Does an object that did not work hold an answer all the same?"""
    if "exitcode" in found or "stdout" in found:
        return True
    for key, value in found.items():
        if key in _PAYLOAD:
            if _is_full(value) and not _is_envelope(value):
                return True
        elif _is_list(key, value) and not key.startswith(_CHOICES):
            return True
    return False


def _is_envelope(value: JsonValue) -> bool:
    return is_mapping(value) and _normalised(value).keys() <= _ENVELOPE


def _is_list(key: str, value: JsonValue) -> bool:
    """Is this a list that no error needs?"""
    return key not in _ENVELOPE and is_array(value) and bool(value)


def _is_full(value: JsonValue) -> bool:
    return bool(value) and (is_array(value) or is_mapping(value))


def _of_data(found: Mapping[str, JsonValue]) -> str | None:
    if _jsend(found):
        return "status is 'fail'"
    if _carries_payload(found):
        return _beside_choices(found)
    strong = _strong(found)
    if strong is not None:
        return strong
    if found.keys() <= _ENVELOPE:
        return _weak(found)
    if found.get("status") == "error" and _said(found) and _is_plain(found):
        return "status is 'error'"
    return _outcome(found) or _beside_choices(found)


def _carries_payload(found: Mapping[str, JsonValue]) -> bool:
    """Does the object hold results, so that its errors are part of its data?"""
    for key, value in found.items():
        if (key in _PAYLOAD and _is_full(value)) or _is_list(key, value):
            return True
    return False


def _strong(found: Mapping[str, JsonValue]) -> str | None:
    explained = any(found.get(key) for key in _REASONS)
    if found.get("kind") == "Status" and found.get("status") == "Failure":
        return "it is a Status of the kind Failure"
    if found.get("error") is True and explained:
        return "error is true"
    if found.get("error") and (found.get("errortype") or found.get("errorcode")):
        return _TYPED
    if _graphql(found):
        return "errors are listed and there is no data"
    return None


def _is_outcome(value: JsonObject) -> bool:
    """Is it a FHIR OperationOutcome of an error? Source: HL7 FHIR R4."""
    if value.get("resourceType") != "OperationOutcome":
        return False
    issues = value.get("issue")
    first = issues[0] if is_array(issues) and issues else None
    return is_mapping(first) and first.get("severity") in ("error", "fatal")


def _is_plain(found: Mapping[str, JsonValue]) -> bool:
    """Is there nothing but plain values beside the error, and nobody it is of?"""
    if not found.keys().isdisjoint(_CHECKED):
        return False
    return not any(_is_full(found[key]) for key in found.keys() - _ENVELOPE)


def _jsend(found: Mapping[str, JsonValue]) -> bool:
    return (
        set(found) == {"status", "data"}
        and found["status"] == "fail"
        and is_mapping(found["data"])
    )


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
    """Return the reason of an object that has no key an answer needs."""
    explained = any(found.get(key) for key in (*_REASONS, "data"))
    status = found.get("status")
    if isinstance(status, str) and status.lower() in _FAILED:
        return f"status is {status!r}" if explained else None
    for key in ("status", "statuscode", "httpstatus", "code"):
        number = status_of(found.get(key))
        if number is not None and _said(found):
            return f"{key} is {number}"
    error = found.get("error")
    if isinstance(error, str | Mapping) and error and not _worked(status):
        return _ALONE
    for key in ("iserror", "failed"):
        if found.get(key) is True and explained:
            return f"{key} is true"
    if found.get("type") == "error" and found.get("message"):
        return "type is 'error'"
    return _classed(found) or _outcome(found)


def _classed(found: Mapping[str, JsonValue]) -> str | None:
    """Return the reason of an object that names the class or the code of an error."""
    for text, kinds in (
        ("errormessage", ("errortype", "errorcode")),
        ("exceptionmessage", ("exceptiontype",)),
        ("errmsg", ("errcode", "errno")),
    ):
        if isinstance(found.get(text), str) and any(found.get(kind) for kind in kinds):
            return _TYPED
    fault = found.get("fault")
    if is_mapping(fault) and isinstance(fault.get("faultstring"), str):
        return "it is a fault"
    if isinstance(found.get("exception"), str) and found["exception"]:
        return "it is an exception"
    return None


def _outcome(found: Mapping[str, JsonValue]) -> str | None:
    for key in _OUTCOMES:
        said = found.get(key)
        if not isinstance(said, str) or said.lower() not in _FAILED:
            continue
        rest = found.keys() - {key} - _ENVELOPE
        if not rest and found.keys().isdisjoint(_TOPICS) and _explains(found):
            return f"{key} is {said!r}"
    return None


def _explains(found: Mapping[str, JsonValue]) -> bool:
    return any(found.get(key) for key in ("message", "error", "reason", "detail"))


def _beside_choices(found: Mapping[str, JsonValue]) -> str | None:
    """Return the reason of an error beside nothing but names, choices and emptiness."""
    error = found.get("error") or found.get("errormessages")
    if not error or isinstance(error, bool | int | float) or _told(found):
        return None
    if all(_is_beside(key, value) for key, value in found.items()):
        return _ALONE
    return None


def _told(found: Mapping[str, JsonValue]) -> bool:
    """Does the object tell a state or a verdict, so that its error explains that?"""
    states = ("status", "state", "phase", "outcome", "conclusion", "level")
    said = {found.get(key) for key in states if isinstance(found.get(key), str)}
    return not said <= {"error"} or bool(found.keys() & _VERDICTS)


def _is_beside(key: str, value: JsonValue) -> bool:
    if not value or key in _PAGING or key.startswith((*_CHOICES, "validationerrors")):
        return True
    if key in _ENVELOPE or key == "errormessages":
        return key not in _PAYLOAD
    named = key.endswith(_NAMES) or key in ("query", "entity", "file", "url")
    return named and not is_mapping(value) and not is_array(value)


def _said(found: Mapping[str, JsonValue]) -> bool:
    return any(
        isinstance(found.get(key), str)
        for key in ("message", "error", "detail", "title", "msg", "errormessage")
    )


def _worked(status: JsonValue) -> bool:
    return isinstance(status, str) and status.lower() in _WORKED


def _user_errors(value: JsonValue, depth: int) -> Iterator[list[JsonValue]]:
    if not is_mapping(value) or depth > _MAX_DEPTH:
        return
    errors = value.get("userErrors")
    if is_array(errors) and errors and is_mapping(errors[0]):
        yield errors
    for key, inner in itertools.islice(value.items(), _MAX_LOOKED_AT):
        if key != "userErrors":
            yield from _user_errors(inner, depth + 1)


_CERTAIN: tuple[tuple[str, Callable[[JsonObject], bool]], ...] = (
    (SERIALISED, _is_serialised),
    (_DUMP, _is_dump),
    ("__error is true", _is_branded),
    (_RPC, _is_rpc_error),
    (_TYPED, _is_typed),
    ("it is an OperationOutcome", _is_outcome),
    (_USER_ERRORS, _has_user_errors),
)
"""Forms that no answer has, whatever stands beside them."""
