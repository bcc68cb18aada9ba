"""Find a wait in a sentence: "try again in 2 minutes", 「30秒後に再試行」.

What is found here is never more than an inferred hint. Only the surroundings of a
number are looked at, and the words between the verb and the number come from a
closed list, so "timed out after waiting 30 seconds" and "5 requests per 60
seconds" are no hints.
"""

import re
from datetime import UTC, datetime

from mcpfusion_client.decode.hints import UNIT, UNITS, seconds_until
from mcpfusion_client.decode.hints import duration as duration_of
from mcpfusion_client.decode.hints import reset as reset_of
from mcpfusion_client.decode.passage import Passage

_MAX_NUMBERS = 24
_BEFORE_NUMBER = 120
_AFTER_NUMBER = 64

_NUMBER = re.compile(r"(?<![\d.])\d{1,13}(?!\d)")
_NEAR = re.compile(
    r"(?i)tr[yi]|wait|again|after|reset|until|availab|back|before|refill|lift|resum|cool"
    r"|reconnect|expire|unlock|run|submit|slow|reset|allowed|call|send|attempt"
    r"|再|後|后|待|経|以上|ほど|请|請|후|뒤|warte|versuch|erneut|wieder|noch|essaye|patient"
    r"|attend|int[eé]nt|esper|tent|aguard|riprov|nouveau|novam|nuovam|повтор|попроб"
    r"|подожд|sonra|bekle|thử|coba|tunggu|probeer|spróbuj|försök|vänta|prøv|vent|yritä"
    r"|kuluttua|zkuste|próbál|múlva|încerc|δοκιμ|περιμ|спроб|зачека|حاول|محاولة|انتظر"
    r"|נס|המת|ลอง|รอ|बाद"
)
_GAP = (
    r"(?:[\s,:=~≈\"'`*(]{0,4}(?:your|the|this|that|same|request|requests|call|calls"
    r"|again|it|operation|tool|for|at|least|about|around|approximately|approx|roughly|up"
    r"|to|after|in|another|until|please|later|is|be|will|next|on|only|before|then|limit"
    r"|rate|quota|and|period|time|of|from now)(?![\w])){0,8}"
)
_VERB = (
    r"(?:re-?try(?:ing)?|try(?:ing)?(?: again)?|re-?attempt|wait|come back|back ?off"
    r"|available|resets?|resetting|resumes?|refills?|lifted|cool-?down|reconnect"
    r"|expires|unlocks?|call again|send again|re-?run|re-?submit|slow down)"
)
_UNITS = UNIT
_AMOUNT = (
    r"(?:\d{1,6}\s?(?:-|–|to)\s?(?=\d))?"
    rf"(?P<amount>\d{{1,12}}(?:\.\d{{1,9}})?\s{{0,2}}(?:{_UNITS})(?![a-zà-ÿа-я])"
    rf"(?:[,\s]{{0,2}}(?:and )?\d{{1,9}}(?:\.\d{{1,9}})?\s{{0,2}}(?:{_UNITS})"
    r"(?![a-zà-ÿа-я])){0,3})"
)
_BEFORE = r"[\s,:=~≈\"'`*(]{0,4}"

_VERB_AMOUNT = re.compile(rf"(?<![\w-]){_VERB}{_GAP}{_BEFORE}{_AMOUNT}", re.IGNORECASE)
_AMOUNT_VERB = re.compile(
    rf"(?<![\d.\w]){_AMOUNT}\s{{0,2}}"
    r"(?:before|until|and|then|,|to)?\s{0,2}(?:you |we )?(?:can |may )?"
    r"(?:re-?try|trying|try again|re-?attempt|making|sending|the next|another|next)",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"(?<![\w])(?:(?:x-)?retry[-_ ]?(?:after|in|delay)|(?:wait|cool-?down|back-?off)"
    r"(?:[-_ ]?time)?(?=[-_ a-z]{0,12}[\"'`*]{0,3}\s{0,2}[:=]))"
    r"(?P<unit>[-_ (]{0,2}(?:ms|millis|milliseconds|s|secs?|seconds))?\)?"
    r"[\"'`*]{0,3}\s{0,3}[:=]?\s{0,3}[\"'`*]{0,3}(?:\{\s{1,8}seconds: )?"
    r"(?P<number>\d{1,12}(?:\.\d{1,9})?)(?P<rest>[a-z]{0,12})"
    r"(?![\w.-]{0,40}\d)(?![ \t][a-z])",
    re.IGNORECASE,
)
_RESET = re.compile(
    r"(?<![\w-])(?:x-)?rate-?limit-reset[\"'`*]{0,3}\s{0,3}[:=]\s{0,3}[\"'`]{0,2}"
    r"(?P<reset>\d{1,13})(?![\w.])",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"(?<![\w-])(?:{_VERB}|allowed|until|not before|retry[-_]after|reset[-_]at"
    rf"|retry[-_]at|resets?[-_]?at|after)[\"'`*]{{0,3}}{_GAP}{_BEFORE}"
    r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?"
    r"(?:\s?UTC|\s?GMT|Z|[+-]\d\d:?\d\d)?"
    r"|[A-Z][a-z]{2,8}, \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?:erneut|warten|versuchen|réessaye[rz]|reessayer|patiente[rz]|attende[rz]"
    r"|intent\w{0,4}|inténte\w{0,3}|espere|reintent\w{0,4}|tente|aguarde|riprov\w{0,4}"
    r"|attend\w{0,3}|повтор\w{0,8}|попробуйте|подождите|请在?|請在?|待|等待|请等待"
    r"|thử lại|coba lagi|tunggu|probeer|spróbuj|odczekaj|försök|vänta|prøv|vent|yritä"
    r"|odota|zkuste|počkejte|próbálja|várjon|încerca\w{0,3}|așteptați|δοκιμάστε"
    r"|περιμένετε|спробуйте|зачекайте|حاول|المحاولة|انتظر|נסה|נסו|המתן|ลองใหม่"
    r"|ลองอีกครั้ง|รอ)"
    rf"[^\d\n.;]{{0,40}}{_AMOUNT}",
    re.IGNORECASE,
)
_CJK = re.compile(
    rf"(?<![\d.]){_AMOUNT}\s{{0,2}}"
    r"(?:(?:ほど|以上)?お?待|(?:後|后|之后|之後|以後|ほど|以上|経|후|뒤|이후)"
    r"[^\n。]{0,12}?(?:再|試|もう一度|やり直|重|다시|시도))"
)
_AGAIN_AFTER = re.compile(
    rf"\b(?:in|nach|dans|en|em|tra|через)\s{_AMOUNT}\s(?:erneut|wieder|noch|de nouveau"
    r"|novamente|nuovamente)",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf"(?<![\d.]){_AMOUNT}\s(?:sonra|bekle\w{{0,4}}|kuluttua|múlva|के बाद|बाद)"
    r"(?![a-zçğıöşü])",
    re.IGNORECASE,
)
_AMOUNTS = (_VERB_AMOUNT, _AMOUNT_VERB, _CJK, _OTHER, _AGAIN_AFTER, _THEN)
_TIME_OF_DAY = re.compile(
    rf"(?<![\w-])(?:{_VERB}|until|after){_GAP}{_BEFORE}"
    r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
    r"\s?(?:UTC|GMT|Z)\b",
    re.IGNORECASE,
)
_WORDS = {
    "a": 1.0,
    "an": 1.0,
    "one": 1.0,
    "two": 2.0,
    "three": 3.0,
    "five": 5.0,
    "ten": 10.0,
    "fifteen": 15.0,
    "thirty": 30.0,
    "sixty": 60.0,
}
_WORD_AMOUNT = re.compile(
    rf"(?<![\w-]){_VERB}{_GAP}{_BEFORE}(?P<count>{'|'.join(_WORDS)})"
    r"\s(?P<unit>second|minute|hour|day)s?\b",
    re.IGNORECASE,
)


def find(passage: Passage, now: datetime | None) -> float | None:
    """Return the seconds the first hint in *passage* asks to wait."""
    text = passage.text
    for count, number in enumerate(_NUMBER.finditer(text)):
        if count >= _MAX_NUMBERS:
            break
        start = max(0, number.start() - _BEFORE_NUMBER)
        near = text[start : number.end() + _AFTER_NUMBER]
        if _NEAR.search(near):
            found = _beside(near, now)
            if found is not None:
                return found
    return _in_words(passage)


def _beside(near: str, now: datetime | None) -> float | None:
    key = _KEY.search(near)
    if key is not None and near[key.start("number") - 1] != "-":
        found = _key_seconds(key)
        if found is not None:
            return found
    reset = _RESET.search(near)
    if reset is not None:
        found = reset_of(reset["reset"], now)
        if found is not None:
            return found
    time = _TIME.search(near)
    if time is not None:
        found = seconds_until(time["time"], now)
        if found is not None:
            return found
    for pattern in _AMOUNTS:
        match = pattern.search(near)
        if match is not None:
            return duration_of(match["amount"])
    return _time_of_day(near, now)


def _key_seconds(key: re.Match[str]) -> float | None:
    rest = key["rest"].lower()
    if rest:
        return duration_of(key["number"] + rest)
    unit = (key["unit"] or "").strip("-_ (").lower()
    return float(key["number"]) * (0.001 if unit.startswith("m") else 1.0)


def _in_words(passage: Passage) -> float | None:
    if not passage.has(("second", "minute", "hour", "day")):
        return None
    match = _WORD_AMOUNT.search(passage.text)
    if match is None:
        return None
    return _WORDS[match["count"].lower()] * UNITS[match["unit"].lower()]


def _time_of_day(near: str, now: datetime | None) -> float | None:
    match = _TIME_OF_DAY.search(near)
    if match is None or now is None:
        return None
    utc = now.astimezone(UTC)
    then = utc.replace(
        hour=int(match["hour"]),
        minute=int(match["minute"]),
        second=int(match["second"] or 0),
        microsecond=0,
    )
    return (then - utc).total_seconds() % 86400.0
