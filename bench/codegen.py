"""What a typed router costs: to write, to import, and in each call.

    python bench/codegen.py [--tools 500] [--size 2000000] [--json]

Tools with nested arguments and results are made up until their list has the given
size in bytes. Generation and import are CPU seconds of a fresh process, the import
with its bytecode there and without. A call is CPU microseconds on a scripted
session, the median over the rounds, interleaved: `execute`, the router, and the
router without the check of its result.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

import anyio

from mcpfusion_client import MCPFusionClient
from mcpfusion_client.codegen import generate
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.testing import ScriptedSession

Call: TypeAlias = Callable[[], Awaitable[object]]
WORDS: Final = "customer invoice address total status line price note owner region"
ACTIONS: Final = "get list create update delete search archive restore"
IMPORT: Final = """
import time
import mcpfusion_client.router
start = time.process_time()
import made_router
print(time.process_time() - start)
"""
GENERATE: Final = """
import json, sys, time
from pathlib import Path
from mcpfusion_client.codegen import generate
tools = json.loads(Path("tools.json").read_text())
start = time.process_time()
made = generate(tools)
print(time.process_time() - start)
Path("made_router.py").write_text(made.source)
"""


def an_object(draw: random.Random, depth: int) -> JsonObject:
    """Return the schema of an object with a few fields of every kind."""
    nested = an_object(draw, depth - 1) if depth else {"type": "string"}
    kinds: list[JsonObject] = [
        {"type": "string", "description": "As the server keeps it, in its words."},
        {"type": "integer", "minimum": 0},
        {"type": "number"},
        {"type": "boolean", "default": False},
        {"type": "array", "items": {"type": "string"}},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        {"type": "string", "enum": ["draft", "open", "paid", "void"]},
        nested,
        {"type": "array", "items": nested},
    ]
    names = draw.sample(WORDS.split(), 5)
    properties = {name: draw.choice(kinds) for name in names}
    return {"type": "object", "properties": properties, "required": names[:2]}


def many_tools(count: int, size: int) -> list[JsonObject]:
    """Return *count* tools whose list is about *size* bytes."""
    draw = random.Random(7)
    areas, actions = WORDS.split(), ACTIONS.split()
    tools: list[dict[str, JsonValue]] = [
        {
            "name": f"{areas[number % 10]}s_{actions[number % 8]}_{number}",
            "description": "Does what its name says, carefully.",
            "inputSchema": an_object(draw, 2),
            "outputSchema": an_object(draw, 2),
        }
        for number in range(count)
    ]
    lacking = max(0, size - len(json.dumps(tools))) // max(1, count)
    for tool in tools:
        tool["description"] += " It takes its time to explain." * (lacking // 30)
    return [*tools]


def timed(script: str, folder: Path, *, bytecode: bool) -> float:
    """Run *script* in a fresh process; return the seconds it prints."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    flags = [] if bytecode else ["-B"]
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, *flags, "-c", script],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


TOOL: Final[JsonObject] = {
    "name": "billing_get",
    "inputSchema": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["id"],
    },
    "outputSchema": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "total": {"type": "number"}},
        "required": ["id", "total"],
    },
}
ANSWER: Final[JsonObject] = {
    "content": [],
    "structuredContent": {"id": "inv_1", "total": 9.5},
}


async def calls(rounds: int, count: int) -> dict[str, float]:
    """Return the CPU microseconds of one call, by the way it is made."""
    module: dict[str, JsonValue] = {"__name__": "made"}
    exec(generate([TOOL]).source, module)  # noqa: S102 - what the benchmark measures
    answers = [ANSWER] * (3 * (rounds + 1) * count)
    async with MCPFusionClient(ScriptedSession(answers)) as client:
        checked = client.router(module["AppRouter"])
        unchecked = client.router(module["AppRouter"], check_results=False)
        ways: dict[str, Call] = {
            "execute": lambda: client.execute("billing_get", {"id": "inv_1"}),
            "router": lambda: checked.billing.get(id="inv_1"),
            "router, unchecked": lambda: unchecked.billing.get(id="inv_1"),
        }
        spent: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds + 1):
            for name, way in ways.items():
                start = time.process_time()
                for _ in range(count):
                    await way()
                spent[name].append((time.process_time() - start) / count * 1e6)
    # The first round imports and fills caches.
    return {name: statistics.median(each[1:]) for name, each in spent.items()}


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, default=500)
    parser.add_argument("--size", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        text = json.dumps(many_tools(options.tools, options.size))
        (folder / "tools.json").write_text(text)
        found: dict[str, float] = {
            "tools": options.tools,
            "bytes of schema": len(text),
            "generation, s": timed(GENERATE, folder, bytecode=True),
            "bytes of module": (folder / "made_router.py").stat().st_size,
            "import without bytecode, s": timed(IMPORT, folder, bytecode=False),
        }
        timed(IMPORT, folder, bytecode=True)
        found["import, s"] = timed(IMPORT, folder, bytecode=True)
    one_call = anyio.run(calls, options.rounds, options.calls)
    found |= {f"{way}, us": spent for way, spent in one_call.items()}
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<28} {value:>12,.2f}")


if __name__ == "__main__":
    main()
