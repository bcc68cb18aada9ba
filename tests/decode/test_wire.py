"""Everything that can be handed to the decoder, recognised without an import."""

import asyncio
from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from mcpfusion_client.decode import decode, read
from mcpfusion_client.errors import TransientError
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    Origin,
    ToolResult,
)


@attrs.define
class Block:
    """A content block as both SDKs have it."""

    text: str | None = None
    type: str = "text"


@attrs.define
class Resource:
    """The resource of an embedded block."""

    text: str


@attrs.define
class Embedded:
    """A block that embeds a resource."""

    resource: Resource
    type: str = "resource"


class OldResult:
    """A result with the attribute names of mcp 1.x, and an extra key."""

    def __init__(self, content: list[object], **extra: object) -> None:
        self.content = content
        self.isError = True
        self.structuredContent = {"code": "FORBIDDEN"}
        self.meta = {"trace": 1}
        self.model_extra = extra


class NewResult:
    """A result with the attribute names of mcp 2.x."""

    def __init__(self, content: list[object]) -> None:
        self.content = content
        self.is_error = True
        self.structured_content = None
        self.meta = None


@attrs.define
class ErrorData:
    """What an SDK's JSON-RPC exception carries."""

    code: int
    message: str
    data: object = None


class RpcError(Exception):
    """An SDK's JSON-RPC exception."""

    def __init__(self, error: ErrorData) -> None:
        super().__init__(error.message)
        self.error = error


class Response:
    """An HTTP client's response."""

    def __init__(self, status: int, text: str, headers: object) -> None:
        self.status_code = status
        self.headers = headers
        self._text = text

    @property
    def text(self) -> str:
        """The body; raises where it was never read."""
        if self._text == "unread":
            msg = "not read"
            raise RuntimeError(msg)
        return self._text


class StatusError(Exception):
    """An HTTP client's exception for a status."""

    def __init__(self, response: Response) -> None:
        super().__init__("status")
        self.response = response


class ToolError(Exception):
    """A server framework's exception that carries the text of a result."""


class ConnectTimeout(Exception):  # noqa: N818 - the name is the point
    """An HTTP client's exception of that name."""


class ReadTimeout(TimeoutError):  # noqa: N818 - the name is the point
    """An HTTP client's exception of that name."""


def failure(x: object) -> ErrorInfo:
    """Decode what must be a failure."""
    info = decode(x)
    assert info is not None
    return info


def test_results_of_the_old_sdk_are_read_by_their_attributes() -> None:
    """Structured content, extra keys and embedded resources all count."""
    info = failure(
        OldResult(
            [Block("no"), Embedded(Resource("403")), {"type": "text", "text": "x"}],
            isRetryable=False,
        )
    )

    assert info.code == "FORBIDDEN"
    assert info.is_retryable is False
    assert "is_retryable" in info.stated


def test_results_of_the_new_sdk_are_read_by_their_attributes() -> None:
    """The names differ, the meaning does not."""
    info = failure(NewResult([Block("Rate limit exceeded"), Block(None)]))

    assert info.category is ErrorCategory.RATE_LIMITED


def test_our_own_result_is_read() -> None:
    """A `ToolResult` that a session returned goes through the same door."""
    result: ToolResult[Any] = ToolResult(
        content=({"type": "text", "text": "not found"},), is_error=True
    )

    assert failure(result).category is ErrorCategory.NOT_FOUND


def test_a_result_with_snake_case_flag_is_a_failure() -> None:
    """Some clients spell the flag as Python does."""
    assert failure({"content": [], "is_error": True}).dialect == "text"


@pytest.mark.parametrize(
    ("flag", "failed"),
    [
        (True, True),
        (False, False),
        (None, False),
        ("true", True),
        ("TRUE ", True),
        ("false", False),
        ("no", False),
        (1, True),
        (0, False),
        ([], False),
        ({"a": 1}, False),
    ],
)
def test_only_a_true_flag_is_a_failure(flag: object, *, failed: bool) -> None:
    """The flag is the gate; of other types only an obvious yes opens it."""
    result = {"content": [{"type": "text", "text": "error"}], "isError": flag}

    assert (decode(result) is not None) is failed


def test_a_json_rpc_exception_keeps_its_number() -> None:
    """What the server sent is read as the server's."""
    info = failure(RpcError(ErrorData(-32602, "Unknown tool: x")))

    assert info.code == "-32602"
    assert info.category is ErrorCategory.NOT_FOUND
    assert info.origin is Origin.PROTOCOL


@pytest.mark.parametrize(
    ("number", "message", "code", "execution"),
    [
        (-32001, "Request timed out", "TIMEOUT", Execution.UNKNOWN),
        (408, "Timed out while waiting for response", "TIMEOUT", Execution.UNKNOWN),
        (-32000, "Connection closed", "CONNECTION_LOST", Execution.UNKNOWN),
        (32600, "Session terminated", "CONNECTION_LOST", Execution.NOT_EXECUTED),
        (-32600, "Session terminated", "CONNECTION_LOST", Execution.NOT_EXECUTED),
    ],
)
def test_what_the_sdk_wrote_itself_is_told_by_its_words(
    number: int, message: str, code: str, execution: Execution
) -> None:
    """-32000 means "connection closed" only where the SDK says so."""
    info = failure(RpcError(ErrorData(number, message)))

    assert info.code == code
    assert info.origin is Origin.TRANSPORT
    assert info.category is ErrorCategory.TRANSIENT
    assert info.execution is execution


def test_an_http_exception_is_read_as_its_response() -> None:
    """Status, headers and body are all there."""
    info = failure(
        StatusError(Response(429, '{"code": "SLOW_DOWN"}', {"Retry-After": "7"}))
    )

    assert info.code == "SLOW_DOWN"
    assert info.retry_after == 7.0
    assert info.http is not None
    assert info.http.status == 429


def test_an_http_body_that_was_never_read_is_left_alone() -> None:
    """A streamed response raises when its body is asked for."""
    info = failure(StatusError(Response(503, "unread", None)))

    assert info.code == "HTTP_503"
    assert info.http is not None
    assert info.http.body_excerpt is None


def test_a_tool_exception_is_read_as_the_text_of_a_result() -> None:
    """A framework that raises instead of returning keeps only the text."""
    info = failure(ToolError("Error calling tool 'x': 404 Not Found"))

    assert info.category is ErrorCategory.NOT_FOUND
    assert info.origin is Origin.TOOL


@pytest.mark.parametrize(
    ("error", "code", "execution"),
    [
        (TimeoutError(), "TIMEOUT", Execution.UNKNOWN),
        (ReadTimeout(), "TIMEOUT", Execution.UNKNOWN),
        (ConnectTimeout("x"), "CONNECT_FAILED", Execution.NOT_EXECUTED),
        (ConnectionRefusedError(), "CONNECT_FAILED", Execution.NOT_EXECUTED),
        (BrokenPipeError(), "CONNECTION_LOST", Execution.UNKNOWN),
        (asyncio.CancelledError(), "CANCELLED", Execution.UNKNOWN),
    ],
)
def test_exceptions_are_told_by_their_class(
    error: BaseException, code: str, execution: Execution
) -> None:
    """Only a connection that was never made proves that nothing ran."""
    info = failure(error)

    assert info.code == code
    assert info.execution is execution
    assert info.stated == frozenset()


def test_an_exception_nobody_knows_proves_nothing() -> None:
    """A bug in the caller's code must not look like a rejected argument."""
    info = failure(ValueError("bad input, try again in 5 seconds"))

    assert info.category is ErrorCategory.UNKNOWN
    assert info.is_retryable is None
    assert info.execution is Execution.UNKNOWN
    assert info.retry_after is None
    assert info.origin is Origin.CLIENT
    assert failure(KeyError()).message == "KeyError"


def test_a_group_is_the_failure_that_says_least() -> None:
    """A connection that was refused beside a bug does not prove that nothing ran."""
    refused, bug = ConnectionRefusedError(), ValueError("bug")
    lost = BrokenPipeError()

    assert failure(ExceptionGroup("g", [refused])).code == "CONNECT_FAILED"
    assert failure(ExceptionGroup("g", [refused, bug])).code is None
    nested = ExceptionGroup("g", [ExceptionGroup("h", [refused, lost])])
    assert failure(nested).code == "CONNECTION_LOST"
    answered = ExceptionGroup("g", [bug, RpcError(ErrorData(-32603, "no"))])
    assert failure(answered).code == "-32603"


def test_a_huge_group_is_looked_at_in_bounded_time() -> None:
    """Only the first leaves count."""
    group = ExceptionGroup("g", [TimeoutError() for _ in range(500)])

    assert failure(group).code == "TIMEOUT"


def test_our_own_error_gives_back_its_info() -> None:
    """What was decoded once is not decoded again."""
    info = ErrorInfo(message="x", code="Y")

    assert failure(TransientError(info)) is info
    assert failure(info) is info


def test_wrapped_forms_are_read() -> None:
    """The three forms of recorded data."""
    assert failure({"result": {"isError": True, "content": []}}).origin is Origin.TOOL
    rpc = failure({"protocol_error": {"code": -32601, "message": "Method not found"}})
    assert (rpc.code, rpc.category) == ("-32601", ErrorCategory.PROTOCOL)
    http = failure({"http": {"status": 404, "headers": {}, "body": "gone"}})
    assert (http.code, http.category) == ("HTTP_404", ErrorCategory.NOT_FOUND)
    reply = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "x"}}
    assert failure(reply).code == "-32603"
    assert decode({"jsonrpc": "2.0", "id": 1, "result": {"content": []}}) is None
    assert decode({"resultType": "complete"}) is None
    assert failure({"isError": True}).message == ""


@pytest.mark.parametrize(
    "x",
    [
        None,
        5,
        "text",
        [1],
        object(),
        {"http": {"status": "x"}},
        {"http": {"status": True}},
        {"http": 5},
        {"protocol_error": "x"},
        {"result": 3},
    ],
)
def test_what_is_no_answer_is_a_protocol_failure(x: object) -> None:
    """It is reported, never raised, and never called a success."""
    info = failure(x)

    assert info.code == "BAD_RESPONSE"
    assert info.category is ErrorCategory.PROTOCOL
    assert info.execution is Execution.UNKNOWN
    assert info.is_retryable is False


@pytest.mark.parametrize(
    "error",
    [
        {"code": "x", "message": 5, "data": [1]},
        {},
        {"code": True, "message": None},
    ],
)
def test_odd_json_rpc_errors_are_failures(error: Mapping[str, object]) -> None:
    """Wrong types are dropped; it stays a failure."""
    assert failure({"protocol_error": error}).code == "0"


@pytest.mark.parametrize("headers", [None, [], {"retry-after": ["3", "4"]}, {"x": {}}])
def test_odd_headers_are_dropped(headers: object) -> None:
    """Whatever the headers are, the status is read."""
    info = failure({"http": {"status": 429, "headers": headers, "body": 5}})

    assert info.category is ErrorCategory.RATE_LIMITED


def test_a_success_reads_as_nothing() -> None:
    """Error words in a success are data."""
    reading = read({"content": [{"type": "text", "text": "Error: 500"}]})

    assert reading.error is None
    assert reading.warnings == ()
    assert reading.suspected_failure is None
    assert reading.reason is None


@pytest.mark.parametrize("content", [None, 5, "x", [None, 5, {"text": 5}, {}]])
def test_odd_content_of_a_success_is_no_warning(content: object) -> None:
    """Malformed blocks are skipped."""
    assert read({"content": content}).warnings == ()


def test_keys_that_json_cannot_hold_are_read_as_text() -> None:
    """A Python caller may pass any mapping."""
    odd: dict[object, object] = {1: 2, "isError": True, "content": "no"}
    assert failure(odd).message == "no"
    odd = {"isError": True, "content": "no", "structuredContent": {3: {"code": "X"}}}
    assert failure(odd).message == "no"
