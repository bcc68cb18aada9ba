"""Options of a client that are nothing it can use: refused before any call."""

import re
from typing import Any

import pytest

from mcpfusion_client import Effects, MCPFusionClient, ToolCall, tool_error
from mcpfusion_client.testing import ScriptedSession, VirtualClock


async def _middleware(call: Any, call_next: Any) -> Any:
    return await call_next(call)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("budget", 50),
        ("budget", "shared"),
        ("gate", True),
        ("gate", "shared"),
        ("decoder", "json"),
        ("effects", ["billing.*"]),
        ("effects", {"billing.*": {"read_only": True}}),
        ("middleware", _middleware),
        ("observers", 3),
        ("clock", 3),
        ("random", 42),
        ("trust_annotations", "no"),
        ("detect_disguised", "no"),
        ("raise_on_error", 0),
        ("rules", 3),
    ],
)
def test_an_option_of_the_wrong_kind_is_refused_by_name(
    option: str, value: object
) -> None:
    """Found out later, a budget of 50 would fail a call that has been carried out."""
    options: Any = {option: value}

    with pytest.raises(TypeError, match=f"^{re.escape(option)}.* must be "):
        MCPFusionClient(ScriptedSession([]), **options)


def test_a_callback_for_a_session_somebody_else_opened_is_refused() -> None:
    """It would never be called, and a server's question never be answered."""
    with pytest.raises(TypeError, match=r"elicitation_callback="):
        MCPFusionClient(ScriptedSession([]), elicitation_callback=_middleware)

    MCPFusionClient(ScriptedSession([]), elicitation_callback=None)


def test_what_is_right_is_taken() -> None:
    """None lifts the gate and the budget; effects are looked up by pattern."""
    MCPFusionClient(
        ScriptedSession([]),
        gate=None,
        budget=None,
        effects={"billing.*": Effects(read_only=True)},
        middleware=iter([_middleware]),
    )


class _Scribbler:
    """A server in this process that writes into what it is given."""

    def __init__(self) -> None:
        self.seen: list[tuple[object, object]] = []

    async def call_tool(
        self, name: str, arguments: dict[str, Any], meta: dict[str, Any]
    ) -> object:
        self.seen.append((list(arguments["ids"]), dict(meta["trace"])))
        arguments["ids"].append(name)
        meta["trace"]["seen"] = name
        failed = len(self.seen) < 3
        text = tool_error("SERVER_BUSY", "full") if failed else "done"
        return {"content": [{"type": "text", "text": text}], "isError": failed}


async def test_what_a_server_does_to_its_copy_reaches_neither_caller_nor_repeat() -> (
    None
):
    """Every attempt sends the same, however deep a server in this process writes."""
    server = _Scribbler()
    arguments, meta = {"ids": [1]}, {"trace": {"id": "t1"}}

    client = MCPFusionClient(server, clock=VirtualClock())
    await client.call_tool("read", arguments, meta=meta)

    assert server.seen == [([1], {"id": "t1"})] * 3
    assert (arguments, meta) == ({"ids": [1]}, {"trace": {"id": "t1"}})


class _Reporting:
    """A server in this process that tells of progress."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], progress_callback: Any
    ) -> object:
        await progress_callback(1, 2, name)
        return {"content": []}


async def test_a_progress_callback_that_raises_fails_no_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The tool is at work: to call it failed would invite a second call."""

    async def broken(*_: object) -> None:
        raise LookupError

    client = MCPFusionClient(_Reporting())
    result = await client.call_tool("read", progress=broken)

    assert not result.is_error
    assert "progress callback" in caplog.text


class _Meddler:
    """An observer that writes into what it is told."""

    def on_start(self, call: ToolCall, _peer: object) -> None:
        arguments: Any = call.arguments
        arguments["ids"].append("another")


async def test_what_an_observer_does_to_a_call_is_not_sent() -> None:
    """It hears of every step and can change none."""
    session = ScriptedSession(["done"])
    client = MCPFusionClient(session, observers=[_Meddler()], clock=VirtualClock())

    await client.call_tool("t", {"ids": ["one"]})

    assert session.calls[0].arguments == {"ids": ["one"]}
