"""`ErrorInfo`: what went wrong with one call, as one value.

Every dialect is decoded into it and every decision is made from it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Literal, Self

import attrs

from mcpfusion_client.model.json import JsonObject, JsonValue
from mcpfusion_client.model.plain import (
    flag,
    known_flag,
    known_word,
    mapping,
    number,
    objects,
    text,
    texts,
    whole_number,
    word,
)
from mcpfusion_client.model.prompt import prompt_block
from mcpfusion_client.model.vocabulary import (
    ErrorCategory,
    Execution,
    NextStep,
    Origin,
    Severity,
    SideEffects,
)


@attrs.frozen(kw_only=True)
class FieldError:
    """One argument the server rejected.

    Attributes:
        name: Path of the argument as on the wire, e.g. ``items.1.sku``.
        message: Untrusted; the whole text about this field.
        sent: Untrusted; what the server says it received.
        expected: Untrusted; what the server says it wants.
    """

    name: str
    message: str
    sent: str | None = None
    expected: str | None = None


@attrs.frozen(kw_only=True)
class ContractChange:
    """One change of the tool's contract, told by ``<contract_awareness>``.

    Attributes:
        severity: As on the wire, e.g. ``BREAKING`` or ``RISKY``.
        field: What changed, e.g. ``inputSchema.properties.id``.
        description: Untrusted; the change in words.
        before: Untrusted; the old value as text.
        after: Untrusted; the new value as text.
    """

    severity: str
    field: str | None = None
    description: str
    before: str | None = None
    after: str | None = None


@attrs.frozen(kw_only=True)
class HttpEvidence:
    """What the HTTP layer knows about a failed request.

    Attributes:
        status: The response status, None when there was no response.
        headers: Names in lower case; only those that bear on the failure.
        body_excerpt: Untrusted; the start of the body, redacted and bounded.
    """

    status: int | None = None
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    body_excerpt: str | None = None


# Named functions: calling ``tuple[str, ...]`` takes four times as long as ``tuple``.
def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


def _actions(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


def _field_errors(fields: Iterable[FieldError]) -> tuple[FieldError, ...]:
    return tuple(fields)


def _changes(changes: Iterable[ContractChange]) -> tuple[ContractChange, ...]:
    return tuple(changes)


def _hint(value: float | None) -> float | None:
    if value is None:
        return None
    if not math.isfinite(value) or value < 0:
        msg = f"retry_after must be finite and >= 0 seconds, not {value!r}"
        raise ValueError(msg)
    return float(value)


@attrs.frozen(kw_only=True)
class ErrorInfo:
    """A failure, decoded.

    Attributes:
        message: Untrusted text written by the server.
        code: The server's own token, as on the wire; `ErrorCode` lists the
            canonical ones.
        category: Why it failed.
        category_detail: The server's own word when the category is ``OTHER``.
        severity: ``warning`` only for advice on the success path.
        is_retryable: Could the same call succeed? None: nobody knows.
        stated: Names of the attributes the server said itself; every other
            one is inferred.
        retry_after: Seconds to wait, finite and >= 0, as stated.
        execution: Did the tool run?
        side_effects: As the server states them.
        recovery: Untrusted; what the server suggests. Of a tool that is not listed,
            and only then, this client says so here and names near ones.
        available_actions: Untrusted; as on the wire, often dotted.
        details: Untrusted; further facts by name.
        fields: The arguments the server rejected.
        action: The action a validation error names.
        attempted_query: What the tool tried, as sent. Never invented.
        partial_results: What succeeded before the failure, as sent.
        contract_changes: From ``<contract_awareness>``.
        origin: Where the failure was seen.
        http: The HTTP evidence, when there is some.
        dialect: Which reader understood it.
        lossy: The wire form was damaged or cut.
        stated_next_step: From a retry label (seed 002).
        advice: What this client advises because it knows the call; set when a
            write with an unknown outcome was not repeated.
    """

    message: str
    code: str | None = None
    category: ErrorCategory = ErrorCategory.UNKNOWN
    category_detail: str | None = None
    severity: Severity = Severity.ERROR
    is_retryable: bool | None = None
    stated: frozenset[str] = attrs.field(default=frozenset[str](), converter=_names)
    retry_after: float | None = attrs.field(default=None, converter=_hint)
    execution: Execution = Execution.UNKNOWN
    side_effects: SideEffects | None = None
    recovery: str | None = None
    available_actions: tuple[str, ...] = attrs.field(default=(), converter=_actions)
    details: JsonObject = attrs.field(factory=dict[str, JsonValue])
    fields: tuple[FieldError, ...] = attrs.field(default=(), converter=_field_errors)
    action: str | None = None
    attempted_query: JsonValue = None
    partial_results: JsonValue = None
    contract_changes: tuple[ContractChange, ...] = attrs.field(
        default=(), converter=_changes
    )
    origin: Origin = Origin.TOOL
    http: HttpEvidence | None = None
    dialect: str = "text"
    lossy: bool = False
    stated_next_step: NextStep | None = None
    advice: NextStep | None = None

    @property
    def retryable_source(self) -> Literal["stated", "inferred"] | None:
        """Who said whether the same call is worth repeating, None when nobody did."""
        if self.is_retryable is None:
            return None
        return "stated" if "is_retryable" in self.stated else "inferred"

    @property
    def next_step(self) -> NextStep:
        """What the caller should do now (DECODING.md section 5)."""
        return _next_step(self)

    def to_prompt(self, max_chars: int = 2000) -> str:
        """Return text for a model: fenced as untrusted, redacted and cut.

        Args:
            max_chars: The most characters to return.
        """
        return prompt_block(_summary(self), _prompt_facts(self), max_chars=max_chars)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return this as JSON can hold it; the keys are the attribute names."""
        return {name: _plain(getattr(self, name)) for name in _NAMES} | {
            "stated": sorted(self.stated),
            "available_actions": list(self.available_actions),
            "details": dict(self.details),
            "fields": [attrs.asdict(field) for field in self.fields],
            "contract_changes": [
                attrs.asdict(change) for change in self.contract_changes
            ],
            "http": None if self.http is None else _http_to_dict(self.http),
        }

    @classmethod
    def from_dict(cls, plain: JsonObject) -> Self:
        """Return what `to_dict` wrote down.

        Args:
            plain: Missing keys mean the defaults; unknown keys are ignored.

        Raises:
            TypeError: A value has the wrong type.
            ValueError: A word is in none of the lists, or the wait is negative
                or not finite.
        """
        return cls(
            message=text(plain, "message", ""),
            code=text(plain, "code"),
            category=word(plain, "category", ErrorCategory.UNKNOWN),
            category_detail=text(plain, "category_detail"),
            severity=word(plain, "severity", Severity.ERROR),
            is_retryable=known_flag(plain, "is_retryable"),
            stated=frozenset(texts(plain, "stated")),
            retry_after=number(plain, "retry_after"),
            execution=word(plain, "execution", Execution.UNKNOWN),
            side_effects=known_word(plain, "side_effects", SideEffects),
            recovery=text(plain, "recovery"),
            available_actions=texts(plain, "available_actions"),
            details=dict(mapping(plain, "details")),
            fields=objects(plain, "fields", _field_from_dict),
            action=text(plain, "action"),
            attempted_query=plain.get("attempted_query"),
            partial_results=plain.get("partial_results"),
            contract_changes=objects(plain, "contract_changes", _change_from_dict),
            origin=word(plain, "origin", Origin.TOOL),
            http=_http_from_dict(plain),
            dialect=text(plain, "dialect", "text"),
            lossy=flag(plain, "lossy", default=False),
            stated_next_step=known_word(plain, "stated_next_step", NextStep),
            advice=known_word(plain, "advice", NextStep),
        )


_BY_CATEGORY = {
    ErrorCategory.VALIDATION: NextStep.FIX_ARGUMENTS,
    ErrorCategory.AMBIGUOUS: NextStep.LOOK_UP_CANDIDATES,
    ErrorCategory.NOT_FOUND: NextStep.LOOK_UP_CANDIDATES,
    ErrorCategory.AUTHENTICATION: NextStep.REAUTHENTICATE,
    ErrorCategory.PERMISSION: NextStep.ESCALATE,
    ErrorCategory.BUSINESS: NextStep.EXPLAIN_POLICY,
    ErrorCategory.CONFLICT: NextStep.VERIFY_STATE,
    ErrorCategory.PROTOCOL: NextStep.USE_OTHER_TOOL,
    ErrorCategory.TRANSIENT: NextStep.USE_OTHER_TOOL,
    ErrorCategory.RATE_LIMITED: NextStep.USE_OTHER_TOOL,
    ErrorCategory.CANCELLED: NextStep.GIVE_UP,
}


def _next_step(info: ErrorInfo) -> NextStep:
    if info.advice is not None:
        return info.advice
    if info.stated_next_step is not None:
        return info.stated_next_step
    if info.severity is Severity.CRITICAL:
        return NextStep.ESCALATE
    stated_retryable = info.is_retryable is True and "is_retryable" in info.stated
    if info.category is ErrorCategory.STATE_UNKNOWN or (
        info.execution is Execution.UNKNOWN and not stated_retryable
    ):
        return NextStep.VERIFY_STATE
    if info.is_retryable is True:
        return NextStep.RETRY
    return _BY_CATEGORY.get(info.category, NextStep.ESCALATE)


_NAMES = tuple(field.name for field in attrs.fields(ErrorInfo))


def _plain(value: JsonValue) -> JsonValue:
    return value.value if isinstance(value, StrEnum) else value


def _http_to_dict(http: HttpEvidence) -> dict[str, JsonValue]:
    return {
        "status": http.status,
        "headers": dict(http.headers),
        "body_excerpt": http.body_excerpt,
    }


def _http_from_dict(plain: JsonObject) -> HttpEvidence | None:
    if plain.get("http") is None:
        return None
    http = mapping(plain, "http")
    headers = mapping(http, "headers")
    return HttpEvidence(
        status=whole_number(http, "status"),
        headers={name: text(headers, name, "") for name in headers},
        body_excerpt=text(http, "body_excerpt"),
    )


def _field_from_dict(plain: JsonObject) -> FieldError:
    return FieldError(
        name=text(plain, "name", ""),
        message=text(plain, "message", ""),
        sent=text(plain, "sent"),
        expected=text(plain, "expected"),
    )


def _change_from_dict(plain: JsonObject) -> ContractChange:
    return ContractChange(
        severity=text(plain, "severity", ""),
        field=text(plain, "field"),
        description=text(plain, "description", ""),
        before=text(plain, "before"),
        after=text(plain, "after"),
    )


def _summary(info: ErrorInfo) -> str:
    """Say in our own words what failed and what to do."""
    critical = ", critical" if info.severity is Severity.CRITICAL else ""
    wait = "" if info.retry_after is None else f" Wait {info.retry_after:.10g} s first."
    return (
        f"The tool call failed: {info.category.value}{critical}. "
        f"Next step: {info.next_step.value}.{wait}"
    )


def _prompt_facts(info: ErrorInfo) -> Iterator[tuple[str, str]]:
    """Name what the server wrote, the most important first."""
    yield "message", info.message
    yield "code", info.code or ""
    yield "recovery", info.recovery or ""
    for field in info.fields:
        yield "field", f"{field.name}: {field.message}"
    yield "available actions", ", ".join(info.available_actions)
    yield "action", info.action or ""
    for change in info.contract_changes:
        yield "contract change", f"{change.severity}: {change.description}"
    for name, value in info.details.items():
        yield "detail", f"{name}: {_shown(value)}"


def _shown(value: JsonValue) -> str:
    try:
        return str(value)
    except RecursionError:
        return "(nested too deeply to show)"
