"""Read which arguments a server rejected, from the texts of validators."""

import re
from collections.abc import Iterator
from itertools import islice

from mcpfusion_client.decode.passage import Guarded, Passage
from mcpfusion_client.decode.tables import issue_rows
from mcpfusion_client.decode.tables.wordlist import words
from mcpfusion_client.decode.zod_texts import find as find_zod
from mcpfusion_client.model import FieldError

_MAX_FIELDS = 64
_MAX_TEXT = 2048

_PYDANTIC_HEAD = re.compile(r"\d{1,4} validation errors? for ")
_PYDANTIC = re.compile(
    r"^(?P<name>[A-Za-z_$\d][\w.$\[\],()|> -]{0,120})\n\s{1,8}(?P<text>[^\n]{1,2000})",
    re.MULTILINE,
)
_PYDANTIC_INPUT = re.compile(
    r"\[type=(?P<type>\w{1,60}), input_value=(?P<sent>.{0,500}?), input_type="
)
_MISSING = frozenset(
    {
        "missing",
        "missing_argument",
        "missing_keyword_only_argument",
        "missing_positional_only_argument",
    }
)
"""Where the input shown is all that was sent, for want of the argument."""

_SPLIT = re.compile(r"[\s,]{1,4}(?:and |or )?|\sand\s|\sor\s")
_STRIP = "\"'`“”‘’[]() .,;:"
_NO_NAMES = words(
    """the a an this that it value values input inputs field fields parameter
    parameters argument arguments request body data string number integer object
    array for is are not of to in and or must be required missing invalid error at
    least one you your tool call which there they we user message what please
    either both only any all some if when validation payload response server api
    was were does do has have can reason provide"""
)
_CONTAINERS = frozenset({"arguments", "args", "kwargs", "params"})
"""What holds the arguments is none itself."""

_SUBSCRIPT = re.compile(r"[^\[\]'\"]{1,80}")
_MARKS = re.compile(r"[_.$]|[a-z][A-Z]|[\"'`]")


def find(passage: Passage) -> tuple[tuple[FieldError, ...], bool]:
    """Return the fields *passage* names, and whether a validator itself wrote them."""
    pydantic = tuple(_pydantic(passage.text))
    if pydantic:
        return pydantic, True
    zod: dict[str, FieldError] = {}
    for field in _zod(passage):
        zod.setdefault(field.name, field)
    rows = (f for f in _fields(passage, issue_rows.SURE) if f.name not in zod)
    fields = (*zod.values(), *rows)[:_MAX_FIELDS]
    if fields:
        return fields, True
    return tuple(_fields(passage, issue_rows.PROSE)), False


def _zod(passage: Passage) -> Iterator[FieldError]:
    if passage.has((" at ",)):
        yield from islice(find_zod(passage.text), _MAX_FIELDS)


def _pydantic(window: str) -> Iterator[FieldError]:
    head = _PYDANTIC_HEAD.search(window)
    if head is None:
        return
    for count, match in enumerate(_PYDANTIC.finditer(window, head.end())):
        if count >= _MAX_FIELDS:
            return
        detail = _PYDANTIC_INPUT.search(match["text"])
        sent = None
        if detail is not None and detail["type"] not in _MISSING:
            sent = detail["sent"]
        text = match["text"].split(" [type=")[0]
        name = match["name"].replace(" -> ", ".")
        yield FieldError(name=name, message=text, sent=sent)


def _fields(passage: Passage, rows: tuple[Guarded, ...]) -> Iterator[FieldError]:
    seen: set[str] = set()
    for row in rows:
        for match in row.finditer(passage):
            groups = match.groupdict()
            for name in _names(groups):
                if name in seen or len(seen) >= _MAX_FIELDS:
                    continue
                seen.add(name)
                yield FieldError(
                    name=name,
                    message=_line(passage.text, match.start()),
                    sent=groups.get("sent"),
                    expected=groups.get("expected"),
                )


def _names(groups: dict[str, str | None]) -> Iterator[str]:
    subscripts = groups.get("subscripts")
    if subscripts:
        yield ".".join(_SUBSCRIPT.findall(subscripts))
        return
    quoted = groups.get("quoted")
    if quoted:
        if quoted not in _CONTAINERS:
            yield quoted
        return
    listed = groups.get("names")
    bare = groups.get("bare")
    parts = _SPLIT.split(listed) if listed else [bare or ""]
    for part in parts:
        name = part.strip(_STRIP)
        in_quotes = listed is not None and part[:1] in _STRIP
        if name and (in_quotes or _looks_like_name(name)):
            yield name


def _looks_like_name(name: str) -> bool:
    """Is a bare word an argument's name? Codes and sentence starts are none."""
    plain = name.lstrip("-")
    if plain.lower() in _NO_NAMES or plain.isdigit():
        return False
    if plain.isupper() and len(plain) > 1:
        return False
    return name[:1].islower() or name[:1] in "-_$" or bool(_MARKS.search(name))


def _line(window: str, start: int) -> str:
    end = window.find("\n", start)
    begin = window.rfind("\n", 0, start) + 1
    return window[begin : end if end >= 0 else len(window)].strip()[:_MAX_TEXT]
