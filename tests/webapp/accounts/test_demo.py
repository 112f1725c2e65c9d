from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.webapp.conftest import NOW, Api, record_of
from webapp.accounts.demo import ANSWERS, load_demo
from webapp.accounts.models import User
from webapp.records.models import Answer, Observation
from webapp.review.models import Item, Queue


@pytest.fixture
def story(tmp_path):
    """A small demo: one answer seen four times, another one after it, and one without a time."""
    seen = [f"2026-01-0{day}T09:00:00Z" for day in range(1, 5)]
    records = [
        record_of(
            "It is $95 a year, cancel whenever.", "What does it cost?", id="b", observed=["2026-01-09T09:00:00Z"]
        ),
        record_of("The plan costs $40 per month.", "What does it cost?", id="a", observed=seen),
        record_of(id="c"),
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_answers_are_seen_in_the_order_of_time_so_drift_has_a_history(db, story, workers):
    with workers():
        loaded = load_demo(now=NOW, path=story)
    assert loaded.answers == 3
    assert Observation.objects.count() == 6
    drifted = Answer.objects.get(text__startswith="It is $95").inspections.get()
    assert drifted.report["checks"]["drift"]["compared"] == 4
    assert Item.objects.filter(queue=Queue.objects.get(name="Support desk")).count() == 3


def test_loading_again_adds_nothing_and_keeps_passwords(db, story, workers):
    with workers():
        first = load_demo(now=NOW, path=story)
    again = load_demo(now=NOW, path=story)
    assert set(first.passwords) == {"reviewer", "lead"}
    assert again.passwords == {}
    assert again.answers == 0
    assert Observation.objects.count() == 6


def log_in(client, name, password):
    return client.post("/accounts/login/", {"username": name, "password": password}).status_code == 302


def test_passwords_are_printed_once_and_open_the_door(db, story, monkeypatch, client):
    monkeypatch.setattr("webapp.accounts.demo.ANSWERS", story)
    loaded = load_demo(now=NOW, path=story)
    assert log_in(client, "lead", loaded.passwords["lead"])
    out = StringIO()
    call_command("demo_passwords", stdout=out)
    assert "Log in as reviewer" in out.getvalue()
    assert not log_in(client, "lead", loaded.passwords["lead"])


def test_the_environment_can_set_password_and_token(db, story, settings, client):
    settings.DEMO_PASSWORD = "open-sesame-123"
    settings.DEMO_API_TOKEN = "demo-token-0123456789"
    load_demo(now=NOW, path=story)
    load_demo(now=NOW, path=story)
    assert log_in(client, "reviewer", "open-sesame-123")
    assert Api("demo-token-0123456789").get("answers").status_code == 200


def test_there_are_no_passwords_before_the_demo(db):
    with pytest.raises(CommandError, match="not loaded"):
        call_command("demo_passwords")


def test_the_demo_that_ships_can_be_stored(db):
    loaded = load_demo(now=NOW)
    lines = sum(1 for line in ANSWERS.read_text(encoding="utf-8").splitlines() if line.strip())
    assert 40 <= loaded.answers <= lines
    assert User.objects.filter(username__in=["reviewer", "lead"]).count() == 2
