"""Where commands print: results on standard output, everything else on error.

Text is never markup here: what a server wrote goes into `rich.text.Text`.
"""

from typing import Final

from rich.console import Console
from rich.text import Text

from mcpfusion_client.model.text import redact, visible

# A pipe has no width of its own; narrower than this and words break.
_PIPE_WIDTH: Final = 120
_TAB_SIZE: Final = 4


def console(*, stderr: bool = False) -> Console:
    """Return a console that takes text as it is, in a terminal and in a pipe."""
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if made.is_terminal:
        return made
    return Console(
        stderr=stderr, markup=False, emoji=False, highlight=False, width=_PIPE_WIDTH
    )


def is_live(screen: Console) -> bool:
    """Can *screen* show what changes?"""
    return screen.is_terminal and not screen.is_dumb_terminal


def untrusted(text: str, style: str = "") -> Text:
    """Return a server's *text*, several lines of it, redacted and harmless."""
    return Text(redact(visible(text)), style=style, tab_size=_TAB_SIZE)
