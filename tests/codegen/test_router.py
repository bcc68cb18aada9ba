"""A generated router at work: options, checked results, drift."""

import logging
from pathlib import Path

import attrs
import pytest

from mcpfusion_client import (
    ErrorCategory,
    ErrorInfo,
    Execution,
    MCPFusionClient,
    MCPFusionClientError,
    Origin,
    SyncMCPFusionClient,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.codegen import Change, Grade
from mcpfusion_client.codegen.drift import RouterDrift
from mcpfusion_client.model import JsonObject, JsonValue
from mcpfusion_client.router import (
    UNSET,
    AsyncRouter,
    Binding,
    SyncRouter,
    sync_twin,
)
from mcpfusion_client.testing import ScriptedSession
from tests.codegen.example_router import (
    CONTRACT,
    AppRouter,
    SyncAppRouter,
)
from tests.codegen.making import Listener, SyncListener, at_work, tool

INVOICE: JsonObject = {"id": "inv_1", "total": 9.5, "status": "open"}
NUMBERS: JsonObject = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "maximum": 9},
        "word": {"type": "string", "pattern": "^(a+)+$", "format": "date"},
    },
    "required": ["n"],
    "additionalProperties": False,
}


def result(content: JsonValue) -> ToolResult:
    """Return a success with structured content."""
    return ToolResult(structured_content=content, raw=wire(content))


def wire(content: JsonValue) -> JsonObject:
    """Return such a result as on the wire."""
    return {"content": list[JsonValue](), "structuredContent": content}


def bound(answer: ToolResult, *, raises: bool = True, check: bool = True) -> AppRouter:
    """Return the example router over a client that answers *answer*."""
    return AppRouter(
        Binding(caller=Listener(answer), contract=CONTRACT, raises=raises, check=check)
    )


async def test_a_result_that_keeps_its_promise_comes_through() -> None:
    """The same object, nothing copied."""
    answer = result(INVOICE)

    assert await bound(answer).billing.get_invoice(id="inv_1") is answer


@pytest.mark.parametrize(
    "content",
    [
        {"id": "inv_1", "status": "open"},
        {**INVOICE, "total": "9.5"},
        {**INVOICE, "status": "lost"},
        {**INVOICE, "lines": [{"sku": "a"}]},
        [],
        "text",
        None,
    ],
)
async def test_a_result_that_breaks_its_promise_is_an_error_of_a_tool_that_ran(
    content: JsonValue,
) -> None:
    """Whoever repeats the call pays twice: it says EXECUTED, and brings the raw."""
    with pytest.raises(MCPFusionClientError) as caught:
        await bound(result(content)).billing.get_invoice(id="inv_1")

    error = caught.value
    assert error.execution is Execution.EXECUTED
    assert error.origin is Origin.CLIENT
    assert error.code == "BAD_RESPONSE"
    assert error.category is ErrorCategory.UNKNOWN
    assert error.is_retryable is False
    assert error.raw == {"content": [], "structuredContent": content}
    assert error.tool == "billing.get_invoice"
    assert error.fields


async def test_the_error_says_which_field_and_no_value() -> None:
    """The content may be secret; the schema is not."""
    content = {**INVOICE, "lines": [{"sku": "a", "amount": "hunter2"}]}

    with pytest.raises(MCPFusionClientError) as caught:
        await bound(result(content)).billing.get_invoice(id="inv_1")

    assert [field.name for field in caught.value.fields] == ["lines.0.amount"]
    assert "hunter2" not in str(caught.value.info)


async def test_with_errors_as_results_it_is_one() -> None:
    """As every other failure of a call then is."""
    found = await bound(result([]), raises=False).billing.get_invoice(id="1")

    assert found.is_error
    assert found.error is not None
    assert found.error.execution is Execution.EXECUTED
    assert found.structured_content == []


@pytest.mark.parametrize("raises", [True, False])
async def test_the_option_of_the_call_beats_the_client(*, raises: bool) -> None:
    """`with_options` reaches the check too."""
    router = bound(result([]), raises=not raises).with_options(raise_on_error=raises)

    if raises:
        with pytest.raises(MCPFusionClientError):
            await router.billing.get_invoice(id="1")
    else:
        assert (await router.billing.get_invoice(id="1")).is_error


async def test_the_check_can_be_turned_off() -> None:
    """For a server whose schemas are worse than its results."""
    found = await bound(result([]), check=False).billing.get_invoice(id="1")

    assert found.structured_content == []


async def test_a_failure_is_not_checked() -> None:
    """What failed has no result."""
    info = ErrorInfo(message="no", category=ErrorCategory.BUSINESS)
    answer = ToolResult(is_error=True, error=info)

    assert await bound(answer).billing.get_invoice(id="1") is answer


async def test_a_suspected_failure_is_not_checked() -> None:
    """It is reported as what it seems to be."""
    info = ErrorInfo(message="no")
    answer = attrs.evolve(result([]), suspected_failure=info)

    assert await bound(answer).billing.get_invoice(id="1") is answer


async def test_without_raw_the_error_brings_what_there_is() -> None:
    """A session of one's own may return a `ToolResult` without it."""
    with pytest.raises(MCPFusionClientError) as caught:
        await bound(ToolResult(structured_content=[])).billing.get_invoice(id="1")

    assert caught.value.raw == {"content": [], "structuredContent": []}


@pytest.mark.parametrize(
    "content", [{"n": 1, "new": 1}, {"n": 1, "word": "a" * 40 + "b"}]
)
async def test_what_no_type_promises_is_not_checked(
    content: JsonObject, tmp_path: Path
) -> None:
    """A further field breaks nobody, and no pattern of a server is run."""
    router, _ = at_work(
        tmp_path, tool("get_it", outputSchema=NUMBERS), answer=result(content)
    )

    assert (await router.get_it()).data == content


async def test_bounds_are_checked(tmp_path: Path) -> None:
    """They are part of the schema, if not of the type."""
    router, _ = at_work(
        tmp_path, tool("get_it", outputSchema=NUMBERS), answer=result({"n": 10})
    )

    with pytest.raises(MCPFusionClientError):
        await router.get_it()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": 3},
        {"$ref": "#"},
        {"$ref": "https://example.com/x.json"},
        {"$ref": "file:///etc/passwd"},
        {"$schema": "https://example.com/mine", "type": "object"},
        {"$schema": {}, "type": "object"},
        {"type": "nonsense"},
    ],
)
async def test_a_schema_that_cannot_check_checks_nothing(
    schema: JsonObject, tmp_path: Path
) -> None:
    """A schema of a server must not turn a success into a failure of ours."""
    router, _ = at_work(
        tmp_path, tool("get_it", outputSchema=schema), answer=result({"a": 1})
    )

    assert (await router.get_it()).data == {"a": 1}


async def test_options_go_with_every_call_of_that_router_only() -> None:
    """The one they were made from is as it was."""
    client = Listener()
    router = AppRouter(Binding(caller=client, contract=CONTRACT))

    await router.with_options(timeout=3.0).with_options(retry=False).ping()
    assert client.options == {"timeout": 3.0, "retry": False}
    await router.ping()
    assert client.options == {"timeout": None, "retry": None}


def test_the_sync_router_does_the_same() -> None:
    """One contract, two faces."""
    client = SyncListener(result(INVOICE))
    router = SyncAppRouter(Binding(caller=client, contract=CONTRACT))

    found = router.billing.get_invoice(id="1")

    assert found.data["total"] == 9.5
    assert client.calls == [("billing.get_invoice", {"id": "1"})]


def test_a_router_without_a_twin_is_refused() -> None:
    """Whoever wrote it by hand has to write the other one too."""

    class Bare(AsyncRouter[SyncRouter]):
        pass

    assert sync_twin(AppRouter) is SyncAppRouter
    assert sync_twin(Bare) is SyncRouter
    with pytest.raises(TypeError):
        sync_twin(type("Odd", (AsyncRouter,), {}))


def test_unset_says_what_it_is() -> None:
    """It shows in signatures."""
    assert repr(UNSET) == "UNSET"


async def test_a_client_makes_the_router() -> None:
    """`client.router(AppRouter)`, with the client's own way of failing."""
    session = ScriptedSession([wire(INVOICE)] * 2)
    async with MCPFusionClient(session) as client:
        found = await client.router(AppRouter).billing.get_invoice(id="inv_1")
        again = await client.router(AppRouter, check_results=False).billing.get_invoice(
            id="inv_1"
        )

    assert found.data["total"] == again.data["total"] == 9.5


async def test_a_client_that_returns_errors_returns_this_one() -> None:
    """``raise_on_error=False`` holds for the check."""
    session = ScriptedSession([wire({})])
    async with MCPFusionClient(session, raise_on_error=False) as client:
        found = await client.router(AppRouter).billing.get_invoice(id="inv_1")

    assert found.error is not None
    assert found.error.execution is Execution.EXECUTED


def test_a_sync_client_makes_the_sync_router_of_either() -> None:
    """From the class one has at hand."""
    session = ScriptedSession([wire(INVOICE)] * 2)
    with SyncMCPFusionClient(session) as client:
        one = client.router(AppRouter)
        other = client.router(SyncAppRouter)

        assert type(one) is type(other) is SyncAppRouter
        assert one.billing.get_invoice(id="1").data["status"] == "open"


class TestDrift:
    """Hearing of a change before the agent does."""

    def _tools(self, *, more: str = "") -> tuple[ToolInfo, ...]:
        from mcpfusion_client.codegen.contract import recall  # noqa: PLC0415 - here

        listed = [
            ToolInfo(
                name=each["name"],
                input_schema=each["inputSchema"],
                output_schema=each.get("outputSchema"),
                annotations=each.get("annotations", {}),
            )
            for each in recall(CONTRACT)
        ]
        return (*listed, ToolInfo(name=more)) if more else tuple(listed)

    def test_no_change_is_no_news(self) -> None:
        """Nor is a change of words, unless it is asked for."""
        told: list[tuple[Change, ...]] = []

        RouterDrift(AppRouter, report=told.append).on_tools("s", self._tools())

        assert told == []

    def test_a_change_is_told_once(self) -> None:
        """And again when it becomes another one, or ends."""
        told: list[tuple[Change, ...]] = []
        drift = RouterDrift(SyncAppRouter, report=told.append)

        for tools in (self._tools()[:-1], self._tools()[:-1], self._tools()):
            drift.on_tools("s", tools)

        assert [len(each) for each in told] == [2, 0]
        assert {change.grade for change in told[0]} == {Grade.BREAKING}

    def test_what_is_less_than_asked_for_is_left_out(self) -> None:
        """A new tool is SAFE."""
        told: list[tuple[Change, ...]] = []
        tools = self._tools(more="new")

        RouterDrift(AppRouter, report=told.append).on_tools("s", tools)
        assert told == []
        RouterDrift(AppRouter, report=told.append, least=Grade.SAFE).on_tools(
            "s", tools
        )
        assert any(change.action == "new" for change in told[0])

    def test_by_default_it_is_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        """BREAKING is an error in the log."""
        RouterDrift(AppRouter).on_tools("s", self._tools()[1:])

        assert {record.levelno for record in caplog.records} == {logging.ERROR}
        assert {record.name for record in caplog.records} == {"mcpfusion_client.drift"}
