"""Every fault, on every protocol era, comes to what the tables say."""

import logging

import pytest

from tests.faults.expectations import SWEPT, own
from tests.faults.harness import differences, observe_sent
from tests.faults.harness import own as open_own
from tests.faults.scripts import SCRIPTS
from tests.faults.sdk import ERAS, HTTP_BACKENDS
from tests.faults.server import FaultServer

# Every era on asyncio; on trio the newest one, which shares the rest of the code.
RUNS = [
    *(("asyncio", era) for era in ERAS),
    *((loop, ERAS[-1]) for loop in HTTP_BACKENDS if loop != "asyncio"),
]
CASES = [(loop, era, fault) for loop, era in RUNS for fault in own(era)]


def test_every_script_has_an_expected_row() -> None:
    """A fault nobody wrote an expectation for is not tested."""
    rows = {*own("legacy"), *(f"status_{status}" for status in SWEPT)}

    assert set(SCRIPTS) == rows


@pytest.mark.parametrize(("anyio_backend", "era", "fault"), CASES)
async def test_a_fault_comes_to_what_the_table_says(
    era: str, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """One typed error with the evidence; nothing else is harmed, nothing logged."""
    row = own(era)[fault]
    with FaultServer(era) as server:
        seen = await observe_sent(open_own, server, fault, row)

    assert differences(row, seen) == []
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []
