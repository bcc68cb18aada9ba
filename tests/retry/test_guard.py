"""The repeat guard: an agent that goes round in circles is stopped."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model import (
    Effects,
    ErrorCategory,
    ErrorInfo,
    Execution,
    JsonObject,
    JsonValue,
    NextStep,
    Origin,
    Severity,
    SideEffects,
    StopReason,
    ToolCall,
)
from mcpfusion_client.retry import Escalate, RepeatGuard, refusal_of, tell_success
from mcpfusion_client.retry.guard import fingerprint

INVALID = ErrorInfo(
    message="bad id",
    code="VALIDATION_ERROR",
    category=ErrorCategory.VALIDATION,
    execution=Execution.NOT_EXECUTED,
)
BUSY = ErrorInfo(message="", code="SERVER_BUSY", category=ErrorCategory.TRANSIENT)
NOBODY_KNOWS = ErrorInfo(message="", code="WEIRD")


def call(action: str = "orders.get", **arguments: JsonValue) -> ToolCall:
    """A call of one tool."""
    return ToolCall(action=action, arguments=arguments)


def escalated(guard: RepeatGuard, sent: ToolCall) -> bool:
    """Would the guard stop this call?"""
    return isinstance(guard(sent, None), Escalate)


def fail(guard: RepeatGuard, failure: ErrorInfo, *calls: ToolCall) -> None:
    """Let calls fail one after the other."""
    for sent in calls:
        guard(sent, failure)


# -- the same call again


@pytest.mark.parametrize(
    "final",
    [
        INVALID,
        attrs.evolve(NOBODY_KNOWS, category=ErrorCategory.PERMISSION),
        attrs.evolve(NOBODY_KNOWS, category=ErrorCategory.AUTHENTICATION),
        attrs.evolve(NOBODY_KNOWS, category=ErrorCategory.BUSINESS),
        attrs.evolve(NOBODY_KNOWS, category=ErrorCategory.NOT_FOUND),
        attrs.evolve(NOBODY_KNOWS, is_retryable=False),
        attrs.evolve(BUSY, is_retryable=False, stated={"is_retryable"}),
        attrs.evolve(BUSY, severity=Severity.CRITICAL),
        attrs.evolve(BUSY, stated_next_step=NextStep.ESCALATE),
        attrs.evolve(
            NOBODY_KNOWS,
            category=ErrorCategory.PROTOCOL,
            execution=Execution.NOT_EXECUTED,
        ),
    ],
)
def test_the_same_call_after_a_failure_that_cannot_heal_is_escalated(
    final: ErrorInfo,
) -> None:
    """It would get the same answer."""
    guard = RepeatGuard()

    fail(guard, final, call(id=1))

    assert escalated(guard, call(id=1))
    assert not escalated(guard, call(id=2))
    assert not escalated(guard, call("orders.list", id=1))


@pytest.mark.parametrize(
    "temporary",
    [
        BUSY,
        attrs.evolve(BUSY, execution=Execution.NOT_EXECUTED),
        NOBODY_KNOWS,
        attrs.evolve(INVALID, is_retryable=True, stated={"is_retryable"}),
        attrs.evolve(INVALID, retry_after=3, stated={"retry_after"}),
        attrs.evolve(NOBODY_KNOWS, category=ErrorCategory.PROTOCOL),
    ],
)
def test_the_same_call_after_a_failure_that_may_heal_is_let_pass(
    temporary: ErrorInfo,
) -> None:
    """Nobody said that it cannot work."""
    guard = RepeatGuard()

    fail(guard, temporary, *[call(id=1)] * 4)

    assert not escalated(guard, call(id=1))


def test_the_last_failure_of_a_call_counts() -> None:
    """What once could not work may have become a passing trouble."""
    guard = RepeatGuard()

    fail(guard, INVALID, call(id=1))
    fail(guard, BUSY, call(id=1))

    assert not escalated(guard, call(id=1))


# -- other arguments, the same trouble


def test_arguments_may_be_changed_as_often_as_the_limit_says() -> None:
    """The first failure and two tries to fix it; the third is escalated."""
    guard = RepeatGuard(limit=2)

    seen: list[bool] = []
    for number in range(5):
        seen.append(escalated(guard, call(id=number)))
        fail(guard, INVALID, call(id=number))

    assert seen == [False, False, False, True, True]


def test_a_limit_of_zero_allows_no_second_try() -> None:
    """For tools where every wrong call is one too many."""
    guard = RepeatGuard(limit=0)

    assert not escalated(guard, call(id=1))
    fail(guard, INVALID, call(id=1))
    assert escalated(guard, call(id=2))


def test_different_codes_are_different_troubles() -> None:
    """A new message is progress."""
    guard = RepeatGuard()
    other = attrs.evolve(INVALID, code="MISSING_REQUIRED_FIELD")

    fail(guard, INVALID, call(id=1), call(id=2))
    fail(guard, other, call(id=3), call(id=4))

    assert not escalated(guard, call(id=5))
    fail(guard, other, call(id=5))
    assert escalated(guard, call(id=6))


def test_without_a_code_the_category_tells_troubles_apart() -> None:
    """Validation by an SDK has no code."""
    guard = RepeatGuard()
    invalid = attrs.evolve(INVALID, code=None)
    missing = attrs.evolve(invalid, category=ErrorCategory.NOT_FOUND)

    fail(guard, invalid, call(id=1), call(id=2))
    fail(guard, missing, call(id=3))

    assert not escalated(guard, call(id=4))
    fail(guard, invalid, call(id=4))
    assert escalated(guard, call(id=5))


def test_the_same_arguments_count_once() -> None:
    """Repeating is not fixing."""
    guard = RepeatGuard()

    fail(guard, NOBODY_KNOWS, *[call(id=1)] * 5)

    assert not escalated(guard, call(id=2))


@pytest.mark.parametrize(
    "temporary",
    [BUSY, attrs.evolve(INVALID, is_retryable=True, stated={"is_retryable"})],
)
def test_a_busy_server_is_no_trouble_with_arguments(temporary: ErrorInfo) -> None:
    """Three searches that met a rate limit are no circle."""
    guard = RepeatGuard()

    fail(guard, temporary, *[call(id=n) for n in range(9)])

    assert not escalated(guard, call(id=99))


def test_tools_do_not_share_their_troubles() -> None:
    """Also the actions of one grouped tool."""
    guard = RepeatGuard()

    fail(guard, INVALID, call(id=1), call(id=2), call(id=3))

    assert not escalated(guard, call("orders.list", id=4))


# -- memory


def test_a_success_of_the_tool_clears_its_memory_and_no_other() -> None:
    """Whoever found the way may walk it again."""
    guard = RepeatGuard()
    fail(guard, INVALID, call(id=1), call("orders.list", id=1))

    tell_success([guard], call(id=7))

    assert not escalated(guard, call(id=1))
    assert escalated(guard, call("orders.list", id=1))


def test_a_person_who_put_things_right_can_clear_the_memory() -> None:
    """One tool, or all."""
    guard = RepeatGuard()
    fail(guard, INVALID, call("a", id=1), call("b", id=1), call("c", id=1))

    guard.forget("a")
    assert not escalated(guard, call("a", id=1))
    assert escalated(guard, call("b", id=1))
    guard.forget()
    assert not escalated(guard, call("b", id=1))
    assert not escalated(guard, call("c", id=1))


def test_only_the_latest_failures_are_remembered() -> None:
    """The memory is bounded; a failure seen again is a late one."""
    guard = RepeatGuard(limit=9, memory=2)

    fail(guard, INVALID, call(id=1), call(id=2), call(id=1), call(id=3))

    assert [escalated(guard, call(id=n)) for n in (1, 2, 3)] == [True, False, True]


def test_arguments_are_not_kept() -> None:
    """Neither as they were sent, nor as the server echoes them."""
    guard = RepeatGuard()
    secret = "hunter2hunter2"
    failure = attrs.evolve(
        INVALID,
        message="x" * 10_000,
        recovery="y" * 10_000,
        details={"sent": secret},
        attempted_query=secret,
        partial_results=[secret],
    )

    fail(guard, failure, call(password=secret))

    kept = repr(guard._failures)
    assert secret not in kept
    assert len(kept) < 3000
    answer = guard(call(password=secret), None)
    assert isinstance(answer, Escalate)
    assert answer.failure is not None
    assert answer.failure.code == "VALIDATION_ERROR"


def test_what_a_coordinator_needs_of_a_failure_is_kept() -> None:
    """Every fact but the ones that quote the arguments."""
    facts = ErrorInfo(
        message="gone",
        code="LOCKED",
        category=ErrorCategory.CONFLICT,
        severity=Severity.CRITICAL,
        is_retryable=False,
        stated={"is_retryable", "retry_after"},
        retry_after=3.0,
        execution=Execution.EXECUTED,
        side_effects=SideEffects.SOME,
        recovery="unlock",
        origin=Origin.HTTP,
        dialect="json",
        stated_next_step=NextStep.ESCALATE,
    )
    guard = RepeatGuard()

    fail(guard, facts, call(id=1))

    answer = guard(call(id=1), None)
    assert isinstance(answer, Escalate)
    assert answer.failure == facts


def test_the_defaults_are_those_of_the_contract() -> None:
    """Two changes of the arguments, and a memory of a few hundred calls."""
    settings = {field.name for field in attrs.fields(RepeatGuard) if field.init}

    assert (RepeatGuard().limit, RepeatGuard().memory) == (2, 256)
    assert settings == {"limit", "memory"}


@pytest.mark.parametrize(("name", "value"), [("limit", -1), ("memory", 0)])
def test_impossible_numbers_are_refused_by_name(name: str, value: int) -> None:
    """As in a policy."""
    sizes: dict[str, JsonValue] = {name: value}

    with pytest.raises(ValueError, match=name):
        RepeatGuard(**sizes)


def test_the_smallest_guard_is_allowed() -> None:
    """Ranges include their ends."""
    assert RepeatGuard(limit=0, memory=1).memory == 1


# -- as a rule


def test_an_escalation_names_the_earlier_failure_and_was_not_sent() -> None:
    """The coordinator sees what the server said, and that nothing ran now."""
    guard = RepeatGuard()
    unknown = attrs.evolve(INVALID, execution=Execution.UNKNOWN)
    fail(guard, unknown, call(id=1), call(id=2), call(id=3))

    refusal = refusal_of([guard], call(id=4), None)

    assert refusal is not None
    assert refusal.stop_reason is StopReason.ESCALATED
    info = refusal.info(None)
    assert info.code == "VALIDATION_ERROR"
    assert info.message == "bad id"
    assert info.execution is Execution.NOT_EXECUTED
    assert info.next_step is NextStep.ESCALATE


def test_the_latest_failure_with_the_code_is_the_one_named() -> None:
    """Not the first, and not one with another code."""
    guard = RepeatGuard(limit=1)
    fail(guard, attrs.evolve(INVALID, message="first"), call(id=1))
    fail(guard, attrs.evolve(INVALID, message="second"), call(id=2))
    fail(guard, attrs.evolve(INVALID, code="OTHER", message="third"), call(id=3))

    answer = guard(call(id=4), None)

    assert isinstance(answer, Escalate)
    assert answer.failure is not None
    assert answer.failure.message == "second"


def test_the_guard_never_stops_the_retries_of_one_call() -> None:
    """It is asked before a call; what happens within one is the policy's."""
    guard = RepeatGuard(limit=0)

    assert refusal_of([guard], call(id=1), None) is None
    for _ in range(5):
        assert refusal_of([guard], call(id=1), INVALID) is None


# -- comparing arguments


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}),
        ({"a": 1}, {"a": 1.0}),
        ({"a": [1, 2]}, {"a": (1, 2)}),
        ({"a": [{"b": 1.0}]}, {"a": [{"b": 1}]}),
        ({"a": 0}, {"a": -0.0}),
    ],
)
def test_equal_arguments_have_equal_fingerprints(
    one: JsonObject, other: JsonObject
) -> None:
    """Key order and the spelling of numbers are a model's whim."""
    assert fingerprint(call(**one)) == fingerprint(call(**other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": 0}, {"a": False}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": 1.5}, {"a": 1}),
        ({"a": float("inf")}, {"a": float("nan")}),
    ],
)
def test_different_arguments_have_different_fingerprints(
    one: JsonObject, other: JsonObject
) -> None:
    """The order of a list matters."""
    assert fingerprint(call(**one)) != fingerprint(call(**other))


def test_an_idempotency_key_is_no_part_of_what_is_asked_for() -> None:
    """It is new for every call, the same call included."""
    keyed = Effects(idempotency_argument="key")

    one = attrs.evolve(call(id=1, key="a"), effects=keyed)
    other = attrs.evolve(call(id=1, key="b"), effects=keyed)
    third = attrs.evolve(call(id=2, key="a"), effects=keyed)

    assert fingerprint(one) == fingerprint(other)
    assert fingerprint(one) != fingerprint(third)
    assert fingerprint(call(id=1, key="a")) != fingerprint(call(id=1, key="b"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON), st.randoms())
def test_the_order_of_keys_never_matters(
    arguments: dict[str, JsonValue], random: JsonValue
) -> None:
    """For arguments of any shape."""
    names = list(arguments)
    random.shuffle(names)
    shuffled = {name: arguments[name] for name in names}

    assert fingerprint(ToolCall(action="a", arguments=arguments)) == fingerprint(
        ToolCall(action="a", arguments=shuffled)
    )


@given(st.lists(st.tuples(st.integers(0, 50), st.booleans()), max_size=200))
def test_the_memory_never_grows_beyond_its_bound(
    events: list[tuple[int, bool]],
) -> None:
    """Whatever an agent does."""
    guard = RepeatGuard(memory=7)

    for number, works in events:
        if works:
            guard.succeeded(call(id=number))
        else:
            fail(guard, INVALID, call(id=number))
        assert len(guard._failures) <= 7
