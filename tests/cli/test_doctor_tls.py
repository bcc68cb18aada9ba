"""``mcpfusion doctor https://...``: certificates, good and bad."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from tests.cli.checkups import doctor
from tests.cli.odd_server import encrypted, presenting, served


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """An authority that this process trusts."""
    made = trustme.CA()
    file = tmp_path / "ca.pem"
    made.cert_pem.write_to_path(str(file))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return made


def test_a_trusted_certificate_passes(authority: trustme.CA) -> None:
    """All the way through TLS to the client."""
    certificate = authority.issue_cert("localhost")
    with encrypted(served(), presenting(certificate)) as url:
        found = doctor(url)

    assert (found.status, found.failed) == (0, None)
    assert found.status_of("tls") == "ok"


def test_a_certificate_about_to_end_is_a_warning(authority: trustme.CA) -> None:
    """It works today."""
    soon = datetime.now(UTC) + timedelta(days=3)
    certificate = authority.issue_cert("localhost", not_after=soon)
    with encrypted(served(), presenting(certificate)) as url:
        found = doctor(url)

    assert found.status == 0
    assert found.status_of("tls") == "warning"


def test_an_expired_certificate_fails_at_tls(authority: trustme.CA) -> None:
    """To be renewed on the server."""
    past = datetime.now(UTC) - timedelta(days=3)
    certificate = authority.issue_cert(
        "localhost", not_before=past - timedelta(days=1), not_after=past
    )
    with encrypted(served(), presenting(certificate)) as url:
        found = doctor(url)

    assert (found.status, found.failed) == (4, "tls")
    assert "expired" in found.told("tls")


def test_a_certificate_for_another_host_fails_at_tls(authority: trustme.CA) -> None:
    """The name in the URL is what counts."""
    certificate = authority.issue_cert("example.com")
    with encrypted(served(), presenting(certificate)) as url:
        found = doctor(url)

    assert (found.status, found.failed) == (4, "tls")
    assert "another host" in found.told("tls")


def test_an_unknown_authority_fails_at_tls(authority: trustme.CA) -> None:
    """The way out is to trust it, and the fix says how."""
    del authority  # trusted, but it is not the one
    certificate = trustme.CA().issue_cert("localhost")
    with encrypted(served(), presenting(certificate)) as url:
        found = doctor(url)

    assert (found.status, found.failed) == (4, "tls")
    assert "SSL_CERT_FILE" in found.told("tls")


def test_a_self_signed_certificate_fails_at_tls(
    authority: trustme.CA, tmp_path: Path
) -> None:
    """It is its own authority."""
    del authority
    alone = trustme.CA()
    file = tmp_path / "alone.pem"
    alone.private_key_pem.write_to_path(str(file))
    alone.cert_pem.write_to_path(str(file), append=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(str(file))
    with encrypted(served(), context) as url:
        found = doctor(url)

    assert (found.status, found.failed) == (4, "tls")
    assert "self-signed" in found.told("tls")


def test_tls_to_a_server_without_it_fails_at_tls() -> None:
    """https:// was typed, or the port is wrong."""
    with served() as server:
        found = doctor(server.url.replace("http://", "https://"))

    assert (found.status, found.failed) == (4, "tls")
    assert "http://" in found.step("tls")["fix"]


def test_plain_http_to_a_server_with_tls_fails_at_http(authority: trustme.CA) -> None:
    """http:// was typed."""
    certificate = authority.issue_cert("localhost")
    with encrypted(served(), presenting(certificate)) as url:
        found = doctor(url.replace("https://", "http://"))

    assert (found.status, found.failed) == (4, "http")
    assert "https://" in found.step("http")["fix"]
