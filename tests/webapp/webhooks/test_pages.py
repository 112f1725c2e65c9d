"""The pages of webhooks: who runs the project makes them, sees the secret once, reads the log and sends again."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import NOW, OUTSIDERS
from webapp.webhooks.models import Delivery, Webhook

HERE = "/projects/shop/webhooks/"
FILLED = {"url": "https://hooks.example.org/proofmark", "events": ["answer.decided"]}


@pytest.fixture
def hook(project):
    return Webhook.objects.create(
        project=project, url=FILLED["url"], events=["answer.decided"], salt="s", created_at=NOW
    )


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_webhooks_are_closed_to(outsider, outsiders, hook, client_of):
    browser = client_of(outsiders[outsider])
    for address in (HERE, f"{HERE}{hook.pk}/", f"{HERE}{hook.pk}/delete/"):
        assert browser.get(address).status_code in {302, 404, 405}
        assert browser.post(address, FILLED).status_code in {302, 404, 405}
    assert Webhook.objects.count() == 1


def test_a_reviewer_runs_no_webhooks(reviewer, hook, client_of):
    assert client_of(reviewer).get(HERE).status_code == 403
    assert client_of(reviewer).post(f"{HERE}{hook.pk}/delete/").status_code == 403


def test_the_secret_is_shown_once(lead, project, client_of):
    page = client_of(lead).post(HERE, FILLED)
    secret = page.context["secret"]
    assert secret in page.text
    assert secret not in client_of(lead).get(HERE).text
    made = Webhook.objects.get()
    renewed = client_of(lead).post(f"{HERE}{made.pk}/secret/")
    assert renewed.context["secret"] != secret
    assert "no-store" in renewed["Cache-Control"]


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"url": "http://127.0.0.1/x"}, "url"), ({"url": "http://metadata.internal/"}, "url"),
        ({"url": "ftp://a.b"}, "url"),
        ({"url": "https://u:p@example.org/"}, "url"), ({"url": ""}, "url"), ({"events": []}, "events"),
        ({"events": ["all"]}, "events"),
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_called_is_refused_at_its_field(sent, field, lead, project, client_of):
    page = client_of(lead).post(HERE, {**FILLED, **sent})
    assert page.status_code == 422
    assert page.context["form"].errors[field]
    assert not Webhook.objects.exists()


def test_the_log_tells_every_try_and_sends_again(lead, hook, client_of, monkeypatch):
    Delivery.objects.create(
        webhook=hook, event="answer.decided", body="{}", state="failed", attempts=7, status=503, error="busy <b>",
        created_at=NOW,
    )  # fmt: skip
    page = client_of(lead).get(f"{HERE}{hook.pk}/")
    assert "given up" in page.text
    assert "busy &lt;b&gt;" in page.text
    old = Delivery.objects.get()
    client_of(lead).post(f"{HERE}{hook.pk}/deliveries/{old.pk}/again/")
    assert Delivery.objects.filter(redelivery_of=old, state="pending").exists()


def test_events_and_the_switch_can_be_changed_and_the_webhook_deleted(lead, hook, client_of):
    page = client_of(lead)
    page.post(f"{HERE}{hook.pk}/change/", {"events": ["export.ready"]})
    page.post(f"{HERE}{hook.pk}/change/", {"active": "0"})
    hook.refresh_from_db()
    assert (hook.events, hook.active) == (["export.ready"], False)
    assert page.post(f"{HERE}{hook.pk}/change/", {"events": []}).status_code == 422
    page.post(f"{HERE}{hook.pk}/delete/")
    assert not Webhook.objects.exists()
