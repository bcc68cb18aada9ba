"""The attempt number and the idempotency key that go along with a call."""

import pytest

from mcpfusion_client import (
    StateUnknownError,
    StopReason,
    tool_error,
)
from mcpfusion_client.engine import ATTEMPT_META, KEY_META
from mcpfusion_client.testing import (
    Hang,
    VirtualClock,
)
from tests.engine_stage import BUSY, DONE, client, script


async def test_the_attempt_number_is_sent_from_the_second_attempt_on(
    clock: VirtualClock,
) -> None:
    """A server can tell a repeat from a new call."""
    session = script(BUSY, BUSY, DONE, clock=clock)

    await client(session, clock).call_tool("read", meta={"trace": "t1"})

    assert [call.meta for call in session.calls] == [
        {"trace": "t1"},
        {"trace": "t1", ATTEMPT_META: 2},
        {"trace": "t1", ATTEMPT_META: 3},
    ]


async def test_a_declared_key_is_made_once_and_kept(clock: VirtualClock) -> None:
    """With it even a lost write may be repeated."""
    session = script(ConnectionResetError("reset"), DONE, clock=clock)

    result = await client(session, clock).call_tool("pay", {"amount": 5})

    keys = {call.arguments["idempotencyKey"] for call in session.calls}
    assert result.stop_reason is StopReason.RETRIED
    assert len(keys) == 1
    assert all(KEY_META not in call.meta for call in session.calls)


async def test_two_calls_never_share_a_made_key(clock: VirtualClock) -> None:
    """The same payment ordered twice is two payments."""
    session = script(DONE, DONE, clock=clock)
    calls = client(session, clock)

    await calls.call_tool("pay", {"amount": 5})
    await calls.call_tool("pay", {"amount": 5})

    keys = {call.arguments["idempotencyKey"] for call in session.calls}
    assert len(keys) == 2


async def test_no_key_is_made_for_a_tool_that_takes_none(clock: VirtualClock) -> None:
    """A key nobody reads would only look like protection."""
    session = script(DONE, clock=clock)

    await client(session, clock).call_tool("write")

    (call,) = session.calls
    assert (call.arguments, call.meta) == ({}, {})


async def test_a_key_no_argument_takes_goes_into_meta_and_protects_nothing(
    clock: VirtualClock,
) -> None:
    """The server may use it; nobody promised that it does."""
    session = script(ConnectionResetError("reset"), clock=clock)

    with pytest.raises(StateUnknownError):
        await client(session, clock).call_tool("write", idempotency_key="k-1")

    (call,) = session.calls
    assert call.meta == {KEY_META: "k-1"}
    assert call.arguments == {}


async def test_a_key_among_the_arguments_is_the_key(clock: VirtualClock) -> None:
    """The caller's own key is sent as it is."""
    session = script(BUSY, DONE, clock=clock)

    await client(session, clock).call_tool("pay", {"idempotencyKey": "mine"})

    assert [call.arguments for call in session.calls] == [
        {"idempotencyKey": "mine"}
    ] * 2


async def test_two_different_keys_are_refused(clock: VirtualClock) -> None:
    """Nobody could say which of them holds."""
    session = script(clock=clock)

    with pytest.raises(ValueError, match="idempotency_key"):
        await client(session, clock).call_tool(
            "pay", {"idempotencyKey": "a"}, idempotency_key="b"
        )

    assert session.calls == []


async def test_a_key_still_in_flight_is_waited_for(clock: VirtualClock) -> None:
    """The first request still runs; the same key gets its answer later."""
    in_flight = tool_error("IDEMPOTENCY_IN_FLIGHT", "still at it", retry_after=2)
    session = script(Hang(), in_flight, DONE, clock=clock)

    result = await client(session, clock, timeout=5.0).call_tool(
        "pay", idempotency_key="k-1"
    )

    assert result.stop_reason is StopReason.RETRIED
    assert {call.arguments["idempotencyKey"] for call in session.calls} == {"k-1"}
