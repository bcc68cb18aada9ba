"""One call from start to finish: rules, gate, middleware, attempt, decide, wait.

The engine is the only place that waits. What it waits for, how long and whether
at all is decided by pure functions elsewhere. Cancellation passes through from
every point at once.
"""

import logging
import math
import random
from datetime import datetime

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
    NextStep,
    Origin,
    StopReason,
    ToolCall,
    ToolResult,
)
from mcpfusion_client.model.snapshot import recopy, snapshot
from mcpfusion_client.nesting import (
    GivenUp,
    give_up,
    given_up_here,
    yielding,
)
from mcpfusion_client.observers import Audience, log_warning
from mcpfusion_client.reply import Failed, Reply, in_hindsight, nothing_to_verify, read
from mcpfusion_client.retry import Retry, RetryPolicy, Rule, Stop, refusal_of
from mcpfusion_client.retry.patterns import matches_any
from mcpfusion_client.retry.rules import Refusal, tell_success
from mcpfusion_client.retry.ticket import Refused, Ticket
from mcpfusion_client.sessions.base import (
    Connection,
    Outcome,
    ProgressCallback,
    Request,
)
from mcpfusion_client.shared import Shared

_log = logging.getLogger("mcpfusion_client")

ATTEMPT_META = "mcpfusion/attempt"
"""The key in ``_meta`` that carries the attempt number, from the second on."""

KEY_META = "mcpfusion/idempotencyKey"
"""The key in ``_meta`` that carries an idempotency key no argument takes."""


@attrs.frozen(kw_only=True)
class Plan:
    """The limits of a call.

    Attributes:
        policy: May it be repeated, and how often.
        timeout: Seconds one attempt may take; ``math.inf`` lifts it.
        deadline: Seconds from the call's start by which everything ends.
        progress: Told of every progress notification.
        key_made: The idempotency key was made for this call, so the caller, who
            does not know it, cannot send the call again under it.
    """

    policy: RetryPolicy
    timeout: float = math.inf
    deadline: float = math.inf
    progress: ProgressCallback | None = None
    key_made: bool = False


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
        shared: Gate and budget.
    """

    connection: Connection
    clock: Clock
    randomness: random.Random
    decoder: Decoder
    detect_disguised: bool = False
    rules: tuple[Rule, ...] = ()
    middleware: tuple[Middleware, ...] = ()
    audience: Audience
    shared: Shared

    async def run(
        self, call: ToolCall, plan: Plan, started: float
    ) -> ToolResult | Failed:
        """Carry out one call.

        Args:
            call: The routed call; its arguments belong to the engine from now on.
            plan: Its limits.
            started: When it started, on the engine's clock.

        Returns:
            The result of a success, else `Failed`.
        """
        run = _Run(self, call, plan, started)
        if not self.audience.empty:
            self.audience.tell("on_start", run.told, self.connection.peer)
        try:
            ended = await run.repeat()
        except BaseException as raised:
            self.audience.tell("on_abort", run.told, tuple(run.attempts), raised)
            raise
        finally:
            if run.ticket is not None or run.owes_token:
                self.shared.let_go(run.ticket, owes_token=run.owes_token)
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

    __slots__ = (
        "attempts",
        "call",
        "engine",
        "given_up",
        "last",
        "number",
        "owes_token",
        "plan",
        "started",
        "ticket",
        "told",
    )

    def __init__(
        self, engine: Engine, call: ToolCall, plan: Plan, started: float
    ) -> None:
        self.engine = engine
        self.call = call
        self.told = call if engine.audience.empty else _copied(call)
        self.plan = plan
        self.started = started
        self.number = 0
        self.attempts: list[Attempt] = []
        self.last = _NEVER_SENT
        self.given_up: list[GivenUp] = []
        self.ticket: Ticket | None = None
        self.owes_token = False

    async def repeat(self) -> ToolResult | Failed:
        """Send the call until it succeeds or must not be sent again."""
        engine, shared = self.engine, self.engine.shared
        refusal = self._ask_rules(None) if engine.rules else None
        if refusal is not None:
            return self._refuse(refusal)
        while True:
            self.number += 1
            now = engine.clock.monotonic()
            if self.ticket is None:
                self.ticket = self._new_ticket(now)
            held = shared.ask(self.ticket, now)
            if held is not None:
                refused = await shared.wait(self.ticket, held, self._tell_gate)
                if refused is not None:
                    return self._turn_back(refused)
                now = engine.clock.monotonic()
            if now - self.started >= self.plan.deadline:
                if self.number == 1:
                    return self._fail(_TOO_LATE, _NO_TIME)
                return self._finish(_NO_TIME)
            verdict = await self._attempt(now)
            if not isinstance(verdict, Retry):
                return self._finish(verdict)
            self._tell("on_retry", self.attempts[-1])
            await engine.clock.sleep(verdict.delay)

    def _turn_back(self, refused: Refused) -> ToolResult | Failed:
        """End the call: the gate does not let it go."""
        stop = Stop(refused.reason)
        if self.attempts and self.last.error is None:
            return self._finish(stop)  # an answer that was to be repeated, no more
        self.last = _NEVER_SENT
        return self._fail(refused.info, stop)

    def _new_ticket(self, now: float) -> Ticket | None:
        policy = self.plan.policy
        room = self._left(now)
        if room == math.inf:
            room = policy.retry_window - (now - self.started)
        return self.engine.shared.ticket(
            self.call.tool, now, room, policy.max_retry_after
        )

    def _left(self, now: float) -> float:
        """Return the seconds until the deadline."""
        return self.plan.deadline - (now - self.started)

    async def _attempt(self, now: float) -> Retry | Stop | Refusal:
        """Send the call once, and say what follows."""
        engine, clock = self.engine, self.engine.clock
        started = clock.wall()
        self.given_up = []
        token = given_up_here.set(self.given_up)
        try:
            if engine.middleware:
                last = await self._send_through_middleware(now)
            else:
                arguments = recopy(self.call.arguments)
                request = self._request(self.call, arguments, now)
                last = self._read(await engine.connection.call_tool(request))
        finally:
            given_up_here.reset(token)
        ended = clock.monotonic()
        self.last = last
        self.owes_token = False
        engine.shared.report(self.ticket, last, ended)
        verdict = self._judge(ended)
        self._record(verdict, started, ended - now)
        return verdict

    async def _send_through_middleware(self, now: float) -> Reply:
        engine = self.engine
        sent = [_NEVER_SENT]

        async def send(call: ToolCall) -> ToolResult:
            arguments = snapshot(call.arguments, what="arguments")
            request = self._request(call, arguments, engine.clock.monotonic())
            sent.append(self._read(await engine.connection.call_tool(request)))
            return sent[-1].result(sent[-1].error)

        made: ToolResult | None = None
        with engine.clock.timeout(self._left(now) + _GRACE):
            made = await stack(engine.middleware, send)(self._copy())
        return Reply(_CUT_OFF) if made is None else sent[-1].remade(made)

    def _copy(self) -> ToolCall:
        """Return the call for somebody else's eyes and hands."""
        return attrs.evolve(_copied(self.call), attempt=max(1, self.number))

    def _request(
        self, call: ToolCall, arguments: dict[str, JsonValue], now: float
    ) -> Request:
        """Return the request of one attempt; *arguments* are its own."""
        meta = recopy(call.meta)
        audience = self.engine.audience
        if not audience.empty:
            meta = audience.trace_context(self.told) | meta
        if self.number > 1:
            meta[ATTEMPT_META] = self.number
        if call.idempotency_key is not None:
            argument = call.effects.idempotency_argument
            if argument is None:
                meta[KEY_META] = call.idempotency_key
            else:
                arguments[argument] = call.idempotency_key
        plan = self.plan
        left = self._left(now)
        return Request(
            tool=call.tool,
            arguments=arguments,
            meta=meta,
            timeout=min(plan.timeout, left),
            limit=left,
            progress=plan.progress,
        )

    def _read(self, outcome: Outcome) -> Reply:
        engine = self.engine
        return read(
            outcome,
            engine.decoder,
            wall=engine.clock.wall,
            detect_disguised=engine.detect_disguised,
        )

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
            elapsed=max(0.0, now - self.started),
            jitter=engine.randomness.random(),
            deadline=self.plan.deadline,
            answered=self.last.answered,
        )
        if self.given_up:
            decision = yielding(
                decision, error, self.given_up, harmless=self._harmless()
            )
        if isinstance(decision, Retry):
            self.owes_token = engine.shared.pay()
            return decision if self.owes_token else _NO_BUDGET
        return decision

    def _record(
        self, verdict: Retry | Stop | Refusal, started: datetime, duration: float
    ) -> None:
        """Keep the record of an attempt and tell it."""
        error, delay, outcome = self.last.error, None, self.last.outcome
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
            request_id=None if outcome is None else outcome.request_id,
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
        engine.shared.earn(retried=len(self.attempts) > 1)
        self.ticket = None
        if engine.rules:
            for raised in tell_success(engine.rules, self._copy()):
                _log.error("a rule raised after a success", exc_info=raised)
        self._tell_stop(verdict.reason, None)
        return self.last.result(None, self.attempts, verdict.reason)

    def _ask_rules(self, error: ErrorInfo | None) -> Refusal | None:
        return refusal_of(self.engine.rules, self._copy(), error)

    def _refuse(self, refusal: Refusal) -> Failed:
        failure = self.last.error
        if refusal.cause is not None:
            _log.error("a rule raised; it blocks the call", exc_info=refusal.cause)
        for raised in refusal.later:
            _log.error("a rule raised; another one refused", exc_info=raised)
        why = refusal.answer.reason
        self._tell("on_block", refusal.stop_reason, why, failure)
        stop = Stop(refusal.stop_reason)
        return self._fail(refusal.info(failure), stop, refusal.cause)

    def _fail(
        self, error: ErrorInfo, stop: Stop, cause: BaseException | None = None
    ) -> Failed:
        error = in_hindsight(error, self.attempts)
        key_lost = self.plan.key_made and error.execution is not Execution.NOT_EXECUTED
        harmless = self._harmless_anew() if key_lost else self._harmless()
        advice = stop.next_step
        if key_lost and not harmless:
            advice = NextStep.VERIFY_STATE
        elif advice is None and harmless:
            advice = nothing_to_verify(error, self.call.effects)
        if advice is not None:
            error = attrs.evolve(error, advice=advice)
        self._tell_stop(stop.reason, error)
        return Failed(
            error=error,
            reason=stop.reason,
            result=self.last.result(error, self.attempts, stop.reason),
            tool=self.call.tool,
            harmless=harmless,
            key_lost=key_lost,
            cause=cause or self.last.cause,
        )

    def _tell_gate(self, seconds: float | None) -> None:
        self._tell("on_gate", seconds)

    def _harmless(self) -> bool:
        return self.plan.policy.is_harmless(self.call.effects)

    def _harmless_anew(self) -> bool:
        """Is the call safe to repeat under another key, or under none?"""
        effects = attrs.evolve(self.call.effects, idempotency_argument=None)
        return self.plan.policy.is_harmless(effects)

    def _tell_stop(self, reason: StopReason, error: ErrorInfo | None) -> None:
        if not self.engine.audience.empty:
            self._tell("on_stop", tuple(self.attempts), reason, error)

    def _tell(self, event: str, *facts: object) -> None:
        self.engine.audience.tell(event, self.told, *facts)


def _copied(call: ToolCall) -> ToolCall:
    """Return the call for others: what they do to it reaches nobody else."""
    arguments, meta = recopy(call.arguments), recopy(call.meta)
    return attrs.evolve(call, arguments=arguments, meta=meta)
