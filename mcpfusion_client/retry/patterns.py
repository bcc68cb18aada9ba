"""Match tools and codes against shell-style patterns, the same way everywhere.

A tool is tried by every name it has, so that no spelling of a call gets around a
rule. Letter case counts, as it does on the wire.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase


def matches(pattern: str, *names: str) -> bool:
    """Does *pattern* fit a tool?

    Dots and underscores are the same: MCP Fusion serves ``platform.users.ban`` as
    ``platform_users.ban`` or ``platform_users_ban``.

    Args:
        pattern: A plain name or a glob: ``*``, ``?`` and ``[...]``.
        names: The canonical action path and the wire name.
    """
    flat = pattern.replace(".", "_")
    return any(
        fnmatchcase(name, pattern) or fnmatchcase(name.replace(".", "_"), flat)
        for name in names
    )


def matches_any(patterns: Iterable[str], code: str) -> bool:
    """Does one of *patterns*, plain codes or globs, fit *code* as it stands?"""
    return any(fnmatchcase(code, pattern) for pattern in patterns)
