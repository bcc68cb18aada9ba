"""Answers of a server that repeats the headers it was sent, secrets and all."""

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

from mcpfusion_client.model import JsonValue
from tests.faults.http1 import response
from tests.faults.scripts import rpc_error

Echo: TypeAlias = Callable[[JsonValue, Mapping[str, str]], bytes]


def _told(headers: Mapping[str, str]) -> str:
    return "you sent " + json.dumps(dict(headers))


def _body(status: int) -> Echo:
    return lambda _, headers: response(
        status, json.dumps({"error": _told(headers), "got": dict(headers)}).encode()
    )


def _rpc(status: int) -> Echo:
    return lambda id_, headers: response(
        status, rpc_error(id_, -32602, _told(headers), {"headers": dict(headers)})
    )


def _page(_: JsonValue, headers: Mapping[str, str]) -> bytes:
    page = f"<html>{_told(headers)}</html>"
    return response(200, page.encode(), content_type="text/html")


def _broken(_: JsonValue, headers: Mapping[str, str]) -> bytes:
    return response(200, b"{" + _told(headers).encode())


def _bare(_: JsonValue, headers: Mapping[str, str]) -> bytes:
    """Short enough for a log to show all of it."""
    said = headers.get("x-api-key", headers.get("authorization", ""))
    return response(200, b"{" + said.encode())


def _event(_: JsonValue, headers: Mapping[str, str]) -> bytes:
    said = headers.get("x-api-key", headers.get("authorization", ""))
    told = b"data: {" + said.encode() + b"\n\n"
    return response(200, told, content_type="text/event-stream")


def _challenge(_: JsonValue, headers: Mapping[str, str]) -> bytes:
    said = headers.get("authorization", "") + headers.get("x-api-key", "")
    return response(
        401,
        b"{}",
        ("www-authenticate", f'Bearer error="invalid_token", realm="{said}"'),
        ("x-echo", said),
    )


def _moved(_: JsonValue, headers: Mapping[str, str]) -> bytes:
    said = headers.get("x-api-key", "")
    return response(302, b"", ("location", f"http://127.0.0.1:9/?key={said}"))


ECHOES: dict[str, Echo] = {
    "echo_500": _body(500),
    "echo_429": _body(429),
    "echo_400_rpc": _rpc(400),
    "echo_500_rpc": _rpc(500),
    "echo_200_rpc": _rpc(200),
    "echo_page": _page,
    "echo_broken": _broken,
    "echo_bare": _bare,
    "echo_event": _event,
    "echo_challenge": _challenge,
    "echo_location": _moved,
}
