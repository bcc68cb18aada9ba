"""An answer that comes just as its caller gives up is nobody else's trouble."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import attrs
import pytest

from mcpfusion_client import MCPFusionClient, RetryPolicy
from mcpfusion_client.model import JsonObject
from mcpfusion_client.sessions.compat import Streams, sdk

_SERVER: JsonObject = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "late", "version": "1"},
}
_LISTED: JsonObject = {"tools": [{"name": "hold", "inputSchema": {"type": "object"}}]}


def _result(tag: str) -> JsonObject:
    return {"content": [{"type": "text", "text": tag}], "isError": False}


@attrs.define
class _Peer:
    """A server in this task's hands: it answers a call when it is told to."""

    ids: dict[str, Any] = attrs.field(factory=dict[str, Any])
    _to_client: Any = None

    def answer(self, tag: str) -> None:
        self._say(self.ids[tag], result=_result(tag))

    async def until_held(self, *tags: str) -> None:
        while not set(tags) <= set(self.ids):
            await anyio.lowlevel.checkpoint()

    def _say(self, id_: Any, **answer: object) -> None:
        wire = {"jsonrpc": "2.0", "id": id_, **answer}
        self._to_client.send_nowait(sdk().message(wire))

    async def _serve(self, from_client: Any) -> None:
        async for item in from_client:
            message = getattr(item.message, "root", item.message)
            match getattr(message, "id", None), message.method:
                case None, _:
                    pass
                case id_, "initialize":
                    self._say(id_, result=_SERVER)
                case id_, "tools/list":
                    self._say(id_, result=_LISTED)
                case id_, "tools/call":
                    self.ids[message.params["arguments"]["tag"]] = id_
                case id_, _:
                    self._say(id_, error={"code": -32601, "message": "no such method"})

    @asynccontextmanager
    async def transport(self) -> AsyncGenerator[Streams]:
        self._to_client, read = anyio.create_memory_object_stream[Any](100)
        write, from_client = anyio.create_memory_object_stream[Any](100)
        async with anyio.create_task_group() as group:
            with from_client, write, read, self._to_client:
                group.start_soon(self._serve, from_client)
                yield read, write
                group.cancel_scope.cancel()


@pytest.mark.parametrize("turns", range(8))
async def test_an_answer_to_a_caller_who_gives_up_now_ends_no_other_call(
    turns: int,
) -> None:
    """The SDK is somewhere between taking the answer and handing it over."""
    peer, texts = _Peer(), list[str]()

    async def call(tag: str) -> None:
        result = await client.call_tool("hold", {"tag": tag})
        texts.append(result.text)

    async def given_up(scope: anyio.CancelScope) -> None:
        with scope:
            await client.call_tool("hold", {"tag": "given up"})

    with anyio.fail_after(30):
        async with (
            MCPFusionClient(peer.transport(), retry=RetryPolicy.off()) as client,
            anyio.create_task_group() as group,
        ):
            scope = anyio.CancelScope()
            group.start_soon(given_up, scope)
            group.start_soon(call, "sibling")
            await peer.until_held("given up", "sibling")
            peer.answer("given up")
            for _ in range(turns):
                await anyio.lowlevel.checkpoint()
            scope.cancel()
            await anyio.wait_all_tasks_blocked()
            peer.answer("sibling")

    assert texts == ["sibling"]
