"""Read how long to wait: numbers, durations, dates, headers and sentences.

Every digit run in a pattern is bounded, so a megabyte of digits costs one pass.
What is malformed, negative or not finite is as good as absent.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from mcpfusion_client.model import JsonValue
from mcpfusion_client.model.json import is_mapping

_MAX_TEXT = 128
_EPOCH = 1_000_000_000
"""A reset value from here on is a time since 1970, below it a wait."""

_UNIT_WORDS: Mapping[float, str] = {
    0.001: "ms msec msecs millis millisecond milliseconds ミリ秒 毫秒",
    1.0: """s sec secs second seconds sekunde sekunden seconde secondes segundo
        segundos secondo secondi сек секунд секунды секунду секунди 秒 초 saniye giây
        detik วินาที ثانية ثوان ثواني שניות שנייה सेकंड सेकेंड sekund sekunder sekunda
        sekundy sekundę sekunnin sekuntia másodperc másodpercet secunde secundă
        δευτερόλεπτα δευτερόλεπτο""",
    60.0: """m min mins minute minutes minuten minuto minutos minuti минут минуты
        минуту 分 分钟 分鐘 分間 분 dakika
        phút menit นาที دقيقة دقائق דקות דקה मिनट minut minuty minuuttia minuutin
        minuter minutter perc percet λεπτά λεπτό хвилин хвилини хвилину""",
    3600.0: """h hr hrs hour hours stunde stunden heure heures hora horas ora ore
        час часа часов 時間 小时 小時 시간 saat giờ jam ชั่วโมง ساعة ساعات שעות שעה
        घंटे godzin godziny timmar tuntia hodin hodiny óra ώρες ώρα годин години uur
        uren""",
    86400.0: """d day days tag tage tagen jour jours día días dia dias 日 天 일 gün ngày
        hari วัน يوم أيام ימים दिन dni dagar dager dage päivää dní zile ημέρες днів
        dagen""",
}
UNITS: Mapping[str, float] = {
    word: factor for factor, words in _UNIT_WORDS.items() for word in words.split()
}
UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_NUMBER = r"\d{1,15}(?:\.\d{1,15})?"
_PLAIN = re.compile(r"[+]?\d{1,400}(?:\.\d{0,400})?(?:[eE][+-]?\d{1,4})?")
_PREPOSITION = re.compile(
    r"^\s{0,4}(?:in|after|about|approximately|~)\s{0,4}", re.IGNORECASE
)
_PIECE = re.compile(rf"({_NUMBER})\s{{0,3}}({UNIT})(?![a-zà-ÿа-я])", re.IGNORECASE)
_ISO_DURATION = re.compile(
    rf"P(?:({_NUMBER})W)?(?:({_NUMBER})D)?"
    rf"(?:T(?:({_NUMBER})H)?(?:({_NUMBER})M)?(?:({_NUMBER})S)?)?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?:(\d{1,3})\.)?(\d{1,3}):([0-5]?\d):([0-5]?\d(?:\.\d{1,9})?)")
_ISO_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?"
    r"(?:\s?UTC|\s?GMT|Z|[+-]\d\d:?\d\d)?"
)


def number(value: JsonValue) -> float | None:
    """Return a finite, non-negative number written as a number or as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        stripped = value[:_MAX_TEXT].strip()
        if len(value) > _MAX_TEXT or not _PLAIN.fullmatch(stripped):
            return None
        value = float(stripped)
    if not isinstance(value, int | float):
        return None
    try:
        seconds = float(value)
    except OverflowError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def duration(text: str) -> float | None:
    """Return the seconds of a duration that is the whole *text*.

    Knows ``30``, ``30 seconds``, ``1h2m3s``, ``1500 ms``, ``PT30S``, ``00:00:30``.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > _MAX_TEXT:
        return None
    plain = number(stripped)
    if plain is not None:
        return plain
    iso = _ISO_DURATION.fullmatch(stripped)
    if iso is not None and any(iso.groups()):
        weights = (604800.0, 86400.0, 3600.0, 60.0, 1.0)
        return sum(
            float(part) * weight
            for part, weight in zip(iso.groups(), weights, strict=True)
            if part
        )
    clock = _CLOCK.fullmatch(stripped)
    if clock is not None:
        days, hours, minutes, seconds = (float(part or 0) for part in clock.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    pieces, end = _pieces(stripped, 0)
    return pieces if end == len(stripped) else None


def _pieces(text: str, start: int) -> tuple[float | None, int]:
    """Add up ``1 h 2 min`` from *start* on; return the end of what was read."""
    total: float | None = None
    end = position = start
    while match := _PIECE.match(text, position):
        total = (total or 0.0) + float(match[1]) * UNITS[match[2].lower()]
        end = position = match.end()
        for joint in (", ", " and ", ","):
            if text.startswith(joint, position):
                position += len(joint)
                break
        while position < end + 8 and text.startswith(" ", position):
            position += 1
    return total, end


def seconds_until(text: str, now: datetime | None) -> float | None:
    """Return the seconds from *now* to an HTTP date or ISO time; past is 0."""
    if now is None or len(text) > _MAX_TEXT:
        return None
    moment = _moment(text.strip())
    if moment is None:
        return None
    return max(0.0, (moment - now).total_seconds())


def _moment(text: str) -> datetime | None:
    try:
        if _ISO_TIME.fullmatch(text):
            text = text.removesuffix("UTC").removesuffix("GMT").strip()
            moment = datetime.fromisoformat(text)
        else:
            moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def moment(text: str) -> datetime | None:
    """Return the aware time *text* names, None when it names none."""
    return _moment(text.strip()) if len(text) <= _MAX_TEXT else None


def wait(value: JsonValue, now: datetime | None, unit: float = 1.0) -> float | None:
    """Return the seconds a value says to wait: number, duration or time.

    Args:
        value: As found on the wire.
        now: The time *value* is relative to.
        unit: Seconds that a bare number counts in.
    """
    plain = number(value)
    if plain is not None:
        since = _since_epoch(plain, now)
        return plain * unit if since is None else since
    if is_mapping(value):
        return _protobuf(value)
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        return None
    length = duration(_PREPOSITION.sub("", value))
    return length if length is not None else seconds_until(value, now)


def _protobuf(value: Mapping[str, JsonValue]) -> float | None:
    """Read a duration written as an object of seconds and nanoseconds."""
    seconds = number(value.get("seconds"))
    nanos = number(value.get("nanos", 0))
    return None if seconds is None or nanos is None else seconds + nanos / 1e9


def reset(value: JsonValue, now: datetime | None) -> float | None:
    """Return the seconds to a reset: a wait, or a time told apart by its size."""
    plain = number(value)
    if plain is not None and plain >= _EPOCH:
        return _since_epoch(plain, now)
    return wait(value, now)


def _since_epoch(value: float, now: datetime | None) -> float | None:
    """Return the seconds to a time counted from 1970, None for any other number."""
    if now is None or value < _EPOCH:
        return None
    for moment in (value, value / 1000):
        if abs(moment - now.timestamp()) < _PLAUSIBLE:
            return max(0.0, moment - now.timestamp())
    return None


def from_headers(
    headers: Mapping[str, str], now: datetime | None, *, limited: bool
) -> float | None:
    """Return the seconds that response headers ask to wait.

    Args:
        headers: Names in lower case.
        now: The response's ``Date``, else the wall clock.
        limited: The response is a refusal for load; only then is the end of the
            rate window a time to wait for.
    """
    for name, unit in _WAIT_HEADERS:
        value = headers.get(name)
        if value is not None:
            found = wait(value, now, unit)
            if found is not None:
                return found
    if not (limited or rate_exhausted(headers)):
        return None
    policy = _policy_reset(headers.get("ratelimit"))
    if policy is not None:
        return policy
    for name in _RESET_HEADERS:
        found = reset(headers.get(name), now)
        if found is not None:
            return found
    return None


def rate_exhausted(headers: Mapping[str, str]) -> bool:
    """Do the headers say that nothing is left of the rate window?"""
    return any(headers.get(name, "").strip() == "0" for name in _REMAINING_HEADERS)


def _policy_reset(value: str | None) -> float | None:
    """Return the reset of a structured ``RateLimit`` header."""
    if value is None:
        return None
    waits = [float(match[1]) for match in _POLICY_RESET.finditer(value[:1024])]
    return max(waits, default=None)


_PLAUSIBLE = 10 * 365 * 86400.0
"""A time further away than ten years is no time but a number."""

_WAIT_HEADERS = (
    ("retry-after-ms", 0.001),
    ("x-ms-retry-after-ms", 0.001),
    ("retry-after", 1.0),
    ("x-retry-after", 1.0),
    ("x-ratelimit-retry-after", 1.0),
    ("x-ratelimit-reset-after", 1.0),
)
_RESET_HEADERS = (
    "ratelimit-reset",
    "x-ratelimit-reset",
    "x-rate-limit-reset",
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
    "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-tokens-reset",
)
_REMAINING_HEADERS = (
    "ratelimit-remaining",
    "x-ratelimit-remaining",
    "x-rate-limit-remaining",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-remaining-tokens",
)
_POLICY_RESET = re.compile(r"(?:^|[;,\s])(?:t|reset)=(\d{1,12})(?![\d.])")

_PARAMETER = re.compile(
    r'([A-Za-z_]{1,40})\s{0,4}=\s{0,4}(?:"([^"]{0,1024})"|([^\s,";]{1,256}))'
)


def parameters(header: str) -> list[tuple[str, str]]:
    """Return the ``name=value`` pairs of a header, names in lower case."""
    return [
        (match[1].lower(), match[2] if match[2] is not None else match[3])
        for match in _PARAMETER.finditer(header[:4096])
    ]
