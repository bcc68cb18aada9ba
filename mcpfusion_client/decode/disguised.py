"""Find failures that were sent as successes; precision first.

A tool may well return error words as its data: a log, a document, the status of
a job. So a JSON object counts only when it is an error envelope and nothing else,
and a text only when it is short and begins as an error does.
"""

import attrs

from mcpfusion_client.decode.disguised_objects import SERIALISED, is_reason
from mcpfusion_client.decode.disguised_objects import find as find_envelope
from mcpfusion_client.decode.disguised_texts import reason as reason_of
from mcpfusion_client.decode.failures import read as read_result
from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.model import ErrorInfo, JsonObject, JsonValue, Severity
from mcpfusion_client.model.json import is_array, is_mapping, is_sequence

_MAX_JSON = 256 * 1024


@attrs.frozen(kw_only=True)
class Suspect:
    """A failure sent as a success, and why it is taken for one."""

    error: ErrorInfo
    reason: str


def find(result: JsonObject, context: Context) -> Suspect | None:
    """Return the failure hidden in a successful *result*, if there is one."""
    structured = result.get("structuredContent")
    if is_mapping(structured) and len(structured) == 1 and "result" in structured:
        structured = structured["result"]
    if not result.keys() & {"content", "structuredContent"}:
        structured = {key: value for key, value in result.items() if key != "_meta"}
    text = _only_text(result.get("content"))
    if text is None:
        return _in_value(structured, context)
    value = _parsed(text)
    if _says_something(structured) and structured not in (value, text):
        if is_mapping(structured) and _is_content(structured, text):
            return None
        return _in_value(_returned(structured, value), context)
    if value is not None:
        return _in_value(value, context)
    return _in_text(text, context)


def _only_text(content: JsonValue) -> str | None:
    if not is_sequence(content) or len(content) != 1:
        return None
    block = content[0]
    if not is_mapping(block) or block.get("type", "text") != "text":
        return None
    text = block.get("text")
    return text if isinstance(text, str) else None


def _parsed(text: str) -> JsonValue:
    if text[:64].lstrip()[:1] not in ("{", "[") or len(text) > _MAX_JSON:
        return None
    return parse_json(text)


def _says_something(structured: JsonValue) -> bool:
    """Is there anything beside the text? SDKs send the value of an empty model too."""
    if is_mapping(structured):
        return any(value is not None for value in structured.values())
    return structured is not None


def _is_content(structured: JsonObject, text: str) -> bool:
    """Is the text what one of the structured keys holds, such as that of a file?"""
    return any(
        isinstance(value, str) and value == text and not is_reason(key)
        for key, value in structured.items()
    )


def _returned(structured: JsonValue, value: JsonValue) -> JsonValue:
    """Return the object of a list of one, which some SDKs send as a text of its own."""
    if is_array(structured) and len(structured) == 1 and structured[0] == value:
        return value
    return structured


def _in_value(value: JsonValue, context: Context) -> Suspect | None:
    found = find_envelope(value)
    if found is None:
        return None
    error, reason = found
    failed: JsonObject = (
        {**error, "isError": True}
        if reason == SERIALISED
        else {"structuredContent": error, "isError": True}
    )
    return Suspect(error=read_result(failed, context), reason=reason)


def _in_text(text: str, context: Context) -> Suspect | None:
    reason = reason_of(text)
    if reason is None:
        return None
    failed: JsonObject = {"content": [{"type": "text", "text": text}]}
    error = read_result(failed, context)
    if error.severity is Severity.WARNING:
        return None
    return Suspect(error=error, reason=reason)
