"""Read the answer to a request, as far as the SDKs could not.

They drop an answer whose id is written as text or missing, and one with half a
surrogate pair in it, and wait for ever. Such an answer is put right here.
"""

import json
import re
from typing import Any

import attrs

from mcpfusion_client.model import JsonObject, JsonValue

_SURROGATE = re.compile("[\\ud800-\\udfff]")


class UnreadableAnswer(Exception):
    """What came is no answer to the request.

    Attributes:
        reason: In our own words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@attrs.frozen(kw_only=True)
class Answer:
    """An answer to a request.

    Attributes:
        body: JSON the SDK can read.
        exact: The body is what came, unchanged.
        damaged: It holds half a surrogate pair; the body has U+FFFD instead.
        result: The result as it came, None for an error.
        error: The error as it came, None for a result.
    """

    body: str
    exact: bool
    damaged: bool
    result: JsonObject | None
    error: JsonObject | None


def readable(text: str | bytes, request_id: JsonValue) -> Answer | None:
    """Return the answer in *text*, None when it is another kind of message.

    Args:
        text: One JSON-RPC message.
        request_id: The id the answer must carry.

    Raises:
        UnreadableAnswer: It is no JSON, no JSON-RPC, or answers another request.
    """
    message = _parsed(text)
    if "method" in message:
        return None
    result, error = message.get("result"), message.get("error")
    if not isinstance(result, dict) and not _is_error(error):
        msg = "no JSON-RPC answer"
        raise UnreadableAnswer(msg)
    if not _same_id(message.get("id"), request_id, error=isinstance(error, dict)):
        msg = "an answer to another request"
        raise UnreadableAnswer(msg)
    fixed = {**message, "jsonrpc": "2.0", "id": request_id}
    exact = fixed == message and type(message["id"]) is type(request_id)
    damaged = False
    if _may_hold_half(text):
        whole = mended(fixed)
        damaged, fixed = whole != fixed, whole
        exact = exact and not damaged
    body = json.dumps(fixed) if not exact else ""
    return Answer(
        body=body,
        exact=exact,
        damaged=damaged,
        result=result if isinstance(result, dict) else None,
        error=error if isinstance(error, dict) else None,
    )


def _parsed(text: str | bytes) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        msg = "no JSON"
        raise UnreadableAnswer(msg) from None
    if not isinstance(message, dict):
        msg = "no JSON object"
        raise UnreadableAnswer(msg)
    return message


def _is_error(error: JsonValue) -> bool:
    return (
        isinstance(error, dict)
        and isinstance(error.get("code"), int)
        and isinstance(error.get("message"), str)
    )


def _same_id(answer: JsonValue, request: JsonValue, *, error: bool) -> bool:
    """Does an answer with id *answer* belong to *request*?

    Some servers send numbers back as text, and an error about a request they
    could not read has no id at all.
    """
    if answer is None:
        return error
    return answer == request or str(answer) == str(request)


def _may_hold_half(text: str | bytes) -> bool:
    r"""Can *text* hold half a surrogate pair? They are written as ``\ud83d``."""
    if isinstance(text, bytes):
        return b"\\ud" in text or b"\\uD" in text
    return "\\ud" in text or "\\uD" in text


def mended(value: JsonValue) -> JsonValue:
    """Return *value* with halves of surrogate pairs replaced by U+FFFD."""
    return json.loads(_SURROGATE.sub("�", json.dumps(value, ensure_ascii=False)))


def is_tool_result(raw: JsonObject) -> bool:
    """Has *raw* the shape of a ``CallToolResult``?"""
    content = raw.get("content")
    return (
        isinstance(content, list)
        and all(
            isinstance(block, dict) and isinstance(block.get("type"), str)
            for block in content
        )
        and isinstance(raw.get("isError", False), bool)
    )
