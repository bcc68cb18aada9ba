"""Rules: who is asked, what their answers do, and what a broken rule does."""

import pytest

from mcpfusion_client.model import (
    ErrorCategory,
    ErrorCode,
    ErrorInfo,
    Execution,
    JsonObject,
    JsonValue,
    NextStep,
    Origin,
    StopReason,
    ToolCall,
)
from mcpfusion_client.retry import (
    Allow,
    Answer,
    Block,
    Escalate,
    Refusal,
    Rule,
    block_when,
    escalate_when,
    refusal_of,
    tell_success,
)

REFUND = ToolCall(action="refund.issue", tool="refund", arguments={"amount": 900})
LIST = ToolCall(action="orders.list", tool="orders_list")
FORBIDDEN = ErrorInfo(
    message="not yours",
    code="FORBIDDEN",
    category=ErrorCategory.PERMISSION,
    execution=Execution.NOT_EXECUTED,
    details={"scope": "refund"},
)
EXPIRED = ErrorInfo(
    message="", code="TOKEN_EXPIRED", category=ErrorCategory.AUTHENTICATION
)
BUSY = ErrorInfo(message="", code="SERVER_BUSY", category=ErrorCategory.TRANSIENT)
NO_CODE = ErrorInfo(message="", category=ErrorCategory.PERMISSION)


def allow(_call: ToolCall, _failure: ErrorInfo | None) -> Answer:
    """Let everything pass."""
    return Allow()


def broken(_call: ToolCall, _failure: ErrorInfo | None) -> Answer:
    """Raise, with something in the text that must not be shown."""
    message = "amount was 900"
    raise KeyError(message)


def asked(
    rule: Rule, call: ToolCall, failure: ErrorInfo | None = None
) -> StopReason | None:
    """What a single rule makes of a call."""
    refusal = refusal_of([rule], call, failure)
    return None if refusal is None else refusal.stop_reason


# -- the built-in rules


def test_a_permission_failure_of_a_refund_is_escalated() -> None:
    """The documents' example, in one line."""
    rule = escalate_when("refund.*", category=ErrorCategory.PERMISSION)

    assert asked(rule, REFUND, FORBIDDEN) is StopReason.ESCALATED
    assert asked(rule, REFUND, EXPIRED) is StopReason.ESCALATED
    assert asked(rule, REFUND, BUSY) is None
    assert asked(rule, REFUND) is None
    assert asked(rule, LIST, FORBIDDEN) is None


@pytest.mark.parametrize(
    ("pattern", "refused"),
    [
        ("refund.*", True),
        ("refund.issue", True),
        ("refund", True),
        ("ref*", True),
        ("refund_issue", True),
        ("refund_*", True),
        ("refund-*", False),
        ("refund[!_]issue", True),
        ("*", True),
        ("refund.list", False),
        ("issue", False),
        ("Refund.*", False),
        ("orders_list", False),
    ],
)
def test_a_tool_is_named_by_action_or_wire_name(
    pattern: str, refused: JsonValue
) -> None:
    """No spelling of a call gets around a rule."""
    assert (asked(block_when(pattern), REFUND) is StopReason.BLOCKED) is refused


def test_a_rule_without_a_failure_in_it_acts_before_the_first_attempt() -> None:
    """Nothing is sent, and nothing is sent again."""
    rule = block_when("refund.*")

    assert asked(rule, REFUND) is StopReason.BLOCKED
    assert asked(rule, REFUND, BUSY) is StopReason.BLOCKED


@pytest.mark.parametrize(
    ("category", "refused"),
    [
        (ErrorCategory.AUTHENTICATION, [EXPIRED]),
        (ErrorCategory.PERMISSION, [FORBIDDEN, EXPIRED, NO_CODE]),
        (ErrorCategory.TRANSIENT, [BUSY]),
        (ErrorCategory.BUSINESS, []),
    ],
)
def test_a_category_stands_for_its_family(
    category: ErrorCategory, refused: list[ErrorInfo]
) -> None:
    """And a finer one for itself alone."""
    rule = block_when(category=category)
    failures = [FORBIDDEN, EXPIRED, BUSY, NO_CODE]

    assert [f for f in failures if asked(rule, LIST, f) is not None] == refused


def test_a_category_that_does_not_exist_is_refused_at_once() -> None:
    """A rule with a typing error would silently let everything pass."""
    typo: JsonValue = "permision"

    with pytest.raises(ValueError, match="permision"):
        block_when("refund.*", category=typo)
    with pytest.raises(ValueError, match="permision"):
        escalate_when("refund.*", category=typo)


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        ("FORBIDDEN", [FORBIDDEN]),
        ("TOKEN_*", [EXPIRED]),
        ("*", [FORBIDDEN, EXPIRED, BUSY]),
        ("FORBID", []),
        ("TOKEN.*", []),
    ],
)
def test_a_code_is_matched_as_on_the_wire(code: str, refused: list[ErrorInfo]) -> None:
    """A failure without a code has none to match."""
    rule = escalate_when(code=code)
    failures = [FORBIDDEN, EXPIRED, BUSY, NO_CODE]

    assert [f for f in failures if asked(rule, LIST, f) is not None] == refused
    assert asked(rule, LIST) is None


def test_everything_a_rule_names_must_fit() -> None:
    """Category and code and arguments."""
    rule = block_when(
        category=ErrorCategory.PERMISSION,
        code="FORBIDDEN",
        arguments=lambda arguments: arguments["amount"] > 500,
    )
    small = ToolCall(action="refund.issue", arguments={"amount": 5})

    assert asked(rule, REFUND, FORBIDDEN) is StopReason.BLOCKED
    assert asked(rule, REFUND, EXPIRED) is None
    assert asked(rule, small, FORBIDDEN) is None


def test_a_predicate_is_asked_only_about_calls_that_fit_otherwise() -> None:
    """It may rely on the tool's own arguments."""
    rule = block_when("refund.*", arguments=lambda arguments: arguments["amount"] > 5)

    assert asked(rule, LIST) is None
    assert asked(rule, REFUND) is StopReason.BLOCKED


def test_a_predicate_that_raises_blocks() -> None:
    """Closed, not open: whoever meant to check the amount wants it checked."""

    def over_limit(arguments: JsonObject) -> bool:
        return float(arguments["amount"]) > 500

    rule = escalate_when("refund.*", arguments=over_limit)

    assert asked(rule, ToolCall(action="refund.issue")) is StopReason.BLOCKED
    assert asked(rule, REFUND) is StopReason.ESCALATED


@pytest.mark.parametrize("build", [block_when, escalate_when])
def test_a_reason_can_be_given(build: JsonValue) -> None:
    """It reaches whoever reads the error; without one there is one."""
    given = refusal_of([build("refund.*", reason="ask Ann")], REFUND, None)
    composed = refusal_of([build("refund.*")], REFUND, None)

    assert given is not None
    assert given.answer.reason == "ask Ann"
    assert composed is not None
    assert "refund.*" in composed.answer.reason


# -- asking


def test_the_first_rule_that_does_not_allow_wins() -> None:
    """Order is the caller's to choose."""
    rules = [allow, escalate_when("refund.*"), block_when("*")]

    assert refusal_of(rules, REFUND, None) == Refusal(
        answer=Escalate("refund.* needs a person's decision"), rule="escalate_when"
    )
    assert asked(rules[2], LIST) is StopReason.BLOCKED
    assert refusal_of([], REFUND, None) is None
    assert refusal_of([allow, allow], REFUND, None) is None


def test_every_rule_hears_of_a_failure_that_another_one_refuses_to_repeat() -> None:
    """Before the first attempt nothing has happened that would have to be heard."""
    heard: list[ErrorInfo | None] = []

    def hear(_call: ToolCall, failure: ErrorInfo | None) -> Answer:
        heard.append(failure)
        return Block("later")

    rules = [escalate_when("refund.*"), hear]
    before = refusal_of(rules, REFUND, None)
    after = refusal_of(rules, REFUND, FORBIDDEN)

    assert before is not None
    assert after is not None
    assert before.stop_reason is after.stop_reason is StopReason.ESCALATED
    assert heard == [FORBIDDEN]


def test_a_rule_that_raises_blocks() -> None:
    """And its exception is handed on for the log, not its text for the error."""
    refusal = refusal_of([broken, allow], REFUND, None)

    assert refusal is not None
    assert refusal.stop_reason is StopReason.BLOCKED
    assert refusal.rule == "broken"
    assert isinstance(refusal.cause, KeyError)
    assert "900" not in refusal.answer.reason


def test_what_a_later_rule_raises_after_a_failure_is_handed_on_for_the_log() -> None:
    """It is asked although another one has refused, and its defect must show."""
    refuse = escalate_when("refund.*")

    refusal = refusal_of([refuse, allow, broken, refuse, broken], REFUND, FORBIDDEN)

    assert refusal is not None
    assert refusal.stop_reason is StopReason.ESCALATED
    assert refusal.cause is None
    assert [type(each) for each in refusal.later] == [KeyError, KeyError]


def test_a_later_rule_is_not_asked_before_the_first_attempt() -> None:
    """There is no failure that it would have to hear of."""
    refusal = refusal_of([escalate_when("refund.*"), broken], REFUND, None)

    assert refusal is not None
    assert refusal.later == ()


def test_what_the_first_rule_raises_is_its_cause_and_nothing_else() -> None:
    """One exception is logged once."""
    refusal = refusal_of([broken, allow], REFUND, FORBIDDEN)

    assert refusal is not None
    assert isinstance(refusal.cause, KeyError)
    assert refusal.later == ()


@pytest.mark.parametrize("nonsense", [None, True, "allow", Allow])
def test_a_rule_that_gives_no_answer_blocks(nonsense: JsonValue) -> None:
    """A forgotten return is not a permission."""

    def forgetful(_call: ToolCall, _failure: ErrorInfo | None) -> Answer:
        answer: Answer = nonsense
        return answer

    refusal = refusal_of([forgetful], LIST, None)

    assert refusal is not None
    assert isinstance(refusal.answer, Block)
    assert refusal.stop_reason is StopReason.BLOCKED


def test_interruptions_are_nobodys_answer() -> None:
    """A rule that is interrupted does not turn the interruption into a block."""

    def interrupted(_call: ToolCall, _failure: ErrorInfo | None) -> Answer:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refusal_of([interrupted], LIST, None)


# -- what the error carries


def test_a_refusal_before_the_first_attempt_has_a_failure_of_its_own() -> None:
    """Nothing was sent, and this client said so."""
    refusal = refusal_of([block_when("refund.*", reason="frozen")], REFUND, None)
    assert refusal is not None

    info = refusal.info(None)

    assert info.origin is Origin.CLIENT
    assert info.execution is Execution.NOT_EXECUTED
    assert info.code == ErrorCode.BLOCKED
    assert info.category is ErrorCategory.BUSINESS
    assert info.dialect == "client"
    assert info.message == "frozen"
    assert info.is_retryable is False
    assert info.stated == frozenset()
    assert info.next_step is NextStep.EXPLAIN_POLICY
    assert info.details == {"refused_by": "block_when"}


def test_an_escalation_before_the_first_attempt_says_so() -> None:
    """Another code and another next step."""
    refusal = refusal_of([escalate_when("refund.*")], REFUND, None)
    assert refusal is not None

    info = refusal.info(None)

    assert info.code == ErrorCode.ESCALATED
    assert info.next_step is NextStep.ESCALATE


def test_a_refusal_after_a_failure_carries_it() -> None:
    """What the server said stays; the rule and its reason are added."""
    refusal = Refusal(answer=Escalate("two people"), rule="four_eyes")

    info = refusal.info(FORBIDDEN)

    assert (info.code, info.message) == ("FORBIDDEN", "not yours")
    assert info.origin is Origin.TOOL
    assert info.next_step is NextStep.ESCALATE
    assert info.details == {
        "scope": "refund",
        "refused_by": "four_eyes",
        "refused_because": "two people",
    }


def test_a_failure_a_rule_remembers_is_carried_as_not_sent() -> None:
    """It led here, but this call was not sent."""
    unknown = ErrorInfo(message="", code="X", execution=Execution.UNKNOWN)
    refusal = Refusal(answer=Block("again?", failure=unknown), rule="r")

    assert refusal.info(None).code == "X"
    assert refusal.info(None).execution is Execution.NOT_EXECUTED
    assert refusal.info(FORBIDDEN).code == "FORBIDDEN"


def test_a_block_keeps_what_else_the_failure_suggests() -> None:
    """Only sending it again is off the table."""
    refusal = Refusal(answer=Block("no"), rule="r")
    retryable = ErrorInfo(message="", is_retryable=True, stated={"is_retryable"})
    unknown = ErrorInfo(message="", execution=Execution.UNKNOWN)

    assert retryable.next_step is NextStep.RETRY
    assert refusal.info(retryable).next_step is NextStep.EXPLAIN_POLICY
    assert refusal.info(unknown).next_step is NextStep.VERIFY_STATE


# -- hearing of success


class Learner:
    """A rule that counts successes."""

    def __init__(self) -> None:
        self.heard: list[ToolCall] = []

    def __call__(self, _call: ToolCall, _failure: ErrorInfo | None, /) -> Answer:
        """Allow."""
        return Allow()

    def succeeded(self, call: ToolCall, /) -> None:
        """Count, or raise for one tool."""
        self.heard.append(call)
        if call is REFUND:
            raise OSError


def test_only_rules_that_want_to_hear_of_successes() -> None:
    """A plain function is a rule too."""
    learner = Learner()

    assert tell_success([allow, learner], LIST) == ()
    assert learner.heard == [LIST]


def test_what_a_rule_raises_at_a_success_does_not_undo_it() -> None:
    """It is handed back for the log, and the next rule still hears."""
    first, second = Learner(), Learner()

    raised = tell_success([first, second], REFUND)

    assert [type(error) for error in raised] == [OSError, OSError]
    assert second.heard == [REFUND]
