"""Promises of the decision that hold for every input."""

import math

import attrs
from hypothesis import example, given
from hypothesis import strategies as st

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    HttpEvidence,
    NextStep,
    Origin,
    Severity,
    SideEffects,
    StopReason,
)
from mcpfusion_client.retry import Retry, RetryPolicy, Stop
from mcpfusion_client.retry.backoff import JITTERS
from mcpfusion_client.retry.policy import Unannotated

UNANNOTATED: tuple[Unannotated, ...] = ("trust_server", "assume_write", "assume_safe")
CODES = (
    None,
    "RATE_LIMITED",
    "TIMEOUT",
    "INTERNAL_ERROR",
    "-32603",
    "HTTP_500",
    "IDEMPOTENCY_IN_FLIGHT",
    "LEDGER_LOCKED",
    "WEIRD",
)
NAMED_CODES = ((), ("LEDGER_*",), ("*",))
FLAGS = st.none() | st.booleans()
SECONDS = st.floats(0, 1e9) | st.floats(0, 10)
LIMITS = SECONDS | st.just(math.inf)

any_effects = st.builds(
    Effects,
    read_only=FLAGS,
    idempotent=FLAGS,
    destructive=FLAGS,
    idempotency_argument=st.none() | st.just("key"),
)
any_info = st.builds(
    ErrorInfo,
    message=st.just(""),
    code=st.sampled_from(CODES),
    category=st.sampled_from(ErrorCategory),
    severity=st.sampled_from(Severity),
    is_retryable=FLAGS,
    stated=st.sets(
        st.sampled_from(["code", "category", "is_retryable", "retry_after"])
    ),
    retry_after=st.none() | SECONDS,
    execution=st.sampled_from(Execution),
    side_effects=st.none() | st.sampled_from(SideEffects),
    http=st.none() | st.builds(HttpEvidence, status=st.sampled_from([None, 500, 503])),
    stated_next_step=st.sampled_from(
        [None, None, None, NextStep.RETRY, NextStep.VERIFY_STATE]
    ),
)
REJECTED = ErrorInfo(
    message="",
    code="SERVER_BUSY",
    category=ErrorCategory.TRANSIENT,
    execution=Execution.NOT_EXECUTED,
)

DEFAULT = RetryPolicy()
NOBODY_SAYS = Effects()


@st.composite
def any_policy(draw: st.DrawFn) -> RetryPolicy:
    """Any policy that can be constructed."""
    max_delay = draw(st.floats(0, 1e7))
    return RetryPolicy(
        enabled=draw(st.sampled_from([True, True, True, False])),
        max_attempts=draw(st.integers(1, 10**7)),
        base_delay=draw(st.floats(0, min(max_delay, 1e6))),
        multiplier=draw(st.floats(1, 1e6)),
        max_delay=max_delay,
        jitter=draw(st.sampled_from(JITTERS)),
        max_retry_after=draw(LIMITS),
        retry_window=draw(LIMITS),
        deadline=draw(st.none() | LIMITS),
        min_attempt=draw(st.just(0.0) | st.floats(0, 1e3)),
        unannotated=draw(st.sampled_from(UNANNOTATED)),
        trust_retryable_on_writes=draw(st.booleans()),
        retry_codes=draw(st.sampled_from(NAMED_CODES)),
        retry_warning_codes=draw(st.sampled_from(NAMED_CODES)),
    )


@attrs.frozen(kw_only=True)
class Question:
    """One call of `RetryPolicy.decide`."""

    policy: RetryPolicy = DEFAULT
    info: ErrorInfo = REJECTED
    effects: Effects = NOBODY_SAYS
    attempt: int = 1
    elapsed: float = 0.0
    jitter: float = 0.0
    deadline: float | None = None
    answered: bool = True

    def ask(self) -> Retry | Stop:
        """Return the decision."""
        return self.policy.decide(
            self.info,
            self.effects,
            attempt=self.attempt,
            elapsed=self.elapsed,
            jitter=self.jitter,
            deadline=self.deadline,
            answered=self.answered,
        )


any_question = st.builds(
    Question,
    policy=any_policy(),
    info=any_info | st.builds(attrs.evolve, st.just(REJECTED), retry_after=SECONDS),
    effects=any_effects,
    attempt=st.integers(1, 10**7) | st.integers(1, 10),
    elapsed=SECONDS,
    jitter=st.floats(0, 1, exclude_max=True),
    deadline=st.none() | LIMITS,
    answered=st.booleans(),
)
ROUNDED_UP = Question(
    policy=RetryPolicy(retry_window=1.0, jitter="full"),
    info=attrs.evolve(REJECTED, retry_after=0.1),
    elapsed=0.7,
    jitter=1 - 2**-53,
)


@given(any_question)
@example(ROUNDED_UP)
def test_a_retry_respects_every_limit(question: Question) -> None:
    """Never early, never late, never too often, never when switched off."""
    policy, info, elapsed = question.policy, question.info, question.elapsed

    decision = question.ask()

    if isinstance(decision, Retry):
        deadline = (
            question.deadline
            if question.deadline is not None
            else (math.inf if policy.deadline is None else policy.deadline)
        )
        start = elapsed + decision.delay
        assert policy.enabled
        assert question.attempt < policy.max_attempts
        assert (info.retry_after or 0.0) <= decision.delay < math.inf
        assert (info.retry_after or 0.0) <= policy.max_retry_after
        assert start < policy.retry_window
        assert start < deadline
        assert start + policy.min_attempt <= deadline


@given(any_question)
def test_a_decision_is_a_function_of_its_arguments(question: Question) -> None:
    """Asked again, also of an equal policy, it says the same."""
    twin = attrs.evolve(question, policy=attrs.evolve(question.policy))

    assert question.ask() == question.ask() == twin.ask()


@given(any_question)
def test_a_wait_that_does_not_fit_is_never_shortened(question: Question) -> None:
    """Only the random part is cut, never the floor below it."""
    free = attrs.evolve(
        question.policy, retry_window=math.inf, deadline=None, min_attempt=0.0
    )
    at_least = attrs.evolve(question, policy=free, deadline=math.inf, jitter=0.0).ask()
    at_most = attrs.evolve(question, policy=free, deadline=math.inf).ask()

    decision = question.ask()

    if isinstance(decision, Retry):
        assert isinstance(at_least, Retry)
        assert isinstance(at_most, Retry)
        assert at_least.delay <= decision.delay <= at_most.delay


@given(
    attempt=st.integers(1, 500),
    jitter=st.floats(0, 1, exclude_max=True),
    hint=st.none() | SECONDS,
    policy=any_policy(),
)
def test_the_wait_is_what_the_formula_says(
    attempt: int, jitter: float, hint: float | None, policy: RetryPolicy
) -> None:
    """Hint plus a share of the step; without a hint the step, jittered."""
    policy = attrs.evolve(
        policy,
        enabled=True,
        max_attempts=501,
        multiplier=min(policy.multiplier, 4.0),
        retry_window=math.inf,
        deadline=None,
        max_retry_after=math.inf,
    )
    question = Question(
        policy=policy,
        info=attrs.evolve(REJECTED, retry_after=hint),
        attempt=attempt,
        jitter=jitter,
    )
    step = min(policy.max_delay, policy.base_delay * policy.multiplier ** (attempt - 1))
    share = 0.0 if policy.jitter == "none" else step * jitter
    floors = {"spread": 0.5 * step, "full": 0.0, "none": step}

    decision = question.ask()

    assert isinstance(decision, Retry)
    floor = hint or floors[policy.jitter]
    assert math.isclose(decision.delay, floor + share, rel_tol=1e-9)


def prose(question: Question) -> str:
    """Tell the decision table a second time, straight from its description."""
    info, effects, policy = question.info, question.effects, question.policy
    temporary = info.category in {ErrorCategory.TRANSIENT, ErrorCategory.RATE_LIMITED}
    harmless, write = kinds(effects, policy)
    ran = info.execution
    if ran is Execution.NOT_EXECUTED and info.side_effects in {"some", "unknown"}:
        ran = Execution.UNKNOWN
    if ran is Execution.NOT_EXECUTED and write and only_told(info):
        ran = Execution.UNKNOWN
    not_run = ran is Execution.NOT_EXECUTED
    no = "unknown_outcome_write" if ran is Execution.UNKNOWN else "not_retryable"
    trusted = question.answered and (policy.trust_retryable_on_writes or not write)
    believed = not_run or harmless or (trusted and ran is Execution.UNKNOWN)
    named = is_named(info, policy)
    rows = (
        (info.severity is Severity.CRITICAL, "critical"),
        (info.is_retryable is False and "is_retryable" in info.stated, "said_no"),
        (info.stated_next_step is NextStep.VERIFY_STATE, "said_no"),
        (info.code == "IDEMPOTENCY_IN_FLIGHT" and "code" in info.stated, "retry"),
        (temporary and info.is_retryable is False and not named, "not_retryable"),
        (temporary and not_run, "retry"),
        (states_temporary(info, policy), "retry" if believed else no),
        (info.category.family in PERMANENT, "not_retryable"),
        (info.category is ErrorCategory.PROTOCOL and not_run, "not_retryable"),
        (temporary or broke(info), "retry" if harmless else no),
        (True, "not_retryable"),
    )
    return next(answer for fits, answer in rows if fits)


def only_told(info: ErrorInfo) -> bool:
    """Is there nothing but sentences of a tool?"""
    told = info.origin is Origin.TOOL and info.code is None and info.http is None
    facts = {"category", "execution", "is_retryable", "retry_after"}
    temporary = info.category.family is ErrorCategory.TRANSIENT
    return told and temporary and not info.stated & facts


PERMANENT = {"validation", "permission", "business", "not_found", "conflict"} | {
    "cancelled"
}


def kinds(effects: Effects, policy: RetryPolicy) -> tuple[bool, bool]:
    """Is it harmless, is it a declared write?"""
    harmless = bool(
        effects.read_only or effects.idempotent or effects.idempotency_argument
    )
    said = (effects.read_only, effects.idempotent, effects.destructive)
    if harmless or said != (None, None, None):
        return harmless, not harmless
    return policy.unannotated == "assume_safe", policy.unannotated == "assume_write"


def states_temporary(info: ErrorInfo, policy: RetryPolicy) -> bool:
    """Does the server say that it is temporary, or the caller?"""
    transient = info.category.family is ErrorCategory.TRANSIENT
    shrug = info.is_retryable is None and "is_retryable" in info.stated
    return (
        (info.is_retryable is True and "is_retryable" in info.stated)
        or (transient and "category" in info.stated and not shrug)
        or (info.retry_after is not None and "retry_after" in info.stated)
        or info.stated_next_step is NextStep.RETRY
        or is_named(info, policy)
    )


def is_named(info: ErrorInfo, policy: RetryPolicy) -> bool:
    """Did the caller name the code as one to repeat?"""
    every = policy.retry_codes == ("*",) and info.code is not None
    return every or (policy.retry_codes != () and info.code == "LEDGER_LOCKED")


def broke(info: ErrorInfo) -> bool:
    """Did the server break in the middle, or was its reply unreadable?"""
    if info.execution is Execution.EXECUTED:
        return False
    if info.category is ErrorCategory.PROTOCOL:
        return True  # "protocol and not run" was asked before
    return info.code in {"INTERNAL_ERROR", "-32603", "HTTP_500", "TIMEOUT"} or (
        info.http is not None and info.http.status == 500
    )


@given(any_question)
def test_the_table_says_what_its_description_says(question: Question) -> None:
    """Two tellings of the same rules agree on every combination of facts."""
    roomy = RetryPolicy(
        unannotated=question.policy.unannotated,
        trust_retryable_on_writes=question.policy.trust_retryable_on_writes,
        retry_codes=question.policy.retry_codes,
        max_retry_after=math.inf,
        retry_window=math.inf,
    )
    question = attrs.evolve(question, policy=roomy, attempt=1, deadline=None)
    if question.info.severity is Severity.WARNING:
        question = attrs.evolve(
            question, info=attrs.evolve(question.info, severity=Severity.ERROR)
        )

    decision = question.ask()

    said = "retry" if isinstance(decision, Retry) else decision.reason
    assert said.removeprefix("server_") == prose(question)


@given(any_question)
def test_a_write_with_unknown_outcome_is_never_sent_twice(question: Question) -> None:
    """Unless the caller trusts a server that answered and says it is safe."""
    info = attrs.evolve(
        question.info,
        execution=Execution.UNKNOWN,
        stated=question.info.stated - {"code"},
    )
    write = attrs.evolve(question.effects, read_only=False)
    write = attrs.evolve(write, idempotent=None, idempotency_argument=None)
    question = attrs.evolve(question, info=info, effects=write)
    distrusting = attrs.evolve(question.policy, trust_retryable_on_writes=False)

    assert isinstance(attrs.evolve(question, policy=distrusting).ask(), Stop)
    assert isinstance(attrs.evolve(question, answered=False).ask(), Stop)


@given(any_question)
def test_an_unknown_outcome_comes_with_the_advice_to_look(question: Question) -> None:
    """The reason and the next step go together."""
    decision = question.ask()

    if decision.reason is StopReason.UNKNOWN_OUTCOME_WRITE:
        assert isinstance(decision, Stop)
        assert decision.next_step is NextStep.VERIFY_STATE
