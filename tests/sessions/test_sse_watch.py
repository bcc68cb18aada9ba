"""Events pass as they came, however they are cut, and the answer is noticed."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.sessions.answers import UnreadableAnswerError
from mcpfusion_client.sessions.sse_watch import SseWatch, event_of

ANSWER = '{"jsonrpc": "2.0", "id": 7, "result": {"content": []}}'
PROGRESS = '{"jsonrpc": "2.0", "method": "notifications/progress"}'
EVENTS = st.lists(
    st.sampled_from(
        [
            ": keep-alive\n\n",
            "id: 1\r\nretry: 5\r\ndata: \r\n\r\n",
            f"event: message\ndata: {PROGRESS}\n\n",
            f"event: message\rdata: {PROGRESS}\r\r",
            "event: other\ndata: no JSON at all\n\n",
        ]
    ),
    max_size=6,
)


def _pass(stream: bytes, cuts: list[int]) -> tuple[bytes, SseWatch]:
    watch = SseWatch(7, None)
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    out = bytearray()
    for start, end in itertools.pairwise(places):
        for event in watch.feed(stream[start:end]):
            out += event
    return bytes(out + watch.rest()), watch


@given(EVENTS, st.lists(st.integers(0, 1000), max_size=20))
def test_a_stream_comes_out_as_it_went_in(events: list[str], cuts: list[int]) -> None:
    """Wherever the network cuts it."""
    stream = "".join([*events, f"data: {ANSWER}\n\n"]).encode()

    out, watch = _pass(stream, cuts)

    assert out == stream
    assert watch.answered


@given(EVENTS, st.lists(st.integers(0, 1000), max_size=20))
def test_without_an_answer_nothing_is_answered(
    events: list[str], cuts: list[int]
) -> None:
    """Notifications and comments are none; the last event id is remembered."""
    _, watch = _pass("".join(events).encode(), cuts)

    assert not watch.answered
    assert (watch.last_event_id == "1") is any("id: 1" in event for event in events)


@pytest.mark.parametrize("data", ["{not json", "[]", '{"id": 8, "result": {}}', "{}"])
def test_an_answer_that_cannot_be_ours_ends_the_stream(data: str) -> None:
    """Mcp 1.x would go on waiting."""
    watch = SseWatch(7, None)

    with pytest.raises(UnreadableAnswerError):
        list(watch.feed(f"data: {data}\n\n".encode()))


def test_an_answer_with_its_id_as_text_is_put_right() -> None:
    """And it keeps its event id, from which the stream could be resumed."""
    watch = SseWatch(7, None)
    data = '{"jsonrpc": "2.0", "id": "7", "result": {"content": []}}'

    (event,) = watch.feed(f"id: 3\ndata: {data}\n\n".encode())

    lines = event.decode().splitlines()
    assert lines[0] == "id: 3"
    assert json.loads(lines[2].removeprefix("data: "))["id"] == 7


def test_an_answer_in_two_data_lines_is_one_answer() -> None:
    """The lines of an event are joined before they are read."""
    watch = SseWatch(7, None)

    list(watch.feed(b'data: {"jsonrpc": "2.0", "id": 7,\ndata: "result": {}}\n\n'))

    assert watch.answered


def test_an_event_of_our_own_is_one_event() -> None:
    """Line breaks in a message would end it early."""
    event = event_of({"text": "a\nb\r\n\r\nc"})

    assert event.count(b"\n\n") == 1
    assert event.endswith(b"\n\n")
