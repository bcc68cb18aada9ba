"""A result is held to what the server lists and to what the router was made from."""

import pytest

from mcpfusion_client import Execution, MCPFusionClient, MCPFusionClientError
from mcpfusion_client.model import JsonObject, ToolInfo
from mcpfusion_client.testing import ScriptedServer
from tests.codegen.example_router import AppRouter

GENERATED_FROM: JsonObject = {"properties": {"total": {"type": "number"}}}
LISTED_LATER: JsonObject = {"properties": {"total": {"type": "string"}}}
AS_GENERATED: JsonObject = {"id": "1", "total": 9.5, "status": "open"}
AS_LISTED: JsonObject = {"id": "1", "total": "9.50", "status": "open"}


@pytest.mark.parametrize(
    ("listed", "returned", "check_results", "fits"),
    [
        (GENERATED_FROM, AS_GENERATED, True, True),
        (LISTED_LATER, AS_LISTED, True, False),
        (LISTED_LATER, AS_LISTED, False, True),
        (LISTED_LATER, AS_GENERATED, False, False),
    ],
)
async def test_check_results_leaves_out_the_schema_the_router_was_generated_from(
    listed: JsonObject, returned: JsonObject, *, check_results: bool, fits: bool
) -> None:
    """What the server lists now holds for every call, as in both SDKs."""
    server = ScriptedServer(
        [{"content": [], "structuredContent": returned}],
        tools=[ToolInfo(name="billing.get_invoice", output_schema=_object(listed))],
    )
    async with MCPFusionClient(server.target) as client:
        await client.list_tools()
        router = client.router(AppRouter, check_results=check_results)
        if fits:
            found = await router.billing.get_invoice(id="1")
            assert found.structured_content == returned
        else:
            with pytest.raises(MCPFusionClientError) as caught:
                await router.billing.get_invoice(id="1")
            assert caught.value.info.execution is Execution.EXECUTED
            assert [field.name for field in caught.value.fields] == ["total"]


def _object(schema: JsonObject) -> JsonObject:
    return {"type": "object", **schema}
