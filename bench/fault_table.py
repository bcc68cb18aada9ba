"""Print the page of faults: what the tests expect, and how long it took.

    python bench/fault_table.py              # print the page
    python bench/fault_table.py --write      # write docs/reference/faults.md
    python bench/fault_table.py --measure    # run every fault first, three times

`--measure` takes some minutes and covers the installed SDK; the seconds of the other
one stay as they are in docs/reference/faults.json. It ends with an error where a fault
comes to something else than the tests expect.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from tests.faults.measure import installed, measured, ways
from tests.faults.page import PAGE, read_seconds, render, write_seconds
from tests.faults.sdk import SDK


def measure() -> None:
    """Measure every way of the installed SDK."""
    known = read_seconds()
    for way in ways():
        print(f"{way.table}, mcp {way.stack}", file=sys.stderr)
        known.seconds.setdefault(way.table, {})[way.stack] = measured(way)
    known.versions[str(SDK)] = installed()
    write_seconds(known)


def main() -> None:
    """Print the page, or write it."""
    if "--measure" in sys.argv[1:]:
        measure()
    page = render(read_seconds())
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page)
    else:
        print(page)


if __name__ == "__main__":
    main()
