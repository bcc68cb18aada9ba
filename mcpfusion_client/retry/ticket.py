"""What a call is to the gate, and what the gate answers.

A ticket stands for one logical call; the gate keeps in it where the call is.
"""

import enum
from collections.abc import Callable

import attrs

from mcpfusion_client.model import ErrorInfo, StopReason


@attrs.frozen
class Go:
    """Send the attempt now."""


@attrs.frozen
class Hold:
    """Wait, then ask again.

    Attributes:
        seconds: How long at most; ask earlier when the ticket is woken. Never
            past the room of the ticket.
        until_woken: The ticket will be woken; *seconds* is only for the case
            that the attempts it waits for never end.
    """

    seconds: float
    until_woken: bool = False


@attrs.frozen
class Refused:
    """The call may not be sent within its room; end it.

    Attributes:
        info: The failure to raise: the one that closed the gate, as
            NOT_EXECUTED, with what is left of its hint.
        retry_after: What is left of the hint in seconds, None without one.
        reason: Always `StopReason.GATE_DEADLINE`.
    """

    info: ErrorInfo
    retry_after: float | None
    reason: StopReason = StopReason.GATE_DEADLINE


class Place(enum.StrEnum):
    """Where a ticket is."""

    IDLE = "idle"
    CLOSED = "closed"  # held until the gate opens; asks again by itself
    WAITING = "waiting"  # for somebody else's attempt to end
    NEXT = "next"  # asks again by itself; the others wait for it
    WOKEN = "woken"  # was waiting, will ask
    IN_FLIGHT = "in flight"


def nobody() -> None:
    """Wake nobody."""


@attrs.define(eq=False, kw_only=True)
class Ticket:
    """One logical call at the gate; made by `RateLimitGate.ticket`.

    Attributes:
        server: The server the call goes to.
        tool: The wire name of the tool.
        until: When the call must have been sent; from its room.
        max_retry_after: A longer hint does not close the gate.
        wake: Called when the ticket, told to hold, should ask again now. It
            must not call the gate; setting an event is what it is for.
        number: Counts the tickets of a gate, so it tells which is newer.
        place: Where it is; only the gate writes this and what follows.
        waited: It was told to hold since it was last sent.
        sent: When the attempt in flight was sent.
        failures: Attempts that failed.
    """

    server: str
    tool: str
    until: float
    max_retry_after: float = 120.0
    wake: Callable[[], object] = nobody
    number: int = 0
    place: Place = attrs.field(default=Place.IDLE, init=False)
    waited: bool = attrs.field(default=False, init=False)
    sent: float = attrs.field(default=0.0, init=False)
    failures: int = attrs.field(default=0, init=False)
