"""The SDK's own OAuth client provider signs in through our transport."""

import importlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx
import pytest

from mcpfusion_client import MCPFusionClient, MCPFusionClientError, RetryPolicy
from tests.faults.auth_server import AuthServer
from tests.faults.harness import GUARD, LONG, fate
from tests.faults.sdk import ERAS, SDK
from tests.faults.server import FaultServer

pytestmark = pytest.mark.parametrize("era", ERAS)

BACK = "http://127.0.0.1:9/callback"


class _Storage:
    """Keeps in memory what the provider wants kept."""

    def __init__(self) -> None:
        self.tokens: Any = None
        self.client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


def _provider(url: str) -> Any:
    """The provider of the installed SDK, with a person who always agrees."""
    auth: Any = importlib.import_module("mcp.client.auth")
    shared: Any = importlib.import_module("mcp.shared.auth")
    answers: list[dict[str, list[str]]] = []

    async def redirect(address: str) -> None:
        async with httpx.AsyncClient() as browser:
            answer = await browser.get(address)
        answers.append(parse_qs(urlsplit(answer.headers["location"]).query))

    async def callback() -> Any:
        code, state = answers[-1]["code"][0], answers[-1]["state"][0]
        if SDK == 1:
            return code, state
        return shared.AuthorizationCodeResult(code=code, state=state)

    return auth.OAuthClientProvider(
        server_url=url,
        client_metadata=shared.OAuthClientMetadata(
            client_name="faults", redirect_uris=[BACK]
        ),
        storage=_Storage(),
        redirect_handler=redirect,
        callback_handler=callback,
    )


def _as_auth(server: FaultServer) -> Any:
    return MCPFusionClient(
        server.url, auth=_provider(server.url), timeout=LONG, retry=RetryPolicy.off()
    )


def _in_the_callers_client(server: FaultServer) -> Any:
    library: Any = importlib.import_module("httpx" if SDK == 1 else "httpx2")

    @asynccontextmanager
    async def opened() -> AsyncGenerator[MCPFusionClient]:
        async with (
            library.AsyncClient(auth=_provider(server.url)) as theirs,
            MCPFusionClient(
                server.url, http_client=theirs, timeout=LONG, retry=RetryPolicy.off()
            ) as client,
        ):
            yield client

    return opened()


WAYS = pytest.mark.parametrize("way", [_as_auth, _in_the_callers_client])


@WAYS
async def test_the_flow_is_completed(
    era: str, way: Callable[[FaultServer], Any]
) -> None:
    """Discovery, registration, authorization, token: then the call goes through."""
    with FaultServer(era) as server, AuthServer(server) as authority:
        authority.protect()
        with anyio.fail_after(GUARD):
            async with way(server) as client:
                assert await fate(client, "write", "signed in") == "survives"

        assert authority.seen["/register"] == 1
        assert authority.seen["/authorize"] == 1
        assert authority.seen["/token"] == 1
    assert server.ledger.runs["signed in"] == 1


@WAYS
async def test_a_token_refused_in_the_middle_is_replaced(
    era: str, way: Callable[[FaultServer], Any]
) -> None:
    """A 401 on a call is the flow's business first; the call runs once."""
    with FaultServer(era) as server, AuthServer(server) as authority:
        authority.protect()
        with anyio.fail_after(GUARD):
            async with way(server) as client:
                assert await fate(client, "ok", "first") == "survives"
                authority.expire()
                assert await fate(client, "write", "second") == "survives"

        assert authority.seen["/token"] == 2
    assert server.ledger.runs["second"] == 1


@WAYS
@pytest.mark.parametrize("step", ["/token", "/register"])
async def test_a_flow_that_fails_is_a_failure_to_sign_in(
    era: str, step: str, way: Callable[[FaultServer], Any]
) -> None:
    """Opening fails as AUTHENTICATION, and no call was sent."""
    with FaultServer(era) as server, AuthServer(server) as authority:
        authority.protect()
        authority.fails_at = step
        with anyio.fail_after(GUARD), pytest.raises(MCPFusionClientError) as caught:
            async with way(server):
                pass

    assert caught.value.category == "authentication"
    assert caught.value.execution == "not_executed"


@WAYS
async def test_a_flow_that_fails_in_the_middle_did_not_run_the_call(
    era: str, way: Callable[[FaultServer], Any]
) -> None:
    """The token endpoint is down when the token expires; the session lives on."""
    with FaultServer(era) as server, AuthServer(server) as authority:
        authority.protect()
        with anyio.fail_after(GUARD):
            async with way(server) as client:
                assert await fate(client, "ok", "first") == "survives"
                authority.expire()
                authority.fails_at = "/token"
                with pytest.raises(MCPFusionClientError) as caught:
                    await client.call_tool("write", {"tag": "refused"})
                authority.fails_at = None
                assert await fate(client, "ok", "after") == "survives"

    assert caught.value.category == "authentication"
    assert caught.value.execution == "not_executed"
    assert server.ledger.runs["refused"] == 0


@WAYS
async def test_an_authority_that_is_unreachable_did_not_run_the_call(
    era: str, way: Callable[[FaultServer], Any]
) -> None:
    """A refused connection inside the flow is a failure to sign in."""
    with FaultServer(era) as server, AuthServer(server) as authority:
        authority.protect()
        with anyio.fail_after(GUARD):
            async with way(server) as client:
                assert await fate(client, "ok", "first") == "survives"
                authority.expire()
                authority.drop()
                with pytest.raises(MCPFusionClientError) as caught:
                    await client.call_tool("write", {"tag": "refused"})
                authority.listen()
                assert await fate(client, "ok", "after") == "survives"

    assert caught.value.category == "authentication"
    assert caught.value.execution == "not_executed"
