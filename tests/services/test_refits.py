"""A refit of the support model on real workers: killed in the middle, it is made once, by the next one."""

from __future__ import annotations

import time

import pytest

from tests.services.stage import kill

pytestmark = pytest.mark.slow

COUNT = 600
#: A project with decided answers, half of them wrong, frozen as a set, and a refit asked for.
PREPARE = f"""
import uuid
from django.utils import timezone
from webapp.accounts.models import User
from webapp.calibration.refits import request_refit
from webapp.calibration.services import freeze_set
from webapp.records.models import Answer, AnswerSource, Inspection, Project, Question, Source
from webapp.review.models import Decision, Item, Queue

now = timezone.now()
project = Project.objects.create(slug="killing", name="Killing", tier="fast")
queue = Queue.objects.create(project=project, name="Queue")
user = User.objects.create_user("reviewer")
question = Question.objects.create(project=project, text="How long is it kept?", text_hash="q")
numbers = range({COUNT})
sources = Source.objects.bulk_create(
    Source(project=project, source_key=f"depot-{{n}}", text_hash=str(n),
           text=f"Parcel {{n}} is kept for {{n % 30 + 2}} days. " + f"Depot {{n}} opens at nine. " * 20)
    for n in numbers)
answers = Answer.objects.bulk_create(
    Answer(project=project, question=question, content_hash=str(n), state="decided", received_at=now,
           text=f"Parcel {{n}} is kept for {{n % 30 + 2 + n % 2}} days. " + f"Depot {{n}} opens at nine. " * 10)
    for n in numbers)
AnswerSource.objects.bulk_create(
    AnswerSource(answer=a, source=s, position=0) for a, s in zip(answers, sources, strict=True))
inspections = Inspection.objects.bulk_create(
    Inspection(answer=a, engine_version="0", sha256="0", report={{"marks": []}}, unsupported_probability=0.5,
               above_cut=False, risk="low", route="accept", created_at=now) for a in answers)
items = Item.objects.bulk_create(
    Item(queue=queue, answer=a, inspection=i, state="decided") for a, i in zip(answers, inspections, strict=True))
Decision.objects.bulk_create(
    Decision(item=item, inspection=item.inspection, reviewer=user, kind="reject" if n % 2 else "keep",
             request_key=str(n), decided_at=now) for n, item in enumerate(items))
request_refit(labelled_set=freeze_set(project=project, name="Set", now=now), now=now)
"""
SEEN = (
    "SELECT state, attempts, done, total, (SELECT count(*) FROM calibration_fittedmodel), "
    "(SELECT count(*) FROM review_event WHERE kind = 'refit.done'), refusal FROM calibration_refit"
)


def wait(stage, condition, *, seconds):
    """Look at the one refit until `condition` holds of (state, attempts, done, total, models, events, refusal)."""
    deadline = time.monotonic() + seconds
    while not condition(*(row := stage._row(SEEN))):
        assert time.monotonic() < deadline, f"not after {seconds} s: {row}\n{stage.last_words()}"
        time.sleep(0.1)
    return row


def test_a_refit_whose_worker_is_killed_is_made_once_by_the_next(stage, tmp_path):
    script = tmp_path / "prepare.py"
    script.write_text(PREPARE, encoding="utf-8")
    stage.manage("shell", "--no-imports", "-c", f"exec(open({str(script)!r}).read())")
    victim = stage.worker("first")
    stage.reaper()
    wait(stage, lambda state, attempts, done, *_: state == "running" and done > 0, seconds=120)
    kill(victim)
    state, attempts, done, total, *_ = stage._row(SEEN)
    assert (state, attempts) == ("running", 1), "the worker was killed too late to show anything"
    assert 0 < done < total
    stage.worker("second")
    row = wait(stage, lambda state, *_: state not in ("requested", "running"), seconds=300)
    assert row == ("done", 2, COUNT, COUNT, 1, 1, "")
