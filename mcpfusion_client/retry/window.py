"""How many calls of this process may be under way at one tool of one server.

The window is open until the server is overloaded, shrinks while it is, below one
call at a time if need be, and opens again on answers. A call that merely fails
does not shrink it. It is told the time and what became of each call.
"""

import enum
import math

import attrs

from mcpfusion_client.retry.drain import Cause, Drain
from mcpfusion_client.retry.usual import Trend, Usual

_OVERLOADED = 0.57  # share of slow answers, beyond the usual one, that speaks of it
_HALF_SLOW = 0.09  # at which a rejection counts as congestion
_REJECTIONS = 11.0  # net rejections that speak of it; an agent sees ten by chance
_SUCCESS_WORTH = 2.7  # rejections that one fast success outweighs; see `_count`
_SLOW_WORTH = 3.0  # rejections that one is worth while most answers are slow
_EVIDENCE_EVERY = 0.25  # seconds; answers within it count as one
_FIRST_CUT = 0.5
_CUT = 0.7
_LEAST_SHARE = 0.07  # of the usual calls under way: something has to find out
_PROBE_GAP = 3.0  # seconds between probes at most: a refusal costs little
_LOST_PROBE_GAP = 8.0  # an unanswered one adds to the queue of the server
_HALF_OPEN = 2.0
_SETTLED = 10.0  # seconds without a waiter after which the window is open again


class Ending(enum.StrEnum):
    """What an attempt says about the load of the server."""

    SUCCESS = "success"
    ANSWER = "answer"  # a failure that has nothing to do with load
    REJECTED = "rejected"
    REJECTED_WITH_HINT = "rejected with hint"  # the gate has been closed for it
    LOST = "lost"
    ABANDONED = "abandoned"  # by the caller: says nothing


_ANSWERED = frozenset({Ending.SUCCESS, Ending.ANSWER})
_REJECTED = frozenset({Ending.REJECTED, Ending.REJECTED_WITH_HINT})
_UNANSWERED = frozenset({Ending.REJECTED, Ending.LOST})


class Mode(enum.StrEnum):
    """What the window does."""

    OPEN = "open"
    TIGHT = "tight"  # the server is overloaded, or was just now
    DRAINING = "draining"  # new calls pass, those that waited follow gently


@attrs.frozen
class Wait:
    """How long a call has to wait.

    Attributes:
        seconds: 0 to send it now; else until it should ask again.
        for_others: An attempt under way has to end first; *seconds* is only for
            the case that it never does.
    """

    seconds: float
    for_others: bool = False


_NOW = Wait(0.0)


@attrs.define(eq=False)
class Window:
    """The calls under way, and how many may be.

    Attributes:
        mode: What the window does.
        limit: Calls under way on average, often less than one; infinite unless
            the window is tight.
    """

    mode: Mode = attrs.field(default=Mode.OPEN, init=False)
    limit: float = attrs.field(default=math.inf, init=False)
    usual: Usual = attrs.field(factory=Usual, init=False)
    drain: Drain = attrs.field(factory=Drain, init=False)
    _under_way: dict[object, float] = attrs.field(
        factory=dict[object, float], init=False
    )
    _released: set[object] = attrs.field(factory=set[object], init=False)
    _late: set[object] = attrs.field(factory=set[object], init=False)
    _slow: Trend = attrs.field(factory=lambda: Trend(0.4), init=False)
    _very_slow: Trend = attrs.field(factory=lambda: Trend(0.65), init=False)
    _rejections: float = attrs.field(default=0.0, init=False)
    _counted: float = attrs.field(default=-math.inf, init=False)
    _cut_at: float = attrs.field(default=-math.inf, init=False)
    _ended_at: float = attrs.field(default=-math.inf, init=False)
    _probe_at: float = attrs.field(default=-math.inf, init=False)
    _waited_at: float = attrs.field(default=-math.inf, init=False)
    _draw: float = attrs.field(default=0.5, init=False)

    @property
    def in_flight(self) -> int:
        """Attempts sent and not ended, the late ones included."""
        return len(self._under_way) + len(self._late)

    @property
    def idle(self) -> bool:
        """Is there nothing to remember but what is usual?"""
        return self.mode is Mode.OPEN and not self.in_flight

    def wait(self, now: float, draw: float, *, waited: bool) -> Wait:
        """Return how long a call has to wait.

        Args:
            now: The time.
            draw: A number in [0, 1); spreads the probes of a fleet.
            waited: The call was told to wait before.
        """
        self._draw = draw
        self._look(now)
        if self.mode is Mode.OPEN:
            return _NOW
        found = self._drained(now, waited) if self._drains else self._tight(now)
        if waited or found.seconds > 0.0:
            self._waited_at = now
        elif self._drains and now - self._waited_at >= _SETTLED:
            self.mode = Mode.OPEN
        return found

    def held(self) -> None:
        """Count a call that was told to wait for the first time."""
        self.drain.held()

    def sent(self, now: float, key: object, *, waited: bool) -> None:
        """Count the attempt *key* as sent *now*."""
        if waited and self._drains:
            self.drain.spend()
            self._released.add(key)
        self._under_way[key] = now

    def ended(self, now: float, key: object, seconds: float, ending: Ending) -> None:
        """Count the attempt *key* as ended *now*, *seconds* after it was sent."""
        self._look(now)
        seconds = max(0.0, seconds)
        was_late = key in self._late
        released = key in self._released
        self._released.discard(key)
        self._late.discard(key)
        self._under_way.pop(key, None)
        if ending is not Ending.ABANDONED:
            gap, self._ended_at = max(0.0, now - self._ended_at), now
            slow = self.usual.slow(seconds)
            self._weigh(now, now - seconds, ending, slow=slow, was_late=was_late)
            if ending is Ending.SUCCESS:
                healthy = self.mode is Mode.OPEN
                self.usual.learn(now, seconds, healthy=healthy)
            if self.mode is not Mode.OPEN:
                self._recover(now, gap, ending, slow=slow, released=released)
        if self.limit < 1.0:
            lost = ending is Ending.LOST
            self._pause(now, _LOST_PROBE_GAP if lost else _PROBE_GAP)

    def close(self, now: float, cause: Cause) -> None:
        """The gate was closed: open half when it opens."""
        self._trouble(now, cause)
        self.mode = Mode.TIGHT
        enough = self.usual.in_flight if self.usual.known else math.inf
        self.limit = min(self.limit, _HALF_OPEN, self._floored(enough))
        self._probe_at = now

    def room(self) -> float:
        """Return how many waiting calls are worth waking; at least one."""
        if self.mode is Mode.OPEN:
            return math.inf
        if self._drains and not self.usual.known:
            return math.inf
        return max(1.0, self.limit - len(self._under_way)) if not self._drains else 1.0

    @property
    def _drains(self) -> bool:
        return self.mode is Mode.DRAINING

    @property
    def _slower(self) -> float:
        """How much more of the answers are slow than usual, from 0 to 1."""
        return self.usual.more_than(self._slow.share)

    def _tight(self, now: float) -> Wait:
        count = len(self._under_way)
        if self.limit >= 1.0:
            return _NOW if count + 1 <= self.limit else self._for_others(now)
        if count:
            return self._for_others(now)
        return Wait(max(0.0, self._probe_at - now))

    def _drained(self, now: float, waited: bool) -> Wait:  # noqa: FBT001 - private
        if not waited or not self.usual.known:
            return _NOW
        seconds = self.drain.wait(now, self.usual, self._draw)
        if seconds > 0.0 and self._under_way:
            return self._for_others(now)
        return Wait(seconds)

    def _for_others(self, now: float) -> Wait:
        oldest = next(iter(self._under_way.values()))
        left = oldest + self.usual.patience - now
        return Wait(left + 0.01, for_others=True)

    def _look(self, now: float) -> None:
        """Let time pass: attempts become late long before they end."""
        self.usual.pass_time(now, healthy=self.mode is Mode.OPEN)
        if not self._under_way:
            return
        limit = now - self.usual.patience
        while self._under_way:
            key, sent = next(iter(self._under_way.items()))
            if sent > limit:
                return
            del self._under_way[key]
            self._late.add(key)
            if sent >= self._cut_at and self.usual.known:
                self._very_slow.add(now, bad=True)
                if self._very_slow.share > _OVERLOADED:
                    self._shrink(now)
            if self.limit < 1.0:
                self._pause(now, _LOST_PROBE_GAP)

    def _weigh(
        self, now: float, sent: float, ending: Ending, *, slow: bool, was_late: bool
    ) -> None:
        """Is this a sign of overload? Only of attempts sent since the last cut."""
        since = sent >= self._cut_at
        answered = ending in _ANSWERED
        if (answered or (slow and ending is Ending.LOST)) and (since or not slow):
            self._slow.add(now, bad=slow)
        if answered and not was_late:
            self._very_slow.add(now, bad=False)
        if slow or ending is not Ending.LOST:  # a fast loss is no sign of load
            self._count(now, ending, slow=slow)
        if not since or ending not in _UNANSWERED:
            return
        if self._rejections >= _REJECTIONS:
            self._shrink(now)

    def _count(self, now: float, ending: Ending, *, slow: bool) -> None:
        """A cumulative sum: one success in ten, or one in two?

        Per observation it adds the logarithm of how much likelier the one is
        than the other, in units of one rejection. A slow success tells neither:
        it comes out of the queue of a server that refuses all others.
        """
        if ending is Ending.REJECTED_WITH_HINT:
            return
        answered = ending in _ANSWERED
        gap, self._counted = max(0.0, now - self._counted), now
        if answered and (slow or not self._rejections):
            return  # there is nothing to outweigh, or nothing to do it with
        weight = min(1.0, gap / _EVIDENCE_EVERY)
        if answered:
            weight *= -_SUCCESS_WORTH
        elif self._slower > _OVERLOADED:
            weight *= _SLOW_WORTH
        total = self._rejections + weight
        self._rejections = min(1.5 * _REJECTIONS, max(0.0, total))

    def _trouble(self, now: float, cause: Cause) -> None:
        if self._drains:
            self.drain.interrupted(now, cause)
        elif self.mode is Mode.OPEN:
            self.drain.trouble(now)
            self.drain.prepare(cause)

    def _shrink(self, now: float) -> None:
        count = len(self._under_way) + 1
        if self.mode is Mode.TIGHT:
            limit = _CUT * min(self.limit, count)
        else:
            limit = _FIRST_CUT * min(count, self.usual.in_flight)
        self._trouble(now, Cause.OVERLOAD)
        self.mode = Mode.TIGHT
        self.limit = self._floored(limit)
        self._cut_at = now

    def _floored(self, limit: float) -> float:
        least = min(1.0, _LEAST_SHARE * self.usual.in_flight)
        return max(limit, least, 1e-6)

    def _recover(
        self, now: float, gap: float, ending: Ending, *, slow: bool, released: bool
    ) -> None:
        """Learn from an answer how much the server can take again."""
        if self._drains and ending is not Ending.LOST and self.usual.known:
            refused = ending in _REJECTED and self._slower > _HALF_SLOW
            bad = slow or refused
            self.drain.saw(now, gap, self.usual, bad=bad, released=released)
        if self.mode is Mode.TIGHT and ending in _ANSWERED and not slow:
            self._grow(now, gap)

    def _grow(self, now: float, gap: float) -> None:
        # Doubles with every answer, or faster where answers are rare.
        factor = 2.0 ** (1.0 + min(gap, 3.0)) - 1.0
        self.limit += min(1.0, self.limit * factor)
        # One answer since the last shows that this many a second are no trouble.
        latency = self.usual.latency
        steady = 1.0 if gap <= 2.0 * latency else 2.0 * latency / gap
        self.limit = max(self.limit, steady)
        if self.limit >= self.usual.in_flight:
            self.mode = Mode.DRAINING
            self.limit = math.inf
            self.drain.begin(now, self._draw)

    def _pause(self, now: float, longest: float) -> None:
        """Set the time of the next probe; less than one call is allowed."""
        gap = min(self.usual.latency / self.limit, longest)
        self._probe_at = now + gap * (0.5 + self._draw)
