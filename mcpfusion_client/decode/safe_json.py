"""Parse JSON from strangers: bounded, never raising, cautious on duplicates."""

import json

from mcpfusion_client.decode.tables import codes
from mcpfusion_client.model import JsonValue


def loads(text: str) -> JsonValue:
    """Return the JSON value of *text*, None when it is none or too deep.

    Of two equal keys that disagree, the more cautious value is kept.
    """
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def prefix(text: str, start: int) -> tuple[JsonValue, int]:
    """Return the JSON value that begins at *start* and its end.

    The end is *start* when none begins there.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _pairs(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    merged = dict(pairs)
    if len(merged) == len(pairs):
        return merged
    merged.clear()
    for key, value in pairs:
        merged[key] = cautious(key, merged[key], value) if key in merged else value
    return merged


def cautious(key: str, one: JsonValue, other: JsonValue) -> JsonValue:
    """Return the value that promises less: no over yes, long over short."""
    if key == "isError":
        return one or other
    if isinstance(one, bool) or isinstance(other, bool):
        return one and other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return max(one, other)
    if isinstance(one, str) and isinstance(other, str):
        meaning = codes.meaning_of(one)
        return other if meaning is not None and meaning.retry is True else one
    return one


def _no_number(text: str) -> float:
    """Keep Python's limit on the digits of an int from raising."""
    try:
        return int(text)
    except ValueError:
        return float(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_no_number)
