"""One request on its way: what is known about it while it is out.

The writer and reader taps note here whether the request was handed to the
transport and what came back for it, so that a failure can say whether the tool
may have run.
"""

from contextvars import ContextVar

import attrs

from mcpfusion_client.model import JsonObject, ToolInfo
from mcpfusion_client.sessions.attempt_timer import AttemptTimer


@attrs.define(eq=False)
class Flight:
    """One request on its way.

    Attributes:
        attempt: The attempt's timer; its body runs in it.
        landed: It is over: with a result, a failure or an exception.
        sent: The request may have left this process.
        request_id: Its JSON-RPC id, once known.
        method: Its JSON-RPC method, once known.
        raw: The result as the SDK read it, also when it refuses its shape.
        exact: The result as it came, also when the SDK cannot read it.
        damaged: The SDK cannot read it as it came.
        server_error: The server itself answered with an error.
        lost: The session died under it; how, in our own words.
        lost_cause: What the session died of.
        session_gone: The server has forgotten the session; nothing ran.
        closed: The session's connection turned out to be closed.
        tools: The tool list, when that was asked for.
    """

    attempt: AttemptTimer
    landed: bool = False
    sent: bool = False
    request_id: int | str | None = None
    method: str | None = None
    raw: JsonObject | None = None
    exact: JsonObject | None = None
    damaged: bool = False
    server_error: bool = False
    lost: str | None = None
    lost_cause: BaseException | None = None
    session_gone: bool = False
    closed: bool = False
    tools: tuple[ToolInfo, ...] | None = None

    def take(self, result: JsonObject | None, *, damaged: bool) -> None:
        """Keep a result as it came."""
        self.exact = result
        self.damaged = damaged and result is not None


current_flight: ContextVar[Flight | None] = ContextVar("mcpfusion_flight", default=None)
"""The request the running task is sending."""
