"""The README's picture shows what the command shows today."""

import html
import importlib.util
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "terminal_picture.py"
TEXT = re.compile(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>')
WAIT = re.compile(r"\d+\.\d+ s")


@pytest.fixture
def script() -> Any:
    """The script that takes the picture."""
    pytest.importorskip("pexpect")
    spec = importlib.util.spec_from_file_location("terminal_picture", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words(drawn: str) -> list[str]:
    """Return what is written in a picture, from top to bottom, without waits."""
    texts = [(float(y), float(x), said) for x, y, said in TEXT.findall(drawn)]
    line = " ".join(html.unescape(said) for _, _, said in sorted(texts))
    return WAIT.sub("", line.replace("\xa0", " ")).split()


def test_the_picture_is_what_the_demo_shows(script: Any) -> None:
    """Waits are drawn by lot; everything else is the same in every run."""
    kept = script.PICTURE.read_text(encoding="utf-8")

    shown = script.picture(script.screen())

    assert "rate_limited" in words(kept)
    assert words(shown) == words(kept)


def test_the_picture_loads_nothing_from_elsewhere(script: Any) -> None:
    """Whoever opens the README tells no third party."""
    kept = script.PICTURE.read_text(encoding="utf-8")

    assert "url(http" not in kept
    assert "@font-face" not in kept


def test_every_character_of_the_picture_is_one_column_wide(script: Any) -> None:
    """A wide one takes the room its font gives it, and moves the rest of the row."""
    kept = script.PICTURE.read_text(encoding="utf-8")

    written = set("".join(words(kept)))
    assert {
        char for char in written if unicodedata.east_asian_width(char) in "WF"
    } == set()
