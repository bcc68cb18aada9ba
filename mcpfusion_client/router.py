"""What a module written by ``mcpfusion codegen`` stands on.

A generated router is a typed shape over a client: every method sends one call with
exactly the arguments it was given, and what comes back is checked against the output
schema the types were made from.
"""

import enum
import json
from collections.abc import Mapping
from typing import (
    Final,
    Generic,
    Protocol,
    Self,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    get_args,
)

import attrs

from mcpfusion_client.errors import for_info
from mcpfusion_client.model import (
    ErrorInfo,
    JsonObject,
    JsonValue,
    StopReason,
    ToolResult,
)
from mcpfusion_client.output import Check, output_check
from mcpfusion_client.retry import RetryPolicy, ToolPolicies
from mcpfusion_client.sessions.base import ProgressCallback

__all__ = [
    "UNSET",
    "AsyncCaller",
    "AsyncNamespace",
    "AsyncRouter",
    "Binding",
    "CallOptions",
    "Contract",
    "SyncCaller",
    "SyncNamespace",
    "SyncRouter",
    "ToolResult",
    "Unset",
    "sync_twin",
]


class Unset(enum.Enum):
    """The type of `UNSET`."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""An argument with this value is not sent, so the server's own default holds."""


class CallOptions(TypedDict, total=False):
    """The options of one call; `MCPFusionClient.execute` explains them."""

    retry: RetryPolicy | ToolPolicies | bool | None
    timeout: float | None
    deadline: float | None
    idempotent: bool | None
    idempotency_key: str | None
    meta: JsonObject | None
    progress: ProgressCallback | None
    raise_on_error: bool | None


@attrs.frozen(kw_only=True)
class Contract:
    """The tools a router was generated from.

    Attributes:
        version: Of this form.
        options: How the module was generated.
        tools: What is remembered of each tool, as JSON by wire name.
    """

    version: int
    options: Mapping[str, JsonValue]
    tools: Mapping[str, str]
    _checks: dict[str, Check | None] = attrs.field(
        factory=dict[str, "Check | None"], init=False, eq=False, repr=False
    )

    def check_of(self, tool: str) -> Check | None:
        """Return what checks a result of *tool*; None when nothing is promised."""
        if tool not in self._checks:
            known = json.loads(self.tools.get(tool, "{}"))
            self._checks[tool] = output_check(known.get("outputSchema"))
        return self._checks[tool]


class AsyncCaller(Protocol):
    """What an async router calls: an ``MCPFusionClient``."""

    async def call_tool(
        self,
        name: str,
        arguments: JsonObject | None = None,
        *,
        retry: RetryPolicy | ToolPolicies | bool | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - one attempt, not the call
        deadline: float | None = None,
        idempotent: bool | None = None,
        idempotency_key: str | None = None,
        meta: JsonObject | None = None,
        progress: ProgressCallback | None = None,
        raise_on_error: bool | None = None,
    ) -> ToolResult:
        """Call a tool by its wire name."""
        ...


class SyncCaller(Protocol):
    """What a sync router calls: a ``SyncMCPFusionClient``."""

    def call_tool(
        self,
        name: str,
        arguments: JsonObject | None = None,
        **options: Unpack[CallOptions],
    ) -> ToolResult:
        """Call a tool by its wire name."""
        ...


Caller = TypeVar("Caller", AsyncCaller, SyncCaller)


@attrs.frozen(kw_only=True)
class Binding(Generic[Caller]):
    """A router's hold on its client.

    Attributes:
        caller: The client.
        contract: The tools the router was generated from.
        options: Given to every call.
        raises: Does the client raise for a failed call?
        check: Compare results with the output schemas.
    """

    caller: Caller
    contract: Contract
    options: CallOptions = attrs.field(factory=CallOptions)
    raises: bool = True
    check: bool = True

    def accept(self, tool: str, result: ToolResult) -> ToolResult:
        """Return *result*, checked.

        Raises:
            MCPFusionClientError: The result is not what the types say.
        """
        if not self.check or result.is_error or result.suspected_failure is not None:
            return result
        check = self.contract.check_of(tool)
        error = None if check is None else check(result.data)
        if error is None:
            return result
        return self._refuse(tool, result, error)

    def _refuse(self, tool: str, result: ToolResult, error: ErrorInfo) -> ToolResult:
        raw = result.raw
        if raw is None:
            raw = {
                "content": list(result.content),
                "structuredContent": result.structured_content,
            }
        stated = self.options.get("raise_on_error")
        if self.raises if stated is None else stated:
            raise for_info(
                error,
                tool=tool,
                attempts=result.attempts,
                stop_reason=StopReason.NOT_RETRYABLE,
                raw=raw,
            )
        return attrs.evolve(
            result,
            is_error=True,
            error=error,
            stop_reason=StopReason.NOT_RETRYABLE,
            raw=raw,
        )


class AsyncNamespace:
    """Some tools of a server; the base of generated classes."""

    def __init__(self, binding: Binding[AsyncCaller]) -> None:
        """Call tools through *binding*."""
        self._binding = binding

    async def _call(
        self, tool: str, arguments: JsonObject, extra: JsonObject | None = None
    ) -> ToolResult:
        binding = self._binding
        result = await binding.caller.call_tool(
            tool, _given(arguments, extra), **binding.options
        )
        return binding.accept(tool, result)


class SyncNamespace:
    """Some tools of a server; the base of generated classes."""

    def __init__(self, binding: Binding[SyncCaller]) -> None:
        """Call tools through *binding*."""
        self._binding = binding

    def _call(
        self, tool: str, arguments: JsonObject, extra: JsonObject | None = None
    ) -> ToolResult:
        binding = self._binding
        result = binding.caller.call_tool(
            tool, _given(arguments, extra), **binding.options
        )
        return binding.accept(tool, result)


class SyncRouter(SyncNamespace):
    """The base of a generated router without ``await``."""

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """Return this router with *options* for every call.

        Args:
            options: What ``call_tool`` takes beside the arguments.
        """
        return type(self)(_with(self._binding, options))

    @classmethod
    def __contract__(cls) -> Contract:
        """Return what the router was generated from."""
        return _NO_CONTRACT


Twin_co = TypeVar("Twin_co", bound=SyncRouter, covariant=True)


class AsyncRouter(AsyncNamespace, Generic[Twin_co]):
    """The base of a generated router; *Twin_co* is the same one without ``await``."""

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """Return this router with *options* for every call.

        Args:
            options: What ``call_tool`` takes beside the arguments.
        """
        return type(self)(_with(self._binding, options))

    @classmethod
    def __contract__(cls) -> Contract:
        """Return what the router was generated from."""
        return _NO_CONTRACT


_NO_CONTRACT: Final = Contract(version=1, options={}, tools={})


Synced = TypeVar("Synced", bound=SyncRouter)


def sync_twin(router: type[AsyncRouter[Synced]]) -> type[Synced]:
    """Return the router without ``await`` that belongs to *router*.

    Raises:
        TypeError: It was written without one.
    """
    for owner in router.__mro__:
        for base in vars(owner).get("__orig_bases__", ()):
            for twin in get_args(base):
                if isinstance(twin, type) and issubclass(twin, SyncRouter):
                    return cast("type[Synced]", twin)
    msg = f"{router!r} has no sync twin; generate it with `mcpfusion codegen`"
    raise TypeError(msg)


def _with(binding: Binding[Caller], options: CallOptions) -> Binding[Caller]:
    merged: CallOptions = {**binding.options, **options}
    return attrs.evolve(binding, options=merged)


def _given(arguments: JsonObject, extra: JsonObject | None) -> dict[str, JsonValue]:
    """Return what the caller has set."""
    sent = {} if extra is None else dict(extra)
    sent.update((key, value) for key, value in arguments.items() if value is not UNSET)
    return sent
