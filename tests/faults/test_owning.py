"""What the page on connections says of a session the caller opened is true."""

import anyio
import pytest

from mcpfusion_client import MCPFusionClientError
from mcpfusion_client.sessions.connect_failures import first_leaf
from tests.faults.harness import GUARD
from tests.faults.owning import over_the_url, over_their_session
from tests.faults.sdk import SDK
from tests.faults.server import FaultServer


async def test_over_a_url_an_http_error_is_an_error_and_the_next_call_works(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Status and hint arrive, and the session lives on."""
    with FaultServer("legacy") as server, anyio.fail_after(GUARD):
        result = await over_the_url(server.url)

    assert result.text == "fine"
    assert capsys.readouterr().out == "HTTP_429 7.0 not_executed\n"


async def _what_ends_it(server: FaultServer) -> BaseException:
    with anyio.fail_after(GUARD), pytest.raises(BaseExceptionGroup) as caught:
        await over_their_session(server.url)
    return first_leaf(caught.value)


@pytest.mark.skipif(SDK == 1, reason="mcp 1.x ends the session")
async def test_mcp_2_keeps_the_callers_session_and_loses_the_status() -> None:
    """The SDK says that there was an error, and nothing else."""
    with FaultServer("legacy") as server:
        error = await _what_ends_it(server)

    assert isinstance(error, MCPFusionClientError)
    assert error.code == "-32603"
    assert error.http is None
    assert error.execution == "unknown"


@pytest.mark.skipif(SDK == 2, reason="mcp 2.x keeps the session")
async def test_mcp_1_ends_the_callers_session_with_an_exception_group() -> None:
    """The caller's own ``async with`` is cancelled by the SDK, and raises."""
    with FaultServer("legacy") as server:
        error = await _what_ends_it(server)

    assert type(error).__name__ == "HTTPStatusError"
