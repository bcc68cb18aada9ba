"""A call, the tool it goes to, what came back, and every attempt in between."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Generic

import attrs

from mcpfusion_client.model.info import ErrorInfo
from mcpfusion_client.model.json import JsonObject, JsonValue
from mcpfusion_client.model.vocabulary import StopReason

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Output_co = TypeVar("Output_co", default=JsonValue, covariant=True)
else:  # the default is for type checkers; typing has none before Python 3.13
    from typing import TypeVar

    Output_co = TypeVar("Output_co", covariant=True)


@attrs.frozen(kw_only=True)
class Effects:
    """What a repeated call would do; None means nobody said.

    Attributes:
        read_only: The tool changes nothing.
        idempotent: The same call twice does what it does once.
        destructive: The tool may delete or overwrite.
        idempotency_argument: The argument that takes an idempotency key.
    """

    read_only: bool | None = None
    idempotent: bool | None = None
    destructive: bool | None = None
    idempotency_argument: str | None = None


@attrs.frozen(kw_only=True)
class ToolInfo:
    """One tool as the server lists it.

    Attributes:
        name: The wire name.
        title: Untrusted; a name for people.
        description: Untrusted.
        input_schema: JSON Schema of the arguments.
        output_schema: JSON Schema of the structured content, if declared.
        annotations: The wire annotations, e.g. ``{"readOnlyHint": true}``.
        meta: The tool's ``_meta``.
    """

    name: str
    title: str | None = None
    description: str | None = None
    input_schema: JsonObject = attrs.field(factory=dict[str, JsonValue])
    output_schema: JsonObject | None = None
    annotations: JsonObject = attrs.field(factory=dict[str, JsonValue])
    meta: JsonObject = attrs.field(factory=dict[str, JsonValue])


@attrs.frozen(kw_only=True)
class ToolCall:
    """One call of one tool.

    Attributes:
        action: The canonical dotted path, also after ``call_tool``.
        arguments: What the tool gets; read-only, the same in every attempt.
        tool: The wire name; the action until the call has been routed.
        effects: What a repeat would do, as far as known.
        meta: Sent as ``_meta``.
        idempotency_key: The key of this logical call, the same in every
            attempt, or None.
        attempt: Counted from 1.
    """

    action: str
    arguments: JsonObject = attrs.field(factory=dict[str, JsonValue])
    tool: str = attrs.field(
        default=attrs.Factory(lambda self: self.action, takes_self=True)
    )
    effects: Effects = Effects()
    meta: JsonObject = attrs.field(factory=dict[str, JsonValue])
    idempotency_key: str | None = None
    attempt: int = 1


@attrs.frozen(kw_only=True)
class Attempt:
    """One attempt of a call.

    Attributes:
        number: Counted from 1.
        started: Wall-clock time (aware).
        duration: Seconds.
        error: What it failed with, None for the one that succeeded.
        delay: Seconds waited before the next attempt, None after the last.
        reason: Why the next attempt was made, or why there was none.
        request_id: The JSON-RPC id of its request, when the connection knows it:
            over HTTP and over standard input and output.
    """

    number: int
    started: datetime
    duration: float
    error: ErrorInfo | None = None
    delay: float | None = None
    reason: str
    request_id: int | str | None = None


def _blocks(content: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    # Not `tuple[JsonObject, ...]`: calling an alias takes several times as long.
    return tuple(content)


@attrs.frozen(kw_only=True)
class ToolResult(Generic[Output_co]):
    """What a call came back with.

    The type argument is the type of `data`; without one it is any JSON value.

    Attributes:
        content: The content blocks as JSON mappings with wire names.
        structured_content: The structured content, if any.
        meta: The result's ``_meta``.
        is_error: True when the call failed.
        error: Why, when it failed.
        warnings: Advice on the success path, severity ``warning``.
        suspected_failure: A failure that was sent as a success, when asked
            to look for one (``detect_disguised``).
        attempts: Every attempt, the successful one included.
        stop_reason: Why there was no further attempt.
        raw: The wire JSON, None when no result arrived.
    """

    content: tuple[JsonObject, ...] = attrs.field(default=(), converter=_blocks)
    structured_content: JsonValue = None
    meta: JsonObject = attrs.field(factory=dict[str, JsonValue])
    is_error: bool = False
    error: ErrorInfo | None = None
    warnings: tuple[ErrorInfo, ...] = ()
    suspected_failure: ErrorInfo | None = None
    attempts: tuple[Attempt, ...] = ()
    stop_reason: StopReason | None = None
    raw: JsonObject | None = None

    @property
    def text(self) -> str:
        """The text blocks, joined by newlines. Untrusted."""
        return "\n".join(_texts(self.content))

    @property
    def data(self) -> Output_co:
        """The structured content, else JSON in a single text block, else None."""
        value: Output_co = _data(self.structured_content, self.content)
        return value


def _data(structured: JsonValue, content: Sequence[JsonObject]) -> JsonValue:
    if structured is not None:
        return structured
    if len(content) != 1:
        return None
    texts = _texts(content)
    if not texts:
        return None
    try:
        return json.loads(texts[0])
    except (ValueError, RecursionError):
        return None


def _texts(content: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    return [
        block["text"]
        for block in content
        if block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
