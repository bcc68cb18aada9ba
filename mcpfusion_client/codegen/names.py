"""Python names for what a server calls its tools and arguments.

Every name from the wire is untrusted: what comes out is always an identifier
that is no keyword, needs no escaping and cannot shadow what a router relies on.
The wire name travels beside it and is what is sent.
"""

import hashlib
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Final

_MAX_LENGTH = 60
_NOT_WORD = re.compile(r"\W+")
_WORDS = re.compile(r"[^\W_]+")
_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_VERBS: Final = """
    accept activate add allow analyze append apply approve archive ask assign attach
    authenticate authorize begin block cancel capture change check clean clear click
    clone close complete compute configure confirm connect convert create deactivate
    decline decode delete deny deploy describe detach detect diff disable disconnect
    discover dispatch do download duplicate echo edit emit enable encode end enqueue
    ensure estimate evaluate execute expand explain export extract fetch find finish
    fix force format generate get give handle hide identify ignore import increment
    initialize insert inspect install interrupt invite invoke join kill launch leave
    list lock login logout look lookup make mark merge migrate modify move mute
    navigate new notify open parse patch pause perform poll prepare press print promote
    publish pull purge push put raise read rebuild receive refresh register reject
    release reload remove rename render reopen replace reply reset resize resolve
    restart restore resume retrieve retry return revert revoke rotate run save scrape
    select send set share show simulate skip sort start stop submit subscribe suggest
    summarize suspend sync take toggle transfer translate trigger try unarchive
    unassign unblock uninstall unlink unlock unregister unsubscribe update upgrade
    upload upsert use validate verify wait watch write
"""
_VERBS_OR_NOUNS: Final = """
    branch bulk comment commit copy count drag drop filter fill fork hover index issue
    label link load map monitor mount order ping plan post preview process query
    queue record refund report request review rollback scan schedule search sign
    stage store tag test track train type view zip
"""

VERBS = frozenset(_VERBS.split())
"""First words of a flat name that are no namespace: ``get_invoice`` is one name."""

VERBS_OR_NOUNS = frozenset(_VERBS_OR_NOUNS.split())
"""Words that are a namespace only before a verb: ``issue_create``, ``tag_list``."""


def path_of(tool: str, *, split_flat: bool = True) -> tuple[str, ...]:
    """Return the namespaces and the name a tool is called by, as on the wire.

    A dotted name splits at its dots. A flat one splits at its first underscore,
    as MCP Fusion joins it, unless it starts with a verb: the path depends on this
    name alone, so a new tool never moves another one.

    Args:
        tool: The wire name. Untrusted.
        split_flat: Split flat names at all.
    """
    first, *rest = [part for part in tool.split(".") if part] or [tool]
    head, _, tail = first.partition("_")
    if split_flat and head and tail.strip("_") and _is_namespace(head, tail):
        return head, tail, *rest
    return first, *rest


def _is_namespace(head: str, rest: str) -> bool:
    first = head.lower()
    if first in VERBS_OR_NOUNS:
        return rest.partition("_")[0].lower() in VERBS | VERBS_OR_NOUNS
    return first not in VERBS


def identifier(wire: str, *, prefix: str) -> str:
    """Return an identifier for *wire*; *wire* itself when it is a fit one.

    Args:
        wire: The name on the wire. Untrusted.
        prefix: Put before what could not be a public name otherwise.
    """
    normal = unicodedata.normalize("NFKC", wire[: 4 * _MAX_LENGTH])
    name = _NOT_WORD.sub("_", normal)
    if name.startswith("_"):
        name = f"{prefix}_{name}".replace("___", "_").replace("__", "_").rstrip("_")
    elif name != normal:
        name = name.strip("_")
    if name and not name.isidentifier():
        name = f"{prefix}_{name}"
    if not name.isidentifier():
        name = prefix
    if keyword.iskeyword(name) or name in {"self", "cls"}:
        name += "_"
    return _bounded(name)


def class_name(parts: Iterable[str]) -> str:
    """Return *parts* as one CapWords name, at most `_MAX_LENGTH` long."""
    words = [
        word
        for part in parts
        for word in _WORDS.findall(unicodedata.normalize("NFKC", part[:200]))
    ]
    name = "".join(
        piece[:1].upper() + piece[1:] for word in words for piece in _CASE.split(word)
    )
    if not name or not name.isidentifier():
        name = f"Tool{name}"
    if not name.isidentifier():
        name = "Tool"
    if keyword.iskeyword(name):
        name += "_"
    return _bounded(name)


def assign(wanted: Mapping[str, str], *, taken: Collection[str] = ()) -> dict[str, str]:
    """Return a different name for each key of *wanted*, close to the wanted one.

    A key that is its own name keeps it; the others follow in order, and the one
    that comes too late gets a number.

    Args:
        wanted: The name each key would like.
        taken: Names nobody gets.
    """
    used = set(taken)
    given: dict[str, str] = {}
    exact_first = sorted(wanted, key=lambda key: (wanted[key] != key, key))
    for key in exact_first:
        given[key] = unique(wanted[key], used)
        used.add(given[key])
    return given


def unique(name: str, used: Collection[str]) -> str:
    """Return *name*, or *name* with the first free suffix."""
    if name not in used:
        return name
    if f"{name}_" not in used and name in _SOFT:
        return f"{name}_"
    number = 2
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"


_SOFT = frozenset({"with_options"})


def _bounded(name: str) -> str:
    if len(name) <= _MAX_LENGTH:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:6]
    return f"{name[: _MAX_LENGTH - 7]}_{digest}"
