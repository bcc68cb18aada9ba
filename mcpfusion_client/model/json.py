"""JSON as this package types it.

`Any` is allowed here and nowhere else in a public name: a JSON document has no
narrower type that a reader can index into.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

JsonValue: TypeAlias = Any
"""Anything `json.loads` returns."""

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object; treat it as read-only."""
