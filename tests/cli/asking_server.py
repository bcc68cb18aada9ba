"""A server over standard input and output whose tool asks the user a question.

The tool is listed only to clients that can be asked.
"""

import json
import sys
from typing import Any

Json = dict[str, Any]

TOOL = {"name": "greet", "inputSchema": {"type": "object"}}
QUESTION = {
    "message": "Who are you?\x1b[2J",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
    },
}


def _send(message: Json) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def _receive() -> Json:
    message: Json = json.loads(sys.stdin.readline() or '{"method": "end"}')
    return message


def _greeting() -> Json:
    _send({"id": "q1", "method": "elicitation/create", "params": QUESTION})
    said = _receive()
    answer = said["result"]["action"] if "result" in said else said["error"]["message"]
    return {"content": [{"type": "text", "text": f"answer: {answer}"}]}


def _serve() -> None:
    can_ask = False
    while (message := _receive()).get("method") != "end":
        if "id" not in message:
            continue
        if message["method"] == "initialize":
            can_ask = "elicitation" in message["params"]["capabilities"]
            result: Json = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "asking", "version": "1"},
            }
        elif message["method"] == "tools/list":
            result = {"tools": [TOOL] if can_ask else []}
        elif message["method"] == "tools/call":
            result = _greeting()
        else:
            _send({"id": message["id"], "error": {"code": -32601, "message": "no"}})
            continue
        _send({"id": message["id"], "result": result})


if __name__ == "__main__":
    _serve()
