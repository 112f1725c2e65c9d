"""Which addresses a webhook may call."""

from __future__ import annotations

import socket

import pytest

from webapp.webhooks.addresses import BadAddress, checked_url, resolved

PRIVATE = [
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
    "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "224.0.0.1",
    "255.255.255.255", "[2002:7f00:1::]", "[fec0::1]", "[feff::1]", "[3fff::1]", "[3fff:fff::1]", "[5f00::1]",
    "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[100::1]", "[::7f00:1]", "[2001:0:1::]", "192.88.99.1",
]  # fmt: skip


@pytest.mark.parametrize("host", [*PRIVATE, "localhost", "LOCALHOST.", "db", "x.local", "metadata.internal"])
def test_a_private_host_is_refused(host):
    with pytest.raises(BadAddress, match="private"):
        checked_url(f"https://{host}/hook")


@pytest.mark.parametrize("url", ["ftp://example.org/", "https://", "//example.org", "https://u:p@example.org/", "file:///etc/passwd",
                                 "https://example.org:99999/", "https://[::1", "javascript:alert(1)", ""])  # fmt: skip
def test_what_is_no_web_address_is_refused(url):
    with pytest.raises(BadAddress):
        checked_url(url)


@pytest.mark.parametrize("host", ["256.1.1.1", "127.1", "2130706433", "0x7f.0x1", "0177.0.0.1", "exa mple.org",
                                  "a..b.org", "-a.example.org", "a_b.example.org", "%6c.example.org",
                                  f"{'a' * 64}.example.org",
                                  "a." * 130 + "org", "ex<ample.org", "*.example.org"])  # fmt: skip
def test_a_host_that_cannot_be_is_refused(host):
    with pytest.raises(BadAddress):
        checked_url(f"https://{host}/hook")


@pytest.mark.parametrize("host", ["hooks.example.org", "xn--bcher-kva.example", "bücher.example", "example.org.",
                                  "93.184.216.34", "[2606:2800:220:1::1]", "3com.example"])  # fmt: skip
def test_a_public_host_is_taken(host):
    assert checked_url(f"https://{host}/hook") == f"https://{host}/hook"


def naming(monkeypatch, *ips):
    def lookup(host, port, **options):
        return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)


@pytest.mark.parametrize("ip", [host.strip("[]") for host in PRIVATE])
def test_a_public_name_of_a_private_address_is_refused(monkeypatch, ip):
    naming(monkeypatch, "93.184.216.34", ip)
    with pytest.raises(BadAddress, match="private"):
        resolved("https://hooks.example.org/x")


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    naming(monkeypatch, "93.184.216.34", "2606:2800:220:1::1")
    target = resolved("https://hooks.example.org/a?b=c")
    assert target.url == "https://93.184.216.34:443/a?b=c"
    assert (target.host, target.host_header) == ("hooks.example.org", "hooks.example.org")
    naming(monkeypatch, "2606:2800:220:1::1")
    assert resolved("http://hooks.example.org:8080/").url == "http://[2606:2800:220:1::1]:8080/"


def test_a_name_without_an_address_is_said_to_have_none(monkeypatch):
    def unknown(*arguments, **options):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(BadAddress, match="has no address"):
        resolved("https://nowhere.example.org/")


def test_a_private_host_that_the_operator_named_may_be_called(settings, monkeypatch):
    settings.WEBHOOK_HOSTS = frozenset({"hooks.internal"})
    naming(monkeypatch, "10.1.2.3")
    assert resolved("https://hooks.internal/x").ip == "10.1.2.3"
    with pytest.raises(BadAddress):
        resolved("https://other.internal/x")


def test_production_sends_over_tls_only(settings):
    settings.PRODUCTION = True
    with pytest.raises(BadAddress, match="https"):
        checked_url("http://hooks.example.org/")
