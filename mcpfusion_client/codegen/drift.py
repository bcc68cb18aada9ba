"""Hear of it when the server has moved on from the router in use."""

import logging
from collections.abc import Callable
from typing import Final, TypeAlias

from mcpfusion_client.codegen import checked
from mcpfusion_client.codegen.diff import Change, Grade, at_least, diff
from mcpfusion_client.model import ToolInfo
from mcpfusion_client.model.text import one_line
from mcpfusion_client.observers import Observer
from mcpfusion_client.router import AsyncRouter, SyncRouter

_log = logging.getLogger("mcpfusion_client.drift")
_LEVELS: Final = {
    Grade.BREAKING: logging.ERROR,
    Grade.RISKY: logging.WARNING,
    Grade.SAFE: logging.INFO,
}

Report: TypeAlias = Callable[[tuple[Change, ...]], object]
"""Takes what changed, the worst first; empty when nothing does any more."""


class RouterDrift(Observer):
    """Compares every tool list a client fetches with the router in use.

    ```python
    client = MCPFusionClient(url, observers=[RouterDrift(AppRouter)])
    ```

    What differs is told once, and again only when it becomes something else.
    """

    def __init__(
        self,
        router: type[AsyncRouter[SyncRouter]] | type[SyncRouter],
        *,
        least: Grade = Grade.RISKY,
        report: Report | None = None,
    ) -> None:
        """Watch *router*.

        Args:
            router: The generated class.
            least: Leave out what is less than this.
            report: Called with the changes; by default each is logged by
                ``mcpfusion_client.drift``, BREAKING as an error.
        """
        self._contract = router.__contract__()
        self._least = least
        self._report = report or _log_changes
        self._told: dict[str, tuple[Change, ...]] = {}

    def on_tools(self, server: str, tools: tuple[ToolInfo, ...]) -> None:
        """Compare *tools* with the router."""
        listed, _ = checked(tools)
        changes = tuple(
            change
            for change in diff(self._contract, listed)
            if at_least(change.grade, self._least)
        )
        if changes != self._told.get(server, ()):
            self._told[server] = changes
            self._report(changes)


def _log_changes(changes: tuple[Change, ...]) -> None:
    for change in changes:
        _log.log(
            _LEVELS[change.grade],
            "%s: %s %s",
            change.grade.value,
            one_line(f"{change.action}: {change.place}", 200),
            one_line(change.change, 200),
        )
