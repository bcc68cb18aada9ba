"""The values of this room as values."""

import attrs
import pytest

from mcpfusion_client.retry import (
    Block,
    Escalate,
    Retry,
    RetryPolicy,
    Stop,
    ToolPolicies,
)
from mcpfusion_client.retry.backoff import Wait
from mcpfusion_client.retry.decision import Case, Row
from mcpfusion_client.retry.guard import RepeatGuard, _Failure
from mcpfusion_client.retry.room import Check, Room
from mcpfusion_client.retry.rules import Refusal, When

POLICY = [RetryPolicy, ToolPolicies, Wait, Room, Check, Case, Row]
RULES = [RepeatGuard, _Failure, When, Refusal]


@pytest.mark.parametrize("kind", [*POLICY, *RULES])
def test_fields_are_given_by_name(kind: type[attrs.AttrsInstance]) -> None:
    """So that a field can be added without breaking a caller."""
    assert all(field.kw_only for field in attrs.fields(kind))


@pytest.mark.parametrize("kind", [Retry, Stop, Block, Escalate])
def test_what_an_answer_adds_is_given_by_name(kind: type[attrs.AttrsInstance]) -> None:
    """`Retry(delay, reason)`, `Stop(reason)`, `Block(reason)` are the contract."""
    extra = {field.name for field in attrs.fields(kind) if field.kw_only}

    assert extra == {field.name for field in attrs.fields(kind)} - {"delay", "reason"}
