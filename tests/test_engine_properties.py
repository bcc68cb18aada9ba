"""Promises of the engine that hold for every script of a server."""

import random
from collections.abc import Awaitable, Callable

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client import (
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    ToolInfo,
    TransientError,
    tool_error,
)
from mcpfusion_client.testing import (
    After,
    Hang,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

TOOLS = [
    ToolInfo(name="read", annotations={"readOnlyHint": True}),
    ToolInfo(name="write", annotations={"readOnlyHint": False}),
    ToolInfo(name="plain"),
]
OUTCOMES: list[ScriptedOutcome] = [
    "done",
    tool_error("SERVER_BUSY", "x"),
    tool_error("RATE_LIMITED", "x", retry_after=3),
    tool_error("RATE_LIMITED", "x", retry_after=500),
    tool_error("TIMEOUT", "x"),
    tool_error("INTERNAL_ERROR", "x"),
    tool_error("VALIDATION_ERROR", "x"),
    tool_error("SERVER_BUSY", "x", severity="critical"),
    tool_error("MYSTERY", "x", retry_after=2),
    {"isError": True, "content": [], "structuredContent": {"isRetryable": True}},
    {"isError": True, "content": [], "structuredContent": {"isRetryable": False}},
    ConnectionResetError("x"),
    ConnectionRefusedError("x"),
    Hang(),
    After(4.0, "late"),
    After(4.0, tool_error("SERVER_BUSY", "x")),
]


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run *work* on asyncio; the choice of the loop is no part of these promises."""
    anyio.run(work)


@settings(deadline=None)
@given(
    script=st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=6),
    tool=st.sampled_from(["read", "write", "plain"]),
    deadline=st.none() | st.floats(0.5, 30.0),
    seed=st.integers(0, 9),
)
def test_every_script_keeps_every_promise(
    script: list[ScriptedOutcome], tool: str, deadline: float | None, seed: int
) -> None:
    """Attempts, hints, deadlines, unknown outcomes and `TransientError`."""

    async def work() -> None:
        clock = VirtualClock()
        session = ScriptedSession([*script, *["done"] * 4], tools=TOOLS, clock=clock)
        client = MCPFusionClient(
            session,
            clock=clock,
            timeout=10.0,
            random=random.Random(seed),  # noqa: S311 - it spreads waits
        )
        await check(client, session, clock, tool, deadline)

    run(work)


async def check(
    client: MCPFusionClient,
    session: ScriptedSession,
    clock: VirtualClock,
    tool: str,
    deadline: float | None,
) -> None:
    """Carry out one call and hold it to everything that is promised."""
    raised: MCPFusionClientError | None = None
    try:
        result = await client.call_tool(tool, deadline=deadline)
    except MCPFusionClientError as error:
        raised, attempts = error, error.attempts
    else:
        attempts = result.attempts
    failures = [each.error for each in attempts if each.error is not None]

    assert len(attempts) == len(session.calls) <= RetryPolicy().max_attempts
    if deadline is not None:
        assert clock.monotonic() <= deadline + 1e-6
    for attempt, following in zip(attempts, session.calls[1:], strict=False):
        assert attempt.error is not None
        hint = attempt.error.retry_after or 0.0
        before = session.calls[attempt.number - 1].at + attempt.duration
        assert following.at - before >= hint - 1e-9
    if tool == "write":
        unknown = [f for f in failures[:-1] if f.execution is Execution.UNKNOWN]
        assert not unknown
    if isinstance(raised, TransientError) and tool == "write":
        assert {f.execution for f in failures} <= {Execution.NOT_EXECUTED}
    assert (raised is None) == (not failures or len(failures) < len(attempts))
