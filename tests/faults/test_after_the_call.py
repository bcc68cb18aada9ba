"""What fails after the tool has run must not make it look as if it had not."""

from collections.abc import Sequence

import anyio
import pytest

from mcpfusion_client import (
    Effects,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    ToolResult,
)
from mcpfusion_client.model import JsonValue
from tests.faults.harness import GUARD, LONG, fate
from tests.faults.scripts import SCRIPTS, Step
from tests.faults.sdk import ERAS
from tests.faults.server import TOOLS, FaultServer

pytestmark = pytest.mark.parametrize("era", ERAS)

LIST_FAULTS = (
    "429_hint",
    "status_500",
    "status_401",
    "reset_before_headers",
    "garbage_json",
    "202",
    "rpc_internal",
)


QUICK = RetryPolicy(base_delay=0.001, max_delay=0.001)


async def _outcome(
    client: MCPFusionClient, tool: str, tag: str, **arguments: object
) -> ToolResult | MCPFusionClientError:
    try:
        return await client.call_tool(tool, {"tag": tag, **arguments})
    except MCPFusionClientError as error:
        return error


def _tells_the_truth(outcome: ToolResult | MCPFusionClientError) -> bool:
    if isinstance(outcome, ToolResult):
        return outcome.text == "applied"
    return outcome.execution is Execution.EXECUTED and outcome.raw is not None


@pytest.mark.parametrize("fault", LIST_FAULTS)
async def test_a_tool_list_that_fails_after_a_call_does_not_hide_that_it_ran(
    era: str, fault: str
) -> None:
    """The SDKs list the tools after a call to check its output."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.after_call["tools/list"] = SCRIPTS[fault]
        async with MCPFusionClient(server.url, timeout=LONG, gate=None) as client:
            outcome = await _outcome(client, "write", "applied")
            again = await fate(client, "ok", "next")

    assert _tells_the_truth(outcome)
    assert server.ledger.runs["applied"] == 1
    assert again == "survives"


@pytest.mark.parametrize("fault", [*LIST_FAULTS, "silence"])
async def test_a_tool_list_that_always_fails_does_not_stop_calls(
    era: str, fault: str
) -> None:
    """Calls go on as unannotated, and each of them runs once."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.overrides["tools/list"] = SCRIPTS[fault]
        patience = 2.0 if fault == "silence" else LONG
        async with MCPFusionClient(
            server.url, timeout=LONG, connect_timeout=patience, gate=None
        ) as client:
            outcome = await _outcome(client, "write", "applied")
            again = await _outcome(client, "write", "applied")

    assert _tells_the_truth(outcome)
    assert _tells_the_truth(again)
    assert server.ledger.runs["applied"] == 2


async def test_a_tool_list_that_hangs_after_a_call_does_not_hold_its_result(
    era: str,
) -> None:
    """The result is there; nothing may wait for a list nobody asked for."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.after_call["tools/list"] = SCRIPTS["silence"]
        async with MCPFusionClient(server.url, timeout=LONG, gate=None) as client:
            outcome = await _outcome(client, "write", "applied")

    assert _tells_the_truth(outcome)
    assert server.ledger.runs["applied"] == 1


@pytest.mark.parametrize("answer", [{"number": "not a number"}, {}, None, 7])
async def test_output_that_breaks_its_schema_is_reported_as_executed(
    era: str, answer: object
) -> None:
    """The tool ran; the result is on the error, and the call is not repeated."""
    tools = (*TOOLS, "shaped")
    effects = {"shaped": Effects(read_only=True)}
    with FaultServer(era, tools=tools) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(
            server.url, timeout=LONG, gate=None, effects=effects, retry=QUICK
        ) as client:
            outcome = await _outcome(client, "shaped", "applied", answer=answer)

    assert isinstance(outcome, MCPFusionClientError)
    assert outcome.execution is Execution.EXECUTED
    assert outcome.raw is not None
    assert outcome.raw["content"][0]["text"] == "applied"
    assert server.ledger.runs["applied"] == 1


async def test_output_that_fits_its_schema_is_a_result(era: str) -> None:
    """The check has a passing case."""
    with FaultServer(era, tools=(*TOOLS, "shaped")) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG) as client:
            outcome = await _outcome(client, "shaped", "fits", answer={"number": 7})

    assert isinstance(outcome, ToolResult)
    assert outcome.data == {"number": 7}


async def test_a_header_mismatch_is_resent_at_most_once(era: str) -> None:
    """The resend is the SDK's own; the server sees the call no more than twice."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(server.url, timeout=LONG) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("fault", {"fault": "header_mismatch"})

    assert caught.value.execution is Execution.NOT_EXECUTED
    assert server.ledger.posts["fault"] in ((1, 2) if era == "modern" else (1,))


async def test_a_call_that_may_have_run_once_is_never_reported_as_not_run(
    era: str,
) -> None:
    """The first attempt may have run; that the second did not changes nothing."""
    names = iter(("reset_in_body", "status_429", "status_429", "status_429"))

    def one_after_the_other(request_id: JsonValue) -> Sequence[Step]:
        return SCRIPTS[next(names)](request_id)

    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.overrides["tools/call"] = one_after_the_other
        async with MCPFusionClient(
            server.url, timeout=LONG, gate=None, retry=QUICK
        ) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("read", {"tag": "twice"}, idempotent=True)

    assert len(caught.value.attempts) == 4
    assert caught.value.execution is not Execution.NOT_EXECUTED
