"""The decoder: one door for everything that can be decoded."""

from collections.abc import Mapping
from datetime import datetime

import attrs

from mcpfusion_client.decode.disguised import find as find_disguised
from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.failures import other as read_other
from mcpfusion_client.decode.failures import read as read_result
from mcpfusion_client.decode.failures import warning as read_warning
from mcpfusion_client.decode.http import from_http
from mcpfusion_client.decode.lexicon import Context, Lexicon
from mcpfusion_client.decode.rpc import from_rpc
from mcpfusion_client.decode.tables.codes import normalise
from mcpfusion_client.decode.tables.meanings import OF_CATEGORY
from mcpfusion_client.decode.taught import apply as apply_taught
from mcpfusion_client.decode.wire import (
    HttpWire,
    ResultWire,
    RpcWire,
    Wire,
    accept,
    is_failed,
)
from mcpfusion_client.model import ErrorCategory, ErrorInfo, JsonObject, JsonValue
from mcpfusion_client.model.json import is_array, is_mapping, is_object, is_sequence


@attrs.frozen(kw_only=True)
class Reading:
    """What a result or an exception turned out to be.

    Attributes:
        error: The failure, None for a success.
        warnings: Advice that rode on a success, severity ``warning``.
        suspected_failure: A failure that was sent as a success, when asked to
            look for one.
        reason: Why it is suspected.
    """

    error: ErrorInfo | None = None
    warnings: tuple[ErrorInfo, ...] = ()
    suspected_failure: ErrorInfo | None = None
    reason: str | None = None


_NOTHING = Reading()


def _lexicon_of(decoder: "Decoder") -> Lexicon:
    codes = {normalise(key): _meaning(key, one) for key, one in decoder.codes.items()}
    phrases = {key.lower(): _meaning(key, one) for key, one in decoder.phrases.items()}
    return Lexicon(codes=codes, phrases=tuple(phrases.items()))


def _timeless_context(decoder: "Decoder") -> Context:
    """Return the context of results that came with no time."""
    return Context(lexicon=decoder._lexicon)  # noqa: SLF001 - its own factory


def _meaning(key: str, value: ErrorCategory | Meaning) -> Meaning:
    if isinstance(value, Meaning):
        return value
    try:
        return OF_CATEGORY[ErrorCategory(value)]
    except ValueError:
        msg = (
            f"{key!r} cannot mean {value!r}: give an ErrorCategory, such as "
            "ErrorCategory.BUSINESS, or a Meaning"
        )
        raise ValueError(msg) from None


@attrs.frozen(kw_only=True)
class Decoder:
    """Decodes failures, with what you teach it about your own servers.

    Attributes:
        codes: Code words to what they mean, in any spelling. A category stands
            for its usual meaning; a `Meaning` says more.
        phrases: Text to look for, in any letter case, to what it means.
    """

    codes: Mapping[str, ErrorCategory | Meaning] = attrs.field(
        factory=dict[str, ErrorCategory | Meaning]
    )
    phrases: Mapping[str, ErrorCategory | Meaning] = attrs.field(
        factory=dict[str, ErrorCategory | Meaning]
    )
    _lexicon: Lexicon = attrs.field(
        init=False,
        repr=False,
        eq=False,
        default=attrs.Factory(_lexicon_of, takes_self=True),
    )
    _context: Context = attrs.field(
        init=False,
        repr=False,
        eq=False,
        default=attrs.Factory(_timeless_context, takes_self=True),
    )

    def decode(
        self, x: object, *, received_at: datetime | None = None
    ) -> ErrorInfo | None:
        """Return the failure *x* is, None for a success."""
        return self.read(x, received_at=received_at).error

    def read(
        self,
        x: object,
        *,
        received_at: datetime | None = None,
        detect_disguised: bool = False,
    ) -> Reading:
        """Return what *x* turned out to be; never raises for anything on the wire.

        Args:
            x: A ``CallToolResult`` of either SDK, its JSON, an exception, or
                ``{"result": ...}``, ``{"protocol_error": ...}``, ``{"http": ...}``.
            received_at: What absolute times in hints are relative to.
            detect_disguised: Look for failures that were sent as successes.
        """
        if is_mapping(x) and "content" in x:
            return self._read_result(x, received_at, detect_disguised=detect_disguised)
        found = accept(x)
        if isinstance(found, ResultWire):
            return self._read_result(
                found.result, received_at, detect_disguised=detect_disguised
            )
        return Reading(error=self.taught(self._failure(found, received_at)))

    def from_http(
        self,
        *,
        status: int,
        headers: Mapping[str, str],
        body: str | bytes | None = None,
        request_id_session: bool = False,
        received_at: datetime | None = None,
    ) -> ErrorInfo:
        """Return what an HTTP response means; see `http.from_http`."""
        return from_http(
            status=status,
            headers=headers,
            body=body,
            request_id_session=request_id_session,
            received_at=received_at,
            lexicon=self._lexicon,
        )

    def from_rpc(
        self,
        *,
        code: int,
        message: str,
        data: JsonValue = None,
        sdk_made: bool,
        received_at: datetime | None = None,
    ) -> ErrorInfo:
        """Return what a JSON-RPC error means; see `rpc.from_rpc`."""
        return from_rpc(
            code=code,
            message=message,
            data=data,
            sdk_made=sdk_made,
            received_at=received_at,
            lexicon=self._lexicon,
        )

    def taught(self, info: ErrorInfo) -> ErrorInfo:
        """Return a failure that is decoded already with what this decoder knows.

        A session decodes JSON-RPC errors and HTTP answers by the built-in tables;
        this applies `codes` and `phrases` to them. What the server stated stays.
        """
        if not self.codes and not self.phrases:
            return info
        return apply_taught(info, self._lexicon)

    def _context_at(self, now: datetime | None) -> Context:
        return self._context if now is None else Context(lexicon=self._lexicon, now=now)

    def _read_result(
        self, result: JsonObject, now: datetime | None, *, detect_disguised: bool
    ) -> Reading:
        failed = result.get("isError")
        if failed is None:
            failed = result.get("is_error")
        if failed is not None and failed is not False and is_failed(failed):
            return Reading(error=read_result(result, self._context_at(now)))
        warnings = self._warnings(result.get("content"), now)
        if detect_disguised:
            suspect = find_disguised(result, self._context_at(now))
            if suspect is not None:
                return Reading(
                    warnings=warnings,
                    suspected_failure=suspect.error,
                    reason=suspect.reason,
                )
        return Reading(warnings=warnings) if warnings else _NOTHING

    def _warnings(
        self, content: JsonValue, now: datetime | None
    ) -> tuple[ErrorInfo, ...]:
        # Every success comes through here.
        if not is_sequence(content):
            return ()
        found: list[ErrorInfo] = []
        for block in content:
            if is_mapping(block):
                text = block.get("text")
                if isinstance(text, str) and _may_be_envelope(text):
                    warning = read_warning(text, self._context_at(now))
                    if warning is not None:
                        found.append(warning)
        return tuple(found)

    def _failure(self, found: Wire, now: datetime | None) -> ErrorInfo:
        if isinstance(found, ErrorInfo):
            return found
        if isinstance(found, RpcWire):
            return self.from_rpc(
                code=found.code,
                message=found.message,
                data=found.error_data,
                sdk_made=found.sdk_made,
                received_at=now,
            )
        if isinstance(found, HttpWire):
            return self.from_http(
                status=found.status,
                headers=found.headers,
                body=found.body,
                received_at=now,
            )
        return read_other(found, self._context_at(now))


def is_plain_success(result: JsonObject) -> bool:
    """Is *result* a success that nothing can be read from but the tool's own words?

    The short way for whoever gets every result and needs no suspicions: what is
    plain has neither an error nor a warning. False says only that it has to be read.
    """
    if result.get("isError", False) is not False or "is_error" in result:
        return False
    content = result.get("content")
    if not is_array(content):
        return False
    for block in content:
        if not is_object(block):
            return False
        text = block.get("text")
        if text is not None and (type(text) is not str or _may_be_envelope(text)):
            return False
    return True


def _may_be_envelope(text: str) -> bool:
    start = text[:1]
    return start == "<" or (start.isspace() and text[:256].lstrip()[:1] == "<")
