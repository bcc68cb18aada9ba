"""What a repeated call would do, and whose word on it counts."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model import Effects, JsonObject, JsonValue, ToolInfo
from mcpfusion_client.retry import (
    Safety,
    is_harmless,
    key_argument,
    resolve,
    safety_of,
)

HARMLESS, WRITE, UNDECLARED = Safety.HARMLESS, Safety.WRITE, Safety.UNDECLARED


def tool(**annotations: JsonValue) -> ToolInfo:
    """A tool as a server lists it."""
    return ToolInfo(name="t", annotations=annotations)


READ = tool(readOnlyHint=True)
PUT = tool(readOnlyHint=False, idempotentHint=True, destructiveHint=True)
POST = tool(readOnlyHint=False, idempotentHint=False, destructiveHint=True)


@pytest.mark.parametrize(
    ("effects", "safety"),
    [
        (Effects(), UNDECLARED),
        (Effects(read_only=True), HARMLESS),
        (Effects(idempotent=True), HARMLESS),
        (Effects(idempotency_argument="key"), HARMLESS),
        (Effects(read_only=False, idempotent=True), HARMLESS),
        (Effects(read_only=False, idempotency_argument="key"), HARMLESS),
        (Effects(read_only=True, idempotent=False, destructive=False), HARMLESS),
        (Effects(idempotent=True, destructive=True), HARMLESS),
        (Effects(read_only=False), WRITE),
        (Effects(idempotent=False), WRITE),
        (Effects(destructive=True), WRITE),
        (Effects(destructive=False), WRITE),
    ],
)
def test_effects_are_harmless_a_declared_write_or_neither(
    effects: Effects, safety: Safety
) -> None:
    """A tool that is "not destructive" still writes: it adds."""
    assert safety_of(effects) is safety
    assert is_harmless(effects) is (safety is HARMLESS)


@pytest.mark.parametrize(
    ("annotations", "trusted", "distrusted"),
    [
        ({}, UNDECLARED, UNDECLARED),
        ({"readOnlyHint": True}, HARMLESS, UNDECLARED),
        ({"idempotentHint": True}, HARMLESS, UNDECLARED),
        ({"readOnlyHint": False}, WRITE, WRITE),
        ({"idempotentHint": False}, WRITE, WRITE),
        ({"destructiveHint": True}, WRITE, WRITE),
        ({"destructiveHint": False}, WRITE, WRITE),
        ({"readOnlyHint": True, "destructiveHint": True}, HARMLESS, WRITE),
        ({"readOnlyHint": False, "idempotentHint": True}, HARMLESS, WRITE),
        ({"idempotentHint": False, "readOnlyHint": True}, HARMLESS, WRITE),
        ({"readOnlyHint": None, "destructiveHint": None}, UNDECLARED, UNDECLARED),
        ({"readOnlyHint": "true"}, UNDECLARED, UNDECLARED),
        ({"readOnlyHint": 1, "idempotentHint": "yes"}, UNDECLARED, UNDECLARED),
        ({"readOnlyHint": "false"}, WRITE, WRITE),
        ({"readOnlyHint": 0}, UNDECLARED, UNDECLARED),
        ({"destructiveHint": "perhaps"}, WRITE, WRITE),
    ],
)
def test_annotations_permit_only_when_trusted_and_forbid_always(
    annotations: JsonObject, trusted: Safety, distrusted: Safety
) -> None:
    """A lie of the server may cost a retry and never a second payment."""
    info = ToolInfo(name="t", annotations=annotations)

    assert safety_of(resolve(info)) is trusted
    assert safety_of(resolve(info, trust_annotations=False)) is distrusted


@pytest.mark.parametrize(
    ("listed", "caller", "safety"),
    [
        (POST, Effects(idempotent=True), HARMLESS),
        (POST, Effects(read_only=True), HARMLESS),
        (POST, Effects(idempotency_argument="key"), HARMLESS),
        (READ, Effects(read_only=False), WRITE),
        (READ, Effects(idempotent=False), WRITE),
        (READ, Effects(destructive=True), WRITE),
        (READ, Effects(destructive=False), HARMLESS),
        (READ, Effects(), HARMLESS),
        (PUT, Effects(read_only=False), HARMLESS),
        (PUT, Effects(idempotent=False), WRITE),
        (PUT, Effects(destructive=True), HARMLESS),
        (None, Effects(read_only=True), HARMLESS),
        (None, Effects(destructive=False), WRITE),
        (tool(), Effects(), UNDECLARED),
    ],
)
def test_the_callers_word_beats_the_servers(
    listed: ToolInfo | None, caller: Effects, safety: Safety
) -> None:
    """In both directions, and only where the caller says something."""
    assert safety_of(resolve(listed, caller)) is safety


def test_a_server_that_is_wrong_about_read_only_is_not_believed_about_idempotent() -> (
    None
):
    """On a read-only tool the hint means nothing, and it is no read-only tool."""
    both = tool(readOnlyHint=True, idempotentHint=True)

    assert safety_of(resolve(both, Effects(read_only=False))) is WRITE
    assert safety_of(resolve(both, Effects(destructive=True))) is WRITE
    assert safety_of(resolve(both, Effects(destructive=False))) is HARMLESS


def test_what_the_server_forbids_stays_when_it_is_contradicted() -> None:
    """Only what it permits falls."""
    odd = tool(readOnlyHint=True, idempotentHint=False, destructiveHint=True)

    effects = resolve(odd, Effects(read_only=False))

    assert effects == Effects(read_only=False, idempotent=False, destructive=True)


@pytest.mark.parametrize(
    ("idempotent", "caller", "safety"),
    [
        (True, Effects(read_only=False, destructive=True), HARMLESS),
        (False, Effects(read_only=True), WRITE),
        (False, Effects(idempotent=True), WRITE),
        (None, Effects(idempotent=True), HARMLESS),
        (False, Effects(idempotency_argument="key"), HARMLESS),
        (False, None, WRITE),
        (True, None, HARMLESS),
    ],
)
def test_the_word_on_one_call_beats_the_word_on_the_tool(
    idempotent: JsonValue, caller: Effects | None, safety: Safety
) -> None:
    """The nearer to the call, the stronger; a key protects all the same."""
    assert safety_of(resolve(tool(), caller, idempotent=idempotent)) is safety


def test_nobody_said_anything() -> None:
    """An unlisted tool and a silent caller."""
    assert resolve(None) == Effects()


@pytest.mark.parametrize(
    ("name", "schema", "declared"),
    [
        ("idempotency_key", {"type": "string"}, True),
        ("idempotencyKey", {"type": "string"}, True),
        ("Idempotency-Key", {}, True),
        ("idempotency_token", {"type": ["string", "null"]}, True),
        ("idempotencyId", {"type": "string", "description": "x"}, True),
        ("idempotency_key", {"type": "integer"}, False),
        ("idempotency_key", {"type": ["integer"]}, False),
        ("idempotency_key", {"type": "substrings"}, False),
        ("idempotency_key", {"type": 5}, False),
        ("idempotency_keys", {"type": "string"}, False),
        ("is_idempotent", {"type": "boolean"}, False),
        ("key", {"type": "string"}, False),
    ],
)
def test_a_tool_declares_a_key_by_the_name_of_an_argument(
    name: str, schema: JsonObject, declared: JsonValue
) -> None:
    """Any spelling of the name, as long as it takes text."""
    properties = {"id": {"type": "string"}, name: schema}
    info = ToolInfo(name="t", input_schema={"properties": properties})

    assert key_argument(info.input_schema) == (name if declared else None)
    assert is_harmless(resolve(info)) is declared
    assert not is_harmless(resolve(info, trust_annotations=False))


@pytest.mark.parametrize(
    "schema", [{}, {"properties": None}, {"properties": ["a"]}, {"properties": "x"}]
)
def test_a_malformed_schema_declares_nothing(schema: JsonObject) -> None:
    """It comes from a server."""
    assert key_argument(schema) is None


def test_the_callers_key_argument_beats_the_schemas() -> None:
    """The caller has read the manual."""
    info = ToolInfo(
        name="t", input_schema={"properties": {"idempotency_key": {"type": "string"}}}
    )

    effects = resolve(info, Effects(idempotency_argument="request_id"))

    assert effects.idempotency_argument == "request_id"


FLAGS = st.none() | st.booleans()
HINTS = st.fixed_dictionaries(
    {},
    optional={
        "readOnlyHint": FLAGS,
        "idempotentHint": FLAGS,
        "destructiveHint": FLAGS,
    },
)
CALLERS = st.builds(Effects, read_only=FLAGS, idempotent=FLAGS, destructive=FLAGS)


@given(annotations=HINTS, caller=CALLERS, word=FLAGS)
def test_a_distrusted_server_never_makes_a_call_harmless(
    annotations: JsonObject, caller: Effects, word: JsonValue
) -> None:
    """Harmless is then the caller's word alone."""
    listed = ToolInfo(name="t", annotations=annotations)

    with_server = resolve(listed, caller, idempotent=word, trust_annotations=False)
    without = resolve(None, caller, idempotent=word)

    assert is_harmless(with_server) == is_harmless(without)


@given(annotations=HINTS, caller=CALLERS)
def test_a_caller_who_says_harmless_or_not_idempotent_has_the_last_word(
    annotations: JsonObject, caller: Effects
) -> None:
    """Whatever the server annotates."""
    listed = ToolInfo(name="t", annotations=annotations)
    strict = attrs.evolve(caller, read_only=None, idempotent=False)

    assert is_harmless(resolve(listed, strict)) is False
    if is_harmless(caller):
        assert is_harmless(resolve(listed, caller))
