"""Numbers with a meaning: HTTP statuses, JSON-RPC codes, gRPC statuses."""

from collections.abc import Mapping

from mcpfusion_client.decode.evidence import Meaning, Strength
from mcpfusion_client.decode.tables import meanings as m

_UNAVAILABLE_STATUSES = (502, 503, 520, 521, 522, 523, 524, 529)

HTTP_STATUSES: Mapping[int, Meaning] = {
    **dict.fromkeys((400, 405, 406, 413, 414, 415, 422, 428, 431), m.VALIDATION),
    401: m.AUTHENTICATION,
    **dict.fromkeys((403, 451), m.PERMISSION),
    **dict.fromkeys((402, 507), m.BUSINESS),
    **dict.fromkeys((404, 410), m.NOT_FOUND),
    **dict.fromkeys((409, 412, 423), m.CONFLICT),
    429: m.RATE_LIMITED,
    425: m.BUSY,
    **dict.fromkeys((408, 504), m.TIMEOUT),
    **dict.fromkeys(_UNAVAILABLE_STATUSES, m.OUTAGE),
    500: m.CRASH,
}

_WEAK_STATUSES = frozenset({400, 405, 422, 428, 500})


def status_strength(status: int) -> Strength:
    """Return how much *status* says about the category."""
    return Strength.WEAK_STATUS if status in _WEAK_STATUSES else Strength.STATUS


RPC_CODES: Mapping[int, Meaning] = {
    -32700: m.PROTOCOL,
    -32600: m.PROTOCOL,
    -32601: m.PROTOCOL,
    -32602: m.VALIDATION,
    -32603: m.CRASH,
    -32020: m.PROTOCOL,
    -32021: m.PROTOCOL,
    -32022: m.PROTOCOL,
    -32042: m.AUTHENTICATION,
}
"""What a number means when a server sent it."""


def rpc_strength(code: int, *, in_text: bool = False) -> Strength:
    """Return how much a JSON-RPC number says about the category.

    Args:
        code: The number.
        in_text: It stands in the text of a tool's result. A tool that ran was no
            invalid request: there the number is a word for anything amiss.
    """
    if code == _INVALID_PARAMS or (in_text and code == _INVALID_REQUEST):
        return Strength.WEAK_STATUS
    known = code in RPC_CODES and code != _INTERNAL_ERROR
    return Strength.STATUS if known else Strength.GENERIC


_INVALID_PARAMS = -32602
_INVALID_REQUEST = -32600
_INTERNAL_ERROR = -32603

SDK_RPC_CODES: Mapping[int, Meaning] = {
    -32001: m.TIMEOUT,
    408: m.TIMEOUT,
    -32000: m.OUTAGE,
    -32700: m.UNREADABLE,
    -32600: m.UNREADABLE,
}
"""What a number means when the SDK itself made the error."""
