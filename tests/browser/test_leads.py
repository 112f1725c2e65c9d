"""The pages of those who lead, as they look and as they are used: both themes, both widths, and nothing sticks out."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.conftest import SIZES
from tests.webapp.review.builders import Fault, make_item, make_queue, make_user
from webapp.accounts.members import invite
from webapp.accounts.models import User
from webapp.accounts.services import create_token
from webapp.review import services
from webapp.review.models import Item, Queue
from webapp.review.services.gold import set_gold
from webapp.review.services.queues import set_guidelines

GUIDELINES = """## Figures

Mark **every** figure that no source gives.

- also dates
- also percentages

> In doubt: flag it.
"""


@pytest.fixture
def busy(queue):
    """A project in use: two decisions an answer, people who differ, something flagged, skipped, settled."""
    Queue.objects.filter(pk=queue.pk).update(slots=2)
    queue.refresh_from_db()
    lead = make_user("boss", queue.project, role="lead")
    people = [make_user(name, queue.project) for name in ("ana", "ben")]
    now = timezone.now()
    set_guidelines(queue=queue, text=GUIDELINES, version=1, actor=lead, now=now)
    items = [
        make_item(
            queue, f"Answer {n}: you have 30 days to return it. Refunds take 9 days.",
            [Fault("30 days", "14 days", "14 days"), Fault("9 days", "5 days", "5 days", support=0.3)],
            sources=[("policy.md#1", "Articles may come back within 14 days."), ("p.md#2", "Refunds take 5 days.")],
            question=f"Question {n}: how long may I keep it?", probability=0.95 - n / 20,
        )
        for n in range(8)
    ]  # fmt: skip

    def say(item, who, kind, verdicts=(), reason=""):
        claim = services.claim_item(item=Item.objects.get(pk=item.pk), reviewer=who, now=now)
        for index, verdict in verdicts:
            services.set_verdict(claim=claim, mark_index=index, verdict=verdict, now=now)
        choice = services.Choice(kind=kind, request_key=f"{item.pk}{who.pk}{kind}", reason=reason, confirmed=True)
        services.decide(claim=claim, choice=choice, now=now)

    for item, kinds in zip(items, (("keep", "reject"), ("reject", "accept_healed"), ("keep", "keep")), strict=False):
        for who, kind in zip(people, kinds, strict=True):
            verdict = "supported" if kind == "keep" else "unsupported"
            say(item, who, kind, [(0, verdict)])
    say(items[3], people[0], "flag", reason="The policy was changed in May; which one counts?")
    say(items[4], people[0], "skip", reason="Not my subject")
    set_gold(item=items[1], kind="reject", actor=lead, now=now, reason="14 days stands in the policy.")
    invite(project=queue.project, role="reviewer", actor=lead, now=now, note="Dora, from support")
    create_token(project=queue.project, name="Shop bot", scopes=["read", "write"], created_by=lead)
    make_queue("Second look")
    return items


PAGES = {
    "projects": "accounts/projects/",
    "project-new": "accounts/projects/new/",
    "project": "accounts/projects/shop/",
    "members": "accounts/projects/shop/members/",
    "tokens": "accounts/projects/shop/tokens/",
    "queues": "queues/",
    "queue-new": "queues/new/",
    "queue": "queues/{queue}/",
    "queue-settings": "queues/{queue}/settings/",
    "guidelines": "queues/{queue}/guidelines/",
    "answers-lead": "answers/?q=Answer",
    "changes": "answers/changes/",
    "aside": "aside/",
    "disagreements": "disagreements/",
    "settle": "items/{item}/settle/",
    "gold": "gold/",
    "progress": "insights/reviewers/",
    "agreement": "insights/agreement/",
}


@pytest.mark.parametrize("page", PAGES)
def test_leads_pages_read_well(page, busy, queue, open_desk):
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/{PAGES[page].format(queue=queue.pk, item=busy[0].pk)}")
    expect(desk.page.locator("h1")).to_be_visible()
    assert desk.page.title().endswith("· Proofmark")
    desk.check()
    desk.shoot(page)
    for width in (390, 360):
        desk.page.set_viewport_size({"width": width, "height": 844})
        desk.page.wait_for_timeout(100)
        desk.fits()
        scrolls = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.ariaLabel)"
        assert desk.page.locator(".table, .code").evaluate_all(scrolls) == []
    assert desk.troubles == []


def test_a_lead_puts_answers_into_a_queue_sees_first_what_happens_and_takes_it_back(busy, queue, open_desk):
    desk = open_desk("lead", role="lead")
    page = desk.page
    page.goto(f"{desk.base}/answers/?q=Question+5")
    page.select_option("#bulk-action", "queue")
    page.get_by_role("button", name="to all that fit the filter").click()
    page.select_option("#id_queue", label="Second look")
    page.get_by_role("button", name="Show what would happen").click()
    expect(page.get_by_text("This puts 1 answer into Second look.")).to_be_visible()
    desk.check()
    desk.shoot("bulk-preview")
    page.get_by_role("button", name="Do it to 1 answer").click()
    expect(page.get_by_text("Done: 1 changed.")).to_be_visible()
    assert Item.objects.filter(queue__name="Second look").count() == 1
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Taken back: 1 of 1.")).to_be_visible()
    assert not Item.objects.filter(queue__name="Second look").exists()


def test_a_lead_settles_a_disagreement(busy, open_desk):
    desk = open_desk("lead", role="lead")
    page = desk.page
    page.goto(f"{desk.base}/disagreements/")
    page.get_by_role("link", name="Answer 0").click()
    page.get_by_label("Take over what ben decided").check()
    page.get_by_label("Why").fill("The policy says 14 days.")
    page.get_by_role("button", name="Settle it").click()
    expect(page.get_by_text("Settled. Calibration")).to_be_visible()
    expect(page.get_by_role("link", name="Answer 0")).to_have_count(0)


def test_an_invited_person_comes_in_by_the_link(busy, open_desk, browser):
    desk = open_desk("lead", role="admin")
    page = desk.page
    page.goto(f"{desk.base}/accounts/projects/shop/members/")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link").text_content()
    desk.check()
    desk.shoot("members-link")
    fresh = browser.new_context(viewport=SIZES["narrow"]).new_page()
    fresh.goto(link)
    fresh.fill("#id_username", "dora")
    fresh.fill("#id_password", "four random words here")
    fresh.fill("#id_again", "four random words here")
    fresh.get_by_role("button", name="Make an account and join").click()
    expect(fresh.get_by_role("heading", name="Your desk")).to_be_visible()
    assert User.objects.get(username="dora").memberships.get().role == "reviewer"
    fresh.context.close()


def test_everything_works_without_a_script(busy, queue, open_desk):
    desk = open_desk("lead", role="lead", scripts=False)
    page = desk.page
    page.goto(f"{desk.base}/queues/{queue.pk}/")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("paused").first).to_be_visible()
    page.goto(f"{desk.base}/queues/{queue.pk}/guidelines/")
    page.fill("#id_text", "Be *kind*.")
    page.get_by_role("button", name="Show how it reads").click()
    expect(page.locator(".markdown em").first).to_have_text("kind")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_role("heading", name="In force: version 3")).to_be_visible()
