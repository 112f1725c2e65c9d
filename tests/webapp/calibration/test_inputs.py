"""Whether answers are like they were when labels were frozen."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.webapp.conftest import NOW, line_of
from webapp.calibration import inputs, services
from webapp.calibration.models import AnswerInput, CalibrationRun, LabelledSet
from webapp.intake import again
from webapp.records.models import Answer, Question


@pytest.fixture
def seen(project):
    """Stores what some answers were like, without their texts: `seen(200, words=40)`."""
    question = Question.objects.create(project=project, text="", text_hash="q" * 64)
    counted = [0]

    def store(count, *, of=project, words=40, sources=3, language="en", marked=0.3, route="accept", probability=0.2):
        asked = question if of == project else Question.objects.create(project=of, text="", text_hash="r" * 64)
        first = counted[0]
        counted[0] += count
        moments = [NOW + timedelta(minutes=first + n) for n in range(count)]
        answers = Answer.objects.bulk_create(
            Answer(project=of, question=asked, text="x", content_hash=f"{first + n}", received_at=moment)
            for n, moment in enumerate(moments)
        )
        AnswerInput.objects.bulk_create(
            AnswerInput(
                answer=answer, project=of, at=moments[n], answer_words=words + n % 17, source_count=sources,
                source_words=300 + n % 50, language=language, marked=n < marked * count, route=route,
                probability=min(1.0, probability + n % 20 / 100),
            )
            for n, answer in enumerate(answers)
        )  # fmt: skip

    return store


def freeze(project, name="March"):
    return services.freeze_set(project=project, name=name, now=NOW)


def test_what_an_answer_was_like_is_kept_when_it_is_first_proofread(proofread, project, lead):
    text = "Sie haben 30 Tage, um die Ware zu den gleichen Bedingungen zurückzugeben."
    line = line_of(text, sources=("Die Ware wird in 14 Tagen zurückgegeben.", "Zwei Quellen sind es."))
    inspection = proofread(line)
    kept = AnswerInput.objects.get()
    assert (kept.answer_words, kept.source_count, kept.source_words) == (12, 2, 11)
    assert (kept.language, kept.marked, kept.route) == ("de", True, inspection.route)
    assert kept.probability == inspection.unsupported_probability
    again.proofread_again(answers=[inspection.answer], actor=lead, now=NOW)
    project.profile = "strict"
    project.save()
    again.read_again(answer_id=inspection.answer_id)
    assert inspection.answer.inspections.count() == 2
    assert AnswerInput.objects.get().probability == kept.probability


def test_nothing_is_said_without_a_set_or_with_too_few_answers(project, seen):
    assert inputs.input_notice(project).since is None
    seen(99)
    freeze(project)
    notice = inputs.input_notice(project)
    assert not notice
    assert notice.few


def test_the_same_kind_of_answers_moves_nothing(project, seen):
    seen(300)
    freeze(project)
    seen(300)
    notice = inputs.input_notice(project)
    assert not notice
    assert not notice.few


@pytest.mark.parametrize(("change", "name"), [
    ({"words": 120}, "answer_words"),
    ({"sources": 8}, "source_count"),
    ({"language": "es"}, "language"),
    ({"marked": 0.9}, "marked"),
    ({"route": "fallback"}, "route"),
    ({"probability": 0.7}, "probability"),
])  # fmt: skip
def test_what_moved_is_named_and_nothing_else(change, name, project, seen):
    seen(300)
    freeze(project)
    seen(500, **change)
    moved = inputs.input_notice(project).moved
    assert [one.name for one in moved] == [name]
    assert moved[0].index >= moved[0].limit
    assert abs(moved[0].part.now - moved[0].part.then) > 0.3


def test_answers_are_compared_with_the_time_of_the_point_in_force(project, seen, lead):
    seen(300)
    older = freeze(project)
    run = CalibrationRun.objects.create(
        labelled_set=older, created_at=NOW, state="done", result={"threshold": 0.5, "fpr": {"value": 0.1}}
    )
    services.choose_point(run=run, reason="x", user=lead, now=NOW)
    seen(500, words=120)
    freeze(project, "April")  # newer, and like the answers of today
    notice = inputs.input_notice(project)
    assert notice.since == older
    assert notice.calibrated
    assert [one.name for one in notice.moved] == ["answer_words"]


def test_what_depends_on_the_model_is_not_compared_across_models(project, seen, stored, lead):
    seen(300)
    model = stored()  # its set is the newest
    from webapp.calibration.reading_models import put_in_force

    put_in_force(project=project, model=model, reason="x", user=lead, now=NOW)
    seen(500, probability=0.7, route="fallback", marked=0.9, words=120)
    notice = inputs.input_notice(project)
    assert [one.name for one in notice.moved] == ["answer_words"]
    assert notice.left_out


def test_another_projects_answers_move_nothing_here(project, other_project, seen):
    seen(300)
    freeze(project)
    seen(500, of=other_project, words=120)
    assert not inputs.input_notice(project)


def test_leads_read_it_on_their_pages_with_what_to_do_and_reviewers_do_not(project, seen, lead, reviewer, client_of):
    seen(300)
    freeze(project)
    seen(500, words=120)
    for address in ("/sets/?project=shop", "/insights/?project=shop"):
        page = client_of(lead).get(address).text
        assert "Answers are not like they were." in page
        assert "length of answers, in words" in page
        assert "over 55 in 5.7\N{NO-BREAK SPACE}% of answers then, 100.0\N{NO-BREAK SPACE}% now" in page
        assert "median 48 then, 128 now" in page
        assert "calibrate again" in page
    assert "Answers are not like they were." not in client_of(reviewer).get("/insights/?project=shop").text


def test_where_the_median_stays_the_notice_still_says_what_moved(project, seen, lead, client_of):
    seen(194, sources=1)
    seen(6, sources=3)
    freeze(project)
    seen(300, sources=1)
    seen(60, sources=2)
    seen(60, sources=3)
    seen(80, sources=4)
    page = client_of(lead).get("/sets/?project=shop").text
    assert "number of sources: 2 to 4 in 3.0\N{NO-BREAK SPACE}% of answers then, 40.0\N{NO-BREAK SPACE}% now" in page
    assert "median 1 then" not in page


def test_a_language_that_came_is_named(project, seen, lead, client_of):
    seen(300)
    freeze(project)
    seen(200)
    seen(300, language="es")
    page = client_of(lead).get("/sets/?project=shop").text
    assert "language: es in 0.0\N{NO-BREAK SPACE}% of answers then, 60.0\N{NO-BREAK SPACE}% now" in page


def test_only_a_window_is_read(project, seen, django_assert_max_num_queries, monkeypatch):
    monkeypatch.setattr(inputs, "WINDOW", 150)
    seen(300)
    kept = freeze(project)
    assert all(sum(shape["counts"].values()) == 150 for shape in kept.inputs["inputs"].values())
    seen(400)
    with django_assert_max_num_queries(5):
        inputs.input_notice(project)


def test_a_set_that_was_frozen_before_inputs_were_kept_says_nothing(project, seen):
    seen(300)
    freeze(project)
    LabelledSet.objects.update(inputs=None)
    assert not inputs.input_notice(project)
