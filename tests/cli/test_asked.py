"""A server that asks the user something, and a command that asks nobody."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from mcpfusion_client.cli.entry import run

SERVER = shlex.join([sys.executable, str(Path(__file__).with_name("asking_server.py"))])


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_question_is_declined_and_shown(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The tool hears a no, and the person who called sees what was asked."""
    status = run(["call", "--stdio", SERVER, "greet", *options])

    printed = capsys.readouterr()
    assert status == 0
    assert "Who are you?" in printed.err
    assert "declined" in printed.err
    assert "\x1b" not in printed.err
    if options:
        printed_text = json.loads(printed.out)["content"][0]["text"]
    else:
        printed_text = printed.out.strip()
    assert printed_text == "answer: decline"


def test_every_command_sees_the_tools_that_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What `call` can call, `tools` lists."""
    run(["tools", "--stdio", SERVER])

    assert "greet" in capsys.readouterr().out
