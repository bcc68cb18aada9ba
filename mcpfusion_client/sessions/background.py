"""Start a task that belongs to no caller, on asyncio and on trio."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

_RUNNING: set[asyncio.Task[None]] = set()


def in_trio() -> bool:
    """Is the running task a trio task?"""
    trio = sys.modules.get("trio")
    return trio is not None and bool(trio.lowlevel.in_trio_run())


def spawn(body: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run *body* in a task of its own; it must not raise.

    On asyncio it is a task of the loop, on trio a system task: both outlive the
    task that started them, and both end with the loop.
    """
    if in_trio():
        start: Callable[[Callable[[], Awaitable[None]]], object]
        start = sys.modules["trio"].lowlevel.spawn_system_task
        start(body)
        return
    task = asyncio.get_running_loop().create_task(body())
    _RUNNING.add(task)
    task.add_done_callback(_RUNNING.discard)
