"""What happened, told to whoever listens.

Observers hear of every step and can change none: what they return is ignored,
and what they raise is logged and ignored.
"""

import itertools
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, cast

from mcpfusion_client.model import (
    Attempt,
    ErrorInfo,
    JsonValue,
    Peer,
    StopReason,
    ToolCall,
    ToolInfo,
)
from mcpfusion_client.model.text import one_line

_log = logging.getLogger("mcpfusion_client")
_LONGEST_NAME = 120


class Observer:
    """Somebody who listens, to nothing yet.

    Subclass it and override what you need, or write a class of your own with
    some of the methods. They run in the event loop, between two steps, and must
    not wait.

    A call is told in this order: ``on_start``; ``on_gate``, ``on_attempt`` and the
    others as they happen; ``on_stop`` or ``on_abort``, one of the two, once. The
    first and the last run in the same task and context. Every method gets the same
    `ToolCall` object.
    """

    def on_start(self, call: ToolCall, peer: Peer) -> None:
        """A call starts: it is routed, and rules are asked next."""

    def on_abort(
        self, call: ToolCall, attempts: tuple[Attempt, ...], raised: BaseException
    ) -> None:
        """The call was cut short: cancelled, or by an exception of middleware.

        Args:
            call: The call.
            attempts: Those that had ended.
            raised: What ended it.
        """

    def on_attempt(self, call: ToolCall, attempt: Attempt) -> None:
        """An attempt has ended; ``attempt.reason`` says what follows."""

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        """The call is sent again after a wait of ``attempt.delay`` seconds."""

    def on_stop(
        self,
        call: ToolCall,
        attempts: tuple[Attempt, ...],
        reason: StopReason,
        error: ErrorInfo | None,
    ) -> None:
        """The call has ended, with *error* when it failed."""

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:
        """The call is held back before it is sent.

        Args:
            call: The call.
            seconds: How long at most until the gate is asked again; None when
                it waits for the end of another call.
        """

    def on_block(
        self,
        call: ToolCall,
        reason: StopReason,
        why: str,
        error: ErrorInfo | None,
    ) -> None:
        """A rule refused the call.

        Args:
            call: The call.
            reason: `StopReason.BLOCKED` or `StopReason.ESCALATED`.
            why: The rule's own words.
            error: The failure that the rule answered, None before the first
                attempt.
        """

    def on_warning(self, call: ToolCall, warning: ErrorInfo) -> None:
        """A success came with advice."""

    def on_session(self, server: str, kind: str, detail: str) -> None:
        """Something happened to the connection.

        Args:
            server: Its name for the server, without credentials.
            kind: One word, such as ``reopened`` or ``lost``.
            detail: One line, safe to log.
        """

    def on_tools(self, server: str, tools: tuple[ToolInfo, ...]) -> None:
        """The tools of the server have been listed, for the first time or again.

        Args:
            server: The connection's name for the server, without credentials.
            tools: All of them. Untrusted.
        """

    def trace_context(self, call: ToolCall) -> Mapping[str, str]:  # noqa: ARG002
        """Return what a trace needs to go on in the server, none by default.

        It is asked once for an attempt and sent in ``_meta``, such as
        ``traceparent``. It replaces nothing the caller put there.
        """
        return {}


EVENTS = (
    "on_start",
    "on_abort",
    "on_attempt",
    "on_retry",
    "on_stop",
    "on_gate",
    "on_block",
    "on_warning",
    "on_session",
    "on_tools",
)
"""The names of the methods of an `Observer`."""

_CONTEXT = "trace_context"
_Listener: TypeAlias = Callable[..., object]


class Audience:
    """Every observer of a client, in order."""

    def __init__(self, observers: Iterable[object] = ()) -> None:
        """Take the observers.

        Args:
            observers: Objects with some of the methods of `Observer`.

        Raises:
            TypeError: An object has none of them.
        """
        listeners = tuple(observers)
        for observer in listeners:
            if not any(callable(getattr(observer, name, None)) for name in EVENTS):
                msg = f"{observer!r} is no observer: it has none of {EVENTS}"
                raise TypeError(msg)
        self._listeners: Mapping[str, tuple[_Listener, ...]] = {
            name: tuple(
                method
                for method in (getattr(each, name, None) for each in listeners)
                if callable(method)
            )
            for name in (*EVENTS, _CONTEXT)
        }
        self.empty: bool = not listeners

    def tell(self, event: str, *facts: object) -> None:
        """Tell everybody who listens to *event*."""
        for listener in self._listeners[event]:
            try:
                listener(*facts)
            except Exception:  # noqa: BLE001 - somebody else's code
                _log.exception("an observer raised in %s; it is ignored", event)

    def trace_context(self, call: ToolCall) -> dict[str, JsonValue]:
        """Return what the observers want sent in ``_meta``; the first has its say."""
        carried: dict[str, JsonValue] = {}
        for listener in self._listeners[_CONTEXT]:
            try:
                carried = {**_texts(listener(call)), **carried}
            except Exception:  # noqa: BLE001 - somebody else's code
                _log.exception("an observer raised in %s; it is ignored", _CONTEXT)
        return carried


def _texts(context: object) -> dict[str, str]:
    pairs = cast("Mapping[object, object]", context).items()
    return {str(key): str(value) for key, value in pairs}


def log_warning(call: ToolCall, warning: ErrorInfo) -> None:
    """Log advice that came with a success."""
    _log.warning(
        "%s: %s: %s",
        one_line(call.tool, 80),
        one_line(warning.code or "no code", 60),
        one_line(warning.message),
        extra=_call(call) | _error(warning),
    )


class LoggingObserver(Observer):
    """Log every step with :mod:`logging`, facts in ``extra``.

    Every key of ``extra`` starts with ``mcpfusion_``; ``mcpfusion_call`` numbers the
    calls, so that the lines of one can be found among those of others. Retries, holds
    and reopened sessions are at level INFO, failures, refusals and lost sessions at
    WARNING, everything else at DEBUG. No arguments, keys or headers are logged, and
    the server's text only redacted and on one line. Warnings are not logged here:
    every client logs them, once.
    """

    def __init__(self, logger: logging.Logger | None = None) -> None:
        """Log to *logger*; by default ``mcpfusion_client.calls``."""
        self._log = logger or logging.getLogger("mcpfusion_client.calls")
        self._count = itertools.count(1)
        self._numbers: dict[int, int] = {}

    def on_start(self, call: ToolCall, peer: Peer) -> None:
        """Number the call."""
        self._numbers[id(call)] = next(self._count)
        self._tell(
            logging.DEBUG,
            call,
            "starts",
            mcpfusion_server=one_line(peer.server, _LONGEST_NAME),
        )

    def on_attempt(self, call: ToolCall, attempt: Attempt) -> None:
        """Log an attempt at debug level."""
        self._tell(
            logging.DEBUG,
            call,
            "attempt %d took %.3f s: %s",
            attempt.number,
            attempt.duration,
            "ok" if attempt.error is None else _code(attempt.error),
            **_error(attempt.error),
            **_attempt(attempt),
        )

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        """Log a wait at info level."""
        self._tell(
            logging.INFO,
            call,
            "attempt %d failed with %s, next one in %.3f s",
            attempt.number,
            _code(attempt.error),
            attempt.delay or 0.0,
            **_error(attempt.error),
            **_attempt(attempt),
        )

    def on_stop(
        self,
        call: ToolCall,
        attempts: tuple[Attempt, ...],
        reason: StopReason,
        error: ErrorInfo | None,
    ) -> None:
        """Log the end of a call: a failure at warning level, else at debug level."""
        self._tell(
            logging.DEBUG if error is None else logging.WARNING,
            call,
            "%s after %s (%s)%s",
            "ok" if error is None else f"{_code(error)} ({error.category.value})",
            _attempts(len(attempts)),
            reason.value,
            "" if error is None else f": {one_line(error.message)}",
            mcpfusion_attempts=len(attempts),
            mcpfusion_stop=reason.value,
            **_error(error),
        )
        self._numbers.pop(id(call), None)

    def on_abort(
        self, call: ToolCall, attempts: tuple[Attempt, ...], raised: BaseException
    ) -> None:
        """Log at info level that a call was cut short; only the type of what did it."""
        kind = type(raised).__name__
        self._tell(
            logging.INFO,
            call,
            "cut short by %s after %s",
            kind,
            _attempts(len(attempts)),
            mcpfusion_attempts=len(attempts),
            mcpfusion_raised=kind,
        )
        self._numbers.pop(id(call), None)

    def on_gate(self, call: ToolCall, seconds: float | None) -> None:
        """Log that a call is held back, at info level."""
        limit = "until another call ends" if seconds is None else f"for {seconds:.3f} s"
        self._tell(logging.INFO, call, "held back %s", limit, mcpfusion_gate=seconds)

    def on_block(
        self,
        call: ToolCall,
        reason: StopReason,
        why: str,
        error: ErrorInfo | None,
    ) -> None:
        """Log a refusal at warning level."""
        self._tell(
            logging.WARNING,
            call,
            "%s by a rule: %s",
            reason.value,
            one_line(why),
            mcpfusion_stop=reason.value,
            **_error(error),
        )

    def on_session(self, server: str, kind: str, detail: str) -> None:
        """Log what happened to the connection at info level, its loss as a warning."""
        name, word = one_line(server, _LONGEST_NAME), one_line(kind, 60)
        self._log.log(
            logging.WARNING if kind == "lost" else logging.INFO,
            "%s: session %s%s",
            name,
            word,
            f": {one_line(detail)}" if detail else "",
            extra={"mcpfusion_server": name, "mcpfusion_session": word},
        )

    def on_tools(self, server: str, tools: tuple[ToolInfo, ...]) -> None:
        """Log how many tools there are, at debug level."""
        name = one_line(server, _LONGEST_NAME)
        self._log.debug(
            "%s: %d tools listed",
            name,
            len(tools),
            extra={"mcpfusion_server": name, "mcpfusion_tools": len(tools)},
        )

    def _tell(
        self, level: int, call: ToolCall, text: str, *values: object, **extra: object
    ) -> None:
        if not self._log.isEnabledFor(level):
            return
        number = self._numbers.get(id(call))
        facts = _call(call) | extra
        if number is not None:
            facts["mcpfusion_call"] = number
        action = one_line(call.action, 80)
        who = action if number is None else f"{action} #{number}"
        self._log.log(level, f"%s: {text}", who, *values, extra=facts, stacklevel=2)


def _code(error: ErrorInfo | None) -> str:
    return "no error" if error is None else one_line(error.code or "no code", 60)


def _attempts(count: int) -> str:
    return f"{count} attempt{'' if count == 1 else 's'}"


def _call(call: ToolCall) -> dict[str, object]:
    return {
        "mcpfusion_action": one_line(call.action, _LONGEST_NAME),
        "mcpfusion_tool": one_line(call.tool, _LONGEST_NAME),
    }


def _error(error: ErrorInfo | None) -> dict[str, object]:
    if error is None:
        return {}
    return {
        "mcpfusion_code": _code(error),
        "mcpfusion_category": error.category.value,
        "mcpfusion_severity": error.severity.value,
        "mcpfusion_execution": error.execution.value,
        "mcpfusion_retry_after": error.retry_after,
        "mcpfusion_next_step": error.next_step.value,
        "mcpfusion_http_status": None if error.http is None else error.http.status,
    }


def _attempt(attempt: Attempt) -> dict[str, object]:
    return {
        "mcpfusion_attempt": attempt.number,
        "mcpfusion_duration": attempt.duration,
        "mcpfusion_delay": attempt.delay,
        "mcpfusion_reason": attempt.reason,
        "mcpfusion_request_id": attempt.request_id,
    }
