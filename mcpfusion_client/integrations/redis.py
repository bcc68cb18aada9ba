"""One gate and one budget for a fleet of processes, kept in step through Redis.

No call ever waits for Redis: the gate and the budget of each process answer at once,
from what this process saw and what it heard of the others. A task in the background
tells and asks. While Redis is gone they go on as those of one process.

Clocks of two machines are never compared: what is sent are seconds that are left, and
the time in between is that of Redis. What comes out of Redis is untrusted.
"""

import asyncio
import contextlib
import logging
import math
import random
import secrets
from types import TracebackType
from typing import Any, Self, cast

import anyio

from mcpfusion_client.clock import Clock, SystemClock
from mcpfusion_client.decode.safe_json import loads
from mcpfusion_client.model.json import is_object
from mcpfusion_client.model.text import one_line
from mcpfusion_client.retry import RateLimitGate, RetryBudget
from mcpfusion_client.retry.backoff import step_after, wait_range
from mcpfusion_client.retry.fleet import (
    LONGEST,
    MOST,
    Closed,
    FleetBudget,
    FleetGate,
    is_digest,
)
from mcpfusion_client.retry.validation import check_number
from mcpfusion_client.sessions.background import in_trio

try:
    from redis.asyncio import Redis
except ImportError as _missing:
    msg = "redis-py is not installed: pip install 'mcpfusion-client[redis]'"
    raise ImportError(msg) from _missing

__all__ = ["RedisFleet"]

_log = logging.getLogger("mcpfusion_client")

_VERSION = 1  # of keys and messages; processes of two versions share nothing
_OPENING = 1.0  # seconds that opening waits for Redis at most
_PATIENCE = 2.0  # seconds that an exchange may take
_GAP = 0.05  # seconds between two exchanges at least
_OFTEN, _SELDOM = 1.0, 5.0  # seconds between two at most
_QUIET = 10.0  # seconds without a message after which the subscription is tested
_BACK_OFF, _LONGEST_BACK_OFF = 0.1, 5.0
_TICK = 100  # milliseconds
_FORGOTTEN = 600_000  # milliseconds after which an unused budget is full again
_LONGEST_MESSAGE = 1000

_CLOSE = """
local key, channel, origin = KEYS[1], ARGV[1], ARGV[2]
local tick, longest, most = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
redis.call('ZREMRANGEBYSCORE', key, '(' .. now + longest + tick, '+inf')
for i = 6, #ARGV, 2 do
  -- To the next tick: whoever was told nearly the same has nothing new to tell.
  local till = math.ceil((now + ARGV[i + 1]) / tick) * tick
  if till > (tonumber(redis.call('ZSCORE', key, ARGV[i])) or 0) then
    redis.call('ZADD', key, till, ARGV[i])
    redis.call('PEXPIRE', key, longest + tick)
    redis.call('PUBLISH', channel, cjson.encode({
      v = 1, from = origin, closed = ARGV[i], now = now, ['until'] = till}))
  end
end
redis.call('ZREMRANGEBYRANK', key, 0, -1 - most)
local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
table.insert(all, 1, now)
return all
"""
"""Add what was closed, tell it, and return the time and all that is closed.

A sorted set: what is closed, by the time of Redis until which it is, in milliseconds.
"""

_SPEND = """
local key, channel, origin, name = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local change, capacity, forgotten = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local spent = (tonumber(redis.call('HGET', key, 'spent')) or 0) + change
spent = math.max(0, math.min(spent, 2 * capacity))
if spent == 0 then
  redis.call('DEL', key)
elseif change ~= 0 then
  redis.call('HSET', key, 'spent', string.format('%.6f', spent))
  redis.call('PEXPIRE', key, forgotten)
end
if spent >= capacity / 2 and redis.call('HSETNX', key, 'told', 1) == 1 then
  redis.call('PUBLISH', channel, cjson.encode({v = 1, from = origin, budget = name}))
end
return string.format('%.6f', spent)
"""
"""Count tokens as spent, and return how many the fleet has spent.

Processes hear of a budget when half of it is gone: what a healthy fleet spends and gets
back is nobody's business. More than there is may be spent, since no process asks first.
"""


class RedisFleet:
    """A gate and a budget that a fleet of processes shares through Redis.

    Example::

        async with RedisFleet(Redis.from_url(url)) as fleet:
            client = MCPFusionClient(target, gate=fleet.gate, budget=fleet.budget)

    What a server told one process, "later" or "too many calls", holds back the calls of
    all of them. Retries are paid from one budget. For asyncio, not trio, and for
    clients of the event loop it was opened in.

    Attributes:
        gate: For ``gate=`` of any number of clients.
        budget: For ``budget=`` of any number of clients.
    """

    gate: RateLimitGate
    budget: RetryBudget

    def __init__(
        self,
        redis: Redis,
        *,
        prefix: str = "mcpfusion",
        capacity: float = 50.0,
        refund: float = 1.0,
        clock: Clock | None = None,
    ) -> None:
        """Describe the fleet; nothing is sent yet.

        Args:
            redis: Your own client; it stays yours to close.
            prefix: Begins every key and the name of the channel. Fleets of other
                credentials, which have quotas of their own, get another one.
            capacity: Tokens of the budget; the same in every process.
            refund: Tokens for a success at the first attempt.
            clock: That of the clients, for tests.

        Raises:
            TypeError: *redis* is no ``redis.asyncio.Redis``.
            ValueError: A number is impossible, or *prefix* is empty.
        """
        if not isinstance(cast("object", redis), Redis):
            kind = f"{type(redis).__module__}.{type(redis).__qualname__}"
            msg = f"redis must be a redis.asyncio.Redis, not a {kind}"
            raise TypeError(msg)
        if not prefix:
            msg = "prefix must not be empty: it keeps the keys of fleets apart"
            raise ValueError(msg)
        check_number("capacity", capacity, 1.0)
        self._news = asyncio.Event()
        self._gate = FleetGate(tell=self._news.set)
        self._budget = FleetBudget(capacity, refund, tell=self._news.set)
        self.gate = self._gate
        self.budget = self._budget
        self._redis = redis
        self._prefix = f"{prefix}:{_VERSION}"
        self._clock = clock or SystemClock()
        self._process = secrets.token_hex(8)
        self._known: dict[str, float] = {}
        self._connected: bool | None = None
        self._tried = asyncio.Event()
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Does Redis answer? If not, this process goes by what it sees itself."""
        return self._connected is True

    async def __aenter__(self) -> Self:
        """Ask what is closed, for a second at most; it opens without Redis too.

        Raises:
            RuntimeError: It is open already, or the event loop is trio's.
        """
        if in_trio():
            msg = "RedisFleet needs asyncio, not trio: redis.asyncio does"
            raise RuntimeError(msg)
        if self._task is not None:
            msg = "this RedisFleet is open already; make one for each `async with`"
            raise RuntimeError(msg)
        self._tried.clear()
        self._task = asyncio.create_task(self._stay(), name="RedisFleet")
        try:
            async with asyncio.timeout(_OPENING):
                await self._tried.wait()
        except TimeoutError:
            pass
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tell what is still untold, and leave; gate and budget go on for this one."""
        try:
            if self.connected:
                await self.sync()
        finally:
            await self._leave()

    async def _leave(self) -> None:
        task, self._task = self._task, None
        self._connected = None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def sync(self) -> bool:
        """Tell and ask Redis now; it happens by itself all the time.

        Returns:
            Whether Redis answered.
        """
        try:
            await self._exchange()
        except Exception:  # noqa: BLE001 - the task in the background says why
            return False
        return True

    async def _stay(self) -> None:
        """Stay in touch with Redis, again and again."""
        time = asyncio.get_running_loop().time
        failures = 0
        while _is_wanted():
            started = time()
            try:
                await self._stay_once()
            except Exception as failed:  # noqa: BLE001 - whatever it is, calls go on
                self._lost(failed)
            failures = 0 if time() - started > _LONGEST_BACK_OFF else failures + 1
            step = step_after(
                failures + 1,
                base_delay=_BACK_OFF,
                multiplier=2.0,
                max_delay=_LONGEST_BACK_OFF,
            )
            wait = wait_range(None, step, "spread")
            # In real time, whatever the clients' clock: Redis knows no other.
            await anyio.sleep(wait.at(random.random()))  # noqa: S311 - no secret

    async def _stay_once(self) -> None:
        """Stay in touch with Redis until that fails."""
        client: Any = self._redis  # half of its methods have no types
        async with client.pubsub() as subscription:
            async with asyncio.timeout(_PATIENCE):
                await subscription.subscribe(self._channel)
                if await subscription.get_message(timeout=_PATIENCE) is None:
                    msg = "no answer to SUBSCRIBE"
                    raise TimeoutError(msg)
            await self._exchange()
            self._found()
            if not _is_wanted():
                return
            tasks = [
                asyncio.create_task(self._listen(subscription)),
                asyncio.create_task(self._report()),
            ]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)
            failures = [each.exception() for each in tasks if not each.cancelled()]
            for failure in filter(None, failures):
                raise failure

    def _found(self) -> None:
        if self._connected is False:
            _log.info("Redis works again: gate and budget are the fleet's")
        self._connected = True
        self._tried.set()
        self._news.set()  # a Redis that was started again has forgotten everything

    def _lost(self, failure: Exception) -> None:
        if self._connected is not False:
            _log.warning(
                "Redis fails (%s): gate and budget are those of this "
                "process alone until it works",
                one_line(f"{type(failure).__name__}: {failure}").rstrip(": "),
            )
        self._connected = False
        self._tried.set()

    @property
    def _channel(self) -> str:
        return f"{self._prefix}:news"

    async def _report(self) -> None:
        """Tell what happens here, and ask now and then."""
        while _is_wanted():
            often = self._budget.news() or self._gate.untold
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_OFTEN if often else _SELDOM):
                    await self._news.wait()
            await self._exchange()
            await anyio.sleep(_GAP)

    async def _exchange(self) -> None:
        async with self._turn, asyncio.timeout(_PATIENCE):
            self._news.clear()
            now = self._clock.monotonic()
            closed, spent = self._gate.news(now), self._budget.news()
            left = {
                str(each): math.ceil(1000 * (until - now))
                for each, until in closed.items()
            }
            async with self._redis.pipeline(transaction=False) as pipe:
                self._tell_closed(pipe, left)
                for name, tokens in spent.items():
                    self._tell_spent(pipe, name, tokens)
                everything, *totals = await pipe.execute()
            self._gate.told(closed)
            self._heard_all(everything, left)
            most = 2 * self._budget.capacity
            for (name, tokens), total in zip(spent.items(), totals, strict=True):
                found = min(max(0.0, _number(total) or 0.0), most)
                self._budget.told(name, tokens, found)

    def _tell_closed(self, pipe: Any, left: dict[str, int]) -> None:
        told = [each for pair in left.items() for each in pair]
        limits = _TICK, int(1000 * LONGEST), MOST
        key = f"{self._prefix}:closed"
        pipe.eval(_CLOSE, 1, key, self._channel, self._process, *limits, *told)

    def _tell_spent(self, pipe: Any, name: str, tokens: float) -> None:
        limits = self._budget.capacity, _FORGOTTEN
        key = f"{self._prefix}:budget:{name}"
        told = name, tokens
        pipe.eval(_SPEND, 1, key, self._channel, self._process, *told, *limits)

    async def _listen(self, subscription: Any) -> None:
        """Hear of what happens elsewhere.

        Raises:
            TimeoutError: The subscription is dead.
        """
        tested = False
        while _is_wanted():
            message = await subscription.get_message(timeout=_QUIET)
            if message is not None:
                tested = False
                if message["type"] == "message":
                    self._heard(message["data"])
            elif tested:
                msg = "the subscription is silent"
                raise TimeoutError(msg)
            else:
                await subscription.ping()
                tested = True

    def _heard(self, message: object) -> None:
        text = _text(message)
        told = loads(text) if len(text) <= _LONGEST_MESSAGE else None
        if not is_object(told) or told.get("v") != _VERSION:
            return
        if told.get("from") == self._process:
            return
        if is_digest(told.get("budget")):
            self._budget.heard(told["budget"])
        elif len(self._known) < 2 * MOST:
            self._heard_closed(told.get("closed"), told.get("now"), told.get("until"))

    def _heard_all(self, reply: list[object], left: dict[str, int]) -> None:
        """Hear all that is closed.

        Args:
            reply: The time of Redis, then what is closed and until when, in turn.
            left: What of it this process has just told, with the milliseconds left.
        """
        now, *pairs = reply
        closed = [_text(each) for each in pairs[::2]]
        for text, until in zip(closed, pairs[1::2], strict=True):
            ours = left[text] + _TICK if text in left else 0
            self._heard_closed(text, now, until, ours)
        for text in self._known.keys() - closed:
            del self._known[text]
        self._gate.tell_again(except_for=closed)

    def _heard_closed(
        self, text: object, now: object, until: object, ours: int = 0
    ) -> None:
        """Close the gate, unless that is known or no more than *ours*, in ms."""
        closed = Closed.read(_text(text))
        start, end = _number(now), _number(until)
        if closed is None or start is None or end is None:
            return
        known = self._known.get(str(closed), 0.0)
        if end <= known or not 0.0 < end - start <= 1000 * LONGEST + _TICK:
            return
        self._known[str(closed)] = end
        if end - start > ours:
            now_here = self._clock.monotonic()
            self._gate.heard(closed, now_here, (end - start) / 1000)


def _is_wanted() -> bool:
    """Has nobody cancelled this task? On the way through a library that may be lost."""
    task = asyncio.current_task()
    return task is not None and not task.cancelling()


def _text(value: object) -> str:
    """Return a text of Redis; whether its client decodes them is the user's choice."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    """Return a number of Redis, None when it is none or not finite."""
    try:
        found = float(value if isinstance(value, int | float) else _text(value))
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
