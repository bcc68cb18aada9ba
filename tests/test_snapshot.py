"""Copies of arguments: checked once, out of reach of everybody else."""

import enum
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model.snapshot import recopy, snapshot

TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda children: (
        st.lists(children, max_size=5) | st.dictionaries(TEXT, children, max_size=5)
    ),
    max_leaves=30,
)


@given(st.dictionaries(TEXT, JSON, max_size=5))
def test_a_snapshot_is_equal_and_shares_nothing(value: dict[str, Any]) -> None:
    """Any JSON object comes through, and no container of it is the same object."""
    copied = snapshot(value, what="arguments")

    assert json.dumps(copied) == json.dumps(value)
    assert containers(copied).isdisjoint(containers(value))
    assert json.dumps(recopy(copied)) == json.dumps(value)
    assert containers(recopy(copied)).isdisjoint(containers(copied))


def containers(value: object) -> set[int]:
    """Return the identities of every dict and list in *value*."""
    inside: Iterable[object]
    if isinstance(value, dict):
        inside = cast("dict[str, object]", value).values()
    elif isinstance(value, list):
        inside = cast("list[object]", value)
    else:
        return set()
    return {id(cast("object", value))}.union(*map(containers, inside))


def test_none_is_an_empty_object() -> None:
    """A tool without arguments is called with an empty object."""
    assert snapshot(None, what="arguments") == {}


class Colour(enum.StrEnum):
    """An enumeration of texts."""

    RED = "red"


class Level(enum.IntEnum):
    """An enumeration of numbers."""

    HIGH = 3


def test_subclasses_become_what_they_are_in_json() -> None:
    """Enumerations, tuples and read-only mappings are JSON under another name."""
    empty: Mapping[str, object] = MappingProxyType({})
    value = {"c": Colour.RED, "l": Level.HIGH, "t": (1, 2), "m": empty}

    copied = snapshot(value, what="arguments")

    assert copied == {"c": "red", "l": 3, "t": [1, 2], "m": {}}
    assert {type(item) for item in copied.values()} == {str, int, list, dict}


@pytest.mark.parametrize(
    "value",
    [
        ["a"],
        "text",
        1,
        {1: "a"},
        {"a": {2: "b"}},
        {"a": {1, 2}},
        {"a": b"bytes"},
        {"a": [object()]},
    ],
)
def test_what_is_not_json_is_a_type_error(value: object) -> None:
    """The caller's mistake is told before anything is sent."""
    with pytest.raises(TypeError):
        snapshot(value, what="arguments")


@pytest.mark.parametrize(
    "value",
    [
        {"a": math.nan},
        {"a": [math.inf]},
        {"a": {"b": -math.inf}},
        {"a": "\ud800"},
        {"\udfff": 1},
        {"a": ["\ud800"]},
    ],
)
def test_values_that_json_cannot_hold_are_a_value_error(value: object) -> None:
    """Python's JSON module would write some of them; no server could read them."""
    with pytest.raises(ValueError, match="arguments"):
        snapshot(value, what="arguments")


def test_a_value_inside_itself_is_a_value_error() -> None:
    """It must neither hang nor end the process."""
    value: dict[str, Any] = {}
    value["self"] = value

    with pytest.raises(ValueError, match="deep"):
        snapshot(value, what="arguments")


def test_any_mapping_is_accepted() -> None:
    """Callers hold arguments in all kinds of mappings."""

    class Lazy(Mapping[str, int]):
        def __getitem__(self, name: str) -> int:
            return 1

        def __iter__(self) -> Iterator[str]:
            return iter(["a"])

        def __len__(self) -> int:
            return 1

    assert snapshot(Lazy(), what="arguments") == {"a": 1}
