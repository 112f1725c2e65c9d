"""Which addresses may be called: those on the public network, and private hosts that the operator named.

A webhook's address comes from a user, and this machine may reach what that user may not. So the name is resolved here,
each of its addresses is checked, and the connection goes to the address that was checked, not to what the name means a
moment later.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from proofing.errors import BadInput

#: What `ipaddress` of some Pythons takes for public and is not: site-local (RFC 3879), documentation (RFC 9637),
#: segment identifiers (RFC 9602), discard-only (RFC 6666), relays of 6to4 (RFC 7526), and IPv4 addresses inside IPv6
#: ones (RFC 6052, 4291, 4380), which lead wherever the inner address does.
NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in (
        "fec0::/10", "3fff::/20", "5f00::/16", "100::/64", "192.88.99.0/24", "64:ff9b::/96", "64:ff9b:1::/48", "::/96",
        "2001::/32",
    )
)  # fmt: skip
#: One part of a host name (RFC 1123), after other alphabets are written as RFC 5891 says.
LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)


class BadAddress(BadInput):
    """The address may not be called; the text says why."""


class NoAddress(BadAddress):
    """The name is well written and means nothing now."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect: the checked `ip`, and the parts of the address that was asked for."""

    parts: SplitResult
    host: str
    port: int
    ip: str

    @property
    def url(self) -> str:
        """The address with the host replaced by its checked `ip`."""
        shown = f"[{self.ip}]" if ":" in self.ip else self.ip
        path = self.parts.path or "/"
        query = f"?{self.parts.query}" if self.parts.query else ""
        return f"{self.parts.scheme}://{shown}:{self.port}{path}{query}"

    @property
    def host_header(self) -> str:
        usual = {"http": 80, "https": 443}[self.parts.scheme]
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return shown if self.port == usual else f"{shown}:{self.port}"


def checked_url(url: str) -> str:
    """An address as it may be kept.

    Raises:
        BadAddress: it is no http(s) address, carries a password, or names a host that may not be called.
    """
    _parts(url)
    host = _host(urlsplit(url))
    try:
        own = ipaddress.ip_address(host)
    except ValueError:
        _refuse_odd_name(host)
        if host == "localhost" or host.endswith((".localhost", ".local", ".internal")) or "." not in host:
            _refuse_unless_named(host, host)
        return url
    if not _is_public(own):
        _refuse_unless_named(host, host)
    return url


def refuse_private_now(url: str) -> None:
    """Refuse a name that means a private address today. A name that means nothing yet may still get an address.

    Raises:
        BadAddress: it leads into a private network.
    """
    try:
        resolved(url)
    except NoAddress:
        return


def resolved(url: str) -> Target:
    """Where to connect for an address, now.

    Raises:
        BadAddress: as `checked_url`, or the name has no address or a private one.
    """
    parts = _parts(url)
    host = _host(parts)
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAddress(f"{host} has no address ({getattr(error, 'strerror', None) or error})") from error
    ips = list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))
    for ip in ips:
        if not _is_public(ipaddress.ip_address(ip)):
            _refuse_unless_named(host, ip)
    return Target(parts, host, port, ips[0])


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise BadAddress(f"no usable address ({error})") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress("write the address as https://host/path")
    if parts.username is not None or parts.password is not None:
        raise BadAddress("an address may not carry a name and password")
    if parts.scheme == "http" and settings.PRODUCTION and parts.hostname not in settings.WEBHOOK_HOSTS:
        raise BadAddress("use https: what is sent is nobody else's to read")
    return parts


def _refuse_odd_name(host: str) -> None:
    """Refuse what is no host name. Numbers in odd spellings (``127.1``, ``0x7f.1``) are addresses to the system's
    resolver, so the last part must not look like a number (WHATWG URL, 3.5)."""
    try:
        labels = host.encode("idna").decode("ascii").split(".")
    except UnicodeError:
        labels = [""]
    if sum(map(len, labels)) + len(labels) > 254 or not all(LABEL.fullmatch(label) for label in labels):
        raise BadAddress(f"{host!r} is no host name")
    if labels[-1].isdigit() or labels[-1].startswith("0x"):
        raise BadAddress(f"{host!r} is neither a host name nor an IP address in the usual spelling")


def _host(parts: SplitResult) -> str:
    return (parts.hostname or "").rstrip(".").lower()


def _is_public(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    inner = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    if inner is not None:
        ip = inner
    if any(ip in network for network in NOT_PUBLIC):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not ip.is_unspecified


def _refuse_unless_named(host: str, address: str) -> None:
    if host not in settings.WEBHOOK_HOSTS:
        raise BadAddress(
            f"{address} lies in a private network; the operator can allow {host} in PROOFMARK_WEBHOOK_HOSTS"
        )
