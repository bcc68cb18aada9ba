"""Hold the public client to the retry scenarios.

Nothing is decided here: a scenario's call goes through `MCPFusionClient`, and what
the scenario's server does is turned into what a session returns or raises.
"""

import itertools
import math
import random
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

import attrs

from mcpfusion_client.client import MCPFusionClient
from mcpfusion_client.clock import SystemClock
from mcpfusion_client.decode import decode, from_http, from_rpc
from mcpfusion_client.engine import KEY_META
from mcpfusion_client.errors import MCPFusionClientError, StateUnknownError, for_info
from mcpfusion_client.model import (
    Attempt,
    ErrorCategory,
    ErrorInfo,
    Execution,
    JsonValue,
    Severity,
    ToolCall,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.retry import RetryPolicy
from mcpfusion_client.retry.budget import RetryBudget
from mcpfusion_client.retry.decision import Case, Repeat, row_for
from mcpfusion_client.retry.gate import RateLimitGate
from mcpfusion_client.retry.safety import Safety
from mcpfusion_client.sessions import failures

KEY = "idempotency_key"
MADE_BY_SDK = frozenset({-32000, -32001, -32700})
REPORTED_CODES = {
    "-32000": "CONNECTION_LOST",
    "-32001": "TIMEOUT",
    "-32603": "INTERNAL_ERROR",
    "-32700": "BAD_RESPONSE",
}


class Reply(Protocol):
    """What the scenario's server sends: a result, an HTTP or a JSON-RPC error."""

    kind: str
    wire: Mapping[str, Any]
    decoded: Mapping[str, Any] | None
    status: int
    headers: Mapping[str, str]
    code: int
    message: str
    data: JsonValue


class Scenario(Protocol):
    """One call of a scenario, as the runner hands it over."""

    tool: Mapping[str, Any]
    server: str
    tool_name: str
    opts: Mapping[str, Any]
    hook: Callable[[int, float, str | None], object]
    send: Callable[[Mapping[str, Any]], Awaitable[Reply]]


class ScenarioClock(SystemClock):
    """The runner's event loop keeps virtual time; the wall clock is its own."""

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall

    def wall(self) -> datetime:
        """The runner's wall-clock time."""
        return datetime.fromtimestamp(self._wall(), UTC)


@attrs.define
class ScenarioSession:
    """A `ToolSession` that plays one call of a scenario."""

    scenario: Scenario
    clock: ScenarioClock
    ids: "itertools.count[int]"

    @property
    def server(self) -> str:
        """Whose gate and budget the call falls under."""
        return self.scenario.server

    async def list_tools(self) -> list[ToolInfo]:
        """List the one tool of the scenario."""
        declared = self.scenario.opts.get("idempotency", {}).get("declared", False)
        return [
            ToolInfo(
                name=self.scenario.tool_name,
                annotations=self.scenario.tool,
                input_schema={"properties": {KEY: {}} if declared else {}},
            )
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], *, meta: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Send one attempt, and return or raise what a session would."""
        del name
        sent = {"request_id": next(self.ids)}
        key = arguments.get(KEY, meta.get(KEY_META))
        try:
            reply = await self.scenario.send(sent | ({KEY: key} if key else {}))
        except Exception as lost:
            kind = getattr(lost, "kind", None)
            if not isinstance(kind, str):
                raise
            raise for_info(transport_failure(kind)) from lost
        if reply.kind == "result":
            return on_the_wire(reply.wire, reply.decoded)
        raise for_info(self._failure(reply))

    def _failure(self, reply: Reply) -> ErrorInfo:
        if reply.kind == "http":
            return from_http(
                status=reply.status,
                headers=reply.headers,
                received_at=self.clock.wall(),
            )
        return from_rpc(
            code=reply.code,
            message=reply.message,
            data=reply.data,
            sdk_made=reply.code in MADE_BY_SDK,
            received_at=self.clock.wall(),
        )


def transport_failure(kind: str) -> ErrorInfo:
    """Return what the session layer says about a lost connection."""
    if kind.startswith("connect_"):
        return failures.connect_failed("scenario", kind)
    if kind == "session_terminated":
        return from_rpc(code=-32600, message="Session terminated", sdk_made=True)
    return failures.connection_lost("scenario", kind, sent=True)


def on_the_wire(
    wire: Mapping[str, Any], decoded: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    """Add what the scenario says the server stated, where the wire lacks it."""
    info = decode(wire) if decoded else None
    if info is None or not decoded:
        return wire
    lacking = {
        name: value
        for name, value in decoded.items()
        if value is not None
        and (getattr(info, name) != value or name not in info.stated)
    }
    stated: Mapping[str, Any] = wire.get("structuredContent", {})
    return {**wire, "structuredContent": {**stated, **lacking}} if lacking else wire


@attrs.define
class Hook:
    """Hands the waits of a call to the runner."""

    scenario: Scenario

    def on_retry(self, call: ToolCall, attempt: Attempt) -> None:
        """Tell the runner."""
        del call
        code = None if attempt.error is None else attempt.error.code
        self.scenario.hook(attempt.number, attempt.delay or 0.0, code)


@attrs.define
class ScenarioEngine:
    """One process: clients that share a gate and a budget."""

    policy: Mapping[str, Any]
    rng: random.Random
    clock: ScenarioClock
    gate: RateLimitGate | None
    budget: RetryBudget
    ids: "itertools.count[int]" = attrs.field(factory=itertools.count)

    async def call(self, scenario: Scenario) -> dict[str, Any]:
        """Carry out one call and report it the way the runner reads."""
        client = MCPFusionClient(
            ScenarioSession(scenario, self.clock, self.ids),
            retry=retry_policy(self.policy, scenario.opts),
            timeout=self.policy["attempt_timeout"],
            trust_annotations=self.policy["trust_annotations"],
            budget=self.budget,
            gate=self.gate,
            observers=[Hook(scenario)],
            clock=self.clock,
            random=self.rng,
        )
        opts = scenario.opts
        async with client:
            try:
                result = await client.call_tool(
                    scenario.tool_name,
                    retry=False if opts.get("retry") is False else None,
                    deadline=opts.get("deadline"),
                    idempotent=opts.get("idempotent"),
                    idempotency_key=opts.get("idempotency", {}).get("key"),
                )
            except MCPFusionClientError as error:
                return failure_report(error)
        used = self.budget.capacity - self.budget.left(scenario.server)
        return success_report(result) | {"budget_used": used}


def retry_policy(policy: Mapping[str, Any], opts: Mapping[str, Any]) -> RetryPolicy:
    """Return the product's policy for the words of the scenario."""
    return RetryPolicy(
        enabled=policy["enabled"],
        max_attempts=opts.get("max_attempts", policy["max_attempts"]),
        base_delay=min(policy["base"], policy["cap"]),
        max_delay=policy["cap"],
        jitter="full",
        max_retry_after=policy["retry_after_max"],
        retry_window=math.inf,  # the scenarios know a deadline only
        deadline=policy["deadline"],
        min_attempt=policy["min_attempt"],
        trust_retryable_on_writes=policy.get("trust_retryable_on_writes", False),
        retry_codes=opts.get("retry_codes", ()),
        retry_warning_codes=policy.get("retry_warning_codes", ()),
    )


def success_report(result: ToolResult) -> dict[str, Any]:
    """Report a success."""
    return {
        "final": "ok",
        "reason": result.stop_reason,
        "history": len(result.attempts),
        "warnings": [warning.code for warning in result.warnings],
    }


def failure_report(error: MCPFusionClientError) -> dict[str, Any]:
    """Report a failure."""
    return {
        "final": "error",
        "reason": error.stop_reason,
        "code": reported_code(error.code),
        "category": reported_category(error.info),
        "retry_after": error.retry_after,
        "outcome_unknown": isinstance(error, StateUnknownError),
        "history": len(error.attempts),
    }


def reported_code(code: str | None) -> str | None:
    """Return the code in the runner's words."""
    if code is None or not code.lstrip("-").isdigit():
        return code
    return REPORTED_CODES.get(code, "PROTOCOL_ERROR")


def reported_category(info: ErrorInfo) -> str:
    """Return the category in the runner's words."""
    if info.severity is Severity.CRITICAL:
        return "critical"
    transient = info.category.family is ErrorCategory.TRANSIENT
    if transient and info.execution is Execution.NOT_EXECUTED:
        return "rejected"
    unstated = attrs.evolve(info, stated=frozenset(), stated_next_step=None)
    case = Case(info=unstated, safety=Safety.WRITE, named=False, believed=False)
    if transient or row_for(case).repeat is Repeat.IF_HARMLESS:
        return "unknown_outcome"
    return "permanent"


def make(
    policy: Mapping[str, Any],
    rng: random.Random,
    now: Callable[[], float],
    wall: Callable[[], float],
) -> ScenarioEngine:
    """Return one process, for the scenario runner."""
    del now  # the runner's loop is the clock
    return ScenarioEngine(
        policy=policy,
        rng=rng,
        clock=ScenarioClock(wall),
        gate=RateLimitGate() if policy["gate"] else None,
        budget=RetryBudget(**policy["budget"]),
    )
