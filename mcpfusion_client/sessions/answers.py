"""Read the answer to a request, as far as the SDKs could not.

They drop an answer whose id is written as text or missing, one with half a surrogate
pair in it and one that starts with a byte order mark, and wait for ever. Such an answer
is put right here.
"""

import json
import re

import attrs

from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_object

_SURROGATE = re.compile("[\\ud800-\\udfff]")


class UnreadableAnswerError(Exception):
    """What came is no answer to the request.

    Attributes:
        reason: In our own words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class StrayAnswerError(UnreadableAnswerError):
    """What came answers another request."""


@attrs.frozen(kw_only=True)
class Answer:
    """An answer to a request.

    Attributes:
        message: What the SDK can read.
        exact: It is what came, unchanged.
        damaged: It holds half a surrogate pair; the message has U+FFFD instead.
        result: The result as it came, None for an error.
        error: The error as it came, None for a result.
    """

    message: JsonObject
    exact: bool
    damaged: bool
    result: JsonObject | None
    error: JsonObject | None

    @property
    def failed(self) -> bool:
        """Does it report a failure?"""
        return self.result is None or self.result.get("isError") is True

    def without(self, secrets: tuple[str, ...]) -> "Answer":
        """Return the answer without *secrets*, which it may repeat.

        Only a failure is shown and logged; what a tool returns is left alone.
        """
        if not self.failed or not secrets:
            return self
        message = scrubbed_json(self.message, secrets)
        if message == self.message:
            return self
        return attrs.evolve(
            self,
            message=message,
            exact=False,
            result=scrubbed_json(self.result, secrets),
            error=scrubbed_json(self.error, secrets),
        )


def readable(text: str | bytes, request_id: JsonValue) -> Answer | None:
    """Return the answer in *text*, None when it is another kind of message.

    Args:
        text: One JSON-RPC message.
        request_id: The id the answer must carry.

    Raises:
        StrayAnswerError: It answers another request.
        UnreadableAnswerError: It is no JSON or no JSON-RPC.
    """
    message = _parsed(text)
    if "method" in message:
        return None
    result, error = message.get("result"), message.get("error")
    if not is_object(result) and not _is_error(error):
        msg = "no JSON-RPC answer"
        raise UnreadableAnswerError(msg)
    if not _same_id(message.get("id"), request_id, error=is_object(error)):
        msg = "an answer to another request"
        raise StrayAnswerError(msg)
    fixed = {**message, "jsonrpc": "2.0", "id": request_id}
    exact = fixed == message and type(message["id"]) is type(request_id)
    exact = exact and _is_plain_utf8(text)
    damaged = False
    if _may_hold_half(text):
        whole = mended(fixed)
        damaged, fixed = whole != fixed, whole
        exact = exact and not damaged
    return Answer(
        message=fixed,
        exact=exact,
        damaged=damaged,
        result=result if is_object(result) else None,
        error=error if is_object(error) else None,
    )


def _parsed(text: str | bytes) -> dict[str, JsonValue]:
    try:
        message: object = json.loads(text)
    except (ValueError, RecursionError):
        msg = "no JSON"
        raise UnreadableAnswerError(msg) from None
    if not is_object(message):
        msg = "no JSON object"
        raise UnreadableAnswerError(msg)
    return message


def _is_error(error: JsonValue) -> bool:
    return (
        is_object(error)
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


def _is_plain_utf8(text: str | bytes) -> bool:
    """Can the SDKs read the encoding? They take no UTF-16 and no byte order mark."""
    return isinstance(text, str) or json.detect_encoding(text) == "utf-8"


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
    if not is_array(content) or not isinstance(raw.get("isError", False), bool):
        return False
    for block in content:
        if not is_object(block) or not isinstance(block.get("type"), str):
            return False
    return True


def scrubbed(text: str, secrets: tuple[str, ...]) -> str:
    """Return *text* without *secrets*."""
    for secret in secrets:
        text = text.replace(secret, "[redacted]")
    return text


def scrubbed_bytes(body: bytes, secrets: tuple[str, ...]) -> bytes:
    """Return *body* without *secrets*."""
    for secret in secrets:
        body = body.replace(secret.encode(), b"[redacted]")
    return body


def scrubbed_json(value: JsonValue, secrets: tuple[str, ...]) -> JsonValue:
    """Return *value* with *secrets* gone from every text in it."""
    if isinstance(value, str):
        return scrubbed(value, secrets)
    if is_array(value):
        return [scrubbed_json(item, secrets) for item in value]
    if is_object(value):
        return {key: scrubbed_json(item, secrets) for key, item in value.items()}
    return value
