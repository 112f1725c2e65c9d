from __future__ import annotations

import pytest
from django.urls import reverse

from proofing.errors import BadInput
from tests.webapp.conftest import NOW, OUTSIDERS, line_of
from webapp.calibration import services
from webapp.calibration.contents import judged_marks
from webapp.calibration.models import CalibrationRun, LabelledRow, LabelledSet, OperatingPoint
from webapp.calibration.selectors import active_point
from webapp.intake import engine
from webapp.records.services import Conflict, delete_answer
from webapp.review import services as review


@pytest.fixture
def calibrate(workers):
    def run(frozen, **options):
        with workers():
            asked = services.request_calibration(labelled_set=frozen, now=NOW, **options)
        asked.refresh_from_db()
        return asked

    return run


def freeze(project, name="March"):
    return services.freeze_set(project=project, name=name, now=NOW)


def test_a_frozen_set_counts_its_labels_and_does_not_change(project, item_of, decide, reviewer):
    decision = decide(item_of(), "accept_healed")
    decide(item_of("You have 14 days to return it."), "keep")
    frozen = freeze(project)
    assert (frozen.rows, frozen.positives, frozen.explicit) == (2, 1, 0)
    review.undo_decision(decision=decision, reviewer=reviewer, now=NOW)
    assert LabelledRow.objects.filter(labelled_set=frozen).count() == 2
    assert freeze(project, "Later").rows == 1


def test_the_same_labels_give_the_same_hash(project, item_of, decide):
    decide(item_of(), "accept_healed")
    assert freeze(project, "One").sha256 == freeze(project, "Two").sha256


def test_two_sets_cannot_share_a_name(project):
    freeze(project)
    with pytest.raises(services.NameTaken):
        freeze(project)


def test_an_answer_in_a_frozen_set_cannot_be_deleted(project, item_of, decide, reviewer):
    item = item_of()
    decide(item, "keep")
    frozen = freeze(project)
    with pytest.raises(Conflict, match="March"):
        delete_answer(answer=item.answer, actor=reviewer, now=NOW)
    services.delete_set(labelled_set=frozen, user=reviewer, now=NOW)
    delete_answer(answer=item.answer, actor=reviewer, now=NOW)


def test_too_few_labels_are_refused_with_how_many_are_missing(project, item_of, decide, calibrate):
    decide(item_of(), "accept_healed")
    run = calibrate(freeze(project))
    assert run.state == CalibrationRun.State.REFUSED
    assert "199" in run.refusal
    assert run.result is None


def on_both_sides(rows):
    """One answer twice, in two groups."""
    rows[1].line = {**rows[0].line, "group": "another"}


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda rows: rows[0].delete(), "200 labelled examples are needed, there are 199: 1 more"),
        (lambda rows: [setattr(row, "label", 1) for row in rows], "30 supported examples are needed, there are 0: 30"),
        (lambda rows: setattr(rows[0], "score", 1.5), "1 of 200 scores are not numbers between 0 and 1"),
        (lambda rows: setattr(rows[0], "score", -0.1), "1 of 200 scores are not numbers between 0 and 1"),
        (on_both_sides, "1 examples stand on both sides of the split"),
    ],
    ids=["199", "one class", "over 1", "under 0", "both sides"],
)  # fmt: skip
def test_what_a_point_cannot_be_fitted_on_is_refused_and_nothing_is_stored(
    spoil, sentence, project, many_labelled, calibrate, lead, client_of
):
    many_labelled(200)
    frozen = freeze(project)
    rows = list(frozen.members.order_by("pk"))
    spoil(rows)
    LabelledRow.objects.bulk_update([row for row in rows if row.pk], ["label", "score", "line"])
    run = calibrate(frozen)
    assert run.state == CalibrationRun.State.REFUSED
    assert sentence in run.refusal
    assert run.result is None
    page = client_of(lead)
    assert sentence in page.get(f"/runs/{run.pk}/").text
    page.post(f"/runs/{run.pk}/choose/", {"reason": "I want it"})
    assert not OperatingPoint.objects.exists()


def test_a_score_that_is_no_number_is_never_stored(item_of):
    from django.db import IntegrityError, transaction

    inspection = item_of().inspection
    for score in (float("nan"), 1.5, -0.1):
        inspection.unsupported_probability = score
        with pytest.raises(IntegrityError), transaction.atomic():
            inspection.save()


def test_two_hundred_labels_give_a_point_with_its_cost(project, many_labelled, calibrate):
    many_labelled(200)
    run = calibrate(freeze(project), target_recall=0.9)
    assert run.state == CalibrationRun.State.DONE
    assert run.result["recall"]["value"] >= 0.9
    assert run.result["fpr"]["interval"]
    assert run.result["labels"] == {"explicit": 0, "implied": 200}


def test_marks_count_only_where_somebody_judged_them(project, many_labelled, calibrate):
    many_labelled(200)
    run = calibrate(freeze(project), level="mark")
    assert run.state == CalibrationRun.State.REFUSED
    assert "200" in run.refusal


def test_delivered_twice_it_runs_once(project, many_labelled, calibrate):
    many_labelled(200)
    run = calibrate(freeze(project))
    before = run.result
    services.run_calibration(run_id=run.pk)
    run.refresh_from_db()
    assert run.result == before


def test_a_chosen_point_judges_answers_from_then_on(project, many_labelled, calibrate, lead, proofread):
    many_labelled(200)
    run = calibrate(freeze(project))
    assert proofread(line_of("You have 1 day.")).report["calibration"] is None
    point = services.choose_point(run=run, reason="first", user=lead, now=NOW)
    judged = proofread(line_of("You have 2 days.")).report["calibration"]
    assert judged["threshold"] == point.threshold
    assert judged["fpr"] == run.result["fpr"]["value"]
    assert isinstance(judged["above"], bool)


def test_one_point_is_in_force_and_an_older_one_can_come_back(project, many_labelled, calibrate, lead):
    many_labelled(200)
    frozen = freeze(project)
    first = services.choose_point(run=calibrate(frozen), reason="first", user=lead, now=NOW)
    second = services.choose_point(run=calibrate(frozen, target_recall=0.8), reason="cheaper", user=lead, now=NOW)
    assert active_point(project=project, level="answer") == second
    services.activate_point(point=first, user=lead, now=NOW)
    assert active_point(project=project, level="answer") == first
    assert OperatingPoint.objects.filter(active=True).count() == 1


def test_a_point_of_level_mark_moves_the_drawing_line(project, many_labelled, calibrate, lead):
    many_labelled(200)
    run = calibrate(freeze(project))
    CalibrationRun.objects.update(level="mark")
    run.refresh_from_db()
    point = services.choose_point(run=run, reason="marks", user=lead, now=NOW)
    assert engine.settings_of(project).mark_cut == point.threshold
    assert engine.point_of(project) is None


@pytest.mark.parametrize("recall", [0, -1, 1.01])
def test_a_recall_that_makes_no_sense_is_refused(project, recall):
    with pytest.raises(BadInput):
        services.request_calibration(labelled_set=freeze(project), now=NOW, target_recall=recall)


# Pages ---------------------------------------------------------------------------------------------------------


def test_a_lead_freezes_calibrates_and_chooses(project, many_labelled, lead, client_of, workers):
    many_labelled(200)
    page = client_of(lead)
    with workers():
        made = page.post("/sets/", {"name": "March"})
    assert made.status_code == 302
    with workers():
        page.post(made.url, {"target_recall": "0.95", "level": "answer"})
    shown = page.get(made.url)
    assert "False alarms" in shown.text
    run = CalibrationRun.objects.get()
    assert page.post(f"/runs/{run.pk}/choose/", {"reason": ""}).status_code == 302
    assert not OperatingPoint.objects.exists()
    page.post(f"/runs/{run.pk}/choose/", {"reason": "first try"})
    assert "in force" in page.get("/sets/").text


def test_a_refusal_is_shown_in_its_own_words(project, lead, client_of, workers, many_labelled):
    many_labelled(2)
    page = client_of(lead)
    with workers():
        made = page.post("/sets/", {"name": "Few"})
    with workers():
        page.post(made.url, {"target_recall": "0.95", "level": "answer"})
    assert CalibrationRun.objects.get().refusal in page.get(made.url).text


@pytest.mark.parametrize("outsider", [*OUTSIDERS, "reviewer"])
def test_calibration_is_closed_to(outsider, outsiders, reviewer, project, client_of, many_labelled, calibrate, lead):
    frozen = freeze(project)
    run = CalibrationRun.objects.create(labelled_set=frozen, created_at=NOW, result={"threshold": 0.5})
    page = client_of({**outsiders, "reviewer": reviewer}[outsider])
    closed = {302, 403, 404}
    assert page.get("/sets/?project=shop").status_code in closed
    assert page.post("/sets/", {"name": "Mine", "project": "shop"}).status_code in closed
    assert page.get(f"/sets/{frozen.pk}/").status_code in closed
    assert page.post(f"/sets/{frozen.pk}/", {"target_recall": "0.9", "level": "answer"}).status_code in closed
    assert page.post(f"/runs/{run.pk}/choose/", {"reason": "mine"}).status_code in closed
    assert LabelledSet.objects.count() == CalibrationRun.objects.count() == 1
    assert not OperatingPoint.objects.exists()


def test_the_page_says_how_many_labels_are_missing_before_anybody_asks(project, lead, client_of):
    page = client_of(lead).get(reverse("calibration:sets")).text
    assert "Still missing: 200 labelled answers in all, 30 with something unsupported, 30 without." in page


MISSING = "Still missing: 199 labelled answers in all, 29 with something unsupported, 30 without."
CALIBRATE, FIT = "Calibrate</button>", "Fit the support model on this set</button>"


def is_disabled(page, button):
    return "disabled" in page[: page.index(button)].rpartition("<button")[2]


def test_a_set_that_is_too_small_cannot_be_asked_to_be_calibrated_or_fitted_and_says_what_is_missing(
    project, item_of, decide, lead, client_of
):
    decide(item_of(), "accept_healed")
    small = freeze(project)
    page = client_of(lead).get(f"/sets/{small.pk}/").text
    assert MISSING in page
    assert "For the level of marks, still missing: 200 judged marks in all, 30 unsupported, 30 supported." in page
    assert "Still missing: 219 labelled answers in all, 39 with something unsupported, 40 without." in page  # to fit
    assert is_disabled(page, CALIBRATE)
    assert is_disabled(page, FIT)
    models = client_of(lead).get("/models/?project=shop").text
    assert is_disabled(models, "Fit and compare</button>")
    assert f'value="{small.pk}" disabled' in models


def test_a_set_that_may_do_can_be_asked(frozen, lead, client_of):
    page = client_of(lead).get(f"/sets/{frozen.pk}/").text
    assert "Still missing" not in page
    assert not is_disabled(page, CALIBRATE)
    assert not is_disabled(page, FIT)
    assert not is_disabled(client_of(lead).get("/models/?project=shop").text, "Fit and compare</button>")


def test_many_judged_marks_of_few_answers_can_be_calibrated_on(frozen, lead, client_of):
    frozen.rows, frozen.positives = 150, 75
    frozen.contents["marks"] = {"unsupported": 150, "supported": 150}
    frozen.save()
    page = client_of(lead).get(f"/sets/{frozen.pk}/").text
    assert "Still missing: 50 labelled answers" in page
    assert not is_disabled(page, CALIBRATE)
    assert is_disabled(page, FIT)


def test_judged_marks_are_counted_when_a_set_is_frozen(project, item_of, decide):
    decide(item_of(), "reject", verdicts={0: "unsupported"})
    decide(item_of("You have 31 days to return it."), "keep", verdicts={0: "supported"})
    kept = freeze(project)
    assert kept.contents["marks"] == {"unsupported": 1, "supported": 1}
    del kept.contents["marks"]  # as in a set from before they were counted
    kept.save()
    assert judged_marks(kept) == (1, 1)
    kept.refresh_from_db()
    assert kept.contents["marks"] == {"unsupported": 1, "supported": 1}


def test_nothing_is_missing_where_there_is_enough():
    from webapp.calibration.selectors import LabelCounts

    assert not LabelCounts(300, 150, 150).missing
    assert LabelCounts(300, 290, 10).missing.supported == 20
