"""Fixtures of the fault tests: which event loops, which SDK, what may be left over."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.faults.sdk import HTTP_BACKENDS


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what waits for faults, so that it can be left out."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("faults")
