"""An OAuth authorization server on a loopback port: discovery to refresh."""

import base64
import hashlib
import json
from collections import Counter
from urllib.parse import parse_qs, urlencode, urlsplit

from mcpfusion_client.model import JsonObject
from tests.faults.http1 import HttpRequest, LoopbackServer, Wire, response
from tests.faults.server import FaultServer

CODE = "the-authorization-code"
CLIENT = "the-client"


class AuthServer(LoopbackServer):
    """Signs clients in to one `FaultServer`.

    Attributes:
        seen: How many requests came, by path.
        fails_at: The path that answers 500, if any.
    """

    def __init__(self, resource: FaultServer) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()
        self.fails_at: str | None = None
        self._resource = resource
        self._challenges: dict[str, str] = {}
        self._issued = 0

    def protect(self) -> None:
        """From now on the resource wants a token, which it says where to get."""
        resource = self._resource
        metadata = f"{resource.origin}/.well-known/oauth-protected-resource/mcp"
        resource.token = "Bearer not-issued-yet"
        resource.challenge = f'Bearer resource_metadata="{metadata}"'
        facts = {"resource": resource.url, "authorization_servers": [self.origin]}
        page = response(200, json.dumps(facts).encode())
        resource.pages["/.well-known/oauth-protected-resource/mcp"] = page

    def expire(self) -> None:
        """Every token issued so far is refused."""
        self._resource.token = "Bearer expired"

    async def serve(self, wire: Wire) -> None:
        """Answer one request after the other."""
        while (request := await wire.read_request()) is not None:
            path = urlsplit(request.target).path
            self.seen[path] += 1
            if path == self.fails_at:
                await wire.send(response(500, b"{}"))
                continue
            await wire.send(self._answer(path, request))

    def _answer(self, path: str, request: HttpRequest) -> bytes:
        match path:
            case "/.well-known/oauth-authorization-server":
                return _json(200, self._metadata())
            case "/register":
                wanted = request.json()
                method = {"token_endpoint_auth_method": "none"}
                return _json(201, {**wanted, "client_id": CLIENT, **method})
            case "/authorize":
                return self._authorize(parse_qs(urlsplit(request.target).query))
            case "/token":
                return self._token(parse_qs(request.body.decode()))
            case _:
                return response(404, b"{}")

    def _metadata(self) -> JsonObject:
        return {
            "issuer": self.origin,
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "registration_endpoint": f"{self.origin}/register",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        }

    def _authorize(self, query: dict[str, list[str]]) -> bytes:
        self._challenges[CODE] = query["code_challenge"][0]
        back = urlencode({"code": CODE, "state": query["state"][0]})
        return response(302, b"", ("location", f"{query['redirect_uri'][0]}?{back}"))

    def _token(self, form: dict[str, list[str]]) -> bytes:
        if form["grant_type"] == ["authorization_code"]:
            digest = hashlib.sha256(form["code_verifier"][0].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if challenge != self._challenges.get(form["code"][0]):
                return _json(400, {"error": "invalid_grant"})
        self._issued += 1
        token = f"issued-{self._issued}"
        self._resource.token = f"Bearer {token}"
        return _json(
            200,
            {
                "access_token": token,
                "token_type": "Bearer",
                "expires_in": 3600,
                "refresh_token": f"refresh-{self._issued}",
            },
        )


def _json(status: int, document: JsonObject) -> bytes:
    return response(status, json.dumps(document).encode())
