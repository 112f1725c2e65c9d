"""The answers page for leads: filters, orders, and one step over many answers, shown before it is done."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.webapp.conftest import NOW, line_of, person
from webapp.records import selectors
from webapp.review import services as review
from webapp.review.models import BulkChange, Decision, Item, Queue

BULK = "/answers/bulk/"


@pytest.fixture
def three(proofread):
    texts = ("You have 30 days to return it.", "You have 14 days to return it.", "It is free.")
    return [
        proofread(line_of(text, task=task), minutes=n) for n, (text, task) in enumerate(zip(texts, "aab", strict=True))
    ]


def item_of(inspection):
    return Item.objects.get(answer=inspection.answer_id)


def hidden_fields(page):
    """What the form of a preview sends on."""
    form = page.text.partition('<form class="stack"')[2].partition("</form>")[0]
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?', form):
        if name != "csrfmiddlewaretoken":
            fields.setdefault(name, []).append(value)
    return fields


@pytest.mark.parametrize(
    ("names", "offered"), [((), ["Support bot"]), (("Urgent",), ["choose one", "Support bot", "Urgent"])]
)
def test_the_only_queue_there_is_need_not_be_chosen(names, offered, three, project, lead, client_of):
    for name in names:
        Queue.objects.create(project=project, name=name)
    page = client_of(lead).post(BULK, {"action": "queue", "everything": "1"})
    choice = page.text.partition('id="id_queue"')[2].partition("</select>")[0]
    assert re.findall(r"<option[^>]*>([^<]*)<", choice) == offered


def test_reviewers_find_no_bulk_step_and_may_take_none(three, reviewer, client_of):
    assert "to all answers" not in client_of(reviewer).get("/answers/").text
    assert client_of(reviewer).post(BULK, {"action": "flag", "everything": "1"}).status_code == 403


@pytest.mark.parametrize("text", ["received_from=soon", "state=lost", "stat=failed", "task=a&risk=9"])
def test_a_filter_that_cannot_be_read_stands_for_no_answers(text, three, lead, client_of):
    asked = {"action": "flag", "reason": "old", "everything": "1", "filter": text}
    for confirmed in ({}, {"confirmed": "3"}):
        answer = client_of(lead).post(BULK, asked | confirmed)
        assert answer.status_code == 422
        assert "part of the filter cannot be read" in answer.text
        assert "This flags" not in answer.text
    assert not BulkChange.objects.exists()


def test_a_step_over_a_filter_is_shown_then_done_then_taken_back(three, project, lead, client_of):
    other = Queue.objects.create(project=project, name="Urgent", audit_share=0.0)
    page = client_of(lead)
    listed = page.get("/answers/?task=a")
    assert listed.context["filter"] == "task=a"
    asked = page.post(BULK, {"action": "queue", "everything": "1", "filter": "task=a"})
    assert asked.status_code == 200
    assert "Show what would happen" in asked.text
    shown = page.post(BULK, {"action": "queue", "everything": "1", "filter": "task=a", "queue": other.pk})
    assert "This puts 2 answers into Urgent." in shown.text
    assert not Item.objects.filter(queue=other).exists()
    done = page.post(BULK, hidden_fields(shown), follow=True)
    assert "Done: 2 changed." in done.text
    assert Item.objects.filter(queue=other).count() == 2
    change = BulkChange.objects.get()
    assert (change.filters, change.options) == ({"task": "a"}, {"queue": other.pk})
    back = page.post(f"/answers/changes/{change.pk}/undo/", follow=True)
    assert "Taken back: 2 of 2." in back.text
    assert not Item.objects.filter(queue=other).exists()


def test_ticked_answers_alone_are_changed(three, lead, client_of):
    page = client_of(lead)
    ticked = {"action": "archive", "answer": [str(three[0].answer_id)], "reason": "old", "filter": ""}
    shown = page.post(BULK, ticked)
    assert "This takes 1 answer out of its queue" in shown.text
    page.post(BULK, hidden_fields(shown))
    assert Item.objects.filter(state="archived").get() == item_of(three[0])


def test_a_step_that_would_do_something_else_by_now_is_shown_again(three, proofread, lead, client_of):
    page = client_of(lead)
    shown = page.post(BULK, {"action": "flag", "everything": "1", "filter": "", "reason": "x"})
    assert "This flags 3 answers" in shown.text
    proofread(line_of("Another one."))
    again = page.post(BULK, hidden_fields(shown))
    assert "Nothing was done; look again." in again.text
    assert "This flags 4 answers" in again.text
    assert not Item.objects.filter(state="flagged").exists()


@pytest.mark.parametrize(
    "sent",
    [
        {"action": ""}, {"action": "explode"}, {"action": "queue", "queue": "999", "confirmed": "1"},
        {"action": "flag", "confirmed": "3", "reason": " "}, {"action": "priority", "place": "middle"},
        {"action": "flag", "reason": "a\0b"},
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_and_nothing_is_done(sent, three, lead, client_of):
    page = client_of(lead).post(BULK, {"everything": "1", "filter": "", **sent})
    assert page.status_code == 422
    assert not BulkChange.objects.exists()


def test_nothing_ticked_says_so(three, lead, client_of):
    page = client_of(lead).post(BULK, {"action": "archive", "reason": "x", "answer": ["no-uuid"]})
    assert "None of the chosen answers would change." in page.text


def test_a_queue_of_another_project_cannot_be_named(three, other_project, lead, client_of):
    foreign = Queue.objects.create(project=other_project, name="Theirs")
    sent = {"action": "queue", "everything": "1", "filter": "", "queue": foreign.pk}
    assert client_of(lead).post(BULK, sent).status_code == 422


@pytest.mark.parametrize("sort", selectors.SORTS)
def test_every_order_goes_on_and_back_without_a_gap(sort, proofread, project):
    for number in range(8):
        proofread(line_of(f"You have {number} days to return it."), minutes=number // 2)
    whole = [a.pk for a in selectors.answers_page(project=project, sort=sort, size=20).answers]
    assert len(whole) == 8
    seen, cursor, pages = [], "", []
    while True:
        page = selectors.answers_page(project=project, sort=sort, size=3, cursor=cursor)
        pages.append([a.pk for a in page.answers])
        seen += pages[-1]
        if page.later is None:
            break
        cursor = page.later
    assert seen == whole
    back = selectors.answers_page(project=project, sort=sort, size=3, cursor=page.earlier)
    assert [a.pk for a in back.answers] == pages[-2]


def test_the_most_likely_unsupported_come_first_and_blind_ones_are_not_told(queue, proofread, project):
    queue.audit_share = 1.0
    queue.save()
    proofread(line_of("You have 30 days to return it."))
    assert selectors.answers_page(project=project, sort="unsupported").answers == []


def test_filters_over_what_people_did(three, queue, project, reviewer, lead):
    item = item_of(three[0])
    claim = review.claim_item(item=item, reviewer=reviewer, now=item.created_at)
    review.keep_original(claim=claim, request_key="k", now=item.created_at, confirmed=True)

    def found(**fields):
        return {a.pk for a in selectors.answers_page(project=project, chosen=selectors.AnswerFilter(**fields)).answers}

    first, second, third = (inspection.answer_id for inspection in three)
    assert found(decision="keep") == {first}
    assert found(reviewer="reviewer", queue=str(queue.pk)) == {first}
    assert found(reviewer="lead") == set()
    assert found(review="waiting") == {second, third}
    assert found(review="none") == set()
    assert found(task="b") == {third}
    from datetime import date

    assert found(received_from=date(2026, 3, 2), received_to=date(2026, 3, 2)) == {first, second, third}
    assert found(received_from=date(2026, 3, 3)) == set()


def test_pages_of_what_one_person_decided_are_those_of_the_filter(queue, project, proofread, reviewer):
    """However they are read: every answer once, in the order of the page, forth and back."""
    colleague = person("colleague", project)
    other = Queue.objects.create(project=project, name="Other", slots=2, blind=True, filters={"task": "none"})
    for number in range(12):
        inspection = proofread(
            line_of(f"You have {number} days.", task=f"t{number % 2}"),
            minutes=number // 3,  # three come at once
        )
        item = inspection.items.get()
        again = Item.objects.create(queue=other, answer=item.answer, inspection=inspection, state="waiting")
        for own in (item, again)[: number % 3]:  # nowhere, in one queue, in both
            Decision.objects.create(
                item=own, inspection=inspection, reviewer=reviewer, kind=["keep", "skip", "reject"][number % 5 % 3],
                request_key=str(own.pk), decided_at=NOW,
            )  # fmt: skip
            Item.objects.filter(pk=item.pk).update(state="decided")
        item.answer.observations.update(drifted=number % 4 > 0)
    ways = [
        {}, {"decision": "keep"}, {"review": "decided"}, {"review": "waiting"}, {"review": "none"}, {"drift": True},
        {"queue": str(other.pk)}, {"task": "t1"}, {"text": "days"}, {"seen_by": reviewer}, {"seen_by": colleague},
    ]  # fmt: skip
    several = 0
    for more, sort in product(ways, selectors.SORTS):
        chosen = selectors.AnswerFilter(reviewer="reviewer", **more)
        whole = [a.pk for a in selectors.answers_in_order(project, chosen, sort=sort)]
        pages, cursor = [], ""
        while cursor is not None:
            page = selectors.answers_page(project=project, chosen=chosen, sort=sort, size=2, cursor=cursor)
            pages.append([a.pk for a in page.answers])
            cursor = page.later
        assert [pk for own in pages for pk in own] == whole, (more, sort)
        if len(pages) > 1:
            several += 1
            back = selectors.answers_page(project=project, chosen=chosen, sort=sort, size=2, cursor=page.earlier)
            assert [a.pk for a in back.answers] == pages[-2], (more, sort)
    assert several >= 9 * len(selectors.SORTS)


def test_a_filter_that_cannot_be_read_narrows_nothing(three, lead, client_of):
    page = client_of(lead).get("/answers/?queue=999&received_from=x&sort=odd&review=odd")
    assert page.status_code == 200
    assert len(page.context["answers"]) == 3


def test_the_list_costs_a_lead_the_same_queries_at_any_length(proofread, lead, client_of, django_assert_num_queries):
    page = client_of(lead)
    page.get("/answers/")
    for number in range(10):
        proofread(line_of(f"Answer number {number}."), minutes=number)
    with django_assert_num_queries(9):  # session, user, last project, queues, answers, audits, role, projects, links
        page.get("/answers/")
