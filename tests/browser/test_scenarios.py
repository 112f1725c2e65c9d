"""The five failure stories in a browser, from a file to an export: what was wrong, what changed and why, accepted."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from proofing.demo import SCENARIOS, Scenario
from webapp.records.models import Project
from webapp.review.models import Decision

#: Per story: words that are marked, the receipt that says why, what the panel names, what the export must hold and not.
STORIES = {
    "confident lie": ("30", "14 days", ["critical", "contradiction"], ["14 days"], ["30"]),
    "invented citation": ("2104.11873", "in no source", ["names and references"], ["28 days"], ["arXiv", "Renn"]),
    "billing contradiction": (
        "monthly", "annual", ["critical", "contradiction", "0.40"],
        ["billed annually", "annual subscription"], ["monthly"],
    ),
    "price drift": ("31", "24 euros", ["critical", "drift from earlier answers"], ["24 euros"], ["31"]),
    "clean paraphrase": (None, None, ["low", "nothing", "serve as it is"], ["within four weeks"], []),
}  # fmt: skip


@pytest.fixture
def upload(tmp_path):
    """A file with a story's answers, earlier ones first."""

    def write(scenario: Scenario):
        sources = [{"id": source.id, "text": source.text} for source in scenario.sources]
        answers = [*scenario.earlier, scenario.answer]
        lines = [{"question": scenario.question, "answer": answer, "sources": sources} for answer in answers]
        path = tmp_path / "story.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return write


def exported(desk, tmp_path):
    """The lines of an export made and fetched by hand."""
    page = desk.page
    page.goto(f"{desk.base}/exports/")
    page.get_by_role("button", name="Export").click()
    link = page.get_by_role("link", name="Download the file")
    expect(link).to_be_visible()
    with page.expect_download() as started:
        link.click()
    path = tmp_path / "export.jsonl"
    started.value.save_as(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.name for scenario in SCENARIOS])
def test_story(scenario, queue, upload, open_desk, tmp_path):
    marked, why, named, kept, gone = STORIES[scenario.name]
    Project.objects.update(tier="fast")
    desk = open_desk("lead", role="lead")
    page = desk.page
    page.goto(f"{desk.base}/imports/")
    page.set_input_files("input[type=file]", upload(scenario))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile(r"/imports/[0-9a-f-]{36}"))

    page.goto(f"{desk.base}/")
    desk.settle()
    desk.start()
    desk.sees(scenario.question)
    if marked:
        desk.press("j")
        expect(page.locator("#proof .m").filter(has_text=marked).first).to_be_visible()
        expect(page.locator("#margin, #proof").filter(has_text=why).first).to_be_visible()
    page.locator("details.checks summary", has_text="checks").click()
    for words in named:
        expect(page.locator("details.checks .card").first).to_contain_text(words)
    desk.check()
    desk.shoot(f"story-{scenario.name.replace(' ', '-')}")
    page.locator("details.checks summary", has_text="checks").click()
    if scenario.name != "clean paraphrase":
        expect(page.locator("#diff ins").first).to_be_visible()
    desk.press("a")
    expect(page.locator("#toasts")).to_contain_text("Original kept." if not marked else "Healed answer accepted.")
    decision = Decision.objects.get()
    (line,) = [line for line in exported(desk, tmp_path) if line["reviews"]]
    (review,) = line["reviews"]
    assert line["answer"]["text"] == scenario.answer
    assert review["final"] == decision.final_text
    assert [words for words in kept if words not in review["final"]] == []
    assert [words for words in gone if words in review["final"]] == []
    assert desk.troubles == []


def test_a_price_that_drifts_shows_on_the_drift_page(queue, upload, open_desk):
    Project.objects.update(tier="fast")
    desk = open_desk("lead", role="lead")
    page = desk.page
    page.goto(f"{desk.base}/imports/")
    page.set_input_files("input[type=file]", upload(SCENARIOS[3]))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile(r"/imports/[0-9a-f-]{36}"))
    page.goto(f"{desk.base}/insights/")
    page.get_by_role("link", name="Drift over time").click()
    expect(page.get_by_role("img", name="Drift rate over time")).to_be_visible()
    desk.check()
    desk.shoot("drift")
    page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("link", name=re.compile("31 euros")).click()
    expect(page.locator("main")).to_contain_text("31 euros")
    assert desk.troubles == []


@pytest.mark.parametrize("scripts", [True, False])
def test_an_open_correction_is_chosen_by_key_or_by_form(scripts, queue, open_desk):
    from tests.webapp.review.builders import Fault, make_item

    faults = [Fault("30 days", candidates=("14 days", "21 days"), evidence="14 days")]
    make_item(queue, "You have 30 days.", faults, sources=[("policy.md", "Books: 14 days. Records: 21 days.")])
    desk = open_desk(scripts=scripts)
    page = desk.page
    if scripts:
        desk.start()
        desk.press("j", "2")
        expect(page.locator("#diff ins")).to_have_text("21 days")
        expect(page.locator("#m1")).to_be_focused()
        desk.settle()
        desk.check()
        desk.press("1")
        expect(page.locator("#diff ins")).to_have_text("14 days")
        desk.settle()
        desk.press("2")
        expect(page.locator("#diff ins")).to_have_text("21 days")
        desk.settle()
        desk.press("a")
        expect(page.locator("#toasts")).to_contain_text("Your edited answer is kept.")
    else:
        page.get_by_role("button", name="Start reviewing").click()
        page.get_by_role("button", name="21 days").click()
        expect(page.locator("#diff ins")).to_have_text("21 days")
        page.get_by_role("button", name="Accept healed").click()
        expect(page.locator("main")).to_contain_text("Nothing waits here")
    assert Decision.objects.get().final_text == "You have 21 days."
    assert desk.troubles == []
