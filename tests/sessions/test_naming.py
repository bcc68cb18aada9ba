"""A server's name tells servers apart and holds nothing secret."""

import string

from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.sessions.naming import command_name, url_name

SECRETS = st.text(string.ascii_letters + string.digits, min_size=10, max_size=30)


@given(SECRETS, SECRETS, SECRETS)
def test_credentials_of_a_url_are_not_in_its_name(
    user: str, password: str, key: str
) -> None:
    """Neither user info nor query nor fragment."""
    name = url_name(f"https://{user}:{password}@example.com:8443/mcp?key={key}#{key}")

    assert name.startswith("https://example.com:8443/mcp")
    assert not any(secret in name for secret in (user, password, key))


@given(SECRETS)
def test_arguments_of_a_command_are_not_in_its_name(secret: str) -> None:
    """A token is often an argument."""
    name = command_name("/usr/bin/python3", ["server.py", f"--token={secret}"])

    assert name.startswith("stdio:python3")
    assert secret not in name


def test_names_tell_servers_apart() -> None:
    """State that is shared by name must not be shared between servers."""
    names = {
        url_name("https://example.com/mcp"),
        url_name("https://example.com/mcp?tenant=1"),
        url_name("https://example.com/mcp?tenant=2"),
        url_name("https://[::1]:80/mcp"),
        command_name("python", ["a.py"]),
        command_name("python", ["b.py"]),
    }

    assert len(names) == 6


@given(st.text())
def test_no_text_breaks_the_naming(url: str) -> None:
    """A URL comes from a person."""
    assert isinstance(url_name(url), str)
