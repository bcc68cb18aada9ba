"""What a server can do to one request, as data: a name and a few steps.

A script knows the id of the request it answers and nothing else.
"""

import gzip
import json
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from mcpfusion_client.model import JsonObject, JsonValue
from tests.faults.http1 import PATIENCE, Wire, pause, response


@attrs.frozen
class Send:
    """Send these bytes."""

    data: bytes


@attrs.frozen
class Pause:
    """Let what was sent arrive, so that what follows is seen apart from it."""

    seconds: float = 0.05


@attrs.frozen
class Trickle:
    """Send these bytes again and again until the client has had enough."""

    data: bytes
    every: float = 0.05


@attrs.frozen
class Hang:
    """Say nothing more until the client hangs up."""


@attrs.frozen
class Fin:
    """Close in an orderly way, early."""


@attrs.frozen
class Reset:
    """Close with a TCP reset."""


Step: TypeAlias = Send | Pause | Trickle | Hang | Fin | Reset
Script: TypeAlias = Callable[[JsonValue], Sequence[Step]]

CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\ntransfer-encoding: chunked\r\n\r\n"
SSE_HEAD = CHUNKED % b"text/event-stream"
TEN_MEGABYTES = 10 * 1024 * 1024


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


def event(data: bytes) -> bytes:
    """One server-sent event, as a chunk."""
    return chunk(b"event: message\ndata: " + data + b"\n\n")


END = chunk(b"")


def result(request_id: JsonValue, text: str = "fine", **more: JsonValue) -> bytes:
    """A successful tool result that both protocol eras accept."""
    document: JsonObject = {
        "content": [{"type": "text", "text": text}],
        "isError": False,
        "resultType": "complete",
        **more,
    }
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": document}).encode()


def rpc_error(
    request_id: JsonValue, code: int, message: str, data: JsonValue = None
) -> bytes:
    """A JSON-RPC error."""
    error: dict[str, JsonValue] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode()


def says(status: int, body: bytes = b"", *headers: tuple[str, str]) -> Script:
    """Answer with this status, whatever the request."""
    return lambda _: (Send(response(status, body, *headers)),)


def says_text(status: int, body: bytes, content_type: str) -> Script:
    """Answer with a body that is not JSON."""
    return lambda _: (Send(response(status, body, content_type=content_type)),)


def fails(status: int, code: int, message: str, data: JsonValue = None) -> Script:
    """Answer with a JSON-RPC error under this HTTP status."""
    return lambda id_: (Send(response(status, rpc_error(id_, code, message, data))),)


def raw(*steps: Step) -> Script:
    """Do exactly this."""
    return lambda _: steps


def _half(request_id: JsonValue) -> bytes:
    whole = response(200, result(request_id))
    return whole[: len(whole) - 40]


def _broken_event(request_id: JsonValue) -> bytes:
    data = result(request_id)
    return SSE_HEAD + chunk(b"event: message\ndata: " + data[: len(data) // 2])


def _tool_error(request_id: JsonValue) -> Sequence[Step]:
    text = (
        '<tool_error code="RATE_LIMITED" severity="error">'
        "<message>slow</message></tool_error>"
    )
    told = {"errorCategory": "transient", "isRetryable": True, "retryAfter": 7}
    body = result(request_id, text, isError=True, structuredContent=told)
    return (Send(response(200, body)),)


_PRIMING = SSE_HEAD + chunk(b"id: 1\nretry: 20\nevent: message\ndata: \n\n")
_GARBAGE_LENGTH = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
_SMUGGLED = (
    b"HTTP/1.1 200 OK\r\nx-note: one\rset-cookie: a=b\r\ncontent-length: 2\r\n\r\n{}"
)
_BOMB = gzip.compress(b"\0" * TEN_MEGABYTES)

HTTP: dict[str, Script] = {
    "header_mismatch": fails(400, -32020, "header mismatch"),
    "429_hint": says(429, b"{}", ("retry-after", "7")),
    "429_hint_ms": says(429, b"{}", ("retry-after-ms", "1500"), ("retry-after", "9")),
    "429_hint_date": says(
        429,
        b"{}",
        ("date", "Mon, 02 Nov 2026 10:00:00 GMT"),
        ("retry-after", "Mon, 02 Nov 2026 10:00:30 GMT"),
    ),
    "429_hint_nonsense": says(429, b"{}", ("retry-after", "soon")),
    "429_hint_negative": says(429, b"{}", ("retry-after", "-5")),
    "429_rpc": fails(
        429,
        -32050,
        "rate limited by the gateway",
        {"retryAfter": 7, "errorCategory": "transient", "isRetryable": True},
    ),
    "503_hint": says(503, b"{}", ("retry-after", "7")),
    "401_token": says(401, b"{}", ("www-authenticate", 'Bearer error="invalid_token"')),
    "403_scope": says(
        403,
        b"{}",
        ("www-authenticate", 'Bearer error="insufficient_scope", scope="write"'),
    ),
    "400_session": fails(400, -32000, "Bad Request: No valid session ID provided"),
    "404_session": fails(404, -32001, "Session not found"),
    "400_rpc": fails(400, -32602, "Invalid params"),
    "500_rpc": fails(500, -32603, "Internal error"),
    "502_html": says_text(502, b"<html><h1>Bad gateway</h1></html>", "text/html"),
    "status_999": says(999, b"{}"),
    "302_elsewhere": says(302, b"", ("location", "http://127.0.0.1:9/elsewhere")),
    "303_here": says(303, b"", ("location", "/elsewhere")),
    "307_elsewhere": says(307, b"", ("location", "http://127.0.0.1:9/elsewhere")),
    "500_ten_megabytes": says(500, b"x" * TEN_MEGABYTES),
    "500_bomb": says(500, _BOMB, ("content-encoding", "gzip")),
    "500_endless": raw(
        Send(CHUNKED.replace(b"200 OK", b"500 Oops") % b"text/plain"),
        Trickle(chunk(b"x" * 65536), every=0.01),
    ),
    "500_stalls": raw(
        Send(b"HTTP/1.1 500 Oops\r\ncontent-length: 100\r\n\r\nwait"), Hang()
    ),
}

CONNECTION: dict[str, Script] = {
    "reset_before_headers": raw(Reset()),
    "fin_before_headers": raw(Fin()),
    "reset_in_head": raw(Send(b"HTTP/1.1 200 OK\r\ncontent-ty"), Pause(), Reset()),
    "reset_in_body": lambda id_: (Send(_half(id_)), Pause(), Reset()),
    "fin_in_body": lambda id_: (Send(_half(id_)), Pause(), Fin()),
    "fin_in_chunks": lambda id_: (
        Send(CHUNKED % b"application/json" + chunk(result(id_)[:20])),
        Pause(),
        Fin(),
    ),
    "reset_in_sse_event": lambda id_: (Send(_broken_event(id_)), Pause(), Reset()),
    "fin_in_sse_event": lambda id_: (Send(_broken_event(id_)), Pause(), Fin()),
    "sse_ends_in_event": lambda id_: (Send(_broken_event(id_) + END),),
    "sse_ends_without_reply": raw(Send(SSE_HEAD + chunk(b": hello\n\n") + END)),
    "sse_resumed": raw(Send(_PRIMING + END)),
    "sse_not_resumed": raw(Send(_PRIMING + END)),
}

SILENCE: dict[str, Script] = {
    "silence": raw(Hang()),
    "silence_in_head": raw(Send(response(200, b"")[:-2]), Hang()),
    "silence_in_body": lambda id_: (Send(_half(id_)), Hang()),
    "sse_keep_alive": raw(Send(SSE_HEAD), Trickle(chunk(b": ping\n\n"))),
    "sse_silence": raw(Send(SSE_HEAD), Hang()),
    "body_of_spaces": raw(Send(CHUNKED % b"application/json"), Trickle(chunk(b"    "))),
}

UNREADABLE: dict[str, Script] = {
    "202": says(202),
    "204": raw(Send(b"HTTP/1.1 204 No Content\r\n\r\n")),
    "empty": says(200),
    "html": says_text(200, b"<html>please log in</html>", "text/html"),
    "no_content_type": lambda id_: (
        Send(response(200, result(id_), content_type=None)),
    ),
    "garbage_json": says(200, b"{not json"),
    "cut_json": lambda id_: (Send(response(200, result(id_)[:-9])),),
    "bad_utf8": lambda id_: (
        Send(response(200, result(id_).replace(b"fine", b"f\xff\xfee"))),
    ),
    "deep_json": says(200, b"[" * 100_000),
    "not_rpc": says(200, b'{"hello": "world"}'),
    "list": says(200, b"[]"),
    "wrong_id": lambda _: (Send(response(200, result(987654))),),
    "sse_wrong_id": lambda _: (Send(SSE_HEAD + event(result(987654)) + END),),
    "sse_garbage": raw(Send(SSE_HEAD + event(b"{not json") + END)),
    "wrong_shape": lambda id_: (
        Send(
            response(
                200,
                b'{"jsonrpc": "2.0", "id": %s, "result": {"nope": 1}}'
                % json.dumps(id_).encode(),
            )
        ),
    ),
    "bad_gzip": says(200, b"no gzip at all", ("content-encoding", "gzip")),
}

NO_HTTP: dict[str, Script] = {
    "nonsense_status_line": raw(Send(b"HTTP/1.1 banana\r\n\r\n"), Fin()),
    "not_http": raw(Send(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), Fin()),
    "cr_in_header": raw(Send(_SMUGGLED), Fin()),
    "huge_header": raw(
        Send(b"HTTP/1.1 200 OK\r\nx-note: " + b"x" * (1 << 20) + b"\r\n\r\n"), Fin()
    ),
    "bad_chunk": raw(Send(CHUNKED % b"application/json" + b"zz\r\n{}\r\n"), Fin()),
    "two_lengths": raw(
        Send(_GARBAGE_LENGTH + b"content-length: 2\r\ncontent-length: 3\r\n\r\n{}"),
        Fin(),
    ),
}

RPC: dict[str, Script] = {
    "rpc_unknown_tool": fails(200, -32602, "Unknown tool: fault"),
    "rpc_bad_params": fails(200, -32602, "Missing argument: id"),
    "rpc_no_method": fails(200, -32601, "Method not found"),
    "rpc_internal": fails(200, -32603, "Internal error"),
    "rpc_rate_limit": fails(200, -32000, "Rate limit exceeded", {"retry_after": 7}),
    "tool_error": _tool_error,
}

FINE: dict[str, Script] = {
    "fine": lambda id_: (Send(response(200, result(id_))),),
    "fine_sse": lambda id_: (Send(SSE_HEAD + event(result(id_)) + END),),
    "fine_sse_cut_after_reply": lambda id_: (
        Send(SSE_HEAD + event(result(id_))),
        Pause(),
        Reset(),
    ),
    "fine_after_103": lambda id_: (
        Send(b"HTTP/1.1 103 Early Hints\r\n\r\n" + response(200, result(id_))),
    ),
    "fine_large": lambda id_: (Send(response(200, result(id_, "x" * TEN_MEGABYTES))),),
    "fine_sse_large": lambda id_: (
        Send(SSE_HEAD + event(result(id_, "x" * TEN_MEGABYTES)) + END),
    ),
}

STATUSES: dict[str, Script] = {
    f"status_{status}": says(status, b"{}") for status in (*range(400, 530), 599)
}

SCRIPTS: dict[str, Script] = {
    **HTTP,
    **CONNECTION,
    **SILENCE,
    **UNREADABLE,
    **NO_HTTP,
    **RPC,
    **FINE,
    **STATUSES,
}


async def play(steps: Sequence[Step], wire: Wire) -> bool:
    """Carry out the steps; False when the connection is of no further use."""
    for step in steps:
        match step:
            case Send(data):
                await wire.send(data)
            case Pause(seconds):
                await pause(seconds)
            case Trickle(data, every):
                await _trickle(data, every, wire)
                return False
            case Hang():
                await wire.gone()
                return False
            case Fin():
                wire.close()
                return False
            case Reset():
                wire.reset()
                return False
    return True


async def _trickle(data: bytes, every: float, wire: Wire) -> None:
    spent = 0.0
    while spent < PATIENCE and not wire.writer.transport.is_closing():
        await wire.send(data)
        await pause(every)
        spent += every
