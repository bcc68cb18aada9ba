"""The command line starts fast, without what it does not need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mcpfusion_client._version import __version__
from tests.cli.conftest import InPipe

ENVELOPE = (
    '<tool_error code="RATE_LIMITED" severity="error">\n<message>slow</message>\n'
    "<retry_after>30 seconds</retry_after>\n</tool_error>"
)
NOT_FOUND = (
    '<tool_error code="NOT_FOUND" severity="error">\n<message>no such id</message>\n'
    "</tool_error>"
)
RESULT = {"content": [{"type": "text", "text": ENVELOPE}], "isError": True}


def mcpfusion(
    *arguments: str, text: str = "", python: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, in a pipe."""
    code = (
        f"import sys; {python}\n"
        "from mcpfusion_client.cli.entry import main\nsys.argv[0] = 'mcpfusion'\nmain()"
    )
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        encoding="utf-8",
    )


def test_help_lists_the_commands_and_loads_no_sdk() -> None:
    """Help answers at once, so nothing heavy may be imported for it."""
    done = mcpfusion(
        "--help",
        python="import atexit; atexit.register(lambda: sys.stderr.write(' '.join("
        "sorted({m.split('.')[0] for m in sys.modules}))))",
    )

    loaded = set(done.stderr.split())
    assert done.returncode == 0
    assert "demo" in done.stdout
    assert not loaded & {"mcp", "mcp_types", "httpx", "httpx2", "pydantic", "fastmcp"}
    assert not loaded & {"rich", "anyio", "jsonschema", "xml", "asyncio"}


def test_without_a_command_the_help_is_shown() -> None:
    """And nothing was done."""
    done = mcpfusion()

    assert done.returncode == 2
    assert "tools" in done.stdout


def test_the_version_is_printed() -> None:
    """Bug reports start with it."""
    assert __version__ in mcpfusion("--version").stdout


def test_a_wrong_option_is_a_usage_error(in_process: InPipe) -> None:
    """Exit status 2 is for what the user typed wrong."""
    done = in_process("demo", "--nonsense")

    assert done.returncode == 2
    assert "--nonsense" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_command_that_does_not_exist_is_answered_with_one_that_does(
    in_process: InPipe,
) -> None:
    """One line, for a slip of the finger."""
    done = in_process("toosl")

    assert done.returncode == 2
    assert "tools" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion_script(shell: str) -> None:
    """Named, or found in $SHELL."""
    named = mcpfusion("completion", shell)
    found = mcpfusion(
        "completion", python=f"import os; os.environ['SHELL'] = '/usr/bin/{shell}'"
    )

    assert named.returncode == 0
    assert "_MCPFUSION_COMPLETE" in named.stdout
    assert found.stdout == named.stdout


def test_an_unknown_shell_is_a_usage_error() -> None:
    """Said with those that are known."""
    done = mcpfusion("completion", python="import os; os.environ['SHELL'] = 'tcsh'")

    assert done.returncode == 2
    assert "fish" in done.stderr


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("mcpfusion too", {"tools"}),
        ("mcpfusion tools --sch", {"--schema"}),
        ("mcpfusion tools --config FILE fi", {"files"}),
        ("mcpfusion tools --config FILE files fi", set[str]()),
    ],
)
def test_commands_options_and_servers_are_completed(
    typed: str, expected: set[str], tmp_path: Path
) -> None:
    """As the script asks for it; a server's name comes from the file."""
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"files": {}, "time": {}}}', "utf-8")
    words = typed.replace("FILE", str(file))
    asked = {
        "_MCPFUSION_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }

    done = mcpfusion(python=f"import os; os.environ.update({asked!r})")

    completions = {line.partition(",")[2] for line in done.stdout.split()}
    assert completions == expected


def test_without_the_extra_one_line_says_how_to_get_it() -> None:
    """A missing optional package is no traceback."""
    done = mcpfusion("demo", python="sys.modules['click'] = None")

    assert done.returncode == 2
    assert "mcpfusion-client[cli]" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_jsonl_needs_neither_the_extra_nor_an_sdk() -> None:
    """Bulk decoding runs where only the core is installed."""
    done = mcpfusion(
        "decode",
        "--jsonl",
        text=json.dumps({"id": 7, "result": RESULT}) + "\n",
        python="sys.modules.update(dict.fromkeys(('click', 'rich', 'mcp', 'httpx')))",
    )

    row = json.loads(done.stdout)
    assert done.returncode == 0
    assert (row["id"], row["code"], row["retry_after_s"]) == (7, "RATE_LIMITED", 30.0)


def test_jsonl_keeps_the_order_and_survives_a_line_that_is_not_json(
    in_process: InPipe,
) -> None:
    """One bad line must not cost the others."""
    first = json.dumps({"id": "a", **RESULT})
    last = json.dumps({"id": "b", "content": ()})
    text = f"{first}\n{{\n{last}"

    done = in_process("decode", "--jsonl", "-", text=text)

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [row["id"] for row in rows] == ["a", None, "b"]
    assert "error" in rows[1]
    assert [rows[0]["failed"], rows[2]["failed"]] == [True, False]


def test_jsonl_prints_ascii_and_finite_numbers_only(
    in_process: InPipe, tmp_path: Path
) -> None:
    """The output is JSON for any reader, whatever stood in the input."""
    odd = {
        "content": [{"type": "text", "text": "\ud800 日本"}],
        "isError": True,
        "structuredContent": {"details": {"big": "1e999"}, "retryAfter": "1e999"},
    }
    file = tmp_path / "odd.jsonl"
    file.write_text(json.dumps(odd).replace('"1e999"', "1e999"), encoding="utf-8")

    done = in_process("decode", "--jsonl", str(file))

    def refuse(name: str) -> float:
        raise AssertionError(name)

    assert done.stdout.isascii()
    assert json.loads(done.stdout, parse_constant=refuse)["retry_after_s"] is None


def test_jsonl_can_print_the_family(in_process: InPipe) -> None:
    """The coarse category is what most statistics want."""
    text = json.dumps(RESULT)

    fine = json.loads(in_process("decode", "--jsonl", text=text).stdout)
    coarse = json.loads(
        in_process("decode", "--jsonl", "--category", "family", text=text).stdout
    )

    assert (fine["category"], coarse["category"]) == ("rate_limited", "transient")


def test_jsonl_says_which_file_cannot_be_read(
    in_process: InPipe, tmp_path: Path
) -> None:
    """A misspelt file name is the user's to fix."""
    done = in_process("decode", "--jsonl", str(tmp_path / "none.jsonl"))

    assert done.returncode == 2
    assert "none.jsonl" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", [ENVELOPE, json.dumps(RESULT)])
def test_decode_explains_a_result_or_a_bare_text(text: str) -> None:
    """People paste what they have: the JSON, or only the text of it."""
    done = mcpfusion("decode", text=text)

    assert done.returncode == 0
    assert "RATE_LIMITED" in done.stdout
    assert "the server" in done.stdout
    assert "inferred" in done.stdout


def test_decode_takes_a_json_rpc_message(in_process: InPipe) -> None:
    """A protocol error is pasted as the whole message."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32602, "message": "Unknown tool: x"},
    }

    row = json.loads(in_process("decode", "--json", text=json.dumps(message)).stdout)

    assert (row["ok"], row["error"]["origin"]) == (False, "protocol")


def test_decode_of_a_rate_limit_says_what_the_client_would_do(
    in_process: InPipe,
) -> None:
    """The explanation ends in a decision for each kind of tool."""
    row = json.loads(in_process("decode", "--json", text=ENVELOPE).stdout)

    assert len(row["would_do"]) == 3
    assert all("30" in plan for plan in row["would_do"].values())


def test_decode_prints_no_terminal_codes_of_the_server(in_process: InPipe) -> None:
    """What a server wrote must not drive the reader's terminal."""
    text = ENVELOPE.replace("slow", "\x1b[2Jslow\u202e")

    done = in_process("decode", text=text)

    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_decode_lists_only_what_is_known_of_an_unknown_failure(
    in_process: InPipe,
) -> None:
    """Rows for what nobody said hide the few that say something."""
    shown = in_process("decode", text="it broke").stdout

    assert "category" in shown
    assert "partial_results" not in shown
    assert "category_detail" not in shown


@pytest.mark.parametrize(
    ("pasted", "is_result"),
    [
        ({"a": 1}, False),
        ({}, False),
        ({"result": {"a": 1}}, False),
        ({"error": {"code": -32602, "message": "no"}}, False),
        ({"content": []}, True),
        ({"structuredContent": {"a": 1}}, True),
        ({"jsonrpc": "2.0", "id": 1, "result": {"isError": False}}, True),
    ],
)
def test_decode_tells_a_success_from_what_is_no_result(
    in_process: InPipe, pasted: object, *, is_result: bool
) -> None:
    """A mapping without a key of a result is a success only for want of evidence."""
    done = in_process("decode", text=json.dumps(pasted))

    assert done.returncode == 0
    assert ("isError" not in done.stdout) is is_result


def test_nobody_knows_that_an_unknown_failure_would_come_again(
    in_process: InPipe,
) -> None:
    """Two reasons for one decision must not contradict each other."""
    unknown = in_process("decode", "--json", text="it broke").stdout
    known = in_process("decode", "--json", text=NOT_FOUND).stdout

    assert "without evidence that it is temporary" in unknown
    assert "would fail again" not in unknown
    assert "would fail again" in known


@pytest.mark.parametrize("text", ["", " \n"])
def test_decode_of_nothing_is_wrong_use(in_process: InPipe, text: str) -> None:
    """An empty pipe is a mistake before this command, and no failure of a tool."""
    done = in_process("decode", text=text)

    assert (done.returncode, done.stdout) == (2, "")
    assert "is empty" in done.stderr
