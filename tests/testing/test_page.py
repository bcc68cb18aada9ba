"""The files that the how-to shows make a test run that passes."""

import os
import re
import subprocess
import sys
from pathlib import Path

from mcpfusion_client import ErrorCategory, MCPFusionClient
from mcpfusion_client.testing import assert_attempts

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "test-error-handling.md"
FILE = re.compile(r"```python\n# (\w+\.py)\n(.*?)```", re.DOTALL)
SCRIPT = re.compile(r"```json\n(.*?)```", re.DOTALL)


def copied(folder: Path) -> None:
    """Write the files that the page shows."""
    page = PAGE.read_text(encoding="utf-8")
    files = dict(FILE.findall(page))
    assert set(files) == {"conftest.py", "test_agent.py", "server.py"}
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    (script,) = SCRIPT.findall(page)
    (folder / "failures.jsonl").write_text(script, "utf-8")


async def test_the_example_of_a_command_plays_the_file(tmp_path: Path) -> None:
    """A real process, over standard input and output."""
    copied(tmp_path)
    command = [sys.executable, str(tmp_path / "server.py")]

    async with MCPFusionClient(command) as client:
        result = await client.call_tool("refunds_process", raise_on_error=False)
        tools = await client.list_tools()

    assert_attempts(result, ErrorCategory.BUSINESS)
    assert [tool.name for tool in tools] == ["orders_search", "refunds_process"]


def test_the_example_for_pytest_passes_as_it_is_shown(tmp_path: Path) -> None:
    """A reader copies three files."""
    copied(tmp_path)

    done = subprocess.run(  # noqa: S603 - our own interpreter and program
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-p", "no:xdist", "-c", os.devnull, "--rootdir", str(tmp_path)),
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert "1 passed" in done.stdout, done.stdout
