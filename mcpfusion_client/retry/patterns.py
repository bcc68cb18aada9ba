"""Match names against shell-style patterns, the same way everywhere.

A pattern is tried on every name a thing has, so that no spelling of a call gets
around a rule. Dots and underscores are the same: MCP Fusion serves
``platform.users.ban`` as ``platform_users.ban`` or ``platform_users_ban``. Letter
case counts, as it does in tool names and codes.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase


def matches(pattern: str, *names: str) -> bool:
    """Does *pattern* fit one of *names*?

    Args:
        pattern: A plain name or a glob: ``*``, ``?`` and ``[...]``.
        names: The canonical action path and the wire name of one tool, say.
    """
    flat = pattern.replace(".", "_")
    return any(
        fnmatchcase(name, pattern) or fnmatchcase(name.replace(".", "_"), flat)
        for name in names
    )


def matches_any(patterns: Iterable[str], *names: str) -> bool:
    """Does one of *patterns* fit one of *names*?"""
    return any(matches(pattern, *names) for pattern in patterns)
