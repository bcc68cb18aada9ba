"""Fixtures of the fault tests: which event loops, which SDK, what may be left over."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.faults.sdk import ERAS, HTTP_BACKENDS


@pytest.fixture(params=HTTP_BACKENDS)
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every event loop the installed SDK supports over Streamable HTTP."""
    backend: str = request.param
    return backend


@pytest.fixture(scope="session", autouse=True)
def _few_authorities(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One certificate authority instead of all: loading those is half of a test."""
    bundle = tmp_path_factory.mktemp("authorities") / "one.pem"
    bundle.write_bytes(trustme.CA().cert_pem.bytes())
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SSL_CERT_FILE", str(bundle))
        yield


@pytest.fixture(scope="session", autouse=True)
def _loaded() -> None:
    """Load the SDK before the first test: its guard is not there for imports."""
    for name in ("mcp", "mcp.client.streamable_http", "mcp.client.sse"):
        importlib.import_module(name)


MATRIX = frozenset(
    {
        "test_a_fault_comes_to_what_the_table_says",
        "test_a_fault_under_a_wrapped_client_is_a_typed_error",
        "test_a_fault_of_the_process_comes_to_what_the_table_says",
        "test_a_fault_over_sse_comes_to_what_the_table_says",
    }
)
"""The tests of the tables."""

CHAOS = "test_no_call_is_lost_in_chaos"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what waits for faults, so that it can be left out, and the matrix."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and isinstance(item, pytest.Function):
            item.add_marker("faults")
            if item.originalname in MATRIX or _is_one_chaos(item):
                item.add_marker("matrix")


def _is_one_chaos(item: pytest.Function) -> bool:
    """Is it the chaos of the newest era, on asyncio?"""
    if item.originalname != CHAOS:
        return False
    on = item.callspec.params
    return (on["anyio_backend"], on["era"]) == ("asyncio", ERAS[-1])
