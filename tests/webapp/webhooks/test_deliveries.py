"""Events on their way out: signed, tried again, logged, sent once."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.webapp.calibration.conftest import decide, item_of  # noqa: F401 - fixtures
from tests.webapp.conftest import NOW
from webapp.calibration import services as calibration
from webapp.review import services as review
from webapp.webhooks import services
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.signing import secret_of


class Receiver:
    """A server that takes deliveries and answers as it is told."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers = [200]
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                status = receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOK_HOSTS = frozenset({"127.0.0.1"})
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def webhook(project, receiver):
    return services.create_webhook(project=project, url=receiver.url, now=NOW)[0]


def send_all(now=None):
    from django.utils import timezone

    for delivery in Delivery.objects.filter(state="pending"):
        services.deliver(delivery_id=delivery.pk, now=now or timezone.now() + timedelta(days=400))


def test_each_kind_of_event_is_sent(webhook, receiver, project, item_of, decide, reviewer, workers):  # noqa: F811
    decision = decide(item_of(), "keep")
    review.undo_decision(decision=decision, reviewer=reviewer, now=NOW)
    with workers():
        calibration.request_export(project=project, now=NOW)
    send_all()
    said = [json.loads(body) for _, body in receiver.got]
    assert sorted(body["event"] for body in said) == sorted(services.EVENTS)
    answers = {body["answer"]["id"] for body in said if "answer" in body}
    assert answers == {str(decision.item.answer_id)}
    assert Delivery.objects.filter(state="delivered").count() == 4


def test_a_delivery_is_signed_with_its_time(webhook, receiver, proofread):
    proofread()
    send_all()
    ((headers, body),) = receiver.got
    at, digest = (part.partition("=")[2] for part in headers["Proofmark-Signature"].split(","))
    expected = hmac.new(secret_of(webhook).encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert digest == expected
    assert headers["Proofmark-Event"] == "answer.proofread"
    assert "text" not in json.loads(body)["answer"]


def test_a_new_secret_signs_from_then_on(webhook, project):
    before = secret_of(webhook)
    after = services.renew_secret(webhook=webhook, user=None, now=NOW)
    assert before != after == secret_of(Webhook.objects.get())
    assert before not in json.dumps(list(Webhook.objects.values()), default=str)


def test_a_failed_try_is_repeated_with_growing_waits_and_then_given_up(webhook, receiver, proofread):
    receiver.answers = [500]
    proofread()
    delivery = Delivery.objects.get()
    now, waits = delivery.next_at, []
    for _ in services.WAITS:
        assert services.deliver(delivery_id=delivery.pk, now=now) is False
        delivery.refresh_from_db()
        assert services.deliver(delivery_id=delivery.pk, now=now) is None  # not due yet
        waits.append(delivery.next_at - now)
        now = delivery.next_at
    assert waits == list(services.WAITS)
    services.deliver(delivery_id=delivery.pk, now=now)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.status, delivery.next_at) == ("failed", 500, None)
    assert len(receiver.got) == len(services.WAITS) + 1


def test_a_receiver_that_comes_back_is_told(webhook, receiver, proofread):
    receiver.answers = [503, 204]
    proofread()
    delivery = Delivery.objects.get()
    services.deliver(delivery_id=delivery.pk, now=delivery.next_at)
    delivery.refresh_from_db()
    assert services.send_due(now=delivery.next_at) == 1
    services.deliver(delivery_id=delivery.pk, now=delivery.next_at)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts, delivery.status) == ("delivered", 2, 204)


def test_a_message_delivered_twice_sends_once(webhook, receiver, proofread):
    proofread()
    key = Delivery.objects.get().pk
    send_all()
    assert services.deliver(delivery_id=key, now=NOW + timedelta(days=500)) is None
    assert len(receiver.got) == 1


def test_a_redirect_is_not_followed(webhook, receiver, proofread):
    receiver.answers = [302]
    proofread()
    send_all()
    assert len(receiver.got) == 1
    assert "redirects" in Delivery.objects.get().error


def test_an_address_that_has_become_private_is_not_called(webhook, receiver, settings, proofread):
    settings.WEBHOOK_HOSTS = frozenset()
    proofread()
    send_all()
    assert receiver.got == []
    assert "private" in Delivery.objects.get().error


def test_nobody_there_is_a_failed_try(project, settings, proofread):
    settings.WEBHOOK_HOSTS = frozenset({"127.0.0.1"})
    services.create_webhook(project=project, url="http://127.0.0.1:9/hook", now=NOW)
    proofread()
    send_all()
    assert "ConnectError" in Delivery.objects.get().error


def test_only_chosen_events_of_the_own_project_are_sent(project, other_project, receiver, proofread):
    services.create_webhook(project=project, url=receiver.url, events=["export.ready"], now=NOW)
    services.create_webhook(project=other_project, url=receiver.url, now=NOW)
    proofread()
    assert not Delivery.objects.exists()


def test_a_webhook_that_is_switched_off_sends_nothing(webhook, receiver, proofread):
    proofread()
    services.change_webhook(webhook=webhook, active=False, user=None, now=NOW)
    send_all()
    assert receiver.got == []
    proofread()
    assert Delivery.objects.count() == 1


def test_an_event_is_sent_once_more_on_request(webhook, receiver, proofread, workers):
    proofread()
    send_all()
    with workers():
        again = services.redeliver(delivery=Delivery.objects.get(), user=None, now=NOW)
    again.refresh_from_db()
    assert again.state == "delivered"
    assert receiver.got[0][1] == receiver.got[1][1]
    assert receiver.got[0][0]["Proofmark-Delivery"] != receiver.got[1][0]["Proofmark-Delivery"]


# Many webhooks, few workers --------------------------------------------------------------------------------------


def pending(webhook, at, count=1):
    rows = [Delivery(webhook=webhook, event="x", body="{}", next_at=at, created_at=at) for _ in range(count)]
    return Delivery.objects.bulk_create(rows)


@pytest.fixture
def told(monkeypatch):
    """Which deliveries the workers are told of."""
    keys = []
    monkeypatch.setattr(services, "enqueue_delivery", keys.append)
    return keys


def test_a_webhook_has_one_try_under_way_and_the_next_follows_it(webhook, receiver, told):
    first, second = pending(webhook, NOW, 2)
    Webhook.objects.update(held_until=NOW + services.LEASE)
    assert services.deliver(delivery_id=second.pk, now=NOW) is None
    assert services.send_due(now=NOW) == 0
    later = NOW + services.LEASE  # whoever held it is dead
    assert services.deliver(delivery_id=first.pk, now=later) is True
    assert told == [second.pk]


def test_dead_webhooks_are_tried_less_and_less_and_hold_few_workers(project, settings, told, monkeypatch):
    settings.WEBHOOK_HOSTS = frozenset({"127.0.0.1"})
    tried = []
    monkeypatch.setattr(
        services.sending, "post", lambda delivery, now: tried.append(now) or services.sending.Outcome(None, "dead")
    )
    hooks = [services.create_webhook(project=project, url=f"http://127.0.0.1:9/{n}", now=NOW)[0] for n in range(13)]
    for hook in hooks:
        pending(hook, NOW, 8)
    for seconds in range(0, 1500, 30):
        now = NOW + timedelta(seconds=seconds)
        services.send_due(now=now)
        for key in list(told):
            services.deliver(delivery_id=key, now=now)
        told.clear()
    assert len(tried) == 13 * 4  # at once, after 30 s, 2 min, 10 min; next after an hour
    Webhook.objects.filter(pk=hooks[0].pk).update(held_until=now + services.LEASE, quiet_until=None)
    Webhook.objects.update(quiet_until=None)
    assert services.deliver(delivery_id=Delivery.objects.filter(webhook=hooks[1]).first().pk, now=now) is None


def test_one_sweep_tells_of_one_delivery_a_webhook(webhook, told):
    pending(webhook, NOW, 30)
    assert services.send_due(now=NOW) == 1


def test_an_address_that_answers_again_is_asked_at_once(webhook, receiver, told):
    Webhook.objects.update(quiet_until=NOW + timedelta(hours=1), silences=4)
    (waiting,) = pending(webhook, NOW)
    assert services.deliver(delivery_id=waiting.pk, now=NOW) is None
    again = services.redeliver(delivery=waiting, user=None, now=NOW)
    assert services.deliver(delivery_id=again.pk, now=NOW) is True
    assert Webhook.objects.values_list("silences", flat=True).get() == 0


def test_what_nobody_took_for_days_is_given_up(webhook, told):
    pending(webhook, NOW, 3)
    services.send_due(now=NOW + services.GIVEN_UP + timedelta(seconds=1))
    assert set(Delivery.objects.values_list("state", flat=True)) == {"failed"}
    assert told == []


# Through the API -------------------------------------------------------------------------------------------------


def test_a_program_makes_watches_and_deletes_a_webhook(api, receiver, proofread):
    made = api.post("webhooks", {"url": receiver.url, "events": ["answer.proofread"]})
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    (listed,) = api.get("webhooks").json()
    assert "secret" not in listed
    proofread()
    send_all()
    (delivery,) = api.get(f"webhooks/{listed['id']}/deliveries").json()
    assert (delivery["state"], delivery["status"]) == ("delivered", 200)
    again = api.post(f"webhooks/{listed['id']}/deliveries/{delivery['id']}/redeliver")
    assert again.status_code == 202
    assert api.delete(f"webhooks/{listed['id']}").status_code == 204
    assert api.get("webhooks").json() == []


@pytest.mark.parametrize(
    ("body", "field"),
    [({"url": "https://127.0.0.1/"}, "url"), ({"url": "nonsense"}, "url"),
     ({"url": "https://example.org", "events": []}, "events"),
     ({"url": "https://example.org", "events": ["x"]}, "events.0"), ({}, "url")],
)  # fmt: skip
def test_a_webhook_that_cannot_be_says_which_field(api, body, field):
    refused = api.post("webhooks", body)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == field


def test_a_name_that_means_a_private_address_is_refused(api, monkeypatch):
    import socket

    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *a, **o: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]
    )
    assert "private" in api.post("webhooks", {"url": "https://hooks.example.org/"}).json()["detail"]


def test_the_same_address_twice_is_refused(api):
    assert api.post("webhooks", {"url": "https://example.org/"}).status_code == 201
    assert "already" in api.post("webhooks", {"url": "https://example.org/"}).json()["detail"]


def test_a_webhook_of_another_project_does_not_exist(api, other_project):
    theirs, _ = services.create_webhook(project=other_project, url="https://example.org/", now=NOW)
    assert api.get(f"webhooks/{theirs.pk}/deliveries").status_code == 404
    assert api.delete(f"webhooks/{theirs.pk}").status_code == 404
    assert Webhook.objects.count() == 1


def test_whoever_answers_a_byte_at_a_time_holds_no_worker(webhook, receiver, monkeypatch):
    from webapp.webhooks import sending

    dripping = threading.Event()

    class Dripping(BaseHTTPRequestHandler):
        def do_POST(self):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while not dripping.wait(0.05):
                try:
                    self.wfile.write(b"x")
                except OSError:
                    return

        def log_message(self, *arguments):
            pass

    receiver.server.RequestHandlerClass = Dripping
    monkeypatch.setattr(sending, "WHOLE_REQUEST", 0.5)
    delivery = Delivery(webhook=webhook, event="answer.decided", body="{}")
    outcome = sending.post(delivery, now=NOW)
    dripping.set()
    assert not outcome.taken
    assert outcome.error == "no answer within 0.5 seconds"
