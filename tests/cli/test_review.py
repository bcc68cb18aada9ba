"""``mcpfusion review``: recorded failures in, a report out."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mcpfusion_client.cli.app import app
from mcpfusion_client.cli.exits import exit_status
from mcpfusion_client.review import RULES

TOKEN = "ghp_" + "a1B2" * 9
GOOD = (
    '<tool_error code="NOT_FOUND" severity="error">\n<message>No invoice with that ID'
    "</message>\n<recovery>List invoices first</recovery>\n<available_actions>\n"
    "  <action>billing.list_invoices</action>\n</available_actions>\n</tool_error>"
)


def line(text: str, **beside: Any) -> str:
    """Return one recorded failure."""
    blocks = [{"type": "text", "text": text}]
    return json.dumps({"result": {"content": blocks, "isError": True}, **beside})


def run(*arguments: str, text: str = "") -> Result:
    """Run the command in this process, in a pipe."""
    return CliRunner().invoke(
        app, ["review", *arguments], input=text, standalone_mode=False
    )


RECORDED = "\n".join(
    [
        line(GOOD, tool="billing_get_invoice"),
        line(f"token={TOKEN} refused", tool="billing_pay"),
        line("\x1b[2J[red]Operation failed[/red]\u202e", tool="[bold]x|y`z\x1b[1m"),
        json.dumps({"content": [{"type": "text", "text": "fine"}]}),
    ]
)


def test_the_table_names_tools_scores_and_what_to_do() -> None:
    """It reads the same in a pipe as in a terminal."""
    done = run("-", text=RECORDED)

    assert done.return_value == 0
    assert "3 failures among 4 results" in done.stdout
    assert all(word in done.stdout for word in ("billing_pay", "no-secrets", "retry"))


@pytest.mark.parametrize("form", ["table", "json", "markdown"])
def test_no_form_prints_a_secret_or_drives_a_terminal(form: str) -> None:
    """What servers and recordings hold is untrusted in every form."""
    done = run("-", "--format", form, text=RECORDED)

    assert done.return_value == 0
    assert TOKEN not in done.output
    assert TOKEN[:12] not in done.output
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_a_name_like_markup_is_printed_as_it_is() -> None:
    """Rich markup from a server must not style our report."""
    assert "[bold]x|y`z" in run("-", text=RECORDED).stdout


def test_a_name_cannot_leave_its_cell_in_markdown() -> None:
    """A report is pasted where links and mentions work."""
    out = run("-", "--format", "markdown", text=RECORDED).stdout

    assert "`[bold]x\\|y'z`" in out
    rows = [row for row in out.splitlines() if row.startswith("| `")]
    assert {row.replace("\\|", "").count("|") for row in rows} == {11}


def test_json_has_a_score_for_all_for_each_tool_and_each_line() -> None:
    """Machines get everything the table has, and each failure."""
    report = json.loads(run("-", "--json", text=RECORDED).stdout)

    scores = {tool["tool"]: tool["score"] for tool in report["tools"]}
    assert scores["billing_pay"] == 0.0
    assert scores["billing_get_invoice"] > 80
    assert report["failures"] == 3
    assert [one["line"] for one in report["reviewed"]] == [1, 2, 3]
    problems = {found["rule"] for found in report["reviewed"][2]["problems"]}
    assert {"what-happened", "how-to-fix", "retry"} <= problems


def test_the_draft_invents_nothing_and_leaves_out_leaks() -> None:
    """A person fills in what the server does not say."""
    text = line("Payment of 10.0.3.7 timed out\nTraceback (most recent call last):\n x")

    out = run("-", "--format", "markdown", text=text).stdout

    draft = out.partition("## Drafts")[2]
    assert "How to fix: ???" in draft
    assert "guess: transient" in draft
    assert "10.0.3.7" not in draft
    assert "Traceback" not in draft


@pytest.mark.parametrize(("limit", "status"), [("50", 1), ("0", 0)])
def test_fail_under_is_for_ci(limit: str, status: int) -> None:
    """The status says whether a tool is below the limit; the report is the same."""
    done = run("-", "--fail-under", limit, text=RECORDED)

    assert done.return_value == status
    assert ("billing_pay" in done.stderr) is (status == 1)
    assert "3 failures" in done.stdout


def test_a_line_that_is_not_json_is_named_and_the_rest_is_reviewed() -> None:
    """The same as with decode --jsonl."""
    done = run("-", text=f"{line(GOOD)}\nnot json\n{line('Error')}\n")

    assert done.return_value == 2
    assert "line 2" in done.stderr
    assert "2 failures among 2 results" in done.stdout


def test_recordings_without_a_failure_are_fine(tmp_path: Path) -> None:
    """Nothing to review is no error."""
    file = tmp_path / "fine.jsonl"
    file.write_text('{"content": []}\n', encoding="utf-8")

    done = run(str(file), "--fail-under", "90")

    assert done.return_value == 0
    assert "nothing to review" in done.stdout


@pytest.mark.parametrize(
    "arguments", [(), ("-",), ("no/such/file",), ("-", "--fail-under", "101")]
)
def test_what_cannot_be_reviewed_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    """No file, an empty one, a missing one, a limit that is none."""
    done = run(*arguments)

    assert done.exception is not None
    assert exit_status(done.exception) == 2
    assert "Traceback" not in done.output


def test_the_rules_can_be_listed() -> None:
    """People ask what a rule means without a recording at hand."""
    rules = json.loads(run("--rules", "--json").stdout)

    assert {"id", "why", "fix", "source", "points"} <= rules[0].keys()
    assert not any("seed" in rule["source"] for rule in rules)
    assert all(rule["id"] in run("--rules").stdout for rule in rules)


def test_the_page_lists_every_rule() -> None:
    """Who reads the page sees what the command looks for."""
    page = Path(__file__).parents[2] / "docs" / "how-to" / "review-errors.md"

    rows = [row for row in page.read_text("utf-8").splitlines() if row[:3] == "| `"]

    listed = {row.split("`")[1] for row in rows}
    assert {rule.id for rule in RULES} <= listed
