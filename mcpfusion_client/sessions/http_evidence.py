"""Sit under the SDK's HTTP client and keep what the SDK would lose.

A request that fails over HTTP is answered with a JSON-RPC error that stands for a
`Fact`, so the session lives on and the facts arrive. The handshake passes
untouched, because negotiating the protocol depends on how it fails: what is known
of it is noted beside it. Only what an SDK would wait for for ever is ended.
"""

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import anyio

from mcpfusion_client.model import HttpEvidence, JsonObject, JsonValue
from mcpfusion_client.sessions import failures, http_facts
from mcpfusion_client.sessions.answers import (
    StrayAnswerError,
    UnreadableAnswerError,
    readable,
    scrubbed,
    scrubbed_bytes,
)
from mcpfusion_client.sessions.facts import FACT_CODE, Fact
from mcpfusion_client.sessions.flight import Flight
from mcpfusion_client.sessions.http_aside import Aside
from mcpfusion_client.sessions.http_client import (
    Facade,
    RealClient,
    forwarded,
    passed_back,
)
from mcpfusion_client.sessions.http_post import Post, next_chunk, read_some
from mcpfusion_client.sessions.openers import Ties
from mcpfusion_client.sessions.sse_watch import SseWatch, event_of

_OK = 200
_ACCEPTED = 202
_SUCCESS = range(200, 300)
_BAD_REQUEST = 400
_RESUME_ATTEMPTS = 2
"""Times the SDKs try to resume a stream before they give up without a word."""
_MOST_RESUMABLE = 1024
_JSON = [("content-type", "application/json")]
_SSE = [("content-type", "text/event-stream")]


class EvidenceTransport:
    """Answers the requests of the SDK's HTTP client, through the real one.

    Args:
        sdk_flavour: The kind of client the SDK speaks.
        real: The client that sends.
        ties: What ties the session to its supervisor.
    """

    def __init__(self, sdk_flavour: str, real: RealClient, ties: Ties) -> None:
        self._real = real
        self._facts = ties.wire.facts
        self._ties = ties
        self._posts: dict[JsonValue, Post] = {}
        self._resumable: dict[str, Post] = {}
        self.facade: Facade = Facade(sdk_flavour, self._handle)
        self.handshake_failures: dict[str, Fact] = {}
        self.session_id: str | None = None
        self.aside: Aside = Aside(self.facade, real, ties)
        ties.wire.on_forget = self._abandon

    async def _handle(self, request: Any) -> Any:
        """Answer one HTTP request of the SDK."""
        headers = forwarded(request)
        if request.method == "POST":
            body = await request.aread()
            message = json.loads(body)
            if "method" in message and message.get("id") is not None:
                return await self._request(message, headers, body)
            return await self.aside.notification(message, headers, body)
        resumed = self._resumable.pop(headers.get("last-event-id", ""), None)
        if resumed is not None:
            return await self._resume(resumed, headers)
        return await self.aside.pass_on(request.method, headers)

    async def _request(
        self, message: JsonObject, headers: Mapping[str, str], body: bytes
    ) -> Any:
        self.session_id = headers.get("mcp-session-id")
        post = Post(
            request_id=message["id"],
            method=message["method"],
            headers=headers,
            body=body,
            flight=self._ties.wire.flight_of(message["id"]),
        )
        if self._ties.wire.is_revoked(post.request_id):
            post.abandon()
            return self._answer(post, _abandoned())
        self._posts[post.request_id] = post
        streaming = False
        try:
            with post.scope:
                answer, streaming = await self._exchange(post)
                return answer
            return self._answer(post, _abandoned())
        finally:
            if not streaming:
                self._forget(post)

    async def _exchange(self, post: Post) -> tuple[Any, bool]:
        """Send; return the SDK's response, and whether it is still streaming."""
        try:
            response = await self._send("POST", post)
        except Exception as exc:
            fact = self._exception_fact(post, exc)
            if self._noted(post, fact):
                raise
            return self._answer(post, fact), False
        post.delivered = True
        kind = response.headers.get("content-type", "").lower()
        if response.status_code not in _SUCCESS:
            return await self._failed(post, response), False
        if response.status_code != _ACCEPTED and kind.startswith("text/event-stream"):
            stream = self._watched(post, response)
            headers = passed_back(response)
            answer = self.facade.answer(200, headers, stream, response.aclose)
            return answer, True
        try:
            return await self._json(post, response, kind), False
        finally:
            await response.aclose()

    async def _send(self, method: str, post: Post) -> Any:
        post.sending(started=True)
        content = post.body if method == "POST" else b""
        return await self._real.send(method, post.headers, content, post.trace)

    async def _json(self, post: Post, response: Any, kind: str) -> Any:
        """Answer with the one JSON message a response holds."""
        if response.status_code == _ACCEPTED:
            return self._bad(post, response, "202 Accepted, and no answer")
        if not kind.startswith("application/json"):
            start = await read_some(response)
            return self._bad(post, response, "an answer that is not JSON", start)
        try:
            body: bytes = await response.aread()
        except Exception as exc:
            fact = self._body_fact(post, response, exc)
            if self._noted(post, fact):
                raise
            return self._answer(post, fact)
        try:
            answer = readable(body, post.request_id)
        except UnreadableAnswerError as unreadable:
            stray = isinstance(unreadable, StrayAnswerError)
            return self._bad(post, response, unreadable.reason, body, stray=stray)
        if answer is None:
            reason = "a request instead of an answer"
            return self._bad(post, response, reason, body, stray=True)
        if answer.failed:
            answer = answer.without(self._sent(post, response).secrets)
        if post.flight is not None:
            post.flight.take(answer.result, damaged=answer.damaged)
        out = body if answer.exact else json.dumps(answer.message).encode()
        return self.facade.answer(200, passed_back(response), out)

    async def _failed(self, post: Post, response: Any) -> Any:
        """Answer for a response that is no success."""
        body = await read_some(response)
        fact = http_facts.of_status(
            self._sent(post, response), response.status_code, response.headers, body
        )
        if self._noted(post, fact):
            return self._untouched(post, response, body)
        return self._answer(post, fact)

    def _watched(self, post: Post, response: Any) -> AsyncGenerator[bytes, None]:
        """Pass the events of a response on; end with a fact if no answer came."""
        watch = SseWatch(
            post.request_id,
            post.flight,
            self._sent(post, response).secrets,
            lenient=self._is_judged_by_sdk(post),
        )
        return self._events(post, response, watch)

    async def _events(
        self, post: Post, response: Any, watch: SseWatch
    ) -> AsyncGenerator[bytes, None]:
        fact: Fact | None = None
        chunks = response.aiter_bytes()
        cut_short = True
        try:
            while (chunk := await next_chunk(chunks, post)) is not None:
                for event in watch.feed(chunk):
                    if watch.unreadable is not None:
                        fact = self._bad_fact(post, response, watch.unreadable)
                        self._noted(post, fact)
                    yield event
            cut_short = False
        except UnreadableAnswerError as unreadable:
            cut_short, watch.last_event_id = False, None
            fact = self._bad_fact(post, response, unreadable.reason)
        except Exception as exc:  # noqa: BLE001 - whatever the client raises
            cut_short = False
            fact = self._body_fact(post, response, exc)
        finally:
            resumes = not cut_short and self._resumes(post, watch)
            if not resumes:
                self._forget(post)
            await chunks.aclose()
        if not resumes and not watch.answered:
            fact = fact or self._ended_fact(post, response)
            yield event_of(self._error(post, fact))

    def _resumes(self, post: Post, watch: SseWatch) -> bool:
        """Will the SDK ask for the rest of a stream? Then *post* is waited for."""
        if watch.answered or watch.last_event_id is None or post.abandoned:
            return False
        self._remember(watch.last_event_id, post)
        return True

    async def _resume(self, post: Post, headers: Mapping[str, str]) -> Any:
        """Answer the SDK's attempt to resume the stream of *post*."""
        if post.abandoned:
            return self._last_event(post, _abandoned())
        self._posts[post.request_id] = post
        post.headers = headers
        post.scope = anyio.CancelScope()
        try:
            with post.scope:
                response = await self._send("GET", post)
                kind = response.headers.get("content-type", "").lower()
                if response.status_code == _OK and kind.startswith("text/event-stream"):
                    stream = self._watched(post, response)
                    return self.facade.answer(200, _SSE, stream, response.aclose)
                body = await read_some(response)
                return self._not_resumed(post, headers, response, body)
            return self._last_event(post, _abandoned())
        except Exception as exc:
            if self._resumes_again(post, headers):
                raise
            return self._last_event(post, self._exception_fact(post, exc))

    def _not_resumed(
        self, post: Post, headers: Mapping[str, str], response: Any, body: bytes
    ) -> Any:
        status = response.status_code
        if self._resumes_again(post, headers):
            return self.facade.answer(status, passed_back(response), body)
        seen = http_facts.of_status(
            self._sent(post, response), status, response.headers, body
        ).info
        lost = failures.connection_lost(
            self._ties.server,
            f"the stream could not be resumed (HTTP {status})",
            sent=True,
            http=seen.http,
            retry_after=seen.retry_after,
        )
        return self._last_event(post, Fact(info=lost))

    def _resumes_again(self, post: Post, headers: Mapping[str, str]) -> bool:
        post.resumes += 1
        if post.resumes >= _RESUME_ATTEMPTS:
            return False
        self._remember(headers["last-event-id"], post)
        return True

    def _remember(self, event_id: str, post: Post) -> None:
        self._resumable[event_id] = post
        if len(self._resumable) > _MOST_RESUMABLE:
            self._resumable.pop(next(iter(self._resumable)))

    def _abandon(self, flight: Flight) -> None:
        post = self._posts.get(flight.request_id)
        if post is not None and post.flight is flight:
            post.abandon()
            self._forget(post)

    def _forget(self, post: Post) -> None:
        if self._posts.get(post.request_id) is post:
            del self._posts[post.request_id]

    def _sent(self, post: Post, response: Any = None) -> http_facts.Sent:
        headers = [*self._real.headers.items()]
        if response is not None:
            headers += response.request.headers.multi_items()
        return http_facts.Sent(
            server=self._ties.server,
            request_id=post.request_id,
            has_session="mcp-session-id" in post.headers,
            secrets=http_facts.secrets_of(headers, self._real.endpoint.secrets),
        )

    def _exception_fact(self, post: Post, exc: Exception) -> Fact:
        response = getattr(exc, "response", None)
        if response is not None:
            # An event hook of the caller's client raised for the status.
            body = getattr(response, "_content", b"")
            return http_facts.of_status(
                self._sent(post, response), response.status_code, response.headers, body
            )
        return http_facts.of_exception(
            self._sent(post), exc, self._real.endpoint.url, started=post.started
        )

    def _body_fact(self, post: Post, response: Any, exc: Exception) -> Fact:
        if http_facts.is_undecodable(exc):
            return self._bad_fact(post, response, "a body whose encoding is broken")
        return self._exception_fact(post, exc)

    def _ended_fact(self, post: Post, response: Any) -> Fact:
        if post.abandoned:
            return _abandoned()
        return Fact(
            info=failures.connection_lost(
                self._ties.server,
                "the stream ended without an answer",
                sent=True,
                http=HttpEvidence(status=response.status_code),
            )
        )

    def _bad_fact(
        self, post: Post, response: Any, reason: str, body: bytes = b""
    ) -> Fact:
        return http_facts.of_unreadable(
            self._sent(post, response),
            response.status_code,
            response.headers,
            body,
            reason,
        )

    def _bad(
        self,
        post: Post,
        response: Any,
        reason: str,
        body: bytes = b"",
        *,
        stray: bool = False,
    ) -> Any:
        """Answer for a success that is no answer.

        Args:
            post: The request.
            response: The response.
            reason: What is wrong with it.
            body: As much of it as was read.
            stray: It may be one to somebody else, so the SDK would go on waiting.
        """
        fact = self._bad_fact(post, response, reason, body)
        if self._noted(post, fact) and self._is_judged_by_sdk(post) and not stray:
            return self._untouched(post, response, body)
        return self._answer(post, fact)

    def _untouched(self, post: Post, response: Any, body: bytes) -> Any:
        """Pass a response on as it came, but for secrets: the SDKs log parts of it."""
        secrets = self._sent(post, response).secrets
        headers = [
            (name, scrubbed(value, secrets)) for name, value in passed_back(response)
        ]
        body = scrubbed_bytes(body, secrets)
        return self.facade.answer(response.status_code, headers, body)

    def _noted(self, post: Post, fact: Fact) -> bool:
        """Note *fact* beside the handshake, if that is what *post* belongs to."""
        if post.handshake:
            self.handshake_failures[post.method] = fact
        return post.handshake

    def _is_judged_by_sdk(self, post: Post) -> bool:
        """Does the SDK draw its own conclusion from an answer it cannot read?

        mcp 1.x waits for ever after one.
        """
        return post.handshake and self._ties.wire.sdk.generation != 1

    def _error(self, post: Post, fact: Fact) -> JsonObject:
        """Return the JSON-RPC error that ends *post*; *fact* is for its caller."""
        if post.abandoned:
            error = {"code": FACT_CODE, "message": "nobody waits any more"}
            return {"jsonrpc": "2.0", "id": post.request_id, "error": error}
        self._noted(post, fact)
        return self._facts.put(fact, post.request_id)

    def _answer(self, post: Post, fact: Fact) -> Any:
        if post.abandoned and self._ties.wire.sdk.generation == 1:
            # mcp 1.x logs a traceback for an answer that finds its session closed.
            return self.facade.answer(_ACCEPTED, [], b"")
        error = json.dumps(self._error(post, fact))
        return self.facade.answer(200, _JSON, error.encode())

    def _last_event(self, post: Post, fact: Fact) -> Any:
        self._forget(post)
        return self.facade.answer(200, _SSE, event_of(self._error(post, fact)))


def _abandoned() -> Fact:
    return Fact(info=failures.timed_out(0, sent=True))
