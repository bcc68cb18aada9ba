"""The how-to page shows what the commands print."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from mcpfusion_client.cli.entry import run

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "command-line.md"
DEMO = "mcpfusion demo --serve"
_BLOCKS = re.findall(
    rf'```console\n\$ mcpfusion ([^\n|]*"{DEMO}"[^\n|]*)\n(.*?)```',
    PAGE.read_text("utf-8"),
    re.DOTALL,
)


def test_the_page_has_examples() -> None:
    """That the pattern finds them."""
    assert len(_BLOCKS) == 3


@pytest.mark.parametrize(("command", "shown"), _BLOCKS)
def test_an_example_prints_what_the_page_shows(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard error first, as it comes in time."""
    demo = shlex.join([sys.executable, "-m", "mcpfusion_client", "demo", "--serve"])
    words = [demo if word == DEMO else word for word in shlex.split(command)]

    run(words)

    printed = capsys.readouterr()
    assert _plain(printed.err + printed.out) == _plain(shown)


def _plain(text: str) -> list[str]:
    """Return the lines without the digits of seconds and the blanks at the end."""
    lines = re.sub(r"\d+\.\d+ s", _no_digits, text).splitlines()
    return [line.rstrip() for line in lines]


def _no_digits(seconds: re.Match[str]) -> str:
    return re.sub(r"\d", "N", seconds.group())
