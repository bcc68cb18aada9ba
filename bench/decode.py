"""What decoding costs, against other readers of the same text, in one run.

    python bench/decode.py [--rounds N] [--json]

Every candidate is timed in every round and its best round counts, so that a busy
machine slows all of them alike. Sizes are doubled to show that time is linear.
"""

import argparse
import functools
import gc
import json
import re
import sys
import time
import xml.etree.ElementTree as ET  # noqa: TID251 - what we compare with
from collections.abc import Callable, Mapping

from defusedxml.ElementTree import fromstring

from mcpfusion_client.decode import Decoder

MIB = 1024 * 1024
KIB = 1024
BUDGET = 0.001
"""Seconds one measurement of one candidate should take at least."""

ENVELOPE = (
    '<tool_error code="NOT_FOUND" severity="error">\n'
    "  <message>No invoice with that ID</message>\n"
    "  <recovery>List invoices first, then retry with a real ID</recovery>\n"
    "  <available_actions>\n"
    "    <action>billing.list_invoices</action>\n"
    "    <action>billing.search_invoices</action>\n"
    "  </available_actions>\n"
    "  <details>\n"
    '    <detail key="requestedId">inv_2026_9999</detail>\n'
    '    <detail key="region">eu-central-1a</detail>\n'
    "  </details>\n"
    "  <retry_after>30 seconds</retry_after>\n"
    "</tool_error>\n\n"
)
decoder = Decoder()


def failed(text: str) -> Mapping[str, object]:
    """Return a failed result with one text block."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def enveloped(message: str) -> str:
    """Return an envelope around *message*."""
    return (
        f'<tool_error code="INTERNAL_ERROR" severity="error">\n<message>{message}'
        "</message>\n<recovery>Do not blindly retry.</recovery>\n</tool_error>"
    )


_CODE = re.compile(r'<tool_error\s[^>]*code="([^"]+)"')
_PARTS = {
    name: re.compile(rf"<{name}>([\s\S]*?)</{name}>")
    for name in ("message", "recovery", "available_actions")
}
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))


def regex_reader(text: str) -> dict[str, str]:
    """Read an envelope with regular expressions, as a typed client may."""
    found: dict[str, str] = {}
    code = _CODE.search(text)
    if code is not None:
        found["code"] = code[1]
    for name, pattern in _PARTS.items():
        match = pattern.search(text)
        if match is not None:
            value = match[1]
            for entity, character in _ENTITIES:
                value = value.replace(entity, character)
            found[name] = value
    return found


def json_of(size: int) -> str:
    """Return a JSON error of about *size* characters."""
    return json.dumps({"code": "INTERNAL_ERROR", "message": "x" * max(0, size - 60)})


Candidates = Mapping[str, Callable[[], object]]


def cases() -> dict[str, Candidates]:
    """Return every case: the name of a text to its candidates."""
    small, medium = ENVELOPE, enveloped("word " * (4 * KIB // 5))
    large, entities = enveloped("word " * (MIB // 5)), enveloped("&amp;" * (MIB // 5))
    broken = "<tool_error " * (128 * KIB // 12)
    success = {"content": [{"type": "text", "text": "row " * (MIB // 2)}]}
    tiny = {"content": [{"type": "text", "text": "done"}], "isError": False}
    return {
        f"envelope, {len(small)} bytes": readers(small),
        "envelope, 4 KiB": readers(medium),
        "envelope, 1 MiB plain": readers(large),
        "envelope, 1 MiB of entities": readers(entities),
        "128 KiB of open tags": {"decode": lambda: decoder.decode(failed(broken))},
        "prose, 90 bytes": {
            "decode": lambda: decoder.decode(
                failed(
                    "Error executing tool x: Rate limit exceeded. Try again in 20 s."
                )
            )
        },
        "success, small": {"decode": lambda: decoder.read(tiny)},
        "success, 2 MiB": {"decode": lambda: decoder.read(success)},
    }


def readers(text: str) -> Candidates:
    """Return every reader of the same well-formed *text*."""
    result, same_size = failed(text), json_of(len(text))
    return {
        "decode": lambda: decoder.decode(result),
        "xml.etree": lambda: ET.fromstring(text),  # noqa: S314 - our own text
        "defusedxml": lambda: fromstring(text, forbid_dtd=True),
        "json.loads": lambda: json.loads(same_size),
        "regex": lambda: regex_reader(text),
    }


def measure(candidates: Candidates, rounds: int) -> dict[str, float]:
    """Return the best seconds a call of each candidate, over interleaved rounds."""
    best = dict.fromkeys(candidates, float("inf"))
    numbers = {name: calls_for(run) for name, run in candidates.items()}
    for _ in range(rounds):
        for name, run in candidates.items():
            start = time.perf_counter()
            for _ in range(numbers[name]):
                run()
            seconds = (time.perf_counter() - start) / numbers[name]
            best[name] = min(best[name], seconds)
    return best


def calls_for(run: Callable[[], object]) -> int:
    """Return how many calls make a measurement worth reading."""
    run()
    start = time.perf_counter()
    run()
    return max(1, int(BUDGET / max(time.perf_counter() - start, 1e-9)))


def growth(rounds: int) -> dict[str, float]:
    """Return how much longer twice the text takes; 2 is linear."""
    makers: dict[str, Callable[[int], str]] = {
        "digits": lambda size: "retry after " + "9" * size,
        "prose": lambda size: "the thing failed. " * (size // 18),
        "brackets": lambda size: "[" * size,
        "open tags": lambda size: "<tool_error " * (size // 12),
        "entities": lambda size: enveloped("&amp;" * (size // 5)),
        "quotes": lambda size: "{'" * (size // 2),
        "spaces": lambda size: "retry after" + " " * size,
    }
    result: dict[str, float] = {}
    for name, make in makers.items():
        one, two = failed(make(64 * KIB)), failed(make(128 * KIB))
        times = measure(
            {
                "one": functools.partial(decoder.decode, one),
                "two": functools.partial(decoder.decode, two),
            },
            rounds,
        )
        result[name] = times["two"] / times["one"]
    return result


def main() -> int:
    """Measure, and print ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gc.disable()
    table = {name: measure(found, options.rounds) for name, found in cases().items()}
    doubled = growth(max(3, options.rounds // 3))
    if options.json:
        print(json.dumps({"seconds": table, "twice_the_text": doubled}))
        return 0
    for name, times in table.items():
        ours = times["decode"]
        others = "  ".join(
            f"{ours / seconds:8.2f} x {other}"
            for other, seconds in times.items()
            if other != "decode"
        )
        print(f"{name:28} {ours * 1e6:10.1f} us  {others}")
    print("twice the text takes (2 is linear):")
    for name, ratio in doubled.items():
        print(f"{name:28} {ratio:10.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
