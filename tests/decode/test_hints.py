"""Every way a wait is written, as values, headers and sentences."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.decode import hints, prose_hints
from mcpfusion_client.decode.passage import Passage

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
EPOCH = NOW.timestamp()


def close(found: float | None, seconds: float | None) -> bool:
    """Are both absent, or both the same number of seconds?"""
    if found is None or seconds is None:
        return found is seconds
    return math.isclose(found, seconds, rel_tol=1e-6)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (30, 30.0),
        (0, 0.0),
        (1.5, 1.5),
        ("31", 31.0),
        ("+30", 30.0),
        ("1e3", 1000.0),
        ("30 seconds", 30.0),
        ("30s", 30.0),
        ("2 minutes", 120.0),
        ("1500 ms", 1.5),
        ("1h2m3s", 3723.0),
        ("1 hour, 5 minutes and 3 seconds", 3903.0),
        ("42m13s", 2533.0),
        ("3.5s", 3.5),
        ("PT30S", 30.0),
        ("PT1H2M", 3720.0),
        ("P1DT1S", 86401.0),
        ("P1W", 604800.0),
        ("00:00:30", 30.0),
        ("1.00:00:01", 86401.0),
        ("in 5 minutes", 300.0),
        ("1h  5m", 3900.0),
        ("2026-11-30T12:01:00Z", 60.0),
        ("2026-11-30 12:01:00 UTC", 60.0),
        ("2026-11-30T11:00:00Z", 0.0),
        ("Mon, 30 Nov 2026 12:02:00 GMT", 120.0),
        ({"seconds": 5, "nanos": 500_000_000}, 5.5),
        ({"seconds": "5"}, 5.0),
        (315360000, 315360000.0),
        (1e21, 1e21),
        (EPOCH + 20, 20.0),
        ((EPOCH + 20) * 1000, 20.0),
        (EPOCH - 20, 0.0),
    ],
)
def test_a_wait_is_read_from_a_value(value: object, seconds: float) -> None:
    """Numbers, durations, dates and times since 1970."""
    assert close(hints.wait(value, NOW), seconds)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -1,
        float("nan"),
        float("inf"),
        10**400,
        "soon",
        "",
        "-5",
        "1e999",
        "9" * 200,
        "P",
        "PT",
        "30 bananas",
        "25:99",
        "   ",
        "30 seconds or so",
        "2026-13-45T00:00:00Z",
        "Mon, 99 Foo 2026 12:02:00 GMT",
        {"seconds": [30]},
        {"seconds": 3, "nanos": "x"},
        [30],
        "5\r\nX-Evil: 1",
    ],
)
def test_what_is_malformed_is_absent(value: object) -> None:
    """No guess, no exception."""
    assert hints.wait(value, NOW) is None


def test_a_long_text_is_no_duration() -> None:
    """Whatever it begins with."""
    assert hints.duration("5 s " * 100) is None
    assert hints.duration("5") == 5.0
    assert hints.duration(" " * 500) is None


def test_a_bare_number_counts_in_the_unit_of_its_key() -> None:
    """``retry_after_ms: 1500`` is a second and a half."""
    assert hints.wait(1500, NOW, 0.001) == 1.5


def test_times_need_somebody_to_say_what_now_is() -> None:
    """Without it an absolute time is no wait."""
    assert hints.wait("2026-11-30T12:01:00Z", None) is None
    assert hints.reset(EPOCH + 5, None) is None
    assert hints.reset("soon", NOW) is None
    assert hints.seconds_until("x" * 500, NOW) is None
    assert hints.moment("x" * 500) is None


def test_a_reset_is_told_apart_by_its_size() -> None:
    """Small is a wait, large is a time."""
    assert hints.reset(50, NOW) == 50.0
    assert close(hints.reset(EPOCH + 50, NOW), 50.0)
    assert hints.reset(5e10, NOW) is None


@pytest.mark.parametrize(
    ("headers", "limited", "seconds"),
    [
        ({"retry-after": "12"}, False, 12.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, False, 1.5),
        ({"retry-after-ms": "x", "retry-after": "2"}, False, 2.0),
        ({"x-ms-retry-after-ms": "250"}, False, 0.25),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, False, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:30 GMT"}, False, 0.0),
        ({"ratelimit": '"default";r=0;t=9'}, True, 9.0),
        ({"ratelimit": "limit=10, remaining=0, reset=8"}, True, 8.0),
        ({"ratelimit-reset": "7"}, True, 7.0),
        ({"x-ratelimit-reset": str(int(EPOCH) + 5)}, True, 5.0),
        ({"x-ratelimit-reset-requests": "6m0s"}, True, 360.0),
        ({"ratelimit-reset": "7", "ratelimit-remaining": "0"}, False, 7.0),
        ({"ratelimit-reset": "7", "ratelimit-remaining": "5"}, False, None),
        ({"ratelimit": "unknown"}, True, None),
        ({"retry-after": "5\r\nX-Evil: 1"}, True, None),
        ({}, True, None),
    ],
)
def test_a_wait_is_read_from_headers(
    headers: dict[str, str], seconds: float | None, *, limited: bool
) -> None:
    """The end of a rate window counts only where the window is used up."""
    found = hints.from_headers(headers, NOW, limited=limited)

    assert close(found, seconds)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please try again in 20 seconds.", 20.0),
        ("retry after 42m13s", 2533.0),
        ("retry after 5", 5.0),
        ("Retry-After: 17", 17.0),
        ("Retry-After (seconds): 30", 30.0),
        ("retry_after_ms=250", 0.25),
        ("'retry_after': 12}", 12.0),
        ("retry_delay {\n  seconds: 46\n}", 46.0),
        ("cooldown: 10", 10.0),
        ("backoff=8s", 8.0),
        ("Please wait at least 30 seconds before retrying", 30.0),
        ("60s until retry", 60.0),
        ("wait between 30-60 seconds", None),
        ("Retry in 30-60 seconds", 60.0),
        ("Try again in an hour", 3600.0),
        ("wait two minutes", 120.0),
        ("try again after 12:05 UTC", 300.0),
        ("try again after 11:00 UTC", 82800.0),
        ("resets at 2026-11-30 12:10:00 UTC", 600.0),
        ("Retry-After: Mon, 30 Nov 2026 12:01:00 GMT", 60.0),
        ("60秒後に再試行してください", 60.0),
        ("20秒待ってから", 20.0),
        ("请在 30 秒后重试", 30.0),
        ("60초 후에 다시 시도", 60.0),
        ("Bitte versuchen Sie es in 2 Minuten erneut", 120.0),
        ("Réessayez dans 30 secondes", 30.0),
        ("Inténtelo de nuevo en 45 segundos", 45.0),
        ("in 5 Minuten wieder", 300.0),
        ("timed out after waiting 30 seconds", None),
        ("5秒後にタイムアウト", None),
        ("5 requests per 60 seconds", None),
        ("retry after 3 attempts", None),
        ("retry after -5", None),
        ("you can retry in -5 seconds", None),
        ("waited 5 seconds", None),
        ("timeout: 30s", None),
        ("try again tomorrow", None),
        ("retry after 5xyz", None),
        ("wait until the end of the day", None),
    ],
)
def test_a_wait_is_found_in_a_sentence(text: str, seconds: float | None) -> None:
    """Only where the sentence asks to wait, not where it tells how long it took."""
    found = prose_hints.find(Passage(text), NOW)

    assert close(found, seconds)


def test_a_time_of_day_needs_to_know_what_now_is() -> None:
    """Otherwise it is no hint."""
    assert prose_hints.find(Passage("try again after 12:05 UTC"), None) is None
    assert prose_hints.find(Passage("retry after 2026-11-30T12:05:00Z"), None) is None


def test_only_the_first_numbers_are_looked_at() -> None:
    """A flood of numbers costs one pass; what comes after it is no evidence."""
    flood = "7 " * 100

    assert prose_hints.find(Passage(f"{flood} retry in 5 s"), NOW) is None


def test_header_parameters_are_read() -> None:
    """Quoted or not, names in lower case."""
    header = 'Bearer Error="invalid_token", scope=files'

    assert hints.parameters(header) == [("error", "invalid_token"), ("scope", "files")]


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_the_readers(text: str) -> None:
    """A hint is finite and not negative, or absent."""
    for found in (hints.wait(text, NOW), prose_hints.find(Passage(text), NOW)):
        assert found is None or found >= 0
