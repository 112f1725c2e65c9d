"""What leads set and settle: queues, guidelines, gold."""

from __future__ import annotations

import pytest

from tests.webapp.review.builders import NOW, Fault, make_item, make_queue, make_user
from webapp.accounts.models import Membership
from webapp.calibration import labels
from webapp.review import lead_selectors, selectors, services
from webapp.review.models import Event, Gold, GuidelineVersion, Item, Queue, Verdict
from webapp.review.problems import Unusable
from webapp.review.services import gold as gold_services
from webapp.review.services import queues as queue_services

pytestmark = pytest.mark.django_db
FILLED = {
    "name": "Support bot",
    "order": "weakest",
    "lease_minutes": "15",
    "slots": "1",
    "audit_share": "0",
    "blind": "on",
}


@pytest.fixture
def queue():
    return make_queue()


@pytest.fixture
def lead(queue):
    return make_user("lead", queue.project, role="lead")


@pytest.fixture
def people(queue):
    return [make_user(name, queue.project) for name in ("ana", "ben", "cleo")]


@pytest.fixture
def twice(queue):
    """A queue that asks for two decisions, with one marked answer."""
    Queue.objects.filter(pk=queue.pk).update(slots=2)
    queue.refresh_from_db()
    faults = [Fault("30 days", "14 days", "14 days"), Fault("9 days", None)]
    return make_item(queue, "You have 30 days. Refunds take 9 days.", faults)


@pytest.fixture
def as_user(client):
    def make(user):
        client.force_login(user)
        return client

    return make


def decide(item, reviewer, kind="keep", verdicts=None, **more):
    item = Item.objects.get(pk=item.pk)
    claim = services.claim_item(item=item, reviewer=reviewer, now=NOW)
    for index, verdict in (verdicts or {}).items():
        services.set_verdict(claim=claim, mark_index=index, verdict=verdict, now=NOW)
    choice = services.Choice(kind=kind, request_key=f"{item.pk}-{reviewer.pk}", confirmed=True, **more)
    return services.decide(claim=claim, choice=choice, now=NOW)


# Queues


def test_a_lead_makes_a_queue_with_what_the_project_gives(queue, lead, people, as_user):
    filled = {**FILLED, "name": "Urgent", "order": "newest", "reviewers": [people[0].pk], "filter_task": "qa"}
    page = as_user(lead).post("/queues/new/", filled, follow=True)
    assert page.status_code == 200
    made = Queue.objects.get(name="Urgent")
    assert (made.order, made.filters, list(made.reviewers.all())) == ("newest", {"task": "qa"}, [people[0]])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("order", "odd"),
        ("lease_minutes", "0"),
        ("slots", "7"),
        ("audit_share", "-1"),
        ("reviewers", "999"),
    ],
)
def test_a_queue_that_cannot_be_is_refused_at_its_field(field, value, queue, lead, as_user):
    page = as_user(lead).post(f"/queues/{queue.pk}/settings/", {**FILLED, field: value})
    assert page.status_code == 422
    assert page.context["form"].errors[field]


def test_two_queues_of_one_name_are_refused(queue, lead, as_user):
    page = as_user(lead).post("/queues/new/", FILLED)
    assert page.status_code == 422
    assert "name" in page.context["form"].errors


def test_somebody_of_another_project_cannot_be_assigned(queue, lead):
    with pytest.raises(queue_services.BadInput):
        queue_services.change_queue(queue=queue, actor=lead, now=NOW, reviewers=[make_user("stranger")])


def test_a_new_order_moves_what_waits(queue, lead, django_capture_on_commit_callbacks):
    items = [make_item(queue, f"Answer {n}.", probability=p) for n, p in enumerate((0.9, 0.2, 0.55))]
    with django_capture_on_commit_callbacks(execute=True):
        queue_services.change_queue(queue=queue, actor=lead, now=NOW, order="uncertain")
    first = Item.objects.order_by("-priority").first()
    assert first == items[2]
    assert Event.objects.get(kind="queue.changed").data["changed"]["order"] == ["weakest", "uncertain"]


def test_fewer_slots_let_answers_with_enough_decisions_count_as_decided(twice, people, lead):
    decide(twice, people[0])
    twice.refresh_from_db()
    assert twice.state == Item.State.WAITING
    queue_services.change_queue(queue=twice.queue, actor=lead, now=NOW, slots=1)
    twice.refresh_from_db()
    assert (twice.state, twice.answer.state) == ("decided", "decided")


def test_a_paused_queue_deals_nothing_out(queue, lead, people, as_user):
    make_item(queue, "An answer.")
    as_user(lead).post(f"/queues/{queue.pk}/pause/", {"paused": "1"})
    queue.refresh_from_db()
    assert services.claim_next_item(queue=queue, reviewer=people[0], now=NOW) is None
    assert "paused" in as_user(people[0]).get("/queues/").content.decode()
    as_user(lead).post(f"/queues/{queue.pk}/pause/", {"paused": "0"})
    queue.refresh_from_db()
    assert services.claim_next_item(queue=queue, reviewer=people[0], now=NOW) is not None


def test_fresh_answers_go_to_the_queue_that_asks_for_them(queue, lead):
    asking = queue_services.create_queue(
        project=queue.project, name="Summaries", actor=lead, now=NOW, filters={"task": "summary"}
    )
    item = make_item(queue, "One.")
    item.answer.items.all().delete()
    for task, wanted in (("summary", asking), ("qa", queue)):
        item.answer.task = task
        assert services.queueing.queue_for(item.answer) == wanted


def test_the_page_of_a_queue_shows_who_did_what(queue, lead, people, as_user):
    items = [make_item(queue, f"Answer {n}.") for n in range(3)]
    decide(items[0], people[0])
    decide(items[1], people[0], "skip")
    decide(items[2], people[1], "flag", reason="odd")
    rows = {row.name: row for row in lead_selectors.people_of(lead_selectors.decisions_in(queue), newest=10)}
    assert (rows["ana"].decided, rows["ana"].skipped, rows["ben"].flagged) == (1, 1, 1)
    page = as_user(lead).get(f"/queues/{queue.pk}/").content.decode()
    assert "ana" in page
    aside = as_user(lead).get("/aside/").content.decode()
    assert "odd" in aside


# Guidelines


def test_guidelines_are_versioned_and_rendered_without_foreign_markup(queue, lead, people, as_user):
    here = f"/queues/{queue.pk}/guidelines/"
    page = as_user(lead)
    text = "# Figures\n\nMark **every** one. <script>alert(1)</script>"
    looked = page.post(here, {"text": text, "version": "1", "preview": "1"}).content.decode()
    assert "<strong>every</strong>" in looked
    assert not GuidelineVersion.objects.exists()
    page.post(here, {"text": text, "version": "1"})
    queue.refresh_from_db()
    assert queue.guideline_version == 2
    shown = page.get(here).content.decode()
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown
    item = make_item(queue, "An answer.")
    assert decide(item, people[0]).guideline_version == 2
    assert [row.version for row in queue.guideline_versions.all()] == [2, 1]


def test_two_leads_who_write_at_once_lose_nothing(queue, lead, as_user):
    here = f"/queues/{queue.pk}/guidelines/"
    as_user(lead).post(here, {"text": "Theirs.", "version": "1"})
    late = as_user(lead).post(here, {"text": "Mine.", "version": "1"})
    assert late.status_code == 409
    assert "Mine." in late.content.decode()
    assert "Theirs." in late.content.decode()
    queue.refresh_from_db()
    assert queue.guidelines == "Theirs."
    as_user(lead).post(here, {"text": "Mine.", "version": "2"})
    queue.refresh_from_db()
    assert queue.guidelines == "Mine."


# Disagreements and gold


def test_who_differs_on_the_answer_or_on_a_mark_is_listed(twice, queue, people, lead, as_user):
    decide(twice, people[0], verdicts={0: "unsupported"}, kind="reject")
    assert not lead_selectors.disagreements(queue.project).exists()
    decide(twice, people[1])
    assert list(lead_selectors.disagreements(queue.project)) == [twice]
    same = make_item(queue, "You have 31 days.", [Fault("31 days", None)])
    decide(same, people[0], verdicts={0: "unsupported"}, kind="reject")
    decide(same, people[1], kind="reject")
    assert list(lead_selectors.disagreements(queue.project)) == [twice]
    marks = make_item(queue, "You have 32 days.", [Fault("32 days", None)])
    decide(marks, people[0], verdicts={0: "unsupported"}, kind="reject")
    decide(marks, people[1], verdicts={0: "supported"}, kind="reject")
    found = list(lead_selectors.disagreements(queue.project))
    assert set(found) == {twice, marks}
    page = as_user(lead).get("/disagreements/").content.decode()
    assert "2 answers of 3" in page


def test_undone_decisions_skips_and_flags_are_no_disagreement(twice, queue, people):
    first = decide(twice, people[0], kind="reject")
    decide(twice, people[1], "skip")
    services.undo_decision(decision=first, reviewer=people[0], now=NOW)
    assert not lead_selectors.compared_items(queue.project).exists()


def test_a_lead_settles_and_labels_follow(twice, queue, people, lead, as_user):
    decision = decide(twice, people[0], verdicts={0: "unsupported"}, kind="reject")
    decide(twice, people[1])
    project = queue.project
    assert next(labels.labelled_lines(project, {})).label is None
    page = as_user(lead)
    here = f"/items/{twice.pk}/settle/"
    assert page.get(here).status_code == 200
    assert page.post(here, {"settle": f"d:{decision.pk}"}).status_code == 422  # no reason
    page.post(here, {"settle": f"d:{decision.pk}", "reason": "14 is in the policy", "mark_0": "unsupported"})
    gold = Gold.objects.get()
    assert (gold.kind, gold.decision, gold.verdicts) == ("reject", decision, {"0": "unsupported"})
    row = next(labels.labelled_lines(project, {}))
    assert row.label == 1
    assert row.line["gold"]["labels"][0]["text"] == "30 days"
    assert row.line["gold"]["by"] != "lead"
    assert not lead_selectors.disagreements(project).exists()
    assert "14 is in the policy" in page.get("/gold/").content.decode()
    page.post(f"{here}undo/")
    assert next(labels.labelled_lines(project, {})).label is None
    assert [e.kind for e in Event.objects.filter(kind__startswith="gold.")] == ["gold.set", "gold.cleared"]


def test_a_lead_settles_in_other_words(twice, people, lead, as_user):
    decide(twice, people[0], kind="reject")
    here = f"/items/{twice.pk}/settle/"
    assert as_user(lead).post(here, {"settle": "accept_edited", "reason": "x"}).status_code == 422
    as_user(lead).post(here, {"settle": "accept_edited", "reason": "x", "text": "You have 14 days."})
    assert Gold.objects.get().final_text == "You have 14 days."
    as_user(lead).post(here, {"settle": "keep", "reason": "y"})
    assert (Gold.objects.get().kind, Gold.objects.get().final_text) == ("keep", twice.answer.text)


@pytest.mark.parametrize(
    "bad",
    [{"kind": "skip"}, {"verdicts": {7: "unsupported"}}, {"verdicts": {0: "maybe"}}, {"final_text": "a\0b"},
     {"added_marks": [{"start": 0, "end": 3, "text": "not"}]}],
)  # fmt: skip
def test_gold_that_means_nothing_is_refused(bad, twice, lead):
    with pytest.raises(Unusable):
        gold_services.set_gold(item=twice, actor=lead, now=NOW, **{"kind": "keep", **bad})


def test_an_answer_with_gold_can_be_deleted(twice, people, lead):
    from webapp.records.services import delete_answer

    decide(twice, people[0], kind="reject")
    gold_services.set_gold(item=twice, kind="reject", actor=lead, now=NOW, verdicts={0: "unsupported"})
    delete_answer(answer=twice.answer, actor=lead, now=NOW)
    assert not Gold.objects.exists()


def test_agreement_counts_what_two_people_decided(queue, people, lead, as_user):
    Queue.objects.filter(pk=queue.pk).update(slots=2)
    for number, kinds in enumerate((("keep", "keep"), ("reject", "reject"), ("keep", "reject"))):
        item = make_item(queue, f"You have {number} days.", [Fault(f"{number} days", None)])
        for person, kind in zip(people, kinds, strict=False):
            decide(item, person, kind)
    found = lead_selectors.agreement_of(queue.project)
    assert (found.items, found.same) == (3, 2)
    assert found.alpha == pytest.approx(0.4444, abs=1e-3)
    assert [(pair.first, pair.second, pair.both, pair.same) for pair in found.pairs] == [("ana", "ben", 3, 2)]
    page = as_user(lead).get("/insights/agreement/").content.decode()
    assert "0.44" in page
    assert as_user(people[0]).get("/insights/agreement/").status_code == 403
    progress = as_user(lead).get("/insights/reviewers/?days=90").content.decode()
    assert "Nobody decided anything" in progress  # the decisions are from another year


def test_progress_leaves_archived_answers_out(queue, lead):
    make_item(queue, "One.")
    item = make_item(queue, "Two.")
    Item.objects.filter(pk=item.pk).update(state=Item.State.ARCHIVED)
    assert selectors.progress_of(queue).total == 1


def test_empty_pages_say_how_to_go_on(queue, lead, as_user):
    page = as_user(lead)
    for address, words in (
        ("/disagreements/", "two or more decisions"), ("/gold/", "Nothing is settled"),
        ("/aside/", "Nothing is flagged"),
        ("/insights/agreement/", "two or more decisions"), ("/insights/reviewers/", "Nobody decided anything"),
        ("/answers/changes/", "No change yet"), (f"/queues/{queue.pk}/", "Nothing is in this queue"),
    ):  # fmt: skip
        assert words in page.get(address).content.decode(), address


def test_the_lists_cost_the_same_queries_at_any_length(queue, people, lead, as_user, django_assert_num_queries):
    Queue.objects.filter(pk=queue.pk).update(slots=2)
    page = as_user(lead)
    page.get("/disagreements/")
    for number in range(5):
        item = make_item(queue, f"You have {number} days.", [Fault(f"{number} days", None)])
        decide(item, people[0], "reject", {0: Verdict.Says.UNSUPPORTED})
        decide(item, people[1])
    assert Membership.objects.count() == 4
    with django_assert_num_queries(10):
        page.get("/disagreements/")
    with django_assert_num_queries(8):  # session, user, project, role, flagged, skipped, projects, links for leads
        page.get("/aside/")


def test_numbers_no_database_takes_are_nobody_and_no_day(queue, lead, client_of):
    page = client_of(lead)
    answer = page.post(f"/queues/{queue.pk}/settings/", {"name": "Q", "reviewers": "9" * 19})
    assert answer.status_code == 422
    for field in ("received_from", "received_to"):
        for day in ("9999-12-31", "0001-01-01"):
            assert page.get(f"/answers/?{field}={day}").status_code == 200


def test_a_queue_of_many_decisions_shows_its_people_by_the_newest(queue, people, lead, as_user, monkeypatch):
    monkeypatch.setattr(lead_selectors, "IN_QUEUE", 2)
    for n in range(2):
        decide(make_item(queue, f"You have {n} days.", [Fault(f"{n} days", None)]), people[n])
    assert "Of the newest 2 decisions." in as_user(lead).get(f"/queues/{queue.pk}/").text
    monkeypatch.setattr(lead_selectors, "IN_QUEUE", 3)
    assert "Of the newest" not in as_user(lead).get(f"/queues/{queue.pk}/").text
