"""What a caller may say about a connection, and what a connection reports."""

import enum
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

import attrs

from mcpfusion_client.clock import Clock, SystemClock

DEFAULT_CONNECT_TIMEOUT = 60.0
"""Seconds to wait for a server to answer the handshake."""

ERRLOG = "errlog"
"""The option that takes the file for a command's standard error."""

CALLBACKS = frozenset(
    {
        "client_info",
        "elicitation_callback",
        ERRLOG,
        "extensions",
        "list_roots_callback",
        "log_level",
        "logging_callback",
        "message_handler",
        "mode",
        "prior_discover",
        "sampling_callback",
        "sampling_capabilities",
    }
)
"""Options handed through to the SDK as they are."""


@runtime_checkable
class HttpClient(Protocol):
    """An ``httpx.AsyncClient`` or an ``httpx2.AsyncClient``."""

    def build_request(self, *args: Any, **kwargs: Any) -> Any:
        """Build a request with the client's own headers, cookies and timeouts."""
        ...

    def send(self, *args: Any, **kwargs: Any) -> Any:
        """Send a request through the client's auth, hooks and transports."""
        ...


class SessionEventKind(enum.StrEnum):
    """What can happen to a connection."""

    OPENED = "opened"
    REOPENED = "reopened"
    RETIRED = "retired"
    LOST = "lost"
    CLOSED = "closed"
    TOOLS_CHANGED = "tools_changed"
    NOTIFICATION_LOST = "notification_lost"


@attrs.frozen(kw_only=True)
class SessionEvent:
    """Something that happened to a connection; holds no credentials.

    Attributes:
        kind: What happened.
        server: The connection's name for the server.
        detail: One line, safe to log.
    """

    kind: SessionEventKind
    server: str
    detail: str = ""


SessionListener: TypeAlias = Callable[[SessionEvent], None]
"""Told of every event; an exception it raises is logged and ignored."""


def _usable(callbacks: Mapping[str, object]) -> Mapping[str, object]:
    extensions: Any = callbacks.get("extensions") or ()
    claiming = [type(one).__name__ for one in extensions if one.claims()]
    if claiming:
        msg = f"extensions that claim results are not supported: {claiming}"
        raise TypeError(msg)
    return callbacks


@attrs.frozen(kw_only=True)
class ConnectOptions:
    """How to connect.

    Attributes:
        connect_timeout: Seconds for opening and for listing the tools;
            ``math.inf`` lifts it.
        headers: Sent with every HTTP request.
        auth: An ``httpx.Auth`` or ``httpx2.Auth``, or a user and password.
        http_client: The caller's own client; never closed here.
        callbacks: Handed to the SDK; the names are in `CALLBACKS`.
        clock: Drives every timer.
        listener: Told what happens to the connection.
    """

    connect_timeout: float = DEFAULT_CONNECT_TIMEOUT
    headers: Mapping[str, str] | None = attrs.field(default=None, repr=False)
    auth: object | None = attrs.field(default=None, repr=False)
    http_client: HttpClient | None = None
    callbacks: Mapping[str, object] = attrs.field(
        factory=dict[str, object], converter=_usable
    )
    clock: Clock = attrs.field(factory=SystemClock)
    listener: SessionListener | None = None
