"""A way to write a set of words as text."""


def words(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())
