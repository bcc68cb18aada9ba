"""From a URL to an encrypted connection: DNS, TCP and TLS, one at a time."""

import asyncio
import contextlib
import errno
import ipaddress
import os
import socket
import ssl
import threading
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

import anyio
import attrs
from anyio.streams.tls import TLSAttribute

from mcpfusion_client.cli.doctor_steps import Found, Status, TroubleError, failed

_PORTS: Final[Mapping[str, int]] = {"http": 80, "https": 443}
_SOON: Final = 14
"""Days before the end of a certificate that are worth a warning."""


@attrs.frozen(kw_only=True)
class Place:
    """Where a URL leads.

    Attributes:
        scheme: ``http`` or ``https``.
        host: A name or an address, without brackets.
        port: The port.
    """

    scheme: str
    host: str
    port: int

    @property
    def is_local(self) -> bool:
        """Does it lead to this machine?"""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        address = _address(self.host)
        return address is not None and address.is_loopback


def place_of(url: str) -> Place:
    """Return where *url* leads.

    Raises:
        TroubleError: It leads nowhere.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise TroubleError(
            failed("the URL cannot be read", fix="write it as https://HOST[:PORT]/PATH")
        ) from error
    if not host:
        raise TroubleError(
            failed("the URL has no host", fix="write it as https://HOST[:PORT]/PATH")
        )
    scheme = parts.scheme.lower()
    return Place(scheme=scheme, host=host, port=port or _PORTS[scheme])


def proxy_of(place: Place) -> str | None:
    """Return the proxy that the environment prescribes for *place*, host and port."""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(place.scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(place.host):
        return None
    parts = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    return parts.netloc.rpartition("@")[2]


def through_proxy(proxy: str) -> Found:
    """Return that a step is left to *proxy*."""
    return Found(
        message=f"left to the proxy {proxy} that the environment names",
        status=Status.SKIPPED,
    )


async def resolve(place: Place) -> tuple[Found, tuple[str, ...]]:
    """Look the host up.

    Returns:
        What was found, and the addresses.

    Raises:
        TroubleError: There is no such host, or nobody to ask.
    """
    if _address(place.host) is not None:
        already = Found(message="the URL holds an address", status=Status.SKIPPED)
        return already, (place.host,)
    try:
        infos = await _looked_up(place.host, place.port)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise TroubleError(
                failed(
                    f"no name server answers for {place.host!r}",
                    fix="check the network, a VPN, and the DNS settings",
                )
            ) from error
        raise TroubleError(
            failed(
                f"there is no host {place.host!r}",
                fix="check the spelling of the URL; a name from inside needs its VPN",
            )
        ) from error
    except UnicodeError as error:
        raise TroubleError(
            failed(f"{place.host!r} cannot be a host name", fix="check the URL")
        ) from error
    addresses = tuple(dict.fromkeys(str(info[4][0]) for info in infos))
    found = Found(message=f"{place.host} is {', '.join(addresses[:4])}")
    return found, addresses


async def _looked_up(host: str, port: int) -> Sequence[Any]:
    """Look *host* up in a thread that nobody has to wait for."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[Any]] = loop.create_future()

    def settle(infos: Sequence[Any], error: Exception | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(infos)
        else:
            answer.set_exception(error)

    def look_up() -> None:
        infos: Sequence[Any] = ()
        failure: Exception | None = None
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            failure = error
        # The loop has gone when the look-up took longer than the step.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, infos, failure)

    threading.Thread(target=look_up, daemon=True).start()
    return await answer


async def reach(place: Place, addresses: Sequence[str]) -> tuple[Found, str]:
    """Open a TCP connection to the first of *addresses* that takes one.

    Returns:
        What was found, and the address.

    Raises:
        TroubleError: None takes one.
    """
    refused: OSError | None = None
    for address in addresses:
        try:
            stream = await anyio.connect_tcp(address, place.port)
        except OSError as error:
            refused = error
            continue
        await stream.aclose()
        return Found(message=f"{address} port {place.port} is open"), address
    raise _unreachable(place, refused) from refused


def _unreachable(place: Place, error: OSError | None) -> TroubleError:
    number = _number(error)
    if number == errno.ECONNREFUSED:
        return TroubleError(
            failed(
                f"{place.host} refuses connections on port {place.port}",
                fix="start the server, or correct the port",
            )
        )
    reason = os.strerror(number) if number else type(error).__name__
    return TroubleError(
        failed(
            f"{place.host} port {place.port} cannot be reached: {reason}",
            fix="check the network, a firewall, a VPN",
        )
    )


def _number(error: BaseException | None) -> int:
    """Return the number of the system's error behind *error*, 0 without one."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in errno.errorcode:
            return error.errno or 0
        error = error.__cause__
    return 0


async def encrypt(place: Place, address: str, context: ssl.SSLContext) -> Found:
    """Make a TLS handshake.

    Args:
        place: The server.
        address: Where it was reached.
        context: What the client trusts.

    Raises:
        TroubleError: The handshake failed.
    """
    if place.scheme == "http":
        return _unencrypted(place)
    try:
        stream = await anyio.connect_tcp(
            address,
            place.port,
            tls=True,
            ssl_context=context,
            tls_hostname=place.host,
            tls_standard_compatible=False,
        )
    except ssl.SSLCertVerificationError as error:
        raise _certificate_trouble(place, error) from error
    except (OSError, anyio.EndOfStream, anyio.BrokenResourceError) as error:
        raise _tls_trouble(place, error) from error
    async with stream:
        attributes = stream.extra_attributes
        certificate: Any = attributes[TLSAttribute.peer_certificate]()
        version: str = attributes[TLSAttribute.tls_version]()
    return _encrypted(version, certificate)


def _unencrypted(place: Place) -> Found:
    if place.is_local:
        message = "http:// to this machine needs no TLS"
        return Found(message=message, status=Status.SKIPPED)
    return Found(
        message=f"http:// to {place.host} sends everything in the clear",
        status=Status.WARNING,
        fix="use https://",
    )


def _encrypted(version: str, certificate: Mapping[str, Any] | None) -> Found:
    until: str = (certificate or {}).get("notAfter", "")
    if not until:
        return Found(message=f"{version}, and the certificate is trusted")
    end = datetime.fromtimestamp(ssl.cert_time_to_seconds(until), UTC)
    days = (end - datetime.now(UTC)).days
    if days < _SOON:
        return Found(
            message=f"the certificate ends in {days} days, on {end:%Y-%m-%d}",
            status=Status.WARNING,
            fix="renew it on the server",
        )
    return Found(message=f"{version}, certificate good until {end:%Y-%m-%d}")


_TRUST: Final = (
    "have the server send a certificate of a known authority with its whole chain, or "
    "trust its authority: SSL_CERT_FILE=/path/to/ca.pem"
)
_CLOCK: Final = "renew it on the server; check this machine's clock"
# X509_V_ERR_...: what OpenSSL calls them, what to do.
_CERTIFICATE: Final[Mapping[int, tuple[str, str]]] = {
    9: ("the certificate is not valid yet", _CLOCK),
    10: ("the certificate has expired", _CLOCK),
    18: ("the certificate is self-signed", _TRUST),
    19: ("the certificate comes from an authority that is not trusted here", _TRUST),
    20: ("the certificate comes from an authority that is not trusted here", _TRUST),
    21: ("the server does not send its whole chain of certificates", _TRUST),
    23: ("the certificate was revoked", "get a new one for the server"),
}
_WRONG_HOST: Final = frozenset({62, 64})


def _certificate_trouble(
    place: Place, error: ssl.SSLCertVerificationError
) -> TroubleError:
    if error.verify_code in _WRONG_HOST:
        return TroubleError(
            failed(
                f"the certificate is for another host than {place.host}",
                fix="use the name the certificate is for, or get one for this name",
                evidence=(error.verify_message,),
            )
        )
    message, fix = _CERTIFICATE.get(
        error.verify_code, ("the certificate is not accepted", _TRUST)
    )
    return TroubleError(failed(message, fix=fix, evidence=(error.verify_message,)))


_NO_TLS: Final = frozenset(
    {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"}
)


def _tls_trouble(place: Place, error: Exception) -> TroubleError:
    reason = getattr(error, "reason", None)
    if reason in _NO_TLS:
        return TroubleError(
            failed(
                f"port {place.port} does not speak TLS",
                fix="use http:// if the server is meant to be unencrypted, "
                "or correct the port",
            )
        )
    told = f": {reason}" if isinstance(reason, str) else ""
    return TroubleError(
        failed(
            f"the server broke off the TLS handshake{told}",
            fix="check the port, and that both sides share a TLS version; "
            "the server may want a client certificate",
        )
    )


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
