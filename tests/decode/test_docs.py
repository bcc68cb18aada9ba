"""The reference page shows the tables as the decoder reads them."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def script() -> ModuleType:
    """Return ``docs/dialect_tables.py``."""
    path = ROOT / "docs" / "dialect_tables.py"
    spec = importlib.util.spec_from_file_location("dialect_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    """Run ``python docs/dialect_tables.py`` when this fails."""
    tables = script()

    assert tables.PAGE.read_text(encoding="utf-8") == tables.page_as_it_should_be()


def test_every_dialect_is_on_the_page() -> None:
    """A reader that is added names its dialect there."""
    named = re.compile(r'(?:dialect="|dialect: str = "|DIALECT = ")([a-z-]+)"')
    found = {
        name
        for path in (ROOT / "mcpfusion_client" / "decode").rglob("*.py")
        for name in named.findall(path.read_text(encoding="utf-8"))
    }
    page = script().PAGE.read_text(encoding="utf-8")

    assert {"fusion-xml", "text", "http"} <= found
    assert [name for name in found - {"veto"} if f"| `{name}` |" not in page] == []
