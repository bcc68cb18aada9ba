"""Answers the SDKs drop are put right, everything else passes as it came."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model import JsonValue
from mcpfusion_client.sessions.answers import (
    UnreadableAnswerError,
    is_tool_result,
    mended,
    readable,
    scrubbed_json,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON), st.integers() | st.text(min_size=1))
def test_a_proper_answer_passes_unchanged(
    result: dict[str, JsonValue], request_id: int | str
) -> None:
    """Nothing is rewritten that the SDK can read."""
    message = {"jsonrpc": "2.0", "id": request_id, "result": result}

    answer = readable(json.dumps(message, ensure_ascii=False).encode(), request_id)

    assert answer is not None
    assert answer.exact
    assert answer.result == result


@pytest.mark.parametrize("request_id", [1, "1"], ids=["number", "text"])
def test_an_id_of_the_other_type_is_put_right(request_id: int | str) -> None:
    """Some servers write numbers as text; the SDKs then wait for ever."""
    answer = readable('{"jsonrpc": "2.0", "id": "1", "result": {}}', request_id)

    assert answer is not None
    assert answer.message["id"] == request_id


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_an_answer_in_an_encoding_the_sdks_do_not_know_is_written_anew(
    encoding: str,
) -> None:
    """A byte order mark at the front is the mark of some Windows servers."""
    message = {"jsonrpc": "2.0", "id": 7, "result": {"text": "é"}}
    text = json.dumps(message, ensure_ascii=False).encode(encoding)

    answer = readable(text, 7)

    assert answer is not None
    assert answer.message == message
    assert not answer.exact
    assert not answer.damaged


def test_an_error_without_an_id_belongs_to_the_request_it_answers() -> None:
    """The server could not read the request, so it does not know its id."""
    text = '{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "?"}}'

    answer = readable(text, 7)

    assert answer is not None
    assert answer.message["id"] == 7
    assert answer.failed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "{}",
        '{"id": 7}',
        '{"id": 7, "result": 3}',
        '{"id": 7, "error": "no"}',
        '{"id": 8, "result": {}}',
        '{"result": {}}',
        "[" * 100_000,
        b"\xff\xfe\xfa",
    ],
)
def test_what_is_no_answer_is_refused(text: str | bytes) -> None:
    """The SDKs would wait for the real one, which never comes."""
    with pytest.raises(UnreadableAnswerError):
        readable(text, 7)


def test_another_kind_of_message_is_none_of_our_business() -> None:
    """Notifications and the server's own requests pass."""
    assert readable('{"jsonrpc": "2.0", "method": "ping", "id": 7}', 7) is None


def test_half_a_surrogate_pair_is_kept_beside_what_the_sdk_can_read() -> None:
    """The SDKs cannot read it, but the tool has run."""
    text = '{"jsonrpc": "2.0", "id": 7, "result": {"content": ["\\ud800"]}}'

    answer = readable(text, 7)

    assert answer is not None
    assert answer.damaged
    assert answer.result == {"content": ["\ud800"]}
    assert answer.message["result"] == {"content": ["�"]}


def test_a_whole_surrogate_pair_is_no_damage() -> None:
    """Emoji are often written as two escapes."""
    text = '{"jsonrpc": "2.0", "id": 7, "result": {"a": "\\ud83d\\ude00"}}'

    answer = readable(text, 7)

    assert answer is not None
    assert answer.exact
    assert not answer.damaged


@given(JSON)
def test_mending_changes_only_surrogates(value: JsonValue) -> None:
    """Text that UTF-8 can hold stays as it is."""
    assert mended(value) == value


@given(JSON, st.text("abcdefgh", min_size=4))
def test_scrubbing_leaves_no_secret_and_keeps_the_shape(
    value: JsonValue, secret: str
) -> None:
    """Only text is touched, keys are not."""
    planted: dict[str, JsonValue] = {"a": [f"x{secret}y", value], "b": 3}

    clean = scrubbed_json(planted, (secret,))

    assert secret not in json.dumps(clean["a"][0])
    assert clean["b"] == 3
    assert sorted(clean) == ["a", "b"]


SHAPES: list[tuple[dict[str, JsonValue], bool]] = [
    ({"content": []}, True),
    ({"content": [{"type": "video", "new": 1}]}, True),
    ({"content": [{"type": "text"}], "isError": False}, True),
    ({}, False),
    ({"content": "text"}, False),
    ({"content": [7]}, False),
    ({"content": [{}]}, False),
    ({"content": [], "isError": "no"}, False),
]


@pytest.mark.parametrize(("raw", "fits"), SHAPES)
def test_a_tool_result_has_blocks_with_a_type(
    raw: dict[str, JsonValue], *, fits: bool
) -> None:
    """A kind of content nobody knows yet is no reason to lose a result."""
    assert is_tool_result(raw) is fits
