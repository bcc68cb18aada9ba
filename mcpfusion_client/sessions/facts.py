"""Facts about a request, carried past the SDK by a token of our own.

The SDKs drop what an HTTP response said, or die of it. So the failure is kept
here, and the SDK gets a JSON-RPC error that only holds a random token. A token
works once and a server cannot guess one; the table is bounded.
"""

import secrets
from collections import OrderedDict

import attrs

from mcpfusion_client.model import ErrorInfo, JsonObject, JsonValue
from mcpfusion_client.model.json import is_object
from mcpfusion_client.model.text import one_line
from mcpfusion_client.sessions.compat import RpcError

TOKEN_KEY = "mcpfusion.evidence"  # noqa: S105 - a key, not a secret
FACT_CODE = -32099
"""The JSON-RPC code that carries a token; it never reaches a caller."""

_CAPACITY = 4096


@attrs.frozen(kw_only=True)
class Fact:
    """What is known about a request that got no usable answer.

    Attributes:
        info: The failure.
        cause: The exception behind it, if there was one.
        answered: The server itself answered.
        rpc: The JSON-RPC error in the body, if there was one.
        session_gone: The server has forgotten the session.
    """

    info: ErrorInfo
    cause: BaseException | None = None
    answered: bool = False
    rpc: RpcError | None = None
    session_gone: bool = False


@attrs.define(eq=False)
class FactTable:
    """The facts that have not been collected yet, oldest first."""

    _facts: OrderedDict[str, Fact] = attrs.field(
        factory=OrderedDict[str, Fact], init=False
    )

    def put(self, fact: Fact, request_id: JsonValue) -> JsonObject:
        """Keep *fact* and return the JSON-RPC error that stands for it."""
        token = secrets.token_hex(16)
        self._facts[token] = fact
        if len(self._facts) > _CAPACITY:
            self._facts.popitem(last=False)
        return {
            "jsonrpc": "2.0",
            "id": request_id,
            "error": {
                "code": FACT_CODE,
                # The SDK writes it into its own spans and logs.
                "message": one_line(fact.info.message) or "the request failed",
                "data": {TOKEN_KEY: token},
            },
        }

    def take(self, error: RpcError) -> Fact | None:
        """Return the fact *error* stands for, once; None when it is forged."""
        if error.code != FACT_CODE or not is_object(error.data):
            return None
        token: object = error.data.get(TOKEN_KEY)
        return self._facts.pop(token, None) if isinstance(token, str) else None
