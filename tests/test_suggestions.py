"""A name that fits nothing: what was written, and what may have been meant."""

from typing import Any

import pytest

from mcpfusion_client import (
    MCPFusionClient,
    ResourceNotFoundError,
    SyncMCPFusionClient,
    ToolInfo,
    tool_error,
)
from mcpfusion_client.routing import Router
from mcpfusion_client.sessions.options import CALLBACKS
from mcpfusion_client.suggestions import near_names
from mcpfusion_client.testing import ProtocolFailure, ScriptedOutcome, ScriptedServer

UNKNOWN = ProtocolFailure(-32602, "Unknown tool: orders")
TOOLS = [ToolInfo(name="orders_search"), ToolInfo(name="billing.pay")]


async def _failing(
    action: str,
    outcome: ScriptedOutcome = UNKNOWN,
    *,
    tools: list[ToolInfo] = TOOLS,
    by_name: bool = False,
) -> ResourceNotFoundError:
    server = ScriptedServer([outcome], tools=tools)
    async with MCPFusionClient(server.target, retry=False) as client:
        await client.list_tools()
        call = client.call_tool if by_name else client.execute
        with pytest.raises(ResourceNotFoundError) as caught:
            await call(action)
    return caught.value


@pytest.mark.parametrize(
    ("action", "near"),
    [
        ("orders.serch", "'orders.search'"),
        ("orders_serch", "'orders_search'"),
        ("biling.pay", "'billing.pay'"),
    ],
)
async def test_a_misspelt_action_is_named_as_written_beside_its_neighbour(
    action: str, near: str
) -> None:
    """What was sent is ``orders``, a word the caller never wrote."""
    error = await _failing(action)

    for text in (error.recovery, str(error), error.to_prompt()):
        assert text is not None
        assert repr(action) in text
        assert near in text
    assert "recovery" not in error.stated


async def test_a_misspelt_wire_name_is_too() -> None:
    """The same help without routing."""
    error = await _failing("orders_serch", by_name=True)

    assert error.recovery is not None
    assert "'orders_search'" in error.recovery


async def test_what_is_like_nothing_is_named_alone() -> None:
    """A guess from afar would send an agent the wrong way."""
    error = await _failing("no.such_tool")

    assert error.recovery is not None
    assert "'no.such_tool'" in error.recovery
    assert "orders" not in error.recovery


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("orders_serch", "orders\x1b[31m_search"),
        ("orders_serch", "orders_search\u202e"),
        ("x" * 127 + "y", "x" * 129),
        ("x" * 129, "x" * 128),
    ],
)
async def test_a_name_that_cannot_be_shown_as_it_is_is_not_proposed(
    action: str, name: str
) -> None:
    """What is shown in its place would be another name, and fit no tool either."""
    error = await _failing(action, tools=[ToolInfo(name=name)])

    assert error.recovery is not None
    assert "did you mean" not in error.recovery


def test_of_a_list_without_end_only_the_beginning_is_compared() -> None:
    """A server may list any number of tools; the event loop waits meanwhile."""
    tools = {
        f"tool_{number}": ToolInfo(name=f"tool_{number}") for number in range(1999)
    }
    tools |= {name: ToolInfo(name=name) for name in ("orders_search", "billing_pay")}
    router = Router(tools, "action")

    assert near_names("orders_serch", router) == ["orders_search"]
    assert near_names("biling_pay", router) == []


@pytest.mark.parametrize(
    ("action", "outcome", "tools"),
    [
        ("orders.search", tool_error("NOT_FOUND", "no such order"), TOOLS),
        ("orders.serch", tool_error("NOT_FOUND", "x", recovery="ask"), TOOLS),
        ("orders.serch", UNKNOWN, []),
    ],
    ids=["a tool that is listed", "the server says what to do", "nothing is listed"],
)
async def test_there_is_no_such_advice_where_the_name_is_not_the_reason(
    action: str, outcome: ScriptedOutcome, tools: list[ToolInfo]
) -> None:
    """The server's own words stand."""
    error = await _failing(action, outcome, tools=tools)

    assert error.recovery in {None, "ask"}
    assert "lists" not in str(error)


async def test_a_batch_says_it_of_each_call() -> None:
    """And without raising."""
    server = ScriptedServer([UNKNOWN, "done"], tools=TOOLS)
    async with MCPFusionClient(server.target) as client:
        batch = await client.execute_batch(
            [("orders.serch", {}), ("orders.search", {})], sequential=True
        )

    ((_, failed),) = batch.failed
    assert failed.error is not None
    assert failed.error.recovery is not None
    assert "'orders.search'" in failed.error.recovery


@pytest.mark.parametrize("client", [MCPFusionClient, SyncMCPFusionClient])
@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("deadline", "client.execute(..., deadline=...)"),
        ("progress", "client.execute(..., progress=...)"),
        ("max_attempts", "RetryPolicy(max_attempts=...)"),
        ("timout", "'timeout'"),
        ("samplng_callback", "'sampling_callback'"),
        ("max_attempt", "RetryPolicy(max_attempts=...)"),
        ("colour", "sampling_callback"),
    ],
)
def test_a_wrong_option_of_a_client_says_where_it_belongs(
    client: type[MCPFusionClient] | type[SyncMCPFusionClient], option: str, said: str
) -> None:
    """On a call, in the policy, or what is spelt alike; else all there are."""
    wrong: dict[str, object] = {option: 1}

    with pytest.raises(TypeError) as caught:
        client("https://example.com/mcp", **wrong)  # type: ignore[arg-type]

    assert repr(option) in str(caught.value)
    assert said in str(caught.value)


def test_the_options_of_the_sdk_are_no_mistakes() -> None:
    """Each is handed through."""
    options: Any = dict.fromkeys(CALLBACKS)

    MCPFusionClient("https://example.com/mcp", **options)
