"""What a user taught a decoder also applies to failures that are no tool results."""

from typing import Any

import httpx
import pytest

from mcpfusion_client import MCPFusionClient
from mcpfusion_client.decode import Decoder, Meaning, decode
from mcpfusion_client.errors import BusinessRuleError
from mcpfusion_client.model import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    Origin,
    SideEffects,
)
from mcpfusion_client.testing import ProtocolFailure, ScriptedSession, VirtualClock

C = ErrorCategory
DECODER = Decoder(
    codes={
        "WARP_CORE_COLD": Meaning(
            C.TRANSIENT, retry=True, execution=Execution.NOT_EXECUTED
        ),
        "-32050": C.BUSINESS,
        "HTTP_418": C.BUSINESS,
    },
    phrases={"flux capacitor": C.BUSINESS},
)


def response(status: int, text: str) -> httpx.HTTPStatusError:
    """Return what an HTTP client raises for a failure status."""
    request = httpx.Request("POST", "https://mcp.example/")
    return httpx.HTTPStatusError(
        "failed",
        request=request,
        response=httpx.Response(status, text=text, request=request),
    )


@pytest.mark.parametrize(
    ("wire", "category"),
    [
        ({"protocol_error": {"code": -32050, "message": "no"}}, C.BUSINESS),
        (
            {"protocol_error": {"code": -32603, "message": "the flux capacitor"}},
            C.BUSINESS,
        ),
        (
            {
                "protocol_error": {
                    "code": -32603,
                    "message": "x",
                    "data": {"code": "WarpCoreCold"},
                }
            },
            C.TRANSIENT,
        ),
        ({"http": {"status": 500, "body": '{"code": "WARP_CORE_COLD"}'}}, C.TRANSIENT),
        ({"http": {"status": 418, "body": ""}}, C.BUSINESS),
        ({"http": {"status": 500, "body": "Flux Capacitor empty"}}, C.BUSINESS),
        (response(500, "Flux Capacitor empty"), C.BUSINESS),
    ],
)
def test_errors_of_the_protocol_and_of_http_are_taught_too(
    wire: object, category: ErrorCategory
) -> None:
    """Codes, numbers and phrases, wherever the server put them."""
    taught, plain = DECODER.decode(wire), decode(wire)

    assert taught is not None
    assert plain is not None
    assert taught.category is category
    assert plain.category is not category


def test_a_failure_that_was_decoded_without_it_is_taught_later() -> None:
    """A session does not know whose decoder will read its failure."""
    info = ErrorInfo(message="x", code="WARP_CORE_COLD", origin=Origin.PROTOCOL)

    taught = DECODER.taught(info)

    assert taught.category is C.TRANSIENT
    assert taught.is_retryable is True
    assert taught.execution is Execution.NOT_EXECUTED
    assert Decoder().taught(info) is info


def test_what_the_server_stated_is_not_overruled() -> None:
    """Teaching fills in conclusions, never statements."""
    stated = ErrorInfo(
        message="x",
        code="WARP_CORE_COLD",
        category=C.VALIDATION,
        is_retryable=False,
        stated=frozenset({"category", "is_retryable"}),
    )
    flagged = ErrorInfo(
        message="x",
        code="WARP_CORE_COLD",
        is_retryable=False,
        side_effects=SideEffects.SOME,
        stated=frozenset({"is_retryable", "side_effects"}),
    )

    assert DECODER.taught(stated) is stated
    assert DECODER.taught(flagged).category is C.TRANSIENT
    assert DECODER.taught(flagged).is_retryable is False
    assert DECODER.taught(flagged).execution is Execution.UNKNOWN


def test_words_that_forbid_a_repeat_still_forbid_it() -> None:
    """The one sentence a server writes about repeating beats a table."""
    info = ErrorInfo(message="Do not retry.", code="WARP_CORE_COLD")

    assert DECODER.taught(info).is_retryable is False


def test_failures_of_our_own_side_are_not_taught() -> None:
    """A lost connection and a refusal of ours have codes of ours."""
    for origin in (Origin.TRANSPORT, Origin.CLIENT):
        info = ErrorInfo(message="flux capacitor", code="-32050", origin=origin)
        assert DECODER.taught(info) is info


async def test_a_client_reads_protocol_errors_with_its_decoder() -> None:
    """Also the ones its session decoded before."""
    session = ScriptedSession([ProtocolFailure(-32050, "no"), response(418, "")])

    async with MCPFusionClient(session, decoder=DECODER) as client:
        with pytest.raises(BusinessRuleError):
            await client.call_tool("x")
        with pytest.raises(BusinessRuleError):
            await client.call_tool("x")


async def test_a_code_taught_as_temporary_is_repeated() -> None:
    """Teaching changes what the client does, not only what it says."""
    failure = ProtocolFailure(-32603, "x", {"code": "WARP_CORE_COLD"})
    clock = VirtualClock()
    session = ScriptedSession([failure, "done"], clock=clock)

    async with MCPFusionClient(session, decoder=DECODER, clock=clock) as client:
        result = await client.call_tool("x")

    assert result.text == "done"
    assert len(result.attempts) == 2


def test_a_failure_without_a_code_is_taught_by_its_words() -> None:
    """There is nothing else to know it by."""
    taught = DECODER.taught(ErrorInfo(message="The flux capacitor is empty"))

    assert taught.category is C.BUSINESS


@pytest.mark.parametrize("meaning", ["bussiness", 3, None])
def test_what_is_no_category_is_refused_when_it_is_taught(meaning: Any) -> None:
    """A word that is one will do."""
    with pytest.raises(ValueError, match="'LEDGER_CLOSED' cannot mean"):
        Decoder(codes={"LEDGER_CLOSED": meaning})

    word: Any = "business"
    decoder = Decoder(phrases={"ledger is shut": word})
    failed = {"content": [{"type": "text", "text": "Ledger is shut"}], "isError": True}
    error = decoder.decode(failed)
    assert error is not None
    assert error.category == "business"
