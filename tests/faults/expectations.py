"""What every fault must come to, written down before it is run.

The rows follow from the tables of the decoder (HTTP status and JSON-RPC code to
category and execution) and from three rules: what was never sent is
``NOT_EXECUTED``; what may have arrived and was not answered is ``UNKNOWN``; a
call ends when its fate is known, at the latest at the attempt timeout.
"""

from collections.abc import Iterable

import attrs

from mcpfusion_client.model import ErrorCategory as Why
from mcpfusion_client.model import Execution

ANY = "any"
"""The contract does not say."""

EITHER = "either"
"""A result or a typed error: the contract does not say which."""

NO, MAYBE, YES = Execution.NOT_EXECUTED, Execution.UNKNOWN, Execution.EXECUTED


@attrs.frozen(kw_only=True)
class Expected:
    """One row.

    Attributes:
        categories: The categories that are right; none means a result.
        executions: The truthful answers to "did the tool run?".
        code: The code, or `ANY`.
        status: The HTTP status on the error, None for none, or `ANY`.
        retry_after: Seconds.
        answered: ``at once``, ``timeout`` (the attempt's) or ``by timeout``.
        posts: How often the server may see the call.
        next_works: The next call over the same client gets its result.
        sibling: What a call in flight on the same client comes to.
        leaving: How leaving the client goes: in bounded time, raising nothing, and
            with no task left over.
    """

    categories: tuple[Why, ...] = ()
    executions: tuple[Execution, ...] = ()
    code: str = ANY
    status: int | str | None = ANY
    retry_after: float | None = None
    answered: str = "at once"
    posts: tuple[int, ...] = (1,)
    next_works: bool = True
    sibling: str = "survives"
    leaving: str = "clean"


def _failure(why: Why, ran: Execution, code: str = ANY) -> Expected:
    return Expected(categories=(why,), executions=(ran,), code=code)


def _http(
    status: int, why: Why, ran: Execution, retry_after: float | None = None
) -> Expected:
    return Expected(
        categories=(why,),
        executions=(ran,),
        code=f"HTTP_{status}",
        status=status,
        retry_after=retry_after,
    )


def _rows(names: Iterable[str], row: Expected) -> dict[str, Expected]:
    return dict.fromkeys(names, row)


STATUSES: dict[int, tuple[Why, Execution]] = {
    **dict.fromkeys(
        (400, 405, 406, 413, 414, 415, 422, 428, 431), (Why.VALIDATION, NO)
    ),
    401: (Why.AUTHENTICATION, NO),
    402: (Why.BUSINESS, NO),
    507: (Why.BUSINESS, NO),
    403: (Why.PERMISSION, NO),
    451: (Why.PERMISSION, NO),
    404: (Why.NOT_FOUND, NO),
    410: (Why.NOT_FOUND, NO),
    408: (Why.TRANSIENT, MAYBE),
    409: (Why.CONFLICT, NO),
    412: (Why.CONFLICT, NO),
    423: (Why.CONFLICT, NO),
    429: (Why.RATE_LIMITED, NO),
    425: (Why.TRANSIENT, NO),
    500: (Why.UNKNOWN, MAYBE),
    **dict.fromkeys(
        (502, 503, 504, 520, 521, 522, 523, 524, 529), (Why.TRANSIENT, MAYBE)
    ),
}
"""The HTTP table; whatever is not in it is unknown in every respect."""

SWEPT = (*range(400, 530), 599)
"""The statuses that are tried."""

SESSION_GONE = Expected(categories=(Why.TRANSIENT,), executions=(NO,), status=404)
LOST = _failure(Why.TRANSIENT, MAYBE, "CONNECTION_LOST")
TIMEOUT = attrs.evolve(_failure(Why.TRANSIENT, MAYBE, "TIMEOUT"), answered="timeout")
UNREADABLE = attrs.evolve(_failure(Why.PROTOCOL, MAYBE, "BAD_RESPONSE"), status=200)
NO_HTTP = Expected(categories=(Why.PROTOCOL, Why.TRANSIENT), executions=(MAYBE,))
FINE = Expected()


def status_row(status: int, *, session: bool) -> Expected:
    """Return the row of a bare HTTP status.

    Args:
        status: The status.
        session: The request carried a session id.
    """
    if status == 404 and session:
        return SESSION_GONE
    why, ran = STATUSES.get(status, (Why.UNKNOWN, MAYBE))
    return _http(status, why, ran)


OWN: dict[str, Expected] = {
    "status_999": _http(999, Why.UNKNOWN, MAYBE),
    "429_hint": _http(429, Why.RATE_LIMITED, NO, 7.0),
    "429_hint_ms": _http(429, Why.RATE_LIMITED, NO, 1.5),
    "429_hint_date": _http(429, Why.RATE_LIMITED, NO, 30.0),
    "429_hint_nonsense": _http(429, Why.RATE_LIMITED, NO),
    "429_hint_negative": _http(429, Why.RATE_LIMITED, NO),
    "429_rpc": Expected(
        categories=(Why.TRANSIENT, Why.RATE_LIMITED),
        executions=(NO,),
        status=429,
        retry_after=7.0,
    ),
    "503_hint": _http(503, Why.TRANSIENT, NO, 7.0),
    "401_token": _http(401, Why.AUTHENTICATION, NO),
    "403_scope": _http(403, Why.PERMISSION, NO),
    "400_session": attrs.evolve(SESSION_GONE, status=400),
    "404_session": SESSION_GONE,
    "400_rpc": attrs.evolve(_failure(Why.VALIDATION, NO), status=400),
    "500_rpc": attrs.evolve(_failure(Why.UNKNOWN, MAYBE), status=500),
    "502_html": _http(502, Why.TRANSIENT, MAYBE),
    "header_mismatch": attrs.evolve(_failure(Why.PROTOCOL, NO), status=400),
    "302_elsewhere": _http(302, Why.UNKNOWN, MAYBE),
    "303_here": _http(303, Why.UNKNOWN, MAYBE),
    "307_elsewhere": _http(307, Why.UNKNOWN, MAYBE),
    "500_ten_megabytes": _http(500, Why.UNKNOWN, MAYBE),
    "500_bomb": _http(500, Why.UNKNOWN, MAYBE),
    **_rows(
        ("500_endless", "500_stalls"),
        Expected(
            categories=(Why.UNKNOWN, Why.TRANSIENT),
            executions=(MAYBE,),
            answered="by timeout",
        ),
    ),
    **_rows(
        (
            "reset_before_headers",
            "fin_before_headers",
            "reset_in_head",
            "reset_in_body",
            "fin_in_body",
            "fin_in_chunks",
            "reset_in_sse_event",
            "fin_in_sse_event",
            "sse_ends_in_event",
            "sse_ends_without_reply",
        ),
        LOST,
    ),
    "sse_resumed": FINE,
    # The server refuses to resume the stream with a hint, and the hint is kept.
    "sse_not_resumed": attrs.evolve(_failure(Why.TRANSIENT, MAYBE), retry_after=7.0),
    **_rows(
        (
            "silence",
            "silence_in_head",
            "silence_in_body",
            "sse_keep_alive",
            "sse_silence",
            "body_of_spaces",
        ),
        TIMEOUT,
    ),
    "202": attrs.evolve(UNREADABLE, status=202),
    "204": attrs.evolve(UNREADABLE, status=204),
    **_rows(
        (
            "empty",
            "html",
            "no_content_type",
            "garbage_json",
            "cut_json",
            "bad_utf8",
            "deep_json",
            "not_rpc",
            "list",
            "wrong_id",
            "sse_wrong_id",
            "sse_garbage",
            "bad_gzip",
        ),
        UNREADABLE,
    ),
    "wrong_shape": Expected(
        categories=(Why.PROTOCOL,), executions=(MAYBE, YES), code="BAD_RESPONSE"
    ),
    **_rows(
        (
            "nonsense_status_line",
            "not_http",
            "cr_in_header",
            "huge_header",
            "bad_chunk",
            "two_lengths",
        ),
        NO_HTTP,
    ),
    "rpc_unknown_tool": _failure(Why.NOT_FOUND, NO, "-32602"),
    "rpc_bad_params": _failure(Why.VALIDATION, NO, "-32602"),
    "rpc_no_method": _failure(Why.PROTOCOL, NO, "-32601"),
    "rpc_internal": _failure(Why.UNKNOWN, MAYBE, "-32603"),
    "rpc_rate_limit": attrs.evolve(_failure(Why.RATE_LIMITED, NO), retry_after=7.0),
    "tool_error": attrs.evolve(
        _failure(Why.TRANSIENT, NO, "RATE_LIMITED"), retry_after=7.0
    ),
    **_rows(
        (
            "fine",
            "fine_sse",
            "fine_sse_cut_after_reply",
            "fine_after_103",
            "fine_large",
            "fine_sse_large",
        ),
        FINE,
    ),
}
"""A connection this package opened; both protocol eras unless `_MODERN` differs."""

_MODERN: dict[str, Expected] = {
    "404_session": attrs.evolve(_failure(Why.NOT_FOUND, NO), status=404),
    # This era has no sessions; the text may speak of one that was signed in to.
    "400_session": Expected(
        categories=(Why.VALIDATION, Why.AUTHENTICATION), executions=(NO,), status=400
    ),
    # The SDK itself resends a call once after it fetched the tool list again.
    "header_mismatch": attrs.evolve(
        _failure(Why.PROTOCOL, NO), status=400, posts=(1, 2)
    ),
}


def own(era: str) -> dict[str, Expected]:
    """Return the table of a connection this package opened."""
    return OWN | _MODERN if era == "modern" else OWN
