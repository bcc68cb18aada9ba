"""The client: what it accepts, how it routes, lists and plans."""

import math
from typing import Any

import anyio
import pytest

from mcpfusion_client import (
    ConnectError,
    Effects,
    ErrorInfo,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    StopReason,
    ToolCall,
    ToolInfo,
    ToolResult,
    block_when,
    tool_error,
)
from mcpfusion_client.catalogue import MAX_AGE, PATIENCE
from mcpfusion_client.middleware import Next
from mcpfusion_client.testing import (
    After,
    ScriptedSession,
    VirtualClock,
)
from tests.client_stage import TIMEOUT, server


async def test_actions_are_routed_to_grouped_and_flat_tools(
    clock: VirtualClock,
) -> None:
    """The server decides how it serves them, the caller need not know."""
    session = server(clock)
    client = MCPFusionClient(session, clock=clock)

    await client.execute("billing.get", {"id": 1})
    await client.execute("crm.find", {"name": "x"})
    await client.execute("billing")

    assert [(call.tool, call.arguments) for call in session.calls] == [
        ("billing", {"id": 1, "action": "get"}),
        ("crm_find", {"name": "x"}),
        ("billing", {"action": "default"}),
    ]


async def test_call_tool_does_not_route(clock: VirtualClock) -> None:
    """A wire name is sent as it is."""
    session = server(clock)

    await MCPFusionClient(session, clock=clock).call_tool("billing.get", {"id": 1})

    (call,) = session.calls
    assert (call.tool, call.arguments) == ("billing.get", {"id": 1})


async def test_an_unlisted_action_refreshes_the_list_once(clock: VirtualClock) -> None:
    """A tool may be new; if it is not, the server answers the grouped form."""
    session = server(clock)
    client = MCPFusionClient(session, clock=clock)
    await client.call_tool("billing")
    session.tools = (*session.tools, ToolInfo(name="hr_hire"))

    await client.execute("hr.hire")
    await client.execute("nobody.knows")
    await client.execute("nobody.knows")

    assert [call.tool for call in session.calls[1:]] == ["hr_hire", "nobody", "nobody"]
    assert session.calls[2].arguments == {"action": "knows"}
    assert session.listed == 3


async def test_an_unlisted_action_is_looked_for_again_later(
    clock: VirtualClock,
) -> None:
    """What was added in the meantime is found."""
    session = server(clock)
    client = MCPFusionClient(session, clock=clock)
    await client.execute("hr.hire")
    session.tools = (*session.tools, ToolInfo(name="hr_hire"))
    await clock.sleep(PATIENCE + 1)

    await client.execute("hr.hire")

    assert session.calls[-1].tool == "hr_hire"


async def test_the_discriminator_of_a_schema_that_does_not_tell_is_an_option(
    clock: VirtualClock,
) -> None:
    """Not every server calls it ``action``."""
    session = ScriptedSession(["done"], tools=[ToolInfo(name="hr")], clock=clock)

    await MCPFusionClient(session, clock=clock, discriminator="op").execute("hr.hire")

    assert session.calls[0].arguments == {"op": "hire"}


@pytest.mark.parametrize(
    ("method", "name", "arguments"),
    [
        ("execute", "billing.refund", {}),
        ("call_tool", "billing", {"action": "refund"}),
        ("execute", "billing", {"action": "refund"}),
        ("call_tool", "billing_refund", {}),
        ("execute", "billing_refund", {}),
        ("call_tool", "billing.refund", {}),
        ("call_tool", "billing_refund_now", {}),
        ("call_tool", "billing_refund.now", {}),
        ("execute", "billing.refund.now", {}),
    ],
)
async def test_no_spelling_gets_around_a_rule(
    clock: VirtualClock, method: str, name: str, arguments: dict[str, str]
) -> None:
    """A rule is written once, for the action."""
    session = server(clock)
    client = MCPFusionClient(
        session, clock=clock, rules=[block_when("billing.refund*")]
    )

    with pytest.raises(MCPFusionClientError) as caught:
        await getattr(client, method)(name, arguments)

    assert caught.value.stop_reason is StopReason.BLOCKED
    assert session.calls == []


async def test_attribute_paths_are_actions(clock: VirtualClock) -> None:
    """Names and a mapping are the arguments."""
    session = server(clock)
    proxy = MCPFusionClient(session, clock=clock).proxy

    await proxy.billing.get(id=1)
    await proxy["crm"].find({"full-name": "x"}, limit=2)

    assert [(call.tool, call.arguments) for call in session.calls] == [
        ("billing", {"id": 1, "action": "get"}),
        ("crm_find", {"full-name": "x", "limit": 2}),
    ]
    with pytest.raises(TypeError):
        proxy()
    with pytest.raises(AttributeError):
        getattr(proxy, "_private")  # noqa: B009 - the attribute is the point
    assert "billing.get" in repr(proxy.billing.get)


@pytest.mark.parametrize(
    "target",
    [
        None,
        42,
        "not a url",
        "ftp://example.com",
        [],
        [1],
        pytest.param(object(), id="object"),
        dict[str, str](),
        ScriptedSession,
    ],
    ids=repr,
)
def test_a_wrong_target_is_a_type_error(target: object) -> None:
    """The message lists what is accepted."""
    with pytest.raises(TypeError, match="URL"):
        MCPFusionClient(target)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"timeout": 0}, ValueError),
        ({"timeout": -1.0}, ValueError),
        ({"timeout": math.nan}, ValueError),
        ({"timeout": "5"}, TypeError),
        ({"timeout": True}, TypeError),
        ({"connect_timeout": 0}, ValueError),
        ({"discriminator": ""}, ValueError),
        ({"discriminator": 1}, TypeError),
        ({"retry": 3}, TypeError),
        ({"observers": [object()]}, TypeError),
        ({"no_such_option": 1}, TypeError),
    ],
)
def test_an_impossible_option_is_refused(
    options: dict[str, Any], fault: type[Exception]
) -> None:
    """When the client is made, not when it is used."""
    with pytest.raises(fault):
        MCPFusionClient(ScriptedSession(), **options)


@pytest.mark.parametrize(
    ("name", "arguments", "options", "fault"),
    [
        ("t", ["a"], {}, TypeError),
        ("t", "a", {}, TypeError),
        ("t", {1: 2}, {}, TypeError),
        ("t", {"a": {1}}, {}, TypeError),
        ("t", {"a": math.nan}, {}, ValueError),
        ("", {}, {}, ValueError),
        (None, {}, {}, TypeError),
        ("t", {}, {"timeout": 0}, ValueError),
        ("t", {}, {"deadline": -1}, ValueError),
        ("t", {}, {"deadline": math.nan}, ValueError),
        ("t", {}, {"retry": "yes"}, TypeError),
        ("t", {}, {"meta": {"a": object()}}, TypeError),
        ("t", {}, {"meta": [1]}, TypeError),
        ("t", {}, {"idempotency_key": ""}, ValueError),
        ("t", {}, {"idempotency_key": 7}, TypeError),
    ],
)
@pytest.mark.parametrize("method", ["execute", "call_tool"])
async def test_wrong_arguments_raise_before_anything_is_sent(
    method: str,
    name: Any,
    arguments: Any,
    options: dict[str, Any],
    fault: type[Exception],
) -> None:
    """Also where failures are results: it is the program that is wrong."""
    session = ScriptedSession()
    client = MCPFusionClient(session, raise_on_error=False)

    with pytest.raises(fault):
        await getattr(client, method)(name, arguments, **options)

    assert session.calls == []


async def test_effects_apply_by_pattern_and_the_first_that_fits(
    clock: VirtualClock,
) -> None:
    """They match the action and the wire name."""
    effects = {"crm.f*": Effects(read_only=False), "*": Effects(idempotent=True)}
    session = server(clock, TIMEOUT, TIMEOUT, "done")
    client = MCPFusionClient(session, clock=clock, effects=effects)

    stopped = await client.execute("crm.find", raise_on_error=False)
    retried = await client.execute("billing.get")

    assert stopped.stop_reason is StopReason.UNKNOWN_OUTCOME_WRITE
    assert retried.stop_reason is StopReason.RETRIED


async def test_effects_are_forgotten_when_the_list_changes(clock: VirtualClock) -> None:
    """A tool that was read-only may no longer be."""
    session = server(clock, TIMEOUT, "done", TIMEOUT)
    client = MCPFusionClient(session, clock=clock)
    assert (await client.call_tool("crm_find")).stop_reason is StopReason.RETRIED
    session.tools = (ToolInfo(name="crm_find", annotations={"readOnlyHint": False}),)
    await clock.sleep(MAX_AGE + 1)

    result = await client.call_tool("crm_find", raise_on_error=False)

    assert result.stop_reason is StopReason.UNKNOWN_OUTCOME_WRITE


async def test_the_call_has_its_dotted_path_everywhere(clock: VirtualClock) -> None:
    """Middleware sees the action and the wire name, however it was called."""
    seen: list[tuple[str, str]] = []

    async def look(call: ToolCall, call_next: Next) -> ToolResult:
        seen.append((call.action, call.tool))
        return await call_next(call)

    client = MCPFusionClient(server(clock), clock=clock, middleware=[look])
    await client.execute("crm.find")
    await client.call_tool("crm_find")
    await client.call_tool("billing", {"action": "get"})

    assert seen == [
        ("crm.find", "crm_find"),
        ("crm.find", "crm_find"),
        ("billing.get", "billing"),
    ]


async def test_one_client_serves_many_names_in_bounded_memory(
    clock: VirtualClock,
) -> None:
    """Names may come from a model; what is remembered about them has an end."""
    session = ScriptedSession(["done"] * 5000, clock=clock)
    client = MCPFusionClient(session, clock=clock, gate=None, budget=None)

    for number in range(5000):
        await client.call_tool(f"tool{number}")

    assert len(client._planner._known) <= 4096


async def test_connecting_and_closing_may_happen_in_different_tasks(
    clock: VirtualClock,
) -> None:
    """`connect` and `close` do what ``async with`` does."""
    client = MCPFusionClient(server(clock), clock=clock)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(client.connect)
    await client.call_tool("crm_find")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(client.close)


async def test_a_command_that_does_not_exist_is_a_connect_error() -> None:
    """And the error says so before any call."""
    with pytest.raises(ConnectError) as caught:
        async with MCPFusionClient(["/no/such/program-at-all", "--token", "s3cret"]):
            pass

    assert "s3cret" not in str(caught.value)


async def test_disguised_failures_are_reported_when_asked_for(
    clock: VirtualClock,
) -> None:
    """Never as a failure."""
    disguised: dict[str, Any] = {
        "content": [{"type": "text", "text": '{"__error": true, "message": "no"}'}]
    }
    client = MCPFusionClient(
        server(clock, disguised), clock=clock, detect_disguised=True
    )

    result = await client.call_tool("crm_find")

    assert result.error is None
    assert isinstance(result.suspected_failure, ErrorInfo)


async def test_results_are_read_forgivingly(clock: VirtualClock) -> None:
    """Content that is text, or holds what is no block, breaks nothing."""
    odd: list[dict[str, Any]] = [
        {"content": "just text"},
        {"content": [{"type": "text", "text": "a"}, 7, None], "_meta": "x"},
        {"content": None},
        {"resultType": "input_required", "inputRequests": {}},
    ]
    client = MCPFusionClient(server(clock, *odd), clock=clock)

    results = [await client.call_tool("crm_find") for _ in odd]

    assert [result.text for result in results] == ["just text", "a", "", ""]
    assert {result.error for result in results} == {None}
    assert [result.raw for result in results] == odd


async def test_a_policy_of_one_call_replaces_the_one_of_the_client(
    clock: VirtualClock,
) -> None:
    """True switches retries on with the client's other settings."""
    busy = tool_error("SERVER_BUSY", "full")
    session = server(clock, busy, "done", busy, busy)
    client = MCPFusionClient(session, clock=clock, retry=False)

    on = await client.call_tool("crm_find", retry=True)
    own = await client.call_tool(
        "crm_find", retry=RetryPolicy(max_attempts=2), raise_on_error=False
    )

    assert on.stop_reason is StopReason.RETRIED
    assert own.stop_reason is StopReason.ATTEMPTS_EXHAUSTED


async def test_slow_answers_are_waited_for_by_default(clock: VirtualClock) -> None:
    """Sixty seconds, as the option says."""
    session = server(clock, After(59.0, "done"), After(61.0, "done"))
    client = MCPFusionClient(session, clock=clock)

    assert (await client.call_tool("billing")).text == "done"
    late = await client.call_tool("billing", raise_on_error=False)

    assert late.error is not None
    assert late.error.code == "TIMEOUT"
