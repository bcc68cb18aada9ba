"""From what a caller says to a call that the engine can run.

Arguments are copied and checked, the action is routed, and everybody who has a
say on limits and effects is heard. Nothing is sent, but the tool list may be
fetched.
"""

import math
from collections.abc import Mapping
from typing import TypeAlias
from uuid import uuid4

import attrs

from mcpfusion_client.catalogue import PATIENCE, Catalogue
from mcpfusion_client.clock import Clock
from mcpfusion_client.engine import Plan
from mcpfusion_client.model import Effects, JsonObject, JsonValue, ToolCall
from mcpfusion_client.model.json import is_mapping
from mcpfusion_client.model.snapshot import snapshot
from mcpfusion_client.options import policies, seconds, text
from mcpfusion_client.retry import RetryPolicy, ToolPolicies, resolve
from mcpfusion_client.retry.patterns import matches
from mcpfusion_client.retry.safety import override
from mcpfusion_client.routing import Route, Router
from mcpfusion_client.sessions.base import ProgressCallback

Retrying: TypeAlias = RetryPolicy | ToolPolicies | bool | None
"""What a caller may say about retries; None inherits, False is never."""

_MOST_KNOWN = 4096
_NOTHING = Effects()


Prepared: TypeAlias = tuple[ToolCall, Plan, float]
"""A call, its limits, and when it started: what `Engine.run` takes."""


@attrs.frozen
class Options:
    """What a caller may say about one call; None inherits.

    Attributes:
        retry: Beats the client's policy.
        timeout: Seconds one attempt may take.
        deadline: Seconds until everything has to end.
        idempotent: Sending the call twice does what it does once.
        idempotency_key: The key of this logical call.
        meta: Sent as ``_meta``.
        progress: Told of every progress notification.
        effects: What the call does, as far as the caller says.
        until: When everything has to end at the latest, on the client's clock.
    """

    retry: Retrying = None
    timeout: float | None = None
    deadline: float | None = None
    idempotent: bool | None = None
    idempotency_key: str | None = None
    meta: JsonObject | None = None
    progress: ProgressCallback | None = None
    effects: Effects = _NOTHING
    until: float = math.inf


INHERITED = Options()
"""What holds for a call about which the caller says nothing."""


class Planner:
    """Prepares the calls of one client."""

    def __init__(
        self,
        *,
        catalogue: Catalogue,
        clock: Clock,
        policies: RetryPolicy | ToolPolicies,
        timeout: float,
        effects: Mapping[str, Effects],
        trust_annotations: bool,
        discriminator: str,
    ) -> None:
        """Take what the client says about all calls.

        Args:
            catalogue: The tool list.
            clock: When calls start.
            policies: How calls are repeated.
            timeout: Seconds one attempt may take.
            effects: What calls do, by action, tool or glob.
            trust_annotations: May annotations permit a repeat?
            discriminator: The argument that chooses the action of a grouped tool
                whose schema does not tell.
        """
        self._catalogue = catalogue
        self._clock = clock
        self._policies = policies
        self._timeout = timeout
        self._effects = _all_effects(effects)
        self._trust_annotations = trust_annotations
        self._discriminator = text("discriminator", discriminator)
        self._version = catalogue.version
        self._router = Router(catalogue.tools, self._discriminator)
        self._unlisted: dict[str, float] = {}
        self._known: dict[tuple[str, str], tuple[Effects, Plan]] = {}

    async def route(
        self, action: str, arguments: JsonObject | None, options: Options
    ) -> Prepared:
        """Prepare a call by its action path."""
        started = self._clock.monotonic()
        copied = _checked(action, arguments)
        fetched = await self._ensure_tools(action, started, options)
        route = self.routes().route(action, copied)
        if route is None:
            if not fetched and started >= self._unlisted.get(action, started):
                # The tool may be a new one.
                await self._catalogue.refresh(self._patience(action, started, options))
                route = self.routes().route(action, copied)
            route = route or self._not_listed(action, copied)
        return self._call(route.action, route.tool, route.arguments, started, options)

    def _not_listed(self, action: str, arguments: dict[str, JsonValue]) -> Route:
        """Route an action no tool is listed for; the list is let be for a while."""
        if len(self._unlisted) >= _MOST_KNOWN:
            self._unlisted.clear()
        self._unlisted[action] = self._clock.monotonic() + PATIENCE
        return self.routes().unlisted(action, arguments)

    async def name(
        self, tool: str, arguments: JsonObject | None, options: Options
    ) -> Prepared:
        """Prepare a call by the wire name of its tool."""
        started = self._clock.monotonic()
        _checked(tool, arguments)
        await self._ensure_tools(tool, started, options)
        return self._named(tool, arguments, options, started)

    def name_at_once(
        self, tool: str, arguments: JsonObject | None, options: Options
    ) -> Prepared | None:
        """Do the same where nothing has to be waited for; None where it has."""
        started = self._clock.monotonic()
        if self._catalogue.fresh(started):
            return self._named(tool, arguments, options, started)
        return None

    def _named(
        self,
        tool: str,
        arguments: JsonObject | None,
        options: Options,
        started: float,
    ) -> Prepared:
        copied = _checked(tool, arguments)
        action = self.routes().canonical(tool, copied)
        return self._call(action, tool, copied, started, options)

    async def given(self, call: ToolCall, shared: Options) -> Prepared:
        """Prepare a `ToolCall` that the caller made; it may be routed already."""
        options = attrs.evolve(
            shared,
            meta=call.meta,
            idempotency_key=call.idempotency_key,
            effects=call.effects,
        )
        if call.tool == call.action:
            return await self.route(call.action, call.arguments, options)
        prepared = await self.name(call.tool, call.arguments, options)
        return attrs.evolve(prepared[0], action=call.action), *prepared[1:]

    def check(self, options: Options) -> None:
        """Refuse impossible numbers before any call is made.

        Raises:
            TypeError: An option has the wrong type.
            ValueError: A number is impossible.
        """
        self._plan("", "", 0.0, options)

    async def _ensure_tools(self, name: str, started: float, options: Options) -> bool:
        """Fetch the tool list if it is needed; was it?"""
        catalogue = self._catalogue
        if catalogue.fresh(started):
            return False
        await catalogue.ensure(self._patience(name, started, options))
        return True

    def _patience(self, name: str, started: float, options: Options) -> float:
        plan = self._plan(name, name, started, options)
        return plan.deadline - (self._clock.monotonic() - started)

    def routes(self) -> Router:
        """Return what finds tools in the list as it is now."""
        catalogue = self._catalogue
        if self._version != catalogue.version:
            self._version = catalogue.version
            self._router = Router(catalogue.tools, self._discriminator)
            self._known.clear()
        return self._router

    def _call(
        self,
        action: str,
        tool: str,
        arguments: dict[str, JsonValue],
        started: float,
        options: Options,
    ) -> Prepared:
        known = self._known.get((action, tool))
        effects, plan = known or self._learn(action, tool)
        key = None
        key_made = False
        meta: JsonObject = {}
        if options is not INHERITED:
            effects = self._effects_of(action, tool, options)
            plan = self._plan(action, tool, started, options)
            key = options.idempotency_key
            if options.meta:
                meta = snapshot(options.meta, what="meta")
        if key is not None or effects.idempotency_argument is not None:
            key, key_made = _key(key, effects.idempotency_argument, arguments)
        if key_made:
            plan = attrs.evolve(plan, key_made=True)
        call = ToolCall(
            action=action,
            arguments=arguments,
            tool=tool,
            effects=effects,
            meta=meta,
            idempotency_key=key,
        )
        return call, plan, started

    def _learn(self, action: str, tool: str) -> tuple[Effects, Plan]:
        """Return what holds for a call about which the caller says nothing."""
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        known = (
            self._effects_of(action, tool, INHERITED),
            self._plan(action, tool, 0.0, INHERITED),
        )
        self._known[action, tool] = known
        return known

    def _plan(self, action: str, tool: str, started: float, options: Options) -> Plan:
        retry = self._policies if options.retry is None else options.retry
        if isinstance(retry, bool):
            base = self._policies.for_call(action, tool)
            policy = attrs.evolve(base, enabled=retry)
        else:
            policy = policies(retry).for_call(action, tool)
        timeout = options.timeout
        deadline = policy.deadline if options.deadline is None else options.deadline
        return Plan(
            policy=policy,
            timeout=self._timeout if timeout is None else seconds("timeout", timeout),
            deadline=min(
                seconds("deadline", deadline, zero=True), options.until - started
            ),
            progress=options.progress,
        )

    def _effects_of(self, action: str, tool: str, options: Options) -> Effects:
        """Return what a call does, from everybody who has a say."""
        caller = next(
            (
                effects
                for pattern, effects in self._effects.items()
                if matches(pattern, action, tool)
            ),
            None,
        )
        effects = resolve(
            self._catalogue.tools.get(tool),
            caller,
            idempotent=options.idempotent,
            trust_annotations=self._trust_annotations,
        )
        return override(options.effects, effects)


def _checked(name: str, arguments: JsonObject | None) -> dict[str, JsonValue]:
    if not name or type(name) is not str:
        text("action", name)
    return snapshot(arguments, what="arguments")


def _key(
    given: str | None, argument: str | None, arguments: JsonObject
) -> tuple[str | None, bool]:
    """Return the idempotency key of a call, None when it has none, and was it made?

    A key is made only for a tool that declares an argument for it.

    Args:
        given: By the caller.
        argument: What the tool declares for it.
        arguments: What the caller passes; a key among them is the caller's own.
    """
    if given is not None:
        text("idempotency_key", given)
    if argument is None:
        return given, False
    own = arguments.get(argument)
    if own is None or own == "":
        # Models fill optional arguments with empty text, which is no key.
        return given or str(uuid4()), given is None
    if given is not None and own != given:
        msg = f"idempotency_key and the argument {argument!r} are two different keys"
        raise ValueError(msg)
    # It is among the arguments, the same in every attempt.
    return own if isinstance(own, str) else None, False


def _all_effects(given: Mapping[str, Effects]) -> dict[str, Effects]:
    """Return the effects by pattern, if that is what *given* holds.

    Raises:
        TypeError: It is no mapping, or holds something else.
    """
    if not is_mapping(given):
        msg = f"effects must be a mapping of Effects, not {type(given).__name__}"
        raise TypeError(msg)
    for pattern, effects in given.items():
        if not isinstance(effects, Effects):
            kind = type(effects).__name__
            msg = f"effects[{pattern!r}] must be Effects(...), not {kind}"
            raise TypeError(msg)
    return dict(given)
