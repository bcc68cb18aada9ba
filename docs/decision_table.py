"""Write the tables of *What is retried, and why* from the code that decides.

Run it after a change of the rows; a test holds the page to them.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from mcpfusion_client.retry.decision import TABLE
from mcpfusion_client.retry.room import CHECKS

PAGE = Path(__file__).parent / "explanation" / "what-is-retried.md"


def decision_table() -> str:
    """Return the decision table in Markdown."""
    rows = ((row.outcome, row.repeat.value, row.why) for row in TABLE)
    return _table(("outcome", "repeated?", "why"), rows)


def room_table() -> str:
    """Return the limits in Markdown, in the order in which they are asked."""
    rows = ((f"`{check.reason.value}`", check.why) for check in CHECKS)
    return _table(("reason", "when"), rows)


def filled(page: str, tables: Mapping[str, str]) -> str:
    """Return *page* with every table between its marks replaced.

    Args:
        page: Holds ``<!-- begin NAME -->`` and ``<!-- end NAME -->`` for each.
        tables: The tables by name.
    """
    for name, table in tables.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        head, rest = page.split(begin)
        _, tail = rest.split(end)
        page = f"{head}{begin}\n{table}\n{end}{tail}"
    return page


def page_as_it_should_be() -> str:
    """Return the page with both tables as the code has them."""
    tables = {"decisions": decision_table(), "room": room_table()}
    return filled(PAGE.read_text(encoding="utf-8"), tables)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = tuple(head)
    lines = (names, ("---",) * len(names), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page_as_it_should_be(), encoding="utf-8")
