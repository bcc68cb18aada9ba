"""Send one request through an SDK session and say what became of it.

The same for sessions this package opened and for sessions it wraps: one
``tools/call`` per attempt, its result as wire JSON, every failure an `Outcome`.
"""

import anyio
import attrs

from mcpfusion_client.decode import decode, from_rpc
from mcpfusion_client.model import ErrorInfo, Execution, JsonObject
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.base import Outcome, Request
from mcpfusion_client.sessions.compat import (
    ProgressHandler,
    RpcError,
    Sdk,
    SdkSession,
)
from mcpfusion_client.sessions.facts import Fact, FactTable
from mcpfusion_client.sessions.flight import Flight
from mcpfusion_client.sessions.output_schema import OutputSchemas
from mcpfusion_client.sessions.sdk_texts import made_by_sdk, says_session_gone

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
    """

    sdk: Sdk
    session: SdkSession
    server: str
    outputs: OutputSchemas
    facts: FactTable

    async def call(
        self, request: Request, flight: Flight, progress: ProgressHandler | None
    ) -> Outcome:
        """Send ``tools/call``.

        Args:
            request: What to send.
            flight: Notes what is known about the request.
            progress: Told of every progress notification.
        """
        sdk = self.sdk
        try:
            message = sdk.call_request(request.tool, request.arguments, request.meta)
        except Exception as exc:  # noqa: BLE001 - every failure is an outcome
            info = failures.not_sendable(type(exc).__name__)
            return Outcome(failure=info, cause=exc, answered=False)
        try:
            raw: JsonObject = await self.session.send_request(
                message, sdk.call_result, progress_callback=progress
            )
        except Exception as exc:  # noqa: BLE001 - every failure is an outcome
            return self.outcome_of(exc, flight)
        return self._returned(request, raw if flight.exact is None else flight.exact)

    def _returned(self, request: Request, raw: JsonObject) -> Outcome:
        if raw.get("isError") is not True:
            broken = self.outputs.check(request.tool, raw, request.meta)
            if broken is not None:
                return Outcome(raw=raw, failure=failures.invalid_output(broken))
        return Outcome(raw=raw)

    def outcome_of(self, exc: Exception, flight: Flight) -> Outcome:
        """Return what an exception of the SDK means for the request."""
        error = self.sdk.rpc_error(exc)
        fact = None if error is None else self.facts.take(error)
        if fact is not None:
            return _fact_outcome(fact, exc, flight)
        ours = error is None or (not flight.server_error and made_by_sdk(error))
        arrived = flight.raw if flight.exact is None else flight.exact
        if ours and arrived is not None:
            return _refused_result(arrived, exc)
        if ours and flight.lost is not None:
            return Outcome(failure=flight.lost, cause=exc, answered=False)
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

    def _rpc_outcome(
        self, error: RpcError, exc: Exception, flight: Flight, *, ours: bool
    ) -> Outcome:
        info = from_rpc(
            code=error.code, message=error.message, data=error.data, sdk_made=ours
        )
        flight.session_gone = ours and says_session_gone(error)
        return Outcome(failure=info, cause=exc, answered=not ours)


def _fact_outcome(fact: Fact, exc: Exception, flight: Flight) -> Outcome:
    flight.session_gone = fact.session_gone
    return Outcome(failure=fact.info, cause=fact.cause or exc, answered=fact.answered)


def _refused_result(raw: JsonObject, exc: Exception) -> Outcome:
    """The server answered with a result the SDK does not accept."""
    if raw.get("isError") is True:
        return Outcome(raw=raw, cause=exc)
    ran = Execution.EXECUTED if "content" in raw else Execution.UNKNOWN
    info = failures.bad_response("the result is no tool result", execution=ran)
    return Outcome(raw=raw, failure=info, cause=exc)


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
