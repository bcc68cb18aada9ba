"""The server behind ``mcpfusion demo``: every tool fails in a way of its own.

The failures are worded as MCP Fusion and the structured-error documents word them.
"""

import math
from collections.abc import Mapping, Sequence

import anyio

from mcpfusion_client.encode import tool_error, validation_error
from mcpfusion_client.integrations.scripted_server import (
    Handler,
    ServedTool,
    scripted_server,
)
from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo

_READ = {"readOnlyHint": True}
_WRITE = {"readOnlyHint": False, "idempotentHint": False}


def demo_server() -> object:
    """Return a fresh in-process server, a target for ``MCPFusionClient``."""
    return scripted_server("demo", _tools())


def _tools() -> Sequence[ServedTool]:
    return (
        _tool("orders_search", _READ, _script(_RATE_LIMITED, _text("3 orders"))),
        _tool("orders_lookup", _READ, _script(_UNREACHABLE, _text("#12345: shipped"))),
        _tool("billing_get_invoice", _READ, _get_invoice, {"id": {"type": "string"}}),
        _tool("sources_fetch", _READ, _script(_PAYWALL)),
        _tool("refunds_process", _WRITE, _script(_REFUND_WINDOW)),
        _tool("tickets_list_open", _READ, _script(_NO_TICKETS)),
        _tool("customers_find", _READ, _script(_SEVERAL_CUSTOMERS)),
        _tool("billing_create_invoice", _WRITE, _never_answers),
        _tool("reports_export", _READ, _script(_DEPRECATED_FORMAT)),
        _tool("web_search", _READ, _script(_text("5 pages"))),
        _tool("sources_summarize", _READ, _script(_text("a summary"))),
    )


def _tool(
    name: str,
    annotations: JsonObject,
    handle: Handler,
    properties: Mapping[str, JsonValue] | None = None,
) -> ServedTool:
    schema = {"type": "object", "properties": dict(properties or {})}
    info = ToolInfo(name=name, annotations=annotations, input_schema=schema)
    return ServedTool(info=info, handle=handle)


def _script(*answers: JsonObject) -> Handler:
    """Answer with each of *answers* in turn, then with the last one for ever."""
    left = list(answers)

    async def handle(_arguments: JsonObject) -> JsonObject:
        return left.pop(0) if len(left) > 1 else left[0]

    return handle


async def _never_answers(_arguments: JsonObject) -> JsonObject:
    await anyio.sleep(math.inf)
    return {}


async def _get_invoice(arguments: JsonObject) -> JsonObject:
    if str(arguments.get("id")).startswith("inv_"):
        return _failed(_NO_INVOICE)
    return _failed(_BAD_INVOICE_ID)


def _text(text: str) -> JsonObject:
    return {"content": [{"type": "text", "text": text}]}


def _failed(text: str, structured: JsonObject | None = None) -> JsonObject:
    result: dict[str, JsonValue] = {**_text(text), "isError": True}
    if structured is not None:
        result["structuredContent"] = structured
    return result


_RATE_LIMITED = _failed(
    tool_error(
        "RATE_LIMITED",
        "Too many searches in one minute",
        recovery="Wait, then send the same search again",
        retry_after=1,
    )
)
_UNREACHABLE = _failed(
    "The order database cannot be reached (timeout after 5 seconds).",
    {"errorCategory": "TRANSIENT", "isRetryable": True},
)
_BAD_INVOICE_ID = validation_error(
    "billing/get_invoice",
    [
        (
            "id",
            (
                "Invalid format. You sent: 'latest'. "
                "Expected a string matching ^inv_[0-9]+$."
            ),
        )
    ],
)
_NO_INVOICE = tool_error(
    "NOT_FOUND",
    "No invoice with that ID",
    recovery="List invoices first, then retry with a real ID",
    available_actions=["billing.list_invoices"],
    details={"requestedId": "inv_9"},
)
_PAYWALL = _failed(
    "Source returned 403 — paywall requires institutional access.",
    {"errorCategory": "PERMISSION", "isRetryable": False},
)
_REFUND_WINDOW = _failed(
    "Refunds are possible within 30 days of the purchase. "
    "This order (#12345) is 47 days old.",
    {"errorCategory": "BUSINESS", "isRetryable": False},
)
_NO_TICKETS = _text("Customer #4421 has no open tickets.")
# Labels in Japanese, as some servers write them: the kind of error, what happened, its
# cause, how to fix it, whether to retry ("if you correct the arguments"), side effects
# ("none").
_SEVERAL_CUSTOMERS = _failed(
    "エラー種別: 候補が複数\n"
    "何が起きたか: 3 customers match the name Yamada.\n"
    "原因: A name alone does not tell them apart.\n"
    "直し方: Send customer_id, such as C-1042; list_customers has them.\n"
    "再試行: 引数を直せば可\n"
    "副作用: なし"
)
_DEPRECATED_FORMAT = _text(
    tool_error(
        "DEPRECATED",
        "format=csv is going away",
        recovery="Use format=parquet",
        severity="warning",
    )
)
