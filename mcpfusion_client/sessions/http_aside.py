"""What the SDK sends beside its requests: notifications, answers, listening, the end.

None of it may hold up a request or take the session down, so a notification is
posted in the background and a farewell gets little time.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

import anyio

from mcpfusion_client.model import JsonObject
from mcpfusion_client.sessions.http_client import Facade, RealClient, passed_back
from mcpfusion_client.sessions.openers import Ties
from mcpfusion_client.sessions.options import SessionEventKind

_SUCCESS = range(200, 300)
_ACCEPTED = 202
_NOTIFY_SECONDS = 5.0
_DELETE_SECONDS = 2.0


class Aside:
    """Passes on what carries no request.

    Args:
        facade: Makes the responses.
        real: The client that sends.
        ties: What ties the session to its supervisor.

    Attributes:
        listening: The stream for the server's own messages is open.
    """

    def __init__(self, facade: Facade, real: RealClient, ties: Ties) -> None:
        self._facade = facade
        self._real = real
        self._ties = ties
        self.listening: bool = False

    async def notification(
        self, message: JsonObject, headers: Mapping[str, str], body: bytes
    ) -> Any:
        """Post what needs no answer, without holding up what comes after it."""
        done = anyio.Event()
        self._ties.wire.in_background(self._post_quietly, message, headers, body, done)
        if message.get("method") == "notifications/initialized":
            # What follows must not reach the server before this.
            with anyio.move_on_after(_NOTIFY_SECONDS):
                await done.wait()
        return self._facade.answer(_ACCEPTED, [], b"")

    async def _post_quietly(
        self,
        message: JsonObject,
        headers: Mapping[str, str],
        body: bytes,
        done: anyio.Event,
    ) -> None:
        trouble: str | None = f"not accepted within {_NOTIFY_SECONDS:g} s"
        try:
            with anyio.move_on_after(_NOTIFY_SECONDS):
                response = await self._real.send("POST", headers, body, _untraced)
                await response.aclose()
                failed = response.status_code not in _SUCCESS
                trouble = f"HTTP {response.status_code}" if failed else None
        except Exception as exc:  # noqa: BLE001 - whatever the client raises
            trouble = type(exc).__name__
        finally:
            done.set()
        if trouble is not None:
            what = message.get("method", "an answer")
            self._ties.tell(SessionEventKind.NOTIFICATION_LOST, f"{what}: {trouble}")

    async def pass_on(self, method: str, headers: Mapping[str, str]) -> Any:
        """Pass on what carries no request: listening, and ending the session."""
        limit = _DELETE_SECONDS if method == "DELETE" else float("inf")
        with anyio.move_on_after(limit):
            response = await self._real.send(method, headers, b"", _untraced)
            if method == "DELETE":
                await response.aclose()
                return self._facade.answer(response.status_code, [], b"")
            self.listening = response.status_code in _SUCCESS
            return self._facade.answer(
                response.status_code,
                passed_back(response),
                self._heard(response),
                response.aclose,
            )
        return self._facade.answer(_ACCEPTED, [], b"")

    async def _heard(self, response: Any) -> AsyncGenerator[bytes, None]:
        chunks = response.aiter_bytes()
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            self.listening = False
            await chunks.aclose()


async def _untraced(_: str, __: Mapping[str, Any]) -> None:
    pass
