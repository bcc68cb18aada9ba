"""A typed router, written by ``mcpfusion codegen``; do not edit."""

# ruff: noqa

from typing import Literal, NotRequired, TypedDict

from mcpfusion_client.router import (
    UNSET,
    AsyncNamespace,
    AsyncRouter,
    Contract,
    SyncNamespace,
    SyncRouter,
    ToolResult,
    Unset,
)


class Line(TypedDict):
    sku: str
    amount: float


class BillingGetInvoiceOutput(TypedDict):
    id: str
    total: float
    status: Literal["open", "paid", "void"]
    lines: NotRequired[list[Line]]


BillingPayMethod = TypedDict(
    "BillingPayMethod",
    {
        "card": str,
        "3d-secure": NotRequired[bool],
    },
)


class SyncBillingNamespace(SyncNamespace):
    """The tools under ``billing``."""

    def get_invoice(
        self,
        *,
        id: str,
        expand: list[Literal["lines", "customer"]] | Unset = UNSET,
    ) -> ToolResult[BillingGetInvoiceOutput]:
        """Get one invoice.

        Calls the tool ``billing.get_invoice``.
        The server says: it changes nothing.

        Args:
            id: Its number.
        """
        return self._call(
            "billing.get_invoice",
            {
                "id": id,
                "expand": expand,
            },
        )

    def pay(
        self,
        *,
        id: str,
        method: BillingPayMethod,
        note: str | None | Unset = UNSET,
    ) -> ToolResult:
        """Pay an invoice.

        Calls the tool ``billing.pay``.
        The server says: it may delete or overwrite, does more when repeated.

        Args:
            note: Default: ``null``.
        """
        return self._call(
            "billing.pay",
            {
                "id": id,
                "method": method,
                "note": note,
            },
        )


class SyncUsersNamespace(SyncNamespace):
    """The tools under ``users``."""

    def invite(
        self,
        *,
        email: str,
    ) -> ToolResult:
        """Look after users.

        Calls the tool ``users`` with ``action`` ``invite``.

        Args:
            email: Whom. Required for: invite
        """
        return self._call(
            "users",
            {
                "action": "invite",
                "email": email,
            },
        )

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
    ) -> ToolResult:
        """Look after users.

        Calls the tool ``users`` with ``action`` ``list``.

        Args:
            limit: For: list. Default: ``20``.
        """
        return self._call(
            "users",
            {
                "action": "list",
                "limit": limit,
            },
        )


class SyncAppRouter(SyncRouter):
    """The tools of the server."""

    @property
    def billing(self) -> SyncBillingNamespace:
        """The tools under ``billing``."""
        return SyncBillingNamespace(self._binding)

    @property
    def users(self) -> SyncUsersNamespace:
        """The tools under ``users``."""
        return SyncUsersNamespace(self._binding)

    def ping(self) -> ToolResult:
        """Calls the tool ``ping``."""
        return self._call(
            "ping",
            {},
        )

    @classmethod
    def __contract__(cls) -> Contract:
        """Return what this router was generated from."""
        return CONTRACT


class BillingNamespace(AsyncNamespace):
    """The tools under ``billing``."""

    async def get_invoice(
        self,
        *,
        id: str,
        expand: list[Literal["lines", "customer"]] | Unset = UNSET,
    ) -> ToolResult[BillingGetInvoiceOutput]:
        """Get one invoice.

        Calls the tool ``billing.get_invoice``.
        The server says: it changes nothing.

        Args:
            id: Its number.
        """
        return await self._call(
            "billing.get_invoice",
            {
                "id": id,
                "expand": expand,
            },
        )

    async def pay(
        self,
        *,
        id: str,
        method: BillingPayMethod,
        note: str | None | Unset = UNSET,
    ) -> ToolResult:
        """Pay an invoice.

        Calls the tool ``billing.pay``.
        The server says: it may delete or overwrite, does more when repeated.

        Args:
            note: Default: ``null``.
        """
        return await self._call(
            "billing.pay",
            {
                "id": id,
                "method": method,
                "note": note,
            },
        )


class UsersNamespace(AsyncNamespace):
    """The tools under ``users``."""

    async def invite(
        self,
        *,
        email: str,
    ) -> ToolResult:
        """Look after users.

        Calls the tool ``users`` with ``action`` ``invite``.

        Args:
            email: Whom. Required for: invite
        """
        return await self._call(
            "users",
            {
                "action": "invite",
                "email": email,
            },
        )

    async def list(
        self,
        *,
        limit: int | Unset = UNSET,
    ) -> ToolResult:
        """Look after users.

        Calls the tool ``users`` with ``action`` ``list``.

        Args:
            limit: For: list. Default: ``20``.
        """
        return await self._call(
            "users",
            {
                "action": "list",
                "limit": limit,
            },
        )


class AppRouter(AsyncRouter[SyncAppRouter]):
    """The tools of the server."""

    @property
    def billing(self) -> BillingNamespace:
        """The tools under ``billing``."""
        return BillingNamespace(self._binding)

    @property
    def users(self) -> UsersNamespace:
        """The tools under ``users``."""
        return UsersNamespace(self._binding)

    async def ping(self) -> ToolResult:
        """Calls the tool ``ping``."""
        return await self._call(
            "ping",
            {},
        )

    @classmethod
    def __contract__(cls) -> Contract:
        """Return what this router was generated from."""
        return CONTRACT


CONTRACT = Contract(
    version=1,
    options={
        "name": "AppRouter",
        "discriminator": "action",
        "split_flat": True,
    },
    tools={
        "billing.get_invoice": '{"annotations":{"readOnlyHint":true},"inputSchema":{"properties":{"expand":{"items":{"enum":["lines","customer"]},"type":"array"},"id":{"type":"string"}},"required":["id"],"type":"object"},"outputSchema":{"$defs":{"Line":{"properties":{"amount":{"type":"number"},"sku":{"type":"string"}},"required":["sku","amount"],"type":"object"}},"properties":{"id":{"type":"string"},"lines":{"items":{"$ref":"#/$defs/Line"},"type":"array"},"status":{"enum":["open","paid","void"]},"total":{"type":"number"}},"required":["id","total","status"],"type":"object"},"prose":"72ecc87357d7d1f0"}',
        "billing.pay": '{"annotations":{"destructiveHint":true,"idempotentHint":false},"inputSchema":{"properties":{"id":{"type":"string"},"method":{"properties":{"3d-secure":{"type":"boolean"},"card":{"type":"string"}},"required":["card"],"type":"object"},"note":{"default":null,"type":["string","null"]}},"required":["id","method"],"type":"object"},"prose":"94cd2fb0e102dd70"}',
        "ping": '{"inputSchema":{"properties":{},"type":"object"},"prose":"62376ca658718da8"}',
        "users": '{"inputSchema":{"properties":{"action":{"enum":["list","invite"],"type":"string"},"email":{"description":"Required for: invite","type":"string"},"limit":{"default":20,"description":"For: list","type":"integer"}},"required":["action"],"type":"object"},"prose":"e9b29ef9fa0780de"}',
    },
)
