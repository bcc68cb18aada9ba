"""The same faults on a session the caller opened, a ``fastmcp.Client``."""

import pytest

from tests.faults.expectations_wrapped import (
    FIRST_GENERATION,
    SECOND_GENERATION,
)
from tests.faults.harness import differences, observe_sent, wrapped
from tests.faults.sdk import ERAS, HAS_FASTMCP, SDK
from tests.faults.server import FaultServer

TABLE = SECOND_GENERATION if SDK >= 2 else FIRST_GENERATION

pytestmark = pytest.mark.skipif(not HAS_FASTMCP, reason="fastmcp is not installed")


@pytest.fixture
def anyio_backend() -> str:
    """A ``fastmcp.Client`` needs asyncio."""
    return "asyncio"


@pytest.mark.parametrize("fault", TABLE)
@pytest.mark.parametrize("era", ERAS)
async def test_a_fault_under_a_wrapped_client_is_a_typed_error(
    era: str, fault: str
) -> None:
    """What the SDK lost cannot be invented; what is left is typed and truthful."""
    row = TABLE[fault]
    with FaultServer(era) as server:
        seen = await observe_sent(wrapped, server, fault, row)

        assert differences(row, seen) == []
