"""Refits of the support model: from labels to a model that reads, and back; two projects apart; what is refused."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from proofing.learning.model import SupportModel
from tests.webapp.conftest import NOW, line_of
from webapp.calibration import curves, reading_models, refits, services
from webapp.calibration.models import FittedModel, LabelledRow, ModelChoice, Refit
from webapp.intake import services as intake
from webapp.records.services import receive_answer
from webapp.review.models import Event


def spoil(frozen, change):
    rows = list(frozen.members.order_by("pk"))
    change(rows)
    LabelledRow.objects.bulk_update(rows, ["label", "line", "split"])


@pytest.mark.slow
def test_from_labels_to_a_model_that_reads_and_back_again(
    project, frozen, fit, lead, client_of, proofread, workers, other_project
):
    page = client_of(lead)
    with workers():
        asked = page.post("/models/", {"labelled_set": frozen.pk, "project": "shop"})
    refit = Refit.objects.get()
    assert asked.url == f"/refits/{refit.pk}/"
    assert refit.state == Refit.State.DONE, refit.refusal
    assert refit.done == refit.total == 290
    counts = refit.result["counts"]
    assert counts["training"] + counts["held_out"] == 290
    assert counts["training"] == frozen.members.filter(split="train").count()

    # Stored as a file the engine loads, under its hash, with a card; nothing is in force yet.
    model = FittedModel.objects.get()
    assert (model.version, model.name) == (1, "shop-1")
    read = SupportModel.of_bytes(bytes(model.content), "the stored model")
    assert (read.name, read.sha256) == ("shop-1", model.sha256)
    assert read.card["labelled_set"] == {"name": "March", "sha256": frozen.sha256}
    assert read.card["base"] == reading_models.shipped_name()
    shipped = proofread(line_of("You have 1 day.")).report["engine"]["support_model"]
    assert shipped == reading_models.shipped_name()

    # The page compares both on the same rows, with the difference's own interval.
    shown = page.get(asked.url).text
    for words in ("Ranking (AUROC)", "False alarms where 95 % are found", "Calibration error", "Difference"):
        assert words in shown
    assert refit.result["figures"]["auroc"]["difference"]["interval"]
    assert page.get(f"/models/{model.pk}/file/").content == bytes(model.content)

    # A reason is asked for; then the next answers are read by it, and the report says so.
    page.post(f"/models/{model.pk}/use/", {"reason": " "})
    assert not ModelChoice.objects.exists()
    page.post(f"/models/{model.pk}/use/", {"reason": "fewer false alarms on returns"})
    line = line_of("You have 30 days, the desk said.")
    by_new = proofread(line)
    assert by_new.report["engine"]["support_model"] == model.reported
    assert by_new.unsupported_probability == pytest.approx(
        reading_models.loaded(model).predict(*_proof_of(line)).answer_probability
    )
    event = Event.objects.get(kind="model.in_force")
    assert (event.actor, event.data["model"], event.data["before"]) == (lead, model.reported, shipped)
    assert "fewer false alarms on returns" in page.get("/models/").text

    # Another project goes on with the model that ships.
    theirs = receive_answer(project=other_project, line=line, now=NOW).answer
    assert intake.proofread_answer(answer_id=theirs.pk).report["engine"]["support_model"] == shipped

    # Back to the model that ships.
    page.post("/models/shipped/", {"project": "shop", "reason": "colleagues were surprised"})
    assert proofread(line_of("You have 2 days.")).report["engine"]["support_model"] == shipped
    assert [choice.model for choice in reading_models.choices_of(project)] == [None, model]

    # And to the fitted one again, without fitting.
    page.post(f"/models/{model.pk}/use/", {"reason": "explained"})
    assert proofread(line_of("You have 3 days.")).report["engine"]["support_model"] == model.reported


def _proof_of(line):
    from proofing.engine import judge_all
    from proofing.inspection import prepare
    from proofing.settings import Settings

    proof = prepare(line.question, line.sources, line.answer, Settings(tier="fast"))
    return proof, judge_all(proof).judgements


@pytest.mark.slow
def test_points_of_another_model_are_stale_and_the_set_is_calibrated_again_on_what_the_new_one_said(
    project, frozen, fit, lead, client_of, workers, proofread
):
    proofread(line_of("You have 5 days."))
    with workers():
        run = services.request_calibration(labelled_set=frozen, now=NOW)
    run.refresh_from_db()
    run.result["engine"] = {"version": "0.1.0", "support_model": reading_models.shipped_name()}
    run.save()
    point = services.choose_point(run=run, reason="first", user=lead, now=NOW)
    assert not curves.stale_points(project, [point])[point.pk]
    model = fit(frozen).model
    reading_models.put_in_force(project=project, model=model, reason="better", user=lead, now=NOW)
    what, then, now = curves.stale_points(project, [point])[point.pk][0]
    assert (what, then, now) == ("support_model", reading_models.shipped_name(), model.reported)
    page = client_of(lead)
    assert "stale" in page.get("/sets/").text
    assert model.reported in page.get(f"/runs/{run.pk}/").text

    # The form offers the model's own scores first; they are those it gave before it knew the label.
    assert f'<option value="{model.pk}" selected>' in page.get(f"/sets/{frozen.pk}/").text
    with workers():
        made = page.post(f"/sets/{frozen.pk}/", {"target_recall": "0.9", "level": "answer", "model": model.pk})
    again = frozen.runs.get(model=model)
    assert again.state == "done", again.refusal
    assert again.result["engine"]["support_model"] == model.reported
    assert again.result["n"] == 290
    known = dict(map(tuple, model.scores))
    cut = again.result["threshold"]
    assert sum(known[row.pk] >= cut for row in frozen.members.filter(label=1)) >= 0.9 * frozen.positives
    assert "scores of" in page.get(made.url).text
    behind = page.get(f"/runs/{again.pk}/items/?low={cut!r}").context["page"]
    assert behind.paginator.count == sum(score >= cut for score in known.values())
    assert [row.score for row in behind.object_list] == sorted((row.score for row in behind.object_list), reverse=True)
    new = services.choose_point(run=again, reason="for the new model", user=lead, now=NOW)
    assert not curves.stale_points(project, [new])[new.pk]

    # What rests on a set keeps it.
    with pytest.raises(services.BadInput, match="was fitted on this set"):
        services.delete_set(labelled_set=frozen, user=lead, now=NOW)


@pytest.mark.slow
def test_delivered_twice_it_runs_once_and_a_late_worker_stores_nothing(frozen, fit, lead, monkeypatch):
    refit = fit(frozen)
    refits.run_refit(refit_id=refit.pk)
    assert FittedModel.objects.count() == Event.objects.filter(kind="refit.done").count() == 1

    # A worker that was thought dead comes back after another one was given the refit.
    late = refits.request_refit(labelled_set=frozen, user=lead, now=timezone.now())
    real = refits.refit_and_compare

    def given_away(*args, **options):
        Refit.objects.filter(pk=late.pk).update(attempts=2)
        return real(*args, **options)

    monkeypatch.setattr(refits, "refit_and_compare", given_away)
    refits.run_refit(refit_id=late.pk)
    late.refresh_from_db()
    assert late.state == Refit.State.RUNNING
    assert FittedModel.objects.count() == 1


def test_a_refit_whose_worker_died_is_given_out_again_and_in_the_end_given_up(frozen, lead, workers, monkeypatch):
    begun = refits.request_refit(labelled_set=frozen, user=lead, now=NOW)
    runs = []
    monkeypatch.setattr(refits, "run_refit", lambda refit_id: runs.append(str(refit_id)))
    later = NOW + timedelta(hours=1)
    for attempts in range(1, refits.ATTEMPTS):
        Refit.objects.filter(pk=begun.pk).update(state="running", attempts=attempts, heartbeat_at=NOW)
        with workers():
            assert services.requeue_stale(now=later) == 1
        assert services.requeue_stale(now=later) == 0  # it has just been sent
    assert runs == [str(begun.pk)] * (refits.ATTEMPTS - 1)
    Refit.objects.filter(pk=begun.pk).update(state="running", attempts=refits.ATTEMPTS, heartbeat_at=NOW)
    assert services.requeue_stale(now=later) == 0
    begun.refresh_from_db()
    assert begun.state == Refit.State.FAILED
    assert "died 3 times" in begun.refusal


def test_called_off_it_stops_within_its_next_sign_of_life_and_stores_nothing(frozen, lead, client_of, monkeypatch):
    refit = refits.request_refit(labelled_set=frozen, user=lead, now=timezone.now())
    monkeypatch.setattr(refits, "BEAT", 0.0)
    read = []
    real = refits.Counting.example

    def one(self, line, row):
        read.append(row.key)
        if len(read) == 5:
            client_of(lead).post(f"/refits/{refit.pk}/cancel/")
        return real(self, line, row)

    monkeypatch.setattr(refits.Counting, "example", one)
    refits.run_refit(refit_id=refit.pk)
    assert len(read) == 5
    refit.refresh_from_db()
    assert (refit.state, refit.done) == (Refit.State.CANCELLED, 5)
    assert not FittedModel.objects.exists()
    assert "Nothing was stored." in client_of(lead).get(f"/refits/{refit.pk}/").text


def one_on_both_sides(rows):
    """A held-out answer once more among those that are fitted on."""
    held = next(row for row in rows if row.split == "test")
    fitted = next(row for row in rows if row.split == "train")
    fitted.line = {**held.line, "group": fitted.line["group"]}


def few_held_out(rows):
    for row in [row for row in rows if row.split == "test" and row.label == 1][4:]:
        row.split = "train"


@pytest.mark.parametrize(("change", "sentence"), [
    (lambda rows: [setattr(row, "label", None) for row in rows[40:]], "200 labelled examples are needed, there are"),
    (lambda rows: [setattr(row, "label", 1) for row in rows], "30 supported examples are needed, there are 0: 30 more"),
    (few_held_out, "10 unsupported examples are needed to compare on, there are 4: 6 more"),
    (one_on_both_sides, "1 answers stand on both sides of the split"),
], ids=["few", "one class", "few held out", "both sides"])  # fmt: skip
def test_what_cannot_be_fitted_on_is_refused_in_a_sentence_and_nothing_is_stored(
    change, sentence, frozen, fit, lead, client_of
):
    spoil(frozen, change)
    refit = fit(frozen)
    assert refit.state == Refit.State.REFUSED
    assert sentence in refit.refusal
    assert not FittedModel.objects.exists()
    assert sentence in client_of(lead).get(f"/refits/{refit.pk}/").text
    assert Event.objects.filter(kind="refit.refused").count() == 1


def test_one_refit_of_a_project_at_a_time(frozen, lead):
    first = refits.request_refit(labelled_set=frozen, user=lead, now=NOW)
    assert refits.request_refit(labelled_set=frozen, user=lead, now=NOW) == first


def test_a_held_out_answer_that_the_model_in_force_was_fitted_on_is_left_out(project, frozen, stored, lead, fit):
    model = stored()
    known = frozen.members.filter(split="test").first()
    model.refit.labelled_set.members.filter(answer=known.answer_id).update(split="train")
    reading_models.put_in_force(project=project, model=model, reason="x", user=lead, now=NOW)
    refit = fit(frozen)
    assert refit.state == Refit.State.DONE, refit.refusal
    assert refit.result["counts"]["known"] == 1
    assert refit.result["in_force"] == model.reported
    assert refit.result["shipped"]["auroc"]["value"] is not None
    assert known.pk not in dict(map(tuple, refit.model.scores))


def test_the_refits_page_shows_progress_and_a_way_to_call_it_off(frozen, lead, client_of):
    refit = refits.request_refit(labelled_set=frozen, user=lead, now=timezone.now())
    Refit.objects.filter(pk=refit.pk).update(state="running", done=40, total=290)
    page = client_of(lead)
    part = page.get(f"/refits/{refit.pk}/", headers={"HX-Request": "true"}).text
    assert "<h1" not in part
    assert 'max="290" value="40"' in part
    assert "hx-get" in part
    assert f"/refits/{refit.pk}/cancel/" in part
    Refit.objects.filter(pk=refit.pk).update(state="done")
    part = page.get(f"/refits/{refit.pk}/", headers={"HX-Request": "true"}).text
    assert "hx-get" not in part
    assert "Show the result" in part
