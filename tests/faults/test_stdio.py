"""A server process that exits, is killed, prints garbage or closes its pipe."""

import io
import json
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, redirect_stderr
from pathlib import Path
from typing import Any

import anyio
import attrs
import pytest

from mcpfusion_client import (
    ErrorCategory,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
)
from tests.faults.expectations import FINE, LOST, MAYBE, TIMEOUT, Expected
from tests.faults.harness import (
    GUARD,
    LONG,
    Observed,
    attempt_timeout,
    differences,
    fate,
    how_it_went,
    living_tasks,
    settle,
)
from tests.faults.sdk import ALL_BACKENDS

SCRIPT = Path(__file__).with_name("stdio_server.py")

_ODD = Expected(
    categories=(ErrorCategory.PROTOCOL, ErrorCategory.TRANSIENT),
    executions=(MAYBE,),
    answered="by timeout",
)
_GONE = attrs.evolve(LOST, sibling="typed error")

ROWS: dict[str, Expected] = {
    "fine": FINE,
    "large": FINE,
    "noisy_stderr": FINE,
    "garbage_then_answer": FINE,
    "exit": _GONE,
    "kill": _GONE,
    "half_line_exit": _GONE,
    "close_stdout": _GONE,
    "silence": TIMEOUT,
    "garbage": TIMEOUT,
    "wrong_id": attrs.evolve(_ODD),
    # The SDK cannot read the reply, but it is one: the tool ran.
    "surrogate": attrs.evolve(_ODD, executions=(MAYBE, Execution.EXECUTED)),
}


@pytest.fixture(params=ALL_BACKENDS)
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Over stdio every event loop works on both SDK generations."""
    backend: str = request.param
    return backend


@attrs.frozen
class Process:
    """A server process as its ledger tells it."""

    ledger: Path

    @property
    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-S", "-E", str(SCRIPT), str(self.ledger)]

    def lines(self) -> list[dict[str, Any]]:
        """Every start and every call so far."""
        if not self.ledger.exists():
            return []
        text = self.ledger.read_text()
        return [json.loads(line) for line in text.splitlines()]

    def pids(self) -> list[int]:
        """The process ids of every start."""
        return [line["started"] for line in self.lines() if "started" in line]

    def calls(self, tool: str) -> int:
        """How many calls of *tool* arrived."""
        return sum(line.get("tool") == tool for line in self.lines())

    async def until(self, fact: Callable[[], bool]) -> None:
        """Wait until the ledger says so."""
        with anyio.fail_after(GUARD):
            while not fact():  # noqa: ASYNC110 - a file has no event
                await anyio.sleep(0.005)


@asynccontextmanager
async def _client(process: Process) -> AsyncGenerator[MCPFusionClient]:
    async with MCPFusionClient(
        process.command, timeout=LONG, retry=RetryPolicy.off(), gate=None
    ) as client:
        yield client


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def observe(process: Process, fault: str, row: Expected) -> Observed:
    """Make *fault* happen to a call of *process* and watch."""
    siblings: list[str] = []
    error: MCPFusionClientError | None = None
    next_works, seconds = False, 0.0

    async def sibling() -> None:
        siblings.append(await fate(client, "hold", "sibling"))

    before = living_tasks()
    with anyio.fail_after(GUARD):
        async with _client(process) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(sibling)
                await process.until(lambda: process.calls("hold") == 1)
                began = anyio.current_time()
                try:
                    await client.call_tool(
                        "fault", {"fault": fault}, timeout=attempt_timeout(row)
                    )
                except MCPFusionClientError as failure:
                    error = failure
                seconds = anyio.current_time() - began
                next_works = await fate(client, "release", "next") == "survives"
            began = anyio.current_time()
        leaving = await how_it_went(began, before)
    return Observed(
        error=error,
        result=None,
        posts=process.calls("fault"),
        next_works=next_works,
        sibling=siblings[0],
        seconds=seconds,
        leaving=leaving,
    )


@pytest.mark.parametrize("fault", ROWS)
async def test_a_fault_of_the_process_comes_to_what_the_table_says(
    fault: str, tmp_path: Path
) -> None:
    """A typed error, a new process for the next call, and none left behind."""
    process, row = Process(tmp_path / "ledger"), ROWS[fault]

    seen = await observe(process, fault, row)

    assert differences(row, seen) == []
    assert len(process.pids()) == (2 if row.sibling == "typed error" else 1)
    assert [pid for pid in process.pids() if _is_running(pid)] == []


async def test_bytes_that_are_no_utf8_do_not_deafen_the_client(tmp_path: Path) -> None:
    """The SDKs' readers die of such a byte; the call and the next one must not."""
    process = Process(tmp_path / "ledger")

    seen = await observe(process, "bad_utf8", _ODD)

    assert seen.error is None or seen.error.execution is Execution.UNKNOWN
    assert seen.next_works
    assert seen.sibling in {"survives", "typed error"}


async def test_a_server_that_stops_reading_is_replaced(tmp_path: Path) -> None:
    """Its closed input is noticed, and a harmless call gets through in the end."""
    process = Process(tmp_path / "ledger")
    with anyio.fail_after(GUARD):
        async with MCPFusionClient(process.command, timeout=2.0) as client:
            with pytest.raises(MCPFusionClientError):
                await client.call_tool("fault", {"fault": "close_stdin"})
            result = await client.call_tool("ok", {"tag": "next"}, idempotent=True)

    assert result.text == "next"
    assert [pid for pid in process.pids() if _is_running(pid)] == []


async def test_leaving_takes_bounded_time_when_the_process_will_not_die(
    tmp_path: Path,
) -> None:
    """A process that ignores the end of its input and SIGTERM is killed."""
    process = Process(tmp_path / "ledger")
    with anyio.fail_after(GUARD):
        async with _client(process) as client:
            await client.call_tool("fault", {"fault": "stubborn"})

    assert [pid for pid in process.pids() if _is_running(pid)] == []


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.05])
async def test_a_start_that_is_cancelled_leaves_nothing_behind(
    tmp_path: Path, seconds: float
) -> None:
    """Asyncio waits for ever for a process whose start it lets be interrupted."""
    process, before = Process(tmp_path / "ledger"), living_tasks()
    with anyio.fail_after(GUARD), anyio.move_on_after(seconds):
        async with _client(process):
            await anyio.sleep_forever()

    assert await settle(before) <= 0
    assert [pid for pid in process.pids() if _is_running(pid)] == []


async def test_standard_error_goes_where_it_goes_when_the_process_starts(
    tmp_path: Path,
) -> None:
    """The SDKs' default is what ``sys.stderr`` was when they were imported."""
    process, log = Process(tmp_path / "ledger"), tmp_path / "log"
    with log.open("w") as file, redirect_stderr(file), anyio.fail_after(GUARD):
        async with _client(process) as client:
            await client.call_tool("fault", {"fault": "noisy_stderr"})

    assert log.read_bytes() == b"x" * 65536


async def test_standard_error_without_a_file_is_no_reason_not_to_start(
    tmp_path: Path,
) -> None:
    """As in a notebook."""
    process = Process(tmp_path / "ledger")
    with redirect_stderr(io.StringIO()), anyio.fail_after(GUARD):
        async with _client(process) as client:
            assert await fate(client, "ok", "only") == "survives"


async def test_many_callers_start_one_new_process(tmp_path: Path) -> None:
    """After a death the first calls reopen the session once, together."""
    process, fates = Process(tmp_path / "ledger"), list[str]()
    with anyio.fail_after(GUARD):
        async with _client(process) as client:
            with pytest.raises(MCPFusionClientError):
                await client.call_tool("fault", {"fault": "kill"})

            async def call(number: int) -> None:
                fates.append(await fate(client, "ok", f"call {number}"))

            async with anyio.create_task_group() as group:
                for number in range(30):
                    group.start_soon(call, number)

    assert fates == ["survives"] * 30
    assert len(process.pids()) == 2


async def test_a_command_that_does_not_exist_was_never_sent_to() -> None:
    """Opening fails with a typed error that says so."""
    client = MCPFusionClient(["/no/such/command-of-this-test"])

    with anyio.fail_after(GUARD), pytest.raises(MCPFusionClientError) as caught:
        async with client:
            pass

    assert caught.value.code == "CONNECT_FAILED"
    assert caught.value.execution is Execution.NOT_EXECUTED
