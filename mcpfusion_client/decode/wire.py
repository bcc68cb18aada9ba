"""Accept what can be decoded: results, their JSON, exceptions, wrapped forms.

SDK types are recognised by their attributes, so nothing is imported to look at
them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeGuard

import attrs

from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.model import ErrorInfo, JsonObject, JsonValue
from mcpfusion_client.model.json import is_mapping, is_sequence


@attrs.frozen
class ResultWire:
    """A ``CallToolResult`` as JSON."""

    result: JsonObject


@attrs.frozen
class RpcWire:
    """A JSON-RPC error; *sdk_made* when the SDK wrote it itself."""

    code: int
    message: str
    error_data: JsonValue
    sdk_made: bool


@attrs.frozen
class HttpWire:
    """An HTTP response."""

    status: int
    headers: Mapping[str, str]
    body: str


@attrs.frozen
class TextWire:
    """The text of a tool's failure, all that an exception kept of it."""

    text: str


@attrs.frozen
class KnownWire:
    """A failure that its exception class names.

    Attributes:
        message: What the exception says.
        name: The class, one of `KNOWN`; None for any other class.
    """

    message: str
    name: str | None


@attrs.frozen
class BadWire:
    """Something that is no answer to a tool call."""

    kind: str


Wire: TypeAlias = (
    ResultWire | RpcWire | HttpWire | TextWire | KnownWire | BadWire | ErrorInfo
)

_SDK_TEXTS: Mapping[int, tuple[str, ...]] = {
    -32001: ("request timed out", "timed out while waiting"),
    408: ("timed out",),
    -32000: ("connection closed",),
    32600: ("session terminated",),
    -32600: ("session terminated",),
}
_SESSION_GONE = "Session terminated"
"""What the SDK makes of an answer that its session is gone; no server says it."""

_OF_TOOLS = frozenset({"ToolError", "ToolException"})
"""Exception classes that carry the text of a tool's failed result."""

_MAX_GROUP = 64


def is_failed(value: JsonValue) -> bool:
    """Return whether an ``isError`` of any type marks a failure."""
    if isinstance(value, str):
        return value.strip().lower() == "true"
    return isinstance(value, int | float) and value != 0


def accept(x: object) -> Wire:
    """Return *x* in the one form its reader takes."""
    if is_mapping(x):
        return _accept_mapping(x)
    if isinstance(x, BaseException):
        return _accept_exception(x)
    if isinstance(x, ErrorInfo):
        return x
    as_json = result_json(x)
    return ResultWire(as_json) if as_json is not None else BadWire(type(x).__name__)


def _accept_mapping(x: JsonObject) -> Wire:
    if "content" in x or "isError" in x:
        return ResultWire(x)
    error = x.get("protocol_error")
    if error is None and "jsonrpc" in x:
        error = x.get("error")
    if is_mapping(error):
        return rpc(
            error.get("code"), error.get("message"), error.get("data"), own=False
        )
    response = x.get("http")
    if is_mapping(response):
        return _http(response)
    inner = x.get("result")
    if is_mapping(inner):
        return ResultWire(inner)
    if {"protocol_error", "http", "result"} & x.keys():
        return BadWire("wrapped")
    return ResultWire(x)


def rpc(
    code: JsonValue, message: JsonValue, error_data: JsonValue, *, own: bool
) -> RpcWire:
    """Return a JSON-RPC error of whatever types it came in.

    Args:
        code: The number.
        message: Untrusted.
        error_data: Untrusted.
        own: It comes out of the SDK, which may have made it itself.
    """
    number = code if isinstance(code, int) and not isinstance(code, bool) else 0
    text = message if isinstance(message, str) else ""
    own = own or text == _SESSION_GONE
    return RpcWire(number, text, error_data, own and is_sdk_made(number, text))


def is_sdk_made(code: int, message: str) -> bool:
    """Is this an error that the SDK writes itself, by its number and words?"""
    head = message[:64].lower()
    return any(words in head for words in _SDK_TEXTS.get(code, ()))


def _http(response: JsonObject) -> Wire:
    status = response.get("status")
    headers = response.get("headers")
    body = response.get("body")
    if not isinstance(status, int) or isinstance(status, bool):
        return BadWire("http")
    text = body if isinstance(body, str) else ""
    answer = _answer(text) if status in _SUCCESSES else None
    if answer is not None:
        return _accept_mapping(answer)
    return HttpWire(status, headers if is_mapping(headers) else {}, text)


_SUCCESSES = range(200, 300)
_ANSWERS = {"result", "error"}
"""Without one of these a message is a notification, and the call has no answer."""


def _answer(body: str) -> JsonObject | None:
    """Return the JSON-RPC answer in *body*: all of it, or the last event's data."""
    texts = [body] if body.lstrip()[:1] == "{" else _DATA.findall(body)[-1:]
    for text in texts:
        value = parse_json(text)
        if is_mapping(value) and "jsonrpc" in value and value.keys() & _ANSWERS:
            return value
    return None


_DATA = re.compile(r"^data: ?(\{[^\r\n]*+)", re.MULTILINE)


def result_json(x: object) -> JsonObject | None:
    """Return the JSON of a result object of either SDK, None for other objects."""
    content = getattr(x, "content", None)
    failed = attribute(x, "is_error", "isError")
    if failed is None or not is_sequence(content):
        return None
    structured = attribute(x, "structured_content", "structuredContent")
    meta = attribute(x, "meta", "_meta")
    extra = getattr(x, "model_extra", None)
    result: dict[str, JsonValue] = dict(extra) if is_mapping(extra) else {}
    result["content"] = [block_json(block) for block in content]
    result["isError"] = failed
    if structured is not None:
        result["structuredContent"] = structured
    if is_mapping(meta):
        result["_meta"] = meta
    return result


def attribute(x: object, *names: str) -> JsonValue:
    """Return the first attribute of *x* that is there; one that is old comes last.

    Asked for an old name, the results of mcp 2.x warn where fastmcp is loaded.
    """
    for name in names:
        if hasattr(x, name):
            value: JsonValue = getattr(x, name)
            return value
    return None


def block_json(block: object) -> JsonValue:
    """Return a content block as JSON, as far as failures are told in it."""
    if is_mapping(block):
        return block
    resource = getattr(block, "resource", None)
    found: dict[str, JsonValue] = {"type": getattr(block, "type", None)}
    if resource is not None:
        found["resource"] = {"text": getattr(resource, "text", None)}
    text = getattr(block, "text", None)
    if text is not None:
        found["text"] = text
    return found


def _accept_exception(error: BaseException) -> Wire:
    info = getattr(error, "info", None)
    if isinstance(info, ErrorInfo):
        return info
    if _is_group(error):
        return _accept_group(error)
    rpc_error = getattr(error, "error", None)
    code = getattr(rpc_error, "code", None)
    if isinstance(code, int):
        message = getattr(rpc_error, "message", None)
        return rpc(code, message, getattr(rpc_error, "data", None), own=True)
    response = _response(error)
    if response is not None:
        return response
    names = [cls.__name__ for cls in type(error).__mro__]
    if any(name in _OF_TOOLS for name in names):
        return TextWire(str(error))
    name = next((name for name in names if name in KNOWN), None)
    return KnownWire(str(error) or names[0], name)


def _response(error: BaseException) -> HttpWire | None:
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    if not isinstance(status, int):
        return None
    headers = getattr(response, "headers", None)
    try:
        body = getattr(response, "text", "")
    except Exception:  # noqa: BLE001 - a streamed body that was never read raises
        body = ""
    return HttpWire(
        status,
        dict(headers) if is_mapping(headers) else {},
        body if isinstance(body, str) else "",
    )


def _accept_group(group: BaseExceptionGroup[BaseException]) -> Wire:
    """Take the one failure of a group; of several the one that says least."""
    leaves = [_accept_exception(leaf) for leaf in _leaves(group, [_MAX_GROUP])]
    return min(leaves, key=_rank, default=BadWire("ExceptionGroup"))


def _rank(wire: Wire) -> tuple[int, int]:
    if isinstance(wire, KnownWire):
        code = None if wire.name is None else KNOWN[wire.name]
        return 1, _LEAST_SAYING.index(code)
    return 0, 0


_LEAST_SAYING = (None, "CONNECTION_LOST", "TIMEOUT", "CONNECT_FAILED", "CANCELLED")


def _leaves(
    group: BaseExceptionGroup[BaseException], left: list[int]
) -> Iterator[BaseException]:
    for error in group.exceptions:
        if left[0] <= 0:
            return
        if _is_group(error):
            yield from _leaves(error, left)
        else:
            left[0] -= 1
            yield error


KNOWN: Mapping[str, str] = {
    "ConnectTimeout": "CONNECT_FAILED",
    "PoolTimeout": "CONNECT_FAILED",
    "ConnectError": "CONNECT_FAILED",
    "ConnectionRefusedError": "CONNECT_FAILED",
    "gaierror": "CONNECT_FAILED",
    "TimeoutException": "TIMEOUT",
    "TimeoutError": "TIMEOUT",
    "NetworkError": "CONNECTION_LOST",
    "RemoteProtocolError": "CONNECTION_LOST",
    "ConnectionError": "CONNECTION_LOST",
    "ClosedResourceError": "CONNECTION_LOST",
    "BrokenResourceError": "CONNECTION_LOST",
    "EndOfStream": "CONNECTION_LOST",
    "CancelledError": "CANCELLED",
    "Cancelled": "CANCELLED",
}
"""Exception classes, most special first, and the code each one stands for."""


def _is_group(error: BaseException) -> TypeGuard[BaseExceptionGroup[BaseException]]:
    """Is *error* a group of errors?"""
    return isinstance(error, BaseExceptionGroup)
