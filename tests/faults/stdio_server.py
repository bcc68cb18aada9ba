"""An MCP server on standard input and output that misbehaves when asked to.

A script of its own, with nothing but the standard library, so that it starts fast.
Its argument is a file it appends one JSON line to for every start and every call.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_HELD: list[Any] = []
_LEDGER = Path(sys.argv[1])
_TEN_MEGABYTES = 10 * 1024 * 1024


def _note(**facts: object) -> None:
    with _LEDGER.open("a") as ledger:
        ledger.write(json.dumps(facts) + "\n")


def _write(line: bytes) -> int:
    return os.write(1, line)


def _write_all(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def _result(request_id: object, text: str = "fine") -> bytes:
    content = [{"type": "text", "text": text}]
    result = {"content": content, "isError": False}
    answer = {"jsonrpc": "2.0", "id": request_id, "result": result}
    return json.dumps(answer).encode() + b"\n"


def _ignore_the_end(request_id: object) -> None:
    """Answer, and from now on die only of SIGKILL."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _write(_result(request_id))
    threading.Thread(target=threading.Event().wait).start()


_FAULTS: Mapping[str, Callable[[Any], object]] = {
    "fine": lambda id_: _write(_result(id_)),
    "large": lambda id_: _write_all(_result(id_, "x" * _TEN_MEGABYTES)),
    "exit": lambda _: os._exit(3),
    "kill": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "close_stdout": lambda _: os.close(1),
    "close_stdin": lambda _: os.close(0),
    "half_line_exit": lambda id_: (_write(_result(id_)[:40]), os._exit(0)),
    "garbage_then_answer": lambda id_: _write(b"oops, not JSON\n" + _result(id_)),
    "garbage": lambda _: _write(b"oops, not JSON\n"),
    "bad_utf8": lambda id_: _write(_result(id_).replace(b"fine", b"f\xff\xfee")),
    "surrogate": lambda id_: _write(_result(id_).replace(b"fine", b"a\\ud800b")),
    "wrong_id": lambda _: _write(_result(987654)),
    "silence": lambda _: None,
    "noisy_stderr": lambda id_: (
        os.write(2, b"x" * 65536),
        _write(_result(id_)),
    ),
    "stubborn": _ignore_the_end,
}


def _document(method: str, params: Mapping[str, Any]) -> object:
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "faults", "version": "1"},
        }
    if method == "tools/list":
        schema: dict[str, object] = {"type": "object", "properties": {}}
        names = ("ok", "hold", "release", "fault")
        return {"tools": [{"name": name, "inputSchema": schema} for name in names]}
    return {} if method == "ping" else None


def _call(request_id: object, params: Mapping[str, Any]) -> None:
    arguments: Mapping[str, Any] = params.get("arguments") or {}
    _note(tool=params["name"], tag=arguments.get("tag"))
    if params["name"] == "hold":
        _HELD.append((request_id, arguments["tag"]))
    elif params["name"] == "fault":
        _FAULTS[arguments["fault"]](request_id)
    else:
        if params["name"] == "release":
            while _HELD:
                held, tag = _HELD.pop()
                _write(_result(held, tag))
        _write(_result(request_id, arguments.get("tag", "")))


def _answer(message: Mapping[str, Any]) -> None:
    method = message["method"]
    params: Mapping[str, Any] = message.get("params") or {}
    if "id" not in message:
        return
    if method == "tools/call":
        _call(message["id"], params)
        return
    answer: dict[str, object] = {"jsonrpc": "2.0", "id": message["id"]}
    document = _document(method, params)
    if document is None:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    else:
        answer["result"] = document
    _write(json.dumps(answer).encode() + b"\n")


def main() -> None:
    """Serve until the input ends."""
    _note(started=os.getpid())
    signal.alarm(60)  # whatever happens, this process ends
    with open(0, "rb", closefd=False) as lines:
        for line in lines:
            _answer(json.loads(line))


if __name__ == "__main__":
    main()
