"""Send one request through an SDK session and say what became of it.

The same for sessions this package opened and for sessions it wraps: one
``tools/call`` per attempt, its result as wire JSON, every failure an `Outcome`.
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import attrs

from mcpfusion_client.clock import Clock
from mcpfusion_client.decode import decode, from_rpc
from mcpfusion_client.model import ErrorInfo, Execution, JsonObject
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.answers import is_tool_result
from mcpfusion_client.sessions.attempt_timer import AttemptTimer, progress_handler
from mcpfusion_client.sessions.base import Outcome, Request
from mcpfusion_client.sessions.compat import RpcError, Sdk, SdkSession
from mcpfusion_client.sessions.facts import Fact, FactTable
from mcpfusion_client.sessions.flight import Flight
from mcpfusion_client.sessions.output_schema import OutputSchemas
from mcpfusion_client.sessions.rounds import RoundsError, Send, finish, needs_input
from mcpfusion_client.sessions.sdk_texts import (
    made_by_sdk,
    says_closed,
    says_session_gone,
)
from mcpfusion_client.sessions.tap import Wire
from mcpfusion_client.sessions.tool_list import fetch_tools

HEADER_MISMATCH = "-32020"
_DAMAGED = "the result holds text the SDK cannot read; it is kept on the error"
_STREAM_CLOSED = (anyio.BrokenResourceError, anyio.ClosedResourceError)


@attrs.frozen(kw_only=True)
class Exchange:
    """One SDK session, ready to take requests.

    Attributes:
        sdk: The SDK's generation.
        session: The SDK's session.
        server: The connection's name for the server.
        outputs: The output schemas the server declared.
        facts: What is known about requests beyond what the SDK can carry.
        clock: Waits between rounds.
    """

    sdk: Sdk
    session: SdkSession
    server: str
    outputs: OutputSchemas
    facts: FactTable
    clock: Clock

    async def call(
        self, request: Request, flight: Flight, attempt: AttemptTimer
    ) -> Outcome:
        """Send ``tools/call``.

        Args:
            request: What to send.
            flight: Notes what is known about the request.
            attempt: Moved by progress.
        """
        sdk = self.sdk
        progress = progress_handler(request, attempt)

        async def send(**answers: object) -> JsonObject:
            message = sdk.call_request(
                request.tool, request.arguments, request.meta, **answers
            )
            raw: JsonObject = await self.session.send_request(
                message, sdk.call_result, progress_callback=progress
            )
            return raw if flight.exact is None else flight.exact

        try:
            raw = await send()
        except Exception as exc:  # noqa: BLE001 - every failure is an outcome
            outcome = self.outcome_of(exc, flight, request)
            if not self._may_resend(outcome):
                return outcome
            return await self._resent(request, send, flight, outcome)
        if needs_input(raw):
            return await self._rounds(request, raw, send, flight, attempt)
        return self._returned(request, raw, flight)

    async def list_tools(self, flight: Flight) -> Outcome:
        """Fetch every page of the tool list and leave it on the flight."""
        try:
            flight.tools = await fetch_tools(self.sdk, self.session)
        except Exception as exc:  # noqa: BLE001 - every failure is an outcome
            return self.outcome_of(exc, flight)
        self.outputs.learn(flight.tools)
        return Outcome()

    def give_up(self, flight: Flight, wire: Wire) -> None:
        """Tell the server that nobody waits; mcp 2.x does so by itself."""
        if self.sdk.generation != 1 or flight.request_id is None:
            return
        session: Any = self.session
        notification = self.sdk.cancellation(flight.request_id)
        wire.in_background(_quietly, session.send_notification, notification)

    def _may_resend(self, outcome: Outcome) -> bool:
        """Did the server refuse the call for headers that a new tool list mends?"""
        info = outcome.failure
        mismatch = info is not None and info.code == HEADER_MISMATCH
        return mismatch and outcome.answered and self.sdk.is_modern(self.session)

    async def _resent(
        self, request: Request, send: Send, flight: Flight, first: Outcome
    ) -> Outcome:
        """Fetch the tool list and send once more, as the SDK's own client does."""
        try:
            await fetch_tools(self.sdk, self.session)
        except Exception:  # noqa: BLE001 - the first failure says more
            return first
        try:
            raw = await send()
        except Exception as exc:  # noqa: BLE001 - every failure is an outcome
            return self.outcome_of(exc, flight, request)
        return self._returned(request, raw, flight)

    async def _rounds(
        self,
        request: Request,
        raw: JsonObject,
        send: Send,
        flight: Flight,
        attempt: AttemptTimer,
    ) -> Outcome:
        session: Any = self.session
        try:
            final = await finish(
                self.sdk, session, raw, send, attempt=attempt, clock=self.clock
            )
        except RoundsError as declined:
            info = failures.input_declined(declined.error.code, declined.error.message)
            return Outcome(raw=raw, failure=info)
        except Exception as exc:  # noqa: BLE001 - every failure is an outcome
            return self.outcome_of(exc, flight, request)
        return self._returned(request, final, flight)

    def _returned(self, request: Request, raw: JsonObject, flight: Flight) -> Outcome:
        if raw.get("isError") is True:
            return Outcome(raw=raw)
        if flight.damaged:
            info = failures.bad_response(_DAMAGED, execution=Execution.EXECUTED)
            return Outcome(raw=raw, failure=info)
        if not is_tool_result(raw):
            return Outcome(raw=raw, failure=_no_tool_result(raw))
        broken = self.outputs.check(request.tool, raw, request.meta)
        return Outcome(raw=raw, failure=broken, request_id=flight.request_id)

    def arrived(self, request: Request, flight: Flight) -> Outcome | None:
        """Return the result that had come when *flight* was cut off, if one had.

        It was on its way up through the SDK; the tool has run and said so.
        """
        raw = flight.raw if flight.exact is None else flight.exact
        if raw is None or needs_input(raw):
            return None
        return self._returned(request, raw, flight)

    def outcome_of(
        self, exc: Exception, flight: Flight, request: Request | None = None
    ) -> Outcome:
        """Return what an exception of the SDK means for the request."""
        error = self.sdk.rpc_error(exc)
        fact = None if error is None else self.facts.take(error)
        if fact is not None:
            return _fact_outcome(fact, exc, flight)
        ours = error is None or (not flight.server_error and made_by_sdk(error))
        arrived = flight.raw if flight.exact is None else flight.exact
        if ours and arrived is not None and request is not None:
            # A kind of content the SDK does not know is no reason to lose the
            # result of a tool that has run.
            return attrs.evolve(self._returned(request, arrived, flight), cause=exc)
        if ours and flight.lost is not None:
            return lost_outcome(self.server, flight, exc)
        if error is not None:
            return self._rpc_outcome(error, exc, flight, ours=ours)
        failure = self._unanswered(exc, flight)
        return Outcome(failure=failure, cause=exc, answered=False)

    def _unanswered(self, exc: Exception, flight: Flight) -> ErrorInfo:
        """Return what is known when the SDK raised and nothing else tells why."""
        if isinstance(exc, _STREAM_CLOSED):
            return failures.connection_lost(
                self.server, "the transport is closed", sent=flight.sent
            )
        if not flight.sent:
            return failures.not_sendable(type(exc).__name__)
        if _is_shape_error(exc):
            return failures.bad_response("the result is no tool result")
        return decoded(exc)

    def _closed_outcome(self, exc: Exception, flight: Flight) -> Outcome:
        flight.closed = True
        return lost_outcome(self.server, flight, exc)

    def _rpc_outcome(
        self, error: RpcError, exc: Exception, flight: Flight, *, ours: bool
    ) -> Outcome:
        if ours and says_closed(error):
            return self._closed_outcome(exc, flight)
        info = from_rpc(
            code=error.code, message=error.message, data=error.data, sdk_made=ours
        )
        flight.session_gone = ours and says_session_gone(error)
        return Outcome(
            failure=info,
            cause=exc,
            answered=not ours,
            session_gone=flight.session_gone,
        )


def _fact_outcome(fact: Fact, exc: Exception, flight: Flight) -> Outcome:
    flight.session_gone = fact.session_gone
    return Outcome(
        failure=fact.info,
        cause=fact.cause or exc,
        answered=fact.answered,
        session_gone=fact.session_gone,
    )


def lost_outcome(server: str, flight: Flight, cause: BaseException | None) -> Outcome:
    """The session died under a request."""
    reason = flight.lost or "the connection is closed"
    info = failures.connection_lost(server, reason, sent=flight.sent)
    return Outcome(failure=info, cause=cause, answered=False)


def _no_tool_result(raw: JsonObject) -> ErrorInfo:
    ran = Execution.EXECUTED if "content" in raw else Execution.UNKNOWN
    return failures.bad_response("the result is no tool result", execution=ran)


def _is_shape_error(exc: Exception) -> bool:
    """Did the SDK refuse the shape of a result? Its own words are pydantic's."""
    kind = type(exc)
    return kind.__name__ == "ValidationError" and kind.__module__.startswith("pydantic")


def decoded(exc: BaseException) -> ErrorInfo:
    """Return what the decoder makes of *exc*."""
    info = decode(exc)
    if info is None:
        return failures.bad_response(type(exc).__name__)
    return info


async def _quietly(send: Callable[[Any], Awaitable[None]], notification: Any) -> None:
    """Send a notification nobody depends on."""
    with contextlib.suppress(*_STREAM_CLOSED):
        await send(notification)
