"""Let go of the calls that waited, once the server answers again.

They are let go at a share of the usual rate, on top of the new calls, which are
never held back for them. The share grows while answers stay fast and is cut
when they do not, so a fleet finds the spare capacity without being told it.
"""

import enum
import math

import attrs

from mcpfusion_client.retry.usual import Trend, Usual

_CONGESTED = 0.3  # share of slow answers at which the server has no more to spare
_CALM = 0.6 * _CONGESTED
_ROUND = 1.0  # seconds; a cut needs time to show
_FAST = 0.7  # growth per second until the first congestion: doubles in a second
_GENTLE = 0.02  # growth per second afterwards
_LONGEST_STEP = 0.15  # seconds of growth that one answer is worth
_LEAST, _MOST = 0.05, 4.0  # of the usual rate
_LONGEST_GAP = 0.5  # seconds between two, however low the usual rate is
_LASTED = 6.0  # seconds; a drain that ends sooner was not to blame
_BURST = 0.5  # seconds of credit that may add up


class Cause(enum.Enum):
    """What held the calls back; the value is the share of the usual rate at first.

    A quota is there again all at once. An overloaded server recovers slowly, and
    where it closes the gate at every rejection, probing for more costs a pause.
    """

    OVERLOAD = 0.2
    CLOSED = 0.15
    QUOTA = 0.33


@attrs.define
class Drain:
    """How fast calls that waited are let go.

    Attributes:
        share: Of the usual rate.
    """

    share: float = attrs.field(default=Cause.OVERLOAD.value, init=False)
    _cause: Cause = attrs.field(default=Cause.OVERLOAD, init=False)
    _fast: bool = attrs.field(default=True, init=False)
    _slow: Trend = attrs.field(factory=lambda: Trend(0.4), init=False)
    _credit: float = attrs.field(default=0.0, init=False)
    _earned: float = attrs.field(default=0.0, init=False)
    _began: float = attrs.field(default=math.inf, init=False)
    _cut: float = attrs.field(default=0.0, init=False)

    def prepare(self, cause: Cause) -> None:
        """Trouble began while no calls were being let go."""
        self._cause = cause
        self.share = cause.value
        self._fast = cause is not Cause.CLOSED

    def interrupted(self, now: float, cause: Cause) -> None:
        """Trouble began while calls were being let go."""
        if now - self._began > _LASTED:
            self._cause = cause
            self._lower()
        else:
            self.prepare(cause)

    def begin(self, now: float, draw: float) -> None:
        """The server answers again; *draw* in [0, 1) spreads a fleet."""
        self._began = self._earned = self._cut = now
        self._credit = draw
        self._slow.share = 0.0

    def saw(self, now: float, gap: float, *, bad: bool) -> None:
        """Count an answer, *gap* seconds after the one before."""
        self._slow.add(now, bad=bad)
        if self._slow.share > _CONGESTED:
            if now - self._cut >= _ROUND:
                self._lower()
                self._cut = now
        elif self._slow.share < _CALM:
            growth = _FAST if self._fast else _GENTLE
            self.share *= math.exp(growth * min(_LONGEST_STEP, gap))
            self.share = min(_MOST, self.share)

    def wait(self, now: float, usual: Usual, draw: float) -> float:
        """Return the seconds until a call that waited may be sent."""
        congested = self._slow.share > _CONGESTED
        rate = max(0.0 if congested else self.share * usual.rate, 1.0 / _LONGEST_GAP)
        earned = self._credit + rate * (now - self._earned)
        self._credit = min(earned, max(1.0, rate * _BURST))
        self._earned = now
        if self._credit >= 1.0:
            return 0.0
        return (1.0 - self._credit) / rate * (1.0 + 0.2 * draw)

    def spend(self) -> None:
        """A call that waited was sent."""
        self._credit = max(0.0, self._credit - 1.0)

    def _lower(self) -> None:
        self._fast = False
        kept = 0.85 if self._cause is Cause.QUOTA else 0.6
        self.share = max(_LEAST, self.share * kept)
