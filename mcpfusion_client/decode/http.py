"""Read an HTTP response that carries a failure."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus

from mcpfusion_client.decode.evidence import Clue, Source, Strength
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.hints import from_headers as wait_of_headers
from mcpfusion_client.decode.hints import moment as moment_of
from mcpfusion_client.decode.hints import parameters as parameters_of
from mcpfusion_client.decode.json_metadata import read as read_object
from mcpfusion_client.decode.json_values import headers as headers_of
from mcpfusion_client.decode.lexicon import Context, Lexicon
from mcpfusion_client.decode.merge import Ground, merge
from mcpfusion_client.decode.safe_json import loads as parse_json
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables import numbers
from mcpfusion_client.decode.texts import of_json
from mcpfusion_client.decode.texts import read as read_text
from mcpfusion_client.model import (
    ErrorInfo,
    HttpEvidence,
    JsonObject,
    JsonValue,
    Origin,
    redact,
)
from mcpfusion_client.model.json import is_mapping

_EXCERPT = 2048
_BODY = 256 * 1024
_LIMITED = frozenset({429, 503})
_KEPT = frozenset(
    {
        "content-type",
        "date",
        "location",
        "mcp-session-id",
        "server",
        "via",
        "www-authenticate",
        "x-request-id",
    }
)


def from_http(
    *,
    status: int,
    headers: Mapping[str, str],
    body: str | bytes | None = None,
    request_id_session: bool = False,
    received_at: datetime | None = None,
    lexicon: Lexicon | None = None,
) -> ErrorInfo:
    """Return what an HTTP response with a failure status means.

    Args:
        status: The response status.
        headers: The response headers, in any letter case.
        body: Untrusted.
        request_id_session: The request carried a session id, so a 404 means
            that the server forgot the session.
        received_at: The wall clock, for a response without a ``Date``.
        lexicon: Code words and phrases beyond the built-in ones.
    """
    names = headers_of(headers)
    now = moment_of(names.get("date", "")) or received_at
    context = Context(lexicon=lexicon or Lexicon(), now=now)
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body or ""
    wait = wait_of_headers(names, now, limited=status in _LIMITED)
    values: dict[str, JsonValue] = {"http_status": status}
    if wait is not None:
        values["retry_after"] = wait
    clues = [_clue(status, wait, session=request_id_session)]
    values.update(_challenge(names.get("www-authenticate", ""), clues))
    head = Source(facts=(Facts(dialect="http", values=values),), clues=tuple(clues))
    inner = _body(text, context)
    joined = Source(
        facts=(*head.facts, *inner.facts),
        clues=(*head.clues, *inner.clues),
        structured=True,
    )
    ground = Ground(
        origin=Origin.HTTP,
        message=text.strip() or f"HTTP status {status}",
        code=f"HTTP_{status}",
        http=_evidence(status, names, text),
    )
    return merge([joined], ground, context.lexicon)


def _clue(status: int, wait: float | None, *, session: bool) -> Clue:
    source = f"HTTP status {status}"
    if status == HTTPStatus.NOT_FOUND and session:
        return Clue(m.BUSY, Strength.CODE, "HTTP status 404 for a session")
    if status == HTTPStatus.UNAUTHORIZED:  # whatever OAuth calls the reason
        return Clue(m.AUTHENTICATION, Strength.CODE, source)
    if status == HTTPStatus.SERVICE_UNAVAILABLE and wait is not None:
        return Clue(m.BUSY, Strength.STATUS, source)
    meaning = numbers.HTTP_STATUSES.get(status)
    if meaning is None:
        return Clue(m.CRASH, Strength.GENERIC, source)
    return Clue(meaning, numbers.status_strength(status), source)


def _challenge(value: str, clues: list[Clue]) -> JsonObject:
    """Read ``WWW-Authenticate``: which right is missing, or that a token is bad."""
    parameters = dict(parameters_of(value))
    error = parameters.get("error", "").lower()
    if error == "insufficient_scope":
        clues.append(Clue(m.PERMISSION, Strength.CODE, "insufficient_scope"))
        scope = parameters.get("scope")
        return {"details": {"scope": scope}} if scope else {}
    if error == "invalid_token":
        clues.append(Clue(m.AUTHENTICATION, Strength.CODE, "invalid_token"))
    return {}


def _body(text: str, context: Context) -> Source:
    value = parse_json(text[:_BODY]) if text[:64].lstrip()[:1] in "{[" else None
    if is_mapping(value) and isinstance(value.get("jsonrpc"), str):
        value = value.get("error")
    found = read_object(value, context, dialect="http")
    if found is None:
        return read_text(text, context) if text else Source()
    return of_json(found, context)


def _evidence(status: int, headers: Mapping[str, str], text: str) -> HttpEvidence:
    kept = {
        name: redact(value)
        for name, value in headers.items()
        if name in _KEPT
        or "retry" in name
        or "ratelimit" in name
        or "rate-limit" in name
    }
    return HttpEvidence(
        status=status,
        headers=kept,
        body_excerpt=redact(text[:_EXCERPT]) if text else None,
    )
