"""The synchronous client: the same engine, in a thread of its own."""

import asyncio
import importlib
import inspect
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, get_type_hints

import anyio
import pytest

from mcpfusion_client import (
    MCPFusionClient,
    MCPFusionClientError,
    RateLimitedError,
    RetryPolicy,
    StopReason,
    SyncMCPFusionClient,
    ToolInfo,
    ToolResult,
    tool_error,
)
from mcpfusion_client.router import CallOptions
from mcpfusion_client.sessions.options import CALLBACKS
from mcpfusion_client.sync import BatchOptions, ClientOptions
from mcpfusion_client.testing import (
    Hang,
    Progress,
    ScriptedCall,
    ScriptedOutcome,
    ScriptedSession,
    VirtualClock,
)

LIMITED = tool_error("RATE_LIMITED", "too many", retry_after=7)


def scripted(*outcomes: ScriptedOutcome) -> tuple[ScriptedSession, VirtualClock]:
    """Return a server and the clock it runs on."""
    clock = VirtualClock()
    return ScriptedSession(outcomes, tools=[ToolInfo(name="t")], clock=clock), clock


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_call_is_made_and_repeated_without_await(
    backend: Literal["asyncio", "trio"],
) -> None:
    """The engine is the same one, on either event loop."""
    session, clock = scripted(LIMITED, "done")

    with SyncMCPFusionClient(session, clock=clock, backend=backend) as client:
        result = client.call_tool("t", {"id": 1})

    assert (result.text, result.stop_reason) == ("done", StopReason.RETRIED)
    assert clock.monotonic() >= 7.0


def test_every_method_is_there() -> None:
    """Execute, call, batch, list, proxy, session."""
    session, clock = scripted("a", "b", "c", "d")

    with SyncMCPFusionClient(session, clock=clock) as client:
        assert client.session is session
        assert client.list_tools() == (ToolInfo(name="t"),)
        assert client.execute("t").text == "a"
        assert client.call_tool("t").text == "b"
        assert client.proxy.t(id=1).text == "c"
        batch = client.execute_batch([("t", {})], sequential=True)

    assert [result.text for result in batch.results] == ["d"]
    assert session.calls[2].arguments == {"id": 1}


def test_failures_are_raised_where_the_call_was_made() -> None:
    """As the same classes, with the same story."""
    session, clock = scripted(LIMITED)

    with SyncMCPFusionClient(session, clock=clock) as client:
        with pytest.raises(RateLimitedError) as caught:
            client.call_tool("t", retry=False)
        with pytest.raises(TypeError):
            client.call_tool("t", {"x": {1, 2}})

    assert caught.value.attempts


def test_it_opens_itself_and_can_be_opened_again() -> None:
    """`connect` and `close` do what ``with`` does; a call alone will do too."""
    session, clock = scripted("a", "b")
    client = SyncMCPFusionClient(session, clock=clock)

    assert client.call_tool("t").text == "a"
    client.close()
    client.close()
    client.connect()
    assert client.call_tool("t").text == "b"
    client.close()


def test_threads_can_share_a_client() -> None:
    """Their calls run side by side in one event loop."""
    together = threading.Barrier(4)
    session, clock = scripted()

    def answer(call: ScriptedCall) -> ScriptedOutcome:
        return str(call.arguments["n"])

    session = ScriptedSession([answer] * 40, clock=clock)
    with SyncMCPFusionClient(session, clock=clock) as client:

        def work(worker: int) -> list[str]:
            together.wait()
            return [client.call_tool("t", {"n": worker}).text for _ in range(10)]

        with ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(work, range(4)))

    assert texts == [[str(worker)] * 10 for worker in range(4)]


def test_it_works_where_an_event_loop_is_running() -> None:
    """In a notebook there always is one."""
    session, clock = scripted("done")

    async def cell() -> str:
        with SyncMCPFusionClient(session, clock=clock) as client:
            return client.call_tool("t").text

    assert asyncio.run(cell()) == "done"


async def test_it_works_from_a_worker_thread() -> None:
    """An async program can hand it to a library that does not await."""
    session, clock = scripted("done")

    def work() -> str:
        with SyncMCPFusionClient(session, clock=clock) as client:
            return client.call_tool("t").text

    assert await anyio.to_thread.run_sync(work) == "done"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_keyboard_interrupt_cancels_the_call(
    backend: Literal["asyncio", "trio"],
) -> None:
    """The call ends at once, and the client can be used again."""
    ended = threading.Event()
    main = threading.main_thread().ident or 0

    class Server:
        any_event_loop = True
        interrupts = True

        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            if not self.interrupts:
                return {"content": [{"type": "text", "text": "after"}]}
            self.interrupts = False
            try:
                signal.pthread_kill(main, signal.SIGINT)
                await anyio.sleep_forever()
            finally:
                ended.set()

    with SyncMCPFusionClient(Server(), backend=backend) as client:
        with pytest.raises(KeyboardInterrupt):
            client.call_tool("t", timeout=float("inf"))
        assert ended.is_set()
        assert client.call_tool("t").text == "after"


@pytest.mark.parametrize("own", [True, False])
def test_a_connected_object_is_refused(*, own: bool) -> None:
    """It belongs to the event loop that it was connected in."""

    class Connected:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> ToolResult:
            return ToolResult()

    target: object = Connected() if own else _sdk_session()

    with pytest.raises(TypeError):
        SyncMCPFusionClient(target)


def _sdk_session() -> object:
    mcp = importlib.import_module("mcp")
    session: object = mcp.ClientSession.__new__(mcp.ClientSession)
    return session


def test_what_cannot_be_opened_is_told_and_leaves_no_thread() -> None:
    """The error is the typed one; the thread is gone."""
    before = threading.active_count()
    client = SyncMCPFusionClient(["/no/such/program-at-all"])

    with pytest.raises(MCPFusionClientError):
        client.connect()

    assert threading.active_count() == before


def test_a_script_that_forgets_to_close_ends_all_the_same() -> None:
    """The end of the interpreter must not wait for the thread."""
    program = (
        "from mcpfusion_client import SyncMCPFusionClient\n"
        "from mcpfusion_client.testing import ScriptedSession\n"
        "client = SyncMCPFusionClient(ScriptedSession(['done']))\n"
        "print(client.call_tool('t').text)"
    )

    done = subprocess.run(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.stdout, done.stderr) == ("done\n", "")


def test_a_hanging_call_is_cut_off_by_its_timeout() -> None:
    """Timers run in the client's thread."""
    session, clock = scripted(Hang())

    with SyncMCPFusionClient(session, clock=clock, retry=False) as client:
        result = client.call_tool("t", timeout=5.0, raise_on_error=False)

    assert result.error is not None
    assert clock.monotonic() == 5.0


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (CallOptions, MCPFusionClient.execute),
        (CallOptions, MCPFusionClient.call_tool),
        (BatchOptions, MCPFusionClient.execute_batch),
        (ClientOptions, MCPFusionClient.__init__),
    ],
)
def test_the_options_are_those_of_the_async_client(options: Any, method: Any) -> None:
    """Two lists of the same thing must not drift apart."""
    parameters = inspect.signature(method).parameters.values()
    named = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}
    if method is MCPFusionClient.__init__:
        named |= CALLBACKS

    typed = get_type_hints(options)
    assert set(typed) == named
    expected = get_type_hints(method)
    for name in named - CALLBACKS:
        assert typed[name] == expected[name], name


def public(kind: type) -> set[str]:
    """Return the names a class is used by."""
    return {name for name in vars(kind) if name[0] != "_"}


def test_both_clients_have_the_same_methods() -> None:
    """Whoever knows one knows the other."""
    assert public(SyncMCPFusionClient) == public(MCPFusionClient)
    assert {"__enter__", "__exit__"} <= set(vars(SyncMCPFusionClient))


@pytest.mark.parametrize("name", sorted(public(MCPFusionClient) - {"session", "proxy"}))
def test_both_clients_are_called_the_same_way(name: str) -> None:
    """Names, order, kinds, defaults and types of every parameter."""
    ours = inspect.signature(getattr(SyncMCPFusionClient, name))
    theirs = inspect.signature(getattr(MCPFusionClient, name))

    if name == "router":  # each has routers of its own kind
        assert list(ours.parameters) == list(theirs.parameters)
        return
    assert ours == theirs
    assert inspect.iscoroutinefunction(getattr(MCPFusionClient, name))
    assert not inspect.iscoroutinefunction(getattr(SyncMCPFusionClient, name))


def test_both_clients_are_made_the_same_way() -> None:
    """The event loop is the only thing that one has to be told and the other not."""
    ours = dict(inspect.signature(SyncMCPFusionClient).parameters)
    theirs = dict(inspect.signature(MCPFusionClient).parameters)

    backend = ours.pop("backend")

    assert backend.default == "asyncio"
    assert list(ours.items()) == list(theirs.items())


def test_policies_reach_the_engine() -> None:
    """Options are handed through as they are."""
    session, clock = scripted(LIMITED, LIMITED)
    policy = RetryPolicy(max_attempts=2)

    with SyncMCPFusionClient(session, clock=clock, retry=policy) as client:
        result = client.execute("t", raise_on_error=False)

    assert len(result.attempts) == 2


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_plain_function_hears_of_progress(
    backend: Literal["asyncio", "trio"],
) -> None:
    """Code that does not await has no async function to give."""
    told: list[tuple[float, float | None, str | None]] = []

    def progress(value: float, total: float | None, text: str | None) -> None:
        told.append((value, total, text))

    session, clock = scripted(Progress(0.5, Progress(1.0, "done")))
    with SyncMCPFusionClient(session, clock=clock, backend=backend) as client:
        client.call_tool("t", progress=progress)

    assert told == [(0.5, None, None), (1.0, None, None)]


INTERRUPTED = """
from mcpfusion_client import SyncMCPFusionClient
from mcpfusion_client.testing import CallRecorder, Hang, ScriptedServer

def answer(call):
    print("in flight", flush=True)
    return Hang()

recorder = CallRecorder()
server = ScriptedServer([answer, "after"])
with SyncMCPFusionClient(server.target, observers=[recorder], timeout=None) as client:
    try:
        client.call_tool("slow")
    except KeyboardInterrupt:
        print("interrupted", type(recorder.calls[0].aborted).__name__, flush=True)
    print(client.call_tool("again").text, flush=True)
"""


def test_control_c_in_a_program_of_its_own_ends_the_call_and_nothing_else() -> None:
    """The signal comes from outside, as from a terminal, to a real MCP server."""
    with subprocess.Popen(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in flight\n"
        process.send_signal(signal.SIGINT)
        printed, complained = process.communicate(timeout=60)

    assert printed.splitlines() == ["interrupted CancelledError", "after"]
    assert (process.returncode, complained) == (0, "")


def test_control_c_that_nobody_catches_ends_the_program() -> None:
    """Neither the thread nor the server holds it up."""
    program = INTERRUPTED.replace(
        "except KeyboardInterrupt", "except ZeroDivisionError"
    )
    with subprocess.Popen(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in flight\n"
        process.send_signal(signal.SIGINT)
        printed, complained = process.communicate(timeout=60)

    assert printed == ""
    assert complained.rstrip().endswith("KeyboardInterrupt")
    assert process.returncode == -signal.SIGINT
