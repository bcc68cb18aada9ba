"""What the README shows is what happens."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def blocks() -> dict[str, str]:
    """The first code block of every language."""
    text = README.read_text(encoding="utf-8")
    return dict(reversed(BLOCK.findall(text)))


def test_the_program_prints_the_output_shown(blocks: dict[str, str]) -> None:
    """The first screen of the README is run as it stands."""
    scripts = sysconfig.get_path("scripts")
    path = os.pathsep.join([scripts, os.environ.get("PATH", "")])

    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", blocks["python"]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PATH": path},
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == blocks["text"]


def test_the_program_is_short(blocks: dict[str, str]) -> None:
    """Twelve lines of code are read; fifty are skipped."""
    code = [line for line in blocks["python"].splitlines() if line.strip()]

    assert len(code) <= 12


def test_every_dependency_and_extra_has_its_reason() -> None:
    """The tables and the project file name the same packages."""
    project = tomllib.loads((README.parent / "pyproject.toml").read_text("utf-8"))
    text = README.read_text(encoding="utf-8")
    packages = project["project"]["dependencies"]
    extras = set(project["project"]["optional-dependencies"]) - {"dev"}

    named = set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE))
    offered = set(re.findall(r"^\| `\[(\w+)\]` \|", text, re.MULTILINE))

    assert named == {re.split(r"[<>=\[]", package)[0] for package in packages}
    assert offered == extras


def test_a_new_user_types_exactly_two_commands() -> None:
    """One for the main job, one for the tests."""
    text = README.read_text(encoding="utf-8")
    (shown,) = re.findall(r"```console\n(.*?)```", text, re.DOTALL)

    assert shown.splitlines() == [
        '$ pip install ".[cli]" && mcpfusion demo',
        '$ pip install -e ".[cli,dev]" && pytest',
    ]
