"""Credentials stay where they belong, and what a server sends stays bounded."""

import base64
import logging
import pickle
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import anyio
import httpx
import pytest

from mcpfusion_client import MCPFusionClient, MCPFusionClientError, RetryPolicy
from tests.faults.echoes import ECHOES
from tests.faults.harness import GUARD, LONG, SHORT
from tests.faults.scripts import SCRIPTS
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

# What an error holds does not depend on the event loop.
pytestmark = [
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("era", ERAS),
]

PASSWORD = "pw-hunter-11"
IN_QUERY = "qs-hunter-22"
IN_HEADER = "hd-hunter-33"
BEARER = "br-hunter-44-abcdefghij"
PLANTED = (
    PASSWORD,
    IN_QUERY,
    IN_HEADER,
    BEARER,
    base64.b64encode(f"alice:{PASSWORD}".encode()).decode(),
)

FAULTS = (
    *ECHOES,
    "reset_before_headers",
    "reset_in_body",
    "nonsense_status_line",
    "status_404",
    "silence",
    "wrong_shape",
    "bad_gzip",
)


def _in_url(server: FaultServer) -> dict[str, Any]:
    rest = f"127.0.0.1:{server.port}/mcp?api_key={IN_QUERY}"
    return {
        "target": f"http://alice:{PASSWORD}@{rest}",
        "headers": {"x-api-key": IN_HEADER},
    }


def _in_header(server: FaultServer) -> dict[str, Any]:
    return {
        "target": server.url,
        "headers": {"authorization": f"Bearer {BEARER}", "x-api-key": IN_HEADER},
    }


def _in_auth(server: FaultServer) -> dict[str, Any]:
    return {"target": server.url, "auth": ("alice", PASSWORD)}


def _in_the_callers_client(server: FaultServer) -> dict[str, Any]:
    theirs = httpx.AsyncClient(
        auth=httpx.BasicAuth("alice", PASSWORD), headers={"x-api-key": IN_HEADER}
    )
    return {"target": f"{server.url}?api_key={IN_QUERY}", "http_client": theirs}


WAYS = pytest.mark.parametrize(
    "way", [_in_url, _in_header, _in_auth, _in_the_callers_client]
)


def _everything(error: MCPFusionClientError) -> str:
    """All the text there is to an error."""
    return "\n".join(
        (
            str(error),
            repr(error),
            error.info.to_prompt(),
            repr(error.info.to_dict()),
            "".join(traceback.format_exception(error)),
            pickle.dumps(error).decode("latin-1"),
        )
    )


def _leaked(text: str) -> list[str]:
    return [secret for secret in PLANTED if secret in text]


@contextmanager
def _listening(
    caplog: pytest.LogCaptureFixture, theirs: object
) -> Generator[list[str]]:
    """Collect what is logged; *theirs*, the caller's own client, logs its URLs."""
    said: list[str] = []
    with caplog.at_level(logging.INFO):
        caplog.set_level(logging.DEBUG, logger="mcpfusion_client")
        yield said
    said += [
        f"{record.getMessage()} {record.exc_text or ''}"
        for record in caplog.records
        if theirs is None or not record.name.startswith(("httpx", "httpcore"))
    ]


@WAYS
@pytest.mark.parametrize("fault", FAULTS)
async def test_no_credential_is_in_an_error_or_a_log(
    era: str,
    fault: str,
    way: Callable[[FaultServer], dict[str, Any]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whatever the server repeats, and however the call fails."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        options = way(server)
        theirs = options.get("http_client")
        with _listening(caplog, theirs) as said:
            async with MCPFusionClient(
                **options, timeout=LONG, retry=RetryPolicy.off(), gate=None
            ) as client:
                with pytest.raises(MCPFusionClientError) as caught:
                    await client.call_tool("fault", {"fault": fault}, timeout=SHORT)
        if theirs is not None:
            await theirs.aclose()

    assert _leaked(_everything(caught.value)) == []
    assert _leaked("\n".join(said)) == []


@WAYS
@pytest.mark.parametrize(
    "fault", ["status_401", "status_500", "html", "refused", *ECHOES]
)
async def test_no_credential_is_in_the_error_of_opening(
    era: str,
    fault: str,
    way: Callable[[FaultServer], dict[str, Any]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The handshake fails in ways of its own."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        options = way(server)
        theirs = options.get("http_client")
        if fault == "refused":
            server.refuse()
        elif fault in ECHOES:
            server.echo = fault
        else:
            server.overrides["initialize"] = SCRIPTS[fault]
            server.overrides["server/discover"] = SCRIPTS[fault]
        client = MCPFusionClient(**options, connect_timeout=1.0)
        with (
            _listening(caplog, theirs) as said,
            pytest.raises(MCPFusionClientError) as caught,
        ):
            await client.connect()
        if theirs is not None:
            await theirs.aclose()

    assert _leaked(_everything(caught.value)) == []
    assert _leaked("\n".join(said)) == []
    assert _leaked(repr(client)) == []


@pytest.mark.parametrize(
    "fault",
    ["500_ten_megabytes", "500_bomb", "500_endless", "huge_header", "deep_json"],
)
async def test_what_is_kept_of_a_huge_answer_is_bounded(era: str, fault: str) -> None:
    """An error is small enough to log, to pickle and to send on."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(
            server.url, timeout=LONG, retry=RetryPolicy.off()
        ) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("fault", {"fault": fault}, timeout=3.0)

    info = caught.value.info
    assert len(str(caught.value)) < 1_000
    assert len(info.message) <= 64 * 1024
    assert len((info.http and info.http.body_excerpt) or "") <= 8 * 1024
    assert len(pickle.dumps(caught.value)) < 256 * 1024


@pytest.mark.parametrize(
    "headers",
    [
        {"x-bad": "a\r\nx-injected: yes"},
        {"x-bad": "a\nb"},
        {"x-bad": "a\0b"},
        {"x-bad": "\ud800"},
        {"x-bad\r\nx-injected": "yes"},
        {"x-bad: a\r\nx-injected": "yes"},
        {"": "no name"},
        {"é": "no ASCII"},
    ],
)
async def test_a_header_that_cannot_be_sent_is_refused(
    era: str, headers: dict[str, str]
) -> None:
    """Nothing is injected, and the error is typed and does not repeat its value."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        with pytest.raises(MCPFusionClientError) as caught:
            async with MCPFusionClient(server.url, headers=headers):
                pass

        assert caught.value.category == "validation"
        assert caught.value.execution == "not_executed"
        assert "x-injected: yes" not in str(caught.value)
        assert "\n" not in str(caught.value)
    assert not any(
        "x-injected" in headers for headers in server.ledger.headers.values()
    )


@pytest.mark.parametrize("value", [5, b"secret-of-the-test", None])
async def test_a_header_that_is_no_text_is_a_mistake_in_the_program(
    era: str, value: Any
) -> None:
    """It is told by name and type, never by value."""
    with pytest.raises(TypeError, match="x-number") as caught:
        MCPFusionClient("http://127.0.0.1:9/mcp", headers={"x-number": value})

    assert "secret-of-the-test" not in str(caught.value)


async def test_a_control_character_in_a_servers_header_is_an_error(era: str) -> None:
    """A smuggled header is neither kept nor obeyed."""
    with FaultServer(era) as server, anyio.fail_after(GUARD):
        async with MCPFusionClient(
            server.url, timeout=LONG, retry=RetryPolicy.off()
        ) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("fault", {"fault": "cr_in_header"})
            await client.call_tool("ok", {"tag": "next"})

    assert "a=b" not in server.ledger.headers["tools/call"].get("cookie", "")
    assert "\r" not in str(caught.value)
