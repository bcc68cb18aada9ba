"""A server in a process of its own: it dies, it is opened again, once."""

import os
import signal
import sys
import time
from pathlib import Path

import anyio
import pytest

from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import Execution, Origin
from mcpfusion_client.sessions import (
    Connection,
    ConnectOptions,
    Outcome,
    Request,
    SessionEvent,
    SessionEventKind,
    connect,
)

SERVER = str(Path(__file__).parent / "stdio_server.py")


def call(tool: str, timeout: float = 20.0, **arguments: object) -> Request:
    """Return one request."""
    return Request(tool=tool, arguments=arguments, timeout=timeout)


class Process:
    """A command, and what is known of its starts."""

    def __init__(self, folder: Path) -> None:
        self.starts = folder / "starts"
        self.events: list[SessionEvent] = []
        self.connection: Connection = connect(
            [sys.executable, SERVER, str(self.starts)],
            ConnectOptions(listener=self.events.append),
        )

    def pids(self) -> list[int]:
        """Return the process of each start."""
        return [int(line) for line in self.starts.read_text().split()]

    def kinds(self) -> list[SessionEventKind]:
        """Return what the connection reported."""
        return [event.kind for event in self.events]


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """A server that is not started yet."""
    return Process(tmp_path)


async def test_a_process_that_ends_under_a_call_is_a_lost_connection(
    process: Process,
) -> None:
    """Whether the tool ran nobody knows; the next call starts another process."""
    outcome = await process.connection.call_tool(call("die"))
    after = await process.connection.call_tool(call("echo", text="again"))
    await process.connection.close()

    info = outcome.failure
    assert info is not None
    assert info.code == "CONNECTION_LOST"
    assert info.execution is Execution.UNKNOWN
    assert info.origin is Origin.TRANSPORT
    assert not outcome.answered
    assert after.raw is not None
    assert len(process.pids()) == 2


async def test_every_call_in_flight_ends_when_the_process_is_killed(
    process: Process,
) -> None:
    """Each with its own typed failure, and none with a cancellation."""
    outcomes: list[Outcome] = []

    async def wait() -> None:
        outcomes.append(await process.connection.call_tool(call("slow", seconds=30)))

    await process.connection.open()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(wait)
            await process.connection.call_tool(call("echo"))
            os.kill(process.pids()[-1], signal.SIGKILL)
    await process.connection.close()

    codes = [outcome.failure and outcome.failure.code for outcome in outcomes]
    assert codes == ["CONNECTION_LOST"] * 5


async def test_many_callers_open_one_session(process: Process) -> None:
    """However many ask at the same moment, at first and after a death."""
    outcomes: list[Outcome] = []

    async def ask() -> None:
        outcomes.append(await process.connection.call_tool(call("echo")))

    for _ in range(2):
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(ask)
        await process.connection.call_tool(call("die"))
    await process.connection.close()

    assert all(outcome.raw is not None for outcome in outcomes)
    assert len(process.pids()) == 2
    assert process.kinds().count(SessionEventKind.REOPENED) == 1


async def test_garbage_between_the_messages_harms_nobody(process: Process) -> None:
    """Some servers print to standard output."""
    outcome = await process.connection.call_tool(call("babble"))
    await process.connection.close()

    assert outcome.raw is not None
    assert len(process.pids()) == 1


async def test_a_call_given_up_on_harms_no_other(process: Process) -> None:
    """The caller's own cancellation passes through at once."""
    outcomes: list[Outcome] = []

    async def sibling() -> None:
        outcomes.append(await process.connection.call_tool(call("slow", seconds=0.5)))

    await process.connection.open()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(sibling)
            with anyio.move_on_after(0.1):
                await process.connection.call_tool(call("slow", seconds=30))
                pytest.fail("it was not cancelled")
    await process.connection.close()

    assert outcomes[0].raw is not None
    assert len(process.pids()) == 1


async def test_an_attempt_has_a_time_limit_and_the_error_names_the_option(
    process: Process,
) -> None:
    """The SDKs have none and hang."""
    outcome = await process.connection.call_tool(call("slow", 0.2, seconds=30))
    await process.connection.close()

    assert outcome.failure is not None
    assert outcome.failure.code == "TIMEOUT"
    assert outcome.failure.origin is Origin.CLIENT
    assert "timeout=" in outcome.failure.message


async def test_closing_ends_the_process_and_the_calls(process: Process) -> None:
    """In bounded time, and the calls get a typed failure."""
    outcomes: list[Outcome] = []

    async def wait() -> None:
        outcomes.append(await process.connection.call_tool(call("slow", seconds=30)))

    await process.connection.open()
    with anyio.fail_after(15):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await process.connection.call_tool(call("echo"))
            await process.connection.close()
    after = await process.connection.call_tool(call("echo"))

    assert outcomes[0].failure is not None
    assert outcomes[0].failure.code == "CONNECTION_LOST"
    assert after.failure is not None
    assert after.failure.execution is Execution.NOT_EXECUTED
    assert _is_gone(process.pids()[-1])


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.monotonic()
    return False


async def test_a_connection_can_be_opened_again_after_it_was_closed(
    process: Process,
) -> None:
    """As ``async with`` twice over the same client."""
    for _ in range(2):
        await process.connection.open()
        outcome = await process.connection.call_tool(call("echo"))
        await process.connection.close()
        assert outcome.raw is not None

    assert len(process.pids()) == 2


async def test_a_command_that_does_not_exist_cannot_be_connected_to() -> None:
    """The error names the program and none of its arguments."""
    connection = connect(["/no/such/program", "--token=hunter22"], ConnectOptions())

    with pytest.raises(MCPFusionClientError) as caught:
        await connection.open()

    assert caught.value.code == "CONNECT_FAILED"
    assert caught.value.execution is Execution.NOT_EXECUTED
    assert "program" in str(caught.value)
    assert "hunter22" not in repr(caught.value)


async def test_standard_error_of_a_command_goes_where_the_caller_says(
    tmp_path: Path,
) -> None:
    """Into an open file, beside nothing else."""
    with (tmp_path / "errors").open("w+") as errlog:
        connection = connect(
            [sys.executable, "-c", "import sys; sys.exit('no licence')"],
            ConnectOptions(callbacks={"errlog": errlog}),
        )
        with pytest.raises(MCPFusionClientError):
            await connection.open()
        errlog.seek(0)

        assert errlog.read() == "no licence\n"


async def test_a_program_that_says_nothing_is_given_up_on() -> None:
    """Within the time for connecting."""
    command = [sys.executable, "-c", "import signal; signal.pause()"]
    connection = connect(command, ConnectOptions(connect_timeout=0.5))

    with anyio.fail_after(15), pytest.raises(MCPFusionClientError) as caught:
        await connection.open()
    with anyio.fail_after(15):
        await connection.close()

    assert caught.value.code == "CONNECT_FAILED"
