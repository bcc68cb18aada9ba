"""Print the tables of expected outcomes as the page ``docs/reference/faults.md``."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from tests.faults import expectations, expectations_wrapped, test_sse, test_stdio
from tests.faults.expectations import ANY, STATUSES, Expected
from tests.faults.words import SSE as OVER_SSE
from tests.faults.words import STDIO, WIRE

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "faults.md"

_INTRO = """\
# Faults

What a call comes to when the network or the server misbehaves. Every row is a
test in `tests/faults/`: a real server on a loopback port does this to one
`tools/call` while a second call is in flight on the same client. The expected
values are written in `expectations.py`, and this page is printed from them by
`bench/fault_table.py`.

`category`
: `ErrorInfo.category`; "a result" when the call succeeds. "or" where the evidence
  allows both.

`ran?`
: `ErrorInfo.execution`: `no` is `NOT_EXECUTED`, `maybe` is `UNKNOWN`, `yes` is
  `EXECUTED`.

`answered`
: at once, or at the attempt timeout; "by timeout" is one or the other. No default
  leaves a caller waiting.

`POSTs`
: how often the server sees the call when nothing is to be repeated
  (`retry=RetryPolicy.off()`).

`next`, `sibling`
: does the next call over the same client get its result, and what becomes of the
  call in flight. A dash means that the contract leaves it open.

In every row leaving the client takes bounded time, raises nothing and leaves no
task, socket or process behind. A client around a session that its owner opened
leaves the session as it is.
"""

_OWN = """\
## A connection this package opens

mcp 1.x, and both protocol eras of mcp 2.x; asyncio, and trio on mcp 2.x.
"""

_STATUS = """\
### HTTP statuses

With an empty JSON object as the body and without a hint. Answered at once, one
POST, the next call works, the sibling survives. A 503 with a hint did not run; a 404 under a session
id means that the server has forgotten the session, which is `transient`, did not
run, and is opened again by the next call.
"""

_REACHING = """\
### Reaching the server

| what happens | category | ran? | code | POSTs | next |
|---|---|---|---|---|---|
"""

_REACHED = (
    (
        "the connection is refused in the middle of a session",
        "transient | no | `CONNECT_FAILED` | 0 | works once the server listens",
    ),
    (
        "the name no longer resolves in the middle of a session",
        "transient | no | `CONNECT_FAILED` | 0 | works once it does",
    ),
    (
        "the client cannot be opened: no such name, refused, silent, no answer",
        "transient, or what the answer says | no | – | 0 | –",
    ),
    (
        "the server is restarted between two calls (a new session, opened once)",
        "a result | yes | – | 1 | works",
    ),
    (
        "the server is restarted under a call in flight",
        "transient | maybe | `CONNECTION_LOST` | 1 | works",
    ),
    (
        "signing in fails in the middle of a session",
        "authentication | no | – | 0 | works once it succeeds",
    ),
    (
        "a redirect within the origin that keeps the method (307, 308)",
        "a result | yes | – | 1 | works",
    ),
)

_SECOND = """\
## A `fastmcp.Client` the caller opened, on mcp 2.x

The SDK drops status, headers and hints of an HTTP error, and its session dies with
a lost connection. Hand over the URL instead of the client to get the table above.
"""

_FIRST = """\
## A `fastmcp.Client` the caller opened, on mcp 1.x

An HTTP error is the end of the SDK's session, and of every call in flight on it;
a reply the SDK cannot read is never answered. Hand over the URL instead of the
client to get the first table.
"""

_OVER_STDIO = """\
## A command on standard input and output

The next call starts a new process when the old one is gone.
"""

_OLD_SSE = """\
## The older HTTP+SSE transport

`MCPFusionClient(sse_client(url))`: the transport is the SDK's, so an HTTP status is
not seen. A stream that has ended is opened again by the next call.
"""

_HEAD = (
    "| fault | what happens | category | ran? | code | HTTP | retry_after "
    "| answered | POSTs | next | sibling |"
)
_RAN = {"not_executed": "no", "unknown": "maybe", "executed": "yes"}


def render() -> str:
    """Return the whole page."""
    parts = [
        _INTRO,
        _OWN,
        _table(_merged(), WIRE),
        _STATUS,
        "\n".join(_statuses()),
        _REACHING + "\n".join(f"| {what} | {cells} |" for what, cells in _REACHED),
        _SECOND,
        _table(expectations_wrapped.SECOND_GENERATION, WIRE),
        _FIRST,
        _table(expectations_wrapped.FIRST_GENERATION, WIRE),
        _OVER_STDIO,
        _table(test_stdio.ROWS, STDIO),
        _OLD_SSE,
        _table(test_sse.ROWS, OVER_SSE),
    ]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _merged() -> dict[str, Expected]:
    """Both eras in one table; a row of its own where they differ."""
    modern = expectations.own("modern")
    rows: dict[str, Expected] = {}
    for name, row in expectations.own("legacy").items():
        if modern[name] == row:
            rows[name] = row
        else:
            rows[f"{name} (handshake era)"] = row
            rows[f"{name} (2026-07-28)"] = modern[name]
    return rows


def _table(rows: Mapping[str, Expected], words: Mapping[str, str]) -> str:
    lines = [_HEAD, "|" + "---|" * (_HEAD.count("|") - 1)]
    for name, row in rows.items():
        what = words[name.partition(" ")[0]]
        cells = [f"`{name.partition(' ')[0]}`{name.partition('`')[2]}", what]
        if " (" in name:
            cells[0] += " " + name[name.index("(") :]
        lines.append("| " + " | ".join([*cells, *_cells(row)]) + " |")
    return "\n".join(lines)


def _cells(row: Expected) -> Iterator[str]:
    yield " or ".join(why.value for why in row.categories) or "a result"
    yield " or ".join(_RAN[ran.value] for ran in row.executions) or "yes"
    yield _cell(row.code if row.categories else None)
    yield _cell(row.status if row.categories else None)
    yield _cell(row.retry_after)
    yield row.answered
    yield " or ".join(map(str, row.posts))
    yield "works" if row.next_works else "typed error"
    yield "–" if row.sibling == "either" else row.sibling


def _cell(value: object) -> str:
    if value is None or value == ANY:
        return "–"
    return f"`{value}`" if isinstance(value, str) else f"{value:g}"


def _statuses() -> Iterable[str]:
    yield "| HTTP | category | ran? |"
    yield "|---|---|---|"
    order = sorted(STATUSES, key=lambda status: (str(STATUSES[status]), status))
    for (why, ran), group in groupby(order, key=STATUSES.__getitem__):
        statuses = ", ".join(map(str, group))
        yield f"| {statuses} | {why.value} | {_RAN[ran.value]} |"
    yield "| any other | unknown | maybe |"
