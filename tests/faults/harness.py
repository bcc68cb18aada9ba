"""One fault, observed from the caller's side: what it came to and what it left.

While the fault happens a sibling call is in flight on the same client; afterwards
the next call is made, the sibling is let go, and the client is left.
"""

import asyncio
import contextlib
import importlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import anyio
import attrs
import sniffio

from mcpfusion_client import (
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
    ToolResult,
    TransientError,
)
from tests.faults.expectations import ANY, EITHER, Expected
from tests.faults.server import FaultServer

Opener: TypeAlias = Callable[[str], AbstractAsyncContextManager[MCPFusionClient]]

GUARD = 60.0
"""Seconds after which a test gives up: only what hangs takes that long."""

LONG = 600.0
"""An attempt timeout that is not what ends a call: the guard comes long before it."""

SHORT = 0.6
"""An attempt timeout that is meant to end the call."""

MARGIN = 20.0
"""Seconds a busy machine may take beyond an attempt timeout to say that it is over."""

_MORE_TRIES = 2

LEAVING = 10.0
"""Seconds that leaving a client may take: a session's end, and its unwinding."""


@attrs.frozen(kw_only=True)
class Observed:
    """What became of one faulty call and of everything around it.

    Attributes:
        error: What it failed with.
        result: What it returned.
        posts: How often the server saw it.
        next_works: The next call over the same client got its result.
        sibling: What became of the call in flight beside it.
        seconds: How long it took.
        leaving: How leaving the client went.
    """

    error: MCPFusionClientError | None
    result: ToolResult | None
    posts: int
    next_works: bool
    sibling: str
    seconds: float
    leaving: str


@asynccontextmanager
async def own(url: str) -> AsyncGenerator[MCPFusionClient]:
    """A client that opened its connection itself, with no retries and no gate."""
    async with MCPFusionClient(
        url, timeout=LONG, retry=RetryPolicy.off(), gate=None
    ) as client:
        yield client


@asynccontextmanager
async def wrapped(url: str) -> AsyncGenerator[MCPFusionClient]:
    """A client around a ``fastmcp.Client`` the caller opened."""
    fastmcp: Any = importlib.import_module("fastmcp")
    theirs = fastmcp.Client(url)
    await theirs.__aenter__()
    try:
        async with MCPFusionClient(
            theirs, timeout=LONG, retry=RetryPolicy.off(), gate=None
        ) as client:
            yield client
    finally:
        # The caller's own client may report its dead session when it is left.
        with contextlib.suppress(Exception):
            await theirs.__aexit__(None, None, None)


def living_tasks() -> int:
    """How many tasks the running event loop has."""
    if sniffio.current_async_library() == "trio":
        trio: Any = importlib.import_module("trio")
        count: int = trio.lowlevel.current_statistics().tasks_living
        return count
    return len(asyncio.all_tasks())


async def settle(before: int) -> int:
    """Let finished tasks go; return how many more there are than *before*."""
    with anyio.move_on_after(MARGIN):
        while living_tasks() > before:  # noqa: ASYNC110 - a task's end has no event
            await anyio.sleep(0.001)
    return living_tasks() - before


async def how_it_went(began: float, before: int) -> str:
    """Say how leaving a client went, which raised nothing.

    Args:
        began: When it began, on the event loop's clock.
        before: How many tasks there were before the client was opened.
    """
    if anyio.current_time() - began > LEAVING + MARGIN:
        return "slow"
    return "clean" if await settle(before) <= 0 else "tasks left over"


async def observe(
    opener: Opener, server: FaultServer, fault: str, row: Expected
) -> Observed:
    """Make *fault* happen to a call and watch.

    Args:
        opener: Opens the client.
        server: Where to.
        fault: The script to play.
        row: What it should come to; decides how long is waited for it.
    """
    error: MCPFusionClientError | None = None
    result: ToolResult | None = None
    following = "never made"
    # A call that is expected to hang need not be waited for.
    patience = LONG if row.next_works else SHORT
    siblings: dict[str, str] = {}
    seconds = 0.0

    async def sibling(client: MCPFusionClient) -> None:
        siblings["hold"] = await fate(client, "hold", "sibling")

    before = living_tasks()
    with anyio.fail_after(GUARD):
        async with opener(server.url) as client:
            await client.call_tool("ok", {"tag": "first"})
            async with anyio.create_task_group() as group:
                group.start_soon(sibling, client)
                await server.until(lambda: server.held == 1)
                began = anyio.current_time()
                try:
                    result = await client.call_tool(
                        "fault", {"fault": fault}, timeout=attempt_timeout(row)
                    )
                except MCPFusionClientError as failure:
                    error = failure
                seconds = anyio.current_time() - began
                following = await fate(client, "ok", "next", patience)
                server.release()
            began = anyio.current_time()
        leaving = await how_it_went(began, before)
        await server.until(lambda: not server.wires)
    return Observed(
        error=error,
        result=result,
        posts=server.ledger.posts["fault"],
        next_works=following == "survives",
        sibling=siblings["hold"],
        seconds=seconds,
        leaving=leaving,
    )


async def observe_sent(
    opener: Opener, server: FaultServer, fault: str, row: Expected
) -> Observed:
    """The same, again if a busy machine did not send the call before its timeout."""
    seen = await observe(opener, server, fault, row)
    for _ in range(_MORE_TRIES):
        if seen.posts or attempt_timeout(row) == LONG:
            break
        seen = await observe(opener, server, fault, row)
    return seen


async def fate(
    client: MCPFusionClient, tool: str, tag: str, patience: float = LONG
) -> str:
    """Call *tool* and say whether its own result came back."""
    try:
        result = await client.call_tool(tool, {"tag": tag}, timeout=patience)
    except MCPFusionClientError:
        return "typed error"
    return "survives" if result.text == tag else "wrong result"


def attempt_timeout(row: Expected) -> float:
    """The attempt timeout a row is tried with."""
    return LONG if row.answered == "at once" else SHORT


def differences(row: Expected, seen: Observed) -> list[str]:
    """Compare; an empty list means that everything is as expected."""
    found = [
        f"{name}: expected {wanted!r}, got {got!r}"
        for name, wanted, got in (
            ("next call works", row.next_works, seen.next_works),
            ("sibling", row.sibling, seen.sibling),
            ("leaving", row.leaving, seen.leaving),
        )
        if wanted not in {EITHER, got}
    ]
    if seen.posts not in row.posts:
        found.append(f"posts: expected {row.posts}, got {seen.posts}")
    if seen.seconds > attempt_timeout(row) + MARGIN:
        found.append(f"took {seen.seconds:g} s, longer than its attempt")
    if not row.categories:
        if seen.error is not None:
            found.append(f"expected a result, got {seen.error.info!r}")
        return found
    if seen.error is None:
        return [*found, f"expected an error, got {seen.result!r}"]
    return found + _differences_of_error(row, seen.error)


def _differences_of_error(row: Expected, error: MCPFusionClientError) -> list[str]:
    info = error.info
    status = info.http.status if info.http is not None else None
    found: list[str] = []
    if info.category not in row.categories:
        found.append(f"category: expected {row.categories}, got {info.category!r}")
    if info.execution not in row.executions:
        found.append(f"execution: expected {row.executions}, got {info.execution!r}")
    if row.code not in (ANY, info.code):
        found.append(f"code: expected {row.code!r}, got {info.code!r}")
    if row.status not in (ANY, status):
        found.append(f"status: expected {row.status!r}, got {status!r}")
    if row.retry_after != info.retry_after:
        found.append(f"retry_after: expected {row.retry_after}, got {info.retry_after}")
    if row.answered == "timeout" and info.code != "TIMEOUT":
        found.append(f"expected the attempt timer, got {info.code!r}")
    if isinstance(error, TransientError) and info.execution is Execution.UNKNOWN:
        found.append("a call that may have run is raised as safe to repeat")
    return [f"{line} ({info!r})" for line in found]
