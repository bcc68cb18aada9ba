"""A stdio server that fails as its arguments tell it; started by the tests.

It writes its process id to the file named by the first argument, one line for each
start, so that a test can kill it and count how often it was started.
"""

import os
import sys
from pathlib import Path

import anyio

# The checkout goes last, so that an installed wheel is what gets tested.
sys.path.append(str(Path(__file__).parents[2]))

from mcpfusion_client.integrations.scripted_server import (
    ServedTool,
    scripted_server,
    serve_stdio,
)
from mcpfusion_client.model import JsonObject, ToolInfo


def _text(text: str) -> JsonObject:
    return {"content": [{"type": "text", "text": text}]}


async def echo(arguments: JsonObject) -> JsonObject:
    """Answer."""
    return _text(str(arguments.get("text", "")))


async def slow(arguments: JsonObject) -> JsonObject:
    """Answer late."""
    await anyio.sleep(float(arguments["seconds"]))
    return _text("late")


async def die(_: JsonObject) -> JsonObject:
    """End the process before the answer."""
    os._exit(3)


async def babble(_: JsonObject) -> JsonObject:
    """Print garbage, then answer."""
    sys.stdout.buffer.write(b"no JSON \xff at all\n")
    sys.stdout.buffer.flush()
    return _text("after all")


if __name__ == "__main__":
    with Path(sys.argv[1]).open("a", encoding="ascii") as starts:
        starts.write(f"{os.getpid()}\n")
    handlers = {"echo": echo, "slow": slow, "die": die, "babble": babble}
    tools = [
        ServedTool(info=ToolInfo(name=name), handle=handle)
        for name, handle in handlers.items()
    ]
    anyio.run(serve_stdio, scripted_server("stdio", tools))
