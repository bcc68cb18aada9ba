"""What an attempt failed with that its timer has ended: which limit was it?"""

import math

import pytest

from mcpfusion_client import (
    AttemptTimeoutError,
    MCPFusionClient,
    RetryPolicy,
    ToolInfo,
)
from mcpfusion_client.sessions.attempt_timer import AttemptTimer
from mcpfusion_client.testing import (
    After,
    Hang,
    Progress,
    ScriptedSession,
    VirtualClock,
)

READ = ToolInfo(name="read", annotations={"readOnlyHint": True})


@pytest.mark.parametrize(
    ("own", "deadline", "option", "seconds"),
    [
        (5.0, math.inf, "`timeout=`", "5 s"),
        (5.0, 8.0, "`timeout=`", "5 s"),
        (math.inf, 8.0, "`deadline=`", "8 s"),
        (60.0, 8.0, "`deadline=`", "8 s"),
        (8.0, 8.0, "`deadline=`", "8 s"),
    ],
)
async def test_a_timer_names_the_limit_that_ended_the_attempt(
    own: float, deadline: float, option: str, seconds: str
) -> None:
    """More `timeout` would not help a call that its deadline has ended."""
    clock = VirtualClock()
    policy = RetryPolicy.off()
    session = ScriptedSession([Hang()], tools=[READ], clock=clock)
    client = MCPFusionClient(session, clock=clock, retry=policy, timeout=own)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client.call_tool("read", deadline=deadline)

    assert option in caught.value.message
    assert seconds in caught.value.message
    assert clock.monotonic() == min(own, deadline)


async def test_an_attempt_that_progress_kept_alive_ends_at_the_deadline() -> None:
    """Its own timeout was extended for as long as it could be."""
    clock = VirtualClock()
    slow = After(4.0, Progress(0.5, Hang()))
    session = ScriptedSession([slow], tools=[READ], clock=clock)
    client = MCPFusionClient(session, clock=clock, retry=RetryPolicy.off(), timeout=5.0)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client.call_tool("read", deadline=8.0)

    assert "`deadline=`" in caught.value.message
    assert clock.monotonic() == 8.0


async def test_a_timer_that_is_waiting_for_a_person_ends_at_the_deadline() -> None:
    """The pause lifts the timeout and keeps the limit."""
    clock = VirtualClock()
    attempt = AttemptTimer(clock, 5.0, 8.0)

    with clock.timeout(5.0) as timer:
        attempt.started(timer)
        attempt.pause()
        await clock.sleep(math.inf)

    assert "`deadline=`" in attempt.failure(sent=True).message


async def test_a_shortened_attempt_was_not_ended_by_the_deadline() -> None:
    """A dying session shortens it, long before the deadline."""
    clock = VirtualClock()
    attempt = AttemptTimer(clock, 5.0, 8.0)

    with clock.timeout(5.0) as timer:
        attempt.started(timer)
        attempt.shorten(1.0)
        await clock.sleep(math.inf)

    assert "`timeout=`" in attempt.failure(sent=True).message


class Silent:
    """A session that never answers what tools it has."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Hang."""
        await self.clock.sleep(math.inf)
        return ()

    async def call_tool(self, name: str, arguments: object) -> dict[str, object]:
        """Never asked."""
        raise NotImplementedError(name, arguments)


async def test_a_tool_list_that_does_not_come_names_its_own_option() -> None:
    """No timeout of a call limits it."""
    clock = VirtualClock()
    client = MCPFusionClient(Silent(clock), clock=clock, connect_timeout=3.0)

    with pytest.raises(AttemptTimeoutError) as caught:
        await client.list_tools()

    assert "`connect_timeout=`" in caught.value.message
