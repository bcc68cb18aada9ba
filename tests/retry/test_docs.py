"""The documentation page says what the code decides."""

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs" / "decision_table.py"


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    """Run ``python docs/decision_table.py`` when this fails."""
    spec = importlib.util.spec_from_file_location("decision_table", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    page = script.PAGE.read_text(encoding="utf-8")

    assert page == script.page_as_it_should_be()
