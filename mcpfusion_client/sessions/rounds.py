"""Answer a server that needs something before it can finish a call (MCP 2026-07-28).

Its result says what it asks and holds a state; the call is sent again with the
answers, until a final result comes. These rounds are no retries.
"""

import importlib
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias

from mcpfusion_client.clock import Clock
from mcpfusion_client.model import JsonObject
from mcpfusion_client.sessions.attempt_timer import AttemptTimer
from mcpfusion_client.sessions.compat import RpcError, Sdk

Send: TypeAlias = Callable[..., Awaitable[JsonObject]]
"""Sends the call again, with answers."""

_MOST_ROUNDS = 10
_FIRST_WAIT = 0.05
_LONGEST_WAIT = 0.25


class RoundsError(Exception):
    """The rounds came to no end.

    Attributes:
        error: Why: a callback declined, or there were too many rounds.
    """

    def __init__(self, error: RpcError) -> None:
        super().__init__(error)
        self.error = error


class AnsweringSession(Protocol):
    """What the rounds use of a session of mcp 2.x."""

    async def dispatch_input_request(self, ctx: Any, request: Any) -> Any:
        """Ask the callbacks of the client."""
        ...


def needs_input(raw: JsonObject) -> bool:
    """Does the server need something before it can finish?"""
    return raw.get("resultType") == "input_required"


async def finish(
    sdk: Sdk,
    session: AnsweringSession,
    raw: JsonObject,
    send: Send,
    *,
    attempt: AttemptTimer,
    clock: Clock,
) -> JsonObject:
    """Answer until a final result comes.

    Args:
        sdk: The SDK.
        session: Its callbacks are asked.
        raw: The first result.
        send: Sends the call again.
        attempt: Its clock stops while a callback is asked.
        clock: Waits when the server asks nothing.

    Raises:
        RoundsError: A callback declined, or it takes too many rounds.
    """
    wait = _FIRST_WAIT
    for _ in range(_MOST_ROUNDS):
        asked = sdk.types.InputRequiredResult.model_validate(raw, by_name=False)
        answers: dict[str, Any] | None = None
        if asked.input_requests:
            attempt.pause()
            answers = await _answers(sdk, session, asked.input_requests)
            attempt.extend()
        else:
            await clock.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)
        raw = await send(input_responses=answers, request_state=asked.request_state)
        if not needs_input(raw):
            return raw
    raise RoundsError(RpcError(code=-32600, message="too many input rounds"))


async def _answers(
    sdk: Sdk, session: AnsweringSession, requests: dict[str, Any]
) -> dict[str, Any]:
    context_type = importlib.import_module("mcp.client.session").ClientRequestContext
    answers: dict[str, Any] = {}
    for key, request in requests.items():
        meta = request.params.meta if request.params else None
        context = context_type(session=session, request_id=key, meta=meta)
        answer = await session.dispatch_input_request(context, request)
        if isinstance(answer, sdk.types.ErrorData):
            raise RoundsError(RpcError(code=answer.code, message=answer.message))
        answers[key] = answer
    return answers
