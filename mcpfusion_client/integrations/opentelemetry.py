"""Spans and metrics of tool calls, for OpenTelemetry.

Names and values follow the semantic conventions for MCP and for the execution of
tools by GenAI (``semantic-conventions-genai`` 0.1.0); what they have no word for
starts with ``mcpfusion.``. What a tool was given and what it returned is never
recorded, and no text of a tool is.
"""

import time
from collections.abc import Mapping
from contextvars import Token
from typing import TypeAlias

import attrs

from mcpfusion_client._version import __version__
from mcpfusion_client.model import (
    Attempt,
    ErrorCode,
    ErrorInfo,
    Origin,
    Peer,
    Severity,
    StopReason,
    ToolCall,
)
from mcpfusion_client.model.text import one_line
from mcpfusion_client.observers import Observer

try:
    from opentelemetry import context, metrics, propagate, trace
except ImportError as _missing:
    msg = "OpenTelemetry is not installed: pip install 'mcpfusion-client[otel]'"
    raise ImportError(msg) from _missing

__all__ = ["OpenTelemetryObserver"]

_Attributes: TypeAlias = dict[str, str | int | float]

_SCOPE = "mcpfusion_client"
_METHOD = "tools/call"
_BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)
"""Seconds; those the conventions give for the durations of MCP."""

_LONGEST_NAME = 120
_OTHER = "_OTHER"
_CANCELLATIONS = frozenset({"CancelledError", "Cancelled"})


@attrs.frozen(kw_only=True)
class _Traced:
    """A call under way.

    Attributes:
        span: Its span.
        token: Undoes that the span is the current one.
        known: What spans and metrics say about tool and server.
        started: When it started, by `time.perf_counter`.
    """

    span: trace.Span
    token: Token[context.Context]
    known: _Attributes
    started: float


class OpenTelemetryObserver(Observer):
    """One span for a call, its attempts as events, and metrics.

    Example::

        client = MCPFusionClient(url, observers=[OpenTelemetryObserver()])

    The span is the current one while the call runs, so that what middleware, rules,
    the HTTP client and an in-process server record is part of it, and the context
    is sent to the server in ``_meta``. One observer serves any number of clients.
    """

    def __init__(
        self,
        *,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
    ) -> None:
        """Make the instruments.

        Args:
            tracer_provider: Where spans go; by default the global one.
            meter_provider: Where metrics go; by default the global one.
        """
        self._tracer = trace.get_tracer(_SCOPE, __version__, tracer_provider)
        self._meters = _Instruments(
            metrics.get_meter(_SCOPE, __version__, meter_provider)
        )
        self._calls: dict[int, _Traced] = {}

    def on_start(self, call: ToolCall, peer: Peer) -> None:
        """Start the span and make it the current one."""
        known = _known(call, peer)
        more: _Attributes = {"mcpfusion.action": one_line(call.action, _LONGEST_NAME)}
        if peer.session_id is not None:
            more["mcp.session.id"] = peer.session_id
        span = self._tracer.start_span(
            f"{_METHOD} {known['gen_ai.tool.name']}",
            kind=trace.SpanKind.CLIENT,
            attributes={**known, **more},
        )
        self._calls[id(call)] = _Traced(
            span=span,
            token=context.attach(trace.set_span_in_context(span)),
            known=known,
            started=time.perf_counter(),
        )

    def trace_context(self, call: ToolCall) -> Mapping[str, str]:  # noqa: ARG002
        """Return what the configured propagators say of the current context."""
        carrier: dict[str, str] = {}
        propagate.inject(carrier)
        return carrier

    def on_attempt(self, call: ToolCall, attempt: Attempt) -> None:
        """Add the attempt to the span and measure it: it was one request."""
        traced = self._calls.get(id(call))
        if traced is None:
            return
        failed = _failure(_real(attempt.error))
        told: _Attributes = {
            "mcpfusion.attempt.number": attempt.number,
            "mcpfusion.attempt.duration": attempt.duration,
            "mcpfusion.attempt.reason": attempt.reason,
        }
        if attempt.delay is not None:
            told["mcpfusion.attempt.delay"] = attempt.delay
        traced.span.add_event(
            "mcpfusion.attempt",
            {**told, **_request(attempt), **failed, **_details(attempt.error)},
        )
        self._meters.operation.record(attempt.duration, {**traced.known, **failed})

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        """Count the retry and its wait."""
        traced = self._calls.get(id(call))
        if traced is None:
            return
        told = {**traced.known, **_category(attempt.error)}
        self._meters.retries.add(1, told)
        self._meters.wait.record(attempt.delay or 0.0, told)

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:
        """Add the hold to the span and count it."""
        traced = self._calls.get(id(call))
        if traced is None:
            return
        told: _Attributes = {}
        if seconds is not None:
            told["mcpfusion.gate.seconds"] = seconds
        traced.span.add_event("mcpfusion.gate.hold", told)
        self._meters.holds.add(1, traced.known)

    def on_warning(self, call: ToolCall, warning: ErrorInfo) -> None:
        """Add the code of a warning to the span."""
        traced = self._calls.get(id(call))
        if traced is not None:
            traced.span.add_event("mcpfusion.warning", _details(warning))

    def on_stop(
        self,
        call: ToolCall,
        attempts: tuple[Attempt, ...],
        reason: StopReason,
        error: ErrorInfo | None,
    ) -> None:
        """End the span; count and measure the call."""
        traced = self._calls.pop(id(call), None)
        if traced is None:
            return
        failed = _failure(error)
        stop: _Attributes = {"mcpfusion.stop_reason": reason.value}
        told: _Attributes = {"mcpfusion.attempts": len(attempts), **stop, **failed}
        if attempts:
            told.update(_request(attempts[-1]))
        if error is not None:
            told.update(_details(error))
            told["mcpfusion.execution"] = error.execution.value
            self._meters.failures.add(
                1, {**traced.known, **failed, **_category(error), **stop}
            )
        self._end(traced, told, stop, None if error is None else _description(error))

    def on_abort(
        self, call: ToolCall, attempts: tuple[Attempt, ...], raised: BaseException
    ) -> None:
        """End the span of a call that was cut short."""
        traced = self._calls.pop(id(call), None)
        if traced is None:
            return
        kind = type(raised).__qualname__
        failed: _Attributes = {
            "error.type": "cancelled" if kind in _CANCELLATIONS else kind
        }
        told = {"mcpfusion.attempts": len(attempts), **failed}
        self._end(traced, told, failed, kind)

    def _end(
        self,
        traced: _Traced,
        told: _Attributes,
        measured: _Attributes,
        failure: str | None,
    ) -> None:
        """End a span.

        Args:
            traced: The call.
            told: Of the span, at its end.
            measured: Of the call's duration.
            failure: Describes the failure, None for a success.
        """
        seconds = time.perf_counter() - traced.started
        failed = {"error.type": told["error.type"]} if "error.type" in told else {}
        self._meters.call.record(seconds, {**traced.known, **measured, **failed})
        traced.span.set_attributes(told)
        if failure is not None:
            traced.span.set_status(trace.StatusCode.ERROR, failure)
        context.detach(traced.token)
        traced.span.end()


class _Instruments:
    """What is counted and measured."""

    def __init__(self, meter: metrics.Meter) -> None:
        self.operation = meter.create_histogram(
            "mcp.client.operation.duration",
            "s",
            "The time from sending an MCP request until its answer.",
            explicit_bucket_boundaries_advisory=_BUCKETS,
        )
        self.call = meter.create_histogram(
            "mcpfusion.client.call.duration",
            "s",
            "The time a call takes, its retries and waits included.",
            explicit_bucket_boundaries_advisory=_BUCKETS,
        )
        self.failures = meter.create_counter(
            "mcpfusion.client.call.failures", "{call}", "Calls that failed in the end."
        )
        self.retries = meter.create_counter(
            "mcpfusion.client.retries", "{retry}", "Attempts after a failed one."
        )
        self.wait = meter.create_histogram(
            "mcpfusion.client.retry.wait",
            "s",
            "The wait between a failed attempt and the next one.",
            explicit_bucket_boundaries_advisory=_BUCKETS,
        )
        self.holds = meter.create_counter(
            "mcpfusion.client.gate.holds", "{hold}", "Times a call was held back."
        )


def _known(call: ToolCall, peer: Peer) -> _Attributes:
    """Return what spans and metrics say about tool and server."""
    known: _Attributes = {
        "mcp.method.name": _METHOD,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": one_line(call.tool, _LONGEST_NAME),
    }
    if peer.transport is not None:
        known["network.transport"] = peer.transport
    if peer.address is not None and peer.port is not None:
        known["network.protocol.name"] = "http"
        known["server.address"] = peer.address
        known["server.port"] = peer.port
    if peer.protocol_version is not None:
        known["mcp.protocol.version"] = one_line(peer.protocol_version, _LONGEST_NAME)
    return known


def _real(error: ErrorInfo | None) -> ErrorInfo | None:
    """Return *error*, None for a warning: it came with a success."""
    if error is None or error.severity is Severity.WARNING:
        return None
    return error


def _request(attempt: Attempt) -> _Attributes:
    if attempt.request_id is None:
        return {}
    return {"jsonrpc.request.id": str(attempt.request_id)}


def _failure(error: ErrorInfo | None) -> _Attributes:
    """Return the conventions' words for a failure; a closed set but for numbers."""
    if error is None:
        return {}
    rpc = _rpc_code(error)
    if rpc is not None:
        return {"error.type": rpc, "rpc.response.status_code": rpc}
    return {"error.type": _kind(error)}


def _kind(error: ErrorInfo) -> str:
    if error.origin is Origin.TOOL:
        return "tool_error"
    if error.http is not None and error.origin is Origin.HTTP:
        return str(error.http.status or _OTHER)
    known = error.code is not None and error.code in ErrorCode.__members__
    return error.code.lower() if known and error.code is not None else _OTHER


def _rpc_code(error: ErrorInfo) -> str | None:
    code = error.code
    if error.origin is not Origin.PROTOCOL or code is None:
        return None
    number = code.removeprefix("-")
    return code if number.isascii() and number.isdecimal() else None


def _category(error: ErrorInfo | None) -> _Attributes:
    if error is None:
        return {}
    return {"mcpfusion.error.category": error.category.value}


def _details(error: ErrorInfo | None) -> _Attributes:
    """Return what only spans say: the server's own code, which may be any text."""
    if error is None:
        return {}
    told = _category(error)
    if error.code is not None:
        told["mcpfusion.error.code"] = one_line(error.code, 60)
    if error.http is not None and error.http.status is not None:
        told["http.response.status_code"] = error.http.status
    return told


def _description(error: ErrorInfo) -> str:
    """Describe a failure: by the JSON-RPC message, as the conventions say, or by code.

    What a tool says is part of its result, and is left out.
    """
    if _rpc_code(error) is not None:
        return one_line(error.message)
    return f"{one_line(error.code or 'no code', 60)} ({error.category.value})"
