"""From what was typed to the arguments of a call: KEY=VALUE, KEY:=JSON and --args.

The tool's input schema says what a value is; where it does not, JSON is taken as
JSON and everything else as text.
"""

import difflib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NoReturn

import attrs
import click

from mcpfusion_client.cli.schemas import Argument, arguments_of, is_closed
from mcpfusion_client.cli.wording import unreadable
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_object
from mcpfusion_client.model.text import one_line

_WORDS: Final[Mapping[str, str]] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a JSON object",
    "array": "a JSON array",
    "null": "null",
}


@attrs.frozen
class Word:
    """One KEY=VALUE as it was typed; ``:=`` says that the value is JSON."""

    key: str
    text: str
    is_json: bool


def read_words(words: Iterable[str]) -> list[Word]:
    """Take KEY=VALUE and KEY:=JSON apart.

    Raises:
        click.ClickException: A word is neither.
    """
    return [_read(word) for word in words]


def read_object(given: str) -> dict[str, JsonValue]:
    """Return the JSON object that ``--args`` names.

    Args:
        given: JSON, ``@`` and the name of a file, or ``-`` for standard input.

    Raises:
        click.ClickException: It is not there, not JSON or not an object.
    """
    try:
        if given == "-":
            text = sys.stdin.read()
        elif given.startswith("@"):
            text = Path(given[1:]).read_text("utf-8")
        else:
            text = given
    except (OSError, UnicodeDecodeError) as error:
        _refuse(f"--args {_short(given)}: {unreadable(error)}")
    found = _json(text, f"--args {_short(given)}")
    if not is_object(found):
        _refuse(
            f"--args {_short(given)}: has to be a JSON object such as "
            f'{{"key": "value"}}, not {_short(text)}'
        )
    return found


def fill(
    base: JsonObject, words: Iterable[Word], schema: JsonObject
) -> dict[str, JsonValue]:
    """Return *base* with *words* over it, each of the type that *schema* says.

    Args:
        base: What ``--args`` gave.
        words: A key may come several times when it takes an array.
        schema: Untrusted; the input schema of the tool.

    Raises:
        click.ClickException: A value does not fit, or there is no such argument.
    """
    known = arguments_of(schema)
    filled = dict(base)
    given: set[str] = set()
    for word in words:
        argument = known.get(word.key)
        if argument is None and known and is_closed(schema):
            _no_argument(word.key, known)
        value = _value(word, argument or Argument(name=word.key, kinds=()))
        if word.key in given:
            value = _joined(word.key, filled[word.key], value)
        filled[word.key] = value
        given.add(word.key)
    return filled


def unlisted(arguments: JsonObject, schema: JsonObject) -> list[str]:
    """Return a line for each argument that *schema* allows and does not list.

    Args:
        arguments: What will be sent.
        schema: Untrusted; one that says what further arguments may be expects them,
            and only those that look like a slip are named.
    """
    known = arguments_of(schema)
    lines: list[str] = []
    for key in arguments:
        if not known or key in known:
            continue
        close = difflib.get_close_matches(key, known, n=1)
        if close:
            meant = _name(close[0])
            lines.append(f"{_name(key)}: no such argument; did you mean {meant}?")
        elif not _expects_more(schema):
            names = ", ".join(_name(name) for name in known)
            line = f"{_name(key)}: no such argument; the tool takes: {names}"
            lines.append(one_line(line, 500))
    return lines


def _expects_more(schema: JsonObject) -> bool:
    return "additionalProperties" in schema or "patternProperties" in schema


def _name(key: str) -> str:
    return one_line(key, 40)


def _read(word: str) -> Word:
    key, equals, text = word.partition("=")
    is_json = key.endswith(":")
    key = key.removesuffix(":")
    if not equals or not key:
        _refuse(f"{_short(word)} is no argument: write KEY=VALUE, or KEY:=JSON")
    try:
        word.encode()
    except UnicodeEncodeError:
        _refuse(f"{_short(word)} is no UTF-8: use --args @FILE")
    return Word(key, text, is_json)


def _value(word: Word, argument: Argument) -> JsonValue:
    if word.is_json:
        return _json(word.text, f"{word.key}:={_short(word.text)}")
    kinds = argument.kinds
    if not kinds:
        return _loose(word.text)
    if "null" in kinds and word.text == "null":
        return None
    for kind in _tried(kinds):
        fits, value = _READERS[kind](word.text)
        if fits:
            return value
    if "string" in kinds:
        return word.text
    if "array" not in kinds or word.text.startswith("["):
        wanted = " or ".join(_WORDS[kind] for kind in kinds)
        _refuse(f"{word.key}={_short(word.text)}: {word.key} takes {wanted}")
    return [_value(word, Argument(name=word.key, kinds=argument.items))]


def _tried(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds to try first: where text fits, only brackets are no text."""
    order = _BRACKETED if "string" in kinds else tuple(_READERS)
    return tuple(kind for kind in order if kind in kinds)


def _joined(key: str, before: JsonValue, value: JsonValue) -> list[JsonValue]:
    if not isinstance(before, list) or not isinstance(value, list):
        _refuse(f"{_short(key)} is given twice, and takes no array")
    return [*before, *value]


def _boolean(text: str) -> tuple[bool, JsonValue]:
    return text.lower() in {"true", "false"}, text.lower() == "true"


def _integer(text: str) -> tuple[bool, JsonValue]:
    fits, value = _number(text)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return fits and isinstance(value, int), value


def _number(text: str) -> tuple[bool, JsonValue]:
    value = _loose(text)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number, value


def _bracketed(kind: type) -> "_Reader":
    def read(text: str) -> tuple[bool, JsonValue]:
        value = _loose(text)
        return isinstance(value, kind), value

    return read


_Reader = Callable[[str], tuple[bool, JsonValue]]

_BRACKETED: Final = ("object", "array")

_READERS: Final[Mapping[str, _Reader]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "object": _bracketed(dict),
    "array": _bracketed(list),
}


def _loose(text: str) -> JsonValue:
    """Return *text* as JSON if it is JSON, else as it is."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _json(text: str, where: str) -> JsonValue:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        _refuse(f"{where}: not JSON: {error}")


def _no_constant(name: str) -> NoReturn:
    msg = f"{name} is no JSON number"
    raise ValueError(msg)


def _no_argument(key: str, known: Mapping[str, Argument]) -> NoReturn:
    close = difflib.get_close_matches(key, known, n=1)
    meant = f"; did you mean {_short(close[0])}?" if close else ""
    names = ", ".join(one_line(name, 40) for name in known)
    _refuse(f"the tool has no argument {_short(key)}{meant or ';'} it takes: {names}")


def _short(text: str) -> str:
    return repr(one_line(text, 60))


def _refuse(why: str) -> NoReturn:
    raise click.ClickException(one_line(why, 500))
