"""Negotiating the protocol comes out as it does over the SDK's own transport.

What the SDK alone comes to is in the test, and held against the SDK alone where
that does not wait for ever.
"""

import contextlib
import importlib
import json
from typing import Any

import anyio
import pytest

from mcpfusion_client import (
    ConnectError,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
)
from tests.faults.harness import GUARD, LONG
from tests.faults.scripts import END, SCRIPTS, SSE_HEAD, Send, event, raw
from tests.faults.sdk import ERAS, SDK
from tests.faults.server import LEGACY, MODERN, FaultServer

REFUSALS = (
    "status_400",
    "status_401",
    "status_404",
    "status_405",
    "status_429",
    "status_500",
    "status_503",
    "400_rpc",
    "404_session",
    "500_rpc",
    "302_elsewhere",
    "rpc_no_method",
    "rpc_internal",
)
UNREADABLE = (
    "html",
    "empty",
    "202",
    "204",
    "garbage_json",
    "bad_utf8",
    "not_rpc",
    "list",
    "sse_garbage",
    "sse_ends_without_reply",
    "sse_ends_in_event",
)
STRAY = "wrong_id"
"""mcp 2.x waits for ever for an answer under the right id."""
OUTAGES = (
    "bad_gzip",
    "reset_before_headers",
    "reset_in_body",
    "fin_in_body",
    "fin_in_chunks",
)
"""What says nothing about the protocol a server speaks."""

NEEDS_PROBE = pytest.mark.skipif(
    SDK == 1, reason="mcp 1.x asks nothing before the handshake"
)


async def _alone(url: str) -> str | None:
    """Return the version the SDK alone agrees on, None when it fails."""
    mcp: Any = importlib.import_module("mcp")
    http: Any = importlib.import_module("mcp.client.streamable_http")
    version: str | None = None
    with contextlib.suppress(Exception):
        async with mcp.Client(http.streamable_http_client(url)) as client:
            version = client.session.protocol_version
    return version


async def _ours(url: str) -> str | MCPFusionClientError:
    try:
        async with MCPFusionClient(url, connect_timeout=LONG) as client:
            session: Any = client.session
            version: str = session.protocol_version
            return version
    except MCPFusionClientError as error:
        return error


@NEEDS_PROBE
@pytest.mark.parametrize("fault", [*REFUSALS, *UNREADABLE])
async def test_a_probe_that_is_not_answered_is_followed_by_the_handshake(
    fault: str,
) -> None:
    """An older server may answer anything to a method it does not know."""
    with FaultServer("legacy") as server, anyio.fail_after(GUARD):
        server.overrides["server/discover"] = SCRIPTS[fault]

        assert await _alone(server.url) == LEGACY
        assert await _ours(server.url) == LEGACY


@NEEDS_PROBE
@pytest.mark.parametrize("fault", OUTAGES)
async def test_an_outage_in_the_probe_is_no_reason_for_the_older_protocol(
    fault: str,
) -> None:
    """A server of the newest protocol that is cut off once is not downgraded."""
    with FaultServer("modern") as server, anyio.fail_after(GUARD):
        server.overrides["server/discover"] = SCRIPTS[fault]

        assert await _alone(server.url) is None
        error = await _ours(server.url)
        del server.overrides["server/discover"]
        assert await _ours(server.url) == MODERN

    assert isinstance(error, ConnectError)
    assert error.execution is Execution.NOT_EXECUTED
    assert server.ledger.methods["initialize"] == 0


@NEEDS_PROBE
async def test_a_probe_whose_answer_has_another_id_is_followed_by_the_handshake() -> (
    None
):
    """The SDK alone would wait for the right one for ever."""
    with FaultServer("legacy") as server, anyio.fail_after(GUARD):
        server.overrides["server/discover"] = SCRIPTS[STRAY]

        assert await _ours(server.url) == LEGACY


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("fault", [*REFUSALS, *UNREADABLE, STRAY, *OUTAGES])
async def test_a_handshake_that_fails_is_one_typed_error_at_once(
    era: str, fault: str
) -> None:
    """With evidence where there is some, also where the SDK alone waits for ever."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        server.overrides["initialize"] = SCRIPTS[fault]
        server.overrides["server/discover"] = SCRIPTS[fault]

        error = await _ours(server.url)
        await server.until(lambda: not server.wires)

    assert isinstance(error, MCPFusionClientError)
    assert error.execution is Execution.NOT_EXECUTED
    if fault in UNREADABLE:
        assert error.code == "CONNECT_FAILED"
        assert error.http is not None
        assert error.http.status in {200, 202, 204}


@NEEDS_PROBE
async def test_an_event_whose_answer_has_another_id_is_the_sdks_to_judge() -> None:
    """It takes the one answer on the stream for the one it asked for."""
    with FaultServer("modern") as server, anyio.fail_after(GUARD):
        found = server._document("server/discover")
        answer = {"jsonrpc": "2.0", "id": 987654, "result": found}
        stray = SSE_HEAD + event(json.dumps(answer).encode()) + END
        server.overrides["server/discover"] = raw(Send(stray))

        assert await _alone(server.url) == MODERN
        assert await _ours(server.url) == MODERN
