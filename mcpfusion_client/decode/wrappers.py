"""Take off what SDKs and servers put before an error: "Error executing tool x: ".

What is behind the wrapper is read as if it stood alone.
"""

import re

import attrs

from mcpfusion_client.decode.evidence import Clue, Strength
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables import numbers

_MAX_LAYERS = 6
_TOOL = r"[\"'`]?[\w./:-]{1,128}[\"'`]?"
_DOING = r"(?:executing|calling|running|invoking|in|while executing|during)"
_FAILED = r"(?:execution failed|failed|returned an error|error|threw an error)"

_WRAPPERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"mcp error (?P<rpc>-?\d{1,6}): ",
        r"mcp error: ",
        rf"error {_DOING} (?:the )?tool:? {_TOOL}: ",
        rf"error (?:executing|calling|running|invoking) {_TOOL}: ",
        rf"an error occurred (?:while )?{_DOING} (?:the )?(?:tool )?{_TOOL}[:.] ",
        rf"failed to (?:execute|call|run|invoke) (?:the )?tool:? {_TOOL}: ",
        rf"execution of (?:the )?tool:? {_TOOL}(?: failed)?: ",
        r"tool (?:execution |call )?(?:failed|error): ",
        rf"tool (?:execution |call )?(?:failed|error) for {_TOOL}: ",
        rf"tool {_TOOL} {_FAILED}: ",
        r"(?:unhandled |uncaught |internal )?(?:tool )?(?:execution )?error: ",
        r"unhandled exception(?: in tool)?: ",
        r"request failed: ",
        r"[❌⚠️🚫✖×⛔️\s]{1,6}(?=\S)",
        r"\*{2}error:?\*{2}:? ",
        r"#{1,4} (?:result|error)s?\s{0,2}\n",
        r"exception: ",
        r"internal error: ",
    )
)
_OUTPUT = re.compile(
    r"output validation|invalid structured content|output schema|outputschema"
    r"|structured content (?:does not|doesn't)|validating tool output"
    r"|output (?:does not|doesn't) (?:match|conform)|tool output is invalid",
    re.IGNORECASE,
)
_INPUT = re.compile(
    r"input validation (?:error|failed)|invalid arguments for tool"
    r"|invalid (?:tool )?(?:input|arguments)\b|validating \"?arguments\"?"
    r"|failed to deserialize parameters",
    re.IGNORECASE,
)
_UNKNOWN_TOOL = re.compile(
    r"(?:unknown tool|tool not found|no such tool|unknown action)\b"
    rf"|tool {_TOOL} (?:not found|does not exist|is not registered)",
    re.IGNORECASE,
)
_HEAD = 600


@attrs.frozen(kw_only=True)
class Unwrapped:
    """A text without its wrappers.

    Attributes:
        text: What stood behind them.
        number: The JSON-RPC number a wrapper named.
        clues: What the wrappers themselves suggest.
    """

    text: str
    number: str | None = None
    clues: tuple[Clue, ...] = ()


def unwrap(text: str) -> Unwrapped:
    """Return *text* without the wrappers at its start."""
    position = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    number: str | None = None
    for _ in range(_MAX_LAYERS):
        match = next(filter(None, (w.match(text, position) for w in _WRAPPERS)), None)
        if match is None:
            break
        number = number or match.groupdict().get("rpc")
        position = match.end()
    rest = text[position:]
    return Unwrapped(text=rest, number=number, clues=tuple(_clues(text, number)))


def _clues(text: str, number: str | None) -> list[Clue]:
    head = text[:_HEAD]
    if _OUTPUT.search(head):
        return [Clue(m.BAD_OUTPUT, Strength.CODE, "output validation")]
    if _UNKNOWN_TOOL.search(head):
        return [Clue(m.NOT_FOUND, Strength.CODE, "unknown tool")]
    clues: list[Clue] = []
    if _INPUT.search(head):
        clues.append(Clue(m.VALIDATION, Strength.SDK, "input validation"))
    if number is not None:
        meaning = numbers.RPC_CODES.get(int(number))
        if meaning is not None:
            strength = numbers.rpc_strength(int(number), in_text=True)
            clues.append(Clue(meaning, strength, f"JSON-RPC {number}"))
    return clues
