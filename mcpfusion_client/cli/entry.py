"""Where the ``mcpfusion`` script starts.

Kept free of click and rich: ``decode --jsonl`` works without the ``cli`` extra.
"""

import importlib.util
import sys
import traceback

_NEEDED = ("click", "rich")
_HOW_TO_INSTALL = (
    "mcpfusion: the command line needs click and rich; "
    'install them with: pip install "mcpfusion-client[cli]"'
)
_INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit with its status (DESIGN.md section 2.4)."""
    try:
        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        if "--debug" in sys.argv:
            traceback.print_exc()
        print("mcpfusion: interrupted", file=sys.stderr)  # noqa: T201
        status = _INTERRUPTED
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run the command line on *arguments* and return the exit status."""
    if arguments[:1] == ["decode"] and "--jsonl" in arguments:
        from mcpfusion_client.cli.decode_jsonl import (  # noqa: PLC0415 - start-up
            run as run_jsonl,
        )

        return run_jsonl(arguments[1:])
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        print(_HOW_TO_INSTALL, file=sys.stderr)  # noqa: T201 - the command line
        return 2
    from mcpfusion_client.cli.app import run as run_app  # noqa: PLC0415 - start-up

    return run_app(arguments)
