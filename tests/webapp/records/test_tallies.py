"""Counts are kept by the database: whatever is done to the rows, by whatever way, they say what counting would say."""

from __future__ import annotations

import random
import re
import uuid
from contextlib import suppress
from datetime import timedelta
from importlib import import_module
from itertools import count

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from proofing.learning.labels import answer_label
from tests.webapp.conftest import NOW, line_of, person
from webapp.intake import services as intake
from webapp.intake.services import store_inspection
from webapp.records import tallies
from webapp.records.models import Answer, Healing, Inspection, Observation, Project, Tally
from webapp.records.services import delete_answer, receive_answer
from webapp.review.models import Decision, Item, Queue, Verdict
from webapp.review.problems import CannotUndo
from webapp.review.services import claim_next_item, decide, undo_decision
from webapp.review.services.decisions import Choice

pytestmark = pytest.mark.django_db


def right() -> bool:
    """Whether the kept counts and the answers', items' and decisions' own columns are what the rows say."""
    for decision in Decision.objects.select_related("item__queue", "item__answer"):
        answer = decision.item.answer
        own = (decision.project_id, decision.answer_id, decision.received_at)
        if own != (decision.item.queue.project_id, answer.pk, answer.received_at):
            return False
    for item in Item.objects.all():
        if (item.voices, item.differs) != compared(item):
            return False
    for answer in Answer.objects.all():
        newest = answer.inspections.order_by("-version").first()
        if answer.drifted != answer.observations.filter(drifted=True).exists():
            return False
        own = (answer.risk, answer.route, answer.probability)
        if own != ((newest.risk, newest.route, newest.unsupported_probability) if newest else (None, None, None)):
            return False
    return tallies.kept() == {key: n for key, n in tallies.counted().items() if n}


def compared(item):
    """How many decided, and whether they differ, from the decisions one by one."""
    standing = list(item.decisions.filter(undone_at__isnull=True).prefetch_related("verdicts"))
    saying = [d for d in standing if d.kind not in ("skip", "flag")]
    labels = [answer_label(d.kind, wording_only=d.wording_only) for d in saying]
    said = [(v.mark_id, v.verdict) for d in standing for v in d.verdicts.all() if v.source == "explicit"]
    on_a_mark = any((mark, "supported") in said for mark, verdict in said if verdict == "unsupported")
    return len(labels), len(labels) >= 2 and (len(set(labels)) > 1 or on_a_mark)


def _decide(queue, people, draw):
    reviewer = draw.choice(people)
    claim = claim_next_item(queue=queue, reviewer=reviewer, now=NOW)
    if claim is not None:
        kind = draw.choice([k for k in Decision.Kind.values if k != "accept_edited"])
        decide(claim=claim, choice=Choice(kind, uuid.uuid4().hex, confirmed=True), now=NOW)


def _undo(people, draw):
    standing = Decision.objects.filter(undone_at__isnull=True, item__state="decided").first()
    if standing is not None and not Item.objects.filter(state="claimed").exists():
        with suppress(CannotUndo):  # somebody skipped it before a colleague decided; what is refused changes nothing
            undo_decision(decision=standing, reviewer=standing.reviewer, now=NOW)


def test_counts_stay_right_whatever_is_done(project, queue):
    people = [person(f"r{n}", project) for n in range(2)]
    other = Queue.objects.create(project=project, name="Other", audit_share=0.0, filters={"task": "none"})
    draw = random.Random(4)

    def receive(**fields):
        number = draw.randrange(10**6)
        line = line_of(answer=f"You have {number} days to return it.", **fields)
        got = receive_answer(project=project, line=line, now=NOW + timedelta(hours=number % 90), supersede=bool(fields))
        intake.proofread_answer(answer_id=got.answer.pk)

    def one(model):
        return draw.choice(list(model.objects.order_by("pk")) or [None])

    def change(model, **changes):
        model.objects.filter(pk=getattr(one(model), "pk", None)).update(**changes)

    def again():
        answer = one(Answer)
        report = intake.engine.inspect_answer(answer)
        last = answer.inspections.order_by("-version").values_list("version", flat=True).first() or 0
        store_inspection(answer=answer, report=report, version=last + 1, now=NOW)

    def remove():
        delete_answer(answer=one(Answer), actor=None, now=NOW)

    ways = [
        receive, lambda: receive(external_id="one"), again, remove, tallies.fold,
        lambda: _decide(queue, people, draw), lambda: _decide(queue, people, draw), lambda: _undo(people, draw),
        # Ways around every service:
        lambda: change(Inspection, risk=draw.choice(["low", "critical"]), route="discard"),
        lambda: change(Healing, applied=draw.random() < 0.5),
        lambda: change(Answer, received_at=NOW - timedelta(days=draw.randrange(60))),
        lambda: Item.objects.filter(state="waiting", pk=getattr(one(Item), "pk", None)).update(queue=other),
        lambda: Item.objects.filter(state="decided", answer=one(Answer)).update(queue=draw.choice([queue, other])),
        lambda: change(Decision, reviewer=draw.choice(people)),
        lambda: change(Observation, drifted=draw.random() < 0.7),
        lambda: Inspection.objects.filter(items=None, decisions=None, pk=getattr(one(Inspection), "pk", None)).delete(),
    ]  # fmt: skip
    seen, drifted = set(), set()
    for _ in range(3):
        receive()
    for step in range(60):
        way = draw.randrange(len(ways))
        ways[way]()
        if not Answer.objects.exists():
            receive()
        if step % 5 == 4:
            assert right(), (step, way)
        seen |= {key[1] for key in tallies.kept()}
        drifted |= set(Answer.objects.values_list("drifted", flat=True))
    assert {"route", "risk", "route_then", "item", "decision", "healed", "mine"} == seen
    assert drifted == {True, False}
    assert tallies.items_by_state([queue]).keys() == {queue.pk}


def test_items_know_how_many_decided_and_whether_they_differ_whatever_is_done(project, queue, proofread):
    """Decisions and verdicts made, changed, undone and removed, past every service."""
    inspections = [proofread(line_of(answer=f"You have {n} days to return it, or {n + 1}.")) for n in range(2)]
    people = [person(f"r{n}", project) for n in range(3)]
    draw = random.Random(11)
    number = count()
    seen = set()

    def decided():
        inspection, reviewer = draw.choice(inspections), draw.choice(people)
        item = inspection.items.get()
        if item.decisions.filter(reviewer=reviewer, undone_at__isnull=True).exists():
            return
        made = Decision.objects.create(
            item=item, inspection=inspection, reviewer=reviewer, kind=draw.choice(Decision.Kind.values),
            wording_only=draw.random() < 0.5, request_key=f"{next(number):04}", decided_at=NOW,
        )  # fmt: skip
        Verdict.objects.bulk_create(
            Verdict(decision=made, mark=mark, verdict=draw.choice(["unsupported", "supported", "unsure"]),
                    source=draw.choice(["explicit", "explicit", "implied"]))
            for mark in inspection.marks.order_by("index")
        )  # fmt: skip

    # By what they were made of, not by their ids, which are random: the same steps each time.
    order = {Decision: ["request_key"], Verdict: ["decision__request_key", "mark__index"]}

    def rows(model):
        made = list(model.objects.order_by(*order[model]))
        return model.objects.filter(pk=getattr(draw.choice(made or [None]), "pk", None))

    ways = [
        decided, decided, decided,
        lambda: rows(Decision).update(undone_at=NOW, undone_by=people[0]),
        lambda: rows(Decision).update(wording_only=draw.random() < 0.5),
        lambda: rows(Decision).update(kind=draw.choice(["keep", "accept_edited", "accept_healed"])),
        lambda: rows(Verdict).update(verdict=draw.choice(["unsupported", "supported"]), source="explicit"),
        lambda: rows(Verdict).delete(),
        lambda: rows(Decision).delete(),
    ]  # fmt: skip
    for step in range(150):
        way = draw.randrange(len(ways))
        ways[way]()
        for item in Item.objects.all():
            assert (item.voices, item.differs) == compared(item), (step, way)
            seen.add((item.voices, item.differs))
    assert {(0, False), (1, False), (2, False), (2, True), (3, True)} <= seen
    assert tallies.items_wrong() == 0
    Item.objects.update(voices=7, differs=True)
    assert tallies.items_wrong() == 2
    with pytest.raises(CommandError, match="2 items"):
        call_command("recount", "--check")
    call_command("recount")
    assert all((item.voices, item.differs) == compared(item) for item in Item.objects.all())


def test_what_a_person_decided_is_counted_by_queue_as_it_stands(project, queue, proofread):
    """Skips and flags are no decisions; what moved to another queue is counted there, what was taken back nowhere."""
    other = Queue.objects.create(project=project, name="Other", audit_share=0.0, filters={"task": "none"})
    ana, ben = person("ana", project), person("ben", project)
    items = [proofread(line_of(answer=f"You have {n} days.")).items.get() for n in range(4)]
    kinds = ["keep", "reject", "skip", "keep"]
    made = [
        Decision.objects.create(item=item, inspection=item.inspection, reviewer=ana, kind=kind, request_key=str(n),
                                decided_at=NOW)
        for n, (item, kind) in enumerate(zip(items, kinds, strict=True))
    ]  # fmt: skip
    assert tallies.decided_by(ana, [queue, other]) == {queue.pk: 3}
    Item.objects.filter(pk=items[1].pk).update(queue=other)
    Decision.objects.filter(pk=made[0].pk).update(undone_at=NOW, undone_by=ana)
    standing = {key: n for key, n in tallies.decided_by(ana, [queue, other]).items() if n}
    assert standing == {queue.pk: 1, other.pk: 1}
    assert tallies.decided_by(ben, [queue, other]) == {}
    assert right()


def test_a_recount_repeats_what_was_put_wrong_by_hand(project, queue, proofread):
    item = proofread().items.get()
    reviewer = person("ana", project)
    Decision.objects.create(
        item=item, inspection=item.inspection, reviewer=reviewer, kind="keep", request_key="k", decided_at=NOW
    )
    assert tallies.repeated_wrong() == 0
    Decision.objects.update(project=None, answer=None, received_at=None)  # as rows made while no trigger was there
    Answer.objects.update(drifted=True)
    assert tallies.repeated_wrong() == 2
    with pytest.raises(CommandError, match="2 decisions or answers"):
        call_command("recount", check=True)
    call_command("recount")
    assert right()


def test_an_upgrade_fills_what_rows_repeat_some_at_a_time(project, queue, proofread, monkeypatch):
    """The migrations' own steps, over rows as the version before left them."""
    places = import_module("webapp.review.migrations.0009_places")
    drifted = import_module("webapp.records.migrations.0007_drifted")
    monkeypatch.setattr(places, "BATCH", 2)
    monkeypatch.setattr(drifted, "BATCH", 2)
    reviewer = person("ana", project)
    for number in range(5):
        item = proofread(line_of(answer=f"You have {number} days."), minutes=number).items.get()
        Decision.objects.create(
            item=item, inspection=item.inspection, reviewer=reviewer, kind="keep", request_key=str(number),
            decided_at=NOW,
        )  # fmt: skip
        Observation.objects.filter(answer=item.answer).update(drifted=number != 3)
    Decision.objects.update(project=None, answer=None, received_at=None)
    Answer.objects.update(drifted=False)
    places.fill(apps, None)
    drifted.fill(apps, None)
    assert Answer.objects.filter(drifted=True).count() == 4
    assert right()


def test_folding_joins_rows_and_changes_no_count(project, queue, proofread):
    for number in range(3):
        proofread(line_of(answer=f"You have {number} days."))
    before = tallies.kept()
    joined = tallies.fold()
    assert joined > Tally.objects.count() == len(before)
    assert tallies.kept() == before
    assert tallies.fold() == 0


def test_a_deleted_project_leaves_no_counts(project, queue, proofread):
    proofread()
    tallies.fold()
    for model in (Item, Answer, Queue):
        model.objects.all().delete()
    Project.objects.filter(pk=project.pk).delete()
    tallies.fold()
    assert tallies.kept() == {}


def test_triggers_that_went_missing_come_back_with_the_right_counts(project, queue, proofread):
    proofread()
    tallies.remove()
    proofread(line_of(answer="You have 31 days."))
    assert not right()
    with pytest.raises(CommandError, match="wrong"):
        call_command("recount", check=True)
    assert tallies.install()
    assert right()
    assert not tallies.install(), "nothing was missing"


def test_a_changing_sqlite_schema_meets_no_trigger(project, queue, proofread):
    if connection.vendor != "sqlite":
        pytest.skip("other databases change tables in place")
    tallies.before_migrations(using="default", plan=[("a migration", False)])
    proofread()
    tallies.after_migrations(using="default")
    assert right()


def test_triggers_wait_for_columns_that_are_still_to_come(project, queue, proofread):
    """Half-way through the migrations a table may be there without what the triggers write."""
    assert tallies.ready("default")
    proofread()
    tallies.remove()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE review_decision RENAME COLUMN received_at TO not_yet")
        tallies.after_migrations(using="default")
        assert not tallies._there("default")
        cursor.execute("ALTER TABLE review_decision RENAME COLUMN not_yet TO received_at")
    tallies.after_migrations(using="default")
    assert right()


def test_recount_mends_what_was_put_wrong_by_hand(project, queue, proofread, capsys):
    proofread()
    Tally.objects.filter(subject="risk").delete()
    call_command("recount")
    assert right()
    call_command("recount", check=True)
    assert "right" in capsys.readouterr().out


def test_settling_leaves_nothing_unfolded_however_much_came_in(project, queue, proofread, monkeypatch):
    for number in range(6):
        proofread(line_of(answer=f"You have {number} days to return it."))
    monkeypatch.setattr(tallies, "FOLD", 2)
    assert Tally.objects.filter(folded=False).count() > 4
    before = tallies.kept()
    tallies.settle()
    assert not Tally.objects.filter(folded=False).exists()
    assert tallies.kept() == before


def test_putting_an_answer_into_a_queue_counts_no_rows(project, queue, proofread):
    """Which answers are audits follows from how many came before: asked of the counts, not of the items."""
    queue.audit_share = 0.2
    queue.save()
    with CaptureQueriesContext(connection) as seen:
        for number in range(12):
            proofread(line_of(answer=f"You have {number} days."), minutes=number)
    assert not [row["sql"] for row in seen if re.search(r'COUNT\(.*FROM "review_item"', row["sql"])]
    assert tallies.items_in(queue) == Item.objects.filter(queue=queue).count() == 12
    assert 2 <= Item.objects.filter(audit=True).count() <= 3
