"""Fixtures for every test: both event loops run, and property tests take their time."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from mcpfusion_client.testing import VirtualClock

# What a shell runs in the background ignores Ctrl-C, and hands that on to every
# program it starts; tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no failure, and CI must not depend on luck.
settings.register_profile(
    "steady",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
# For a run that repeats another one on a different Python or SDK.
settings.register_profile("brief", settings.get_profile("steady"), max_examples=10)
settings.load_profile("steady")


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every async test runs on asyncio and on trio."""
    backend: str = request.param
    return backend


@pytest.fixture
def clock() -> VirtualClock:
    """Time that passes only when everybody waits."""
    return VirtualClock()
