"""The caller's own HTTP client: whatever it is set up to do, it does.

An ``httpx.AsyncClient`` works on both SDK generations, an ``httpx2.AsyncClient``
where httpx2 is installed. It stays the caller's and is never closed.
"""

import importlib
import importlib.util
import ssl
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import pytest
import trustme

from mcpfusion_client import (
    ConnectError,
    MCPFusionClient,
    MCPFusionClientError,
    RetryPolicy,
)
from tests.faults.expectations import own as table
from tests.faults.forward_proxy import ForwardProxy
from tests.faults.harness import (
    GUARD,
    LONG,
    differences,
    fate,
    observe,
)
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

LIBRARIES = [
    name for name in ("httpx", "httpx2") if importlib.util.find_spec(name) is not None
]

FAULTS = (
    "429_hint",
    "503_hint",
    "403_scope",
    "400_session",
    "302_elsewhere",
    "500_ten_megabytes",
    "reset_before_headers",
    "reset_in_body",
    "reset_in_sse_event",
    "sse_keep_alive",
    "silence",
    "garbage_json",
    "202",
    "bad_gzip",
    "fine_sse",
    "fine_large",
)

EVERY_ERA = pytest.mark.parametrize("era", ERAS)
NEWEST_ERA = pytest.mark.parametrize("era", ERAS[-1:])

pytestmark = pytest.mark.parametrize("library", LIBRARIES)


def _library(name: str) -> Any:
    return importlib.import_module(name)


@asynccontextmanager
async def _over(
    theirs: Any, url: str, headers: Mapping[str, str] | None = None
) -> AsyncGenerator[MCPFusionClient]:
    """A client over somebody's HTTP client, which is closed by its owner only."""
    async with theirs:
        async with MCPFusionClient(
            url,
            http_client=theirs,
            headers=headers,
            timeout=LONG,
            retry=RetryPolicy.off(),
            gate=None,
        ) as client:
            yield client
        assert not theirs.is_closed


@pytest.mark.parametrize("fault", FAULTS)
@NEWEST_ERA
async def test_faults_under_the_callers_client_come_to_the_same(
    era: str, library: str, fault: str
) -> None:
    """Evidence, timers and streaming do not depend on whose client it is."""
    row = table(era)[fault]
    opener = partial(_over, _library(library).AsyncClient())
    with FaultServer(era) as server:
        seen = await observe(opener, server, fault, row)

    assert differences(row, seen) == []


@EVERY_ERA
async def test_the_callers_client_is_never_closed(era: str, library: str) -> None:
    """It serves one client after the other, and its owner afterwards."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with _library(library).AsyncClient() as theirs:
            for tag in ("first", "second"):
                async with MCPFusionClient(server.url, http_client=theirs) as client:
                    assert await fate(client, "ok", tag) == "survives"
            answer = await theirs.request("GET", server.url)

    assert answer.status_code == 405


@EVERY_ERA
async def test_an_auth_flow_of_the_callers_client_is_run(
    era: str, library: str
) -> None:
    """A flow of two requests that answers a 401, from a subclass of ``Auth``."""
    http = _library(library)

    def auth_flow(_: object, request: Any) -> Generator[Any, Any, None]:
        refused = yield request
        if refused.status_code == 401:
            request.headers["Authorization"] = "Token of-the-test"
            yield request

    answering = type("Answering", (http.Auth,), {"auth_flow": auth_flow})
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.token = "Token of-the-test"
        async with _over(http.AsyncClient(auth=answering()), server.url) as client:
            assert await fate(client, "ok", "signed in") == "survives"

    assert server.ledger.runs["signed in"] == 1
    assert server.ledger.headers["tools/call"]["authorization"] == server.token


@EVERY_ERA
async def test_auth_given_beside_a_url_is_used(era: str, library: str) -> None:
    """``auth=`` takes the ``Auth`` of either library, or a user and password."""
    http = _library(library)
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.token = "Basic dGVzdDp0ZXN0"
        auth = http.BasicAuth("test", "test")
        async with MCPFusionClient(server.url, auth=auth, timeout=LONG) as client:
            assert await fate(client, "ok", "signed in") == "survives"
        async with MCPFusionClient(server.url, auth=("test", "test")) as client:
            assert await fate(client, "ok", "signed in") == "survives"


@EVERY_ERA
async def test_a_failed_auth_flow_is_no_failed_call(era: str, library: str) -> None:
    """A 401 that the flow could not heal is AUTHENTICATION, and nothing ran."""
    http = _library(library)
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with _over(
            http.AsyncClient(auth=("test", "wrong")), server.url
        ) as client:
            server.token = "Basic dGVzdDp0ZXN0"
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("ok", {"tag": "refused"})

    assert caught.value.category == "authentication"
    assert caught.value.execution == "not_executed"
    assert server.ledger.runs["refused"] == 0


@EVERY_ERA
async def test_the_proxy_of_the_callers_client_is_used(era: str, library: str) -> None:
    """Every request goes through it, with the proxy's own credentials."""
    http = _library(library)
    with FaultServer(era) as server, ForwardProxy() as proxy:
        address = f"http://user:word@127.0.0.1:{proxy.port}"
        with anyio.fail_after(GUARD):
            async with _over(http.AsyncClient(proxy=address), server.url) as client:
                assert await fate(client, "ok", "by proxy") == "survives"

        assert proxy.passed["POST"] >= 2
        assert proxy.credentials == {"Basic dXNlcjp3b3Jk"}


def _certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    authority: Any = trustme.CA()
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(serving)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    return serving, trusting


@EVERY_ERA
async def test_the_certificate_authority_of_the_callers_client_is_used(
    era: str, library: str
) -> None:
    """A server nobody else trusts is trusted, through a proxy's tunnel too."""
    http = _library(library)
    serving, trusting = _certificates()
    with FaultServer(era, tls=serving) as server, ForwardProxy() as proxy:
        with anyio.fail_after(GUARD):
            async with _over(http.AsyncClient(verify=trusting), server.url) as client:
                assert await fate(client, "ok", "trusted") == "survives"
            address = f"http://127.0.0.1:{proxy.port}"
            async with _over(
                http.AsyncClient(verify=trusting, proxy=address), server.url
            ) as client:
                assert await fate(client, "ok", "tunnelled") == "survives"

        assert proxy.passed["CONNECT"] >= 1


@EVERY_ERA
async def test_a_certificate_nobody_trusts_is_a_failed_connect(
    era: str, library: str
) -> None:
    """Nothing was sent to the impostor."""
    serving, _ = _certificates()
    theirs = _library(library).AsyncClient()
    with FaultServer(era, tls=serving) as server, anyio.fail_after(GUARD):
        client = MCPFusionClient(server.url, http_client=theirs)
        with pytest.raises(ConnectError):
            await client.connect()
        await theirs.aclose()

    assert not server.ledger.methods


@EVERY_ERA
async def test_cookies_headers_and_hooks_of_the_callers_client_work(
    era: str, library: str
) -> None:
    """What the client was set up with reaches the wire; ours is added to it."""
    http = _library(library)
    hooked: list[str] = []

    async def on_request(request: Any) -> None:
        hooked.append(request.method)

    async def on_response(response: Any) -> None:
        hooked.append(str(response.status_code))

    hooks = {"request": [on_request], "response": [on_response]}
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        theirs = http.AsyncClient(headers={"x-theirs": "theirs"}, event_hooks=hooks)
        async with _over(theirs, server.url, headers={"x-ours": "ours"}) as client:
            await client.call_tool("ok", {"tag": "only"})

    sent = server.ledger.headers["tools/call"]
    assert (sent["x-theirs"], sent["x-ours"]) == ("theirs", "ours")
    assert sent["cookie"] == "biscuit=crumbs"
    assert hooked.count("POST") >= 2
    assert hooked.count("200") >= 2


@EVERY_ERA
async def test_a_hook_that_raises_for_the_status_loses_no_evidence(
    era: str, library: str
) -> None:
    """A popular hook: the error it raises is still the server's answer."""

    async def strict(response: Any) -> None:
        response.raise_for_status()

    theirs = _library(library).AsyncClient()
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with _over(theirs, server.url) as client:
            theirs.event_hooks = {"request": [], "response": [strict]}
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("fault", {"fault": "429_hint"})
            assert await fate(client, "ok", "next") == "survives"

    assert caught.value.category == "rate_limited"
    assert caught.value.retry_after == 7.0
    assert caught.value.execution == "not_executed"


@pytest.mark.parametrize("explicit", ["default", "fifty seconds"])
@EVERY_ERA
async def test_only_the_default_timeout_of_the_callers_client_is_replaced(
    era: str, library: str, explicit: str
) -> None:
    """Five seconds that nobody asked for would kill slow tools."""
    http = _library(library)
    seen: list[float | None] = []

    async def note(request: Any) -> None:
        if b'"tools/call"' in await request.aread():
            seen.append(request.extensions["timeout"]["read"])

    options = {} if explicit == "default" else {"timeout": 50.0}
    theirs = http.AsyncClient(event_hooks={"request": [note]}, **options)
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with _over(theirs, server.url) as client:
            await client.call_tool("ok", {"tag": "only"})

    if explicit == "default":
        assert seen == [None] or (seen[0] is not None and seen[0] >= LONG)
    else:
        assert seen == [50.0]


@EVERY_ERA
async def test_a_read_timeout_of_the_callers_client_may_have_run(
    era: str, library: str
) -> None:
    """The caller's own, shorter limit ends the call; it was sent."""
    http = _library(library)
    timeout = http.Timeout(50.0, read=2.0)
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with _over(http.AsyncClient(timeout=timeout), server.url) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("fault", {"fault": "silence"})
            assert await fate(client, "ok", "next") == "survives"

    assert caught.value.category == "transient"
    assert caught.value.execution == "unknown"
