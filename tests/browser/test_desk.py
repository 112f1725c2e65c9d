"""A reviewer's morning, in a real browser: mostly keys, nothing lost, nothing decided twice."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.webapp.review.builders import Fault, make_item
from webapp.review import services
from webapp.review.models import Decision, Draft, Item, Verdict


def test_the_whole_loop_by_keys_alone(three, open_desk):
    desk = open_desk().start()
    page = desk.page
    desk.sees("Question 1")
    desk.press("j")
    expect(page.locator("#m1")).to_be_focused()
    expect(page.locator("#r1")).to_have_class(re.compile("here"))
    expect(page.locator(".ev.lit")).to_have_text("14 days")
    desk.press("u")  # judged, and on to the next mark
    expect(page.locator("#m2")).to_be_focused()
    expect(page.locator("#r1 [data-verdict=unsupported]")).to_have_attribute("aria-pressed", "true")
    desk.press("s")
    expect(page.locator("#r2 [data-verdict=supported]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#saved")).to_contain_text("saved")
    desk.press("k")
    expect(page.locator("#m1")).to_be_focused()
    desk.press("a")
    desk.sees("Question 2")
    assert Decision.objects.get().kind == "accept_healed"
    assert {(v.mark.index, v.verdict, v.source) for v in Verdict.objects.select_related("mark")} == {
        (0, "unsupported", "explicit"),
        (1, "supported", "explicit"),
    }
    desk.press("o")
    desk.sees("Question 3")
    desk.press("r")
    expect(page.locator("h1")).to_contain_text("nothing left for you")
    assert list(Decision.objects.order_by("decided_at").values_list("kind", flat=True)) == [
        "accept_healed", "keep", "reject",
    ]  # fmt: skip
    assert desk.troubles == []


def test_one_key_accepts_and_the_next_answer_is_there(three, open_desk):
    desk = open_desk().start()
    before = desk.page.url
    desk.press("a")
    desk.sees("Question 2")
    expect(desk.page).not_to_have_url(before)
    expect(desk.page.locator("#toasts")).to_contain_text("Healed answer accepted.")
    expect(desk.page.locator(".bar-state")).to_contain_text("1 / 3")
    decision = Decision.objects.get()
    assert decision.final_text == "Answer 1: you have 14 days to return it. Refunds take 5 days."
    assert {v.source for v in decision.verdicts.all()} == {"implied"}


def test_undo_brings_the_answer_back(three, open_desk):
    desk = open_desk().start()
    desk.press("a")
    desk.sees("Question 2")
    desk.press("z")
    desk.sees("Question 1")
    assert Decision.objects.get().undone_at is not None
    desk.press("r")
    desk.sees("Question 2")
    assert Decision.objects.filter(undone_at=None).get().kind == "reject"


def test_undo_goes_back_several_steps_and_says_when_nothing_is_left(three, open_desk):
    desk = open_desk().start()
    for key, question in (("a", "Question 2"), ("o", "Question 3"), ("r", None)):
        desk.press(key)
        desk.sees(question) if question else expect(desk.page.locator("h1")).to_contain_text("nothing left for you")
    for question in ("Question 3", "Question 2", "Question 1"):
        desk.press("z")
        desk.sees(question)
    assert not Decision.objects.filter(undone_at=None).exists()
    desk.press("z")
    expect(desk.page.locator("#toasts")).to_contain_text("Nothing is left to take back.")


def test_a_mark_of_ones_own_asks_before_the_original_is_kept(three, open_desk):
    desk = open_desk().start()
    desk.press("w", "Shift+ArrowRight", "m")
    expect(desk.page.locator(".receipt.own")).to_be_visible()
    desk.settle()
    desk.press("o")
    expect(desk.page.get_by_role("alert")).to_contain_text("You called one place unsupported")
    assert not Decision.objects.exists()
    desk.shoot("asks")
    height = desk.page.locator(".sheet").bounding_box()["height"]
    assert height > 300, height
    desk.check()
    desk.settle()
    desk.press("o")
    desk.sees("Question 2")
    assert Decision.objects.get().kind == "keep"


def test_undo_works_after_the_last_answer_too(queue, open_desk):
    make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")], question="Only one")
    desk = open_desk().start()
    desk.press("a")
    expect(desk.page.locator("h1")).to_contain_text("nothing left for you")
    desk.page.get_by_role("button", name="Undo").click()
    desk.sees("Only one")


def test_a_key_pressed_in_haste_decides_one_answer(three, open_desk):
    desk = open_desk().start()
    desk.press("a", "a", "a")
    desk.sees("Question 2")
    assert Decision.objects.count() == 1


def test_a_key_held_down_decides_one_answer(three, open_desk):
    desk = open_desk().start()
    for _ in range(3):
        desk.page.keyboard.down("a")  # down again without up between is what a held key sends
    desk.page.keyboard.up("a")
    desk.sees("Question 2")
    assert Decision.objects.count() == 1


def test_two_browsers_never_hold_one_item(three, open_desk):
    one, other = open_desk("reviewer").start(), open_desk("colleague").start()
    assert one.page.url != other.page.url
    one.press("a")
    one.sees("Question 3")
    one.page.wait_for_url(re.compile(str(three[2].pk)))
    assert len({one.page.url, other.page.url}) == 2


def test_a_lapsed_answer_is_handed_on_and_the_words_are_kept(three, queue, open_desk):
    desk = open_desk().start()
    desk.press("e")
    desk.page.fill("#text", "My own words, typed slowly.")
    late = timezone.now() + queue.lease + timedelta(seconds=1)
    colleague = open_desk("colleague")
    services.claim_next_item(queue=queue, reviewer=_user("colleague"), now=late)
    desk.page.get_by_role("button", name="Accept my wording").click()
    expect(desk.page.locator("h1")).to_contain_text("handed on")
    expect(desk.page.locator("main")).to_contain_text("My own words, typed slowly.")
    desk.check()
    desk.shoot("lapsed")
    assert Draft.objects.get(reviewer__username="reviewer").text == "My own words, typed slowly."
    assert not Decision.objects.exists()
    colleague.page.close()


def _user(name):
    from webapp.accounts.models import User

    return User.objects.get(username=name)


def test_an_edit_can_be_switched_off_alone(three, open_desk):
    desk = open_desk().start()
    desk.page.locator(".edit input").nth(1).uncheck()
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.press("a")
    desk.sees("Question 2")
    assert Decision.objects.get().final_text == "Answer 1: you have 14 days to return it. Refunds take 9 days."


def test_edits_are_switched_and_the_answer_vouched_for_by_keys(three, open_desk):
    desk = open_desk().start()
    switches = desk.page.locator(".edit input")
    desk.press("x")  # no mark in hand: the first switch is
    expect(switches.nth(0)).to_be_focused()
    expect(switches.nth(0)).to_be_checked()
    desk.press("j", "j", "x")  # that of the second mark
    expect(switches.nth(0)).to_be_checked()
    expect(switches.nth(1)).not_to_be_checked()
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.press("t")
    expect(desk.page.get_by_label("nothing else is unsupported")).to_be_checked()
    desk.press("?")
    expect(desk.page.locator("#help")).to_contain_text("switch the edit of the mark in hand")
    desk.press("Escape", "a")
    desk.sees("Question 2")
    made = Decision.objects.get()
    assert (made.switched_off, made.nothing_else_unsupported) == ([1], True)
    assert desk.troubles == []


def test_a_long_receipt_is_shown_whole_when_it_is_in_hand(queue, open_desk):
    long = "Articles may come back within 14 days " + "of the day on which they were handed over " * 9 + "at the end."
    make_item(
        queue,
        "You have 30 days to return it. Refunds take 9 days.",
        [Fault("30 days", "14 days", long), Fault("9 days", "5 days", "5 days")],
        sources=[("policy.md#1", long), ("policy.md#2", "Refunds take 5 days.")],
    )
    page = open_desk().start().page
    quote = page.locator("#r1 .nearest")
    cut = "node => node.scrollHeight > node.clientHeight + 1"
    assert quote.evaluate(cut)
    page.locator("#r1 .src").click()
    assert not quote.evaluate(cut)
    boxes = [page.locator(f"#r{n}").bounding_box() for n in (1, 2)]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    page.keyboard.press("j")
    assert quote.evaluate(cut)


@pytest.mark.parametrize("audit", [False, True])
def test_putting_back_says_nothing_to_the_console(audit, three, open_desk):
    Item.objects.update(audit=audit)
    desk = open_desk().start()
    desk.page.get_by_role("button", name="put back").click()
    expect(desk.page.locator("main")).to_contain_text("Your desk")
    assert desk.troubles == []


def test_editing_shows_differences_and_new_marks_and_survives_a_closed_tab(three, open_desk):
    desk = open_desk().start()
    desk.press("e")
    expect(desk.page.locator("#text")).to_be_focused()
    expect(desk.page.locator("#text")).to_have_value("Answer 1: you have 14 days to return it. Refunds take 5 days.")
    desk.page.keyboard.type(" Costs are 77 euros.")
    expect(desk.page.locator("#recheck ins").last).to_contain_text("77")
    expect(desk.page.locator("#recheck .m").filter(has_text="77")).to_be_visible()
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.shoot("editing")
    desk.check()
    again = open_desk()
    expect(again.page.locator("#text")).to_have_value(re.compile("77 euros"))
    again.settle()
    again.page.locator("#text").press("Control+Enter")
    again.sees("Question 2")
    assert Decision.objects.get().kind == "accept_edited"


def test_an_editor_in_which_nothing_was_typed_closes_again(three, open_desk):
    desk = open_desk().start()
    for leave in (
        lambda: desk.page.keyboard.press("Escape"),
        lambda: desk.page.locator("[data-open=editor]").click(),
    ):
        desk.press("e")
        expect(desk.page.locator("#text")).to_be_focused()
        leave()
        expect(desk.page.locator("#text")).to_be_hidden()
        expect(desk.page.locator("#diff")).to_be_visible()
    desk.press("e")
    desk.page.keyboard.type(" Costs are 77 euros.")
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("#text")).to_be_visible()
    expect(desk.page.locator("#text")).to_have_value(re.compile("77 euros"))


#: What the toast lies over: of the question, of what stands under it, and of the controls of the page.
COVERED = """() => {
  const toast = document.querySelector('.toast').getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('#q'));
  const boxes = [...range.getClientRects()].map(box => ['question', box]);
  for (const one of document.querySelectorAll('.facts > *, main button, main input, main summary, .bar-state *'))
    boxes.push([one.outerHTML.slice(0, 80), one.getBoundingClientRect()]);
  return boxes.filter(([, b]) => b.width && b.left < toast.right && b.right > toast.left
    && b.top < toast.bottom && b.bottom > toast.top).map(([name]) => name);
}"""
QUESTIONS = {
    "short": "How long?",
    "long": "How long may I keep an article that I have bought in one of your shops and do not like after all? " * 2,
    "short, from the right": "كم يومًا لدي؟",
    "long, from the right": "كم يومًا لدي لإرجاع بضاعة اشتريتها من أحد متاجركم ولم تعجبني بعد أن جربتها في البيت؟ " * 2,
}


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_toast_covers_neither_the_question_nor_a_control(question, size, queue, open_desk):
    make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")], probability=0.9, question="First")
    make_item(
        queue, "You have 30 days in all.", [Fault("30 days", "14 days", "14 days")], probability=0.6,
        question=QUESTIONS[question],
    )  # fmt: skip
    desk = open_desk(size=size).start()
    desk.page.locator("[data-act=accept_healed]").click()
    expect(desk.page.locator("#q")).to_contain_text(QUESTIONS[question].strip())
    expect(desk.page.locator(".toast")).to_contain_text("Healed answer accepted.")
    assert desk.page.evaluate(COVERED) == []
    desk.page.locator("[data-act=undo]").click(timeout=5_000)
    desk.sees("First")


def test_a_toast_that_is_in_the_way_goes_when_it_is_touched(three, open_desk):
    desk = open_desk(size="narrow").start()
    desk.page.locator("[data-act=keep]").click()
    desk.sees("Question 2")
    desk.page.locator(".toast span").click()
    expect(desk.page.locator(".toast")).to_have_count(0)
    assert Decision.objects.get().undone_at is None


def test_enter_in_the_reason_decides_nothing(three, open_desk):
    desk = open_desk().start()
    desk.page.fill(".reason", "too old")
    desk.page.press(".reason", "Enter")
    desk.page.wait_for_timeout(300)
    assert not Decision.objects.exists()
    expect(desk.page.locator('[data-act="reject"]')).to_be_focused()
    desk.press("r")
    desk.sees("Question 2")
    assert Decision.objects.get().reason == "too old"


def test_keeping_against_ones_own_verdict_asks_once(three, open_desk):
    desk = open_desk().start()
    desk.press("j", "u")
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.press("o")
    expect(desk.page.get_by_role("alert")).to_contain_text("all the same")
    desk.settle()
    desk.check()
    desk.press("o")
    desk.sees("Question 2")
    assert Decision.objects.get().kind == "keep"


def test_a_missed_mark_is_added_by_words(three, open_desk):
    desk = open_desk().start()
    desk.page.locator("#proof [data-t]", has_text="return").dblclick()
    expect(desk.page.locator("#add-mark")).to_be_visible()
    desk.press("m")
    expect(desk.page.locator(".receipt.own")).to_contain_text("return")
    desk.settle()
    desk.press("a")
    desk.sees("Question 2")
    assert [mark["text"] for mark in Decision.objects.get().added_marks] == ["return"]


def test_a_missed_mark_is_added_by_keys_alone(three, open_desk):
    desk = open_desk().start()
    desk.press("w", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "m")
    expect(desk.page.locator(".receipt.own h3")).to_contain_text("1: you")
    assert Draft.objects.get().added_marks == [{"start": 7, "end": 13, "text": "1: you"}]


def test_the_word_cursor_goes_up_and_down_by_lines(queue, open_desk):
    make_item(queue, " ".join(f"word{n:03}" for n in range(120)), question="Long")
    desk = open_desk().start()
    desk.press("w", "ArrowRight", "ArrowDown", "ArrowDown")
    under = desk.page.locator("#proof .word-cursor")
    expect(under).to_have_count(1)
    first, second, third = (desk.page.locator("#proof [data-t]").nth(n).bounding_box() for n in (0, 1, 2))
    box = under.bounding_box()
    assert box["y"] > first["y"] + first["height"]
    assert abs(box["x"] - second["x"]) < third["x"] - second["x"]
    desk.press("Shift+ArrowUp")
    assert under.count() > 3
    desk.press("ArrowUp", "ArrowUp")
    assert abs(under.bounding_box()["y"] - first["y"]) < 2


def test_shortcuts_can_be_switched_off_and_remapped(three, open_desk):
    desk = open_desk()
    page = desk.page
    page.goto(f"{desk.base}/accounts/profile/")
    desk.check()
    desk.shoot("profile")
    page.fill("#id_key_accept_healed", "y")
    page.get_by_role("button", name="Save").click()
    page.goto(f"{desk.base}/")
    desk.start()
    desk.press("a")
    page.wait_for_timeout(300)
    assert not Decision.objects.exists()
    desk.press("y")
    desk.sees("Question 2")
    page.goto(f"{desk.base}/accounts/profile/")
    page.uncheck("#id_shortcuts_on")
    page.get_by_role("button", name="Save").click()
    page.goto(f"{desk.base}/")
    desk.settle()
    desk.press("y")
    page.wait_for_timeout(300)
    assert Decision.objects.count() == 1


def test_the_help_shows_the_keys(three, open_desk):
    desk = open_desk().start()
    desk.press("?")
    expect(desk.page.locator("dialog#help")).to_be_visible()
    desk.check()
    desk.shoot("help")
    desk.press("a")
    desk.page.wait_for_timeout(200)
    assert not Decision.objects.exists()
    desk.press("Escape")
    expect(desk.page.locator("dialog#help")).to_be_hidden()


def test_a_failing_request_keeps_the_work_and_says_so(three, open_desk):
    desk = open_desk().intercept("**/decide/", lambda route: route.abort()).start()
    desk.press("e")
    desk.page.fill("#text", "Words on a bad line.")
    desk.page.get_by_role("button", name="Accept my wording").click()
    expect(desk.page.locator("#toasts")).to_contain_text("stays on this page")
    expect(desk.page.locator("#text")).to_have_value("Words on a bad line.")
    desk.page.unroute("**/decide/")
    desk.page.get_by_role("button", name="Accept my wording").click()
    desk.sees("Question 2")


@pytest.mark.parametrize("trouble", ["offline", 500, 429, 403, 413])
def test_a_decision_that_could_not_be_sent_brings_the_answer_back_as_it_was(trouble, three, open_desk):
    """The next answer is on the screen before the server has said anything; it must not stay there."""
    desk = open_desk()
    desk.intercept("**/decide/", lambda route: route.abort() if trouble == "offline" else route.fulfill(status=trouble))
    desk.start()
    desk.press("e")
    desk.page.fill("#text", "An hour of work.")
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.ahead()
    desk.page.locator("#text").press("Control+Enter")
    expect(desk.page.locator("#toasts")).to_contain_text("our work stays on this page")
    expect(desk.page.locator("#q")).to_contain_text("Question 1")
    expect(desk.page.locator("#text")).to_have_value("An hour of work.")
    assert Decision.objects.count() == 0
    desk.page.unroute("**/decide/")
    desk.settle()
    desk.page.locator("#text").press("Control+Enter")
    desk.sees("Question 2")
    assert Decision.objects.get().final_text == "An hour of work."


def test_the_next_answer_is_on_the_screen_before_the_server_has_answered(three, open_desk):
    held = []
    desk = open_desk().intercept("**/decide/", lambda route: held.append(route)).start()
    desk.ahead()
    desk.press("a")
    desk.sees("Question 2")
    assert not Decision.objects.exists()
    desk.press("j", "s")  # waits for the answer to be held
    desk.press("o")
    desk.page.wait_for_timeout(300)
    assert not Decision.objects.exists()
    held[0].continue_()
    desk.page.unroute("**/decide/")
    desk.sees("Question 3")
    kinds = list(Decision.objects.order_by("decided_at").values_list("kind", flat=True))
    assert kinds[0] == "accept_healed"


def test_a_colleague_who_was_faster_gets_the_answer_and_the_one_after_it_comes(three, queue, open_desk):
    desk = open_desk().start()
    desk.ahead()
    colleague = open_desk("colleague")
    services.claim_item(item=three[1], reviewer=_user("colleague"), now=timezone.now())
    desk.press("a")
    desk.sees("Question 3")
    assert str(three[2].pk) in desk.page.url
    colleague.page.close()


def test_somebody_logged_out_meanwhile_logs_in_elsewhere_and_goes_on(three, open_desk):
    desk = open_desk().start()
    desk.press("e")
    desk.page.fill("#text", "An hour of work.")
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.page.context.clear_cookies(name="proofmark_session")
    desk.page.locator("#text").press("Control+Enter")
    expect(desk.page.locator("#toasts")).to_contain_text("Log in again")
    expect(desk.page.locator("#text")).to_have_value("An hour of work.")
    with desk.page.context.expect_page() as opened:
        desk.page.locator("#toasts a").click()
    other = opened.value
    other.fill("#id_username", "reviewer")
    other.fill("#id_password", "a-long-pass-phrase")
    other.press("#id_password", "Enter")
    expect(other.get_by_role("button", name="Log out")).to_be_visible()
    other.close()
    desk.page.bring_to_front()
    desk.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(desk.page.locator("#toasts .toast")).to_have_count(0)
    desk.page.locator("#text").press("Control+Enter")
    desk.sees("Question 2")
    assert Decision.objects.get().final_text == "An hour of work."


def test_a_reason_by_keys_alone_and_there_again_after_an_undo(three, open_desk):
    desk = open_desk().start()
    desk.press("c")
    desk.page.keyboard.type("The list is from last year")
    desk.press("Enter")
    expect(desk.page.locator('[data-act="reject"]')).to_be_focused()
    desk.press("Enter")
    desk.sees("Question 2")
    assert Decision.objects.get().reason == "The list is from last year"
    desk.press("z")
    desk.sees("Question 1")
    expect(desk.page.locator(".reason")).to_have_value("The list is from last year")


def test_an_answer_put_back_waits_for_others_too(three, open_desk):
    desk = open_desk().start()
    desk.press("j", "s")
    expect(desk.page.locator("#saved")).to_contain_text("saved")
    desk.page.get_by_role("button", name="put back").click()
    expect(desk.page.locator("h1")).to_have_text("Your desk")
    expect(desk.page.locator("#toasts")).to_contain_text("Put back")
    assert not Item.objects.filter(state="claimed").exists()
    assert Draft.objects.get().verdicts == {"0": "supported"}


def test_two_people_decide_one_answer_and_see_each_other_afterwards(queue, open_desk):
    queue.slots = 2
    queue.save()
    item = make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")], question="Both of us")
    one, other = open_desk("reviewer").start(), open_desk("colleague")
    one.press("r")
    expect(one.page.locator("h1")).to_contain_text("nothing left for you")
    other.page.reload()
    other.start()
    other.sees("Both of us")
    expect(other.page.locator("main")).not_to_contain_text("reviewer")
    other.press("o")
    expect(other.page.locator("h1")).to_contain_text("nothing left for you")
    one.page.goto(f"{one.base}/items/{item.pk}/")
    expect(one.page.locator(".decided li")).to_have_count(2)
    expect(one.page.locator("main")).to_contain_text("They disagree")
    one.check()


def test_without_a_script_one_can_read_and_decide(three, open_desk):
    desk = open_desk(scripts=False)
    page = desk.page
    page.get_by_role("button", name="Start reviewing").click()
    expect(page.locator("#q")).to_contain_text("Question 1")
    page.locator("#m1").click()
    assert page.url.endswith("#r1")
    page.locator("#r1 [data-verdict=unsupported]").click()
    expect(page.locator("#r1 [data-verdict=unsupported]")).to_have_attribute("aria-pressed", "true")
    page.locator(".edit input").nth(1).uncheck()
    page.get_by_role("button", name="Accept healed").click()
    expect(page.locator("#q")).to_contain_text("Question 2")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("#q")).to_contain_text("Question 1")
    assert Decision.objects.get().switched_off == [1]


def test_an_audit_item_shows_the_marks_after_ones_own(queue, open_desk):
    make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")], question="Audit")
    Item.objects.update(audit=True)
    desk = open_desk().start()
    expect(desk.page.locator("#proof .m")).to_have_count(0)
    desk.check()
    desk.shoot("audit")
    desk.page.locator("#proof [data-t]", has_text="days").dblclick()
    desk.press("m")
    expect(desk.page.locator(".receipt.own")).to_be_visible()
    desk.settle()
    desk.press("a")
    expect(desk.page.locator("#proof .m[id]")).to_have_count(1)
    desk.settle()
    desk.press("a")
    expect(desk.page.locator("h1")).to_contain_text("nothing left")
    decision = Decision.objects.get()
    assert decision.marks_hidden_first
    assert [mark["text"] for mark in decision.added_marks] == ["days"]


def test_the_theme_switch_is_remembered(three, open_desk):
    desk = open_desk()
    desk.page.get_by_role("button", name="Switch between light and dark").click()
    expect(desk.page.locator("html")).to_have_attribute("data-theme", "dark")
    desk.page.wait_for_timeout(300)
    desk.page.reload()
    expect(desk.page.locator("html")).to_have_attribute("data-theme", "dark")
