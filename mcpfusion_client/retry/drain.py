"""Let go of the calls that waited, once the server answers again.

They are let go at a share of the rate at which they came, on top of the new calls,
which are never held back for them. The share grows while answers stay fast and is
cut when they do not, so a fleet finds the spare capacity without being told it.
"""

import enum
import math

import attrs

from mcpfusion_client.retry.usual import Trend, Usual

# The numbers were chosen in a simulation of 1, 50 and 1,000 processes that share a
# server; docs/explanation/storms.md shows what they come to.
_CONGESTED = 0.15  # share of slow answers, beyond the usual one: no more to spare
_CALM = 0.6 * _CONGESTED
_ROUND = 1.0  # seconds; a cut needs time to show
_FAST = 0.35  # growth per second until the first congestion: doubles in two
_WARY = 0.15  # the same for a burst where probing for more costs a pause
_GENTLE = 0.02  # growth per second afterwards
_NEW_STEP = 0.1  # seconds of growth that the answer to a new call is worth, at most
_RELEASED_STEP = 0.5  # that the answer to a call that waited is worth
_BURST = 3.0  # times what is usual; more that came at once is no steady stream,
_BURST_STEP = 3.0  # and each answer to one of them is worth this
_LEAST, _MOST = 0.05, 1.0  # never faster than they came
_FIRST_CUT = 0.4  # takes back the last two seconds of fast growth, and some
_CUT, _QUOTA_CUT = 0.6, 0.85
_SHORTEST_TROUBLE = 1.0  # seconds; the calls held in less say nothing about a rate
_LASTED = 6.0  # seconds; a drain that ends sooner was not to blame
_MOST_CREDIT = 0.5  # seconds of credit that may add up
_SPARSE = 0.2  # calls a second; fewer are the caller's choice, not the server's limit


class Cause(enum.Enum):
    """What held the calls back."""

    OVERLOAD = "overload"
    CLOSED = "closed"  # by an overloaded server: to probe for more costs a pause
    QUOTA = "quota"  # there again all at once


_FIRST_SHARE = {Cause.OVERLOAD: 0.15, Cause.CLOSED: 0.15, Cause.QUOTA: 0.5}
_ONE_ANSWER = {Cause.OVERLOAD: 0.15, Cause.CLOSED: 0.15, Cause.QUOTA: 0.4}
"""What one answer may weigh: a single slow one is no congestion.

Except where there is a quota to use up: what exceeds it costs a pause for everybody,
so there a doubtful sign counts.
"""


@attrs.define
class Drain:
    """How fast calls that waited are let go.

    Attributes:
        share: Of the rate at which they came.
    """

    share: float = attrs.field(default=_FIRST_SHARE[Cause.OVERLOAD], init=False)
    _held: int = attrs.field(default=0, init=False)
    _trouble: float = attrs.field(default=0.0, init=False)
    _came: float = attrs.field(default=0.0, init=False)
    _cause: Cause = attrs.field(default=Cause.OVERLOAD, init=False)
    _fast: bool = attrs.field(default=True, init=False)
    _slow: Trend = attrs.field(
        factory=lambda: Trend(_ONE_ANSWER[Cause.OVERLOAD]), init=False
    )
    _credit: float = attrs.field(default=0.0, init=False)
    _earned: float = attrs.field(default=0.0, init=False)
    _began: float = attrs.field(default=math.inf, init=False)
    _cut: float = attrs.field(default=0.0, init=False)

    def trouble(self, now: float) -> None:
        """The calls that come from *now* on are held back."""
        self._trouble = now
        self._held = 0

    def held(self) -> None:
        """One more call was held back."""
        self._held += 1

    def prepare(self, cause: Cause) -> None:
        """Trouble began while no calls were being let go."""
        self._cause = cause
        self.share = _FIRST_SHARE[cause]
        self._fast = True

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
        self._came = self._held / max(now - self._trouble, _SHORTEST_TROUBLE)
        self._credit = draw
        self._slow.share = 0.0
        self._slow.most = _ONE_ANSWER[self._cause]

    def saw(
        self, now: float, gap: float, usual: Usual, *, bad: bool, released: bool
    ) -> None:
        """Count an answer, *gap* seconds after the one before.

        Args:
            now: The time.
            gap: Seconds.
            usual: What healthy times look like.
            bad: It speaks of congestion.
            released: The call had waited, so it shows what the share is worth.
        """
        self._slow.add(now, bad=bad)
        more = usual.more_than(self._slow.share)
        if more > _CONGESTED:
            if now - self._cut >= _ROUND:
                self._lower()
                self._cut = now
        elif more < _CALM:
            burst = released and self._came > _BURST * usual.rate
            most = _BURST_STEP if burst else _RELEASED_STEP if released else _NEW_STEP
            self.share *= math.exp(self._growth(burst=burst) * min(gap, most))
            self.share = min(_MOST, self.share)

    def wait(self, now: float, usual: Usual, draw: float) -> float:
        """Return the seconds until a call that waited may be sent."""
        rate = max(usual.rate, self._came, _SPARSE)
        congested = usual.more_than(self._slow.share) > _CONGESTED
        rate *= _LEAST if congested else self.share
        earned = self._credit + rate * max(0.0, now - self._earned)
        self._credit = min(earned, max(1.0, rate * _MOST_CREDIT))
        self._earned = now
        if self._credit >= 1.0:
            return 0.0
        return (1.0 - self._credit) / rate * (1.0 + 0.2 * draw)

    def spend(self) -> None:
        """A call that waited was sent."""
        self._credit = max(0.0, self._credit - 1.0)

    def _growth(self, *, burst: bool) -> float:
        """Return how much the share grows per second, as a logarithm."""
        if not self._fast:
            return _GENTLE
        if self._cause is Cause.CLOSED:
            return _WARY if burst else _GENTLE
        return _FAST

    def _lower(self) -> None:
        if self._cause is Cause.QUOTA:
            kept = _QUOTA_CUT
        else:
            kept = _FIRST_CUT if self._fast else _CUT
        self._fast = False
        self.share = max(_LEAST, self.share * kept)
