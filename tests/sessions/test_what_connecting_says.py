"""What somebody reads who gave a wrong program, host or header."""

import socket
from typing import Any

import pytest

from mcpfusion_client import MCPFusionClient
from mcpfusion_client.errors import ConnectError
from mcpfusion_client.model import Execution
from mcpfusion_client.sessions.failures import safe_reason

pytestmark = pytest.mark.anyio


async def test_a_program_that_is_not_there_is_not_worth_another_try() -> None:
    """It says what to do instead."""
    with pytest.raises(ConnectError) as caught:
        async with MCPFusionClient(["no-such-program-anywhere"]):
            pass

    error = caught.value
    assert error.is_retryable is False
    assert error.execution is Execution.NOT_EXECUTED
    assert error.recovery == "install the program that serves, or give the path of it"


def test_a_host_without_an_address_is_called_that() -> None:
    """The HTTP client's own exception says nothing."""
    failure = ConnectionError("hidden")
    failure.__cause__ = socket.gaierror(socket.EAI_NONAME, "hidden")

    assert safe_reason(failure) == (
        "ConnectionError: the name of the host cannot be resolved"
    )


def test_headers_that_are_no_mapping_are_refused_by_name() -> None:
    """Before anything is sent."""
    headers: Any = ["x-key"]
    with pytest.raises(TypeError, match=r"headers= maps names to values.* a list"):
        MCPFusionClient("http://127.0.0.1:1/mcp", headers=headers)
