"""References inside one schema; nothing outside of it is ever followed."""

import json
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

import attrs

from mcpfusion_client.model import JsonValue
from mcpfusion_client.model.json import is_array, is_object

_MAX_SHARED: Final = 64 * 1024
_MAX_HOPS: Final = 32
_MAX_DEPTH: Final = 200


@attrs.frozen
class Target:
    """What a reference leads to.

    Attributes:
        pointer: The JSON pointer, the same for every spelling of a reference.
        schema: What stands there. Untrusted.
    """

    pointer: str
    schema: JsonValue

    @property
    def definition(self) -> str | None:
        """The name under ``$defs`` or ``definitions``, None for another place."""
        head, _, name = self.pointer.rpartition("/")
        return _unescape(name) if head in {"/$defs", "/definitions"} else None


@attrs.define
class Pointers:
    """Follows the references of *root*."""

    root: JsonValue
    _anchors: dict[str, str] | None = None
    _root_text: str | None = None

    def follow(self, ref: JsonValue) -> Target | None:
        """Return what *ref* leads to, None when it leads out or nowhere."""
        if not isinstance(ref, str) or not ref.startswith("#"):
            return None
        pointer = unquote(ref[1:])
        if pointer and not pointer.startswith("/"):
            pointer = self._anchor_pointers().get(pointer, "")
            if not pointer:
                return None
        found = self._at(pointer)
        return None if found is None else Target(pointer, found[0])

    def text(self, schema: JsonValue) -> str:
        """Return *schema* as canonical text; the root's is made once."""
        if schema is self.root:
            if self._root_text is None:
                self._root_text = json.dumps(schema, sort_keys=True)
            return self._root_text
        return json.dumps(schema, sort_keys=True)

    def shared(self, target: Target) -> str | None:
        """Return *target* and all it refers to as text; None when it is too much.

        Two tools whose definitions of the same name agree in this text share it.
        """
        texts: dict[str, str] = {}
        waiting = [target]
        size = 0
        while waiting:
            at = waiting.pop()
            if at.pointer in texts:
                continue
            try:
                texts[at.pointer] = json.dumps(at.schema, sort_keys=True)
            except (RecursionError, ValueError, TypeError):
                return None
            size += len(texts[at.pointer])
            if size > _MAX_SHARED:
                return None
            for ref in _refs(at.schema):
                further = self.follow(ref)
                if further is not None:
                    waiting.append(further)
        return json.dumps(texts, sort_keys=True)

    def _at(self, pointer: str) -> tuple[JsonValue] | None:
        here = self.root
        for part in pointer.split("/")[1:]:
            key = _unescape(part)
            if is_object(here) and key in here:
                here = here[key]
            elif is_array(here) and key.isdecimal() and len(key) < len("1" * 9):
                index = int(key)
                if index >= len(here):
                    return None
                here = here[index]
            else:
                return None
        return (here,)

    def _anchor_pointers(self) -> dict[str, str]:
        if self._anchors is None:
            self._anchors = dict(_anchors(self.root))
        return self._anchors


def _unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _escape(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def _walk(root: JsonValue) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    waiting: list[tuple[str, JsonValue, int]] = [("", root, 0)]
    while waiting:
        pointer, here, depth = waiting.pop()
        if depth > _MAX_DEPTH:
            continue
        if is_object(here):
            yield pointer, here
            waiting += [
                (f"{pointer}/{_escape(key)}", value, depth + 1)
                for key, value in here.items()
            ]
        elif is_array(here):
            waiting += [
                (f"{pointer}/{number}", value, depth + 1)
                for number, value in enumerate(here)
            ]


def _anchors(root: JsonValue) -> Iterator[tuple[str, str]]:
    for pointer, here in _walk(root):
        for word in ("$anchor", "$id", "id"):
            name = here.get(word)
            if isinstance(name, str):
                yield name.removeprefix("#"), pointer


def _refs(schema: JsonValue) -> Iterator[str]:
    for _, here in _walk(schema):
        ref = here.get("$ref")
        if isinstance(ref, str):
            yield ref
