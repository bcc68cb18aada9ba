"""Narrow what an SDK or a caller hands over."""

from collections.abc import Sequence
from typing import TypeGuard


def is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    """Is *value* a list or tuple?"""
    return isinstance(value, list | tuple)
