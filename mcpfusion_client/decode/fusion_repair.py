"""Make an MCP Fusion envelope well-formed XML, whatever it holds.

One linear pass keeps the tags of the grammar as markup, escapes everything
else, closes what a cut left open and hides characters XML forbids behind
private marks, so that a parser gives back exactly what was put in.
"""

import re
import sys
from collections.abc import Mapping

import attrs

ENVELOPES = ("tool_error", "validation_error")
ENVELOPE_START = re.compile(rf"<(?:{'|'.join(ENVELOPES)})(?=[ \t\r\n/>])")
_IN_ENVELOPE = frozenset(
    {
        "message",
        "recovery",
        "available_actions",
        "details",
        "retry_after",
        "field",
        "contract_awareness",
    }
)
_CHILDREN: Mapping[str, frozenset[str]] = {
    "tool_error": _IN_ENVELOPE,
    "validation_error": _IN_ENVELOPE,
    "available_actions": frozenset({"action"}),
    "details": frozenset({"detail"}),
    "contract_awareness": frozenset(
        {
            "system_note",
            "action",
            "change_count",
            "max_severity",
            "instructions",
            "contract_changes",
        }
    ),
    "contract_changes": frozenset({"change"}),
    "change": frozenset({"description", "before", "after"}),
}
"""What may stand in each container; every other element holds only text."""

_NAMES = frozenset(_CHILDREN).union(*_CHILDREN.values())
_ATTRIBUTES = frozenset({"code", "severity", "action", "name", "key", "field"})
_READABLE_WHEN_CUT = frozenset({"message", "recovery", "field"})
"""Prose still says something when it is cut; a name or a number does not."""

CUT_ATTRIBUTE = "cut"
"""Set by the repair on an element whose text was cut."""

# Every repeat is possessive: a tag that fails is never tried in another way. A
# blank is what XML calls one; Python's own idea of it holds forbidden characters.
_BLANK = r"[ \t\r\n]"
_GAP = rf"{_BLANK}*+"
_KEY = r"""[^ \t\r\n"'<>=/\\]++"""
_IS = rf"{_KEY}{_GAP}={_GAP}"
_QUOTED = r"""(?:"[^"]*+"|'[^']*+')"""
_LOOSE = r"""[^ \t\r\n"'<>=`\\]++"""
_RAW_ATTRIBUTES = rf"(?:{_BLANK}++{_IS}(?:{_QUOTED}|{_LOOSE}))*+"
_TAG = re.compile(rf"<(/?)({'|'.join(sorted(_NAMES))})({_RAW_ATTRIBUTES}){_GAP}(/?)>")
_ENVELOPE_TAG = re.compile(
    rf"<(/?)({'|'.join(ENVELOPES)})({_RAW_ATTRIBUTES}){_GAP}(/?)>"
)
_ATTRIBUTE = re.compile(rf"{_BLANK}({_KEY}){_GAP}={_GAP}({_QUOTED}|{_LOOSE})")
_CUT_START = re.compile(
    rf"<({'|'.join(ENVELOPES)})((?:{_BLANK}++{_IS}{_QUOTED})*+)"
    rf"(?:{_BLANK}++(?:{_KEY}(?:{_GAP}={_GAP}(?:\"[^\"]*+|'[^']*+|{_LOOSE})?)?)?)?"
)
_CUT_TAG = re.compile(rf"</?([a-z_]*+)({_BLANK}[^>]*+)?")
_CUT_ENTITY = re.compile(r"&#?[a-zA-Z0-9]{0,7}\Z")
_LONGEST_ENTITY = 9
_CHILD = re.compile(rf"{_BLANK}{{0,64}}<")

_FORBIDDEN = r"\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff"
_MARK = "\U0010fffd"
_MARK_BASE = 0x100000
_TO_HIDE = re.compile(f"[{_FORBIDDEN}{_MARK}]")
_HIDDEN = re.compile(f"{_MARK}(.)", re.DOTALL)
_ENTITY = r"(?:amp|lt|gt|quot|apos);"
_AMPERSAND = re.compile(rf"&(?!{_ENTITY})(#(?:\d{{1,7}}|x[0-9a-fA-F]{{1,6}});)?")

# The usual envelope, as MCP Fusion writes it: nothing to repair. No group inside
# a possessive repeat captures: CPython's re then raises SystemError at times.
_TEXT = rf"(?:[^<&\r{_FORBIDDEN}{_MARK}]++|&{_ENTITY})*+"
_VALUE = rf"(?:[^<&\"\r\n\t{_FORBIDDEN}{_MARK}]++|&{_ENTITY})*+"
_WELL_FORMED = re.compile(
    rf"<(tool_error|validation_error)"
    rf"(?: (?:code|action)=\"{_VALUE}\")?(?: severity=\"{_VALUE}\")?>"
    rf"(?:{_GAP}(?:<message>{_TEXT}</message>|<recovery>{_TEXT}</recovery>"
    rf"|<retry_after>{_TEXT}</retry_after>"
    rf"|<field name=\"{_VALUE}\">{_TEXT}</field>"
    rf"|<available_actions>{_TEXT}"
    rf"(?:<action>{_TEXT}</action>{_GAP})*+</available_actions>"
    rf"|<details>{_GAP}"
    rf"(?:<detail key=\"{_VALUE}\">{_TEXT}</detail>{_GAP})*+</details>))*+"
    rf"{_GAP}</\1>"
)


@attrs.frozen(kw_only=True)
class Repaired:
    """One element as well-formed XML.

    Attributes:
        xml: What a parser can read.
        end: Where the element ends in the text it was taken from.
        closed: It was closed there; otherwise the text ended first.
        lossy: Something was cut off or damaged.
        marked: Values hold private marks; `unmark` undoes them.
    """

    xml: str
    end: int
    closed: bool = True
    lossy: bool = False
    marked: bool = False


def repair(text: str, start: int, *, cut: bool) -> Repaired | None:
    """Repair the element whose tag starts at *start*.

    Args:
        text: Where the element stands.
        start: Where its tag starts.
        cut: The text is known to have been cut at its end.

    Returns:
        None when no tag of the grammar is there, or only its name is mentioned.
    """
    usual = _WELL_FORMED.match(text, start)
    if usual is not None and "]]>" not in usual[0]:
        return Repaired(xml=usual[0], end=usual.end())
    opening = _TAG.match(text, start)
    if opening is None or opening[1]:
        return _repair_cut_start(text, start, cut=cut)
    close = _closing_tag(text, opening)
    if close is None and not (cut or opening[3] or _CHILD.match(text, opening.end())):
        return None
    body, tail = text[start : None if close is None else close[0]], ""
    if close is None:
        body, tail = _without_cut_end(body)
    elif opening[4]:
        body = opening[0]
    prepared, marked = _prepare(body)
    writer = _Writer(text=prepared, nested=_closed_envelopes(prepared, 1))
    writer.run(tail)
    return Repaired(
        xml="".join(writer.out),
        end=len(text) if close is None else close[1],
        closed=close is not None,
        lossy=writer.lossy or close is None,
        marked=marked,
    )


def unmark(text: str) -> str:
    """Put the characters XML forbids back in their places."""
    return _HIDDEN.sub(_restore, text)


def _restore(match: re.Match[str]) -> str:
    hidden = match[1]
    return hidden if hidden == _MARK else chr(ord(hidden) - _MARK_BASE)


def _hide(match: re.Match[str]) -> str:
    char = match[0]
    return _MARK + (char if char == _MARK else chr(ord(char) + _MARK_BASE))


def _prepare(text: str) -> tuple[str, bool]:
    """Hide forbidden characters and make every ``&`` begin a reference."""
    marked = _TO_HIDE.search(text) is not None
    if marked:
        text = _TO_HIDE.sub(_hide, text)
    if "&" in text:
        text = _AMPERSAND.sub(_reference, text)
    return text, marked


def _reference(match: re.Match[str]) -> str:
    """Keep a reference to a character XML allows; escape any other ``&``."""
    digits = match[1]
    if digits is None:
        return "&amp;"
    number = int(digits[2:-1], 16) if digits[1] == "x" else int(digits[1:-1])
    allowed = number <= sys.maxunicode and not _TO_HIDE.match(chr(number))
    return match[0] if allowed else f"&amp;{digits}"


def _repair_cut_start(text: str, start: int, *, cut: bool) -> Repaired | None:
    """Keep the attributes that are whole when the text ends inside the first tag."""
    match = _CUT_START.fullmatch(text, start)
    if match is None or not (cut or match[2]):
        return None
    name, attributes = match.groups()
    prepared, marked = _prepare(attributes)
    xml = f"<{name}{_rewritten(prepared)}></{name}>"
    return Repaired(xml=xml, end=len(text), closed=False, lossy=True, marked=marked)


def _closing_tag(text: str, opening: re.Match[str]) -> tuple[int, int] | None:
    """Return where the element's closing tag starts and ends."""
    if opening[4]:
        return opening.span()
    name = opening[2]
    if name in ENVELOPES:
        return _closed_envelopes(text, opening.start(), only=True).get(opening.start())
    tag = f"</{name}>"
    found = text.rfind(tag, opening.end())
    return None if found < 0 else (found, found + len(tag))


def _closed_envelopes(
    text: str, start: int, *, only: bool = False
) -> dict[int, tuple[int, int]]:
    """Map the start of every closed envelope to the place of its closing tag.

    A tag without attributes that no child follows only mentions the name.

    Args:
        text: Where to look.
        start: Where to begin.
        only: Stop when the envelope at *start* is closed.
    """
    closed: dict[int, tuple[int, int]] = {}
    waiting: list[tuple[str, int]] = []
    counts: dict[str, int] = dict.fromkeys(ENVELOPES, 0)
    for match in _ENVELOPE_TAG.finditer(text, start):
        closing, name, attributes, empty = match.groups()
        if closing:
            while counts[name]:
                opened = waiting.pop()
                counts[opened[0]] -= 1
                if opened[0] == name:
                    closed[opened[1]] = match.span()
                    break
        elif not empty and (
            match.start() == start or attributes or _CHILD.match(text, match.end())
        ):
            waiting.append((name, match.start()))
            counts[name] += 1
        if only and start in closed:
            break
    return closed


def _without_cut_end(text: str) -> tuple[str, str]:
    """Take a cut-off tag or entity off the end of *text*; return both parts."""
    start = text.rfind("<")
    match = _CUT_TAG.fullmatch(text, start) if start > 0 else None
    if match is not None and _begins_tag(match[1], complete=match[2] is not None):
        return text[:start], match[0]
    entity = _CUT_ENTITY.search(text, max(0, len(text) - _LONGEST_ENTITY))
    return (text, "") if entity is None else (text[: entity.start()], "")


def _begins_tag(name: str, *, complete: bool) -> bool:
    if complete:
        return name in _NAMES
    return any(known.startswith(name) for known in _NAMES)


_IN_ATTRIBUTE = str.maketrans(
    {"<": "&lt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def _rewritten(attributes: str) -> str:
    """Write the known attributes of a tag anew; the first of a name wins."""
    values: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(attributes):
        key, value = match.groups()
        if key in _ATTRIBUTES and key not in values:
            values[key] = value[1:-1] if value[0] in "\"'" else value
    return "".join(
        f' {key}="{value.translate(_IN_ATTRIBUTE)}"' for key, value in values.items()
    )


@attrs.define(kw_only=True)
class _Writer:
    """Writes one element anew, with its elements nested as the grammar says.

    Attributes:
        text: The element, prepared, without its own closing tag.
        nested: Envelopes inside it, which are data.
        out: What has been written.
        lossy: An element inside was not closed.
    """

    text: str
    nested: Mapping[int, tuple[int, int]]
    out: list[str] = attrs.field(factory=list[str], init=False)
    lossy: bool = attrs.field(default=False, init=False)
    _open: list[str] = attrs.field(factory=list[str], init=False)
    _written: int = attrs.field(default=0, init=False)
    _leaf: int = attrs.field(default=0, init=False)
    _last: dict[str, int] = attrs.field(factory=dict[str, int], init=False)

    def run(self, tail: str) -> None:
        """Write everything.

        Args:
            tail: The cut-off tag the text ended with.
        """
        data_until = 0
        for match in _TAG.finditer(self.text):
            if match.start() < data_until:
                continue
            place = self.nested.get(match.start())
            if place is not None:
                data_until = place[1]
            elif not self._take(match):
                self.text = self.text[: match.start()]
                self.lossy = True
                break
        self._finish(tail)

    def _take(self, tag: re.Match[str]) -> bool:
        """Write one tag if it is markup here.

        Returns:
            False where the element has to end: another envelope begins, or its
            own closing tag stands there though the last one counts.
        """
        closing, name, attributes, empty = tag.groups()
        if not self._open:
            self._begin(tag, name, attributes)
        elif self._open[-1] not in _CHILDREN:
            if closing and (name == self._open[-1] or self._ends_parent(name)):
                return self._close(name, tag)
        elif closing:
            return name not in self._open or self._close(name, tag)
        elif name in _CHILDREN[self._open[-1]]:
            self._begin(tag, name, attributes)
            if empty:
                self._end(name)
        else:
            return name not in ENVELOPES
        return True

    def _ends_parent(self, name: str) -> bool:
        """Is this text never closed itself, but one of its parents here?"""
        leaf = self._open[-1]
        if leaf not in self._last:
            self._last[leaf] = self.text.rfind(f"</{leaf}>")
        return name in self._open and self._last[leaf] < self._written

    def _begin(self, tag: re.Match[str], name: str, attributes: str) -> None:
        self._copy(tag.start())
        self._leaf = len(self.out)
        self.out.append(f"<{name}{_rewritten(attributes) if attributes else ''}>")
        self._open.append(name)
        self._written = tag.end()

    def _close(self, name: str, tag: re.Match[str]) -> bool:
        if name == self._open[0]:
            return False
        while self._open[-1] != name:
            self._abandon(tag.start(), "")
        self._copy(tag.start())
        self._end(name)
        self._written = tag.end()
        return True

    def _end(self, name: str) -> None:
        self.out.append(f"</{name}>")
        self._open.pop()

    def _copy(self, end: int) -> None:
        """Write the text up to *end* as data."""
        text = self.text[self._written : end]
        if "<" in text:
            text = text.replace("<", "&lt;")
        if ">" in text:
            text = text.replace(">", "&gt;")
        if "\r" in text:
            text = text.replace("\r", "&#13;")
        self.out.append(text)
        self._written = end

    def _finish(self, tail: str) -> None:
        """Close what is still open at the end of the text."""
        while len(self._open) > 1:
            self._abandon(len(self.text), tail)
            tail = ""
        self._copy(len(self.text))
        self._end(self._open[-1])

    def _abandon(self, end: int, tail: str) -> None:
        """Close the innermost element at *end*, where its own tag is missing.

        Args:
            end: Where it stops.
            tail: The cut-off tag that followed; when it is the element's own
                closing tag, the element is whole.
        """
        name = self._open[-1]
        self.lossy = True
        whole = tail != "" and f"</{name}>".startswith(tail)
        if whole or name in _CHILDREN:
            if name == "available_actions" and not whole:
                end = self._last_whole_name(end)
            self._copy(end)
        elif name in _READABLE_WHEN_CUT:
            self.out[self._leaf] = f'{self.out[self._leaf][:-1]} {CUT_ATTRIBUTE}="1">'
            self._copy(end)
        else:
            del self.out[self._leaf :]
            self._open.pop()
            self._written = end
            return
        self._end(name)

    def _last_whole_name(self, end: int) -> int:
        """Return where the last whole name of a comma-joined list ends."""
        markup = self.text.find("<", self._written, end)
        comma = self.text.rfind(", ", self._written, end if markup < 0 else markup)
        return self._written if comma < 0 else comma
