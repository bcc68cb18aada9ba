"""``mcpfusion codegen`` from the outside: files, difference, exit status."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpfusion_client.cli.codegen import command
from mcpfusion_client.model import JsonObject
from tests.codegen.making import HERE, tool

EXAMPLE = HERE / "example.json"
ROUTER = HERE / "example_router.py"


def codegen(*arguments: str | Path, given: str | None = None) -> Result:
    """Run the command the way `app.run` does."""
    return CliRunner().invoke(
        command, [str(each) for each in arguments], standalone_mode=False, input=given
    )


def status(result: Result) -> int:
    """Return the exit status the command line makes of *result*."""
    from mcpfusion_client.cli.exits import exit_status  # noqa: PLC0415 - one place

    if result.exception is not None:
        found = exit_status(result.exception)
        assert found is not None, result.exception
        return found
    value: int = result.return_value
    return value


def saved(folder: Path, *tools: JsonObject) -> Path:
    """Save a tool list."""
    path = folder / "tools.json"
    path.write_text(json.dumps({"tools": tools}))
    return path


def test_a_module_is_written(tmp_path: Path) -> None:
    """The same as the library call gives."""
    result = codegen(EXAMPLE, "-o", tmp_path / "router.py")

    assert status(result) == 0
    assert (tmp_path / "router.py").read_text("utf-8") == ROUTER.read_text("utf-8")


def test_without_a_file_it_goes_to_standard_output() -> None:
    """To look at it first."""
    assert codegen(EXAMPLE).stdout == ROUTER.read_text("utf-8")


@pytest.mark.parametrize("shape", ["list", "tools", "result"])
def test_a_saved_list_may_be_wrapped(shape: str) -> None:
    """As the protocol or a script left it."""
    tools = json.loads(EXAMPLE.read_text())["tools"]
    document = {
        "list": tools,
        "tools": {"tools": tools},
        "result": {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
    }[shape]

    assert codegen("-", given=json.dumps(document)).stdout == ROUTER.read_text("utf-8")


def test_what_cannot_be_typed_is_one_line_each(tmp_path: Path) -> None:
    """On standard error, so that the module can be piped."""
    path = saved(tmp_path, tool("t", {"a": {"$ref": "http://x"}, "b": {"type": "z"}}))

    result = codegen(path)

    assert status(result) == 0
    assert len(result.stderr.splitlines()) == 2


def test_without_a_file_the_source_is_in_the_json() -> None:
    """Whoever asks for JSON gets JSON."""
    report = json.loads(codegen(EXAMPLE, "--json").stdout)

    assert (report["output"], report["tools"]) == (None, 4)
    assert report["source"] == codegen(EXAMPLE).stdout


def test_writing_can_be_reported_as_json(tmp_path: Path) -> None:
    """For a script that regenerates."""
    result = codegen(EXAMPLE, "-o", tmp_path / "r.py", "--json")

    assert json.loads(result.stdout)["tools"] == 4


def test_an_up_to_date_router_passes() -> None:
    """Exit status 0."""
    assert status(codegen("--check", ROUTER, EXAMPLE)) == 0


def test_a_difference_fails_and_is_readable(tmp_path: Path) -> None:
    """Exit status 1, the worst first."""
    result = codegen("--check", ROUTER, saved(tmp_path, tool("ping", {"a": {}}, ["a"])))

    assert status(result) == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("BREAKING")
    assert any("ping" in line and "argument a" in line for line in lines)


def test_a_difference_as_json(tmp_path: Path) -> None:
    """For CI."""
    result = codegen("--check", ROUTER, saved(tmp_path, tool("ping")), "--json")

    report = json.loads(result.stdout)
    assert status(result) == 1
    assert report["up_to_date"] is False
    assert report["grade"] == "BREAKING"
    assert {"grade", "action", "place", "change", "before", "after"} == set(
        report["changes"][0]
    )


@pytest.mark.parametrize(
    ("limit", "expected"), [("safe", 1), ("risky", 0), ("breaking", 0)]
)
def test_small_changes_may_pass(limit: str, expected: int, tmp_path: Path) -> None:
    """A new tool breaks nobody."""
    tools = json.loads(EXAMPLE.read_text())["tools"]
    path = saved(tmp_path, *tools, tool("more"))

    assert status(codegen("--check", ROUTER, path, "--fail-on", limit)) == expected


def test_checking_needs_no_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    """A CI job compares without the extra."""
    monkeypatch.setitem(__import__("sys").modules, "datamodel_code_generator", None)

    assert status(codegen("--check", ROUTER, EXAMPLE)) == 0


def test_generating_without_the_extra_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Exit status 2, one line."""
    monkeypatch.setitem(__import__("sys").modules, "datamodel_code_generator", None)

    result = codegen(EXAMPLE)

    assert status(result) == 2
    assert "mcpfusion-client[codegen]" in str(result.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--check", "no-such-file.py", str(EXAMPLE)],
        ["--check", str(EXAMPLE), str(EXAMPLE)],
        ["--check", str(ROUTER), str(EXAMPLE), "-o", "x.py"],
        [str(EXAMPLE), "--name", "not a name"],
        [str(EXAMPLE), "--name", "lower"],
        [str(ROUTER)],
        [str(EXAMPLE), "--fail-on", "never"],
    ],
)
def test_wrong_use_is_status_2(arguments: list[str]) -> None:
    """As everywhere on this command line."""
    assert status(codegen(*arguments)) == 2


def test_a_file_of_servers_is_pointed_to_its_option(tmp_path: Path) -> None:
    """It looks like a saved list, and is what --config takes."""
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"a": {"command": "x"}}}')

    result = codegen(file)

    assert status(result) == 2
    assert f"--config {file}" in str(result.exception)


def test_a_file_that_is_missing_is_named_once() -> None:
    """And no number of an error."""
    told = str(codegen("/no/such.json").exception)

    assert told.count("/no/such.json") == 1
    assert "Errno" not in told


def test_no_server_is_status_4() -> None:
    """Nobody listens on port 9."""
    assert status(codegen("http://127.0.0.1:9/mcp")) == 4


def test_hostile_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    """A difference is shown as one line without control characters."""
    path = saved(tmp_path, tool("x\x1b[31m\nBREAKING\u202e"))

    shown = codegen("--check", ROUTER, path).stdout

    assert "\x1b[31m" not in shown.replace("\x1b[31mBREAKING", "")
    assert "\u202e" not in shown
