"""Tools to generate from, generated modules at work, and clients that only listen."""

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Unpack

import attrs

from mcpfusion_client.codegen import Generated, Options, generate
from mcpfusion_client.model import JsonObject, JsonValue, ToolResult
from mcpfusion_client.retry import RetryPolicy, ToolPolicies
from mcpfusion_client.router import Binding, CallOptions
from mcpfusion_client.sessions.base import ProgressCallback

HERE = Path(__file__).parent
SERVERS = sorted((HERE / "servers").glob("*.json"))


def tool(
    name: str,
    properties: Mapping[str, JsonValue] | None = None,
    required: Sequence[str] = (),
    **more: JsonValue,
) -> JsonObject:
    """Return a tool as a server lists it."""
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": dict(properties or {}),
    }
    if required:
        schema["required"] = list(required)
    return {"name": name, "inputSchema": schema, **more}


def listed_by(server: Path) -> list[JsonObject]:
    """Return the tools of a recorded server."""
    tools: list[JsonObject] = json.loads(server.read_text())["tools"]
    return tools


def made(*tools: JsonObject, split_flat: bool = True) -> Generated:
    """Generate a module for *tools*."""
    return generate(tools, Options(split_flat=split_flat))


def loaded(source: str, folder: Path, name: str = "made_router") -> ModuleType:
    """Import *source* from a file in *folder*."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@attrs.define
class Listener:
    """A client that remembers what it is asked for.

    Attributes:
        answer: What every call comes back with.
        calls: Names and arguments, in order.
        options: The options of the last call.
    """

    answer: ToolResult = attrs.field(factory=ToolResult)
    calls: list[tuple[str, JsonObject]] = attrs.field(
        factory=list[tuple[str, JsonObject]]
    )
    options: Mapping[str, object] = attrs.field(factory=dict[str, object])

    async def call_tool(
        self,
        name: str,
        arguments: JsonObject | None = None,
        *,
        retry: RetryPolicy | ToolPolicies | bool | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - what a client takes
        deadline: float | None = None,
        idempotent: bool | None = None,
        idempotency_key: str | None = None,
        meta: JsonObject | None = None,
        progress: ProgressCallback | None = None,
        raise_on_error: bool | None = None,
    ) -> ToolResult:
        """Remember the call."""
        self.calls.append((name, arguments or {}))
        self.options = {"timeout": timeout, "retry": retry}
        return self.answer


@attrs.define
class SyncListener:
    """The same without ``await``."""

    answer: ToolResult = attrs.field(factory=ToolResult)
    calls: list[tuple[str, JsonObject]] = attrs.field(
        factory=list[tuple[str, JsonObject]]
    )

    def call_tool(
        self,
        name: str,
        arguments: JsonObject | None = None,
        **options: Unpack[CallOptions],
    ) -> ToolResult:
        """Remember the call."""
        self.calls.append((name, arguments or {}))
        return self.answer


def at_work(
    folder: Path, *tools: JsonObject, answer: ToolResult | None = None
) -> tuple[JsonValue, Listener]:
    """Return a bound async router for *tools*, and the client it calls."""
    module = loaded(made(*tools).source, folder)
    client = Listener(answer or ToolResult())
    contract = module.AppRouter.__contract__()
    binding = Binding(caller=client, contract=contract)
    return module.AppRouter(binding), client


def type_of(
    schema: JsonValue, definitions: Mapping[str, JsonValue] | None = None
) -> str:
    """Return how the module writes an argument of *schema*."""
    probe = tool("probe", {"value": schema}, ["value"])
    if definitions:
        probe = {**probe, "inputSchema": {**probe["inputSchema"], "$defs": definitions}}
    return type_in(made(probe).source)


def type_in(source: str) -> str:
    """Return how *source* writes the first argument of the tool ``probe``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AsyncFunctionDef) and node.name == "probe":
            annotation = node.args.kwonlyargs[0].annotation
            assert annotation is not None
            return ast.unparse(annotation)
    raise AssertionError


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a module of this interpreter in *folder*."""
    return subprocess.run(  # noqa: S603 - our own tools on our own files
        [sys.executable, "-m", *map(str, command)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
