"""What a page shows in a console is what the commands print.

Every console block of every page is looked at. One that shows output is run, and its
output compared; of one that shows none, each command has to be one that exists, with
options that exist.
"""

import contextlib
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import click
import pytest

from mcpfusion_client.cli.app import app
from mcpfusion_client.cli.entry import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
DEMO = "mcpfusion demo --serve"
URL = "https://example.com/mcp"

OTHERS: Mapping[str, str] = {
    "pip": "installs from a registry",
    "export": "is the shell's own",
    "jq": "is another program; the test reads the JSON itself",
    "pytest": "runs these tests",
    "python": "plays storms for half an hour",
    "source": "is the shell's own",
}
"""Commands of other programs, and why none of them is run here."""


@attrs.frozen
class Shown:
    """A console block.

    Attributes:
        page: Where it is.
        commands: What follows the prompts, one a line.
        output: What is shown below the last command.
    """

    page: str
    commands: tuple[str, ...]
    output: tuple[str, ...]


def _shown(page: Path, text: str) -> Shown:
    lines = text.splitlines()
    commands = [line[2:] for line in lines if line.startswith("$ ")]
    last = max(number for number, line in enumerate(lines) if line.startswith("$ "))
    return Shown(
        page=str(page.relative_to(ROOT)),
        commands=tuple(commands),
        output=tuple(lines[last + 1 :]),
    )


BLOCKS = [
    _shown(page, text)
    for page in PAGES
    for text in BLOCK.findall(page.read_text("utf-8"))
]


def _name(block: Shown) -> str:
    return f"{block.page}: {block.commands[0][:60]}"


def _router(folder: Path) -> None:
    """Write a router, and the tools of a server that has changed since."""
    properties: dict[str, dict[str, object]] = {
        "id": {"type": "string"},
        "currency": {"enum": ["EUR", "USD"], "default": "EUR"},
    }
    tool = {
        "name": "billing.get_invoice",
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": ["id"],
        },
    }
    (folder / "tools.json").write_text(json.dumps([tool]), "utf-8")
    assert run(["codegen", "tools.json", "-o", "router.py"]) == 0
    properties["id"]["type"] = "integer"
    properties["currency"]["default"] = "USD"
    void = {"name": "billing.void", "inputSchema": {"type": "object"}}
    (folder / "tools.json").write_text(json.dumps([tool, void]), "utf-8")


def _failures(folder: Path) -> None:
    """Write the recorded failure of a tool that says nothing of use."""
    result = {"content": [{"type": "text", "text": "Operation failed"}]}
    line = {"tool": "pay", "result": {**result, "isError": True}}
    (folder / "failures.jsonl").write_text(json.dumps(line), "utf-8")


def _server(folder: Path) -> None:
    """Write a server that cannot start."""
    text = "import sys; sys.exit('DATABASE_URL is not set')"
    (folder / "server.py").write_text(text, "utf-8")


def _nothing(folder: Path) -> None:
    """Write no file."""


SCENES: Mapping[str, Callable[[Path], None]] = {
    "docs/how-to/contract-drift-in-ci.md": _router,
    "docs/how-to/review-errors.md": _failures,
    "docs/reference/command-line.md": _server,
}
"""What has to lie in the folder where the commands of a page are run."""

STAND_INS = {
    DEMO: shlex.join([sys.executable, "-m", "mcpfusion_client", "demo", "--serve"]),
    URL: "tools.json",
}
"""What is run in place of what a reader has."""


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.output], ids=_name)
def test_a_console_block_shows_what_its_command_prints(
    block: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both outputs as they come in time; ``...`` stands for any lines."""
    monkeypatch.chdir(tmp_path)
    folder = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", folder, prepend=os.pathsep)
    SCENES.get(block.page, _nothing)(tmp_path)
    (command,) = block.commands
    words, _, query = command.partition(" | jq .")
    shown, hidden = io.StringIO(), io.StringIO()

    with (
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(hidden if query else shown),
    ):
        run([STAND_INS.get(word, word) for word in shlex.split(words)[1:]])

    text = _asked(shown.getvalue(), query) if query else shown.getvalue()
    pattern = "\n".join(_pattern(line) for line in block.output)
    assert re.fullmatch(pattern, "\n".join(map(_plain, text.splitlines()))), text


def _asked(document: str, query: str) -> str:
    """Do what ``jq`` does with a path of keys."""
    value = json.loads(document)
    for key in query.split("."):
        value = value[key]
    return json.dumps(value)


def _pattern(line: str) -> str:
    return r"(?:.*\n)*.*" if line.strip() == "..." else re.escape(_plain(line))


def _plain(line: str) -> str:
    """Return a line without what differs from run to run and machine to machine."""
    line = re.sub(r"\d+\.\d+ s", lambda found: re.sub(r"\d", "N", found[0]), line)
    line = re.sub(r"stdio:python[\d.]* #[0-9a-f]{8}", "stdio:python #N", line)
    return re.sub(r"python[\d.]* is /.*", "python is /N", line).rstrip()


PIECES = re.compile(r"\s(?:\||&&)\s")
EVALUATED = re.compile(r'eval "\$\((.*)\)"')


@pytest.mark.parametrize("block", [b for b in BLOCKS if not b.output], ids=_name)
def test_every_command_of_a_console_block_exists_with_its_options(block: Shown) -> None:
    """Where nothing is run: a renamed option is renamed on the page."""
    for command in block.commands:
        for piece in PIECES.split(EVALUATED.sub(r"\1", command)):
            program, *words = shlex.split(piece)
            if program == "mcpfusion":
                _parse(words)
            else:
                assert program in OTHERS, piece


def _parse(words: list[str]) -> None:
    """Have click read *words*, without running anything.

    Raises:
        click.UsageError: There is no such command, option or argument.
    """
    name, *rest = words
    parent = click.Context(app)
    command = app.get_command(parent, name)
    assert command is not None, name
    command.make_context(name, rest, parent=parent)


def test_there_are_blocks_of_both_kinds() -> None:
    """That the patterns find them."""
    assert len(BLOCKS) >= 15
    assert len([block for block in BLOCKS if block.output]) >= 7
