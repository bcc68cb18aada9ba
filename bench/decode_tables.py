"""How many labelled cases each entry of the decoder's tables serves.

    python bench/decode_tables.py CASES.jsonl... [--ones]

An entry serves a case when it is the clue that decided the case's category, or when
no entry decided it and it gave a clue. Rows of keys and field wordings are not
counted: they read facts, which are stated and need no evidence.
"""

import argparse
import collections
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

from mcpfusion_client.decode import merge
from mcpfusion_client.decode.evidence import Clue, Strength
from mcpfusion_client.decode.frames import compiled
from mcpfusion_client.decode.jsonl import decode_object
from mcpfusion_client.decode.tables import (
    codes,
    exceptions,
    numbers,
    phrases,
    phrases_access,
    phrases_lands,
    phrases_transient,
    phrases_world,
    replies,
    sentence_classes,
    sentences,
    sentences_weak,
    systems,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def entries() -> Mapping[str, set[str]]:
    """Return the entries of every table, spelt as the source of a clue is."""
    return {
        "codes": {f"code {code}" for code in codes.CODES},
        "exception classes": {f"class {name}" for name in exceptions.CLASSES},
        "HTTP statuses": {f"HTTP status {status}" for status in numbers.HTTP_STATUSES},
        "JSON-RPC numbers": {
            f"JSON-RPC {number}"
            for number in {**numbers.RPC_CODES, **numbers.SDK_RPC_CODES}
        },
        "SQLSTATE": {f"code {state}" for state in systems.SQLSTATES},
        "vendor numbers": {f"code {code}" for code in systems.VENDOR_CODES},
        "mail replies": {f"reply {reply}" for reply in replies.REPLIES},
        "phrases, access": phrase_entries(phrases_access),
        "phrases, transient": phrase_entries(phrases_transient),
        "phrases, others": phrase_entries(phrases),
        "phrases, other languages": phrase_entries(phrases_world)
        | phrase_entries(phrases_lands),
        "frames of sentences": frame_entries(),
    }


def frame_entries() -> set[str]:
    """Return the frames, spelt as their clues spell them."""
    return {
        frame.source
        for rows in (sentences.STRONG, sentences_weak.WEAK)
        for frame in compiled(rows, sentence_classes.CLASSES, Strength.PROSE)
    }


def phrase_entries(table: object) -> set[str]:
    """Return the phrases of one table."""
    rows = (*getattr(table, "STRONG", ()), *getattr(table, "WEAK", ()))
    listed = (one for _, text in rows for one in text.split(";"))
    return {f"phrase {phrase_name(one)!r}" for one in listed if one.strip()}


def phrase_name(text: str) -> str:
    """Return a phrase as its clue spells it."""
    parts = " ".join(text.split()).removesuffix("~").split("*")
    return " ... ".join(part.strip() for part in parts)


def served(paths: Iterable[Path]) -> collections.Counter[str]:
    """Return how often each source of evidence was the strongest one of a case."""
    found: collections.Counter[str] = collections.Counter()
    strongest = getattr(merge, "_best")  # noqa: B009 - what decides, as it is

    def best(clues: Sequence[Clue], *, waits: bool) -> Clue | None:
        clue: Clue | None = strongest(clues, waits=waits)
        if clue is not None:
            seen.add(spelling(clue.source))
        return clue

    with mock.patch.object(merge, "_best", best):
        for path in paths:
            for line in path.read_text(encoding="utf-8").splitlines():
                seen: set[str] = set()
                decode_object(json.loads(line), now=NOW)
                found.update(seen)
    return found


def spelling(source: str) -> str:
    """Return the source of a clue as `entries` spells it."""
    kind, _, name = source.partition(" ")
    if kind == "class":
        return f"class {name.replace('$', '.').split('.')[-1]}"
    if kind == "code" and codes.normalise(name) in codes.CODES:
        return f"code {codes.normalise(name)}"
    return source


def main() -> int:
    """Print the count of every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--ones", action="store_true", help="name what serves one case")
    options = parser.parse_args()
    found = served(options.cases)
    print(f"{'table':26}{'entries':>8}{'none':>7}{'one':>6}{'more':>6}")
    for table, names in entries().items():
        counts = [found[name] for name in names]
        print(
            f"{table:26}{len(names):8}{counts.count(0):7}{counts.count(1):6}"
            f"{sum(count > 1 for count in counts):6}"
        )
        if options.ones:
            ones = sorted(name.partition(" ")[2] for name in names if found[name] == 1)
            print("   ", ", ".join(ones))
    return 0


if __name__ == "__main__":
    sys.exit(main())
