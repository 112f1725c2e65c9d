from __future__ import annotations

import hashlib
import json

import pytest
from django.utils import timezone

from proofing.learning.model import SupportModel
from tests.webapp.conftest import NOW, line_of
from webapp.calibration import reading_models, refits, services
from webapp.calibration.models import FittedModel, Refit
from webapp.records.models import Answer, AnswerSource, Healing, Inspection, Source
from webapp.review import services as review
from webapp.review.models import Decision, Item


@pytest.fixture
def decide(reviewer):
    """Decides an item as the reviewer would: `decide(item, "keep")`, with `verdicts` by index of the mark."""

    def run(item, kind, *, who=None, verdicts=None, at=NOW, **choice):
        who = who or reviewer
        claim = review.claim_item(item=item, reviewer=who, now=at)
        for index, verdict in (verdicts or {}).items():
            review.set_verdict(claim=claim, mark_index=index, verdict=verdict, now=at)
        key = f"{item.pk}-{who.pk}-{kind}-{at.isoformat()}"
        return review.decide(claim=claim, now=at, choice=review.Choice(kind=kind, request_key=key, **choice))

    return run


@pytest.fixture
def item_of(proofread):
    """A proofread answer waiting for its decision."""

    def make(answer="You have 30 days to return it.", **fields):
        return proofread(line_of(answer, **fields)).items.get()

    return make


@pytest.fixture
def many_labelled(queue, reviewer):
    """Stored decisions by the hundred, made without the engine: half of the answers held something unsupported."""
    from tests.webapp.review.builders import make_item

    def copies(model, first, changes):
        fields = {field.attname: getattr(first, field.attname) for field in model._meta.concrete_fields}
        fields.pop("id")
        return model.objects.bulk_create([model(**fields | change) for change in changes])

    def make(count, *, faulty=0.5):
        numbers = range(count)
        bad = [number < count * faulty for number in numbers]
        scores = [round((0.9 if bad[n] else 0.5) - n / (4 * count), 6) for n in numbers]
        first = make_item(queue, "Case: you have 14 days.")
        answer, link = first.answer, first.answer.source_links.get()
        sources = copies(
            Source, link.source, [{"text": f"Case {n}: 14 days.", "text_hash": f"{n:064}"} for n in numbers]
        )
        answers = copies(Answer, answer, [
            {"text": f"Case {n}: you have {30 if bad[n] else 14} days.", "content_hash": f"{n:064}", "state": "decided"}
            for n in numbers
        ])  # fmt: skip
        copies(
            AnswerSource, link, [{"answer_id": a.pk, "source_id": s.pk} for a, s in zip(answers, sources, strict=True)]
        )
        inspections = copies(Inspection, first.inspection, [
            {"answer_id": answers[n].pk, "unsupported_probability": scores[n],
             "report": {**first.inspection.report, "unsupported_probability": scores[n]}}
            for n in numbers
        ])  # fmt: skip
        copies(Healing, first.inspection.healing, [{"inspection_id": inspection.pk} for inspection in inspections])
        items = copies(Item, first, [
            {"answer_id": answers[n].pk, "inspection_id": inspections[n].pk, "state": "decided"} for n in numbers
        ])  # fmt: skip
        Decision.objects.bulk_create([
            Decision(item=items[n], inspection=inspections[n], reviewer=reviewer, decided_at=NOW,
                     request_key=f"case {n}", kind="reject" if bad[n] else "keep")
            for n in numbers
        ])  # fmt: skip
        first.answer.delete()
        return items

    return make


@pytest.fixture
def frozen(project, many_labelled):
    """Enough labels on real texts: half of the answers say 30 days where their source says 14."""
    many_labelled(290)
    return services.freeze_set(project=project, name="March", now=NOW)


@pytest.fixture
def fit(lead, workers):
    def run(labelled_set):
        with workers():
            asked = refits.request_refit(labelled_set=labelled_set, user=lead, now=timezone.now())
        asked.refresh_from_db()
        return asked

    return run


@pytest.fixture
def stored(project, lead):
    """A fitted model as rows alone: the shipped one under another name."""

    def make(of=project, version=1, **fields):
        labelled = services.freeze_set(project=of, name=f"set {version}", now=NOW)
        refit = Refit.objects.create(
            labelled_set=labelled, project=of, state="done", created_at=NOW, heartbeat_at=NOW, result=None
        )
        data = SupportModel.load(None).to_dict() | {"name": f"{of.slug}-{version}"}
        content = (json.dumps(data, sort_keys=True) + "\n").encode()
        values = {
            "content": content, "sha256": hashlib.sha256(content).hexdigest(),
            "columns_sha256": reading_models.columns_sha256(),
        } | fields  # fmt: skip
        return FittedModel.objects.create(
            project=of, refit=refit, version=version, name=data["name"], created_at=NOW, **values
        )

    return make
