"""Fixtures for every test: real waiting is off limits, both event loops run."""

import pytest


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every async test runs on asyncio and on trio."""
    backend: str = request.param
    return backend
