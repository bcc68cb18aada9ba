"""Stand between the SDK's session and its transport and note what passes.

The streams pass every message on untouched. Noted are: that a request was handed
over, what came back for it, and that the transport came to its end.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

import anyio
import attrs

from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.answers import UnreadableAnswerError, readable
from mcpfusion_client.sessions.compat import Sdk, Streams
from mcpfusion_client.sessions.facts import Fact, FactTable
from mcpfusion_client.sessions.flight import Flight, current_flight

_CALL = "tools/call"
_CALLS = frozenset({_CALL, "tools/list"})
_MOST_REVOKED = 1024
_PLACEHOLDER: JsonObject = {"content": [], "resultType": "complete"}
_CANCELLED = "notifications/cancelled"


@attrs.define(eq=False)
class Wire:
    """What is known about the messages of one session.

    Attributes:
        on_end: Called once the transport delivers nothing more.
        in_background: Runs a coroutine function in the session's own task.
        only_server_answers: Every answer on the stream was sent by the server;
            the SDK's HTTP transport puts answers of its own there.
        handed_over_is_sent: A request may have left once the transport has it;
            otherwise somebody else notes when it leaves.
        sdk: The SDK.
        facts: What is known about requests beyond what the SDK can carry.
        on_forget: Called when nobody waits for a request any more.
    """

    on_end: Callable[[], None]
    in_background: Callable[..., object]
    only_server_answers: bool
    handed_over_is_sent: bool
    sdk: Sdk
    facts: FactTable = attrs.field(factory=FactTable, init=False)
    on_forget: Callable[[Flight], None] | None = attrs.field(default=None, init=False)
    _waiting: dict[int | str, Flight] = attrs.field(
        factory=dict[int | str, Flight], init=False
    )

    _revoked: deque[int | str] = attrs.field(
        factory=lambda: deque[int | str](maxlen=_MOST_REVOKED), init=False
    )

    def sending(self, message: Any) -> str | None:
        """Note an outgoing message; return its method."""
        root = getattr(message, "root", message)
        method: str | None = getattr(root, "method", None)
        flight = current_flight.get()
        if flight is None or method not in _CALLS:
            return method
        request_id = getattr(root, "id", None)
        if request_id is not None:
            flight.sent = flight.sent or self.handed_over_is_sent
            flight.request_id = request_id
            flight.method = method
            flight.raw = None
            flight.take(None, damaged=False)
            self._waiting[request_id] = flight
        return method

    def not_sent(self) -> None:
        """The transport did not take the message after all."""
        flight = current_flight.get()
        if flight is not None and flight.request_id is not None:
            flight.sent = False

    def received(self, message: Any) -> None:
        """Note an incoming message."""
        root = getattr(message, "root", message)
        if hasattr(root, "method"):
            return
        flight = self._waiting.pop(_number(getattr(root, "id", None)), None)
        if flight is None:
            return
        result = getattr(root, "result", None)
        if is_object(result):
            flight.raw = result
        elif self.only_server_answers:
            flight.server_error = True

    def is_revoked(self, request_id: JsonValue) -> bool:
        """Has a request been given up, as never sent, that is still on its way?"""
        return request_id in self._revoked

    def flight_of(self, request_id: JsonValue) -> Flight | None:
        """Return the flight that waits for an answer with this id."""
        return self._waiting.get(request_id)

    def forget(self, flight: Flight) -> None:
        """Wait no longer for what *flight* asked."""
        if flight.request_id is not None:
            self._waiting.pop(flight.request_id, None)
            if not flight.sent:
                self._revoked.append(flight.request_id)
            if self.on_forget is not None:
                self.on_forget(flight)

    def salvaged(self, exc: Exception) -> Any:
        """Return a message for one the SDK could not read, None if it is nobody's."""
        for message in _inputs(exc):
            flight = self._waiting.get(_number(message.get("id")))
            if flight is not None:
                return self.sdk.message(self._substitute(message, flight))
        return None

    def _substitute(self, message: JsonObject, flight: Flight) -> JsonObject:
        """Return a message the SDK can read; what really came is on the flight."""
        try:
            answer = readable(json.dumps(message), flight.request_id)
        except UnreadableAnswerError as unreadable:
            info = failures.bad_response(unreadable.reason)
            return self.facts.put(Fact(info=info, answered=True), flight.request_id)
        if answer is None or answer.result is None or flight.method != _CALL:
            info = failures.bad_response("a message the SDK cannot read")
            return self.facts.put(Fact(info=info, answered=True), flight.request_id)
        flight.take(answer.result, damaged=True)
        return {"jsonrpc": "2.0", "id": flight.request_id, "result": _PLACEHOLDER}


def _inputs(exc: Exception) -> Iterator[JsonObject]:
    """Return the messages a validation error of the SDK is about."""
    errors: Callable[[], list[JsonObject]]
    errors = getattr(exc, "errors", list[JsonObject])
    for error in errors():
        value: object = error.get("input")
        if isinstance(value, str | bytes):
            value = _loaded(value)
        if is_object(value) and "id" in value and "method" not in value:
            yield value


def _loaded(text: str | bytes) -> object:
    try:
        loaded: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return loaded


def _number(request_id: int | str | None) -> int | str:
    if isinstance(request_id, str) and request_id.isascii() and request_id.isdigit():
        return int(request_id)
    return -1 if request_id is None else request_id


class _Tap:
    """What both ends share: closing, and being a context manager."""

    def __init__(self, inner: Any, wire: Wire) -> None:
        self._inner = inner
        self._wire = wire

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self._inner.aclose()


class TappedReader(_Tap):
    """The SDK's read stream, noting what comes in."""

    @property
    def last_context(self) -> Any:
        """The sender's context, where the SDK's stream carries one."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Any:
        """Return the next message."""
        try:
            item = await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._wire.on_end()
            raise
        if isinstance(item, Exception):
            salvaged = self._wire.salvaged(item)
            if salvaged is None:
                return item
            item = salvaged
        self._wire.received(item.message)
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class TappedWriter(_Tap):
    """The SDK's write stream, noting what goes out."""

    async def send(self, item: Any) -> None:
        """Hand a message to the transport."""
        if self._wire.sending(item.message) == _CANCELLED:
            # A server that no longer reads must not hold up the caller who
            # gives up on it.
            self._wire.in_background(self._send_quietly, item)
            return
        try:
            await self._inner.send(item)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._wire.not_sent()
            self._wire.on_end()
            raise

    async def _send_quietly(self, item: Any) -> None:
        try:
            await self._inner.send(item)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._wire.on_end()


def tapped(streams: Streams, wire: Wire) -> Streams:
    """Return *streams* with *wire* noting what passes."""
    read, write = streams[0], streams[1]
    return TappedReader(read, wire), TappedWriter(write, wire)
