"""``mcpfusion demo``: the first thing a new user sees."""

import json
import subprocess
import sys
from typing import Any

import pytest

RUN = "import sys; from mcpfusion_client.cli.entry import main; main()"

EXPECTED = [
    # action, category, reason, attempts, in the order they are made
    ("orders.search", "rate_limited", "retried", 2),
    ("orders.lookup", "transient", "retried", 2),
    ("billing.get_invoice", "validation", "not_retryable", 1),
    ("sources.fetch", "permission", "server_said_no", 1),
    ("refunds.process", "business", "server_said_no", 1),
    ("billing.get_invoice", "not_found", "not_retryable", 1),
    ("tickets.list_open", None, "first_try", 1),
    ("customers.find", "ambiguous", "server_said_no", 1),
    ("billing.create_invoice", "transient", "unknown_outcome_write", 1),
    ("reports.export", "business", "first_try", 1),
    ("sources.fetch", "permission", "server_said_no", 1),
    ("web.search", None, "first_try", 1),
    ("sources.summarize", None, "first_try", 1),
]


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the demo in a pipe."""
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", RUN, "demo", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """What the demo prints for machines."""
    done = demo("--json")
    assert done.returncode == 0, done.stderr
    parsed: list[dict[str, Any]] = json.loads(done.stdout)
    return parsed


def test_the_demo_shows_every_kind_of_failure(rows: list[dict[str, Any]]) -> None:
    """Each step ends as the documents say it has to."""
    seen = [
        (row["action"], row["category"], row["reason"], row["attempts"]) for row in rows
    ]

    assert seen == EXPECTED


def test_the_demo_never_waits_less_than_the_server_asked(
    rows: list[dict[str, Any]],
) -> None:
    """The rate limit asks for one second."""
    (delay,) = rows[0]["delays"]

    assert delay >= 1.0


def test_a_write_that_timed_out_asks_for_a_look(rows: list[dict[str, Any]]) -> None:
    """It may have created the invoice."""
    write = next(row for row in rows if row["action"] == "billing.create_invoice")

    assert write["next_step"] == "look whether it ran"


def test_in_a_pipe_the_demo_prints_a_whole_table_without_terminal_codes() -> None:
    """CI logs and pipes get the same table as a terminal."""
    done = demo()

    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert all(action in done.stdout for action, *_ in EXPECTED)
    assert done.stderr == ""
