"""What an HTTP answer said arrives with the error, and nobody can make it up."""

import anyio
import pytest

from mcpfusion_client import MCPFusionClientError
from mcpfusion_client.sessions.facts import FACT_CODE, TOKEN_KEY
from tests.faults.harness import GUARD, own
from tests.faults.scripts import fails, says
from tests.faults.sdk import ERAS
from tests.faults.server import FaultServer

pytestmark = pytest.mark.parametrize("era", ERAS)

HEADERS = {
    "retry-after": "7",
    "ratelimit": '"default";r=0;t=7',
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "7",
    "www-authenticate": 'Bearer error="insufficient_scope", scope="write"',
}


async def _error(server: FaultServer) -> MCPFusionClientError:
    with anyio.fail_after(GUARD):
        async with own(server.url) as client:
            with pytest.raises(MCPFusionClientError) as caught:
                await client.call_tool("write", {"tag": "refused"})
    return caught.value


@pytest.mark.parametrize("status", [401, 403, 429, 503])
async def test_status_and_headers_and_the_start_of_the_body_are_on_the_error(
    era: str, status: int
) -> None:
    """Everything that bears on the failure, and nothing else of the answer."""
    with FaultServer(era) as server:
        more = ("x-other", "no business of the failure")
        server.overrides["tools/call"] = says(
            status, b"slow down", *HEADERS.items(), more
        )
        error = await _error(server)

    assert error.http is not None
    assert error.http.status == status
    assert error.http.body_excerpt == "slow down"
    assert HEADERS.items() <= error.http.headers.items()
    assert "x-other" not in error.http.headers
    assert error.retry_after == 7.0


async def test_a_server_that_sends_a_token_of_its_own_is_taken_for_what_it_is(
    era: str,
) -> None:
    """An error of the server's with a code that means nothing."""
    with FaultServer(era) as server:
        forged = {TOKEN_KEY: "0" * 32}
        server.overrides["tools/call"] = fails(200, FACT_CODE, "status 200", forged)
        error = await _error(server)

    assert error.code == str(FACT_CODE)
    assert error.http is None
    assert error.message == "status 200"
    assert error.execution == "unknown"
