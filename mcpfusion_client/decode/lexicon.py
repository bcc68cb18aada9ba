"""What this decoder knows: the tables, and what its user added to them."""

from collections.abc import Mapping
from datetime import datetime

import attrs

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import codes as table

WINDOW = 16 * 1024
"""Characters of one result that are read for words."""


@attrs.frozen(kw_only=True)
class Lexicon:
    """Code words and phrases beyond the built-in tables.

    Attributes:
        codes: Normalised code word to its meaning; beats the built-in row.
        phrases: Lower-case text to look for, and what it means.
    """

    codes: Mapping[str, Meaning] = attrs.field(factory=dict[str, Meaning])
    phrases: tuple[tuple[str, Meaning], ...] = ()

    def meaning_of(self, code: str) -> Meaning | None:
        """Return what *code* means, None when nobody knows it."""
        own = self.own_meaning_of(code)
        return table.meaning_of(code) if own is None else own

    def own_meaning_of(self, code: str) -> Meaning | None:
        """Return what the user said *code* means."""
        if not self.codes or len(code) > table.MAX_CODE:
            return None
        return self.codes.get(table.normalise(code.removeprefix(table.SQLSTATE)))

    def is_known(self, code: str) -> bool:
        """Has *code* a row of its own?"""
        return table.is_known(code) or table.normalise(code) in self.codes


@attrs.frozen(kw_only=True)
class Context:
    """What a reader may look at besides the text.

    Attributes:
        lexicon: The code words and phrases.
        now: What absolute times are relative to, None: nobody said.
        window: How many characters of a text are read for words; what many text
            blocks share is divided between them.
    """

    lexicon: Lexicon = Lexicon()
    now: datetime | None = None
    window: int = WINDOW
