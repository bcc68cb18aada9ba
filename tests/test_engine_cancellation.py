"""Cancellation at every await of a call, one after the other."""

import random
import types
from collections.abc import Callable, Coroutine, Generator, Sequence
from functools import partial
from typing import Any, Final

import anyio
import pytest

from mcpfusion_client import (
    Attempt,
    MCPFusionClient,
    MCPFusionClientError,
    Middleware,
    RateLimitGate,
    RetryBudget,
    RetryPolicy,
    Rule,
    ToolCall,
    ToolInfo,
    ToolResult,
    block_when,
    nesting,
    tool_error,
)
from mcpfusion_client.middleware import Next
from mcpfusion_client.testing import (
    After,
    Hang,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

CAPACITY: Final = 10.0
BUSY = tool_error("SERVER_BUSY", "come back later")
LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=7)
TOOLS = [
    ToolInfo(name="read", annotations={"readOnlyHint": True}),
    ToolInfo(name="other", annotations={"readOnlyHint": True}),
]


class World:
    """A client, its server, and all the state that calls share."""

    def __init__(
        self,
        outcomes: Sequence[ScriptedOutcome],
        *,
        middleware: Sequence[Middleware] = (),
        rules: Sequence[Rule] = (),
    ) -> None:
        self.clock = VirtualClock()
        self.session = ScriptedSession(outcomes, tools=TOOLS, clock=self.clock)
        self.gate = RateLimitGate()
        self.budget = RetryBudget(capacity=CAPACITY, refund=0.0)
        self.futile = 0
        self.held = 0
        self.client = MCPFusionClient(
            self.session,
            clock=self.clock,
            gate=self.gate,
            budget=self.budget,
            retry=RetryPolicy(jitter="none"),
            timeout=10.0,
            observers=[self],
            random=random.Random(7),  # noqa: S311 - it spreads waits
            middleware=middleware,
            rules=rules,
        )

    def on_attempt(self, call: ToolCall, attempt: Attempt) -> None:
        """Count the retries that were paid for in vain."""
        self.futile += attempt.number > 1 and attempt.error is not None

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:
        """Count the calls that were held back."""
        self.held += 1

    async def check(self) -> None:
        """Nothing is held any more, and the next call goes through."""
        assert CAPACITY - self.budget.left("scripted") == self.futile
        for server in self.gate._servers.values():
            for lane in server.lanes.values():
                assert lane.window.in_flight == 0
                assert not lane.waiting
                assert lane.next is None
        assert not self.clock._pending()
        assert nesting.given_up_here.get() is None
        after = ScriptedSession(["after"], clock=self.clock)
        client = MCPFusionClient(
            after, clock=self.clock, gate=self.gate, budget=self.budget
        )
        assert (await client.call_tool("read")).text == "after"


async def once(world: World) -> None:
    """One call."""
    await world.client.call_tool("read", {"id": 1})


async def routed(world: World) -> None:
    """One call of an action that is not listed."""
    await world.client.call_tool("read")
    await world.client.execute("nobody.knows")


async def held(world: World) -> None:
    """A call that waits at the gate."""
    await world.client.call_tool("read", retry=False, raise_on_error=False)
    await world.client.call_tool("read")


async def batch(world: World) -> None:
    """Two calls side by side."""
    await world.client.execute_batch([("read", {}), ("other", {})])


async def layer(call: ToolCall, call_next: Next) -> ToolResult:
    """Middleware that does nothing."""
    return await call_next(call)


def plain() -> World:
    """A call that succeeds."""
    return World(["done", "done"])


def retried() -> World:
    """A call that is refused twice and then slow."""
    return World([LIMITED, BUSY, After(1.0, "done")])


def timed_out() -> World:
    """A call that hangs once."""
    return World([Hang(), "done"])


def failing() -> World:
    """A call that is given up on."""
    return World([BUSY] * 4)


def wrapped() -> World:
    """A call through middleware and rules."""
    return World(
        [BUSY, After(1.0, "done")], middleware=[layer], rules=[block_when("x")]
    )


def two() -> World:
    """Two calls, of which one is held back by what the other is told."""
    return World([LIMITED, After(1.0, BUSY), "done", "done", "done"])


STORIES: Sequence[
    tuple[Callable[[], World], Callable[[World], Coroutine[Any, Any, None]]]
] = [
    (plain, once),
    (plain, batch),
    (retried, once),
    (retried, held),
    (timed_out, once),
    (failing, once),
    (wrapped, once),
    (two, batch),
    (two, held),
    (two, routed),
]


@types.coroutine
def stepped(
    work: Coroutine[Any, Any, None], at: int, cancel: Callable[[], object]
) -> Generator[Any, Any, int]:
    """Run *work*, and call *cancel* when it awaits for the *at*-th time.

    Returns:
        How often it awaited.
    """
    steps = 0
    resume: Callable[[], object] = partial(work.send, None)
    while True:
        try:
            waiting = resume()
        except StopIteration:
            return steps
        steps += 1
        if steps == at:
            cancel()
        try:
            resume = partial(work.send, (yield waiting))
        except BaseException as thrown:  # noqa: BLE001 - cancellation passes on
            resume = partial(work.throw, thrown)


async def tolerant(work: Coroutine[Any, Any, None]) -> None:
    """Carry out *work*; that calls fail is part of some stories."""
    try:
        await work
    except MCPFusionClientError:
        return


async def agent(world: World, number: int) -> None:
    """Make calls, one after the other, whatever becomes of them."""
    for turn in range(6):
        await world.clock.sleep(0.37 * (number + 1) % 2)
        await world.client.call_tool(
            "read", {"turn": turn}, deadline=40.0, raise_on_error=False
        )


def overloaded() -> World:
    """A server that refuses everything for twenty seconds."""

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        return BUSY if call.at < 20.0 else "done"

    return World([answer] * 2000)


async def crowd(world: World, at: int) -> tuple[int, bool]:
    """Let eight agents call at once; the last is cancelled at its *at*-th await.

    Returns:
        How often the last agent awaited, and whether its cancellation was caught.
    """
    taken, scope = 0, anyio.CancelScope()
    async with anyio.create_task_group() as tasks:
        for number in range(7):
            tasks.start_soon(agent, world, number)
        with scope:
            taken = await stepped(agent(world, 7), at, scope.cancel)
    return taken, scope.cancelled_caught


async def test_cancelling_one_of_many_held_calls_keeps_the_others_going() -> None:
    """Whoever waits its turn behind a cancelled call must not wait for ever."""
    first = overloaded()
    steps, _ = await crowd(first, 0)
    await first.check()
    assert first.held

    for at in range(1, steps + 1):
        now = overloaded()
        taken, caught = await crowd(now, at)
        # The order of the agents is up to trio, so a run may have fewer awaits.
        assert caught or taken < at, f"at {at} of {steps}"
        await now.check()
        assert now.clock.monotonic() < 200.0


@pytest.mark.parametrize(("world", "story"), STORIES)
async def test_cancellation_at_every_await_leaves_nothing_behind(
    world: Callable[[], World],
    story: Callable[[World], Coroutine[Any, Any, None]],
) -> None:
    """It passes through at once, and gate, window, budget and clock are clean."""
    first = world()
    steps = await stepped(tolerant(story(first)), 0, lambda: None)
    await first.check()
    assert steps > 0

    for at in range(1, steps + 1):
        now, taken = world(), 0
        with anyio.CancelScope() as scope:
            taken = await stepped(tolerant(story(now)), at, scope.cancel)
        # Only a last await that no cancellation reaches may bring it to its end.
        assert scope.cancelled_caught or taken == at, f"at {at} of {steps}"
        await now.check()
