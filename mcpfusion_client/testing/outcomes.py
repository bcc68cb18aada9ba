"""What a scripted call can end with, and playing it."""

import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeAlias

import attrs

from mcpfusion_client.clock import Clock
from mcpfusion_client.decode import read
from mcpfusion_client.encode import envelope
from mcpfusion_client.model import ErrorInfo, JsonObject, JsonValue, ToolResult


class ScriptExhaustedError(BaseException):
    """The script has no outcome for this call: the test did not expect it.

    Not an `Exception`, so that no error handling under test can hide it.
    """


@attrs.frozen
class Hang:
    """An outcome: no answer ever comes."""


@attrs.frozen
class After:
    """An outcome that takes its time.

    Attributes:
        seconds: How long the answer takes.
        outcome: What it is.
    """

    seconds: float
    outcome: "ScriptedOutcome" = ""


@attrs.frozen
class Progress:
    """An outcome that is announced by one progress notification.

    Attributes:
        progress: What is told, e.g. 0.5.
        outcome: What comes then.
    """

    progress: float
    outcome: "ScriptedOutcome" = ""


@attrs.frozen
class ProtocolFailure:
    """An outcome: a JSON-RPC error instead of a result.

    Attributes:
        code: The JSON-RPC code, e.g. -32602.
        message: The JSON-RPC message.
        data: The JSON-RPC data, None to leave it out.
    """

    code: int
    message: str
    data: JsonValue = None


ScriptedOutcome: TypeAlias = (
    str
    | ErrorInfo
    | JsonObject
    | ToolResult
    | BaseException
    | Hang
    | After
    | Progress
    | ProtocolFailure
    | Callable[["ScriptedCall"], "ScriptedOutcome"]
)
"""What a scripted call ends with.

A string is the text of a success, or of a failure when it is an error envelope as
`tool_error` writes it; an `ErrorInfo` is sent as such an envelope. A mapping is a
``CallToolResult`` as wire JSON. An exception is raised. A function is asked for one
of these.
"""


@attrs.frozen(kw_only=True)
class ScriptedCall:
    """One request that reached a scripted session or server.

    Attributes:
        tool: The wire name.
        arguments: As they came.
        meta: The ``_meta`` that came along.
        at: When, in seconds of the clock the script is played on.
    """

    tool: str
    arguments: JsonObject
    meta: JsonObject
    at: float


Report: TypeAlias = Callable[[float], Awaitable[None]]
"""Sends a progress notification."""


class Player:
    """Plays outcomes, one for each request.

    Attributes:
        calls: Every request so far.
    """

    def __init__(
        self,
        outcomes: Iterable[ScriptedOutcome],
        by_tool: Mapping[str, Iterable[ScriptedOutcome]],
        clock: Clock,
    ) -> None:
        """Take the script.

        Args:
            outcomes: In the order of the requests.
            by_tool: Scripts of their own for some tools, by wire name.
            clock: What `After` and `Hang` wait on.
        """
        self.calls: list[ScriptedCall] = []
        self.clock = clock
        self._script = iter(outcomes)
        self._by_tool = {tool: iter(each) for tool, each in by_tool.items()}

    def take(
        self, tool: str, arguments: JsonObject, meta: JsonObject
    ) -> tuple[ScriptedCall, ScriptedOutcome]:
        """Keep a request and return it with its outcome.

        Raises:
            ScriptExhaustedError: There is none.
        """
        now = self.clock.monotonic()
        call = ScriptedCall(tool=tool, arguments=arguments, meta=meta, at=now)
        self.calls.append(call)
        for outcome in self._by_tool.get(tool, self._script):
            return call, outcome
        msg = f"call {len(self.calls)} is more than the script holds: {tool!r}"
        raise ScriptExhaustedError(msg)

    async def play(
        self, outcome: ScriptedOutcome, call: ScriptedCall, report: Report
    ) -> ToolResult | JsonObject | ProtocolFailure:
        """Do what *outcome* says and return what it ends with."""
        match outcome:
            case After():
                await self.clock.sleep(outcome.seconds)
                return await self.play(outcome.outcome, call, report)
            case Progress():
                await report(outcome.progress)
                return await self.play(outcome.outcome, call, report)
            case Hang():
                await self.clock.sleep(math.inf)
                msg = "a clock that ends an endless sleep"
                raise RuntimeError(msg)
            case BaseException():
                raise outcome
            case str():
                return text_result(outcome)
            case ErrorInfo():
                return text_result(envelope(outcome))
            case ToolResult() | Mapping() | ProtocolFailure():
                return outcome
            case _:
                return await self.play(outcome(call), call, report)


def text_result(text: str) -> JsonObject:
    """Return the result an MCP Fusion server sends with *text*."""
    result = {"content": [{"type": "text", "text": text}], "isError": False}
    envelope_like = text.startswith(("<tool_error", "<validation_error"))
    return result | {"isError": envelope_like and not read(result).warnings}
