"""The page of faults says what the tests expect, and how long it took."""

from collections.abc import Iterator, Mapping

from tests.faults import expectations, test_sse, test_stdio
from tests.faults.expectations import Expected
from tests.faults.expectations_wrapped import FIRST_GENERATION, SECOND_GENERATION
from tests.faults.harness import MARGIN, SHORT
from tests.faults.page import PAGE, read_seconds, render

AT_ONCE = 5.0
"""Seconds that an answer "at once" may have taken in a run that is on the page."""

TABLES: dict[str, dict[str, Mapping[str, Expected]]] = {
    "own": {
        "1 legacy": expectations.own("legacy"),
        "2 legacy": expectations.own("legacy"),
        "2 modern": expectations.own("modern"),
    },
    "wrapped": {
        "1 legacy": FIRST_GENERATION,
        "2 legacy": SECOND_GENERATION,
        "2 modern": SECOND_GENERATION,
    },
    "stdio": {"1": test_stdio.ROWS, "2": test_stdio.ROWS},
    "sse": {"1": test_sse.ROWS, "2": test_sse.ROWS},
}


def test_the_page_is_printed_from_the_tables() -> None:
    """Write it with ``python bench/fault_table.py --write``."""
    assert PAGE.read_text() == render(read_seconds())


def test_every_fault_was_measured_on_every_stack() -> None:
    """A new row needs ``python bench/fault_table.py --measure``, on both SDKs."""
    seconds = read_seconds().seconds

    measured = {
        table: {stack: set(took) for stack, took in stacks.items()}
        for table, stacks in seconds.items()
    }

    assert measured == {
        table: {stack: set(rows) for stack, rows in stacks.items()}
        for table, stacks in TABLES.items()
    }


def test_what_was_measured_is_within_what_is_expected() -> None:
    """Nothing on the page contradicts the column beside it."""
    assert list(_too_early_or_late()) == []


def _too_early_or_late() -> Iterator[str]:
    seconds = read_seconds().seconds
    for table, stacks in TABLES.items():
        for stack, rows in stacks.items():
            for fault, row in rows.items():
                took = seconds[table][stack][fault]
                earliest = SHORT if row.answered == "timeout" else 0.0
                latest = AT_ONCE if row.answered == "at once" else SHORT + MARGIN
                if not earliest <= took <= latest:
                    yield f"{table} {stack} {fault}: {took} s"
