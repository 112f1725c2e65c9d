"""What is sent, to whom, and what is kept: nothing unless a lead agreed, everything once."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import override_settings
from django.utils import timezone

from proofing.errors import BadInput, Refused
from tests.proofing.judges.loopback import Said, verdict
from tests.webapp.judges.conftest import run
from tests.webapp.review.builders import NOW, Fault, make_item
from webapp.judges import asking, selectors, services
from webapp.judges.models import JudgeRun, JudgeSettings, JudgeUsage, JudgeVote
from webapp.review.models import Event

pytestmark = pytest.mark.django_db


# Consent ----------------------------------------------------------------------------------------------------------


def test_nothing_is_sent_before_a_lead_agreed(site, project, lead, wrong, loopback):
    with pytest.raises(BadInput, match="judges are off"):
        services.request_run(project=project, kind="answers", now=NOW)
    with pytest.raises(services.NotAgreed):
        services.configure(project=project, actor=lead, now=NOW, enabled=True, names=["one"], agreed=False)
    assert JudgeSettings.objects.filter(enabled=True).count() == 0
    assert loopback.asked == []


def test_what_was_agreed_is_kept_with_who_and_when_and_logged_without_texts(switched_on, project, lead, loopback):
    assert (switched_on.agreed_by, switched_on.agreed_at) == (lead, NOW)
    assert switched_on.agreed["one"] == {"base_url": loopback.url, "model": "one"}
    event = Event.objects.get(kind="judges.configured")
    assert (event.actor, event.data["judges"]) == (lead, ["one", "two"])


def test_one_more_judge_needs_a_yes_of_its_own_and_one_less_does_not(site, project, lead):
    configure = {"project": project, "actor": lead, "now": NOW, "enabled": True}
    services.configure(**configure, names=["one"], agreed=True)
    with pytest.raises(services.NotAgreed):
        services.configure(**configure, names=["one", "two"], agreed=False)
    services.configure(**configure, names=["one", "two"], agreed=True)
    assert list(services.configure(**configure, names=["two"], agreed=False).agreed) == ["two"]


def test_a_judge_that_moved_is_not_asked_until_a_lead_agrees_again(switched_on, project, wrong, judges_file, loopback):
    path = Path(judges_file("one", "two"))
    path.write_text(path.read_text().replace('model = "one"', 'model = "one-v2"'))
    with override_settings(JUDGES_FILE=str(path)):
        loopback.models["one-v2"] = loopback.models["one"]
        run(project)
    assert {asked.model for asked in loopback.asked} == {"two"}


def test_judges_switched_off_in_the_middle_say_nothing_more(switched_on, project, lead, wrong, loopback):
    requested = services.request_run(project=project, kind="answers", now=NOW)
    services.configure(project=project, actor=lead, now=NOW, enabled=False, names=["one"], agreed=False)
    services.run_judges(run_id=requested.pk)
    assert loopback.asked == []


def test_a_judge_the_site_does_not_have_cannot_be_chosen(site, project, lead):
    with pytest.raises(BadInput, match="no judge 'http://evil'"):
        services.configure(project=project, actor=lead, now=NOW, enabled=True, names=["http://evil"], agreed=True)


# Rounds -----------------------------------------------------------------------------------------------------------


def test_a_round_asks_about_what_waits_and_writes_down_what_was_said(switched_on, project, wrong, fine, loopback):
    done = run(project)
    assert (done.state, done.done, done.total) == ("done", 2, 2)
    assert done.result == {"answers": 2, "unsupported": 1, "supported": 1, "no_consensus": 0}
    votes = JudgeVote.objects.filter(answer=wrong.answer).order_by("judge")
    assert [(v.judge, v.outcome, v.unsupported, v.reason) for v in votes] == [
        ("one", "valid", True, "The source says 14 days."), ("two", "valid", True, "The source says 14 days."),
    ]  # fmt: skip
    assert len(loopback.asked) == 4
    usage = JudgeUsage.objects.get(judge="one")
    assert (usage.valid, usage.failed, usage.requests, usage.tokens) == (2, 0, 2, 220)


def test_a_second_round_asks_about_nothing_twice(switched_on, project, wrong, loopback):
    run(project)
    assert run(project).total == 0
    assert len(loopback.asked) == 2


def test_the_same_text_in_another_answer_costs_nothing(switched_on, project, queue, wrong, loopback):
    run(project)
    sources = [("other-name.md", "Articles may come back within 14 days.")]
    twin = make_item(queue, "You have 30 days.", sources=sources)
    run(project)
    assert len(loopback.asked) == 2
    assert JudgeVote.objects.filter(answer=twin.answer, unsupported=True, cost=0).count() == 2
    assert JudgeVote.objects.filter(answer=wrong.answer).count() == 2
    assert JudgeUsage.objects.get(judge="one").known == 1


def test_another_project_shares_nothing(switched_on, project, wrong, other_project, loopback):
    run(project)
    assert JudgeVote.objects.exclude(project=project).count() == 0
    with pytest.raises(BadInput):
        services.request_run(project=other_project, kind="answers", now=NOW)


def test_failures_are_shown_and_asked_again_by_the_next_round_that_needs_them(switched_on, project, wrong, loopback):
    loopback.models["one"] = lambda asked, before: Said(status=401)
    run(project)
    vote = JudgeVote.objects.get(judge="one")
    assert (vote.outcome, vote.fault, vote.unsupported) == ("failed", "http_401", None)
    usage = JudgeUsage.objects.get(judge="one")
    assert (usage.valid, usage.failed, usage.requests) == (0, 1, 1)
    assert selectors.layer_of(wrong).consensus.valid == 1


def test_a_round_delivered_twice_runs_once(switched_on, project, wrong, loopback):
    found = run(project)
    services.run_judges(run_id=found.pk)
    assert len(loopback.asked) == 2


def test_beginning_a_round_twice_gives_the_one_under_way(switched_on, project):
    first = services.request_run(project=project, kind="answers", now=NOW)
    assert services.request_run(project=project, kind="answers", now=NOW) == first
    assert services.request_run(project=project, kind="sanity", now=NOW) != first


def test_a_round_called_off_asks_nothing_more_and_keeps_what_it_has(switched_on, project, lead, queue, loopback):
    for n in range(12):
        make_item(queue, f"You have {n} days and 30 days.")

    found = services.request_run(project=project, kind="answers", now=NOW)

    def calls_off(asked, before):
        return verdict(True)

    loopback.models["one"] = calls_off
    seen = []
    beat = services._beat

    def beats(run):
        inner = beat(run)

        def counted(done):
            seen.append(done)
            if done >= 5:
                services.cancel_run(run=run, actor=lead, now=NOW)
            return inner(done)

        return counted

    services._beat = beats
    try:
        services.run_judges(run_id=found.pk)
    finally:
        services._beat = beat
    found.refresh_from_db()
    assert found.state == "cancelled"
    assert JudgeVote.objects.filter(judge="one").count() >= 5
    assert len(loopback.of("one")) < 12


def test_a_round_gives_its_worker_back_and_goes_on_where_it_stopped(
    switched_on, project, queue, loopback, monkeypatch, django_capture_on_commit_callbacks
):
    for n in range(12):
        make_item(queue, f"You have {n} days and 30 days.")
    monkeypatch.setattr(asking, "SLICE", -1.0)  # every slice is over before it begins
    found = services.request_run(project=project, kind="answers", now=timezone.now())
    services.run_judges(run_id=found.pk)
    found.refresh_from_db()
    assert (found.state, loopback.asked) == ("requested", [])
    monkeypatch.setattr(asking, "SLICE", 3600.0)
    loopback.models["two"] = lambda asked, before: Said(status=401)
    services.run_judges(run_id=found.pk)
    found.refresh_from_db()
    assert (found.state, found.done, found.total) == ("done", 12, 12)
    assert len(loopback.of("one")) == 12


def test_what_failed_in_one_slice_is_not_asked_again_in_the_next(switched_on, project, queue, loopback, monkeypatch):
    loopback.models["two"] = lambda asked, before: Said(status=401)
    for n in range(10):
        make_item(queue, f"You have {n} days and 30 days.")
    found = services.request_run(project=project, kind="answers", now=timezone.now())
    moments = iter([0.0, 0.0, 4000.0])  # begin, first handful, second handful
    with monkeypatch.context() as patched:
        patched.setattr(asking, "time", SimpleNamespace(monotonic=lambda: next(moments)))
        services.run_judges(run_id=found.pk)
    assert JudgeVote.objects.count() == 10
    services.run_judges(run_id=found.pk)
    found.refresh_from_db()
    assert found.state == "done"
    assert (len(loopback.of("one")), len(loopback.of("two"))) == (10, 10)
    assert JudgeUsage.objects.get(judge="two").failed == 10


def test_an_answer_deleted_meanwhile_leaves_nothing(switched_on, project, wrong, loopback):
    found = services.request_run(project=project, kind="answers", now=timezone.now())
    answer = wrong.answer

    def deletes(asked, before):
        return verdict(True)

    loopback.models["one"] = deletes
    written = asking._write_down

    def deleted_first(*arguments):
        wrong.decisions.all().delete()
        wrong.delete()
        answer.inspections.all().delete()
        answer.delete()
        written(*arguments)

    asking._write_down = deleted_first
    try:
        services.run_judges(run_id=found.pk)
    finally:
        asking._write_down = written
    found.refresh_from_db()
    assert (found.state, JudgeVote.objects.count()) == ("done", 0)


def test_a_monthly_budget_holds_over_projects_and_rounds(project, lead, queue, loopback, judges_file, other_project):
    JudgeUsage.objects.create(
        project=other_project, judge="one", month=timezone.now().date().replace(day=1), requests=3
    )
    for n in range(5):
        make_item(queue, f"You have {n} days and 30 days.")
    with override_settings(JUDGES_FILE=judges_file("one", budget_requests=5, concurrency=1)):
        services.configure(
            project=project, actor=lead, now=NOW, enabled=True, names=["one"], agreed=True, least_votes=1
        )
        done = run(project)
    assert len(loopback.asked) == 2
    assert done.result == {"answers": 5, "unsupported": 2, "supported": 0, "no_consensus": 3}
    assert JudgeVote.objects.filter(outcome="over_budget").count() == 3


def test_nothing_of_the_texts_is_logged_even_when_a_round_breaks(switched_on, project, wrong, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)

    def breaks(*arguments, **options):
        raise RuntimeError(f"something about {wrong.answer.text}")

    monkeypatch.setattr(asking, "_write_down", breaks)
    done = run(project)
    assert (done.state, done.error) == ("failed", "RuntimeError")
    assert "30 days" not in caplog.text


def test_a_sanity_round_sends_built_in_texts_alone(switched_on, project, wrong, loopback):
    done = run(project, kind="sanity")
    assert done.state == "done"
    assert {row["judge"] for row in done.result["judges"]} == {"one", "two"}
    assert all("returned" not in asked.answer and asked.answer != wrong.answer.text for asked in loopback.asked)
    asked = len(loopback.asked)
    run(project, kind="sanity")
    assert len(loopback.asked) == asked


# What was lost, what is new ---------------------------------------------------------------------------------------


def test_the_sweep_gives_out_again_what_a_silent_worker_had_and_gives_up_on_poison(switched_on, project):
    found = services.request_run(project=project, kind="answers", now=NOW)
    JudgeRun.objects.filter(pk=found.pk).update(state="running", attempts=1)
    later = NOW + timedelta(hours=1)
    assert services.sweep(now=later) == 1
    found.refresh_from_db()
    assert found.state == "requested"
    JudgeRun.objects.filter(pk=found.pk).update(state="running", attempts=3)
    assert services.sweep(now=later + timedelta(hours=1)) == 0
    found.refresh_from_db()
    assert (found.state, found.error) == ("failed", "its worker died 3 times")


def test_a_worker_thought_dead_writes_no_end_over_its_successor(switched_on, project, wrong, monkeypatch):
    found = services.request_run(project=project, kind="answers", now=timezone.now())

    def overtaken(run, beat):
        JudgeRun.objects.filter(pk=run.pk).update(attempts=2)
        return {"answers": 1}

    monkeypatch.setitem(services._ROUNDS, "answers", overtaken)
    services.run_judges(run_id=found.pk)
    found.refresh_from_db()
    assert (found.state, found.result) == ("running", None)


def test_new_answers_are_judged_by_themselves_only_where_that_was_asked_for(switched_on, project, lead, wrong):
    assert services.sweep(now=NOW) == 0
    services.configure(
        project=project, actor=lead, now=NOW, enabled=True, names=["one", "two"], agreed=False, automatic=True
    )
    assert services.sweep(now=NOW) == 1
    assert services.sweep(now=NOW) == 0  # one is under way
    services.run_judges(run_id=JudgeRun.objects.get().pk)
    assert services.sweep(now=NOW + timedelta(seconds=1)) == 0  # nothing new


# Fitting ----------------------------------------------------------------------------------------------------------


def test_fitting_without_labels_is_refused_with_what_is_missing(switched_on, project, lead):
    with pytest.raises(Refused, match="200 labelled"):
        services.fit_on_labels(project=project, actor=lead, now=NOW)
    switched_on.refresh_from_db()
    assert switched_on.calibration is None


def test_labels_with_votes_fit_threshold_and_stack(switched_on, project, lead, queue, loopback):
    loopback.models["two"] = lambda asked, before: verdict("30 days" in asked.answer or before % 5 == 0)
    for n in range(220):
        faulty = n % 3 == 0
        text = f"Order {n}: you have {'30' if faulty else '14'} days."
        item = make_item(queue, text, [Fault("30 days")] if faulty else [], probability=0.6 if n % 2 else 0.3)
        type(item.answer).objects.filter(pk=item.answer_id).update(given_label=int(faulty))
    run(project)
    run(project)
    found = services.fit_on_labels(project=project, actor=lead, now=NOW)
    assert found.threshold == "calibrated"
    assert found.calibration["threshold"] == 1.0
    assert selectors.threshold_of(found) == 1.0
    assert found.stack["votes"] > found.stack["engine"]
    wrong = make_item(queue, "Order 999: you have 30 days.", [Fault("30 days")], probability=0.5)
    run(project)
    layer = selectors.layer_of(wrong)
    assert layer.stacked > 0.8
    assert layer.consensus.unsupported is True
