"""Write the tables of *Dialects and tables* from the tables the decoder reads.

Run it after a change of a table; a test holds the page to them.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import (
    codes,
    exceptions,
    keys,
    meanings,
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

PAGE = Path(__file__).parent / "reference" / "dialects.md"
ENGLISH = (phrases, phrases_access, phrases_transient)
OTHERS = (phrases_world, phrases_lands)

_RETRY = {True: "yes", False: "no", None: "nobody knows"}


def page_as_it_should_be() -> str:
    """Return the page with every table as the code has it."""
    page = PAGE.read_text(encoding="utf-8")
    for name, table in _tables().items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        head, rest = page.split(begin)
        _, tail = rest.split(end)
        page = f"{head}{begin}\n{table}\n{end}{tail}"
    return page


def _tables() -> Mapping[str, str]:
    return {
        "meanings": _table(
            ("name", "category", "could a repeat help?", "did the tool run?"),
            ((f"`{name}`", *_said(meaning)) for name, meaning in _meanings()),
        ),
        "codes": _by_meaning(
            (meaning, sorted(listed.split())) for meaning, listed in codes.ROWS
        ),
        "words": _by_meaning((meaning, [words]) for words, meaning in codes.WORD_ROWS),
        "classes": _by_meaning(
            (meaning, sorted(listed.split())) for meaning, listed in exceptions.ROWS
        ),
        "http": _by_meaning(_turned(numbers.HTTP_STATUSES)),
        "rpc": _by_meaning(_turned(numbers.RPC_CODES)),
        "sdk": _by_meaning(_turned(numbers.SDK_RPC_CODES)),
        "sqlstate": _by_meaning(
            _turned({**systems.SQLSTATES, **_classes(systems.SQLSTATE_CLASSES)})
        ),
        "vendors": _by_meaning(_turned(systems.VENDOR_CODES)),
        "replies": _by_meaning(
            _turned(
                {
                    **replies.REPLIES,
                    **{f"5.{key}": value for key, value in replies.ENHANCED.items()},
                }
            )
        ),
        "keys": _table(
            ("fact", "keys, the one to believe first in front"),
            (
                (f"`{role}`", ", ".join(f"`{key}`" for key in listed.split()))
                for role, listed in keys.ROWS
            ),
        ),
        "phrases": _table(
            ("name", "in English", "in other languages", "for example"),
            _phrase_rows(),
        ),
        "classes of words": _table(
            ("class", "words"),
            (
                (f"`{{{name}}}`", ", ".join(f"`{word}`" for word in listed.split()))
                for name, listed in sentence_classes.CLASSES.items()
            ),
        ),
        "sentences": _table(("means", "frames"), _frame_rows()),
    }


def _meanings() -> Iterable[tuple[str, Meaning]]:
    return (
        (name, value)
        for name, value in vars(meanings).items()
        if isinstance(value, Meaning)
    )


_NAMES = {id(meaning): name for name, meaning in _meanings()}


def _said(meaning: Meaning) -> tuple[str, str, str]:
    ran = meaning.execution.value.replace("_", " ")
    return meaning.category.value, _RETRY[meaning.retry], ran


def _turned(table: Mapping[int | str, Meaning]) -> Iterable[tuple[Meaning, list[str]]]:
    """Return the entries of *table* by their meaning."""
    return ((meaning, [str(key)]) for key, meaning in table.items())


def _classes(table: Mapping[str, Meaning]) -> Mapping[str, Meaning]:
    return {f"{key}xxx": meaning for key, meaning in table.items()}


def _by_meaning(rows: Iterable[tuple[Meaning, Sequence[str]]]) -> str:
    found: dict[str, list[str]] = {}
    for meaning, entries in rows:
        found.setdefault(_NAMES[id(meaning)], []).extend(entries)
    return _table(
        ("means", "entries"),
        (
            (f"`{name}`", ", ".join(f"`{entry}`" for entry in dict.fromkeys(entries)))
            for name, entries in found.items()
        ),
    )


def _phrase_rows() -> Iterable[tuple[str, str, str, str]]:
    counts: dict[str, list[list[str]]] = {}
    for table in (*ENGLISH, *OTHERS):
        for meaning, listed in (*table.STRONG, *table.WEAK):
            both = counts.setdefault(_NAMES[id(meaning)], [[], []])
            found = [" ".join(one.split()) for one in listed.split(";") if one.strip()]
            both[table in OTHERS].extend(found)
    for name, (english, others) in counts.items():
        example = f"“{english[0]}”" if english else f"“{others[0]}”"
        yield f"`{name}`", str(len(english)), str(len(others)), example


def _frame_rows() -> Iterable[tuple[str, str]]:
    """Return the frames of each row; in a table ``|`` would end a cell."""
    for rows, weak in ((sentences.STRONG, ""), (sentences_weak.WEAK, ", weakly")):
        for meaning, listed in rows:
            plain = " ".join(listed.split()).replace("| ", "|")
            frames = (one.strip() for one in plain.split(";") if one.strip())
            shown = ", ".join(f"`{one}`".replace("|", "/") for one in frames)
            yield f"`{_NAMES[id(meaning)]}`{weak}", shown


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = tuple(head)
    lines = (names, ("---",) * len(names), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page_as_it_should_be(), encoding="utf-8")
