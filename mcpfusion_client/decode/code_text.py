"""Find the server's own code in a text: tokens, exception classes, driver codes."""

import itertools
import re
from collections.abc import Iterator

import attrs

from mcpfusion_client.decode.evidence import Clue, Meaning, Strength
from mcpfusion_client.decode.json_metadata import code_clue
from mcpfusion_client.decode.lexicon import Lexicon
from mcpfusion_client.decode.passage import Passage, guarded
from mcpfusion_client.decode.tables import code_rows, exceptions, systems
from mcpfusion_client.decode.tables.wordlist import words
from mcpfusion_client.model import ErrorCategory

_TAIL = 2 * 1024

_CLASS = r"(?:[A-Za-z_]\w{0,60}[.$:]{1,2}){0,8}[A-Za-z_]\w{0,80}"

_UPPER_ANY = guarded(
    "_",
    rf"(?<![\w.$/-])(?P<code>{code_rows.UPPER})(?![\w/-])",
)
_FIRST_WORD = guarded(
    "",
    r"^(?P<code>[A-Z]{3,40}) (?=[A-Z]?[a-z]|\d)",
)
_ERRNO = guarded(
    "e",
    r"(?<![\w.])(?P<code>(?:E[A-Z]{2,20}\d?(?:_[A-Z]{2,12})?|UND_ERR_[A-Z_]{3,40}))"
    r"(?![\w])",
)
_ERRNO_NUMBER = guarded(
    "errno|os error",
    r"(?:\[Errno |os error |errno[:= ]{1,2})(?P<number>\d{1,4})",
    ignore_case=True,
)

_START_CLASS = guarded(
    "",
    rf"^(?:Uncaught |Unhandled |Caused by: |error: )?(?P<code>{_CLASS})(?=: |:?$|:?\n"
    rf"|\(| with #<)",
)
_PAREN_CLASS = guarded(
    "(",
    rf"\((?P<code>{_CLASS}(?:Error|Exception|Fault))\)",
)
_REPR_CLASS = guarded("(", r": (?P<code>[A-Z]\w{2,60})\([\"')]")
"""An exception as Python shows it; behind other words it is no code."""

_PLAIN_WORD = re.compile(r"[A-Z][a-z]{1,40}")
"""A class whose name is a word of the language: "Forbidden: ..." has no code."""

_LAST_CLASS = re.compile(rf"\n(?P<code>{_CLASS})(?=: |:?\s{{0,4}}$)")
_TRACEBACK = "Traceback (most recent call last)"

_SQLSTATE = guarded(
    "sqlstate|:|(|[",
    r"(?:SQLSTATE\W{0,3}|ERROR:\s{1,3}|^\s{0,3}|\b\d{4} \(|\('|\[)"
    r"(?P<code>[0-9A-Z]{2}[0-9A-Z]{3})(?=[\])'\":\s,]|$)",
)
_VENDOR = guarded(
    "ora-|dpy-|aadsts|e|p1|p2|ts",
    r"(?<![\w.-])(?P<code>ORA-\d{5}|DPY-\d{4}|AADSTS\d{4,8}|E\d{5}|P[12]\d{3}"
    r"|PGRST\d{3}|TS\d{4})\b",
)
_MYSQL = guarded(
    "(",
    r"(?:^|\s)\((?P<code>\d{4}), ?['\"]|(?:^|ERROR |\s)"
    r"(?P<code2>\d{4}) \([0-9A-Z]{5}\)",
)
_ERROR_NUMBER = guarded(
    "",
    r"^(?:error )?(?P<code>\d{4,6})(?=:)",
    ignore_case=True,
)
_CODE_NUMBER = guarded(
    "code",
    r"(?<![\w])(?<!exit )(?:error )?code(?:[:=] ?(?=-?\d{1,9}\b)|\s(?=\d{3,6}\b))"
    r"(?P<code>(?![45]\d\d\b)-?\d{1,9})(?=[.,;:)\s]|$)",
    ignore_case=True,
)
_MSSQL = guarded(
    "(",
    r"\((?P<code>\d{3,5})\)(?: \(SQL|$|[\"')])",
)

_NOT_CODES = words(
    """error failed failure errors exception fault unknown none null undefined true
    false ok http https json sql url uri api id null cause message warning note
    traceback info debug result response request details status type file line
    tool input output usage caused by server client"""
)


@attrs.frozen(kw_only=True)
class Codes:
    """The codes of a text.

    Attributes:
        word: The code, when it is a word.
        number: The code, when it is a number.
        clues: What they suggest.
    """

    word: str | None = None
    number: str | None = None
    clues: tuple[Clue, ...] = ()


def find(passage: Passage, lexicon: Lexicon) -> Codes:
    """Return the codes of *passage*, whose wrapping words are already taken off."""
    found = list(_words(passage, lexicon))
    numbers = list(_numbers(passage))
    clues = [clue for _, clue in (*found, *numbers) if clue is not None]
    clues += _errno_clues(passage)
    return Codes(
        word=next((code for code, _ in found if code), None),
        number=next((code for code, _ in numbers), None),
        clues=tuple(clues),
    )


def _words(
    passage: Passage, lexicon: Lexicon
) -> Iterator[tuple[str | None, Clue | None]]:
    for pattern in code_rows.SURE:
        match = pattern.search(passage)
        if match is not None and _is_code(match["code"]):
            yield match["code"], _token_clue(match["code"], lexicon)
    yield from _classes(passage, lexicon)
    yield from _errnos(passage, lexicon)
    yield from _known(passage, lexicon)


def _is_code(code: str) -> bool:
    return code.lower() not in _NOT_CODES


def _token_clue(code: str, lexicon: Lexicon) -> Clue | None:
    meaning = lexicon.meaning_of(code)
    return None if meaning is None else code_clue(code, meaning)


def _classes(
    passage: Passage, lexicon: Lexicon
) -> Iterator[tuple[str | None, Clue | None]]:
    if _TRACEBACK in passage.text:
        raised = [
            match["code"] for match in _LAST_CLASS.finditer(passage.text[-_TAIL:])
        ]
        if raised and _looks_like_class(raised[-1]):
            yield _short(raised[-1]), class_clue(raised[-1], lexicon)
        return
    for pattern in (_START_CLASS, _PAREN_CLASS):
        match = pattern.search(passage)
        if match is not None and _looks_like_class(match["code"]):
            name = match["code"]
            code = None if _PLAIN_WORD.fullmatch(name) else _short(name)
            yield code, class_clue(name, lexicon)
            return
    shown = _REPR_CLASS.search(passage)
    if shown is not None and shown["code"] in exceptions.CLASSES:
        yield None, class_clue(shown["code"], lexicon)


def _short(name: str) -> str:
    """Return a class name without its package; a dotted code stays whole."""
    short = re.split(r"[.$:]", name)[-1]
    return (
        short if name[:1].islower() or "." not in name else _of_namespace(name, short)
    )


def _of_namespace(name: str, short: str) -> str:
    return short if name.startswith(("System.", "Microsoft.")) else name


def _looks_like_class(name: str) -> bool:
    short = re.split(r"[.$:]", name)[-1]
    if short in {"Error", "Exception"}:
        return False
    if "::" in name and short[:1].isupper():
        return True
    if short in exceptions.CLASSES:
        return True
    return short.endswith(("Error", "Exception", "Fault")) or (
        name.count(".") > 1 and (short[:1].isupper())
    )


def class_clue(name: str, lexicon: Lexicon) -> Clue | None:
    """Return what an exception class suggests."""
    short = re.split(r"[.$:]", name)[-1]
    meaning = exceptions.CLASSES.get(short)
    if meaning is not None:
        return _of_class(name, meaning)
    found = lexicon.meaning_of(name)
    return None if found is None else code_clue(name, found)


def _of_class(name: str, meaning: Meaning) -> Clue:
    vague = meaning.category is ErrorCategory.UNKNOWN
    return Clue(meaning, Strength.GENERIC if vague else Strength.SDK, f"class {name}")


def _errnos(passage: Passage, lexicon: Lexicon) -> Iterator[tuple[str, Clue | None]]:
    for match in _ERRNO.finditer(passage):
        code = match["code"]
        if code in systems.ERRNO_WORDS or code.startswith("UND_ERR_"):
            yield code, _token_clue(code, lexicon)
            return


def _errno_clues(passage: Passage) -> list[Clue]:
    match = _ERRNO_NUMBER.search(passage)
    if match is None:
        return []
    name = systems.ERRNO_NAMES.get(int(match["number"]))
    clue = None if name is None else _token_clue(name, Lexicon())
    return [] if clue is None else [clue]


def _known(passage: Passage, lexicon: Lexicon) -> Iterator[tuple[str, Clue | None]]:
    for count, match in enumerate(_UPPER_ANY.finditer(passage)):
        if count >= _MAX_TOKENS:
            break
        if lexicon.is_known(match["code"]):
            yield match["code"], _token_clue(match["code"], lexicon)
            return
    for pattern in code_rows.KNOWN:
        found = pattern.search(passage)
        if found is None or found["code"] in exceptions.CLASSES:
            continue
        if lexicon.meaning_of(found["code"]) is not None:
            yield found["code"], _token_clue(found["code"], lexicon)
    for pattern in (*code_rows.LISTED, _FIRST_WORD):
        listed = pattern.search(passage)
        if listed is not None and lexicon.is_known(listed["code"]):
            yield listed["code"], _token_clue(listed["code"], lexicon)


_MAX_TOKENS = 32


def _numbers(passage: Passage) -> Iterator[tuple[str, Clue | None]]:
    yield from _sqlstates(passage)
    for pattern in (_VENDOR, _MYSQL, _MSSQL):
        match = pattern.search(passage)
        if match is None:
            continue
        code = next(filter(None, match.groups()))
        meaning = systems.VENDOR_CODES.get(code)
        if meaning is not None:
            yield code, code_clue(code, meaning)
        elif pattern is _VENDOR:
            yield code, None
    match = _CODE_NUMBER.search(passage) or _ERROR_NUMBER.search(passage)
    if match is not None:
        yield match["code"], None


def _sqlstates(passage: Passage) -> Iterator[tuple[str, Clue | None]]:
    for state in itertools.islice(_SQLSTATE.finditer(passage), _MAX_STATES):
        code = state["code"]
        if code.isalpha():
            continue
        meaning = systems.sqlstate(code)
        named = "SQLSTATE" in state[0]
        if not named and code.isdigit() and not _of_driver(state[0]):
            continue
        if meaning is not None or named or "HY" in code:
            yield code, None if meaning is None else code_clue(code, meaning)
            return


def _of_driver(found: str) -> bool:
    """Does a driver write five digits like that, so that they are a SQLSTATE?"""
    return found.startswith(("ERROR", "('")) or "(" in found


_MAX_STATES = 8
