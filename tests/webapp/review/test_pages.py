"""The desk's pages and forms as a browser without a script meets them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.webapp.review.builders import Fault, make_item, make_queue, make_user
from tests.webapp.review.conftest import ANSWER
from webapp.accounts.shortcuts import ACTIONS, keys_of
from webapp.records.models import Project, Source
from webapp.review import selectors, services
from webapp.review.models import Decision, Draft, Event, Item, Queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk_of(client_of, queue):
    """Logs a reviewer in and lets them take the next item; gives the client and the item's address."""

    def start(user):
        client = client_of(user)
        answer = client.post(reverse("review:next", args=[queue.pk]))
        return client, answer.url

    return start


def decide(client, url, kind, **more):
    return client.post(f"{url}decide/", {"kind": kind, "request_key": "k1", "edits": "0 1", "on": ["0", "1"], **more})


def test_the_page_shows_question_marks_receipts_sources_and_healed_text(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    html = client.get(url).content.decode()
    assert "How long may I keep it?" in html
    assert html.count('class="m w3"') == 2
    assert html.count('class="receipt w3"') == 2
    assert 'class="ev"' in html
    assert "<del>30 days</del><ins>14 days</ins>" in html


def test_the_checks_say_risk_triggers_route_and_what_the_score_is_made_of(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    panel = client.get(url).text.partition("<summary>checks</summary>")[2].partition("</details>")[0]
    words = " ".join(re.sub(r"<[^>]+>", " ", panel).split())
    assert words.startswith(
        "Risk high → low when healed Triggered contradiction Route serve as it is Score 0.50 → 0.95"
    )
    assert "claims backed 1.00 × 0.40 no contradiction 0.00 × 0.30 fitting wording 0.25 × 0.20" in words
    assert "taken off for drift" not in words


def test_deciding_without_a_script_leads_to_the_next_item(item, queue, reviewer, desk_of):
    other = make_item(queue, "Another answer.", probability=0.1)
    client, url = desk_of(reviewer)
    answer = decide(client, url, "accept_healed")
    assert answer.url == reverse("review:item", args=[other.pk])
    assert Decision.objects.get().final_text == "You have 14 days to return it. Refunds take 5 days."


def test_an_edit_without_its_tick_is_switched_off(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    decide(client, url, "accept_healed", on=["1"])
    assert Decision.objects.get().final_text == "You have 30 days to return it. Refunds take 5 days."


def test_a_double_click_decides_once_and_shows_the_next_item_twice(item, queue, reviewer, desk_of):
    other = make_item(queue, "Another answer.", probability=0.1)
    client, url = desk_of(reviewer)
    first, second = decide(client, url, "accept_healed"), decide(client, url, "accept_healed")
    assert first.url == second.url == reverse("review:item", args=[other.pk])
    assert Decision.objects.count() == 1


def test_undo_leads_back_to_the_item(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    decide(client, url, "reject")
    start = client.get(reverse("desk")).content.decode()
    undo = reverse("review:undo", args=[Decision.objects.get().pk])
    assert undo in start
    assert client.post(undo).url == url


def test_a_lapsed_claim_is_handed_on_and_the_late_work_is_kept(item, queue, reviewer, colleague, desk_of):
    client, url = desk_of(reviewer)
    late = timezone.now() + queue.lease + timedelta(seconds=1)
    services.claim_next_item(queue=queue, reviewer=colleague, now=late)
    answer = decide(client, url, "accept_edited", text="My words.\r\nTwo lines.")
    assert answer.status_code == 409
    assert "your edits are kept" in answer.content.decode()
    assert "My words." in answer.content.decode()
    assert Draft.objects.get().text == "My words.\nTwo lines."
    assert not Decision.objects.exists()


def test_keeping_against_ones_verdict_asks(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    client.post(f"{url}verdict/", {"mark": 0, "verdict": "unsupported"})
    asked = decide(client, url, "keep")
    assert asked.status_code == 422
    assert "all the same" in asked.content.decode()
    decide(client, url, "keep", confirmed="1")
    assert Decision.objects.get().kind == "keep"


def test_an_empty_edit_is_sent_back_with_its_reason(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    answer = decide(client, url, "accept_edited", text="  ")
    assert answer.status_code == 422
    assert "needs some words" in answer.content.decode()


def test_answers_and_sources_are_escaped(queue, reviewer, desk_of):
    nasty = '<script>alert(1)</script> & "quoted" 30 days <b onclick=x>'
    make_item(queue, nasty, [Fault("30 days", "<i>14</i> days", "<u>14</u>")], sources=[("s<1>", "a <u>14</u> b")])
    client, url = desk_of(reviewer)
    html = client.get(url).content.decode()
    for raw in ("<script>alert", "<b onclick", "<u>14", "<i>14", "s<1>"):
        assert raw not in html
    assert "&lt;u&gt;14&lt;/u&gt;" in html


def test_an_audit_item_hides_what_the_machine_thinks_until_the_reviewer_has_marked(queue, reviewer, desk_of):
    item = make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")])
    Item.objects.update(audit=True)
    client, url = desk_of(reviewer)
    before = client.get(url).content.decode()
    for telling in ('class="m ', "<ins>", 'class="ev', "priority 0", "Accept healed"):
        assert telling not in before
    client.post(f"{url}reveal/")
    assert 'class="m w3"' in client.get(url).content.decode()
    assert Draft.objects.get(item=item).revealed_at is not None


def test_an_item_in_a_colleagues_hands_can_be_read_but_not_decided(item, reviewer, colleague, desk_of, client_of):
    _, url = desk_of(reviewer)
    page = client_of(colleague).get(url)
    assert "reviewer holds this answer" in page.content.decode()
    assert decide(client_of(colleague), url, "reject").status_code == 404


def test_a_lead_may_undo_a_reviewers_decision_and_a_colleague_may_not(
    item, reviewer, colleague, lead, desk_of, client_of
):
    client, url = desk_of(reviewer)
    decide(client, url, "reject")
    undo = reverse("review:undo", args=[Decision.objects.get().pk])
    assert client_of(colleague).post(undo).status_code == 404
    assert client_of(lead).post(undo).url == url


PLACES = (
    "item", "ahead", "claim", "renew", "release", "decide", "verdict", "choose", "draft", "recheck", "add_mark",
    "reveal", "newer",
)  # fmt: skip
READING = PLACES[:2]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("outsider", ["anonymous", "other project", "service account"])
def test_it_is_closed_to(outsider, place, item, queue, client_of):
    user = None
    if outsider == "other project":
        user = make_user("stranger", Project.objects.create(name="Other", slug="other"))
    elif outsider == "service account":
        user = make_user("robot", queue.project, role="service")
    client, url = client_of(user), reverse(f"review:{place}", args=[item.pk])
    answer = client.get(url) if place in READING else client.post(url)
    assert answer.status_code == (302 if outsider == "anonymous" else 404)


@pytest.mark.parametrize("place", PLACES[len(READING) :])
def test_changes_are_posts(place, item, reviewer, client_of):
    assert client_of(reviewer).get(reverse(f"review:{place}", args=[item.pk])).status_code == 405


def test_the_desk_leads_back_to_the_item_in_hand(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    assert client.get(reverse("desk")).url == url


def test_an_empty_project_offers_first_steps_and_commands_only_to_those_who_lead(queue, reviewer, lead, client_of):
    pages = {user: client_of(user).get(reverse("desk")).content.decode() for user in (reviewer, lead)}
    assert all("Nothing to proofread yet" in html for html in pages.values())
    assert "/api/v1/answers" in pages[lead]
    assert "manage.py" not in pages[reviewer]
    assert "curl" not in pages[reviewer]
    assert reverse("accounts:profile") in pages[reviewer]


def test_queues_with_work_come_first_and_one_key_starts(queue, item, reviewer, client_of):
    Queue.objects.create(project=queue.project, name="A finished one")
    html = client_of(reviewer).get(reverse("desk")).content.decode()
    assert html.index(queue.name) < html.index("A finished one")
    assert html.count("autofocus>Start reviewing") == 1


def test_a_form_with_a_stale_token_shows_what_was_written_and_the_way_back(item, reviewer, queue):
    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer)
    url = reverse("review:decide", args=[item.pk])
    typed = {"kind": "accept_edited", "text": "You have 14 days <b>now</b>.", "password": "a b c"}
    answer = client.post(url, typed, headers={"Referer": f"http://testserver/items/{item.pk}/?x=1"})
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "This could not be sent" in html
    assert "You have 14 days &lt;b&gt;now&lt;/b&gt;." in html
    assert "a b c" not in html
    assert f'href="/items/{item.pk}/?x=1"' in html
    away = client.post(url, typed, headers={"Referer": "http://elsewhere.example/items/"}).content.decode()
    assert "Back to the page" not in away
    assert "elsewhere" not in away


def test_a_receipt_holds_its_evidence_whole(queue, reviewer, desk_of):
    long = "Articles may come back within 14 days " + "and so on " * 40 + "to the very end."
    make_item(queue, ANSWER, [Fault("30 days", "14 days", long)], sources=[("policy.md#1", long)])
    client, url = desk_of(reviewer)
    html = client.get(url).content.decode()
    assert long in html.partition('id="margin"')[2].partition('class="sources"')[0]


def test_when_nothing_is_left_the_page_says_so_and_offers_undo(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    answer = client.post(
        f"{url}decide/", {"kind": "keep", "request_key": "k"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "nothing left for you" in answer
    assert "Original kept." in answer
    assert "hx-swap-oob" in answer


def test_an_htmx_step_answers_with_the_next_item_the_bar_and_the_toast(item, queue, reviewer, desk_of):
    other = make_item(queue, "Another answer.", probability=0.1)
    client, url = desk_of(reviewer)
    answer = client.post(f"{url}decide/", {"kind": "reject", "request_key": "k"}, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert answer["HX-Push-Url"] == reverse("review:item", args=[other.pk])
    assert html.count("<main") == 1
    assert "<html" not in html
    assert "Answer rejected." in html
    assert "1 / 2" in html


def test_nothing_of_a_page_needs_inline_script_or_style(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    page = client.get(url)
    html = page.content.decode()
    assert "style=" not in html
    assert "onclick" not in html
    assert "unsafe" not in page["Content-Security-Policy"]


@pytest.mark.parametrize("size", [1, 12])
def test_the_item_page_takes_the_same_number_of_queries_whatever_is_in_it(
    size, queue, reviewer, desk_of, django_assert_num_queries
):
    words = " ".join(f"takes {n} days and" for n in range(10, 10 + size))
    faults = [Fault(f"{n} days", "1 day", "1 day") for n in range(10, 10 + size)]
    make_item(queue, words, faults, sources=[(f"s{n}", f"It takes 1 day. {n}") for n in range(size)])
    client, url = desk_of(reviewer)
    with django_assert_num_queries(10):
        client.get(url)


def test_queue_list_query_count_does_not_grow(queue, reviewer, client_of, django_assert_num_queries):
    for number in range(5):
        make_item(make_queue(f"Queue {number}"), f"Answer {number}.")
    client = client_of(reviewer)
    with django_assert_num_queries(8):  # and which projects the reader leads, for what they may change
        client.get(reverse("review:queues"))


def test_a_script_of_somebody_logged_out_is_told_so_and_gets_no_page_in_place_of_the_work(item, client_of):
    url = reverse("review:decide", args=[item.pk])
    answer = client_of(None).post(url, {"kind": "keep"}, headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert answer.content == b""


def test_a_program_in_the_project_takes_nobodys_queue_away(item, queue, reviewer, client_of, api):
    """`api` brings a token and with it a service account, which is a member like the reviewers."""
    page = client_of(reviewer).get(reverse("desk")).content.decode()
    assert queue.name in page
    assert client_of(reviewer).post(reverse("review:next", args=[queue.pk])).url.endswith(f"{item.pk}/")


def test_every_people_role_sees_the_queue_and_a_service_account_does_not(item, queue, outsiders):
    roles = ("reviewer", "lead", "admin")
    for role in roles:
        assert list(selectors.queues_for(make_user(f"{role}-of-it", queue.project, role))) == [queue]
    for name in ("other_project", "no_role", "service"):
        assert list(selectors.queues_for(outsiders[name])) == []


def test_undo_goes_back_step_by_step_across_items(queue, reviewer, desk_of):
    items = [make_item(queue, f"Answer number {n}.", probability=1 - n / 10) for n in range(4)]
    client, _ = desk_of(reviewer)
    urls = [reverse("review:item", args=[item.pk]) for item in items]
    for url in urls[:3]:
        decide(client, url, "keep", request_key=url)
    for url in reversed(urls[:3]):
        undo = re.search(r"/[^\"]*undo/", client.get(urls[3]).content.decode()).group()
        assert client.post(undo).url == url
    assert "undo/" not in client.get(urls[3]).content.decode()
    assert not Decision.objects.filter(undone_at=None).exists()


def test_a_step_that_cannot_be_taken_back_does_not_bar_those_before_it(queue, reviewer, colleague, desk_of, now):
    items = [make_item(queue, f"Answer number {n}.", probability=1 - n / 10) for n in range(2)]
    client, _ = desk_of(reviewer)
    for item in items:
        decide(client, reverse("review:item", args=[item.pk]), "skip", request_key=str(item.pk))
    services.claim_item(item=items[1], reviewer=colleague, now=timezone.now())
    undo = re.search(r"/[^\"]*undo/", client.get(reverse("desk")).content.decode()).group()
    refused = client.post(undo)
    assert refused.status_code == 409
    assert client.post(re.findall(r"/decisions/[^\"]*undo/", refused.content.decode())[-1]).url.endswith(
        f"{items[0].pk}/"
    )


def test_the_toast_tells_once_and_undo_stays(item, queue, reviewer, desk_of):
    other = make_item(queue, "Another answer.", probability=0.1)
    client, url = desk_of(reviewer)
    decide(client, url, "reject")
    pages = [client.get(reverse("review:item", args=[other.pk])).content.decode() for _ in range(2)]
    assert ['class="toast"' in page for page in pages] == [True, False]
    assert all("/undo/" in page for page in pages)


@pytest.mark.parametrize(("kind", "more"), [("keep", {}), ("accept_edited", {"text": "Mine.", "wording_only": "1"})])
def test_calling_right_what_one_marked_asks_first(kind, more, item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    client.post(f"{url}marks/", {"first": 0, "last": 1})
    asked = decide(client, url, kind, **more)
    assert asked.status_code == 422
    assert "called one place unsupported" in asked.content.decode()
    assert not Decision.objects.exists()
    decide(client, url, kind, confirmed="1", **more)
    decision = Decision.objects.get()
    assert (decision.kind, len(decision.added_marks)) == (kind, 1)


def test_an_answer_marked_by_oneself_can_be_rejected_and_healed_without_asking(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    client.post(f"{url}marks/", {"first": 0, "last": 1})
    decide(client, url, "accept_healed")
    assert Decision.objects.get().kind == "accept_healed"


def test_what_comes_late_writes_only_onto_its_own_item(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    late = client.post(f"{url}draft/", {"edits": "0 1", "on": ["1"]}, headers={"HX-Request": "true"}).content.decode()
    assert late.count(f"hx-swap-oob=\"outerHTML:[data-item='{item.pk}']") == 2
    assert f'data-item="{item.pk}"' in client.get(url).content.decode()


def test_another_tab_of_ones_own_does_not_speak_of_colleagues(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    decide(client, url, "accept_healed")
    late = decide(client, url, "reject", request_key="k2")
    assert late.status_code == 409
    assert "You have decided this answer already" in late.content.decode()
    assert "colleague" not in late.content.decode()
    assert Decision.objects.count() == 1


def test_a_sending_that_was_taken_back_is_not_made_again_by_a_reload(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    decide(client, url, "accept_healed")
    client.post(reverse("review:undo", args=[Decision.objects.get().pk]))
    again = decide(client, url, "accept_healed")
    assert again.status_code == 409
    assert "waits for a new one" in again.content.decode()
    assert not Decision.objects.filter(undone_at__isnull=True).exists()


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://example.org/a?b=1", True), ("HTTP://example.org", True), ("javascript:alert(1)", False),
        (" javascript:alert(1)", False), ("java\nscript:alert(1)", False), ("data:text/html,x", False),
        ("vbscript:x", False), ("file:///etc/hosts", False), ("//example.org", False), ("/a", False), ("", False),
        ("http:javascript:alert(1)", False), ("https:// ", False),
    ],
)  # fmt: skip
def test_only_addresses_of_the_web_become_links(item, reviewer, desk_of, url, linked):
    Source.objects.update(url=url)
    client, address = desk_of(reviewer)
    page = client.get(address).content.decode()
    assert ("open the page" in page) == linked
    assert "script:" not in page


def test_a_reason_is_there_again_after_an_undo(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    decide(client, url, "reject", reason="The price list is from last year.")
    client.post(reverse("review:undo", args=[Decision.objects.get().pk]))
    assert 'value="The price list is from last year."' in client.get(url).content.decode()


def test_a_reason_typed_is_kept_and_leaves_the_switches_alone(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    client.post(f"{url}draft/", {"edits": "0 1", "on": ["1"]})
    client.post(f"{url}draft/", {"reason": "out of date"}, headers={"HX-Request": "true"})
    draft = Draft.objects.get()
    assert (draft.reason, draft.switched_off) == ("out of date", [0])
    assert 'value="out of date"' in client.get(url).content.decode()


def test_an_answer_can_be_put_back_with_the_work_kept(item, reviewer, colleague, queue, desk_of):
    client, url = desk_of(reviewer)
    client.post(f"{url}verdict/", {"mark": 0, "verdict": "supported"})
    client.post(f"{url}release/", {"reason": "not my subject"})
    item.refresh_from_db()
    assert item.state == Item.State.WAITING
    assert Draft.objects.get().verdicts == {"0": "supported"}
    event = Event.objects.get(kind="item.put_back")
    assert (event.actor, event.data["reason"]) == (reviewer, "not my subject")
    assert services.claim_next_item(queue=queue, reviewer=colleague, now=timezone.now()).item == item


def test_who_was_logged_out_meanwhile_finds_the_typed_words_in_the_answer(item, client_of):
    url = reverse("review:decide", args=[item.pk])
    answer = client_of(None).post(url, {"kind": "accept_edited", "text": "An hour of <work>.", "reason": "old"})
    assert answer.status_code == 401
    assert "An hour of &lt;work&gt;." in answer.content.decode()
    assert not Decision.objects.exists()


def test_a_text_too_long_comes_back_with_its_reason(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    answer = decide(client, url, "accept_edited", text="word " * 90_000, reason="too long I know")
    assert answer.status_code == 422
    assert answer.content.decode().count("word word") > 40_000
    assert "too long I know" in answer.content.decode()


def test_a_request_too_large_to_read_says_so(item, reviewer, desk_of, settings):
    client, url = desk_of(reviewer)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    answer = decide(client, url, "accept_edited", text="word " * 1000)
    assert answer.status_code == 413
    assert "Too large" in answer.content.decode()


def test_answers_that_nobody_proofreads_are_mentioned_on_the_start_page(item, reviewer, client_of):
    item.answer.state, item.answer.heartbeat_at = "received", timezone.now() - timedelta(minutes=5)
    item.answer.save()
    page = client_of(reviewer).get(reverse("desk")).content.decode()
    assert "1 answer has waited for some minutes" in page
    assert "worker may be down" in page


def test_an_answer_of_a_hundred_thousand_characters_stays_a_page(queue, reviewer, desk_of):
    make_item(queue, "17 " * 33_000, probability=0.9)
    client, url = desk_of(reviewer)
    assert len(client.get(url).content) < 700_000


def test_an_answer_proofread_again_meanwhile_offers_the_new_reading(item, reviewer, desk_of):
    client, url = desk_of(reviewer)
    assert "proofread again since" not in client.get(url).content.decode()
    newer = item.inspection
    newer.pk, newer.version = None, 2
    newer.save()
    client.post(f"{url}verdict/", {"mark": 0, "verdict": "supported"})
    assert "proofread again since" in client.get(url).content.decode()
    client.post(f"{url}newer/")
    item.refresh_from_db()
    assert item.inspection_id == newer.pk
    assert "proofread again since" not in client.get(url).content.decode()


def test_no_key_does_two_things_whatever_a_reviewer_chose():
    assert len(set(keys_of({}).values())) == len(ACTIONS)
    keys = keys_of({"keys": {"skip": "x", "flag": "t", "gone": "q"}})
    assert (keys["skip"], keys["flag"]) == ("x", "t")
    assert len(set(keys.values())) == len(ACTIONS)
