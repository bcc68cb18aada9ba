"""The tools of a server, listed once and kept for as long as they are known to hold."""

import logging
import math
from collections.abc import Callable, Mapping

import anyio

from mcpfusion_client.clock import Clock
from mcpfusion_client.errors import MCPFusionClientError
from mcpfusion_client.model import ToolInfo
from mcpfusion_client.sessions.base import Connection

_log = logging.getLogger("mcpfusion_client")

MAX_AGE = 300.0
"""Seconds a list is kept whose changes the server does not announce."""

PATIENCE = 30.0
"""Seconds until a list that did not help is asked for again."""


class Catalogue:
    """The tool list of one connection.

    Attributes:
        tools: What is known of the tools, by wire name; empty when nothing is.
        version: Grows whenever `tools` may have changed.
    """

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        listener: Callable[[tuple[ToolInfo, ...]], None] | None = None,
    ) -> None:
        self.tools: Mapping[str, ToolInfo] = {}
        self.version: int = 0
        self._connection = connection
        self._clock = clock
        self._listener = listener
        self._listing = anyio.Lock()
        self._epoch: int | None = None
        self._until = -math.inf

    def fresh(self, now: float) -> bool:
        """Is it known that `tools` still holds, or that asking is no use *now*?"""
        return now < self._until and self._epoch == self._connection.epoch

    async def ensure(self, patience: float) -> None:
        """Fetch the list unless it is fresh; a failure leaves every tool unlisted.

        Args:
            patience: Seconds to wait for it at most.
        """
        with self._clock.timeout(patience):
            async with self._listing:
                if not self.fresh(self._clock.monotonic()):
                    await self._try()

    async def refresh(self, patience: float) -> None:
        """Fetch the list once more, because a tool was not on it.

        Args:
            patience: Seconds to wait for it at most.
        """
        seen = self.version
        with self._clock.timeout(patience):
            async with self._listing:
                # Whoever waited for the lock has got the new list already.
                if self.version == seen:
                    await self._try()

    async def fetch(self) -> tuple[ToolInfo, ...]:
        """Return the list.

        Raises:
            MCPFusionClientError: It could not be fetched.
        """
        async with self._listing:
            if not self.tools or not self.fresh(self._clock.monotonic()):
                await self._list()
        return tuple(self.tools.values())

    async def _try(self) -> None:
        try:
            await self._list()
        except MCPFusionClientError as error:
            _log.info("the tools cannot be listed, all count as unannotated: %s", error)
            self._keep({}, self._connection.epoch, PATIENCE)

    async def _list(self) -> None:
        # What changes while the list is on its way makes it old at once.
        epoch = self._connection.epoch
        listed = await self._connection.list_tools()
        announced = self._connection.announces_changes
        self._keep(
            {tool.name: tool for tool in listed},
            epoch,
            math.inf if announced else MAX_AGE,
        )
        if self._listener is not None:
            self._listener(listed)

    def _keep(self, tools: Mapping[str, ToolInfo], epoch: int, seconds: float) -> None:
        self.tools = tools
        self.version += 1
        self._epoch = epoch
        self._until = self._clock.monotonic() + seconds
