"""Sets are frozen by a worker: asked for, written, counted once, given out again when a worker dies."""

from __future__ import annotations

from datetime import timedelta

import pytest

from proofing.errors import BadInput
from tests.webapp.conftest import NOW
from webapp.calibration import contents, freezing, labels, services
from webapp.calibration.models import LabelledRow, LabelledSet
from webapp.review.models import Event, Queue


@pytest.fixture
def decided(item_of, decide):
    """One decision, without which there is nothing to freeze."""
    decide(item_of(), "keep")


def ask(project, name="March"):
    return services.request_set(project=project, name=name, now=NOW)


def test_a_set_asked_for_is_frozen_by_a_worker_with_the_same_hash_as_at_once(project, many_labelled, workers):
    many_labelled(30)
    with workers():
        asked = ask(project)
        assert asked.state == LabelledSet.State.REQUESTED
    asked.refresh_from_db()
    at_once = services.freeze_set(project=project, name="Again", now=NOW)
    assert asked.state == at_once.state == LabelledSet.State.FROZEN
    assert (asked.rows, asked.positives) == (at_once.rows, at_once.positives) == (30, 15)
    assert asked.sha256 == at_once.sha256
    assert asked.contents == at_once.contents
    kinds = ["set.requested", "set.frozen"]
    assert (
        list(Event.objects.filter(object_id=str(asked.pk), kind__startswith="set.").values_list("kind", flat=True))
        == kinds
    )


def test_delivered_twice_it_is_written_once(project, many_labelled):
    many_labelled(20)
    kept = services.freeze_set(project=project, name="March", now=NOW)
    freezing.run_freeze(set_id=kept.pk)
    assert kept.members.count() == 20


def test_after_a_worker_died_half_way_the_next_one_starts_over(project, many_labelled, workers, monkeypatch):
    many_labelled(30)
    monkeypatch.setattr(labels, "CHUNK", 10)
    asked = ask(project)
    real = LabelledRow.objects.bulk_create

    class Killed(BaseException):
        pass

    def die(rows):
        real(rows)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(type(LabelledRow.objects), "bulk_create", lambda self, rows: die(rows))
        with pytest.raises(Killed):
            freezing.run_freeze(set_id=asked.pk)
    asked.refresh_from_db()
    assert asked.state == LabelledSet.State.RUNNING
    with workers():
        assert freezing.requeue_stale(now=NOW + timedelta(days=1000)) == 1
    asked.refresh_from_db()
    assert (asked.state, asked.rows, asked.members.count()) == (LabelledSet.State.FROZEN, 30, 30)


def test_a_set_whose_workers_keep_dying_is_given_up(project, decided, lead, client_of):
    asked = ask(project)
    LabelledSet.objects.filter(pk=asked.pk).update(state="running", attempts=freezing.ATTEMPTS)
    assert freezing.requeue_stale(now=NOW + timedelta(hours=1)) == 0
    assert "its worker died 3 times" in client_of(lead).get(f"/sets/{asked.pk}/").text


def test_a_late_worker_leaves_what_the_next_one_has(project, many_labelled, monkeypatch):
    many_labelled(10)
    asked = ask(project)
    real = labels.labelled_lines

    def given_away(*args):
        LabelledSet.objects.filter(pk=asked.pk).update(attempts=2)
        return real(*args)

    monkeypatch.setattr(labels, "labelled_lines", given_away)
    freezing.run_freeze(set_id=asked.pk)
    assert not asked.members.exists()
    asked.refresh_from_db()
    assert (asked.state, asked.sha256) == (LabelledSet.State.RUNNING, "")


def test_what_is_not_frozen_yet_is_not_calibrated_fitted_exported_or_compared(project, decided, lead, client_of, api):
    from webapp.calibration import refits

    frozen = services.freeze_set(project=project, name="Old", now=NOW)
    asked = ask(project)
    for act in (services.request_calibration, refits.request_refit):
        with pytest.raises(BadInput, match="not frozen yet"):
            act(labelled_set=asked, now=NOW)
    page = client_of(lead)
    shown = page.get(f"/sets/{asked.pk}/")
    assert "hx-get" in shown.text
    assert "Calibrate</button>" not in shown.text
    assert page.post(f"/sets/{asked.pk}/", {"target_recall": "0.9", "level": "answer"}).status_code == 200
    assert not asked.runs.exists()
    assert page.get(f"/sets/{asked.pk}/compare/").status_code == 302
    assert page.get(f"/sets/{frozen.pk}/compare/", {"with": asked.pk}).status_code == 404
    assert page.post("/exports/", {"format": "csv", "labelled_set": asked.pk}).status_code == 422
    assert page.post("/models/", {"labelled_set": asked.pk}).status_code == 422
    assert api.post("exports", {"labelled_set": asked.pk}).status_code == 404
    assert "waiting" in page.get("/sets/").text or "requested" in page.get("/sets/").text


def test_the_page_that_waited_offers_the_set_when_it_is_there(project, lead, client_of):
    frozen = services.freeze_set(project=project, name="Old", now=NOW)
    waited = {"HX-Request": "true", "HX-Target": "state"}
    part = client_of(lead).get(f"/sets/{frozen.pk}/", headers=waited).text
    assert "Show the set" in part
    assert "hx-get" not in part


def test_the_page_of_a_large_set_reads_no_rows(project, many_labelled, lead, client_of, django_assert_max_num_queries):
    many_labelled(30)
    frozen = services.freeze_set(project=project, name="March", now=NOW)
    other = services.freeze_set(project=project, name="April", now=NOW)
    LabelledRow.objects.filter(labelled_set=frozen).delete()
    page = client_of(lead)
    page.get("/sets/")
    with django_assert_max_num_queries(20):
        text = page.get(f"/sets/{frozen.pk}/").text
    assert "Support bot" in text
    with django_assert_max_num_queries(20):
        page.get(f"/sets/{other.pk}/compare/", {"with": frozen.pk})


def test_a_set_frozen_before_counts_were_kept_is_counted_once(project, many_labelled):
    many_labelled(10)
    frozen = services.freeze_set(project=project, name="March", now=NOW)
    LabelledSet.objects.update(contents=None)
    kept = LabelledSet.objects.get()
    assert contents.contents_of(kept) == contents.contents_of(frozen)
    assert LabelledSet.objects.get().contents == frozen.contents


def test_an_answer_in_two_queues_speaks_once_in_a_comparison(project, item_of, decide, reviewer):
    from webapp.review.services import put_in_queue

    item = item_of()
    decide(item, "keep")
    second = Queue.objects.create(project=project, name="Second", audit_share=0.0)
    later = NOW + timedelta(days=1000)
    again = put_in_queue(answer=item.answer, inspection=item.inspection, now=later, queue=second)
    decide(again, "reject", at=NOW + timedelta(minutes=1))
    frozen = services.freeze_set(project=project, name="March", now=NOW)
    assert frozen.members.count() == 2
    assert list(frozen.members.filter(newest=True).values_list("label", flat=True)) == [1]
    same = contents.compare(frozen, services.freeze_set(project=project, name="April", now=NOW))
    assert (same.same, same.added, same.removed, same.changed) == (1, 0, 0, 0)


@pytest.mark.parametrize(("fields", "sentence"), [
    ({"decided_from": "2027-01-01", "decided_to": "2020-01-01"}, "“Decided from” must be a day before"),
    ({"decided_from": "2027-01-01"}, "Nothing is chosen by this"),
    ({"task": "none of this name"}, "Nothing is chosen by this"),
])  # fmt: skip
def test_a_selection_that_holds_nothing_is_refused_in_a_sentence(fields, sentence, project, decided, lead, client_of):
    page = client_of(lead).post("/sets/", {"name": "March", "project": "shop", **fields})
    assert page.status_code == 422
    assert sentence in page.text
    assert not LabelledSet.objects.exists()
    with pytest.raises(BadInput):
        services.request_set(project=project, name="March", now=NOW, filters=fields)


def test_a_project_without_a_decision_has_nothing_to_freeze(project, lead, client_of):
    assert client_of(lead).post("/sets/", {"name": "March", "project": "shop"}).status_code == 422
    assert not LabelledSet.objects.exists()


def test_the_page_of_a_set_says_in_words_what_it_was_chosen_by(project, decided, lead, client_of):
    filters = {"queue": "Support bot", "decided_from": "2026-03-01", "decided_to": "2026-04-01"}
    kept = services.freeze_set(project=project, name="March", now=NOW, filters=filters)
    page = client_of(lead).get(f"/sets/{kept.pk}/").text
    assert "decided_from" not in page
    assert "Queue: Support bot" in page
    assert "Decided from: 1 Mar 2026" in page
    assert "Decided before: 1 Apr 2026" in page
    assert "reviews/1" in page  # the format of the file that has the hash of the set


def test_an_unknown_queue_is_no_filter(project, decided, other_project):
    Queue.objects.create(project=other_project, name="Theirs")
    for name in ("No such", "Theirs"):
        with pytest.raises(BadInput, match="no queue"):
            services.request_set(project=project, name="March", now=NOW, filters={"queue": name})
