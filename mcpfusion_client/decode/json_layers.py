"""Look at a JSON object layer by layer: the failure itself, then what is around it.

A *main* layer speaks of the failure (the object itself, its ``error``); every other
one (``details``, ``meta``, ``response``) may only add to it.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from mcpfusion_client.decode.issue_lists import is_graphql
from mcpfusion_client.decode.tables import keys
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping

MAX_KEYS = 256
_MAX_LAYERS = 24
_MAX_DEPTH = 4
_MAX_DETAILS = 16

_MAIN = (
    "error",
    "errors",
    "result",
    "err",
    "fault",
    "extensions",
    "exception",
    "detail",
    "message",
    "recovery",
)
_AUX = (
    "details",
    "data",
    "meta",
    "metadata",
    "parameters",
    "context",
    "info",
    "response",
    "body",
    "cause",
    "innererror",
    "errorinfo",
    "responsemetadata",
    "ratelimit",
    "headers",
    "results",
)
_RETRY_OBJECTS = ("retry", "retryinfo", "retrypolicy")
"""Objects about repeating: ``{"after": 5}`` in one of them is ``retry_after``."""

_ISSUE_KEYS = ("path", "loc", "instancepath")
_LISTED_ISSUE_KEYS = ("field", "param", "pointer", "source", "property", "parameter")


@attrs.frozen
class Layer:
    """One object of a nest.

    Attributes:
        keys: Its values by normalised key.
        main: It speaks of the failure itself.
        listed: It is an item of a list.
    """

    keys: Mapping[str, JsonValue]
    main: bool
    listed: bool = False

    @property
    def is_issue(self) -> bool:
        """Is this one field's issue? Its code is not the code of the failure."""
        found = self.keys
        if is_graphql(found):
            return False
        if any(is_array(found.get(key)) and found[key] for key in _ISSUE_KEYS):
            return True
        named = (*_ISSUE_KEYS, *_LISTED_ISSUE_KEYS)
        return self.listed and any(found.get(key) for key in named)

    def all(self, role: str) -> Iterator[tuple[str, JsonValue]]:
        """Return the keys that can give *role*, the one to believe first in front."""
        found = self.keys
        return ((key, found[key]) for key in keys.ORDER[role] if key in found)


def root_of(value: JsonValue) -> JsonObject | None:
    """Return the object to read: *value* itself, or a list of errors as one."""
    if is_mapping(value):
        return value
    if is_array(value) and value and is_mapping(value[0]):
        return {"errors": value}
    return None


def layers(root: JsonObject) -> Iterator[Layer]:
    """Return the layers of *root*, the outer ones first."""
    queue: list[tuple[JsonObject, bool, bool, int]] = [(root, True, False, 0)]
    for count in range(_MAX_LAYERS):
        if count >= len(queue):
            return
        mapping, main, listed, depth = queue[count]
        layer = Layer(_normalised(mapping), main, listed)
        yield layer
        if depth < _MAX_DEPTH:
            queue += (
                (inner, is_main, in_list, depth + 1)
                for inner, is_main, in_list in _inner(layer)
            )


def _normalised(mapping: JsonObject) -> dict[str, JsonValue]:
    """Return the values by key without case and separators.

    Of keys that differ only in their letters' case the exact spelling wins; two
    equally exact ones that disagree are read cautiously.
    """
    result: dict[str, JsonValue] = {}
    exact: set[str] = set()
    for found, value in list(mapping.items())[:MAX_KEYS]:
        key = str(found)  # a Python caller's may be anything
        name = keys.normalise(key)
        is_exact = key in keys.EXACT or "_" in key or "-" in key
        if name not in result or (is_exact and name not in exact):
            result[name] = value
        elif is_exact == (name in exact):
            result[name] = _more_cautious(result[name], value)
        if is_exact:
            exact.add(name)
    return result


def _more_cautious(one: JsonValue, other: JsonValue) -> JsonValue:
    if one is False or other is False:
        return False
    return other if one is None else one


def _inner(layer: Layer) -> Iterator[tuple[JsonObject, bool, bool]]:
    """Return the objects inside, whether they are main ones and items of a list."""
    for name in _RETRY_OBJECTS:
        value = layer.keys.get(name)
        if is_mapping(value):
            first = list(value.items())[:MAX_KEYS]
            about = {**value, **{f"retry_{key}": one for key, one in first}}
            yield about, False, False
    for names, main in ((_MAIN, True), (_AUX, False)):
        for name in names:
            value = layer.keys.get(name)
            if is_mapping(value):
                yield value, main, False
            elif is_array(value):
                count = _MAX_DETAILS if name == "details" else 1
                yield from ((item, main, True) for item in _mappings(value[:count]))


def _mappings(values: Sequence[JsonValue]) -> Iterator[JsonObject]:
    return (item for item in values if is_mapping(item))
