"""The page of faults says what the tests expect."""

from tests.faults.page import PAGE, render


def test_the_page_is_printed_from_the_tables() -> None:
    """Write it with ``python bench/fault_table.py --write``."""
    assert PAGE.read_text() == render()
