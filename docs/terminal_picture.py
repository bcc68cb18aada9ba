"""Take the picture of the README: what ``mcpfusion demo`` shows in a terminal.

The command is run as it is, in a terminal of its own; what it leaves on the screen is
drawn. Run this file to take the picture again.
"""

import io
import os
import re
import sys
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text

PICTURE = Path(__file__).parent / "demo.svg"

_COLUMNS = 140
_ROWS = 100  # more than the table has, so that it is on the screen whole
_SECONDS = 60
_PROGRAM = "from mcpfusion_client.cli.entry import main; main()"
_DIFFERS = {"COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR"}
_ERASED = "\x1b[2K"
_NO_COLOUR = re.compile(r"\x1b\[[?0-9;]*[A-Zln-z]")
_REMOTE_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def screen() -> str:
    """Run the demo and return what is on the screen at its end, colours included."""
    run = pexpect.spawn(
        sys.executable,
        ["-c", _PROGRAM, "demo"],
        dimensions=(_ROWS, _COLUMNS),
        encoding="utf-8",
        env=_terminal(),
        timeout=_SECONDS,
    )
    run.expect(pexpect.EOF)
    # A live table erases itself line by line before it is drawn again.
    last = run.before.rpartition(_ERASED)[2]
    return _NO_COLOUR.sub("", last.replace("\r\n", "\n")).strip("\r\n")


def _terminal() -> dict[str, str]:
    """Return the environment, with this terminal's size and colours for everybody."""
    kept = {name: value for name, value in os.environ.items() if name not in _DIFFERS}
    return kept | {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


def picture(shown: str) -> str:
    """Return *shown* as an SVG document that loads nothing from elsewhere."""
    console = Console(record=True, width=_COLUMNS, file=io.StringIO())
    # Without a line below it, the lower edge of the last one would be cut off.
    console.print(Text.from_ansi(f"$ mcpfusion demo\n{shown}\n"))
    drawn = console.export_svg(title="mcpfusion demo", unique_id="demo")
    return _REMOTE_FONT.sub("", drawn)


if __name__ == "__main__":
    PICTURE.write_text(picture(screen()), encoding="utf-8")
