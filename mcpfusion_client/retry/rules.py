"""Rules: what must not be left to chance, or to a model.

A rule sees a call before its first attempt and after every failure, and answers
`Allow`, `Block` or `Escalate`. A rule that raises, or answers anything else,
blocks the call: closed, not open.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import attrs

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    JsonObject,
    NextStep,
    Origin,
    StopReason,
    ToolCall,
)
from mcpfusion_client.retry.patterns import matches, matches_any


@attrs.frozen
class Allow:
    """Nothing against it."""


@attrs.frozen
class Block:
    """Do not send the call.

    Attributes:
        reason: Why, for people; it becomes the message of the error.
        failure: The earlier failure that leads to this, if there is one.
    """

    reason: str
    failure: ErrorInfo | None = attrs.field(default=None, kw_only=True)


@attrs.frozen
class Escalate:
    """Do not send the call; a person has to decide.

    Attributes:
        reason: Why, for people; it becomes the message of the error.
        failure: The earlier failure that leads to this, if there is one.
    """

    reason: str
    failure: ErrorInfo | None = attrs.field(default=None, kw_only=True)


Answer: TypeAlias = Allow | Block | Escalate
"""What a rule can say."""


class Rule(Protocol):
    """Anything that can be asked about a call; a plain function will do."""

    def __call__(self, call: ToolCall, failure: ErrorInfo | None, /) -> Answer:
        """Return what to do about *call*.

        Args:
            call: The call; its arguments are read-only.
            failure: What the last attempt failed with, None before the first.
        """
        ...


@runtime_checkable
class LearningRule(Protocol):
    """A rule that also wants to hear of calls that succeeded."""

    def succeeded(self, call: ToolCall, /) -> None:
        """Take note that *call* succeeded."""
        ...


@attrs.frozen(kw_only=True)
class Refusal:
    """A rule that did not allow a call.

    Attributes:
        answer: What it said.
        rule: Its name, for logs.
        cause: What it raised, when it raised.
        later: What rules that were asked after it raised, for a log.
    """

    answer: Block | Escalate
    rule: str
    cause: Exception | None = None
    later: tuple[Exception, ...] = ()

    @property
    def stop_reason(self) -> StopReason:
        """Why the call was not sent (again)."""
        if isinstance(self.answer, Escalate):
            return StopReason.ESCALATED
        return StopReason.BLOCKED

    def info(self, failure: ErrorInfo | None) -> ErrorInfo:
        """Return what the error of the refused call carries.

        That is the failure that led here where there is one, with the rule and
        its reason among the details.

        Args:
            failure: What the last attempt failed with, None before the first.
        """
        if failure is None and self.answer.failure is not None:
            failure = attrs.evolve(
                self.answer.failure, execution=Execution.NOT_EXECUTED
            )
        if failure is None:
            return ErrorInfo(
                message=self.answer.reason,
                code=_CODES[self.stop_reason],
                category=ErrorCategory.BUSINESS,
                is_retryable=False,
                execution=Execution.NOT_EXECUTED,
                details={"refused_by": self.rule},
                origin=Origin.CLIENT,
                dialect="client",
                advice=self._advice(NextStep.RETRY),
            )
        details = {
            **failure.details,
            "refused_by": self.rule,
            "refused_because": self.answer.reason,
        }
        return attrs.evolve(
            failure, details=details, advice=self._advice(failure.next_step)
        )

    def _advice(self, next_step: NextStep) -> NextStep:
        if isinstance(self.answer, Escalate):
            return NextStep.ESCALATE
        # What else the failure suggests still holds; sending it again does not.
        return NextStep.EXPLAIN_POLICY if next_step is NextStep.RETRY else next_step


_CODES = {
    StopReason.BLOCKED: ErrorCode.BLOCKED,
    StopReason.ESCALATED: ErrorCode.ESCALATED,
}


def refusal_of(
    rules: Sequence[Rule], call: ToolCall, failure: ErrorInfo | None
) -> Refusal | None:
    """Ask *rules* in order; the first that does not allow *call* wins.

    After a failure every rule is asked, for one that learns from failures, such as
    `RepeatGuard`, must hear of those that another one refuses to repeat.

    Args:
        rules: The rules.
        call: The call.
        failure: What the last attempt failed with, None before the first.

    Returns:
        The refusal, or None when every rule allows the call.
    """
    first: Refusal | None = None
    later: list[Exception] = []
    for rule in rules:
        refusal = _ask(rule, call, failure)
        if first is None:
            first = refusal
        elif refusal is not None and refusal.cause is not None:
            later.append(refusal.cause)
        if first is not None and failure is None:
            break
    return attrs.evolve(first, later=tuple(later)) if first and later else first


def tell_success(rules: Sequence[Rule], call: ToolCall) -> tuple[Exception, ...]:
    """Tell the rules that learn that *call* succeeded.

    Returns:
        What they raised, for a log; it cannot undo a success.
    """
    raised: list[Exception] = []
    for rule in rules:
        if isinstance(rule, LearningRule):
            try:
                rule.succeeded(call)
            except Exception as error:  # noqa: BLE001 - somebody else's code
                raised.append(error)
    return tuple(raised)


def _ask(rule: Rule, call: ToolCall, failure: ErrorInfo | None) -> Refusal | None:
    name = _name(rule)
    try:
        answer = rule(call, failure)
    except Exception as error:  # noqa: BLE001 - somebody else's code
        # The exception's own text may quote the arguments.
        reason = f"the rule {name} raised {type(error).__name__}"
        return Refusal(answer=Block(reason), rule=name, cause=error)
    return _read(answer, name)


def _read(answer: object, name: str) -> Refusal | None:
    """Read what a rule answered; only `Allow` lets the call pass."""
    if isinstance(answer, Allow):
        return None
    if isinstance(answer, Block | Escalate):
        return Refusal(answer=answer, rule=name)
    reason = f"the rule {name} answered {type(answer).__name__}, which is no answer"
    return Refusal(answer=Block(reason), rule=name)


def _name(rule: object) -> str:
    if isinstance(rule, When):
        return "escalate_when" if isinstance(rule.answer, Escalate) else "block_when"
    name = getattr(rule, "__name__", None)
    return name if isinstance(name, str) else type(rule).__name__


Predicate: TypeAlias = Callable[[JsonObject], bool]
"""Told the arguments of a call."""

_ALLOW = Allow()


@attrs.frozen(kw_only=True)
class When:
    """A rule that gives one answer when everything it names fits.

    Attributes:
        tool: Name or glob, tried on the action and on the wire name.
        category: Only after a failure of this category or family.
        code: Only after a failure with this code; a glob will do.
        arguments: Only for calls whose arguments it says yes to.
        answer: The answer.
    """

    tool: str
    category: ErrorCategory | None = attrs.field(
        converter=attrs.converters.optional(ErrorCategory)
    )
    code: str | None
    arguments: Predicate | None
    answer: Block | Escalate

    def __call__(self, call: ToolCall, failure: ErrorInfo | None, /) -> Answer:
        """Return `answer` when everything fits, else `Allow`."""
        fits = (
            matches(self.tool, call.action, call.tool)
            and self._fits_failure(failure)
            and (self.arguments is None or bool(self.arguments(call.arguments)))
        )
        return self.answer if fits else _ALLOW

    def _fits_failure(self, failure: ErrorInfo | None) -> bool:
        if self.category is not None and (
            failure is None
            or self.category not in {failure.category, failure.category.family}
        ):
            return False
        return self.code is None or (
            failure is not None
            and failure.code is not None
            and matches_any((self.code,), failure.code)
        )


def block_when(
    tool: str = "*",
    *,
    category: ErrorCategory | None = None,
    code: str | None = None,
    arguments: Predicate | None = None,
    reason: str | None = None,
) -> Rule:
    """Return a rule that blocks calls.

    Without *category* and *code* it acts before the first attempt; with one of
    them after a failure that fits.

    Args:
        tool: Name or glob, tried on the action and on the wire name.
        category: The category or family of the failure.
        code: The code of the failure, or a glob.
        arguments: Says yes to the arguments of the calls that are meant.
        reason: Why, for people.

    Raises:
        ValueError: There is no such category.
    """
    answer = Block(reason or f"calls of {tool} are blocked")
    return When(
        tool=tool, category=category, code=code, arguments=arguments, answer=answer
    )


def escalate_when(
    tool: str = "*",
    *,
    category: ErrorCategory | None = None,
    code: str | None = None,
    arguments: Predicate | None = None,
    reason: str | None = None,
) -> Rule:
    """Return a rule that hands calls to a person.

    Without *category* and *code* it acts before the first attempt; with one of
    them after a failure that fits.

    Args:
        tool: Name or glob, tried on the action and on the wire name.
        category: The category or family of the failure.
        code: The code of the failure, or a glob.
        arguments: Says yes to the arguments of the calls that are meant.
        reason: Why, for people.

    Raises:
        ValueError: There is no such category.
    """
    answer = Escalate(reason or f"{tool} needs a person's decision")
    return When(
        tool=tool, category=category, code=code, arguments=arguments, answer=answer
    )
