"""Text a server wrote, made fit for a docstring of the generated module.

It must not end the docstring, be run by doctest, steer a documentation builder or
reorder what a reader sees.
"""

import re
import textwrap
import unicodedata
from typing import Final

from mcpfusion_client.codegen.layout import width
from mcpfusion_client.codegen.syntax import WIDTH

_MAX_PARAGRAPHS: Final = 4000
_MAX_LINE: Final = 400
_BLANK_LINES = re.compile(r"\n{3,}")
_DIRECTIVE = re.compile(r"^(\s*)\.\. ")
_SHORTEST = 24


def clean(text: object, *, limit: int = _MAX_PARAGRAPHS) -> str:
    """Return untrusted *text* as lines that are safe inside triple quotes."""
    if not isinstance(text, str):
        return ""
    cut = text[: 2 * limit].replace("\r\n", "\n").replace("\r", "\n")
    visible = "".join(_visible(char) for char in cut)
    if len(visible) > limit or len(text) > 2 * limit:
        visible = visible[: limit - 1].rstrip() + "…"
    safe = visible.replace("\\", "\\\\").replace('"""', "'''").replace(">>>", ">>")
    lines = [_DIRECTIVE.sub(r"\1. . ", line.rstrip()) for line in safe.split("\n")]
    joined = _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()
    return _without_outer_quotes(joined)


def clean_line(text: object, *, limit: int = _MAX_LINE) -> str:
    """Return untrusted *text* as one such line."""
    return _without_outer_quotes(" ".join(clean(text, limit=limit).split()))


def _visible(char: str) -> str:
    if char == "\n":
        return char
    if char == "\t":
        return "    "
    category = unicodedata.category(char)
    if category in {"Zl", "Zp"}:
        return " "
    return "" if category.startswith("C") else char


def _without_outer_quotes(text: str) -> str:
    if text.startswith('"'):
        text = f"'{text[1:]}"
    return f"{text[:-1]}'" if text.endswith('"') else text


def wrap(text: str, *, indent: int, hang: int = 0) -> list[str]:
    """Return *text* as indented lines of at most the line width.

    Args:
        text: Already clean.
        indent: Columns before every line.
        hang: More columns before every line but the first.
    """
    lines: list[str] = []
    for number, line in enumerate(text.split("\n")):
        own = len(line) - len(line.lstrip(" "))
        first = " " * (indent + own + (hang if number else 0))
        room = max(WIDTH, len(first) + _SHORTEST)
        pieces = textwrap.wrap(
            line.strip(),
            width=room,
            initial_indent=first,
            subsequent_indent=" " * (indent + own + hang),
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += pieces or [""]
    return lines


def docstring(body: list[str], *, indent: int) -> list[str]:
    """Return *body*, clean lines already indented, as a docstring."""
    pad = " " * indent
    first, *rest = body
    opening = f'{pad}"""{first.strip()}'
    if not rest and width(opening) + len('"""') <= WIDTH:
        return [f'{opening}"""']
    return [opening, *rest, f'{pad}"""']
