"""Streamable HTTP under trio on mcp 1.x is refused, in words."""

import pytest

from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import Execution, Origin
from mcpfusion_client.sessions import ConnectOptions, connect
from tests.sessions.sdk import MODERN


@pytest.mark.skipif(MODERN, reason="mcp 2.x supports trio")
@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_a_url_under_trio_is_refused_on_mcp_1() -> None:
    """There the SDK sends concurrent requests twice and loses others."""
    connection = connect("http://127.0.0.1:9/mcp", ConnectOptions())

    with pytest.raises(MCPFusionClientError) as caught:
        await connection.open()

    assert caught.value.execution is Execution.NOT_EXECUTED
    assert caught.value.origin is Origin.CLIENT
    assert caught.value.is_retryable is False
