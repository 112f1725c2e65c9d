"""The client against a live server: its own process boundary is a socket, nothing is mocked."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from proofing import client as module
from proofing.client import ApiError, AsyncClient, Client, NotThereYet, verify_signature
from webapp.webhooks.signing import signature

SOURCES = ["Unused articles may be returned within 14 days of delivery."]


@pytest.fixture
def site(live_server, transactional_db, monkeypatch):
    from webapp.accounts.services import create_token
    from webapp.records.models import Project
    from webapp.review.models import Queue

    project = Project.objects.create(name="Shop", slug="shop", tier="fast")
    Queue.objects.create(project=project, name="Support", audit_share=0.0)
    return live_server.url, create_token(project=project, name="client")[1]


@pytest.mark.django_db(transaction=True)
def test_answers_are_proofread_stored_listed_and_deleted(site, tmp_path):
    with Client(*site) as proofmark:
        report = proofmark.proofread("You have 30 days.", SOURCES, question="How long?")
        assert report["schema"] == "report/1"
        assert report["marks"]
        sent = proofmark.send("You have 30 days.", [["policy", SOURCES[0]]], question="How long?", external_id="e-1")
        assert proofmark.report(sent["id"])["marks"]
        assert proofmark.answer(sent["id"])["external_id"] == "e-1"
        many = proofmark.send_many([{"answer": f"You have {n} days.", "sources": SOURCES} for n in range(3)] + [{}])
        assert (many["stored"], many["refused"]) == (3, 1)
        assert len(list(proofmark.answers())) == 4
        assert [a["id"] for a in proofmark.answers(external_id="e-1")] == [sent["id"]]
        proofmark.delete(sent["id"])
        assert len(list(proofmark.answers())) == 3
        file = tmp_path / "in.csv"
        file.write_text("Bot,Beleg\n99 Tage.,14 Tage.\n")
        made = proofmark.upload(file, mapping={"answer": "Bot", "sources": "Beleg"})
        assert proofmark.get_import(made["id"])["imported"] == 1
        export = proofmark.get_export(proofmark.export("csv")["id"])
        assert export["state"] == "done"
        assert proofmark.download(export["id"], tmp_path / "out.csv").read_text().startswith("id,external_id")


@pytest.mark.django_db(transaction=True)
def test_the_same_calls_await(site):
    async def talk():
        async with AsyncClient(*site) as proofmark:
            report = await proofmark.proofread("You have 30 days.", SOURCES)
            sent = await proofmark.send("You have 30 days.", SOURCES)
            stored = await proofmark.report(sent["id"])
            listed = [answer["id"] async for answer in proofmark.answers()]
            await proofmark.delete(sent["id"])
            return report, stored, listed, sent

    report, stored, listed, sent = asyncio.run(talk())
    assert report["marks"] == stored["marks"]
    assert listed == [sent["id"]]


@pytest.mark.django_db(transaction=True)
def test_a_refusal_is_an_error_with_its_fields(site):
    with Client(*site) as proofmark:
        with pytest.raises(ApiError, match="answer") as caught:
            proofmark.send("", SOURCES)
        assert (caught.value.status, caught.value.kind) == (422, "unusable-answer")
        assert caught.value.errors[0]["field"] == "answer"
    with Client(site[0], "pm_wrong") as stranger, pytest.raises(ApiError) as refused:
        stranger.proofread("x", SOURCES)
    assert refused.value.status == 401


@pytest.fixture
def flaky(monkeypatch):
    """A server that answers with the statuses it is given, and keeps what was sent."""
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    statuses, keys = [], []

    class Handler(BaseHTTPRequestHandler):
        def _answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            keys.append(self.headers.get("Idempotency-Key"))
            self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_POST = _answer

        def log_message(self, *arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", statuses, keys
    server.shutdown()
    server.server_close()


def test_what_is_sent_again_carries_the_same_key(flaky):
    url, statuses, keys = flaky
    statuses += [503, 429, 202]
    with Client(url, "t") as proofmark:
        proofmark.send("x", [])
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert keys[0]


def test_after_some_tries_the_refusal_stands(flaky):
    url, statuses, keys = flaky
    statuses += [503]
    with Client(url, "t") as proofmark, pytest.raises(ApiError):
        proofmark.send("x", [])
    assert len(keys) == module.TRIES


def test_one_does_not_wait_for_ever(flaky):
    url, statuses, _ = flaky
    statuses += [202]
    with Client(url, "t") as proofmark, pytest.raises(NotThereYet):
        proofmark.report("a", wait=0.05)


@pytest.mark.parametrize(
    ("body", "secret", "now", "right"),
    [(b"{}", "whsec_a", 1000, True), (b"{} ", "whsec_a", 1000, False), (b"{}", "whsec_b", 1000, False),
     (b"{}", "whsec_a", 1400, False), (b"{}", "whsec_a", 600, False)],
)  # fmt: skip
def test_a_signature_holds_for_its_body_its_secret_and_its_time(body, secret, now, right):
    header = signature("whsec_a", b"{}", 1000)
    assert verify_signature(body, header, secret, now=now) is right


@pytest.mark.parametrize("header", ["", "t=,v1=", "v1=00", "t=1000", "nonsense", "t=1000,v1=é", "t=²,v1=0"])
def test_a_header_that_is_none_is_no_signature(header):
    assert verify_signature(b"{}", header, "whsec_a", now=1000) is False
