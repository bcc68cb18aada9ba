"""A server of one tool, busy once; it writes every message to the file it is given."""

import json
import sys
from pathlib import Path
from typing import Any

BUSY = '<tool_error code="SERVER_BUSY"><message>later</message></tool_error>'


def answer(message: dict[str, Any], calls: int) -> dict[str, Any]:
    """Return the result or error that answers *message*, the call number *calls*."""
    match message["method"]:
        case "initialize":
            return {
                "result": {
                    "protocolVersion": message["params"]["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "remembering", "version": "1"},
                }
            }
        case "tools/list":
            tool = {"name": "find", "inputSchema": {"type": "object"}}
            return {"result": {"tools": [tool]}}
        case "tools/call":
            text = {"type": "text", "text": BUSY if calls == 1 else "found"}
            return {"result": {"content": [text], "isError": calls == 1}}
        case _:
            return {"error": {"code": -32601, "message": "unknown method"}}


def main() -> None:
    """Serve over standard input and output until the input ends."""
    calls = 0
    with Path(sys.argv[1]).open("w", encoding="utf-8") as heard:
        for line in sys.stdin:
            heard.write(line)
            heard.flush()
            message = json.loads(line)
            if "id" in message:
                calls += message["method"] == "tools/call"
                reply = {"jsonrpc": "2.0", "id": message["id"]}
                print(json.dumps(reply | answer(message, calls)), flush=True)  # noqa: T201 - the wire


if __name__ == "__main__":
    main()
