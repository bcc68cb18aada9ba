"""``mcpfusion doctor --stdio``: real programs, each ill in its own way."""

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from mcpfusion_client.cli.doctor_checkup import STDIO_PLAN
from tests.cli.checkups import Checked, doctor
from tests.cli.conftest import InTerminal

SECRET = "ghp_" + "a1B2" * 9

# A server in a few lines: it answers what it is asked, and runs what a test adds.
SERVER = """
import json, os, sys, time

def say(line):
    print(line, flush=True)

def answer(message, **member):
    say(json.dumps({"jsonrpc": "2.0", "id": message["id"], **member}))

TOOL = {"name": "t", "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True}}

def handle(message):
    method = message.get("method")
    if method == "initialize":
        answer(message, result={"protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tiny", "version": "3"}})
    elif method == "tools/list":
        answer(message, result={"tools": [TOOL]})
    elif "id" in message:
        answer(message, error={"code": -32601, "message": "no such method"})
"""
LOOP = """
for line in sys.stdin:
    handle(json.loads(line))
"""


def program(folder: Path, code: str) -> str:
    """Write a Python program and return the command that runs it."""
    file = folder / "server.py"
    file.write_text(code, encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


def checked(folder: Path, code: str, *arguments: str) -> Checked:
    """Check up on the program *code*."""
    return doctor("--stdio", program(folder, code), *arguments)


def test_a_good_program_passes_every_step(tmp_path: Path) -> None:
    """Nothing to fix."""
    found = checked(tmp_path, SERVER + LOOP)

    assert found.status == 0
    assert [step["step"] for step in found.report["steps"]] == list(STDIO_PLAN)
    assert {step["status"] for step in found.report["steps"]} == {"ok"}
    assert found.report["server"] == "tiny 3"
    assert found.report["protocol_version"] == "2025-06-18"


def test_a_command_that_does_not_exist_fails_at_command() -> None:
    """The most common mistake: nobody installed it."""
    found = doctor("--stdio", "no-such-program-anywhere --flag")

    assert (found.status, found.failed) == (4, "command")
    assert "no-such-program-anywhere" in found.told("command")


def test_a_path_that_does_not_exist_fails_at_command(tmp_path: Path) -> None:
    """A path is not looked up."""
    found = doctor("--stdio", str(tmp_path / "gone"))

    assert (found.status, found.failed) == (4, "command")


def test_the_path_is_the_one_the_server_gets(tmp_path: Path) -> None:
    """A PATH given with --env is where the program is looked for."""
    script = tmp_path / "my-server"
    script.write_text(f"#!{sys.executable}\n{SERVER}{LOOP}", encoding="utf-8")
    script.chmod(0o755)

    found = doctor("--stdio", "my-server", "--env", f"PATH={tmp_path}")

    assert (found.status, found.failed) == (0, None)


def test_a_file_that_is_not_executable_fails_at_command(tmp_path: Path) -> None:
    """It needs a chmod, or its interpreter."""
    file = tmp_path / "server.py"
    file.write_text(SERVER + LOOP, encoding="utf-8")
    file.chmod(0o644)

    found = doctor("--stdio", str(file))

    assert (found.status, found.failed) == (4, "command")
    assert "chmod" in found.step("command")["fix"]


def test_a_file_that_is_no_program_fails_at_start(tmp_path: Path) -> None:
    """It may be executed, but nobody can."""
    file = tmp_path / "server"
    file.write_bytes(b"\x00\x01\x02\x03")
    file.chmod(0o755)

    found = doctor("--stdio", str(file))

    assert (found.status, found.failed) == (4, "start")


def test_a_script_whose_interpreter_is_missing_fails_at_start(tmp_path: Path) -> None:
    """The file is there, the program in its first line is not."""
    file = tmp_path / "server"
    file.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    file.chmod(0o755)

    found = doctor("--stdio", str(file))

    assert (found.status, found.failed) == (4, "start")
    assert "interpreter" in found.step("start")["fix"]


def test_a_missing_working_directory_fails_at_command(tmp_path: Path) -> None:
    """The configuration file names it."""
    entry = {"command": sys.executable, "cwd": str(tmp_path / "gone")}
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"s": entry}}), encoding="utf-8")

    found = doctor("s", "--config", str(file))

    assert (found.status, found.failed) == (4, "command")
    assert "gone" in found.told("command")


def test_a_program_that_exits_at_once_fails_at_start(tmp_path: Path) -> None:
    """Its status and the end of its standard error say why, without secrets."""
    code = (
        "import sys\n"
        "for i in range(5000): print('noise', i, file=sys.stderr)\n"
        f"print('\\x1b[31mmissing key token={SECRET}', file=sys.stderr)\n"
        "sys.exit(7)\n"
    )

    found = checked(tmp_path, code)

    told = found.told("start")
    assert (found.status, found.failed) == (4, "start")
    assert "status 7" in told
    assert "missing key" in told
    assert SECRET not in str(found.report)
    assert "\x1b" not in told
    assert len(found.step("start")["evidence"]) < 10


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_program_that_is_killed_is_said_to_be(tmp_path: Path) -> None:
    """Out of memory looks like this."""
    code = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"

    found = checked(tmp_path, code)

    assert (found.status, found.failed) == (4, "start")
    assert "SIGKILL" in found.told("start")


def test_a_silent_program_fails_at_handshake(tmp_path: Path) -> None:
    """It runs, and that is all that can be said."""
    code = (
        "import sys\nprint('Listening on port 8000', file=sys.stderr, flush=True)\n"
        "for line in sys.stdin: pass"
    )

    found = checked(tmp_path, code, "--timeout", "0.5")

    assert (found.status, found.failed) == (4, "handshake")
    assert found.status_of("start") == "ok"
    assert "silent" in found.told("handshake")
    assert "port 8000" in found.told("handshake")


def test_garbage_and_no_answer_fail_at_stdout(tmp_path: Path) -> None:
    """The line is shown, cleaned, redacted and bounded."""
    code = (
        "import sys, time\n"
        f"print('\\x1b[2JStarting [bold]up[/bold] token={SECRET} ' + 'x' * 9000)\n"
        "sys.stdout.flush()\ntime.sleep(30)\n"
    )

    found = checked(tmp_path, code, "--timeout", "1")

    (line, *_) = found.step("stdout")["evidence"]
    assert (found.status, found.failed) == (4, "stdout")
    assert "Starting [bold]up[/bold]" in line
    assert SECRET not in str(found.report)
    assert "\x1b" not in line
    assert len(line) <= 300


@pytest.mark.parametrize(
    "where",
    ["say('Listening...')\n", "say('{\"a\": 1}')\n", "os.write(1, b'\\xff\\n')\n"],
)
def test_garbage_beside_answers_is_a_warning(tmp_path: Path, where: str) -> None:
    """Some clients go on, some give up."""
    found = checked(tmp_path, SERVER + where + LOOP)

    assert (found.status, found.failed) == (0, None)
    assert found.status_of("stdout") == "warning"
    assert "line 1" in found.told("stdout")


def test_garbage_that_comes_late_is_found_too(tmp_path: Path) -> None:
    """A log line for every request is the usual form."""
    asked = 'elif method == "tools/list":'
    late = SERVER.replace(asked, f"{asked}\n        say('[info] listing')")

    found = checked(tmp_path, late + LOOP)

    assert found.status_of("stdout") == "warning"
    assert "[info] listing" in found.told("stdout")


def test_a_program_that_dies_during_the_list_fails_there(tmp_path: Path) -> None:
    """Connected, and then gone."""
    dying = SERVER.replace('answer(message, result={"tools": [TOOL]})', "os._exit(3)")

    found = checked(tmp_path, dying + LOOP)

    assert (found.status, found.failed) == (1, "tools_list")
    assert "status 3" in found.told("tools_list")


def test_what_the_server_logs_is_not_mixed_into_the_report(tmp_path: Path) -> None:
    """Standard error belongs to us."""
    code = SERVER + "print('noise', file=sys.stderr, flush=True)\nsay('noise')\n" + LOOP
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [
            sys.executable,
            "-m",
            "mcpfusion_client",
            "doctor",
            "--stdio",
            program(tmp_path, code),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "connected, 1 warning" in done.stdout


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="looks at processes")
def test_nothing_is_left_running(tmp_path: Path) -> None:
    """Not even a child that ignores the end of its input, or its own children."""
    code = (
        "import os, signal, subprocess, sys, time\n"
        f"pids = open({str(tmp_path / 'pids')!r}, 'a')\n"
        "sleeper = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "child = subprocess.Popen(sleeper)\n"
        "print(os.getpid(), child.pid, file=pids, flush=True)\ntime.sleep(60)\n"
    )

    found = checked(tmp_path, code, "--timeout", "1.5")

    assert found.failed == "handshake"
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 2
    assert all(_ends(pid) for pid in pids)


def _ends(pid: int) -> bool:
    """Has the process ended, or does it, now that it was told to?"""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with open(descriptor) as process:  # noqa: PTH123 - a descriptor
        return bool(select.select([process], [], [], 10)[0])


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_ends_the_check_up_with_130(tmp_path: Path) -> None:
    """One line, no traceback, and no server left."""
    started = tmp_path / "started"
    os.mkfifo(started)
    code = f"import time\nprint(file=open({str(started)!r}, 'w'))\ntime.sleep(60)"
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [
            sys.executable,
            "-m",
            "mcpfusion_client",
            "doctor",
            "--stdio",
            program(tmp_path, code),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        with open(os.open(started, os.O_RDONLY | os.O_NONBLOCK)) as fifo:  # noqa: PTH123 - a descriptor
            assert select.select([fifo], [], [], 30)[0]
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=30)

    assert running.returncode == 130
    assert len(said.strip().splitlines()) == 1
    assert "Traceback" not in said


def test_in_a_terminal_the_report_stands_alone(in_terminal: InTerminal) -> None:
    """What showed the progress is gone when the report is there."""
    child = in_terminal("doctor", "--stdio", "no-such-program")
    child.expect(pexpect.EOF)
    child.close()

    report = child.before.rpartition("\x1b[2K")[2]
    assert child.exitstatus == 4
    assert report.count("no-such-program") == 2
    assert "FAILED" in report
