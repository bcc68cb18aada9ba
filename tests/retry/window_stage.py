"""A window that has seen healthy times, for tests of what it does next."""

import math

from mcpfusion_client.retry.usual import Usual
from mcpfusion_client.retry.window import Ending, Mode, Window

LATENCY = 0.1
PATIENCE = 0.5


def usual(in_flight: float) -> Usual:
    """Return healthy times with *in_flight* calls of a tenth of a second."""
    known = Usual()
    known._answers = 100
    known._upper = known.latency = LATENCY
    known._longest, known.patience = 1.5 * LATENCY, PATIENCE
    known._weight, known._rate = 1.0, in_flight / LATENCY
    return known


def window(
    mode: Mode = Mode.OPEN,
    *,
    in_flight: float = 10.0,
    limit: float = math.inf,
    flying: int = 0,
) -> Window:
    """Return a window that has seen healthy times; *flying* were sent at 0."""
    made = Window()
    made.usual = usual(in_flight)
    made.mode, made.limit = mode, limit
    for number in range(flying):
        made.sent(0.0, number, waited=False)
    return made


def mode(made: Window) -> Mode:
    """Return the mode; a checker would take the last one it saw for the only one."""
    return made.mode


def ended(made: Window, now: float, seconds: float, ending: Ending) -> None:
    """Let an attempt end *now* that took *seconds*."""
    made._under_way[now] = now - seconds
    made.ended(now, now, seconds, ending)
