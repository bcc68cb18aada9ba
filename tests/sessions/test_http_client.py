"""Whose client sends, what of a URL is a secret, and which redirects are followed."""

import importlib
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model import ErrorCategory, Execution
from mcpfusion_client.sessions.answers import scrubbed
from mcpfusion_client.sessions.http_client import (
    Endpoint,
    RealClient,
    flavour_of,
    real_client,
)
from mcpfusion_client.sessions.http_facts import Sent, of_exception, secrets_of

ENDPOINT = Endpoint.of("http://server.test/mcp")
SENT = Sent(
    server="http://server.test/mcp", request_id=1, has_session=False, secrets=()
)
WORD = st.from_regex(r"[a-zA-Z0-9]{4,12}", fullmatch=True)


@given(WORD, WORD, WORD)
def test_a_url_is_taken_apart(user: str, password: str, key: str) -> None:
    """What the SDK gets to see and log holds none of it."""
    endpoint = Endpoint.of(f"https://{user}:{password}@host:1/mcp?key={key}")

    assert endpoint.url == f"https://host:1/mcp?key={key}"
    assert endpoint.public == "https://host:1/mcp"
    assert endpoint.user == (user, password)
    assert set(endpoint.secrets) == {user, password, key}


def test_quoted_credentials_are_unquoted() -> None:
    """A password may hold an ``@``."""
    assert Endpoint.of("http://a:p%40ss@host/").user == ("a", "p@ss")


class Notes:
    """A transport that plays redirects and keeps what it was sent."""

    def __init__(self, *locations: str) -> None:
        self.locations = list(locations)
        self.sent: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Redirect while there is somewhere to go."""
        self.sent.append(request)
        if self.locations:
            location = self.locations.pop(0)
            return httpx.Response(307, headers={"location": location})
        return httpx.Response(200, json={})


async def _send(notes: Notes, **options: Any) -> Any:
    client = httpx.AsyncClient(transport=httpx.MockTransport(notes), **options)
    real = _real(client)

    async def trace(_: str, __: Any) -> None:
        pass

    response = await real.send("POST", {"mcp-x": "1"}, b"{}", trace)
    await response.aclose()
    await client.aclose()
    return response


def _real(client: Any) -> RealClient:
    return real_client(
        ENDPOINT,
        client=client,
        auth=None,
        headers={"x-own": "1"},
        default_flavour="httpx",
    )


async def test_the_clients_own_headers_and_ours_are_sent() -> None:
    """Ours beside theirs, the SDK's on top."""
    notes = Notes()

    await _send(notes, headers={"user-agent": "theirs", "x-theirs": "1"})

    headers = notes.sent[0].headers
    assert headers["user-agent"] == "theirs"
    assert (headers["x-theirs"], headers["x-own"], headers["mcp-x"]) == ("1", "1", "1")


@pytest.mark.parametrize(
    ("location", "requests"),
    [
        ("/mcp/", 2),
        ("http://server.test/elsewhere", 2),
        ("https://server.test/mcp", 2),
        ("http://other.test/mcp", 1),
        ("http://server.test:81/mcp", 1),
        ("http://a:b@server.test/mcp", 1),
    ],
)
async def test_only_redirects_within_the_origin_are_followed(
    location: str, requests: int
) -> None:
    """Whatever the client's own setting: a token must not leave for another host."""
    notes = Notes(location)

    await _send(notes, follow_redirects=True)

    assert len(notes.sent) == requests


async def test_a_loop_of_redirects_ends() -> None:
    """The last redirect is handed on as what it is."""
    notes = Notes(*["/mcp/"] * 50)

    response = await _send(notes)

    assert response.status_code == 307
    assert len(notes.sent) < 10


@pytest.mark.parametrize(
    ("chosen", "read"),
    [
        (httpx.Timeout(5.0), None),
        (httpx.Timeout(6.0), 6.0),
        (httpx.Timeout(5.0, read=2.0), 2.0),
        (None, None),
    ],
)
async def test_only_the_default_read_timeout_is_lifted(
    chosen: httpx.Timeout | None, read: float | None
) -> None:
    """It would kill slow tools; one that was chosen stays."""
    notes = Notes()

    await _send(notes, timeout=chosen)

    assert notes.sent[0].extensions["timeout"]["read"] == read


def test_the_kind_of_a_client_is_known_without_importing_it() -> None:
    """A subclass, too."""

    class Own(httpx.AsyncClient):
        """The caller's."""

    assert flavour_of(Own()) == "httpx"
    assert flavour_of(httpx.BasicAuth("a", "b")) == "httpx"
    assert flavour_of(("a", "b")) is None


def _raised(name: str, url: str = ENDPOINT.url) -> Exception:
    kind = getattr(importlib.import_module("httpx"), name)
    error: Exception = kind("hunter22", request=httpx.Request("POST", url))
    return error


@pytest.mark.parametrize(
    ("name", "started", "ran"),
    [
        ("ConnectError", True, Execution.NOT_EXECUTED),
        ("ConnectTimeout", True, Execution.NOT_EXECUTED),
        ("PoolTimeout", True, Execution.NOT_EXECUTED),
        ("LocalProtocolError", True, Execution.NOT_EXECUTED),
        ("ReadError", True, Execution.UNKNOWN),
        ("ReadTimeout", True, Execution.UNKNOWN),
        ("WriteError", True, Execution.UNKNOWN),
        ("RemoteProtocolError", True, Execution.UNKNOWN),
        ("WriteTimeout", False, Execution.NOT_EXECUTED),
    ],
)
def test_what_an_exception_says_of_the_request(
    name: str, *, started: bool, ran: Execution
) -> None:
    """Only what provably never left was not executed; no text of it is repeated."""
    fact = of_exception(SENT, _raised(name), ENDPOINT.url, started=started)

    assert fact.info.execution is ran
    assert "hunter22" not in repr(fact.info)
    assert not fact.answered


def test_a_failure_of_the_auth_flow_never_reached_the_server() -> None:
    """It asked somebody else: the request itself was not sent."""
    error = _raised("ReadError", "https://login.test/token")

    fact = of_exception(SENT, error, ENDPOINT.url, started=True)

    assert fact.info.category is ErrorCategory.AUTHENTICATION
    assert fact.info.execution is Execution.NOT_EXECUTED


@given(st.text("abcXYZ019-_", min_size=8), st.text())
def test_a_secret_is_gone_from_what_a_server_repeats(secret: str, around: str) -> None:
    """Whatever stands around it."""
    secrets = secrets_of([("Authorization", f"Bearer {secret}")], [])

    assert secret not in scrubbed(f"{around}{secret}{around}", secrets)
