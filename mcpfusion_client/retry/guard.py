"""Notice an agent that goes round in circles, and hand it to a person.

Remembers a bounded number of recent failures by fingerprint; arguments are never
kept.
"""

import hashlib
import json
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    JsonObject,
    JsonValue,
    Severity,
    ToolCall,
)
from mcpfusion_client.retry.decision import PERMANENT, says_no, says_temporary
from mcpfusion_client.retry.rules import Allow, Answer, Escalate
from mcpfusion_client.retry.validation import check_whole

_ALLOW = Allow()
_KEPT_TEXT = 500


@attrs.frozen(kw_only=True)
class _Failure:
    """What is remembered of one failed call.

    Attributes:
        code: The server's token, else the category.
        heals: The same call may still succeed.
        counts: Other arguments may have been an attempt to fix it.
        info: The failure, without anything that quotes the arguments.
    """

    code: str
    heals: bool
    counts: bool
    info: ErrorInfo


@attrs.define(kw_only=True)
class RepeatGuard:
    """A rule against going round in circles.

    A call is escalated, without a request being sent, when the same call (tool
    and arguments) has failed in a way that cannot heal by repeating, or when the
    tool has failed with the same code under more than *limit* different sets of
    arguments. A success of the tool clears what is remembered about it.

    Attributes:
        limit: How often arguments may be changed after a failure.
        memory: How many failed calls are remembered; the oldest are forgotten.

    Raises:
        ValueError: A number is impossible.
    """

    limit: int = 2
    memory: int = 256
    _failures: OrderedDict[tuple[str, bytes], _Failure] = attrs.field(
        factory=OrderedDict[tuple[str, bytes], _Failure], init=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        check_whole("limit", self.limit, 0)
        check_whole("memory", self.memory, 1)

    def __call__(self, call: ToolCall, failure: ErrorInfo | None, /) -> Answer:
        """Remember *failure*, or say whether *call* goes round in circles."""
        key = (call.action, fingerprint(call))
        if failure is None:
            return self._ask(key)
        self._failures.pop(key, None)
        self._failures[key] = _remember(failure)
        while len(self._failures) > self.memory:
            self._failures.popitem(last=False)
        return _ALLOW

    def succeeded(self, call: ToolCall, /) -> None:
        """Forget the failures of the tool of *call*."""
        self.forget(call.action)

    def forget(self, action: str | None = None) -> None:
        """Forget failures, after a person has put things right.

        Args:
            action: Only those of this action; None is all.
        """
        if action is None:
            self._failures.clear()
        for key in [key for key in self._failures if key[0] == action]:
            del self._failures[key]

    def _ask(self, key: tuple[str, bytes]) -> Answer:
        same = self._failures.get(key)
        if same is not None and not same.heals:
            reason = f"the same call has failed with {same.code} and cannot succeed"
            return Escalate(reason, failure=same.info)
        of_tool = [
            known
            for (action, _), known in self._failures.items()
            if action == key[0] and known.counts
        ]
        for code, times in Counter(known.code for known in of_tool).items():
            if times > self.limit:
                reason = f"{key[0]} has failed with {code} for {times} different calls"
                latest = [known.info for known in of_tool if known.code == code][-1]
                return Escalate(reason, failure=latest)
        return _ALLOW


def fingerprint(call: ToolCall) -> bytes:
    """Return a hash of what *call* asks for.

    The order of keys does not matter, nor whether a whole number is written as
    1 or 1.0. An idempotency key is no part of what is asked for.
    """
    key_argument = call.effects.idempotency_argument
    asked = {
        name: value for name, value in call.arguments.items() if name != key_argument
    }
    text = json.dumps(_canonical(asked), sort_keys=True)
    return hashlib.sha256(text.encode()).digest()


def _canonical(
    value: JsonObject | Sequence[JsonValue] | str | float | None,
) -> JsonValue:
    if isinstance(value, Mapping):
        return {name: _canonical(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _remember(info: ErrorInfo) -> _Failure:
    temporary = says_temporary(info)
    transient = info.category.family is ErrorCategory.TRANSIENT
    return _Failure(
        code=(info.code or info.category.value)[:_KEPT_TEXT],
        heals=not _is_final(info) and (temporary or not _is_permanent(info)),
        counts=not (temporary or transient),
        info=_short(info),
    )


def _is_final(info: ErrorInfo) -> bool:
    return info.severity is Severity.CRITICAL or says_no(info)


def _is_permanent(info: ErrorInfo) -> bool:
    return (
        info.is_retryable is False
        or info.category.family in PERMANENT
        or (
            info.category is ErrorCategory.PROTOCOL
            and info.execution is Execution.NOT_EXECUTED
        )
    )


def _short(info: ErrorInfo) -> ErrorInfo:
    """What fits a bounded memory, without the parts that quote arguments."""
    return ErrorInfo(
        message=info.message[:_KEPT_TEXT],
        code=None if info.code is None else info.code[:_KEPT_TEXT],
        category=info.category,
        severity=info.severity,
        is_retryable=info.is_retryable,
        stated=info.stated,
        retry_after=info.retry_after,
        execution=info.execution,
        side_effects=info.side_effects,
        recovery=None if info.recovery is None else info.recovery[:_KEPT_TEXT],
        origin=info.origin,
        dialect=info.dialect,
        stated_next_step=info.stated_next_step,
    )
