"""TARGET: a URL, a command, or a server of a host's configuration file."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mcpfusion_client.cli.server_configs import configured_server
from mcpfusion_client.cli.targets import Target, takes_target

URL = "https://example.com/mcp"


@click.command()
@takes_target("TOOL")
def probe(*, target: Target, words: tuple[str, ...]) -> tuple[Target, tuple[str, ...]]:
    """Return what was resolved."""
    return target, words


def resolve(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """Resolve *arguments* as a command would."""
    return CliRunner(env=env).invoke(probe, list(arguments), standalone_mode=False)


def target(*arguments: str, env: dict[str, str] | None = None) -> Target:
    """Return the target that *arguments* name."""
    result = resolve(*arguments, env=env)
    assert result.exception is None, result.exception
    found: Target = result.return_value[0]
    return found


def refusal(*arguments: str) -> str:
    """Return why *arguments* name no target; it has to be one line."""
    error = resolve(*arguments).exception
    assert isinstance(error, click.ClickException), error
    assert "\n" not in error.message
    return error.message


def saved(folder: Path, document: object) -> str:
    """Write a configuration file."""
    file = folder / "mcp.json"
    file.write_text(
        document if isinstance(document, str) else json.dumps(document), "utf-8"
    )
    return str(file)


def one_server(folder: Path, **entry: object) -> Path:
    """Write a file with one server called s."""
    return Path(saved(folder, {"mcpServers": {"s": entry}}))


def test_a_url_is_a_target_and_what_follows_is_left() -> None:
    """The usual case."""
    result = resolve(URL, "TOOL", "a=1", "-H", "Authorization: Bearer abc: d")

    found, words = result.return_value
    assert (found.url, words) == (URL, ("TOOL", "a=1"))
    assert found.headers == {"Authorization": "Bearer abc: d"}


@click.command()
@takes_target()
def alone(*, target: Target) -> Target:
    """Return what was resolved."""
    return target


def test_a_command_may_stand_after_two_dashes_where_nothing_else_may() -> None:
    """As it is typed in a shell; elsewhere the refusal says how to quote it."""
    words = ["--", "npx", "-y", "my server"]
    found = CliRunner().invoke(alone, words, standalone_mode=False).return_value

    assert found.command == ("npx", "-y", "my server")
    assert "--stdio \"npx -y 'my server'\"" in refusal(*words)


def test_a_url_and_more_is_no_command() -> None:
    """Nothing may follow it."""
    error = CliRunner().invoke(alone, [URL, "x"], standalone_mode=False).exception

    assert isinstance(error, click.UsageError)
    assert "'x'" in error.message


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], (60, 60)),
        (["--timeout", "1"], (1, 60)),
        (["--timeout", "90"], (90, 90)),
        (["--timeout", "90", "--connect-timeout", "5"], (90, 5)),
    ],
)
def test_a_short_attempt_leaves_time_to_connect(
    arguments: list[str], expected: tuple[float, float]
) -> None:
    """Starting a server takes longer than most calls."""
    found = target(URL, *arguments)

    assert (found.timeout, found.connect_timeout) == expected


def test_a_file_is_named_once() -> None:
    """And no number of an error."""
    why = refusal("s", "--config", "/no/such/file")

    assert why.count("/no/such/file") == 1
    assert "Errno" not in why


def test_a_command_takes_the_place_of_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quoted as in a shell."""
    monkeypatch.setenv("TOKEN", "from here")

    result = resolve("--stdio", "npx -y 'my server'", "tool", "-e", "TOKEN", "-e", "A=")

    found, words = result.return_value
    assert found.command == ("npx", "-y", "my server")
    assert found.env == {"TOKEN": "from here", "A": ""}
    assert words == ("tool",)


@pytest.mark.parametrize("path", [["mcpServers"], ["servers"], ["mcp", "servers"]])
def test_every_hosts_file_is_read(path: list[str], tmp_path: Path) -> None:
    """Claude Desktop and Cursor, VS Code, VS Code's settings."""
    document: object = {"time": {"command": "uvx", "args": ["mcp-server-time"]}}
    for key in reversed(path):
        document = {key: document}

    found = target("time", "--config", saved(tmp_path, document))

    assert found.command == ("uvx", "mcp-server-time")
    assert found.label == "time"


def test_the_file_may_come_from_the_environment(tmp_path: Path) -> None:
    """Set once, then names are enough; --stdio still works."""
    file = str(one_server(tmp_path, url=URL))

    assert target("s", env={"MCPFUSION_CONFIG": file}).url == URL
    assert target("--stdio", "x", env={"MCPFUSION_CONFIG": file}).command == ("x",)
    assert target(URL, env={"MCPFUSION_CONFIG": "/no/such/file"}).url == URL


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"url": URL}, "http"),
        ({"url": URL, "type": "streamableHttp"}, "http"),
        ({"url": URL, "type": "streamable-http"}, "http"),
        ({"url": URL, "type": "sse"}, "sse"),
        ({"url": URL, "transport": "sse"}, "sse"),
        ({"command": "x"}, "stdio"),
        ({"command": "x", "type": "stdio"}, "stdio"),
    ],
)
def test_the_transport_is_what_the_hosts_take_it_for(
    entry: dict[str, object], expected: str, tmp_path: Path
) -> None:
    """The type may be missing, and has several spellings."""
    file = one_server(tmp_path, **entry)

    assert configured_server(file, "s", {}).transport == expected


def test_comments_and_trailing_commas_are_skipped(tmp_path: Path) -> None:
    """VS Code allows both."""
    text = """{
      // the "servers": here
      "servers": { /* one */
        "s": {"url": "https://x/a,}//b", "headers": {"X": "/* no comment */",},},
      },
    }"""

    found = target("s", "--config", saved(tmp_path, text))

    assert found.url == "https://x/a,}//b"
    assert found.headers == {"X": "/* no comment */"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${env:TOKEN}", "t0"),
        ("Bearer ${TOKEN}", "Bearer t0"),
        ("${NONE:-else}", "else"),
        ("${TOKEN:-else}", "t0"),
        ("${userHome}", str(Path.home())),
        ("a${/}b", "a/b"),
        ("$TOKEN", "$TOKEN"),
    ],
)
def test_variables_are_filled_in_everywhere(
    text: str, expected: str, tmp_path: Path
) -> None:
    """The spellings of Cursor, VS Code and Claude Code."""
    (tmp_path / "c").mkdir()
    (tmp_path / "u").mkdir()
    command = one_server(
        tmp_path / "c", command=text, args=[text], env={"A": text}, cwd=text
    )
    url = one_server(tmp_path / "u", url=text, headers={"A": text})

    started = configured_server(command, "s", {"TOKEN": "t0"})
    reached = configured_server(url, "s", {"TOKEN": "t0"})

    assert started.command == (expected, expected)
    assert (started.env, started.cwd) == ({"A": expected}, expected)
    assert (reached.url, reached.headers) == (expected, {"A": expected})


def test_a_workspace_is_the_folder_around_the_hosts_own(tmp_path: Path) -> None:
    """A project's file lies in .vscode or .cursor."""
    (tmp_path / ".vscode").mkdir()
    file = one_server(tmp_path / ".vscode", command="x", cwd="${workspaceFolder}")

    assert configured_server(file, "s", {}).cwd == str(tmp_path.resolve())


def test_options_beat_the_file(tmp_path: Path) -> None:
    """One value changed for one run."""
    file = one_server(tmp_path, url=URL, headers={"A": "1", "B": "2"})

    assert target("s", "--config", str(file), "-H", "B: 3").headers == {
        "A": "1",
        "B": "3",
    }


def test_no_secret_is_in_the_repr(tmp_path: Path) -> None:
    """A target may end up in a traceback."""
    hidden = "s3cr3tvalue"
    file = one_server(tmp_path, command="x", args=[hidden], env={"A": hidden})

    assert hidden not in repr(target("s", "--config", str(file)))
    assert hidden not in repr(configured_server(file, "s", {}))
    assert hidden not in repr(target(f"{URL}?k={hidden}", "-H", f"A: {hidden}"))


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ({}, "command"),
        ({"command": 7}, "7"),
        ({"command": "x", "args": "y"}, "args"),
        ({"command": "x", "args": [1]}, "args"),
        ({"command": "x", "env": {"A": 1}}, "env.A"),
        ({"command": "x", "envFile": "e"}, "envFile"),
        ({"command": "x", "type": "ws"}, "ws"),
        ({"type": "http"}, "url"),
        ({"type": "stdio", "url": URL}, "command"),
        ({"url": "${env:NO_SUCH_NAME}"}, "NO_SUCH_NAME"),
        ({"url": "${input:token}"}, "input:token"),
        ({"command": "x", "cwd": "${workspaceFolder}"}, "workspaceFolder"),
    ],
)
def test_what_cannot_be_used_is_named(
    entry: dict[str, object], named: str, tmp_path: Path
) -> None:
    """The file is somebody's to fix."""
    file = one_server(tmp_path, **entry)

    assert named in refusal("s", "--config", str(file))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', '{"mcpServers": 1}'])
def test_a_file_without_servers_is_named(text: str, tmp_path: Path) -> None:
    """As a path, so that it can be opened."""
    file = saved(tmp_path, text)

    assert file in refusal("s", "--config", file)


def test_a_name_the_file_does_not_have_is_answered_with_those_it_has(
    tmp_path: Path,
) -> None:
    """Also without any name."""
    file = saved(tmp_path, {"mcpServers": {"one": {}, "two\x1b[2J": {}}})

    for why in (refusal("three", "--config", file), refusal("--config", file)):
        assert "one, two" in why
        assert "\x1b" not in why


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["name"],
        ["--stdio", ""],
        ["--stdio", "'open"],
        ["--stdio", "x", "-H", "A: b"],
        [URL, "-H", "no colon"],
        [URL, "-H", "two words: b"],
        [URL, "-H", "A: é"],
        [URL, "-H", "A: b\nC: d"],
        [URL, "-e", "A=1"],
        ["--stdio", "x", "-e", "=1"],
        ["--stdio", "x", "-e", "NO_SUCH_NAME_HERE"],
        [URL, "--timeout", "0"],
        [URL, "--timeout", "soon"],
        [URL, "--connect-timeout", "0"],
        ["name", "--config", "/no/such/file"],
        ["name", "--config", "/"],
    ],
)
def test_wrong_use_is_one_line(arguments: list[str]) -> None:
    """Each ends in exit status 2."""
    assert refusal(*arguments)
