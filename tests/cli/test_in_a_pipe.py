"""The commands in a pipe: JSON for machines, exit statuses, one line for errors."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpfusion_client.cli.entry import run
from tests.cli.conftest import RUN, InPipe
from tests.cli.stage import SECRET, TOOLS
from tests.faults.sse_server import SseServer
from tests.sessions.http_server import HttpServer, Reply, rpc

FAILING = Path(__file__).parents[1] / "servers" / "failing.py"


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """Run a command with --json in this process; return status and document."""
    status = run([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def errors(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run a command that fails before it prints; return status and standard error."""
    status = run(list(arguments))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    return status, printed.err


def test_the_tools_are_a_list_that_codegen_reads(
    http_stage: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With the effects of each tool added."""
    status, listed = as_json(capsys, "tools", http_stage)

    saved = tmp_path / "tools.json"
    saved.write_text(json.dumps(listed), "utf-8")
    assert status == 0
    assert [tool["name"] for tool in listed["tools"]] == [
        tool["name"] for tool in TOOLS
    ]
    assert listed["tools"][0]["inputSchema"] == {
        **TOOLS[0]["inputSchema"],
        "required": ["a", "b"],
    }
    assert listed["tools"][0]["effects"]["read_only"] is True
    assert run(["codegen", str(saved)]) == 0


def test_a_pattern_limits_the_list(
    http_stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And one that fits nothing is a mistake."""
    _, listed = as_json(capsys, "tools", http_stage, "b*")

    assert [tool["name"] for tool in listed["tools"]] == ["busy", "babble"]
    assert errors(capsys, "tools", http_stage, "x*")[0] == 2


def test_a_result_as_json_is_what_came(
    http_stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is redacted in it, and every attempt is there."""
    status, plain = as_json(capsys, "call", http_stage, "hostile")
    _, retried = as_json(capsys, "call", http_stage, "busy")

    assert (status, plain["ok"]) == (0, True)
    assert SECRET in plain["content"][0]["text"]
    assert retried["stop_reason"] == "retried"
    assert [attempt["code"] for attempt in retried["attempts"]] == [
        "RATE_LIMITED",
        None,
    ]


def test_a_failure_as_json_has_every_fact(
    http_stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard output, and the status says that it is one."""
    status, plain = as_json(capsys, "call", http_stage, "refuse")

    assert (status, plain["ok"]) == (1, False)
    assert plain["error"]["code"] == "NOT_FOUND"
    assert plain["error"]["type"] == "ResourceNotFoundError"
    assert plain["error"]["available_actions"] == ["invoices.list"]
    assert plain["error"]["next_step"] == "look_up_candidates"
    assert plain["result"]["isError"] is True


def test_no_connection_as_json_says_so_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A script reads one document, whatever happened."""
    status, plain = as_json(capsys, "call", "http://127.0.0.1:9/mcp", "x")

    assert (status, plain["ok"]) == (4, False)
    assert plain["error"]["code"] == "CONNECT_FAILED"


@pytest.mark.parametrize(
    "url", ["http://", "http://[::1", "http://h:99999/", "http:///x"]
)
def test_a_url_that_is_none_is_wrong_use(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing can be connected to."""
    assert errors(capsys, "tools", url)[0] == 2


@pytest.mark.parametrize(("refusal", "status"), [(401, 4), (404, 4), (503, 4)])
def test_a_server_that_refuses_the_handshake_cannot_be_connected_to(
    refusal: int, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it says."""
    with HttpServer(lambda asked: rpc(asked, result={})) as server:
        server.refuses = Reply(status=refusal)

        found, told = errors(capsys, "tools", server.url)

        assert found == status
        assert server.url in told


def test_a_policy_as_json_has_a_decision_for_every_category(
    http_stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same failure is decided by what the tool does."""
    _, read = as_json(capsys, "policy", http_stage, "add")
    _, write = as_json(capsys, "policy", http_stage, "pay", "--max-attempts", "3")

    def retried(plain: Any, failure: str) -> bool:
        found = [row for row in plain["decisions"] if failure in row["failure"]]
        return bool(found[0]["retried"])

    assert (read["safety"], write["safety"]) == ("harmless", "write")
    assert len({row["category"] for row in read["decisions"]}) == 14
    assert retried(read, "no answer") is True
    assert retried(write, "no answer") is False
    assert retried(write, "not reached") is True
    assert "3 attempts" in write["policy"]


def test_one_attempt_is_no_retry(
    http_stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the next call, without the option, gets through."""
    status, plain = as_json(capsys, "call", http_stage, "busy", "--max-attempts", "1")
    run(["call", http_stage, "busy", "--max-attempts", "1"])

    assert status == 1
    assert plain["stop_reason"] == "attempts_exhausted"


def test_a_deadline_ends_the_call(
    http_stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The wait that the server asks for does not fit into it."""
    status, plain = as_json(capsys, "call", http_stage, "busy", "--deadline", "0.25")
    run(["call", http_stage, "busy", "--max-attempts", "1"])

    assert status == 1
    assert plain["stop_reason"] == "deadline_too_short"


def test_a_wrong_key_is_warned_about_and_sent(
    in_process: InPipe, http_stage: str
) -> None:
    """On standard error, also beside JSON."""
    done = in_process("call", http_stage, "echo", "tagz=1", "--json")

    assert json.loads(done.stdout)["structured_content"] == {"tagz": 1}
    assert "did you mean tags?" in done.stderr


def test_a_message_of_this_client_names_options_of_the_command_line(
    stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The attempt ends, and the connection was not hurried."""
    status, plain = as_json(
        capsys, "call", "--stdio", stage, "pay", "--timeout", "0.01"
    )

    assert (status, plain["error"]["code"]) == (1, "TIMEOUT")
    assert "--timeout" in plain["error"]["message"]
    assert "timeout=" not in plain["error"]["message"]


def test_a_connection_that_takes_too_long_names_its_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A command that says nothing."""
    silent = f'{sys.executable} -c "import sys; sys.stdin.read()"'

    status, told = errors(
        capsys, "tools", "--stdio", silent, "--connect-timeout", "0.2"
    )

    assert status == 4
    assert "--connect-timeout" in told
    assert "connect_timeout=" not in told


def test_a_number_that_is_none_is_said_in_plain_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Not by the name of a type."""
    status, told = errors(capsys, "tools", "http://h/", "--timeout", "5s")

    assert status == 2
    assert "'5s' is not a valid number of seconds" in told


def test_the_arguments_may_come_from_standard_input(
    in_pipe: InPipe, http_stage: str
) -> None:
    """The result is all there is on standard output."""
    done = in_pipe("call", http_stage, "echo", "--args", "-", text='{"tags": ["é"]}')

    assert done.returncode == 0
    assert json.loads(done.stdout) == {"tags": ["é"]}
    assert done.stderr == ""


def test_a_server_that_prints_to_standard_output_is_told_on(
    stage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The call works all the same; the log of the SDK does not show."""
    status = run(["call", "--stdio", stage, "babble"])

    printed = capfd.readouterr()
    assert (status, printed.out) == (0, "done\n")
    assert len(printed.err.splitlines()) == 1
    assert "no message" in printed.err
    assert "\x1b" not in printed.err


def test_a_command_that_is_no_server_is_explained(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """By the end of what it wrote, which reaches the terminal no other way."""
    code = "import sys; print('hello'); sys.exit('\x1b[2Jno licence')"

    status = run(["tools", "--stdio", f'{sys.executable} -c "{code}"'])

    printed = capfd.readouterr().err
    assert status == 4
    assert len(printed.splitlines()) == 1
    assert "hello" in printed
    assert "no licence" in printed
    assert "\x1b" not in printed


def test_standard_error_of_a_server_is_shown_on_demand(
    stage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It says more than most people want to read."""
    arguments = ["tools", "--stdio", stage, "add"]

    run(arguments)
    quiet = capfd.readouterr().err
    run([*arguments, "--debug"])
    told = capfd.readouterr().err

    assert quiet == ""
    assert "stage: started" in told
    assert "\x1b" not in told


def test_a_server_that_ends_during_a_call_is_a_panel(
    stage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the end of its standard error."""
    status = run(["call", "--stdio", stage, "die", "--max-attempts", "1"])

    printed = capfd.readouterr().err
    assert status == 1
    assert "CONNECTION_LOST" in printed
    assert "stage: started" in printed


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["tools", "--debug"], 2),
        (["--debug", "tools"], 2),
        (["--debug", "tools", "http://127.0.0.1:9/mcp"], 4),
    ],
)
def test_debug_shows_the_traceback(
    arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the command and after it; line and status are as without it."""
    ended, said = run(arguments), capsys.readouterr().err
    plain = [word for word in arguments if word != "--debug"]
    run(plain)

    assert ended == status
    assert said.startswith("Traceback")
    assert said.endswith(capsys.readouterr().err)


def test_a_pipe_of_few_characters_gets_what_it_can_show(http_stage: str) -> None:
    """A box of plain lines, and no traceback."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", RUN, "call", http_stage, "echo", "tags=é"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert b"\\xe9" in done.stdout


def test_a_reader_that_has_had_enough_is_no_error(http_stage: str) -> None:
    """As under ``head``."""
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", RUN, "tools", http_stage, "--schema"],
        stdout=writes,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writes)

    assert done.returncode == 1
    assert done.stderr == b""


def test_an_interrupt_in_a_pipe_ends_with_130() -> None:
    """Bulk decoding waits for lines; Ctrl-C is no traceback."""
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", RUN, "decode", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write('{"content": []}\n' * 2000)
        child.stdin.flush()
        child.stdout.readline()  # it is at work
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=60)

    assert child.returncode == 130
    assert told == "mcpfusion: interrupted\n"


def test_the_older_sse_transport_is_spoken_where_a_file_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some servers of a host's file have nothing else."""
    with SseServer() as server:
        entry = {"type": "sse", "url": server.url, "headers": {"x-token": "t"}}
        file = tmp_path / "mcp.json"
        file.write_text(json.dumps({"servers": {"old": entry}}), "utf-8")

        status, plain = as_json(capsys, "call", "old", "ok", "--config", str(file))

    assert (status, plain["ok"]) == (0, True)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_of_the_sdk_is_called_over_both_transports(
    transport: str, in_process: InPipe
) -> None:
    """The one that fails in four ways."""
    command = [sys.executable, str(FAILING), transport]
    if transport == "stdio":
        done = in_process("call", "--stdio", " ".join(command), "xml", "--json")
    else:
        with subprocess.Popen(  # noqa: S603 - our own interpreter
            command, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            done = in_process("call", url, "xml", "--json")
            server.terminate()

    plain = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    assert plain["error"]["code"] == "NOT_FOUND"
    assert plain["error"]["recovery"] == "List invoices first"
