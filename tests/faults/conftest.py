"""Fixtures of the fault tests: which event loops, which SDK, what may be left over."""

import sys
from pathlib import Path

import pytest

# The helpers beside the tests are imported as tests.faults.*; the checkout goes
# last, so that an installed wheel is what gets tested when there is one.
_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)

from tests.faults.sdk import HTTP_BACKENDS  # noqa: E402 - needs the line above


@pytest.fixture(params=HTTP_BACKENDS)
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every event loop the installed SDK supports over Streamable HTTP."""
    backend: str = request.param
    return backend
