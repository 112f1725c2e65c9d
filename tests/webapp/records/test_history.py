"""Drift compares with every time a question was answered before, whatever order workers work in."""

from __future__ import annotations

from tests.webapp.conftest import line_of
from webapp.intake import services as intake
from webapp.records.models import Observation

PRICE = "The Atlas plan costs $40 per month."
QUESTION = "What does the Atlas plan cost?"


def drift_of(inspection):
    return inspection.report["checks"]["drift"]


def test_five_observations_of_one_answer_are_five_earlier_answers(receive, queue):
    for minute in range(5):
        receive(line_of(PRICE, QUESTION), minutes=minute, request_key=f"r-{minute}")
    sixth = receive(line_of("It is $95 a year and billed once, cancel whenever.", QUESTION), minutes=9)
    inspection = intake.proofread_answer(answer_id=sixth.answer.pk)
    assert drift_of(inspection)["compared"] == 5
    assert drift_of(inspection)["drifted"] is True


def test_what_is_earlier_follows_from_when_it_was_seen_not_from_who_was_proofread_first(receive, queue):
    later = receive(line_of("It is $95 a year.", QUESTION), minutes=60).answer
    for minute in range(4):
        receive(line_of(PRICE, QUESTION), minutes=minute)
    inspection = intake.proofread_answer(answer_id=later.pk)
    assert drift_of(inspection)["compared"] == 4


def test_the_first_answers_have_nothing_to_drift_from(receive, queue):
    first = receive(line_of(PRICE, QUESTION)).answer
    receive(line_of("It is $95 a year.", QUESTION), minutes=60)
    assert drift_of(intake.proofread_answer(answer_id=first.pk))["compared"] == 0


def test_questions_that_differ_in_case_and_spacing_share_a_history(receive, queue):
    for minute in range(4):
        receive(line_of(PRICE, QUESTION), minutes=minute)
    asked = receive(line_of("It is $95 a year.", "what does the  Atlas plan cost"), minutes=9).answer
    assert drift_of(intake.proofread_answer(answer_id=asked.pk))["compared"] == 4


def test_another_project_has_another_history(receive, queue, other_project, now):
    from webapp.records.services import receive_answer

    for minute in range(4):
        receive(line_of(PRICE, QUESTION), minutes=minute)
    theirs = receive_answer(project=other_project, line=line_of("It is $95 a year.", QUESTION), now=now).answer
    assert drift_of(intake.proofread_answer(answer_id=theirs.pk))["compared"] == 0


def test_answers_without_a_question_are_not_compared(receive, queue):
    for minute in range(4):
        receive(line_of(f"The plan costs ${minute}.", ""), minutes=minute)
    last = receive(line_of("The plan costs $99.", ""), minutes=9).answer
    assert drift_of(intake.proofread_answer(answer_id=last.pk))["compared"] == 0


def test_a_fingerprint_holds_no_text(receive, queue):
    answer = receive(line_of(PRICE, QUESTION)).answer
    intake.proofread_answer(answer_id=answer.pk)
    assert PRICE not in str(Observation.objects.get().fingerprint)


def test_one_generic_question_about_many_sources_is_as_many_questions(receive, queue):
    overviews = [f"{name}: {what}" for name, what in SHOPS]
    for minute, text in enumerate(overviews):
        inspection = intake.proofread_answer(
            answer_id=receive(line_of(text, "Write an overview.", (text,)), minutes=minute).answer.pk
        )
        assert drift_of(inspection)["compared"] == 0


SHOPS = [
    ("Anders", "bread and cakes, open from six on weekdays."),
    ("Bolte", "repairs watches while you wait."),
    ("Cramer", "a bookshop with 9,000 second-hand novels."),
    ("Dorn", "cuts hair, takes no cards."),
    ("Ewald", "rents bicycles by the day to visitors of the lake."),
]


def test_answers_waiting_for_a_worker_are_told_apart_too(receive, queue):
    for minute, (name, _) in enumerate(SHOPS):
        receive(line_of(f"{name} is new here.", "Who is it?", (name,)), minutes=minute)
    last = receive(line_of("Frey is old.", "Who is it?", ("Cuts beards on all Fridays.",)), minutes=9).answer
    assert drift_of(intake.proofread_answer(answer_id=last.pk))["compared"] == 0


def test_an_answer_that_could_not_be_read_is_nobodys_past(receive, queue):
    from webapp.records.models import Answer

    for minute in range(4):
        kept = receive(line_of(PRICE, QUESTION), minutes=minute, request_key=f"r-{minute}").answer
    broken = receive(line_of("word " * 50, QUESTION), minutes=5).answer
    Answer.objects.filter(pk=broken.pk).update(state=Answer.State.FAILED)
    asked = receive(line_of("It is $95 a year.", QUESTION), minutes=9).answer
    assert drift_of(intake.proofread_answer(answer_id=asked.pk))["compared"] == 4
    assert broken.observations.filter(fingerprint__isnull=False).count() == 0
    assert kept.observations.filter(fingerprint__isnull=False).exists()
