"""A fleet of real processes, a real Redis, and a server over HTTP that all call.

What is asserted is what the server saw: when requests arrived, and how many.
"""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from tests.integrations.redis_server import RedisServer, need_redis
from tests.sessions.http_server import Asked, HttpServer, Reply, text_result

_PROGRAM = Path(__file__).with_name("fleet_process.py")


class _Process:
    """One process of the fleet."""

    def __init__(self, redis: RedisServer, server: HttpServer) -> None:
        self._popen = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [sys.executable, str(_PROGRAM), str(redis.port), server.url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._popen.communicate(timeout=30)

    def open(self) -> dict[str, Any]:
        """Wait until it has started, and open the fleet."""
        self.read()
        return self.do("open")

    def send(self, command: str) -> None:
        """Tell it what to do."""
        assert self._popen.stdin is not None
        self._popen.stdin.write(f"{command}\n")
        self._popen.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Wait for what came of it."""
        assert self._popen.stdout is not None
        said: dict[str, Any] = json.loads(self._popen.stdout.readline())
        return said

    def do(self, command: str) -> dict[str, Any]:
        """Tell it what to do, and wait until it is done."""
        self.send(command)
        return self.read()


class _Tool:
    """Answers calls, and knows when they came."""

    def __init__(self) -> None:
        self.arrived: list[float] = []
        self.replies: list[Reply] = []
        self.always: Reply | None = None

    def __call__(self, asked: Asked) -> Reply:
        self.arrived.append(time.monotonic())
        if self.replies:
            return self.replies.pop(0)
        return self.always or text_result(asked, "fine")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that runs."""
    need_redis()
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def tool() -> _Tool:
    """What answers the calls of a test."""
    return _Tool()


@pytest.fixture
def process(redis: RedisServer, tool: _Tool) -> Iterator[Callable[[], _Process]]:
    """Starts one more process of the fleet."""
    with HttpServer(tool) as server, contextlib.ExitStack() as running:
        yield lambda: running.enter_context(_Process(redis, server))


def _later(seconds: int) -> Reply:
    return Reply(status=429, headers=(("retry-after", str(seconds)),))


def test_no_process_sends_before_the_time_one_of_them_was_told(
    process: Callable[[], _Process], tool: _Tool
) -> None:
    """One gets a 429; another one that runs and one that starts later wait for it."""
    one, two, three = process(), process(), process()
    one.open()
    two.open()
    tool.replies = [_later(5)]
    assert one.do("try t")["code"] == "HTTP_429"
    two.do("heard")
    two.send("call another")
    three.open()
    three.send("call t")
    answers = two.read(), three.read()

    first, *others = tool.arrived
    assert [answer["text"] for answer in answers] == ["fine", "fine"]
    assert [answer["attempts"] for answer in answers] == [1, 1]
    assert len(others) == 2
    assert all(5.0 <= arrived - first < 15.0 for arrived in others)


def test_futile_retries_of_all_processes_are_paid_from_one_budget(
    process: Callable[[], _Process], tool: _Tool
) -> None:
    """Four tokens: four retries, whoever makes them, and then none."""
    one, two = process(), process()
    one.open()
    two.open()
    tool.always = Reply(status=500)
    first = one.do("call t")
    second = one.do("call t")
    two.do("left")
    third = two.do("call t")

    assert [each["attempts"] for each in (first, second, third)] == [4, 2, 1]
    assert second["stop"] == third["stop"] == "budget_exhausted"
    assert len(tool.arrived) == 3 + 4


def test_redis_may_die_and_come_back(
    redis: RedisServer, process: Callable[[], _Process], tool: _Tool
) -> None:
    """Calls go on at once meanwhile; what was learned without it is shared after."""
    one, two, three = process(), process(), process()
    one.open()
    two.open()
    redis.stop()
    during = [one.do("call t"), two.do("call t")]
    one.do("alone")
    two.do("alone")
    tool.replies = [_later(60)]
    told = one.do("try t")
    opened = three.open()
    redis.start()
    for each in (one, two, three):
        each.do("connected")
    two.do("heard")
    sent = len(tool.arrived)
    refused = two.do("hurry t")

    assert [each["text"] for each in during] == ["fine", "fine"]
    assert max(each["seconds"] for each in during) < 2.0
    assert told["code"] == "HTTP_429"
    assert opened == {"connected": False}
    assert (refused["stop"], refused["attempts"]) == ("gate_deadline", 0)
    assert len(tool.arrived) == sent


def test_a_redis_that_hangs_holds_up_no_call(
    redis: RedisServer, process: Callable[[], _Process], tool: _Tool
) -> None:
    """It accepts connections and answers nothing for a while."""
    one, two = process(), process()
    one.open()
    with redis.client() as client:
        client.client_pause(20_000)
    running = one.do("call t")
    begun = time.monotonic()
    opened = two.open()
    lasted = time.monotonic() - begun
    late = two.do("call t")

    assert opened == {"connected": False}
    assert running["text"] == late["text"] == "fine"
    assert max(running["seconds"], late["seconds"]) < 2.0
    assert lasted < 15.0
