"""``mcpfusion decode --jsonl``: one wire object a line in, one JSON object a line out.

For machines, in bulk: needs neither the ``cli`` extra nor an MCP SDK.
"""

import argparse
import contextlib
import json
import math
import sys
from collections.abc import Generator, Sequence
from datetime import UTC, datetime
from typing import TextIO

from mcpfusion_client.decode.jsonl import decode_lines
from mcpfusion_client.model import JsonValue
from mcpfusion_client.model.json import is_array, is_object

NOT_JSON = 2

# Deeper nesting than this is no fact about a failure.
_MAX_DEPTH = 100


def run(arguments: Sequence[str]) -> int:
    """Decode the lines of a file or of standard input.

    Returns:
        0, or 2 when some line was not JSON or the file cannot be read.
    """
    options = _options().parse_args(arguments)
    status = 0
    try:
        with _lines(options.file) as lines:
            for row, was_json in decode_lines(
                lines,
                now=datetime.now(UTC),
                category=options.category,
                detect_disguised=options.detect_disguised,
            ):
                sys.stdout.write(as_json(row) + "\n")
                status = status if was_json else NOT_JSON
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        print(  # noqa: T201 - the command line
            f"mcpfusion: cannot read {options.file!r}: {error.strerror}",
            file=sys.stderr,
        )
        return NOT_JSON
    return status


def as_json(row: JsonValue, indent: int | None = None) -> str:
    """Return *row* as ASCII JSON; what JSON cannot hold becomes null."""
    try:
        return json.dumps(row, allow_nan=False, indent=indent)
    except (ValueError, RecursionError):
        return json.dumps(_plain(row, _MAX_DEPTH), allow_nan=False, indent=indent)


def _plain(value: JsonValue, depth: int) -> JsonValue:
    if is_object(value):
        pairs = value.items() if depth else ()
        return {key: _plain(part, depth - 1) for key, part in pairs}
    if is_array(value):
        return [_plain(part, depth - 1) for part in (value if depth else ())]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mcpfusion decode --jsonl",
        description="Decode one wire object a line into one JSON object a line.",
    )
    parser.add_argument("file", nargs="?", default="-", help="- is standard input")
    parser.add_argument("--jsonl", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument(
        "--category",
        choices=("category", "family"),
        default="category",
        help="what to print under category: the fine one or its family",
    )
    parser.add_argument(
        "--detect-disguised",
        action="store_true",
        help="look for failures that were sent as successes",
    )
    return parser


@contextlib.contextmanager
def _lines(name: str) -> Generator[TextIO]:
    """Open *name*; bytes that are not UTF-8 become replacement characters."""
    if name != "-":
        with open(name, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            yield file
        return
    with open(
        sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False
    ) as file:
        yield file
