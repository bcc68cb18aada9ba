"""Fixtures for pytest: ``pytest_plugins = ["mcpfusion_client.testing.fixtures"]``.

The line goes into the ``conftest.py`` at the root of your tests. Nothing is
registered by installing this package: a plugin that loads by itself would import it
in every pytest run, before coverage is measured.
"""

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from mcpfusion_client.clock import Clock
from mcpfusion_client.testing import (
    CallRecorder,
    ScriptedOutcome,
    ScriptedServer,
    VirtualClock,
    load_script,
    no_waiting,
)


class ServerFactory(Protocol):
    """Builds servers that play scripts."""

    def __call__(
        self,
        script: str | Path | Sequence[ScriptedOutcome],
        *,
        clock: Clock | None = None,
        all_played: bool = True,
    ) -> ScriptedServer:
        """Return a server.

        Args:
            script: A file for `load_script`, relative to the test's own folder, or
                a list of outcomes.
            clock: What delays wait on; a virtual one has to be the client's.
            all_played: Fail the test when a step was not asked for.
        """
        ...


@pytest.fixture
def mcpfusion_clock() -> VirtualClock:
    """A clock on which hours pass in no time, for ``MCPFusionClient(clock=...)``."""
    return VirtualClock()


@pytest.fixture
def mcpfusion_no_waiting() -> Generator[None]:
    """Clients without a clock of their own skip their waits during the test."""
    with no_waiting():
        yield


@pytest.fixture
def mcpfusion_recorder() -> CallRecorder:
    """An observer that keeps every call, for ``MCPFusionClient(observers=[...])``."""
    return CallRecorder()


@pytest.fixture
def mcpfusion_server(request: pytest.FixtureRequest) -> Iterator[ServerFactory]:
    """Build real MCP servers that play scripts; see `ServerFactory`.

    When the test has ended it fails if a server got a request that its script has
    nothing for.
    """
    made: list[tuple[ScriptedServer, bool]] = []

    def serve(
        script: str | Path | Sequence[ScriptedOutcome],
        *,
        clock: Clock | None = None,
        all_played: bool = True,
    ) -> ScriptedServer:
        if isinstance(script, str | Path):
            path = request.path.parent / script
            server = ScriptedServer.of(load_script(path), name=path.stem, clock=clock)
        elif isinstance(script, list | tuple):
            server = ScriptedServer(script, clock=clock)
        else:
            msg = (
                "mcpfusion_server takes the name of a script file or a list of "
                f"outcomes, not {type(script).__name__}"
            )
            raise TypeError(msg)
        made.append((server, all_played))
        return server

    yield serve
    for server, all_played in made:
        if all_played:
            server.assert_played()
        else:
            server.assert_expected()
