"""The files that the how-to shows make a test run that passes."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "test-error-handling.md"
FILE = re.compile(r"```python\n# (\w+\.py)\n(.*?)```", re.DOTALL)
SCRIPT = re.compile(r"```json\n(.*?)```", re.DOTALL)


def test_the_example_for_pytest_passes_as_it_is_shown(tmp_path: Path) -> None:
    """A reader copies three files."""
    page = PAGE.read_text(encoding="utf-8")
    files = dict(FILE.findall(page))
    assert set(files) == {"conftest.py", "test_agent.py"}
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    (script,) = SCRIPT.findall(page)
    (tmp_path / "failures.jsonl").write_text(script, "utf-8")

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
