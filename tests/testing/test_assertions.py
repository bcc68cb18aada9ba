"""Assertions on attempts, the recorder, and the fixtures for pytest."""

import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from mcpfusion_client import (
    ErrorCategory,
    MCPFusionClient,
    MCPFusionClientError,
    RateLimitedError,
    RetryPolicy,
    StopReason,
    ToolInfo,
    ToolResult,
    tool_error,
)
from mcpfusion_client.testing import (
    CallRecorder,
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
    assert_attempts,
)

BUSY = tool_error("SERVER_BUSY", "full")
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=7)


def client(*outcomes: ScriptedOutcome, recorder: CallRecorder) -> MCPFusionClient:
    """Return a client whose server plays *outcomes*."""
    return MCPFusionClient(
        ScriptedSession(outcomes, tools=[ToolInfo(name="t"), ToolInfo(name="u")]),
        clock=VirtualClock(),
        retry=RetryPolicy(jitter="none", max_attempts=3),
        observers=[recorder],
    )


def never(scope: anyio.CancelScope) -> ScriptedOutcome:
    """Return an outcome that never comes: whoever waits for it is cancelled."""

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        scope.cancel()
        return Hang()

    return answer


async def story() -> ToolResult:
    """Return a call that was limited, found the server busy, and worked."""
    calls = client(LIMITED, BUSY, "done", recorder=CallRecorder())
    return await calls.call_tool("t")


async def test_attempts_waits_and_end_can_be_stated() -> None:
    """Codes or categories; seconds, or the least and the most."""
    result = await story()

    assert_attempts(result, "RATE_LIMITED", "SERVER_BUSY", None)
    assert_attempts(
        result,
        ErrorCategory.RATE_LIMITED,
        ErrorCategory.TRANSIENT,
        None,
        waits=[7.0, (0.5, 1.5)],
        stop=StopReason.RETRIED,
    )


async def test_what_went_otherwise_is_shown_attempt_by_attempt() -> None:
    """Everything that is wrong at once, and the whole story under it."""
    result = await story()

    with pytest.raises(AssertionError) as caught:
        assert_attempts(
            result, "RATE_LIMITED", None, waits=[1.0], stop=StopReason.FIRST_TRY
        )

    assert str(caught.value).splitlines() == [
        "expected attempts [RATE_LIMITED, ok], got [RATE_LIMITED, SERVER_BUSY, ok]",
        "expected waits of [1.0] s, got [7.0, 1.0]",
        "expected to stop for first_try, got retried",
        "  1. RATE_LIMITED (rate_limited) too many, then waited 7.000 s [rejected]",
        "  2. SERVER_BUSY (transient) full, then waited 1.000 s [rejected]",
        "  3. ok [retried]",
        "  stopped: retried",
    ]


@pytest.mark.parametrize(
    "expected",
    [
        ("RATE_LIMITED", "SERVER_BUSY", "OTHER"),
        ("RATE_LIMITED", None, None),
        ("RATE_LIMITED", ErrorCategory.RATE_LIMITED, None),
        (),
    ],
)
async def test_no_wrong_story_passes(expected: tuple[str | None, ...]) -> None:
    """Neither another code nor another category, number or order."""
    result = await story()

    with pytest.raises(AssertionError):
        assert_attempts(result, *expected)


@pytest.mark.parametrize("waits", [[7.0], [7.0, 1.1], [(7.5, 9.0), 1.0], []])
async def test_no_wrong_wait_passes(waits: list[float | tuple[float, float]]) -> None:
    """Each wait has its place."""
    result = await story()

    with pytest.raises(AssertionError):
        assert_attempts(result, "RATE_LIMITED", "SERVER_BUSY", None, waits=waits)


async def test_an_error_has_a_story_too() -> None:
    """What the caller caught says all of it."""
    calls = client(LIMITED, recorder=CallRecorder())

    with pytest.raises(RateLimitedError) as caught:
        await calls.call_tool("t", retry=False)

    assert_attempts(caught.value, "RATE_LIMITED", stop=StopReason.RETRY_DISABLED)


async def test_a_recorder_keeps_calls_whose_results_nobody_sees() -> None:
    """By tool, with their attempts, errors and holds."""
    recorder = CallRecorder()
    calls = client(BUSY, "done", LIMITED, "held", recorder=recorder)
    await calls.call_tool("t", {"n": 1})
    with pytest.raises(MCPFusionClientError):
        await calls.call_tool("u", retry=False)
    await calls.call_tool("u")

    assert_attempts(recorder.only("t"), "SERVER_BUSY", None, waits=[0.5])
    assert recorder.only("t").arguments == {"n": 1}
    failed, held = recorder.of("u")
    assert failed.error is not None
    assert (failed.error.code, failed.holds) == ("RATE_LIMITED", 0)
    assert (held.error, held.holds) == (None, 1)
    assert [call.tool for call in recorder.calls] == ["t", "u", "u"]
    for wrong in ("u", "v", None):
        with pytest.raises(AssertionError):
            recorder.only(wrong)


async def test_a_recorder_keeps_what_cut_a_call_short_and_what_was_advised() -> None:
    """A cancelled call has no end of its own."""
    recorder = CallRecorder()
    warning = tool_error("DEPRECATED", "old", severity="warning")
    scope = anyio.CancelScope()
    calls = client(warning, never(scope), recorder=recorder)
    await calls.call_tool("t")
    with scope:
        await calls.call_tool("u", timeout=float("inf"))

    assert [each.code for each in recorder.only("t").warnings] == ["DEPRECATED"]
    assert recorder.only("u").aborted is not None
    assert recorder.only("u").stop_reason is None


TESTS = """
import pytest
from mcpfusion_client import MCPFusionClient, SyncMCPFusionClient
from mcpfusion_client.testing import assert_attempts, CallRecorder, VirtualClock

@pytest.mark.parametrize("all_played", [True, False])
def test_played(mcpfusion_server, mcpfusion_recorder, mcpfusion_clock, all_played):
    server = mcpfusion_server("busy.json", clock=mcpfusion_clock)
    with SyncMCPFusionClient(
        server.target, clock=mcpfusion_clock, observers=[mcpfusion_recorder]
    ) as client:
        client.call_tool("read")
    assert_attempts(mcpfusion_recorder.only(), "SERVER_BUSY", None)
    assert mcpfusion_clock.sleeps

def test_without_waiting(mcpfusion_server, mcpfusion_no_waiting):
    server = mcpfusion_server("slow.json")
    with SyncMCPFusionClient(server.target) as client:
        assert client.call_tool("read").text == "done"

def test_of_a_list(mcpfusion_server):
    server = mcpfusion_server(["done"])
    with SyncMCPFusionClient(server.target) as client:
        assert client.call_tool("read").text == "done"

def test_of_a_list_not_played(mcpfusion_server):
    mcpfusion_server(["done"])

def test_of_something_else(mcpfusion_server):
    with pytest.raises(TypeError, match="list of outcomes, not dict"):
        mcpfusion_server({"tool_error": {}})

def test_not_played(mcpfusion_server):
    mcpfusion_server("busy.json")

def test_need_not_be_played(mcpfusion_server):
    mcpfusion_server("busy.json", all_played=False)

def test_swallowed(mcpfusion_server):
    server = mcpfusion_server("busy.json", all_played=False)
    with SyncMCPFusionClient(server.target) as client:
        client.call_tool("other", raise_on_error=False)
"""


def test_the_fixtures_work_in_a_program_of_its_own(tmp_path: Path) -> None:
    """Scripts lie beside the tests; what was played wrongly fails the test."""
    busy = {
        "tools": [{"name": "read", "annotations": {"readOnlyHint": True}}],
        "steps": [
            {"tool": "read", "tool_error": {"code": "SERVER_BUSY", "message": "full"}},
            {"tool": "read", "text": "done"},
        ],
    }
    limited = {"code": "RATE_LIMITED", "message": "later", "retry_after": 25}
    slow = busy | {"steps": [{"tool_error": limited}, {"text": "done"}]}
    (tmp_path / "busy.json").write_text(json.dumps(busy), "utf-8")
    (tmp_path / "slow.json").write_text(json.dumps(slow), "utf-8")
    (tmp_path / "test_agent.py").write_text(TESTS, "utf-8")
    (tmp_path / "conftest.py").write_text(
        'pytest_plugins = ["mcpfusion_client.testing.fixtures"]\n', "utf-8"
    )

    done = subprocess.run(  # noqa: S603 - our own interpreter and program
        [
            *(sys.executable, "-m", "pytest", "-q", "-rA", "--tb=line"),
            *("-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull),
            *("--rootdir", str(tmp_path), str(tmp_path)),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    summary = [
        f"{line.split()[0]} {line.split(' - ')[0].rpartition('::')[2]}"
        for line in done.stdout.splitlines()
        if line.startswith(("PASSED ", "FAILED ", "ERROR "))
    ]
    failures = sorted(line for line in summary if line.startswith(("FAILED", "ERROR")))
    assert failures == [
        "ERROR test_not_played",
        "ERROR test_of_a_list_not_played",
        "ERROR test_swallowed",
    ], done.stdout
    assert "PASSED test_of_a_list" in summary
    assert "PASSED test_of_something_else" in summary
    assert "PASSED test_without_waiting" in summary
    assert "PASSED test_played[True]" in summary


def test_importing_the_fixtures_loads_no_sdk() -> None:
    """A test run that needs no server does not pay for one."""
    program = (
        "import sys, mcpfusion_client.testing.fixtures; "
        "print([name for name in ('mcp', 'httpx', 'httpx2', 'pydantic', 'trio', "
        "'opentelemetry', 'fastmcp') if name in sys.modules])"
    )

    done = subprocess.run(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"
