"""Servers for the command line, and the command line in a pipe and in a terminal."""

import contextlib
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from mcpfusion_client.cli.entry import run
from tests.cli.stage import TOOLS, Json, answer
from tests.sessions.http_server import Asked, HttpServer, Reply, rpc

RUN = (
    "import sys; from mcpfusion_client.cli.entry import main;"
    "sys.argv[0] = 'mcpfusion'; main()"
)
STAGE = Path(__file__).with_name("stage.py")

InPipe = Callable[..., subprocess.CompletedProcess[str]]
InTerminal = Callable[..., Any]


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A named pipe; the server's last step waits until it is opened."""
    path = tmp_path / "gate"
    os.mkfifo(path)
    return path


@pytest.fixture
def stage(gate: Path) -> str:
    """The command that starts the server over stdio."""
    return shlex.join([sys.executable, "-I", str(STAGE), str(gate)])


@pytest.fixture(scope="session")
def http_stage() -> Iterator[str]:
    """The URL of the same tools over Streamable HTTP."""
    seen: list[str] = []

    def call(asked: Asked) -> Reply:
        params = asked.message["params"]
        seen.append(params["name"])
        arguments: Json = params.get("arguments") or {}
        return rpc(asked, result=answer(params["name"], arguments, seen))

    with HttpServer(call) as server:
        server.tools = list(TOOLS)
        yield server.url


@pytest.fixture
def in_pipe() -> InPipe:
    """Run the command line in a process of its own, in a pipe."""

    def start(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", RUN, *arguments],
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            encoding="utf-8",
        )

    return start


@pytest.fixture
def in_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[InPipe]:
    """Run the command line in this process, as in a pipe but without a start-up."""
    with contextlib.ExitStack() as opened:

        def run_here(
            *arguments: str, text: str = ""
        ) -> subprocess.CompletedProcess[str]:
            given = tmp_path / "standard-input"
            given.write_text(text, "utf-8")
            monkeypatch.setattr(
                sys, "stdin", opened.enter_context(given.open(encoding="utf-8"))
            )
            status = run(list(arguments))
            printed = capsys.readouterr()
            return subprocess.CompletedProcess(
                arguments, status, printed.out, printed.err
            )

        yield run_here


@pytest.fixture
def in_terminal() -> Iterator[InTerminal]:
    """Start the command line in a terminal of its own; returns what `pexpect` does."""
    children: list[Any] = []

    def start(*arguments: str, term: str = "xterm-256color") -> Any:
        child: pexpect.spawn[str] = pexpect.spawn(
            sys.executable,
            ["-c", RUN, *arguments],
            env={**os.environ, "TERM": term, "COLUMNS": "100", "LINES": "40"},
            dimensions=(40, 100),
            encoding="utf-8",
            timeout=60,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the machine must not stand between the tests and their servers."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
