"""What a call is doing right now: attempts, waits with a countdown, progress.

In a terminal the last lines change in place; elsewhere each retry is one line.
"""

import contextlib
from collections.abc import Generator
from typing import Final

import attrs
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from mcpfusion_client.cli.console import is_live
from mcpfusion_client.cli.wording import failure
from mcpfusion_client.clock import Clock
from mcpfusion_client.middleware import Next
from mcpfusion_client.model import Attempt, ToolCall, ToolResult
from mcpfusion_client.model.text import one_line
from mcpfusion_client.observers import Observer
from mcpfusion_client.retry.safety import is_harmless

_PER_SECOND: Final = 8
_BAR_WIDTH: Final = 40


class CallStatus(Observer):
    """Observes one call, counts its attempts and shows what it is doing."""

    def __init__(
        self,
        screen: Console,
        clock: Clock,
        *,
        tool: str,
        max_attempts: int,
        quiet: bool,
    ) -> None:
        """Take what is known before the call.

        Args:
            screen: Where it is shown.
            clock: Counts the waits down.
            tool: What is called, as the user wrote it.
            max_attempts: The most attempts.
            quiet: Print no line for a retry where nothing can change in place.
        """
        self._screen = screen
        self._clock = clock
        self._tool = one_line(tool, 80)
        self._max_attempts = max_attempts
        self._quiet = quiet and not is_live(screen)
        self._spinner = Spinner("dots" if screen.encoding == "utf-8" else "line")
        self._doing = "connecting"
        self._under_way: ToolCall | None = None
        self._until: float | None = None
        self._progress: tuple[float, float | None, str] | None = None

    @property
    def may_have_run(self) -> bool:
        """Was the call cut off in an attempt, and is not known to be harmless?

        A key that makes a repeat harmless is lost with the call it was made for.
        """
        if self._under_way is None:
            return False
        effects = attrs.evolve(self._under_way.effects, idempotency_argument=None)
        return not is_harmless(effects)

    @contextlib.contextmanager
    def shown(self) -> Generator[None, None, None]:
        """Show it in place while the body runs, where that is possible."""
        if not is_live(self._screen):
            yield
            return
        with Live(
            self, console=self._screen, transient=True, refresh_per_second=_PER_SECOND
        ):
            yield

    async def attempt(self, call: ToolCall, call_next: Next) -> ToolResult:
        """Note, as a middleware, that an attempt starts."""
        self._doing = f"calling {self._tool}"
        if call.attempt > 1:
            self._doing += f", attempt {call.attempt} of {self._max_attempts}"
        self._until = self._progress = None
        self._under_way = call
        try:
            result = await call_next(call)
        except Exception:
            self._under_way = None
            raise
        self._under_way = None
        return result

    def warn(self, line: str) -> None:
        """Show a warning above what the call is doing."""
        warning = Text(f"mcpfusion: warning: {line}", style="yellow")
        self._screen.print(warning, soft_wrap=True)

    def asked(self, question: str) -> None:
        """Say what the server asked the user, and that nobody answered."""
        self.warn(f"the server asks {one_line(question, 200)!r}: declined")

    async def progress(
        self, done: float, total: float | None, message: str | None
    ) -> None:
        """Take a progress notification."""
        self._progress = (done, total, one_line(message or "", 80))

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        """Say what failed, and count down to the next attempt."""
        del call  # there is only one, and the user named it
        delay = attempt.delay or 0.0
        self._doing = f"{self._tool}: waiting, then attempt {attempt.number + 1}:"
        self._until = self._clock.monotonic() + delay
        if not self._quiet and attempt.error is not None:
            line = (
                f"attempt {attempt.number} failed: {failure(attempt.error)}; "
                f"again in {delay:.1f} s"
            )
            self._screen.print(Text(line, style="yellow"), soft_wrap=True)

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:
        """Count down to when the server lets the call through."""
        del call
        self._doing = f"{self._tool}: held back, the server asked for a wait:"
        self._until = None if seconds is None else self._clock.monotonic() + seconds

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        """Draw it as it is now."""
        left = ""
        if self._until is not None:
            left = f" {max(0.0, self._until - self._clock.monotonic()):.1f} s"
        self._spinner.update(text=Text(f"{self._doing}{left}"))
        yield self._spinner
        if self._progress is not None:
            yield _bar(*self._progress)


def _bar(done: float, total: float | None, message: str) -> Table:
    grid = Table.grid(padding=(0, 1))
    if total:
        counted = f"{done:g}/{total:g}"
        bar = ProgressBar(total=total, completed=min(done, total), width=_BAR_WIDTH)
    else:
        counted = f"{done:g}"
        bar = ProgressBar(total=None, width=_BAR_WIDTH)
    grid.add_row(Text(" "), bar, Text(counted), Text(message))
    return grid
