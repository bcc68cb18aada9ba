"""How long the answer to every fault takes: a real run, for the page.

Only the seconds come from the run. What each fault must come to is written in the
tests, and a run that finds anything else measures nothing.
"""

import platform
import statistics
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import anyio
import attrs

from tests.faults import expectations, test_sse, test_stdio
from tests.faults.expectations import Expected
from tests.faults.harness import Observed, Opener, differences, observe, own, wrapped
from tests.faults.sdk import ERAS, HAS_FASTMCP, SDK
from tests.faults.server import FaultServer
from tests.faults.sse_server import SseServer
from tests.faults.test_matrix_wrapped import TABLE

Seconds: TypeAlias = dict[str, float]
"""Seconds until the answer, by fault."""

_RUNS = 3
_PACKAGES = ("mcp", "fastmcp", "anyio", "httpx", "httpx2")


class UnexpectedOutcomeError(Exception):
    """A fault came to something else than the tables say."""


@attrs.frozen
class Way:
    """One way to reach a server, and what is expected on it.

    Attributes:
        table: The table of the page it belongs to.
        stack: The SDK's major version, and the era where there are two.
        rows: What is expected.
        observe: Makes one fault happen.
    """

    table: str
    stack: str
    rows: Mapping[str, Expected]
    observe: Callable[[str, Expected], Awaitable[Observed]]


def ways() -> Iterator[Way]:
    """Return every way of the installed SDK."""
    for era in ERAS:
        stack = f"{SDK} {era}"
        yield Way("own", stack, expectations.own(era), partial(_over_http, own, era))
        if HAS_FASTMCP:
            yield Way("wrapped", stack, TABLE, partial(_over_http, wrapped, era))
    yield Way("stdio", str(SDK), test_stdio.ROWS, _over_stdio)
    yield Way("sse", str(SDK), test_sse.ROWS, _over_sse)


async def _over_http(opener: Opener, era: str, fault: str, row: Expected) -> Observed:
    with FaultServer(era) as server:
        return await observe(opener, server, fault, row)


async def _over_stdio(fault: str, row: Expected) -> Observed:
    with TemporaryDirectory() as folder:
        process = test_stdio.Process(Path(folder, "ledger"))
        return await test_stdio.observe(process, fault, row)


async def _over_sse(fault: str, row: Expected) -> Observed:
    with SseServer() as server:
        return await test_sse.observe(server, fault, row)


def measured(way: Way) -> Seconds:
    """Run every fault on asyncio; the seconds are the median of three runs.

    Raises:
        UnexpectedOutcomeError: One of them came to something else.
    """
    return {
        fault: statistics.median(_seconds(way, fault, row) for _ in range(_RUNS))
        for fault, row in way.rows.items()
    }


def _seconds(way: Way, fault: str, row: Expected) -> float:
    seen = anyio.run(way.observe, fault, row)
    found = differences(row, seen)
    if found:
        msg = f"{way.table} {way.stack} {fault}: {found}"
        raise UnexpectedOutcomeError(msg)
    return round(seen.seconds, 3)


def installed() -> str:
    """Say what it was measured with."""
    named = [f"Python {platform.python_version()}"]
    for package in _PACKAGES:
        try:
            named.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(named)
