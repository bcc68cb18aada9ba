"""What a caller may have meant by a name that fits nothing.

Said beside an error that is there anyway; nothing is corrected behind a caller's back.
"""

import difflib
from collections.abc import Iterable
from itertools import islice
from typing import Final

import attrs

from mcpfusion_client.model import ErrorCategory, ErrorInfo
from mcpfusion_client.model.text import one_line
from mcpfusion_client.reply import Failed
from mcpfusion_client.retry import RetryPolicy
from mcpfusion_client.routing import Router

_LONGEST_NAME: Final = 128  # what MCP allows a tool name
_MOST_NAMES: Final = 3
_MOST_COMPARED: Final = 2000  # a tenth of a second, and the event loop waits for it
_ALIKE: Final = 0.7
_UNKNOWN_TOOL = frozenset(
    {ErrorCategory.NOT_FOUND, ErrorCategory.PROTOCOL, ErrorCategory.VALIDATION}
)


def with_near_names(failed: Failed, wanted: str, router: Router) -> Failed:
    """Return *failed* with a recovery that says what is listed, where that helps.

    Args:
        failed: A call that ended without success.
        wanted: The action or wire name that the caller wrote.
        router: Knows what the server lists. Untrusted names.
    """
    info = failed.error
    if info.recovery is not None or info.category not in _UNKNOWN_TOOL:
        return failed
    if not router.tools or router.route(wanted, {}) is not None:
        return failed
    told: ErrorInfo = attrs.evolve(info, recovery=_not_listed(wanted, router))
    return attrs.evolve(
        failed, error=told, result=attrs.evolve(failed.result, error=told)
    )


def near_names(wanted: str, router: Router) -> list[str]:
    """Return what is listed and spelt like *wanted*, dotted where that is.

    Only of names that can be shown as they are; of a long list only the beginning.

    Args:
        wanted: An action or a wire name that no listed tool fits.
        router: Knows what the server lists. Untrusted names.
    """
    if len(wanted) > _LONGEST_NAME:
        return []
    listed = islice(router.tools, _MOST_COMPARED)
    spellings = [name for name in listed if len(name) <= _LONGEST_NAME]
    if "." in wanted:
        spellings = [router.canonical(name, {}) for name in spellings]
    close = difflib.get_close_matches(wanted, spellings, n=_MOST_NAMES, cutoff=_ALIKE)
    return [name for name in close if one_line(name, _LONGEST_NAME) == name]


def _not_listed(wanted: str, router: Router) -> str:
    line = f"the server lists no tool for {_quoted(wanted)}"
    close = near_names(wanted, router)
    if not close:
        return line
    return f"{line}; did you mean {' or '.join(map(_quoted, close))}?"


def _quoted(name: str) -> str:
    return repr(one_line(name, _LONGEST_NAME))


def no_such_option(given: str, own: Iterable[str], of_calls: Iterable[str]) -> str:
    """Return what is wrong with the option *given* of a client, and what to write.

    Args:
        given: No option of a client.
        own: The options a client has.
        of_calls: The options a call has.
    """
    line = f"a client has no option {given!r}"
    place = _place(given, of_calls)
    if place:
        return f"{line}: it belongs {place}"
    options = sorted(own)
    close = difflib.get_close_matches(given, options, n=1)
    if close:
        return f"{line}; did you mean {close[0]!r}?"
    elsewhere = sorted({*of_calls, *attrs.fields_dict(RetryPolicy)})
    close = difflib.get_close_matches(given, elsewhere, n=1, cutoff=_ALIKE)
    if close:
        place = _place(close[0], of_calls)
        return f"{line}; did you mean {close[0]!r}? That belongs {place}"
    return f"{line}; it has {', '.join(options)}"


def _place(option: str, of_calls: Iterable[str]) -> str:
    """Return where *option* is taken, in words; empty where it is not."""
    places: list[str] = []
    if option in of_calls:
        places.append(f"to a call, as in client.execute(..., {option}=...)")
    if option in attrs.fields_dict(RetryPolicy):
        places.append(f"to a policy, as in retry=RetryPolicy({option}=...)")
    return ", or ".join(places)
