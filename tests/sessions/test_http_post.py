"""What the HTTP client does with a request tells whether it has left."""

import pytest

from mcpfusion_client.clock import SystemClock
from mcpfusion_client.sessions.attempt_timer import AttemptTimer
from mcpfusion_client.sessions.flight import Flight
from mcpfusion_client.sessions.http_post import GivenUpError, Post

CONNECTING = "connection.connect_tcp.started"
SENDING = "http11.send_request_headers.started"


class Tunnel:
    """A request as httpcore traces it."""

    method = b"CONNECT"


@pytest.fixture
async def post() -> Post:
    """A request that is about to be sent."""
    flight = Flight(attempt=AttemptTimer(SystemClock(), 1, 1))
    made = Post(
        request_id=1, method="tools/call", headers={}, body=b"{}", flight=flight
    )
    made.sending(started=True)
    return made


def _sent(post: Post) -> bool:
    assert post.flight is not None
    return post.flight.sent


async def test_until_the_headers_go_out_nothing_was_sent(post: Post) -> None:
    """A timer that fires while connecting leaves the call free to be repeated."""
    await post.trace(CONNECTING, {})
    assert not _sent(post)

    await post.trace(SENDING, {})
    assert _sent(post)


async def test_a_tunnel_through_a_proxy_is_not_the_request(post: Post) -> None:
    """It is opened by a request of its own."""
    await post.trace(CONNECTING, {})
    await post.trace(SENDING, {"request": Tunnel()})

    assert not _sent(post)


async def test_a_client_that_tells_nothing_may_have_sent_it(post: Post) -> None:
    """As one with a transport of its own."""
    assert _sent(post)


async def test_what_was_given_up_before_it_was_sent_is_never_sent(post: Post) -> None:
    """It has been reported as not executed."""
    await post.trace(CONNECTING, {})
    post.abandon()

    with pytest.raises(GivenUpError):
        await post.trace(SENDING, {})


async def test_resuming_a_stream_does_not_undo_the_sending(post: Post) -> None:
    """The server has begun to answer: the tool may well have run."""
    post.delivered = True

    await post.trace(CONNECTING, {})

    assert _sent(post)
