"""From a file to a decision with the real engine in between, and every other page a person may open."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.webapp.review.builders import Fault, make_item
from webapp.records.models import Answer, Project
from webapp.review.models import Decision, Item

LINES = [
    {
        "question": "How long may I keep it?",
        "answer": "You have 30 days 🎁 to return it. The box may be opened.",
        "sources": [{"id": "returns.md", "text": "Unused articles may be returned within 14 days of delivery."}],
    },
    {
        "user_input": "What does the plan cost?",
        "response": "The Team plan costs $180 per year.",
        "retrieved_contexts": ["The Team plan costs $180 per year, billed annually."],
    },
]


@pytest.fixture
def upload(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join([json.dumps(LINES[0]), '{"answer": ', json.dumps(LINES[1])]) + "\n", encoding="utf-8")
    return path


def test_an_uploaded_file_is_proofread_and_reviewed(queue, upload, open_desk):
    Project.objects.update(tier="fast")
    desk = open_desk("lead", role="lead")
    page = desk.page
    page.goto(f"{desk.base}/imports/")
    desk.check()
    page.set_input_files("input[type=file]", upload)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile(r"/imports/[0-9a-f-]{36}"))
    expect(page.locator("main")).to_contain_text("2")
    desk.check()
    desk.shoot("import")
    page.goto(f"{desk.base}/imports/")
    page.set_input_files("input[type=file]", upload)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_load_state()
    assert Answer.objects.count() == Item.objects.count() == 2

    page.goto(f"{desk.base}/")
    desk.settle()
    desk.start()
    desk.sees("How long may I keep it?")
    expect(page.locator("#m1")).to_contain_text(re.compile("^30"))
    expect(page.locator("#r1 q").first).to_contain_text("14")
    desk.check()
    desk.press("a")
    desk.sees("What does the plan cost?")
    assert "14 days" in Decision.objects.get().final_text
    assert "🎁" in Decision.objects.get().final_text
    assert desk.troubles == []


@pytest.mark.parametrize("address", ["answers/", "imports/", "sets/", "models/", "exports/", "insights/", "queues/"])
def test_pages_around_the_desk_read_well(address, three, open_desk):
    desk = open_desk("lead", role="lead")
    names = {"answers/": "records:answers", "imports/": "intake:imports", "sets/": "calibration:sets"}
    names |= {
        "models/": "calibration:models",
        "exports/": "calibration:exports",
        "insights/": "insights:home",
        "queues/": "review:queues",
    }
    from django.urls import reverse

    desk.page.goto(desk.base + reverse(names[address]))
    desk.check()
    desk.shoot(address.strip("/"))
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()
    assert desk.troubles == []


def test_the_page_of_an_answer_reads_well(queue, open_desk):
    item = make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")])
    desk = open_desk().start()
    desk.press("a")
    expect(desk.page.locator("h1")).to_contain_text("nothing left")
    desk.page.goto(f"{desk.base}/answers/{item.answer_id}/")
    desk.check()
    desk.shoot("answer")
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()
