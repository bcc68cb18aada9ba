"""May a call be repeated at all: what it would do twice, and who says so.

Only an explicit word permits a repeat. The caller's word beats the server's; a
server that is not trusted can forbid and never permit.
"""

import enum

import attrs

from mcpfusion_client.model import Effects, JsonObject, JsonValue, ToolInfo


class Safety(enum.StrEnum):
    """What sending a call twice would do."""

    HARMLESS = "harmless"
    WRITE = "write"
    UNDECLARED = "undeclared"


def safety_of(effects: Effects) -> Safety:
    """Return whether a call with *effects* is harmless, a declared write or neither.

    An idempotency argument makes a call harmless because the engine always
    fills it, with the same key in every attempt.
    """
    if (
        effects.read_only is True
        or effects.idempotent is True
        or effects.idempotency_argument is not None
    ):
        return Safety.HARMLESS
    if (
        effects.read_only is False
        or effects.idempotent is False
        or effects.destructive is not None
    ):
        return Safety.WRITE
    return Safety.UNDECLARED


def is_harmless(effects: Effects) -> bool:
    """Is a call with *effects* known to be safe to repeat?"""
    return safety_of(effects) is Safety.HARMLESS


def resolve(
    tool: ToolInfo | None,
    caller: Effects | None = None,
    *,
    idempotent: bool | None = None,
    trust_annotations: bool = True,
) -> Effects:
    """Return the effects of one call from everybody who has a say.

    Args:
        tool: The tool as the server lists it, None when it is not listed.
        caller: The caller's word on the tool.
        idempotent: The caller's word on this one call; the strongest.
        trust_annotations: May the server's word permit a repeat?
    """
    effects = Effects(idempotent=idempotent)
    if caller is not None:
        effects = override(effects, caller)
    if tool is not None:
        effects = override(effects, from_tool(tool, trusted=trust_annotations))
    return effects


def override(stronger: Effects, weaker: Effects) -> Effects:
    """Return *stronger* with its gaps filled from *weaker*.

    When *stronger* contradicts a ``read_only=True``, everything *weaker* permits
    on that ground falls: who is wrong about the tool being read-only is not
    believed about it being idempotent.
    """
    if weaker.read_only is True and _is_called_a_write(stronger):
        weaker = attrs.evolve(
            weaker, read_only=None, idempotent=_only_false(weaker.idempotent)
        )
    return Effects(
        read_only=_first(stronger.read_only, weaker.read_only),
        idempotent=_first(stronger.idempotent, weaker.idempotent),
        destructive=_first(stronger.destructive, weaker.destructive),
        idempotency_argument=(
            stronger.idempotency_argument or weaker.idempotency_argument
        ),
    )


def from_tool(tool: ToolInfo, *, trusted: bool) -> Effects:
    """Return what the server says about *tool* in its list.

    Args:
        tool: The tool; its annotations and its input schema are read.
        trusted: May the server's word permit a repeat? If not, only what
            forbids one is kept.
    """
    stated = tool.annotations
    effects = Effects(
        read_only=_flag(stated.get("readOnlyHint")),
        idempotent=_flag(stated.get("idempotentHint")),
        destructive=_destructive(stated.get("destructiveHint")),
        idempotency_argument=key_argument(tool.input_schema),
    )
    if trusted:
        return effects
    return attrs.evolve(
        effects,
        read_only=_only_false(effects.read_only),
        idempotent=_only_false(effects.idempotent),
        idempotency_argument=None,
    )


_KEY_ARGUMENTS = frozenset({"idempotencykey", "idempotencytoken", "idempotencyid"})


def key_argument(input_schema: JsonObject) -> str | None:
    """Return the argument that *input_schema* declares for an idempotency key.

    Args:
        input_schema: Untrusted; the JSON Schema of the arguments.
    """
    for name, schema in _object(input_schema.get("properties")).items():
        word = "".join(char for char in name.lower() if char.isalnum())
        if word in _KEY_ARGUMENTS and _takes_text(schema):
            return name
    return None


def _object(value: JsonObject | None) -> JsonObject:
    """Untrusted: what should be an object may be anything."""
    return value if isinstance(value, dict) else {}


def _takes_text(schema: JsonObject) -> bool:
    kind: JsonValue = _object(schema).get("type", "string")
    return kind == "string" or (isinstance(kind, list) and "string" in kind)


def _is_called_a_write(effects: Effects) -> bool:
    return (
        effects.read_only is False
        or effects.idempotent is False
        or effects.destructive is True
    )


def _first(stronger: bool | None, weaker: bool | None) -> bool | None:  # noqa: FBT001
    return weaker if stronger is None else stronger


def _only_false(word: bool | None) -> bool | None:  # noqa: FBT001
    return False if word is False else None


def _flag(value: object) -> bool | None:
    """Only a real true permits; the text "false" forbids as well."""
    if value is True:
        return True
    return False if value is False or value == "false" else None


def _destructive(value: object) -> bool | None:
    """Being there at all marks a write, so a malformed value counts as true."""
    if value is None:
        return None
    return _flag(value) is not False
