"""Type expressions over several lines, broken the way ruff and black break them."""

import unicodedata
from collections.abc import Sequence

import attrs

from mcpfusion_client.codegen.syntax import (
    WIDTH,
    Atom,
    Choice,
    Either,
    Listing,
    Ref,
    Table,
    Type,
    Writer,
    literal,
)

_STEP = 4


def width(text: str) -> int:
    """Return the columns *text* takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


@attrs.frozen
class Layout:
    """Lays type expressions out with *writer*."""

    writer: Writer

    def field(self, name: str, shape: Type, *, required: bool) -> list[str]:
        """Return a field of a TypedDict class."""
        if required:
            return self._closed(shape, 4, f"    {name}: ", "")
        return self._wrapped("NotRequired", shape, 4, f"    {name}: ", "")

    def item(self, key: str, shape: Type, *, required: bool) -> list[str]:
        """Return an item of a functional TypedDict."""
        first = f"        {literal(key)}: "
        if required:
            return self._open(shape, 8, first, ",")
        return self._wrapped("NotRequired", shape, 8, first, ",")

    def parameter(self, name: str, shape: Type, *, default: str | None) -> list[str]:
        """Return a keyword-only parameter."""
        last = "," if default is None else f" = {default},"
        return self._open(shape, 8, f"        {name}: ", last)

    def alias(self, name: str, shape: Type) -> list[str]:
        """Return a type alias; a name that is too long gets parentheses too."""
        first = f"{name}: TypeAlias = "
        if isinstance(shape, Ref) and width(first + self.writer.flat(shape)) > WIDTH:
            return [f"{first}(", *self._inside(shape, 0), ")"]
        return self._closed(shape, 0, first, "")

    def _wrapped(
        self, head: str, part: Type, indent: int, first: str, last: str
    ) -> list[str]:
        line = f"{first}{head}[{self.writer.flat(part)}]{last}"
        if width(line) <= WIDTH:
            return [line]
        pad = " " * indent
        return [f"{first}{head}[", *self._inside(part, indent), f"{pad}]{last}"]

    def _closed(self, shape: Type, indent: int, first: str, last: str) -> list[str]:
        """A union that is too long gets parentheses."""
        line = f"{first}{self.writer.flat(shape)}{last}"
        if width(line) <= WIDTH or not isinstance(shape, Either):
            return self._open(shape, indent, first, last)
        return [f"{first}(", *self._inside(shape, indent), f"{' ' * indent}){last}"]

    def _open(self, shape: Type, indent: int, first: str, last: str) -> list[str]:
        """A union that is too long goes on below its first member."""
        line = f"{first}{self.writer.flat(shape)}{last}"
        if width(line) <= WIDTH or isinstance(shape, (Atom, Ref)):
            return [line]
        if isinstance(shape, Either):
            return self._members(shape.members, indent, first, last)
        head, _, _ = self.writer.flat(shape).partition("[")
        inner = self._arguments(shape, indent)
        return [f"{first}{head}[", *inner, f"{' ' * indent}]{last}"]

    def _members(
        self, members: Sequence[Type], indent: int, first: str, last: str
    ) -> list[str]:
        lines = self._open(members[0], indent, first, "")
        for member in members[1:-1]:
            lines += self._open(member, indent, f"{' ' * indent}| ", "")
        return lines + self._open(members[-1], indent, f"{' ' * indent}| ", last)

    def _inside(self, shape: Type, indent: int) -> list[str]:
        inner = indent + _STEP
        return self._open(shape, inner, " " * inner, "")

    def _arguments(self, shape: Type, indent: int) -> list[str]:
        inner = indent + _STEP
        pad = " " * inner
        flat = self.writer.flat(shape)
        line = pad + flat[flat.index("[") + 1 : -1]
        if width(line) <= WIDTH:
            return [line]
        match shape:
            case Listing(part):
                return self._inside(part, indent)
            case Table(part):
                key = self.writer.flat(Atom("str"))
                return [f"{pad}{key},", *self._open(part, inner, pad, ",")]
            case Choice((only,)):
                return [f"{pad}{literal(only)}"]
            case Choice(values):
                return [f"{pad}{literal(value)}," for value in values]
            case _:
                return [line]
