"""The pages of a corpus in a browser: a file goes up, its documents read well, a bad file is explained."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from webapp.corpus import indexes

FILES = [
    {
        "name": "returns.md",
        "mimeType": "text/markdown",
        "buffer": b"# Returns\n\nGoods may be returned within 14 days.",
    },
    {
        "name": "more.jsonl",
        "mimeType": "application/json",
        "buffer": b'{"id": "a", "text": "Tulips flower in spring.", "title": "Garden"}\n{"text": "Nameless."}\n',
    },
]


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.CORPORA_DIR = tmp_path / "corpora"
    indexes._open.clear()


def _reads_well(desk, name):
    expect(desk.page.locator("h1")).to_be_visible()
    desk.check()
    desk.shoot(name)
    desk.page.set_viewport_size({"width": 360, "height": 844})
    desk.page.wait_for_timeout(100)
    desk.fits()
    desk.page.set_viewport_size({"width": 1366, "height": 768})


@pytest.mark.parametrize("scripts", [True, False])
def test_a_lead_fills_the_corpus_and_looks_into_it(scripts, queue, open_desk):
    desk = open_desk("lead", role="lead", scripts=scripts)
    page = desk.page
    page.goto(f"{desk.base}/projects/{queue.project.slug}/corpus/")
    expect(page.get_by_role("heading", name="No documents yet")).to_be_visible()
    if scripts:
        _reads_well(desk, "corpus-empty")
    page.get_by_label("Files").set_input_files(FILES)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator("[data-count=documents]")).to_have_text("2")
    if scripts:
        _reads_well(desk, "corpus")
    page.get_by_role("link", name="more.jsonl").click()
    expect(page.get_by_text("missing; it names the document")).to_be_visible()
    if scripts:
        _reads_well(desk, "corpus-upload")
    page.get_by_role("link", name="All documents").click()
    page.get_by_role("link", name="Returns", exact=True).click()
    expect(page.get_by_text("Goods may be returned within 14 days.")).to_be_visible()
    if scripts:
        _reads_well(desk, "corpus-document")
    page.get_by_label("Yes, delete it").check()
    page.get_by_role("button", name="Delete this document").click()
    expect(page.locator("[data-count=documents]")).to_have_text("1")
    assert desk.troubles == []


def test_a_file_that_is_no_text_is_explained_at_its_field(queue, open_desk):
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/projects/{queue.project.slug}/corpus/")
    pdf = {"name": "book.txt", "mimeType": "text/plain", "buffer": b"%PDF-1.7 ..."}
    desk.page.get_by_label("Files").set_input_files([pdf])
    desk.page.get_by_role("button", name="Upload", exact=True).click()
    expect(desk.page.get_by_text("book.txt: this is a file of type PDF, not plain text")).to_be_visible()
    desk.check()
