"""What is usual at one tool of one server: how fast it answers, how often it is asked.

Overload is told from other trouble by comparison: it makes *every* answer slow,
while calls that fail at random leave the others as fast as ever.

Clients that share a gate may have clocks of their own. A time before the last one
counts as no time gone by, here and wherever a gap is measured.
"""

import math

import attrs

_MEMORY = 60.0  # seconds; a new normal is learnt within minutes, not within a dip
_FIRST_LOOK = 5.0  # seconds; a rate over less is a guess
_KNOWN = 4  # answers; fewer say nothing about the rest
_UPPER = 0.8  # the share of answers at or below the upper latency
_FIRST = math.exp(0.3)  # times the first answer: the first guess at the upper latency
_STEP = 0.05  # the upper latency follows one answer by at most this (of its log)
_TROUBLED = 0.2  # as fast in trouble: a lasting change is learnt all the same
_SLOW = 1.5  # times the upper latency; about 7 % of healthy answers
_OFTEN = 0.07  # which is what is expected until more is known
_VERY_SLOW = 5.0  # times the upper latency; next to none of the healthy answers
_BLIND_PATIENCE = 10.0  # seconds, while nothing is known
_WEIGHT = 0.1  # of one observation among many
_STREAM = 0.05  # seconds; what comes closer together weighs less,
_LEAST = 0.2  # down to this share of the weight
_SMALLEST = 1e-4  # seconds; an upper latency of nothing would never grow


@attrs.define
class Trend:
    """The share of recent observations that were bad.

    A sparse caller has to learn from few observations, a busy one from many, so
    the weight of one follows the time since the one before.

    Attributes:
        most: The most that one observation may weigh.
        share: From 0 to 1.
    """

    most: float
    share: float = attrs.field(default=0.0, init=False)
    _seen: float = attrs.field(default=-math.inf, init=False)

    def add(self, now: float, *, bad: bool) -> None:
        """Count an observation made *now*."""
        gap = now - self._seen
        self._seen = now
        if not bad and not self.share:
            return  # none stays none
        if gap < _STREAM:
            weight = _WEIGHT * max(_LEAST, gap / _STREAM)
        else:
            weight = min(self.most, max(_WEIGHT, 1.0 - math.exp(-gap / 3.0)))
        self.share += weight * (bad - self.share)


@attrs.define
class Usual:
    """What healthy times look like; all times in seconds.

    Attributes:
        latency: The mean of answers that were not slow.
        slow_share: The share of slow answers, from 0 to 1.
        patience: After this long an attempt under way is late.
    """

    latency: float = attrs.field(default=0.1, init=False)
    slow_share: float = attrs.field(default=_OFTEN, init=False)
    patience: float = attrs.field(default=_BLIND_PATIENCE, init=False)
    _longest: float = attrs.field(default=math.inf, init=False)  # that is not slow
    _upper: float = attrs.field(default=1.0, init=False)
    _answers: int = attrs.field(default=0, init=False)
    _answered: float = attrs.field(default=0.0, init=False)
    _rate: float = attrs.field(default=0.0, init=False)
    _weight: float = attrs.field(default=0.0, init=False)
    _time: float = attrs.field(default=math.nan, init=False)

    @property
    def known(self) -> bool:
        """Were there enough answers to compare with?"""
        return self._answers >= _KNOWN

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self._rate / max(self._weight, 1.0 - math.exp(-_FIRST_LOOK / _MEMORY))

    @property
    def in_flight(self) -> float:
        """How many calls are usually under way, often less than one."""
        return self.rate * self.latency

    def slow(self, seconds: float) -> bool:
        """Is an answer after *seconds* unusual?"""
        return seconds > self._longest

    def more_than(self, share: float) -> float:
        """Return how far *share* of slow answers is above the usual one.

        Returns:
            0 for what is usual or less, 1 when all answers are slow.
        """
        return max(0.0, share - self.slow_share) / (1.0 - self.slow_share)

    def pass_time(self, now: float, *, healthy: bool) -> None:
        """Let time go by until *now*; only *healthy* time counts for the rate."""
        gap = now - self._time
        self._time = now
        if healthy and gap > 0.0:
            kept = math.exp(-gap / _MEMORY)
            self._weight = self._weight * kept + 1.0 - kept
            self._rate *= kept

    def learn(self, now: float, seconds: float, *, healthy: bool) -> None:
        """Learn from an answer that took *seconds*."""
        if healthy:
            self._rate += 1.0 / _MEMORY
        self._answers += 1
        if self._answers == 1:
            self._upper = _FIRST * max(seconds, _SMALLEST)
            self.latency = seconds
        else:
            step = min(_STEP, max(0.0, now - self._answered) / _MEMORY)
            if healthy or self._answers < _KNOWN:
                step = max(step, 0.5 / (self._answers - 1))
            else:
                step *= _TROUBLED  # what trouble looks like is not to become usual
            above = max(seconds, _SMALLEST) > self._upper
            self._upper *= math.exp(step * (_UPPER if above else _UPPER - 1))
            if self._answers >= _KNOWN:
                self.patience = _VERY_SLOW * self._upper
                self._longest = _SLOW * self._upper
                if healthy:
                    slow = seconds > self._longest
                    self.slow_share += step * (slow - self.slow_share)
            if seconds <= self._longest:
                self.latency += 0.1 * (seconds - self.latency)
        self._answered = now
