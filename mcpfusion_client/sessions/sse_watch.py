"""Watch server-sent events pass: is the awaited answer among them?

Bytes come in as they arrive and leave as whole events, untouched, except for an
answer that cannot be read or belongs to another request. The SDKs would wait for
ever after those.
"""

import json
import re
from collections.abc import Iterator

import attrs

from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.sessions.answers import (
    UnreadableAnswerError,
    readable,
    scrubbed_bytes,
)
from mcpfusion_client.sessions.flight import Flight

_EVENT_END = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))")
_LINE_END = re.compile(rb"\r\n|\n|\r")
LARGEST_EVENT = 64 * 1024 * 1024
"""Bytes of one event."""
_LONGEST_END = 4
"""Bytes an event's end may span, which may arrive in two pieces."""


@attrs.define(eq=False)
class SseWatch:
    """Follows the events of one request's response.

    Attributes:
        request_id: The id the answer must carry.
        flight: Gets the result as it came, None for a request of the user's own.
        secrets: What a failure must not repeat.
        lenient: An answer that cannot be read is passed on all the same.
        answered: The answer has passed.
        unreadable: What is wrong with such an answer that was passed on.
        last_event_id: Where the stream can be resumed, if it can.
    """

    request_id: JsonValue
    flight: Flight | None
    secrets: tuple[str, ...] = ()
    lenient: bool = False
    answered: bool = False
    unreadable: str | None = None
    last_event_id: str | None = None
    _buffer: bytearray = attrs.field(factory=bytearray, init=False)
    _searched: int = attrs.field(default=0, init=False)

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Take what arrived; yield the events that are complete.

        Raises:
            UnreadableAnswerError: An answer that must not reach the SDK.
        """
        self._buffer += chunk
        while (end := _EVENT_END.search(self._buffer, self._searched)) is not None:
            event = bytes(self._buffer[: end.end()])
            del self._buffer[: end.end()]
            self._searched = 0
            yield self._seen(event)
        self._searched = max(0, len(self._buffer) - _LONGEST_END)
        if len(self._buffer) > LARGEST_EVENT:
            msg = "an event without end"
            raise UnreadableAnswerError(msg)

    def rest(self) -> bytes:
        """Return what is left of an event that was cut off."""
        return bytes(self._buffer)

    def _seen(self, event: bytes) -> bytes:
        """Note one event; return what is passed on."""
        fields = _fields(event)
        if fields.get("id"):
            self.last_event_id = fields["id"]
        text = fields.get("data", "")
        if not text or fields.get("event", "message") not in {"message", ""}:
            return event
        try:
            answer = readable(text, self.request_id)
        except UnreadableAnswerError as unreadable:
            if not self.lenient:
                raise
            self.unreadable = unreadable.reason
            return scrubbed_bytes(event, self.secrets)
        if answer is None:
            return event
        answer = answer.without(self.secrets)
        self.answered = True
        if self.flight is not None:
            self.flight.take(answer.result, damaged=answer.damaged)
        if answer.exact:
            return event
        mark = f"id: {fields['id']}\n" if fields.get("id") else ""
        return f"{mark}{_data_event(json.dumps(answer.message))}".encode()


def _fields(event: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    data: list[str] = []
    for line in _LINE_END.split(event):
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name:
            fields[name] = value
    fields["data"] = "\n".join(data)
    return fields


def _data_event(body: str) -> str:
    return f"event: message\ndata: {body}\n\n"


def event_of(message: JsonObject) -> bytes:
    """Return *message* as one event."""
    return _data_event(json.dumps(message)).encode()
