"""Code of the caller's own around every attempt, like the layers of an onion."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeAlias

from mcpfusion_client.model import ToolCall, ToolResult

Next: TypeAlias = Callable[[ToolCall], Awaitable[ToolResult]]
"""The rest of the way to the server."""


class Middleware(Protocol):
    """Wraps every attempt; an async function will do."""

    def __call__(self, call: ToolCall, call_next: Next, /) -> Awaitable[ToolResult]:
        """Return the result of one attempt.

        Every failure comes back from *call_next* as a result with ``error`` set,
        a lost connection too. An exception of its own ends the call and reaches
        the caller unchanged.

        Args:
            call: The attempt; a changed copy may be passed on.
            call_next: The rest of the way to the server.
        """
        ...


def stack(layers: Sequence[Middleware], core: Next) -> Next:
    """Return *core* inside *layers*; the first layer is outermost."""
    for layer in reversed(layers):
        core = _around(layer, core)
    return core


def _around(layer: Middleware, inside: Next) -> Next:
    async def call(call: ToolCall) -> ToolResult:
        made = await layer(call, inside)
        _check(made, layer)
        return made

    return call


def _check(made: object, layer: Middleware) -> None:
    if not isinstance(made, ToolResult):
        msg = f"{layer!r} must return a ToolResult, not {type(made).__name__}"
        raise TypeError(msg)
