"""Passwords cannot be guessed by trying; and nobody locks a colleague out by trying."""

from __future__ import annotations

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client

from tests.webapp.conftest import person

ADDRESS = "/accounts/login/"


def try_in(password, *, name="reviewer", machine="192.0.2.7", **headers):
    return Client(REMOTE_ADDR=machine, headers=headers).post(ADDRESS, {"username": name, "password": password})


@pytest.fixture
def guessed(reviewer):
    person("colleague")
    for _ in range(settings.AXES_FAILURE_LIMIT):
        last = try_in("wrong")
    return last


def test_after_ten_wrong_passwords_even_the_right_one_waits(guessed):
    assert guessed.status_code == 429
    assert guessed["Retry-After"] == "900"
    assert "15 minutes" in guessed.text
    assert try_in("a-long-pass-phrase").status_code == 429


def test_others_and_other_machines_still_come_in(guessed):
    assert try_in("a-long-pass-phrase", name="colleague").status_code == 302
    assert try_in("a-long-pass-phrase", machine="192.0.2.8").status_code == 302


def test_a_right_password_forgets_the_wrong_ones(reviewer):
    for _ in range(3):
        for _ in range(settings.AXES_FAILURE_LIMIT - 1):
            assert try_in("wrong").status_code == 200
        assert try_in("a-long-pass-phrase").status_code == 302


def test_behind_a_proxy_the_last_address_counts_and_a_claimed_one_does_not(reviewer, settings):
    settings.TRUST_PROXY = True
    for number in range(settings.AXES_FAILURE_LIMIT):
        last = try_in("wrong", x_forwarded_for=f"10.0.0.{number}, 198.51.100.4")
    assert last.status_code == 429
    assert try_in("a-long-pass-phrase", x_forwarded_for="10.9.9.9, 198.51.100.5").status_code == 302


def test_without_a_proxy_nobody_chooses_an_address(reviewer):
    for number in range(settings.AXES_FAILURE_LIMIT):
        last = try_in("wrong", x_forwarded_for=f"198.51.100.{number}")
    assert last.status_code == 429


@pytest.mark.parametrize("written", ["198.51.100.4:5555", "[2001:db8::7]:443", "2001:db8::7", '"[2001:db8::7]"'])
def test_a_proxy_may_write_a_port_behind_the_address(reviewer, settings, written):
    settings.TRUST_PROXY = True
    for _ in range(settings.AXES_FAILURE_LIMIT):
        last = try_in("wrong", x_forwarded_for=written)
    assert last.status_code == 429
    assert try_in("a-long-pass-phrase", x_forwarded_for="203.0.113.9").status_code == 302


@pytest.mark.parametrize(
    "written", ["unknown", "_hidden", "a:b:c", "1.2.3", "\u0660.1.1.1".encode().decode("latin-1"), ":80"]
)
def test_what_is_no_address_counts_as_the_proxys_own(reviewer, settings, written):
    settings.TRUST_PROXY = True
    assert try_in("wrong", x_forwarded_for=written).status_code == 200
    assert try_in("a-long-pass-phrase", x_forwarded_for=written).status_code == 302


@pytest.mark.parametrize(
    "name", ["x" * 151, "x" * 300, "x" * 100_000, "a\0b", "\ud800".encode("utf-8", "replace").decode()]
)
def test_a_name_that_nobody_can_have_is_a_wrong_one(reviewer, name):
    assert try_in("wrong", name=name).status_code == 200
    assert not AccessAttempt.objects.filter(username__gt="x" * 150).exists()  # a column of so many characters
