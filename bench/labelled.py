"""A project of a few hundred decided answers with a calibration run and a refit of the support model, for the pictures.

Every answer is a copy of one that the demo holds, with another number in it, a drawn probability and a decision that
follows what the engine said of that one, and the probability, most of the time. The figures of such a run say nothing
about the product. After the labels are frozen, what is kept of the answers' lengths is doubled, so that there is a
notice to look at.
"""

from __future__ import annotations

import hashlib
import random
from datetime import timedelta
from typing import Any

ANSWERS = 320


def labelled_project(lead: Any, reviewer: Any) -> Any:
    """The project "Archive", led by `lead`, decided by `reviewer`; returns its finished run."""
    from django.db.models import F
    from django.utils import timezone

    from webapp.accounts.models import Membership
    from webapp.calibration.models import AnswerInput, CalibrationRun
    from webapp.calibration.refits import request_refit
    from webapp.calibration.services import freeze_set, request_calibration
    from webapp.records.models import Answer, Project
    from webapp.review.models import Queue

    project = Project.objects.create(name="Archive", slug="archive", tier="fast")
    Membership.objects.create(project=project, user=lead, role=Membership.Role.ADMIN)
    Membership.objects.create(project=project, user=reviewer, role=Membership.Role.REVIEWER)
    queue = Queue.objects.create(project=project, name="Archive", audit_share=0.0)
    models = list(Answer.objects.filter(project__slug="demo", inspections__isnull=False).order_by("pk").distinct()[:20])
    draw = random.Random(5)
    for number in range(ANSWERS):
        _decided(queue, models[number % len(models)], number, draw, reviewer)
    now = timezone.now()
    kept = freeze_set(project=project, name="Spring", filters={}, user=lead, now=now)
    run = request_calibration(labelled_set=kept, now=now + timedelta(seconds=1), target_recall=0.9, user=lead)
    request_refit(labelled_set=kept, now=timezone.now(), user=lead)
    AnswerInput.objects.filter(project=project).update(answer_words=F("answer_words") * 2, marked=True)
    return CalibrationRun.objects.get(pk=run.pk)


def _decided(queue: Any, model: Any, number: int, draw: random.Random, reviewer: Any) -> None:
    from django.utils import timezone

    from webapp.calibration.models import AnswerInput
    from webapp.records.models import Answer, AnswerSource, Inspection, Question, Source
    from webapp.review.models import Decision, Item

    now = timezone.now() - timedelta(minutes=ANSWERS - number)
    text = f"{model.text} (Case {number}.)"
    asked = f"{model.question.text} (Case {number}.)"
    question = Question.objects.create(project=queue.project, text=asked, text_hash=_hash(asked))
    answer = Answer.objects.create(
        project=queue.project, question=question, text=text, content_hash=_hash(text), state="decided", received_at=now
    )
    for link in model.source_links.select_related("source"):
        words = f"{link.source.text} (Case {number}.)"
        source = Source.objects.create(
            project=queue.project, source_key=link.source.source_key, text=words, text_hash=_hash(words)
        )
        AnswerSource.objects.create(answer=answer, source=source, position=link.position)
    first = model.inspections.latest("version")
    faulty = draw.random() < (0.85 if first.above_cut else 0.15)
    probability = round(min(0.99, max(0.01, draw.gauss(0.68 if faulty else 0.3, 0.17))), 4)
    fields = {field.attname: getattr(first, field.attname) for field in first._meta.concrete_fields}
    fields |= {"id": None, "answer_id": answer.pk, "version": 1, "unsupported_probability": probability}
    fields["report"] = {**first.report, "unsupported_probability": probability, "marks": []}
    inspection = Inspection.objects.create(**fields)
    AnswerInput.objects.create(
        answer=answer, project=queue.project, at=now, answer_words=len(text.split()) + number % 9, source_count=2,
        source_words=80 + number % 40, language="en", marked=faulty, route=inspection.route, probability=probability,
    )  # fmt: skip
    item = Item.objects.create(queue=queue, answer=answer, inspection=inspection, state="decided", created_at=now)
    Decision.objects.create(
        item=item, inspection=inspection, reviewer=reviewer, kind="reject" if faulty else "keep", decided_at=now,
        request_key=f"archive {number}", seconds=8 + draw.random() * 20,
    )  # fmt: skip


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
