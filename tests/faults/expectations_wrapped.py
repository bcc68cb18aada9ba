"""What every fault must come to when the caller opened the session.

The SDK under the wrapped client decides what can be known: mcp 2.x drops status
and headers, mcp 1.x hangs on replies it cannot read and ends the whole session
on an HTTP error. The rows are what the decoder's tables say about what is left,
and no row may claim that a call did not run when nobody can know.
"""

import attrs

from mcpfusion_client.model import ErrorCategory as Why
from tests.faults.expectations import (
    ANY,
    FINE,
    LOST,
    MAYBE,
    NO,
    OWN,
    STATUSES,
    TIMEOUT,
    Expected,
)

_DEAD = {"next_works": False, "sibling": "typed error"}


def _evolve(row: Expected, *, dead: bool = False, code: str = ANY) -> Expected:
    kept = attrs.evolve(row, status=ANY, code=code)
    if not dead:
        return kept
    return attrs.evolve(kept, next_works=False, sibling="typed error")


_OPAQUE = Expected(categories=(Why.UNKNOWN,), executions=(MAYBE,), code=ANY)
_UNREADABLE = Expected(categories=(Why.PROTOCOL,), executions=(MAYBE,))
_LOST = _evolve(LOST)
_LOST_AND_DEAD = _evolve(LOST, dead=True)
_TIMEOUT = _evolve(TIMEOUT, code="TIMEOUT")

_HTTP_WITHOUT_RPC = (
    "status_999",
    "429_hint",
    "429_hint_ms",
    "429_hint_date",
    "429_hint_nonsense",
    "429_hint_negative",
    "503_hint",
    "401_token",
    "403_scope",
    "502_html",
    "500_ten_megabytes",
    "500_bomb",
    "500_endless",
    "500_stalls",
)
_REDIRECTS = ("302_elsewhere", "303_here", "307_elsewhere")
_BEFORE_BODY = ("reset_before_headers", "fin_before_headers", "reset_in_head")
_IN_BODY = ("reset_in_body", "fin_in_body", "fin_in_chunks")
_IN_SSE = (
    "reset_in_sse_event",
    "fin_in_sse_event",
    "sse_ends_in_event",
    "sse_ends_without_reply",
)
_SILENT = (
    "silence",
    "silence_in_head",
    "silence_in_body",
    "sse_keep_alive",
    "sse_silence",
    "body_of_spaces",
)
_UNREADABLE_BODIES = (
    "202",
    "204",
    "empty",
    "html",
    "no_content_type",
    "garbage_json",
    "cut_json",
    "bad_utf8",
    "deep_json",
    "not_rpc",
    "list",
    "sse_garbage",
)
_NO_HTTP = ("nonsense_status_line", "not_http", "cr_in_header", "huge_header")
_SAME = (
    "rpc_unknown_tool",
    "rpc_bad_params",
    "rpc_no_method",
    "rpc_internal",
    "rpc_rate_limit",
    "tool_error",
    "fine",
    "fine_sse",
    "fine_sse_cut_after_reply",
    "fine_after_103",
    "fine_large",
)

SECOND_GENERATION: dict[str, Expected] = {
    **dict.fromkeys(_HTTP_WITHOUT_RPC, _OPAQUE),
    "429_rpc": Expected(
        categories=(Why.TRANSIENT, Why.RATE_LIMITED),
        executions=(NO, MAYBE),
        retry_after=7.0,
    ),
    "400_rpc": Expected(categories=(Why.VALIDATION,), executions=(NO,), code="-32602"),
    "500_rpc": attrs.evolve(_OPAQUE, code="-32603"),
    "header_mismatch": Expected(
        categories=(Why.PROTOCOL,), executions=(NO,), posts=(1, 2)
    ),
    **dict.fromkeys(_REDIRECTS, _UNREADABLE),
    **dict.fromkeys(_BEFORE_BODY, _LOST_AND_DEAD),
    **dict.fromkeys(_IN_BODY, _LOST_AND_DEAD),
    **dict.fromkeys(_IN_SSE, _LOST),
    "sse_not_resumed": attrs.evolve(_LOST, answered="by timeout"),
    "sse_resumed": FINE,
    # The SDK refuses an event of more than 1 MB.
    "fine_sse_large": _LOST,
    **dict.fromkeys(_SILENT, _TIMEOUT),
    **dict.fromkeys(_UNREADABLE_BODIES, _UNREADABLE),
    "wrong_shape": _evolve(OWN["wrong_shape"]),
    "wrong_id": _TIMEOUT,
    # The SDK puts the right id on whatever event it gets.
    "sse_wrong_id": FINE,
    "bad_gzip": _LOST_AND_DEAD,
    **dict.fromkeys((*_NO_HTTP, "bad_chunk", "two_lengths"), _LOST_AND_DEAD),
    **{name: _evolve(OWN[name]) for name in _SAME},
}
"""A ``fastmcp.Client`` on mcp 2.x."""


def _status(status: int, retry_after: float | None = None) -> Expected:
    why, ran = STATUSES.get(status, (Why.UNKNOWN, MAYBE))
    return Expected(
        categories=(why,),
        executions=(ran,),
        status=status,
        retry_after=retry_after,
        next_works=False,
        sibling="typed error",
    )


FIRST_GENERATION: dict[str, Expected] = {
    "status_999": _status(999),
    "429_hint": _status(429, 7.0),
    "429_hint_ms": _status(429, 1.5),
    "429_hint_date": _status(429, 30.0),
    "429_hint_nonsense": _status(429),
    "429_hint_negative": _status(429),
    "429_rpc": _status(429),
    "503_hint": attrs.evolve(_status(503, 7.0), executions=(NO,)),
    "401_token": _status(401),
    "403_scope": _status(403),
    "400_session": attrs.evolve(
        _status(400), categories=(Why.VALIDATION, Why.TRANSIENT)
    ),
    "404_session": Expected(categories=(Why.TRANSIENT,), executions=(NO,)),
    "400_rpc": _status(400),
    "500_rpc": _status(500),
    "header_mismatch": attrs.evolve(
        _status(400), categories=(Why.VALIDATION, Why.PROTOCOL)
    ),
    "502_html": _status(502),
    **{name: _status(int(name[:3])) for name in _REDIRECTS},
    "500_ten_megabytes": _status(500),
    "500_bomb": _status(500),
    "500_endless": _status(500),
    "500_stalls": _status(500),
    **dict.fromkeys(_BEFORE_BODY, _LOST_AND_DEAD),
    **dict.fromkeys((*_IN_BODY, *_IN_SSE, "sse_not_resumed"), _TIMEOUT),
    **dict.fromkeys(("sse_resumed", "fine_sse_large"), FINE),
    **dict.fromkeys(_SILENT, _TIMEOUT),
    **dict.fromkeys((*_UNREADABLE_BODIES, "wrong_id", "sse_wrong_id"), _TIMEOUT),
    **dict.fromkeys(("bad_gzip", "bad_chunk"), _TIMEOUT),
    "wrong_shape": _evolve(OWN["wrong_shape"]),
    **dict.fromkeys(
        (*_NO_HTTP, "two_lengths"),
        Expected(
            categories=(Why.PROTOCOL, Why.TRANSIENT),
            executions=(MAYBE,),
            next_works=False,
            sibling="typed error",
        ),
    ),
    **{name: _evolve(OWN[name]) for name in _SAME},
}
"""A ``fastmcp.Client`` on mcp 1.x: an HTTP error is the end of its session."""
