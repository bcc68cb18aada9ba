"""What the servers of these tests serve: one tool for each thing a terminal shows.

Run it to serve over standard input and output. It speaks JSON-RPC itself, so it
starts at once and answers an SDK of either generation the same.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]

SECRET = "sk-abcdefghijklmnopqrstuvwx"
HOSTILE = f"\x1b[2J\x1b]0;owned\x07[red]not markup[/red] \u202e{SECRET}"

_NUMBERS = {
    "a": {"type": "integer", "description": "The first."},
    "b": {"type": "number"},
}
_READ = {"readOnlyHint": True}


def _tool(
    name: str,
    description: str = "",
    *,
    properties: Json | None = None,
    required: tuple[str, ...] = (),
    annotations: Json | None = None,
) -> Json:
    schema = {"type": "object", "properties": properties or {}, "required": required}
    return {
        "name": name,
        "description": description,
        "inputSchema": schema,
        "annotations": _READ if annotations is None else annotations,
    }


TOOLS = [
    _tool("add", "Add two numbers.", properties=_NUMBERS, required=("a", "b")),
    _tool("echo", "Answer with the arguments.", properties={"tags": {"type": "array"}}),
    _tool("media", "Answer with every kind of content."),
    _tool("hostile", f"Hostile: {HOSTILE}"),
    _tool("busy", "Refuse once, then answer."),
    _tool("refuse", "Refuse the arguments.", properties={"id": {"type": "string"}}),
    _tool(
        "reject",
        "Reject the arguments, field by field.",
        properties={"id": {"type": "string"}, "level": {"enum": ["low", "high"]}},
        required=("id",),
    ),
    _tool("steps", "Report progress, and wait for a file before the last step."),
    _tool("pay", "A write that is interrupted.", annotations={"readOnlyHint": False}),
    _tool("die", "End the server."),
    _tool("babble", "Print what is no message, then answer."),
]


def answer(name: str, arguments: Json, seen: list[str]) -> Json:
    """Return the result of a call.

    Args:
        name: The tool.
        arguments: Its arguments.
        seen: The tools called so far, this call included.
    """
    if name == "busy" and seen.count("busy") % 2:
        return _envelope(
            "RATE_LIMITED", "queue is full", "<retry_after>0.3 seconds</retry_after>"
        )
    found = _RESULTS.get(name)
    return _text("done") if found is None else found(arguments)


def _text(text: str) -> Json:
    return {"content": [{"type": "text", "text": text}]}


def _envelope(code: str, message: str, more: str) -> Json:
    text = (
        f'<tool_error code="{code}" severity="error">\n<message>{message}</message>\n'
        f"{more}\n</tool_error>"
    )
    return {**_text(text), "isError": True}


def _add(arguments: Json) -> Json:
    return _text(f"{arguments['a'] + arguments['b']}")


def _echo(arguments: Json) -> Json:
    return {**_text(json.dumps(arguments)), "structuredContent": arguments}


def _media(_: Json) -> Json:
    return {
        "content": [
            {"type": "image", "mimeType": "image/png", "data": "AAAA" * 512},
            {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"},
            {
                "type": "resource_link",
                "uri": "file:///a.txt",
                "name": "a.txt",
                "mimeType": "text/plain",
                "size": 2048,
            },
            {
                "type": "resource",
                "resource": {"uri": "file:///b.txt", "text": "inside b"},
            },
            {
                "type": "resource",
                "resource": {"uri": "file:///c.bin", "blob": "AAAA"},
            },
        ],
        "structuredContent": {"count": 5},
    }


def _hostile(_: Json) -> Json:
    return _text(f"before {HOSTILE} after")


def _refuse(_: Json) -> Json:
    fields = (
        "<recovery>Send an id.</recovery>\n"
        "<available_actions>invoices.list</available_actions>"
    )
    return _envelope("NOT_FOUND", f"No such invoice {HOSTILE}", fields)


def _reject(_: Json) -> Json:
    text = (
        '<validation_error action="stage/reject">\n'
        "<field name=\"id\">Invalid format. You sent: 'x'. Expected inv_1.</field>\n"
        "<recovery>Fix the fields above and call the tool again.</recovery>\n"
        "</validation_error>"
    )
    return {**_text(text), "isError": True}


_RESULTS: dict[str, Callable[[Json], Json]] = {
    "add": _add,
    "echo": _echo,
    "media": _media,
    "hostile": _hostile,
    "refuse": _refuse,
    "reject": _reject,
}


def _send(message: Json) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def _report(token: object, done: int, total: int) -> None:
    params = {
        "progressToken": token,
        "progress": done,
        "total": total,
        "message": f"step {done}",
    }
    _send({"method": "notifications/progress", "params": params})


def _messages() -> Iterator[Json]:
    for line in sys.stdin:
        message: Json = json.loads(line)
        yield message


def _perform(params: Json, seen: list[str], gate: Path) -> Json:
    """Do what only a server of its own process can do, then answer."""
    name = params["name"]
    seen.append(name)
    if name == "die":
        os._exit(3)
    if name == "babble":
        sys.stdout.write("no message\x1b[2J\n")
    if name in {"steps", "pay"}:
        token = params.get("_meta", {}).get("progressToken")
        _report(token, 1, 2)
        with gate.open() as opened:  # a pipe: it opens when the test says so
            opened.read()
    return answer(name, params.get("arguments") or {}, seen)


def _serve(gate: Path) -> None:
    seen: list[str] = []
    print("stage: started\x1b[2J", file=sys.stderr, flush=True)  # noqa: T201 - its log
    for message in _messages():
        method, number = message.get("method"), message.get("id")
        if number is None:
            continue
        if method == "initialize":
            result: Json = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "stage", "version": "1"},
            }
        elif method == "tools/list":
            result = {"tools": TOOLS}
        elif method == "tools/call":
            result = _perform(message["params"], seen, gate)
        else:
            _send({"id": number, "error": {"code": -32601, "message": "no method"}})
            continue
        _send({"id": number, "result": result})


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
