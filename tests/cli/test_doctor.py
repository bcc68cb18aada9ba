"""``mcpfusion doctor URL``: each step fails on a real socket, and says why."""

import json
import socket
import threading
from contextlib import closing
from pathlib import Path

import pytest

from mcpfusion_client.cli.doctor_checkup import HTTP_PLAN, SSE_PLAN
from mcpfusion_client.model import JsonObject
from tests.cli.checkups import doctor
from tests.cli.odd_server import (
    SECRET,
    OddServer,
    html,
    listening,
    served,
)
from tests.faults.sse_server import SseServer
from tests.sessions.http_server import (
    Answer,
    Asked,
    Reply,
    rpc,
)


def test_a_good_server_passes_every_step() -> None:
    """Nothing to fix, exit status 0."""
    with served() as server:
        found = doctor(server.url)

    assert found.status == 0
    assert [step["step"] for step in found.report["steps"]] == list(HTTP_PLAN)
    seen = {step["step"]: step["status"] for step in found.report["steps"]}
    assert {name for name, status in seen.items() if status != "ok"} == {"dns", "tls"}
    assert found.report["ok"] is True
    assert found.report["server"] == "test 1"
    assert found.report["protocol_version"] == "2025-11-25"
    assert found.report["tools"] == 1


def test_the_session_is_ended_and_no_tool_is_called() -> None:
    """A check-up leaves nothing behind."""
    with served() as server:
        doctor(server.url)
        verbs = [asked.verb for asked in server.asked]

    assert verbs.count("DELETE") >= 1
    assert server.count("tools/call") == 0


def test_a_name_that_does_not_exist_fails_at_dns() -> None:
    """The spelling is what to look at."""
    found = doctor("https://no-such-host.invalid/mcp")

    assert (found.status, found.failed) == (4, "dns")
    assert "no-such-host.invalid" in found.told("dns")
    assert found.status_of("tcp") == "skipped"


def test_a_port_nobody_listens_on_fails_at_tcp() -> None:
    """The server is not running, or elsewhere."""
    with closing(socket.create_server(("127.0.0.1", 0))) as gone:
        port = gone.getsockname()[1]

    found = doctor(f"http://127.0.0.1:{port}/mcp")

    assert (found.status, found.failed) == (4, "tcp")
    assert str(port) in found.told("tcp")


def test_a_url_without_a_host_fails_at_once() -> None:
    """There is nowhere to go."""
    found = doctor("http:///mcp")

    assert (found.status, found.failed) == (4, "address")


def test_a_server_that_hangs_up_fails_at_http() -> None:
    """It takes the connection, and that is all."""
    with listening(lambda _: None) as port:
        found = doctor(f"http://127.0.0.1:{port}/")

    assert (found.status, found.failed) == (4, "http")


def test_a_server_that_never_answers_is_not_waited_for_longer_than_told() -> None:
    """Every step has its limit."""
    done = threading.Event()

    def wait(connection: socket.socket) -> None:
        connection.recv(65536)
        done.wait(5)

    with listening(wait) as port:
        found = doctor(f"http://127.0.0.1:{port}/", "--timeout", "0.3")
        done.set()

    assert (found.status, found.failed) == (4, "http")
    assert found.step("http")["seconds"] < 3


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (html(404), "path"),
        (html(405), "POST"),
        (html(500), "log"),
        (html(200), "web page"),
        (Reply(status=503, headers=(("retry-after", "7"),)), "retry-after: 7"),
        (Reply(status=307, headers=(("location", "https://x.test/"),)), "x.test"),
        (Reply(status=200, body=b"[]"), "JSON-RPC"),
        (Reply(status=202), "JSON-RPC"),
        (Reply(status=418, body=b"short and stout"), "stout"),
    ],
)
def test_a_response_of_no_mcp_server_fails_at_http(reply: Reply, said: str) -> None:
    """The status, and what it mostly means."""
    with served() as server:
        server.refuses = reply
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "http")
    assert str(reply.status) in found.told("http") or reply.status == 200
    assert said in found.told("http")


@pytest.mark.parametrize(
    ("status", "header", "sent", "said"),
    [
        (401, 'Bearer realm="x"', (), "Bearer TOKEN"),
        (401, 'Bearer resource_metadata="https://x.test/meta"', (), "OAuth"),
        (401, "Basic", (), "Basic"),
        (
            401,
            'Bearer error="invalid_token"',
            ("-H", "Authorization: Bearer old"),
            "new",
        ),
        (403, 'Bearer error="insufficient_scope", scope="write"', (), "scope"),
        (407, "Basic", (), "proxy"),
    ],
)
def test_a_locked_door_fails_at_auth(
    status: int, header: str, sent: tuple[str, ...], said: str
) -> None:
    """HTTP works; what is asked for stands in WWW-Authenticate."""
    with served() as server:
        server.refuses = Reply(status=status, headers=(("WWW-Authenticate", header),))
        found = doctor(server.url, *sent)

    assert (found.status, found.failed) == (4, "auth")
    assert found.status_of("http") == "ok"
    told = found.told("auth")
    assert header.partition(" ")[0] in told
    assert said in told or (said == "new" and "fresh" in told)


def test_credentials_that_are_taken_are_said_to_be() -> None:
    """Whoever looks for a fault can stop looking here."""
    with served() as server:
        found = doctor(server.url, "-H", f"Authorization: Bearer {SECRET}")
        sent = [asked.headers["authorization"] for asked in server.asked]

    assert found.status_of("auth") == "ok"
    assert "taken" in found.told("auth")
    assert set(sent) == {f"Bearer {SECRET}"}
    assert SECRET not in str(found.report)


def answering(method: str, make: Answer) -> OddServer:
    """Return a good server that answers *method* in its own way."""
    server = served()
    server.own[method] = make
    return server


def initialized(asked: Asked, **facts: object) -> Reply:
    """Return an answer to ``initialize``."""
    usual: JsonObject = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "test", "version": "1"},
    }
    return rpc(asked, result={**usual, **facts})


def test_a_version_nobody_knows_fails_at_protocol_version() -> None:
    """Both versions are named."""
    server = answering("initialize", lambda a: initialized(a, protocolVersion="1999"))
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "protocol_version")
    assert "1999" in found.told("protocol_version")
    assert "2025-11-25" in found.told("protocol_version")


def test_a_server_of_other_versions_only_fails_at_protocol_version() -> None:
    """It says so with a JSON-RPC error."""
    error = {"code": -32022, "message": "no", "data": {"supported": ["2031-01-01"]}}
    server = answering("initialize", lambda a: rpc(a, error=error))
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "protocol_version")


def test_a_refused_handshake_fails_at_handshake() -> None:
    """The reason is the server's, cleaned and redacted."""
    error = {"code": -32603, "message": f"\x1b[31mboom token={SECRET}"}
    server = answering("initialize", lambda a: rpc(a, error=error))
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "handshake")
    assert "boom" in found.told("handshake")
    assert SECRET not in str(found.report)
    assert "\x1b" not in found.told("handshake")


def test_an_answer_without_capabilities_fails_at_handshake() -> None:
    """An SDK would refuse it."""
    server = answering("initialize", lambda a: initialized(a, capabilities=None))
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "handshake")


def test_a_server_that_takes_no_notification_fails_at_handshake() -> None:
    """The second half of the handshake."""
    server = answering("notifications/initialized", lambda _: html(400))
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "handshake")


def test_a_server_without_handshake_is_understood() -> None:
    """Protocol version 2026-07-28 begins with server/discover."""
    discovered: JsonObject = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "m", "version": "2"}},
    }
    error = {"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}}
    server = answering("initialize", lambda a: rpc(a, error=error))
    server.own["server/discover"] = lambda a: rpc(a, result=discovered)
    with server:
        found = doctor(server.url, "--timeout", "5")
        asked = [a for a in server.asked if a.method == "server/discover"]

    assert {a.headers["mcp-protocol-version"] for a in asked} == {"2026-07-28"}
    assert found.report["protocol_version"] == "2026-07-28"
    assert found.report["server"] == "m 2"
    assert found.status_of("tools_list") == "ok"


def test_a_refused_tool_list_is_no_lack_of_connection() -> None:
    """Connected, but the list is broken: exit status 1."""
    error = {"code": -32603, "message": "database is down"}
    server = answering("tools/list", lambda a: rpc(a, error=error))
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (1, "tools_list")
    assert "database is down" in found.told("tools_list")


def test_a_list_that_goes_round_in_circles_is_cut_off() -> None:
    """A page that names itself as the next."""
    server = answering(
        "tools/list", lambda a: rpc(a, result={"tools": [], "nextCursor": "x"})
    )
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (1, "tools_list")


def test_a_server_without_tools_is_a_warning() -> None:
    """It may have resources or prompts."""
    server = answering("initialize", lambda a: initialized(a, capabilities={}))
    with server:
        found = doctor(server.url)

    assert found.status == 0
    assert found.status_of("tools_list") == "warning"
    assert found.status_of("names") == "skipped"


def test_bad_schemas_and_names_are_all_reported() -> None:
    """One broken tool must not hide the next finding."""
    with served() as server:
        server.tools = [
            {"name": "a", "inputSchema": {"type": "objekt"}},
            {"name": "a", "inputSchema": {"type": "object"}},
            {"name": "b c", "inputSchema": {"type": "object"}},
        ]
        found = doctor(server.url)

    assert (found.status, found.failed) == (1, "schemas")
    assert [found.status_of(name) for name in ("schemas", "annotations", "names")] == [
        "failed",
        "warning",
        "failed",
    ]
    assert "a: inputSchema" in found.told("schemas")
    assert "2 tools have this name" in found.told("names")


def test_a_list_the_client_cannot_read_is_found_out() -> None:
    """The steps do not replace the client: it has the last word."""
    with served() as server:
        server.tools = [{"name": "a"}]
        found = doctor(server.url)

    assert found.status_of("schemas") == "failed"
    assert "no inputSchema" in found.told("schemas")
    assert found.status_of("client") == "failed"
    assert (found.status, found.failed) == (1, "schemas")


def test_the_older_transport_is_recognised() -> None:
    """A GET gives a stream of events where a POST gives nothing."""

    def stream(asked: Asked) -> Reply:
        del asked
        return Reply(
            body=b"event: endpoint\ndata: /messages\n\n",
            headers=(("content-type", "text/event-stream"),),
        )

    with served() as server:
        server.own["POST"] = lambda _: html(405)
        server.resumes = stream
        found = doctor(server.url)

    assert (found.status, found.failed) == (4, "http")
    assert "sse" in found.step("http")["fix"]


def test_a_redirect_on_the_same_server_is_followed_with_a_warning() -> None:
    """The client follows it too, at the cost of a second request each time."""
    server = answering(
        "/mcp/", lambda _: Reply(status=307, headers=(("location", "/mcp"),))
    )
    with server:
        found = doctor(f"{server.url}/")

    assert (found.status, found.failed) == (0, None)
    assert found.status_of("http") == "warning"
    assert server.url in found.told("http")
    assert found.status_of("client") == "ok"


def test_a_header_that_cannot_be_sent_fails_at_http(tmp_path: Path) -> None:
    """Written into a configuration file, with an umlaut."""
    file = tmp_path / "mcp.json"
    with served() as server:
        entry = {"url": server.url, "headers": {"X-Name": "Jörg"}}
        file.write_text(json.dumps({"mcpServers": {"s": entry}}), encoding="utf-8")
        found = doctor("s", "--config", str(file))

    assert (found.status, found.failed) == (4, "http")
    assert "ASCII" in found.step("http")["fix"]


def test_an_answer_in_a_stream_of_events_is_read() -> None:
    """Streamable HTTP may answer a request with a stream."""

    def streamed(asked: Asked) -> Reply:
        answer = initialized(asked).body.decode()
        events = f": hello\n\nevent: message\ndata: {answer}\n\n"
        return Reply(
            body=events.encode(),
            headers=(("content-type", "text/event-stream; charset=utf-8"),),
        )

    server = answering("initialize", streamed)
    with server:
        found = doctor(server.url)

    assert (found.status, found.failed) == (0, None)


def test_a_proxy_of_the_environment_is_left_its_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS and TCP are the proxy's; a proxy that is not there fails at http."""
    with closing(socket.create_server(("127.0.0.1", 0))) as gone:
        port = gone.getsockname()[1]
    monkeypatch.setenv("HTTP_PROXY", f"http://user:{SECRET}@127.0.0.1:{port}")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")

    found = doctor("http://no-such-host.invalid/mcp")

    assert (found.status, found.failed) == (4, "http")
    assert found.status_of("dns") == "skipped"
    assert f"127.0.0.1:{port}" in found.told("dns")
    assert SECRET not in str(found.report)


def test_the_older_transport_is_checked_through_the_client(tmp_path: Path) -> None:
    """A configuration file says that it is one."""
    with SseServer() as server:
        file = tmp_path / "mcp.json"
        entry = {"type": "sse", "url": server.url}
        file.write_text(json.dumps({"mcpServers": {"s": entry}}), encoding="utf-8")
        found = doctor("s", "--config", str(file), "--timeout", "10")

    assert found.report["transport"] == "sse"
    assert [step["step"] for step in found.report["steps"]] == list(SSE_PLAN)
    assert found.status_of("http") == "ok"
    assert found.status_of("client") == "ok"
    assert found.report["tools"] >= 1
