"""The commands in a real terminal: what a person sees while a call runs."""

import re
import signal
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.cli.conftest import InTerminal
from tests.cli.stage import SECRET

_COMMAND = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")


def ended(child: Any) -> tuple[int, str]:
    """Wait for the end; return the exit status and everything printed, as text."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, _COMMAND.sub("", child.before)


def test_progress_is_a_bar_while_the_call_runs(
    in_terminal: InTerminal, stage: str, gate: Path
) -> None:
    """A long call shows how far it is."""
    child = in_terminal("call", "--stdio", stage, "steps")

    child.expect_exact("calling steps")
    child.expect_exact("1/2")
    child.expect_exact("step 1")
    gate.write_text("go on")

    status, shown = ended(child)
    assert status == 0
    assert "done" in shown


def test_a_wait_is_counted_down_with_its_reason(
    in_terminal: InTerminal, stage: str
) -> None:
    """The server refuses once and names the wait."""
    child = in_terminal("call", "--stdio", stage, "busy")

    child.expect_exact("attempt 1 failed: RATE_LIMITED: queue is full")
    child.expect(r"busy: waiting, then attempt 2: 0\.\d s")

    status, shown = ended(child)
    assert status == 0
    assert "done" in shown


def test_a_failure_is_a_panel(in_terminal: InTerminal, http_stage: str) -> None:
    """One screen: what failed, what to do, what was tried."""
    status, shown = ended(in_terminal("call", http_stage, "refuse", "id=x"))

    assert status == 1
    for word in (
        "NOT_FOUND",
        "Send an id.",
        "invoices.list",
        "look up candidates",
        "attempt 1",
    ):
        assert word in shown
    assert "╭" in shown


def test_a_dumb_terminal_gets_plain_lines(in_terminal: InTerminal, stage: str) -> None:
    """An editor's shell has no cursor to move."""
    child = in_terminal("call", "--stdio", stage, "busy", term="dumb")

    child.expect(pexpect.EOF)
    assert "attempt 1 failed" in child.before
    assert "\x1b" not in child.before


@pytest.mark.parametrize(
    ("arguments", "seen", "may_have_run"),
    [
        (["demo"], "waiting", False),
        (["call", "steps"], "1/2", False),
        (["call", "pay"], "1/2", True),
    ],
)
def test_ctrl_c_ends_with_130(
    arguments: list[str],
    seen: str,
    may_have_run: bool,  # noqa: FBT001 - a column of the table
    in_terminal: InTerminal,
    stage: str,
) -> None:
    """Cleanly: one line, no traceback, and a warning about a write under way."""
    server = ["--stdio", stage] if arguments[0] == "call" else []
    child = in_terminal(*arguments, *server)
    child.expect_exact(seen)

    child.kill(signal.SIGINT)

    status, shown = ended(child)
    assert status == 130
    assert "interrupted" in shown
    assert ("may have run" in shown) is may_have_run
    assert "Traceback" not in shown


def test_what_a_server_wrote_cannot_drive_the_terminal(
    in_terminal: InTerminal, stage: str
) -> None:
    """No escape of the server arrives, no markup is obeyed, no secret is shown."""
    for words in (
        ["tools", "--stdio", stage, "hostile"],
        ["call", "--stdio", stage, "hostile"],
    ):
        child = in_terminal(*words)
        child.expect(pexpect.EOF)

        shown = child.before
        assert "[red]not markup[/red]" in _COMMAND.sub("", shown)
        assert "owned" not in shown
        assert "\x1b[2J" not in shown
        assert "\u202e" not in shown
        assert SECRET not in shown
