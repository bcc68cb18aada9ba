"""From a real server to a router and back: every method reaches its tool.

The installed SDK is the one that serves and asks; the suite runs on both.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import anyio
import pytest

from mcpfusion_client import (
    Execution,
    MCPFusionClient,
    SyncMCPFusionClient,
    ToolInfo,
    UncategorizedError,
)
from mcpfusion_client.codegen import generate
from mcpfusion_client.codegen.actions import actions
from mcpfusion_client.codegen.contract import recall
from mcpfusion_client.integrations.scripted_server import ServedTool, scripted_server
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.router import AsyncNamespace, AsyncRouter, Contract
from tests.codegen.echo_server import echo_server
from tests.codegen.example_router import AppRouter
from tests.codegen.making import HERE, SERVERS, listed_by, loaded

Reached: TypeAlias = tuple[str, JsonObject, list[str]]
"""The tool, the fixed arguments and the names of the others."""

LISTS = [*SERVERS, HERE / "example.json"]


def methods(router: JsonValue) -> Iterator[JsonValue]:
    """Yield every method of a router and of its namespaces."""
    public = {name for name in dir(router) if not name.startswith("_")}
    for name in sorted(public - {*dir(AsyncRouter)}):
        member = getattr(router, name)
        if isinstance(member, AsyncNamespace):
            yield from methods(member)
        else:
            yield member
    if callable(router):
        yield router


def arguments(method: JsonValue, *, optional: bool) -> JsonObject:
    """Return a different value for each argument of *method*."""
    given = inspect.signature(method).parameters.values()
    return {
        each.name: ["value", number, {"of": None}]
        for number, each in enumerate(given)
        if each.kind is inspect.Parameter.KEYWORD_ONLY
        and (optional or each.default is inspect.Parameter.empty)
    }


def expected(contract: Contract, *, optional: bool) -> list[Reached]:
    """Return the tool, the fixed arguments and the names of the others, sorted."""
    return sorted(
        (
            (
                action.tool["name"],
                action.fixed,
                sorted(
                    action.parameters.properties
                    if optional
                    else action.parameters.required
                ),
            )
            for action in actions(recall(contract))
        ),
        key=repr,
    )


def told(heard: JsonObject, sent: JsonObject, fixed: frozenset[str]) -> Reached:
    """Return what reached a tool in the form of `expected`."""
    reached = heard["arguments"]
    unchanged = sent.keys() & reached.keys()
    assert {name: reached[name] for name in unchanged} == {
        name: sent[name] for name in unchanged
    }
    names = sorted(name for name in reached if name not in fixed)
    values = [reached[name] for name in names]
    assert sorted(map(repr, values)) == sorted(map(repr, sent.values()))
    return heard["tool"], {key: reached[key] for key in fixed}, names


@pytest.mark.parametrize("optional", [True, False], ids=["all", "required"])
@pytest.mark.parametrize("server", LISTS, ids=lambda path: path.stem)
async def test_every_method_reaches_its_tool_with_exactly_what_was_given(
    server: Path, tmp_path: Path, *, optional: bool
) -> None:
    """By its wire name, with wire names; what is not set is not sent."""
    async with MCPFusionClient(echo_server(listed_by(server))) as client:
        module = loaded(generate(await client.list_tools()).source, tmp_path)
        router = client.router(module.AppRouter)
        fixed = {
            action.tool["name"]: frozenset(action.fixed)
            for action in actions(recall(module.CONTRACT))
        }
        found: list[Reached] = []
        for method in methods(router):
            sent = arguments(method, optional=optional)
            heard = (await method(**sent)).data
            found.append(told(heard, sent, fixed[heard["tool"]]))

    assert sorted(found, key=repr) == expected(module.CONTRACT, optional=optional)


def test_over_standard_input_and_output_without_await(tmp_path: Path) -> None:
    """A server in a process of its own, the sync router, the same answers."""
    script = HERE / "echo_server.py"
    command = [sys.executable, str(script), str(HERE / "example.json")]
    with SyncMCPFusionClient(command) as client:
        module = loaded(generate(client.list_tools()).source, tmp_path)
        router = client.router(module.AppRouter)

        heard = router.billing.pay(id="1", method={"card": "x", "3d-secure": True})
        listed = router.users.list(limit=3)

    assert heard.data == {
        "tool": "billing.pay",
        "arguments": {"id": "1", "method": {"card": "x", "3d-secure": True}},
    }
    assert listed.data["arguments"] == {"action": "list", "limit": 3}


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "not listed"])
async def test_a_result_that_breaks_its_promise_is_one_error(*, listed: bool) -> None:
    """The client knows the schema from the live list, the router from its own."""
    content: JsonObject = {"id": "1", "total": "hunter2", "status": "open"}

    async def handle(arguments: JsonObject) -> JsonObject:
        return {"content": list[JsonValue](), "structuredContent": content}

    tools = [
        ServedTool(
            info=ToolInfo(
                name=each["name"],
                input_schema=each["inputSchema"],
                output_schema=each.get("outputSchema") if listed else None,
            ),
            handle=handle,
        )
        for each in listed_by(HERE / "example.json")
    ]
    async with MCPFusionClient(scripted_server("invoices", tools)) as client:
        with pytest.raises(UncategorizedError) as caught:
            await client.router(AppRouter).billing.get_invoice(id="1")

    error = caught.value
    assert error.code == "BAD_RESPONSE"
    assert error.execution is Execution.EXECUTED
    assert [field.name for field in error.fields] == ["total"]
    assert error.raw is not None
    assert error.raw["structuredContent"] == content
    assert "hunter2" not in str(error.info)


async def test_the_drift_of_a_live_server_is_told(tmp_path: Path) -> None:
    """The first listing tells, before a call goes wrong."""
    from mcpfusion_client.codegen import Change  # noqa: PLC0415 - only here
    from mcpfusion_client.codegen.drift import RouterDrift  # noqa: PLC0415 - the same

    tools = listed_by(HERE / "example.json")
    module = loaded(generate(tools).source, tmp_path)
    heard: list[tuple[Change, ...]] = []
    drift = RouterDrift(module.AppRouter, report=heard.append)

    async with MCPFusionClient(echo_server(tools[:3]), observers=[drift]) as client:
        await client.router(module.AppRouter).users.list()
        with anyio.fail_after(5):
            await client.list_tools()

    (changes,) = heard
    gone = {(each.action, each.place, each.change) for each in changes}
    assert ("ping", "tool", "is gone") in gone
