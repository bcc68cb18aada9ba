"""Call tools through any object that has an async ``call_tool``."""

import inspect
from typing import Any, TypeGuard

from mcpfusion_client.errors import MCPFusionClientError, for_info
from mcpfusion_client.model import (
    JsonObject,
    JsonValue,
    Origin,
    Peer,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.model.json import is_array, is_mapping, is_object
from mcpfusion_client.sessions import failures
from mcpfusion_client.sessions.attempt_timer import (
    AttemptTimer,
    progress_handler,
    seconds_of,
)
from mcpfusion_client.sessions.base import Outcome, Request
from mcpfusion_client.sessions.exchange import decoded
from mcpfusion_client.sessions.naming import url_name
from mcpfusion_client.sessions.options import ConnectOptions
from mcpfusion_client.sessions.tool_list import tool_infos


class ObjectConnection:
    """A `Connection` through a `ToolSession`; there is nothing to open or close."""

    epoch = 0
    announces_changes = False

    def __init__(self, target: Any, options: ConnectOptions) -> None:
        self._target = target
        self._options = options
        takes = _parameters(target.call_tool)
        self._takes_meta = "meta" in takes
        self._takes_progress = "progress_callback" in takes
        self._server = _name(target)

    @property
    def server(self) -> str:
        """A name for messages and for shared state; holds no credentials.

        The object's own ``server`` where that is text; two objects without one
        are two servers.
        """
        return self._server

    @property
    def peer(self) -> Peer:
        """Its name: the rest is known to whoever opened it."""
        return Peer(server=self.server)

    @property
    def session(self) -> object | None:
        """The object itself."""
        target: object = self._target
        return target

    async def open(self) -> None:
        """Nothing to do: the object is connected already."""

    async def close(self) -> None:
        """Nothing to do: the object stays its owner's."""

    async def call_tool(self, request: Request) -> Outcome:
        """Call the object's ``call_tool`` and wait for its outcome."""
        seconds = seconds_of(request)
        extra: dict[str, object] = {}
        if self._takes_meta:
            extra["meta"] = request.meta
        attempt = AttemptTimer(self._options.clock, seconds, request.limit)
        if self._takes_progress:
            extra["progress_callback"] = progress_handler(request, attempt)
        with self._options.clock.timeout(seconds) as timer:
            attempt.started(timer)
            try:
                returned = self._target.call_tool(
                    request.tool, request.arguments, **extra
                )
                if inspect.isawaitable(returned):
                    returned = await returned
            except MCPFusionClientError as exc:
                answered = exc.info.origin not in {Origin.TRANSPORT, Origin.CLIENT}
                return Outcome(
                    raw=exc.raw, failure=exc.info, cause=exc, answered=answered
                )
            except Exception as exc:  # noqa: BLE001 - every failure is an outcome
                return Outcome(failure=decoded(exc), cause=exc, answered=False)
            return outcome_of(returned)
        return Outcome(failure=attempt.failure(sent=True), answered=False)

    async def list_tools(self) -> tuple[ToolInfo, ...]:
        """Return the object's tools, none when it cannot list them.

        Raises:
            MCPFusionClientError: The list could not be fetched.
        """
        list_tools = getattr(self._target, "list_tools", None)
        if list_tools is None:
            return ()
        seconds = self._options.connect_timeout
        with self._options.clock.timeout(seconds):
            try:
                listing = list_tools()
                if inspect.isawaitable(listing):
                    listing = await listing
                return tool_infos(listing)
            except MCPFusionClientError:
                raise
            except Exception as exc:
                raise for_info(decoded(exc)) from exc
        info = failures.timed_out(seconds, sent=True, option="connect_timeout")
        raise for_info(info)


def _name(target: object) -> str:
    named: object = getattr(target, "server", None)
    if isinstance(named, str) and named:
        return url_name(named) if "://" in named else named
    return f"object:{type(target).__name__}#{id(target):x}"


def _parameters(function: Any) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return frozenset()


def outcome_of(returned: object) -> Outcome:
    """Return what a ``call_tool`` returned as an `Outcome`."""
    if _is_tool_result(returned):
        return Outcome(raw=_tool_result_wire(returned), failure=returned.error)
    raw = wire_json(returned)
    if raw is None:
        reason = f"call_tool returned a {type(returned).__name__}"
        return Outcome(failure=failures.bad_response(reason))
    return Outcome(raw=raw)


def _is_tool_result(value: object) -> TypeGuard[ToolResult[JsonValue]]:
    return isinstance(value, ToolResult)


def _tool_result_wire(result: ToolResult[JsonValue]) -> JsonObject:
    if result.raw is not None:
        return result.raw
    return _wire(
        [dict(block) for block in result.content],
        result.structured_content,
        result.meta,
        is_error=result.is_error,
    )


def wire_json(returned: object) -> JsonObject | None:
    """Return a result of any SDK as wire JSON, None when it is no result."""
    if is_mapping(returned):
        return returned
    dump = getattr(returned, "model_dump", None)
    if callable(dump):
        raw: object = dump(by_alias=True, mode="json", exclude_none=True)
        if not is_object(raw):
            return None
        if raw.get("resultType") == "complete":
            del raw["resultType"]
        return raw
    content: object = getattr(returned, "content", None)
    if not is_array(content):
        return None
    # fastmcp's own result, a plain object around the SDK's content blocks.
    return _wire(
        [wire_json(block) for block in content],
        getattr(returned, "structured_content", None),
        getattr(returned, "meta", None),
        is_error=bool(getattr(returned, "is_error", False)),
    )


def _wire(
    content: list[Any], structured: object, meta: object, *, is_error: bool
) -> JsonObject:
    raw: dict[str, object] = {"content": content, "isError": is_error}
    if structured is not None:
        raw["structuredContent"] = structured
    if meta:
        raw["_meta"] = meta
    return raw
