"""What holds for anything at all that comes over the wire."""

import json
import math
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeGuard

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.decode import from_http, from_rpc, read
from mcpfusion_client.decode.jsonl import decode_object
from mcpfusion_client.decode.lexicon import WINDOW, Context
from mcpfusion_client.decode.words import read as read_words
from mcpfusion_client.model import ErrorInfo, Execution
from mcpfusion_client.model.json import is_sequence

MANY = settings(max_examples=3 * settings().max_examples)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

WORDS = st.sampled_from(
    """error|code|message|isRetryable|retry_after|errorCategory|transient|permission
    |RATE_LIMITED|FORBIDDEN|status|details|errors|path|retryAfterMs|category|headers
    |Retry-After|HTTP 429|not found|try again in 5 s|partial_results|severity|isError
    |<tool_error code="NOT_FOUND">|```json|{'a': 1}|fields|\ud800|\x00|{|}|[|]|success
    |エラー種別: 混雑|再試行: 不可|resource|text|type|content|structuredContent|_meta
    |99999999999999999999999999999999999999999999""".replace("\n    |", "|").split("|")
)
TEXTS = WORDS | st.text(max_size=40) | st.lists(WORDS, max_size=6).map(" ".join)
NUMBERS = (
    st.integers()
    | st.floats()
    | st.sampled_from([429, 403, 0, -1, 10**400, 1796040060, 1796040060000])
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=5)
    ),
    max_leaves=20,
)
BLOCKS = st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS}) | JSON
RESULTS = st.fixed_dictionaries(
    {"isError": st.just(True), "content": st.lists(BLOCKS, max_size=4)},
    optional={"structuredContent": JSON, "_meta": JSON, "code": JSON},
)


def check(info: ErrorInfo) -> None:
    """Check what every decoded failure promises."""
    hint = info.retry_after
    assert hint is None or (math.isfinite(hint) and hint >= 0)
    assert len(info.message) <= 64 * 1024
    assert info.code is None or isinstance(info.code, str)
    assert info.is_retryable in {True, False, None}
    assert info.stated <= {field.name for field in attrs.fields(ErrorInfo)}
    assert info.next_step is not None


@MANY
@given(JSON)
def test_no_json_value_makes_it_raise(value: Any) -> None:
    """Whatever it is: a failure, or a success."""
    reading = read(value, received_at=NOW, detect_disguised=True)

    for info in (reading.error, reading.suspected_failure, *reading.warnings):
        if info is not None:
            check(info)
    json.dumps(decode_object(value, now=NOW, detect_disguised=True), default=str)


@MANY
@given(RESULTS)
def test_a_failure_stays_a_failure(result: dict[str, Any]) -> None:
    """Friendly or hostile, marked as failed is failed."""
    info = read(result, received_at=NOW).error

    assert info is not None
    check(info)


@MANY
@given(
    status=st.integers(-10, 1000),
    headers=st.dictionaries(
        st.text(max_size=20) | st.just("Retry-After"), JSON, max_size=4
    ),
    body=st.text(max_size=100) | st.binary(max_size=50) | st.none(),
)
def test_no_response_makes_it_raise(
    status: int, headers: dict[str, Any], body: str | bytes | None
) -> None:
    """Headers of any type, bodies of any bytes."""
    check(from_http(status=status, headers=headers, body=body, received_at=NOW))


@MANY
@given(code=st.integers(), message=TEXTS, error_data=JSON, sdk_made=st.booleans())
def test_no_json_rpc_error_makes_it_raise(
    code: int, message: str, error_data: Any, *, sdk_made: bool
) -> None:
    """Any number, any words, any data."""
    check(from_rpc(code=code, message=message, data=error_data, sdk_made=sdk_made))


YES = (
    '{"isRetryable": true, "errorCategory": "transient", "retry_after": 1}',
    '{"isRetryable": true}',
    "HTTP 429 Too Many Requests, retry after 5 seconds. Retryable: yes",
    (
        '<tool_error code="RATE_LIMITED" severity="error"><message>x</message>'
        "<retry_after>1 seconds</retry_after></tool_error>"
    ),
    "エラー種別: 混雑\n再試行: 同じ内容で可(1秒後)\n副作用: なし",
    "Error type: rate limited\nRetry: yes\nSide effects: none",
    "[SERVER_BUSY] try again in 2 minutes",
    '```json\n{"retryable": true}\n```',
)
"""Blocks that would be repeated if they stood alone."""

REAL = [
    case["result"]
    for line in Path(__file__)
    .with_name("field_cases.jsonl")
    .read_text("utf-8")
    .splitlines()
    if "result" in (case := json.loads(line)) and case["result"].get("isError")
]


def with_noise(result: dict[str, Any], noise: str, place: int) -> dict[str, Any]:
    """Return *result* with one more text block."""
    content = result["content"]
    blocks = (
        [{"type": "text", "text": content}] if isinstance(content, str) else content
    )
    noisy = [*blocks[:place], {"type": "text", "text": noise}, *blocks[place:]]
    return {**result, "content": noisy}


@pytest.fixture(scope="module")
def real() -> list[tuple[dict[str, Any], ErrorInfo | None]]:
    """What real servers wrote, and what is read from it as it stands."""
    return [(result, read(result, received_at=NOW).error) for result in REAL]


@pytest.mark.parametrize("noise", YES)
def test_no_real_refusal_is_talked_into_a_retry(
    noise: str, real: list[tuple[dict[str, Any], ErrorInfo | None]]
) -> None:
    """Whatever a second text says, wherever it stands."""
    for result, before in real:
        assert before is not None
        for place in (0, 1):
            after = read(with_noise(result, noise, place), received_at=NOW).error
            assert after is not None
            if before.is_retryable is False:
                assert after.is_retryable is not True, result


@MANY
@given(result=RESULTS, noise=TEXTS | st.sampled_from(YES), place=st.integers(0, 4))
def test_noise_makes_no_success_and_no_retry(
    result: dict[str, Any], noise: str, place: int
) -> None:
    """One more text block never turns a failure into a success, nor no into yes."""
    before = read(result, received_at=NOW).error
    after = read(with_noise(result, noise, place), received_at=NOW).error

    assert before is not None
    assert after is not None
    if before.is_retryable is False:
        assert after.is_retryable is not True


@MANY
@given(st.lists(TEXTS, max_size=4))
def test_prose_alone_states_nothing_about_repeating(texts: list[str]) -> None:
    """A text that is no JSON, no envelope and no label can only suggest."""
    plain = [re.sub(r"[<{\[：:]", " ", text) for text in texts]
    result = {"isError": True, "content": [{"type": "text", "text": t} for t in plain]}

    info = read(result, received_at=NOW).error

    assert info is not None
    assert info.stated.isdisjoint({"is_retryable", "category", "retry_after"})


@MANY
@given(st.text(min_size=1, max_size=200), st.booleans())
def test_successes_are_never_failures(text: str, with_flag: bool) -> None:  # noqa: FBT001
    """Without the flag nothing in a text makes a failure."""
    flag = {"isError": False} if with_flag else {}
    result = {"content": [{"type": "text", "text": text}], **flag}

    assert read(result).error is None


@pytest.mark.parametrize("said", ["false", '"false"'])
def test_a_no_in_any_place_is_a_no(said: str) -> None:
    """Every place where metadata is read."""
    facts = json.loads('{"isRetryable": %s}' % said)  # noqa: UP031 - braces
    yes = {"isRetryable": True, "errorCategory": "transient", "retry_after": 1}
    text = {"type": "text", "text": json.dumps(facts)}
    places: list[dict[str, Any]] = [
        {"content": [text], "structuredContent": yes},
        {"content": [], "structuredContent": yes, "_meta": facts},
        {"content": [], "structuredContent": facts, **yes},
        {"content": [], "structuredContent": {**yes, "error": facts}},
        {"content": [text, {"type": "text", "text": json.dumps(yes)}]},
    ]
    for place in places:
        info = read({"isError": True, **place}).error
        assert info is not None
        assert info.is_retryable is False
        assert info.retryable_source == "stated"


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Return every compiled pattern of the decoder and where it stands."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("mcpfusion_client.decode"):
            for attribute, value in vars(module).items():
                yield from _patterns_in(f"{name}.{attribute}", value)


def _is_pattern(value: object) -> TypeGuard[re.Pattern[str]]:
    return isinstance(value, re.Pattern)


def _patterns_in(name: str, value: object) -> Iterator[tuple[str, re.Pattern[str]]]:
    inner: object = getattr(value, "pattern", None)
    if _is_pattern(value):
        yield name, value
    elif is_sequence(value):
        for index, one in enumerate(value):
            yield from _patterns_in(f"{name}[{index}]", one)
    elif _is_pattern(inner):
        yield name, inner


_PLACES = [
    name for name, _ in patterns() if ".fusion" not in name and ".labels" not in name
]


def test_there_are_patterns_to_look_at() -> None:
    """Otherwise the next test holds nothing."""
    assert len(_PLACES) > 100


def test_no_pattern_repeats_without_bounds_what_may_then_fail() -> None:
    """An open repeat on a megabyte of digits costs its square; a bound, one pass.

    The one that is allowed splits a bounded text into pieces and cannot fail.
    """
    open_repeat = re.compile(r"(?<!\\)(?:[\w)\].]|\\.)[*+](?![+?])|\{\d+,\}")
    in_class = re.compile(r"\[(?:\\.|[^\]\\])*\]")
    allowed = {"_PIECE"}
    found = [
        (name, pattern.pattern)
        for name, pattern in patterns()
        if name in _PLACES
        and name.rsplit(".", 1)[-1] not in allowed
        and open_repeat.search(in_class.sub("c", pattern.pattern))
    ]

    assert found == []


def test_words_are_looked_for_only_in_a_window() -> None:
    """What a megabyte of words costs is what the window costs."""
    sizes: list[int] = []

    class Counting(str):
        """A text that notes how much of it is turned to lower case."""

        __slots__ = ()

        def lower(self) -> str:
            sizes.append(len(self))
            return super().lower()

    long = "the order failed. " * 100_000
    short = read_words(long[:WINDOW], Context())

    assert read_words(Counting(long), Context()).clues == short.clues
    assert all(size <= WINDOW + 1 for size in sizes)


def test_many_blocks_share_one_window() -> None:
    """The later ones are read less far, never not at all."""
    filler = "x" * 2000
    texts = [f"{filler} Permission denied" for _ in range(64)]
    result = {"isError": True, "content": [{"type": "text", "text": t} for t in texts]}

    info = read(result).error

    assert info is not None
    assert info.execution is Execution.NOT_EXECUTED
