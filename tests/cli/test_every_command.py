"""Every command, run by a person in a terminal and by a program in a pipe."""

import json
import re
from pathlib import Path

import pexpect
import pytest

from mcpfusion_client.cli.entry import run
from tests.cli.conftest import InPipe, InTerminal

FAILURE = {
    "content": [
        {
            "type": "text",
            "text": '<tool_error code="RATE_LIMITED" severity="error">\n'
            "<message>queue is full</message>\n</tool_error>",
        }
    ],
    "isError": True,
}
COMMANDS = {
    "tools": (["tools", "URL"], 0, "Add two numbers."),
    "call": (["call", "URL", "add", "a=1", "b=2"], 0, "3"),
    "call-fails": (["call", "URL", "refuse", "id=x"], 1, "NOT_FOUND"),
    "policy": (["policy", "URL", "pay"], 0, "rate_limited"),
    "doctor": (["doctor", "URL"], 0, "schemas"),
    "decode": (["decode", "FILE"], 0, "queue is full"),
    "review": (["review", "FILE"], 0, "score"),
    "codegen": (["codegen", "URL"], 0, "add"),
    "completion": (["completion", "bash"], 0, "mcpfusion"),
    "no-server": (["tools", "http://127.0.0.1:9/mcp"], 4, "127.0.0.1"),
    "no-option": (["review", "--no-such-option", "FILE"], 2, "--no-such-option"),
}
_COMMAND = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def places(http_stage: str, tmp_path: Path) -> dict[str, str]:
    """What stands for the server and for a file with one failure."""
    file = tmp_path / "failures.jsonl"
    file.write_text(json.dumps(FAILURE) + "\n", "utf-8")
    return {"URL": http_stage, "FILE": str(file)}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_the_same_in_a_terminal_and_in_a_pipe(
    name: str, places: dict[str, str], in_terminal: InTerminal, in_process: InPipe
) -> None:
    """The same status and words; nothing that drives a terminal is in the pipe."""
    words, status, said = COMMANDS[name]
    words = [places.get(word, word) for word in words]

    child = in_terminal(*words)
    piped = in_process(*words)  # while the other one runs
    child.expect(pexpect.EOF)
    child.close()

    printed = piped.stdout + piped.stderr
    assert (child.exitstatus, piped.returncode) == (status, status)
    assert said in _COMMAND.sub("", child.before)
    assert said in printed
    assert "\x1b" not in printed
    assert "Traceback" not in child.before + printed


@pytest.mark.parametrize("name", COMMANDS)
def test_with_json_a_program_gets_one_document_or_one_line(
    name: str, places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It reads the status, then the document; wrong use has none."""
    words, status, _ = COMMANDS[name]

    ended = run([*(places.get(word, word) for word in words), "--json"])

    printed = capsys.readouterr()
    assert ended == status
    if status == 2:
        assert (printed.out, len(printed.err.splitlines())) == ("", 1)
    else:
        assert isinstance(json.loads(printed.out), dict)
