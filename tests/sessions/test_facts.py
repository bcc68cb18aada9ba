"""A fact is collected once, cannot be forged, and is not kept for ever."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.compat import RpcError
from mcpfusion_client.sessions.facts import FACT_CODE, TOKEN_KEY, Fact, FactTable

FACT = Fact(info=failures.bad_response("for a test"))


def _error(message: object) -> RpcError:
    error = json.loads(json.dumps(message))["error"]
    return RpcError(code=error["code"], message=error["message"], data=error["data"])


def test_a_fact_is_collected_once() -> None:
    """Whoever sees the token later has seen a copy."""
    table = FactTable()
    error = _error(table.put(FACT, 1))

    assert table.take(error) is FACT
    assert table.take(error) is None


@given(st.text() | st.integers() | st.none())
def test_a_token_that_was_not_given_out_stands_for_nothing(token: object) -> None:
    """A server may send whatever it likes."""
    table = FactTable()
    table.put(FACT, 1)
    forged = RpcError(code=FACT_CODE, message="", data={TOKEN_KEY: token})

    assert table.take(forged) is None


def test_facts_nobody_collects_are_dropped_oldest_first() -> None:
    """A caller that is gone never collects its own."""
    table = FactTable()
    first = _error(table.put(FACT, 0))
    last = first
    for number in range(10_000):
        last = _error(table.put(FACT, number))

    assert table.take(first) is None
    assert table.take(last) is FACT


def test_what_the_sdk_may_log_of_a_fact_holds_no_secret_and_no_control() -> None:
    """The SDKs put the message into spans and logs of their own."""
    body = "denied\x1b[2J for Bearer abcdefghijklmnop1234567890"
    error = _error(FactTable().put(Fact(info=failures.bad_response(body)), 1))

    assert "abcdefghijklmnop" not in error.message
    assert "\x1b" not in error.message
    assert "denied" in error.message
