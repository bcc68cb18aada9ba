"""Answer a server that asks the user something where nobody can answer."""

import importlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

ElicitationCallback: TypeAlias = Callable[[Any, Any], Awaitable[object]]
"""What both SDKs take as ``elicitation_callback``."""


def declining(tell: Callable[[str], None]) -> ElicitationCallback:
    """Return an ``elicitation_callback`` that declines every question.

    Args:
        tell: Told what the server asks. Untrusted.
    """

    async def decline(_context: Any, params: Any) -> object:
        tell(str(params.message))
        types: Any = importlib.import_module("mcp.types")
        declined: object = types.ElicitResult(action="decline")
        return declined

    return decline
