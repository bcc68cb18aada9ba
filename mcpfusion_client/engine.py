"""One call from start to finish: rules, gate, middleware, attempt, decide, wait.

The engine is the only place that waits. What it waits for, how long and whether
at all is decided by pure functions elsewhere. Cancellation passes through from
every point at once.
"""

import logging
import math
import random
from datetime import datetime
from typing import cast

import anyio
import attrs

from mcpfusion_client.clock import Clock
from mcpfusion_client.decode import Decoder
from mcpfusion_client.middleware import Middleware, stack
from mcpfusion_client.model import (
    Attempt,
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    JsonValue,
    Origin,
    StopReason,
    ToolCall,
    ToolResult,
)
from mcpfusion_client.model.snapshot import recopy, snapshot
from mcpfusion_client.nesting import (
    GivenUp,
    give_up,
    listen,
    stop_listening,
    yielding,
)
from mcpfusion_client.observers import Audience, log_warning
from mcpfusion_client.reply import Failed, Reply, read
from mcpfusion_client.retry import Retry, RetryPolicy, Rule, Stop, refusal_of
from mcpfusion_client.retry.budget import RetryBudget
from mcpfusion_client.retry.gate import Go, RateLimitGate, Refused, Ticket
from mcpfusion_client.retry.patterns import matches_any
from mcpfusion_client.retry.rules import Refusal, tell_success
from mcpfusion_client.sessions.base import (
    Connection,
    Outcome,
    ProgressCallback,
    Request,
)

_log = logging.getLogger("mcpfusion_client")

ATTEMPT_META = "mcpfusion/attempt"
"""The key in ``_meta`` that carries the attempt number, from the second on."""

KEY_META = "mcpfusion/idempotencyKey"
"""The key in ``_meta`` that carries an idempotency key no argument takes."""


@attrs.frozen(kw_only=True)
class Plan:
    """The limits of one call.

    Attributes:
        policy: May it be repeated, and how often.
        started: When it started, on the engine's clock.
        timeout: Seconds one attempt may take; ``math.inf`` lifts it.
        deadline: Seconds from the start by which everything ends.
        progress: Told of every progress notification.
    """

    policy: RetryPolicy
    started: float
    timeout: float = math.inf
    deadline: float = math.inf
    progress: ProgressCallback | None = None

    def left(self, now: float) -> float:
        """Return the seconds until the deadline."""
        return self.deadline - (now - self.started)


@attrs.frozen(kw_only=True, eq=False)
class Engine:
    """Runs calls over one connection.

    Attributes:
        connection: Where requests go.
        clock: Time, as seen by every wait and timer.
        randomness: Spreads the waits.
        decoder: Reads every result.
        detect_disguised: Look for failures that were sent as successes.
        rules: Asked before the first attempt and after every failure.
        middleware: Around every attempt; the first is outermost.
        audience: Hears of every step.
        gate: Holds calls back, None: nothing does.
        budget: Pays for retries, None: they are free.
    """

    connection: Connection
    clock: Clock
    randomness: random.Random
    decoder: Decoder
    detect_disguised: bool = False
    rules: tuple[Rule, ...] = ()
    middleware: tuple[Middleware, ...] = ()
    audience: Audience
    gate: RateLimitGate | None = None
    budget: RetryBudget | None = None

    async def run(self, call: ToolCall, plan: Plan) -> ToolResult | Failed:
        """Carry out one call.

        Args:
            call: The routed call; its arguments belong to the engine from now on.
            plan: Its limits.

        Returns:
            The result of a success, else `Failed`.
        """
        ended = await _Run(self, call, plan).go()
        if isinstance(ended, Failed):
            give_up(ended.error, ended.reason)
        return ended


_FIRST_TRY = Stop(StopReason.FIRST_TRY)
_RETRIED = Stop(StopReason.RETRIED)
_NO_TIME = Stop(StopReason.DEADLINE_TOO_SHORT)
_NO_BUDGET = Stop(StopReason.BUDGET_EXHAUSTED)
_NEVER_SENT = Reply()
_TOO_LATE = ErrorInfo(
    message="the deadline passed before the call was sent; `deadline=` sets it",
    code=ErrorCode.TIMEOUT,
    category=ErrorCategory.TRANSIENT,
    is_retryable=True,
    execution=Execution.NOT_EXECUTED,
    origin=Origin.CLIENT,
    dialect="client_timer",
)
_CUT_OFF = attrs.evolve(
    _TOO_LATE,
    message="the deadline passed while middleware was at work; `deadline=` sets it",
    execution=Execution.UNKNOWN,
)
# Seconds that middleware gets beyond the deadline: the timer of the attempt itself
# knows whether the request was sent, so it goes first.
_GRACE = 0.01


class _Run:
    """One call under way."""

    def __init__(self, engine: Engine, call: ToolCall, plan: Plan) -> None:
        self.engine = engine
        self.call = call
        self.plan = plan
        self.number = 0
        self.attempts: list[Attempt] = []
        self.last = _NEVER_SENT
        self.given_up: list[GivenUp] = []
        self.ticket: Ticket | None = None
        self.owes_token = False

    async def go(self) -> ToolResult | Failed:
        """Send the call until it succeeds or must not be sent again."""
        if self.engine.rules:
            refusal = self._ask_rules(None)
            if refusal is not None:
                return self._refuse(refusal)
        try:
            return await self._repeat()
        finally:
            self._let_go()

    async def _repeat(self) -> ToolResult | Failed:
        clock = self.engine.clock
        while True:
            self.number += 1
            held = await self._pass_gate(clock.monotonic())
            if held is not None:
                self.last = _NEVER_SENT
                return self._fail(held.info, Stop(held.reason))
            began, started = clock.monotonic(), clock.wall()
            if self.plan.left(began) <= 0:
                first = self.number == 1
                return (
                    self._fail(_TOO_LATE, _NO_TIME) if first else self._finish(_NO_TIME)
                )
            self.last = await self._attempt(began)
            ended = clock.monotonic()
            self._report(ended)
            verdict = self._judge(ended)
            self._record(verdict, started, ended - began)
            if not isinstance(verdict, Retry):
                return self._finish(verdict)
            self._tell("on_retry", self.attempts[-1])
            await clock.sleep(verdict.delay)

    async def _pass_gate(self, now: float) -> Refused | None:
        """Wait until the gate lets the call go; return why it never will."""
        gate, engine = self.engine.gate, self.engine
        if gate is None:
            return None
        ticket = self.ticket
        if ticket is None:
            ticket = self.ticket = self._ticket(gate, now)
        answer = gate.ask(ticket, now, engine.randomness.random())
        if isinstance(answer, Go):
            return None
        told = False
        while not isinstance(answer, Go | Refused):
            awake = anyio.Event()
            ticket.wake = awake.set
            if not told:
                told = True
                seconds = answer.seconds if math.isfinite(answer.seconds) else None
                self._tell("on_gate", seconds)
            with engine.clock.timeout(answer.seconds):
                await awake.wait()
            now = engine.clock.monotonic()
            answer = gate.ask(ticket, now, engine.randomness.random())
        return answer if isinstance(answer, Refused) else None

    def _ticket(self, gate: RateLimitGate, now: float) -> Ticket:
        plan = self.plan
        room = plan.left(now)
        if room == math.inf:
            room = plan.policy.retry_window - (now - plan.started)
        return gate.ticket(
            self.engine.connection.server,
            self.call.tool,
            now,
            room,
            max_retry_after=plan.policy.max_retry_after,
        )

    async def _attempt(self, now: float) -> Reply:
        self.given_up = []
        token = listen(self.given_up)
        try:
            if self.engine.middleware:
                return await self._attempt_in_middleware(now)
            arguments = recopy(cast("dict[str, JsonValue]", self.call.arguments))
            return self._read(await self._send(self.call, arguments, now))
        finally:
            stop_listening(token)

    async def _attempt_in_middleware(self, now: float) -> Reply:
        engine = self.engine
        sent = [_NEVER_SENT]

        async def send(call: ToolCall) -> ToolResult:
            arguments = snapshot(call.arguments, what="arguments")
            now = engine.clock.monotonic()
            sent.append(self._read(await self._send(call, arguments, now)))
            return sent[-1].result(sent[-1].error)

        made: ToolResult | None = None
        with engine.clock.timeout(self.plan.left(now) + _GRACE):
            made = await stack(engine.middleware, send)(self._copy())
        return Reply(_CUT_OFF) if made is None else sent[-1].remade(made)

    def _copy(self) -> ToolCall:
        """Return the call for somebody else's eyes and hands."""
        return attrs.evolve(
            self.call,
            arguments=snapshot(self.call.arguments, what="arguments"),
            meta=snapshot(self.call.meta, what="meta"),
            attempt=max(1, self.number),
        )

    async def _send(
        self, call: ToolCall, arguments: dict[str, JsonValue], now: float
    ) -> Outcome:
        """Send one request; *arguments* are its own."""
        meta = dict(call.meta)
        if self.number > 1:
            meta[ATTEMPT_META] = self.number
        if call.idempotency_key is not None:
            argument = call.effects.idempotency_argument
            if argument is None:
                meta[KEY_META] = call.idempotency_key
            else:
                arguments[argument] = call.idempotency_key
        left = self.plan.left(now)
        request = Request(
            tool=call.tool,
            arguments=arguments,
            meta=meta,
            timeout=min(self.plan.timeout, left),
            limit=left,
            progress=self.plan.progress,
        )
        return await self.engine.connection.call_tool(request)

    def _read(self, outcome: Outcome) -> Reply:
        engine = self.engine
        return read(
            outcome,
            engine.decoder,
            received_at=engine.clock.wall(),
            detect_disguised=engine.detect_disguised,
        )

    def _report(self, now: float) -> None:
        """Tell the gate what became of the attempt."""
        gate, ticket = self.engine.gate, self.ticket
        self.owes_token = False
        if gate is None or ticket is None:
            return
        failure = self.last.failure
        if self.last.outcome is None:
            gate.abandoned(ticket, now)
        elif failure is None:
            gate.succeeded(ticket, now)
        else:
            gate.failed(ticket, failure, now)

    def _let_go(self) -> None:
        """Give back what the call still holds; it does when it was cancelled."""
        engine = self.engine
        if engine.gate is not None and self.ticket is not None:
            engine.gate.abandoned(self.ticket, engine.clock.monotonic())
        if engine.budget is not None and self.owes_token:
            engine.budget.give_back(engine.connection.server)

    def _judge(self, now: float) -> Retry | Stop | Refusal:
        """Say what follows the last attempt."""
        error = self.last.error
        if error is not None:
            refusal = self._ask_rules(error) if self.engine.rules else None
            return refusal or self._decide(error, now)
        codes = self.plan.policy.retry_warning_codes
        if codes:
            for warning in self.last.warnings:
                if warning.code is not None and matches_any(codes, warning.code):
                    return self._decide(warning, now)
        return _FIRST_TRY if self.number == 1 else _RETRIED

    def _decide(self, error: ErrorInfo, now: float) -> Retry | Stop:
        engine = self.engine
        decision = self.plan.policy.decide(
            error,
            self.call.effects,
            attempt=self.number,
            elapsed=max(0.0, now - self.plan.started),
            jitter=engine.randomness.random(),
            deadline=self.plan.deadline,
            answered=self.last.answered,
        )
        if self.given_up:
            decision = yielding(
                decision, error, self.given_up, harmless=self._harmless()
            )
        if isinstance(decision, Retry) and engine.budget is not None:
            self.owes_token = engine.budget.take(engine.connection.server)
            return decision if self.owes_token else _NO_BUDGET
        return decision

    def _record(
        self, verdict: Retry | Stop | Refusal, started: datetime, duration: float
    ) -> None:
        """Keep the record of an attempt and tell it."""
        error, delay = self.last.error, None
        if isinstance(verdict, Retry):
            delay = verdict.delay
            error = error or next(iter(self.last.warnings), None)
        reason = verdict.stop_reason if isinstance(verdict, Refusal) else verdict.reason
        attempt = Attempt(
            number=self.number,
            started=started,
            duration=duration,
            error=error,
            delay=delay,
            reason=reason,
        )
        self.attempts.append(attempt)
        for warning in self.last.warnings:
            log_warning(self.call, warning)
            self._tell("on_warning", warning)
        self._tell("on_attempt", attempt)

    def _finish(self, verdict: Stop | Refusal) -> ToolResult | Failed:
        if isinstance(verdict, Refusal):
            return self._refuse(verdict)
        if self.last.error is not None:
            return self._fail(self.last.error, verdict)
        engine = self.engine
        if engine.budget is not None:
            engine.budget.succeeded(engine.connection.server, retried=self.number > 1)
        if engine.rules:
            for raised in tell_success(engine.rules, self._copy()):
                _log.error("a rule raised after a success", exc_info=raised)
        self._tell("on_stop", tuple(self.attempts), verdict.reason, None)
        return self.last.result(None, self.attempts, verdict.reason)

    def _ask_rules(self, error: ErrorInfo | None) -> Refusal | None:
        return refusal_of(self.engine.rules, self._copy(), error)

    def _refuse(self, refusal: Refusal) -> Failed:
        failure = self.last.error
        if refusal.cause is not None:
            _log.error("a rule raised; it blocks the call", exc_info=refusal.cause)
        why = refusal.answer.reason
        self._tell("on_block", refusal.stop_reason, why, failure)
        stop = Stop(refusal.stop_reason)
        return self._fail(refusal.info(failure), stop, refusal.cause)

    def _fail(
        self, error: ErrorInfo, stop: Stop, cause: BaseException | None = None
    ) -> Failed:
        if stop.next_step is not None:
            error = attrs.evolve(error, advice=stop.next_step)
        error = _in_hindsight(error, self.attempts)
        self._tell("on_stop", tuple(self.attempts), stop.reason, error)
        return Failed(
            error=error,
            reason=stop.reason,
            result=self.last.result(error, self.attempts, stop.reason),
            tool=self.call.tool,
            harmless=self._harmless(),
            cause=cause or self.last.cause,
        )

    def _harmless(self) -> bool:
        return self.plan.policy.is_harmless(self.call.effects)

    def _tell(self, event: str, *facts: object) -> None:
        audience = self.engine.audience
        if not audience.empty:
            audience.tell(event, self.call, *facts)


def _in_hindsight(error: ErrorInfo, attempts: list[Attempt]) -> ErrorInfo:
    """Return *error* for the whole call: it may have run in an earlier attempt."""
    if error.execution is not Execution.NOT_EXECUTED:
        return error
    earlier = {
        attempt.error.execution for attempt in attempts if attempt.error is not None
    }
    for execution in (Execution.EXECUTED, Execution.UNKNOWN):
        if execution in earlier:
            return attrs.evolve(error, execution=execution)
    return error
