"""What a person sees in a pipe, word for word: one file for each command line.

A file holds the command, then standard output, then standard error after ``!``, then
the exit status. The digits of seconds vary, and are compared as ``N``.
"""

import re
import shlex
from pathlib import Path

import pytest

from mcpfusion_client.cli.entry import run

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
_SECONDS = re.compile(r"\d+\.\d+ s")


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_command_prints_what_its_transcript_says(
    file: Path,
    http_stage: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same on both SDK generations.

    It runs in this process, since loading an SDK takes longer than most commands.
    """
    config = tmp_path / "mcp.json"
    config.write_text('{"mcpServers": {"time": {"command": "uvx"}}}', "utf-8")
    expected = file.read_text("utf-8")
    command = expected.splitlines()[0]
    words = shlex.split(command.removeprefix("$ mcpfusion "))
    places = {"URL": http_stage, "CONFIG": str(config)}

    status = run([places.get(word, word) for word in words])

    printed = capsys.readouterr()
    told = _plain(printed.out)
    if printed.err:
        told += "!\n" + _plain(printed.err)
    for name, place in places.items():
        told = told.replace(place, name)
    assert f"{command}\n{told}[exit {status}]\n" == expected


def _plain(output: str) -> str:
    """Return *output* without what varies: seconds, and blanks that fill a line."""
    lines = _SECONDS.sub(_no_digits, output).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _no_digits(seconds: re.Match[str]) -> str:
    return re.sub(r"\d", "N", seconds.group())
