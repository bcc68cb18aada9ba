"""Print the tables of expected outcomes as the page ``docs/reference/faults.md``.

What is expected comes from the tests, the seconds from a run that found nothing else.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import attrs

from tests.faults import expectations, expectations_wrapped, test_sse, test_stdio
from tests.faults.expectations import ANY, EITHER, STATUSES, Expected
from tests.faults.words import SSE as OVER_SSE
from tests.faults.words import STDIO, WIRE

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "faults.md"
SECONDS = PAGE.with_suffix(".json")

Stacks: TypeAlias = dict[str, dict[str, float]]
"""Seconds until the answer, by stack and fault."""

_WAYS = {
    "1": "mcp 1.x",
    "2": "mcp 2.x",
    "1 legacy": "mcp 1.x",
    "2 legacy": "mcp 2.x with a server of the handshake era",
    "2 modern": "mcp 2.x with one of 2026-07-28",
}


@attrs.define
class Measured:
    """What a run has measured.

    Attributes:
        versions: What it was measured with, by the SDK's major version.
        seconds: Seconds until the answer, by table, stack and fault.
    """

    versions: dict[str, str]
    seconds: dict[str, Stacks]


_INTRO = """\
# Faults

What a call comes to when the network or the server misbehaves. Every row is a
test in `tests/faults/`: a real server on a loopback port does this to one
`tools/call` while a second call is in flight on the same client. The expected
values are written in `expectations.py`; `python bench/fault_table.py --measure --write`
prints this page from them and from a run.

`category`
: `ErrorInfo.category`; "a result" when the call succeeds. "or" where the evidence
  allows both.

`ran?`
: `ErrorInfo.execution`: `no` is `NOT_EXECUTED`, `maybe` is `UNKNOWN`, `yes` is
  `EXECUTED`.

`answered`
: at once, or at the attempt timeout, which is 0.6 s here; "by timeout" is one or the
  other. No default leaves a caller waiting.

`seconds`
: how long it took, the median of three runs on a busy machine with two cores, asyncio.
  Several numbers are for several SDKs, in the order that is named above the table.

`POSTs`
: how often the server sees the call when nothing is to be repeated
  (`retry=RetryPolicy.off()`).

`next`, `sibling`
: does the next call over the same client get its result, and what becomes of the
  call in flight. A dash means that the contract leaves it open.

`exit`
: is leaving clean: in bounded time, raising nothing, no task, socket or process left
  over. A client around a session that its owner opened leaves the session to its owner.

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
    "| answered | seconds | POSTs | next | sibling | exit |"
)
_HANDSHAKE, _NEWEST = "(handshake era)", "(2026-07-28)"
_ERAS = {
    "1": "",
    "2": "",
    "1 legacy": _HANDSHAKE,
    "2 legacy": _HANDSHAKE,
    "2 modern": _NEWEST,
}
_RAN = {"not_executed": "no", "unknown": "maybe", "executed": "yes"}


def read_seconds() -> Measured:
    """Return what was measured last."""
    return Measured(**json.loads(SECONDS.read_text()))


def write_seconds(measured: Measured) -> None:
    """Keep what was measured, for the next time the page is printed."""
    text = json.dumps(attrs.asdict(measured), indent=1, sort_keys=True)
    SECONDS.write_text(f"{text}\n")


def render(measured: Measured) -> str:
    """Return the whole page.

    Args:
        measured: The seconds to print.
    """
    seconds = measured.seconds
    second = {way: seconds["wrapped"][way] for way in ("2 legacy", "2 modern")}
    first = {way: seconds["wrapped"][way] for way in ("1 legacy",)}
    parts = [
        _INTRO,
        "Measured with:",
        "\n".join(f"* {each}" for _, each in sorted(measured.versions.items())),
        _OWN,
        _table(_merged(), WIRE, seconds["own"]),
        _STATUS,
        "\n".join(_statuses()),
        _REACHING + "\n".join(f"| {what} | {cells} |" for what, cells in _REACHED),
        _SECOND,
        _table(expectations_wrapped.SECOND_GENERATION, WIRE, second),
        _FIRST,
        _table(expectations_wrapped.FIRST_GENERATION, WIRE, first),
        _OVER_STDIO,
        _table(test_stdio.ROWS, STDIO, seconds["stdio"]),
        _OLD_SSE,
        _table(test_sse.ROWS, OVER_SSE, seconds["sse"]),
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
            rows[f"{name} {_HANDSHAKE}"] = row
            rows[f"{name} {_NEWEST}"] = modern[name]
    return rows


def _table(
    rows: Mapping[str, Expected], words: Mapping[str, str], seconds: Stacks
) -> str:
    order = sorted(seconds)
    ways = f"Seconds: {', '.join(_WAYS[stack] for stack in order)}."
    lines = [ways, "", _HEAD, "|" + "---|" * (_HEAD.count("|") - 1)]
    for name, row in rows.items():
        fault, _, era = name.partition(" ")
        label = f"`{fault}` {era}".strip()
        took = [
            seconds[stack].get(fault, math.nan)
            for stack in order
            if era in {"", _ERAS[stack]}
        ]
        cells = [label, words[fault], *_cells(row, took)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cells(row: Expected, took: Iterable[float]) -> Iterator[str]:
    yield " or ".join(why.value for why in row.categories) or "a result"
    yield " or ".join(_RAN[ran.value] for ran in row.executions) or "yes"
    yield _cell(row.code if row.categories else None)
    yield _cell(row.status if row.categories else None)
    yield _cell(row.retry_after)
    yield row.answered
    yield " / ".join(f"{each:.2f}" for each in took)
    yield " or ".join(map(str, row.posts))
    yield "works" if row.next_works else "typed error"
    yield "–" if row.sibling == EITHER else row.sibling
    yield row.leaving


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
