"""How the pages look and read: the right words marked, nothing overlapping, nothing sticking out, axe content."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES
from tests.webapp.review.builders import Fault, make_item
from webapp.accounts.models import User

SCRIPTS = {
    "emoji": ("Family 👩‍👩‍👧‍👦🎉 has 30 days 🏖️ here.", "30 days"),
    "combining": ("Cafe\u0301 re\u0301sume\u0301: wait 30 days please.", "30 days"),
    "hebrew": ("אפשר להחזיר תוך 30 ימים מיום הקנייה.", "30 ימים"),
    "arabic": ("يمكن الإرجاع خلال ٣٠ يومًا من الشراء.", "٣٠ يومًا"),
    "astral": ("𝔘𝔫𝔦𝔠𝔬𝔡𝔢 says 30 days.", "30 days"),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_right_words_are_marked(script, queue, open_desk):
    text, words = SCRIPTS[script]
    make_item(queue, text, [Fault(words, "14", "14 days")])
    desk = open_desk().start()
    assert desk.page.locator("#m1").text_content() == words
    line = desk.page.locator("#proof p").first
    rtl = script in ("hebrew", "arabic")
    assert line.evaluate("p => getComputedStyle(p).direction") == ("rtl" if rtl else "ltr")
    desk.check()
    if rtl:
        desk.shoot(f"item-{script}")


def test_thirty_receipts_do_not_overlap_and_the_one_in_hand_stands_at_its_mark(queue, open_desk):
    text = " ".join(f"Step {n} takes {n} days of work." for n in range(10, 40))
    make_item(
        queue, text, [Fault(f"{n} days", "1 day", "1 day") for n in range(10, 40)], sources=[("s", "It takes 1 day.")]
    )
    desk = open_desk().start()
    for _ in range(15):
        desk.press("j")
    desk.page.wait_for_timeout(200)
    boxes = desk.page.locator(".receipt").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.top, b.bottom])"
    )
    assert len(boxes) == 30
    for above, below in pairwise(boxes):
        assert below[0] >= above[1]
    mark, receipt = (desk.page.locator(f"#{x}15").bounding_box() for x in "mr")
    assert abs(mark["y"] - receipt["y"]) < 12
    desk.check()
    desk.shoot("item-thirty")


def test_a_long_source_scrolls_to_the_evidence(queue, open_desk):
    filler = "Nothing of interest is said in this sentence at all. " * 300
    source = f"{filler}Articles may come back within 14 days. {filler}"
    make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")], sources=[("long.md", source)])
    desk = open_desk().start()
    desk.press("j")
    desk.page.wait_for_timeout(300)
    expect(desk.page.locator(".ev.lit")).to_be_in_viewport()


def test_evidence_leads_back_to_its_mark(three, open_desk):
    desk = open_desk().start()
    desk.page.locator(".ev", has_text="5 days").click()
    expect(desk.page.locator("#m2")).to_be_focused()


def test_the_item_page_reads_well_everywhere(three, open_desk):
    desk = open_desk().start()
    desk.check()
    desk.press("j")
    desk.page.wait_for_timeout(200)
    desk.check()
    desk.shoot("item")
    for width in (360, 390, 683):
        desk.page.set_viewport_size({"width": width, "height": 800})
        desk.page.wait_for_timeout(150)
        desk.fits()
    desk.page.locator("details.checks summary").first.click()  # what opens fits too
    card = desk.page.locator("details.checks .card").first.bounding_box()
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= 683
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()
    card = desk.page.locator("details.checks .card").first.bounding_box()
    assert card["x"] + card["width"] <= 360
    desk.page.locator("details.checks summary").first.click()
    expect(desk.page.locator("#proof > p #r1")).to_be_visible()
    expect(desk.page.locator(".inline-receipts #r2")).to_be_visible()
    desk.press("j")
    expect(desk.page.locator("#proof > p #r2")).to_be_visible()
    desk.page.locator("#r2 [data-verdict=supported]").click()
    expect(desk.page.locator("#r2 [data-verdict=supported]")).to_have_attribute("aria-pressed", "true")
    desk.check()
    desk.page.set_viewport_size(SIZES["wide"])
    desk.page.wait_for_timeout(150)
    assert desk.page.locator("#margin > .receipt").evaluate_all("all => all.map(r => r.id)") == ["r1", "r2"]


def test_tab_goes_question_answer_receipts_healed_decisions(three, open_desk):
    desk = open_desk().start()
    places = ["#m1", "#r1 a", ".ev", ".edit input", "[data-act=accept_healed]"]
    order = desk.page.evaluate(
        """places => places.map(place => [...document.querySelectorAll('*')].indexOf(document.querySelector(place)))""",
        places,
    )
    assert order == sorted(order)
    desk.page.locator("#m1").focus()
    assert desk.page.locator("#m1").evaluate("e => getComputedStyle(e).outlineStyle") == "solid"


@pytest.mark.parametrize("page", ["", "queues/", "accounts/profile/", "accounts/password/", "items/wrong/"])
def test_other_pages_read_well(page, three, open_desk):
    desk = open_desk()
    desk.page.goto(f"{desk.base}/{page}")
    desk.check()
    desk.shoot({"": "desk", "items/wrong/": "not-found"}.get(page, page.strip("/").replace("/", "-")))
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()


def test_the_first_run_and_the_log_in_read_well(queue, open_desk):
    desk = open_desk()
    expect(desk.page.locator("main")).to_contain_text("Nothing to proofread yet")
    desk.check()
    desk.shoot("first-run")
    desk.page.get_by_role("button", name="Log out").click()
    expect(desk.page.locator("h1")).to_have_text("Log in")
    desk.check()
    desk.shoot("login")
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()


def test_a_receipt_shows_the_whole_name_of_its_source(queue, open_desk):
    name = "customer-service/handbook-2025/returns.md#para-12"
    make_item(
        queue, "You have 30 days. Refunds take 9 days.",
        [Fault("30 days", "14 days", "14 days"), Fault("9 days", "5 days", "5 days")],
        sources=[(name, "You have 14 days. Refunds take 5 days.")],
    )  # fmt: skip
    page = open_desk().start().page
    for number in (1, 2):
        line = page.locator(f"#r{number} .src")
        shown = line.locator("span")
        expect(shown).to_have_attribute("title", name)
        assert not line.evaluate("p => p.scrollWidth > p.clientWidth || p.scrollHeight > p.clientHeight + 1")
        assert shown.bounding_box()["y"] >= line.bounding_box()["y"]


@pytest.mark.parametrize(("marks", "shown"), [(1, True), (12, False)])
def test_what_a_receipt_says_is_whole_where_there_is_room(marks, shown, queue, open_desk):
    note = "the figure is the source's, its unit is not: 20 cents"
    numbers = range(10, 10 + marks)
    faults = [Fault(f"{n} euros", "20 cents", "20 cents") for n in numbers]
    text = " ".join(f"Line {n} costs {n} euros." for n in numbers)
    item = make_item(queue, text, faults, sources=[("s", "It costs 20 cents.")])
    for mark in item.inspection.report["marks"]:
        mark["receipt"]["note"] = note
    item.inspection.save()
    said = open_desk().start().page.locator("#r1 .note").first
    assert said.is_visible() == shown
    if shown:
        assert not said.evaluate("p => p.scrollWidth > p.clientWidth || p.scrollHeight > p.clientHeight + 1")


@pytest.mark.parametrize("width", [360, 390, 768])
def test_the_whole_navigation_is_seen_on_a_phone(width, three, open_desk):
    desk = open_desk("lead-1", role="lead")
    desk.page.set_viewport_size({"width": width, "height": 844})
    for address in ("", "queues/"):
        desk.page.goto(f"{desk.base}/{address}")
        links = desk.page.locator(".bar nav a")
        assert links.count() == 8
        for box in links.evaluate_all("all => all.map(a => a.getBoundingClientRect()).map(b => [b.left, b.right])"):
            assert 0 <= box[0] < box[1] <= width
        desk.fits()


@pytest.mark.parametrize("touch", [True, False])
def test_keys_are_shown_where_there_is_a_keyboard(touch, three, open_desk):
    desk = open_desk(size="narrow" if touch else "wide", touch=touch).start()
    desk.page.locator("[data-act=keep]").click()
    desk.sees("Question 2")
    hints = desk.page.locator("button kbd, .check kbd, .why kbd, .bar kbd")
    assert hints.count() > 10
    shown = [hint for hint in hints.all() if hint.is_visible()]
    assert bool(shown) != touch, [hint.evaluate("kbd => kbd.parentElement.outerHTML") for hint in shown]


def test_a_toast_names_the_key_that_undoes_and_none_where_keys_are_off(three, open_desk):
    desk = open_desk().start()
    for number, shortcuts, said in ((2, {"keys": {"undo": "b"}}, ["b"]), (3, {"enabled": False}, [])):
        User.objects.filter(username="reviewer").update(shortcuts=shortcuts)
        desk.page.reload()
        desk.settle()
        desk.page.locator("[data-act=keep]").click()
        desk.sees(f"Question {number}")
        expect(desk.page.locator(".toast")).to_contain_text("Original kept.")
        assert desk.page.locator(".toast kbd").all_text_contents() == said


#: The layout shift of the page since a time of its clock, without what follows a key or a click.
SHIFTS = """since => new Promise(done => {
  let sum = 0;
  const counts = entry => !entry.hadRecentInput && entry.startTime >= since;
  new PerformanceObserver(list => { for (const e of list.getEntries()) if (counts(e)) sum += e.value; })
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 600);
})"""


@pytest.mark.parametrize("late", [0, 0.7], ids=["script at once", "script late"])
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_nothing_moves_when_the_receipts_find_their_places(size, late, three, open_desk):
    """A script that comes late finds the page painted: what it moves (on a phone, receipts go in between the lines) is
    not seen before."""
    desk = open_desk(size=size).start()
    desk.page.emulate_media(reduced_motion="no-preference")
    if late:
        desk.page.route("**/desk*.js", lambda route: (time.sleep(late), route.continue_()))
    desk.page.reload()
    desk.settle()
    assert desk.page.evaluate(SHIFTS, 0) < 0.001
    expect(desk.page.locator("[data-act=accept_healed]")).to_be_visible()


def test_nothing_moves_when_the_next_answer_takes_the_place_of_this_one(three, open_desk):
    desk = open_desk().start()
    desk.ahead()
    top = desk.page.locator(".sheet").bounding_box()["y"]
    pressed = desk.page.evaluate("performance.now()")  # what moved while the first page was loading is another matter
    desk.press("a")
    desk.sees("Question 2")
    assert desk.page.locator(".sheet").bounding_box()["y"] == top
    assert desk.page.evaluate(SHIFTS, pressed) < 0.01


def test_the_proof_sheet_prints_answer_receipts_sources_and_healed_text_and_no_buttons(three, open_desk):
    desk = open_desk().start()
    desk.page.emulate_media(media="print")
    for part in ("#q", "#proof", "#r1", "#r2", ".ev", "#diff"):
        expect(desk.page.locator(part).first).to_be_visible()
    for part in (".bar", ".acts", ".verdict", ".reason", "#toasts"):
        expect(desk.page.locator(part).first).to_be_hidden()
    boxes = [desk.page.locator(part).bounding_box() for part in ("#proof", "#r1", "#r2", ".sources", ".healed")]
    below, beside = (
        boxes[2]["y"] >= boxes[1]["y"] + boxes[1]["height"],
        boxes[2]["x"] >= boxes[1]["x"] + boxes[1]["width"],
    )
    assert below or beside
    assert boxes[3]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    assert boxes[4]["y"] >= boxes[3]["y"] + boxes[3]["height"]


def test_the_page_stays_small(queue, open_desk):
    import gzip
    from pathlib import Path

    from django.conf import settings

    words = " ".join(f"word{n}" for n in range(190)) + " within 30 days"
    sources = [(f"s{n}", "Articles may come back within 14 days. " * 40) for n in range(5)]
    item = make_item(queue, words, [Fault("30 days", "14 days", "14 days")], sources=sources)
    desk = open_desk().start()
    html = desk.page.request.get(f"{desk.base}/items/{item.pk}/").body()
    assert len(gzip.compress(html)) <= 60_000
    static = Path(settings.BASE_DIR) / "static"
    assert (static / "desk.css").stat().st_size <= 30_000
    scripts = desk.page.locator("script[src]").evaluate_all("all => all.map(one => one.src)")
    assert len(scripts) == 2
    bodies = [desk.page.request.get(script).body() for script in scripts]
    assert sum(len(gzip.compress(body)) for body in bodies) <= 60_000


def test_the_header_stays_one_line_where_words_are_long(three, open_desk):
    desk = open_desk("reviewer-1", role="lead")
    User.objects.update(language="es")
    desk.page.reload()
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_url("**/items/**")
    for address in (desk.page.url, f"{desk.base}/answers/"):
        desk.page.goto(address)
        expect(desk.page.get_by_role("link", name="Exportaciones")).to_be_visible()
        assert desk.page.locator("header.bar").bounding_box()["height"] < 60, address
