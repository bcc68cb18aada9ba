"""Servers of MCP 2026-07-28 ask for input in rounds instead of calling back."""

import importlib
from typing import Any

import anyio
import mcp
import pytest

from mcpfusion_client.model import ErrorCategory, Execution, JsonObject
from mcpfusion_client.sessions import ConnectOptions, Outcome, Request, connect
from tests.sessions.sdk import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="mcp 2.x only")

ASK: JsonObject = {
    "resultType": "input_required",
    "inputRequests": {
        "who": {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": "Who are you?",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                },
            },
        }
    },
    "requestState": "s1",
}
WAIT: JsonObject = {"resultType": "input_required", "requestState": "s2"}


class Asking:
    """A server that plays a list of results and keeps what it was sent."""

    def __init__(self, *rounds: JsonObject) -> None:
        self.rounds = list(rounds)
        self.states: list[Any] = []
        self.answers: list[Any] = []

    def server(self) -> Any:
        """Return the server."""
        types: Any = mcp.types
        lowlevel: Any = importlib.import_module("mcp.server.lowlevel")

        async def list_tools(_: Any, __: Any) -> Any:
            return types.ListToolsResult(tools=[])

        async def call_tool(_: Any, params: Any) -> Any:
            self.states.append(params.request_state)
            self.answers.append(params.input_responses)
            if self.rounds:
                return types.InputRequiredResult.model_validate(self.rounds.pop(0))
            block = {"type": "text", "text": "done"}
            return types.CallToolResult.model_validate({"content": [block]})

        return lowlevel.Server("asks", on_list_tools=list_tools, on_call_tool=call_tool)


async def _call(asking: Asking, callback: Any = None, seconds: float = 5) -> Outcome:
    callbacks = {} if callback is None else {"elicitation_callback": callback}
    connection = connect(asking.server(), ConnectOptions(callbacks=callbacks))
    request = Request(tool="tool", arguments={}, timeout=seconds, limit=10)
    try:
        return await connection.call_tool(request)
    finally:
        await connection.close()


async def _ada(_: Any, __: Any) -> Any:
    return mcp.types.ElicitResult(action="accept", content={"name": "Ada"})


async def test_the_callbacks_of_the_caller_answer() -> None:
    """The state goes back byte for byte, the answers under their keys."""
    asking = Asking(ASK, WAIT)

    outcome = await _call(asking, _ada)

    assert outcome.raw is not None
    assert outcome.raw["content"] == [{"type": "text", "text": "done"}]
    assert asking.states == [None, "s1", "s2"]
    assert asking.answers[1]["who"].content == {"name": "Ada"}


async def test_without_a_callback_the_call_fails_typed() -> None:
    """Nobody is there to answer, and asking again would not help."""
    outcome = await _call(Asking(ASK))

    assert outcome.failure is not None
    assert outcome.failure.category is ErrorCategory.PROTOCOL
    assert outcome.failure.execution is Execution.NOT_EXECUTED
    assert outcome.failure.is_retryable is False
    assert "elicitation_callback=" in outcome.failure.message


async def test_a_server_that_never_stops_asking_is_left() -> None:
    """A bounded number of rounds."""
    outcome = await _call(Asking(*[WAIT] * 100))

    assert outcome.failure is not None
    assert outcome.failure.category is ErrorCategory.PROTOCOL


async def test_a_person_who_is_asked_gets_time() -> None:
    """The attempt's clock stands still meanwhile."""

    async def slowly(context: Any, params: Any) -> Any:
        await anyio.sleep(0.5)
        return await _ada(context, params)

    outcome = await _call(Asking(ASK), slowly, seconds=0.3)

    assert outcome.failure is None
