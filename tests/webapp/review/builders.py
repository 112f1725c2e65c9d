"""Stored answers with marks for tests, made by hand: what an engine would find is not the matter here."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from webapp.accounts.models import Membership, User
from webapp.records import rendering
from webapp.records.models import Answer, AnswerSource, Healing, Inspection, Mark, Project, Question, Source
from webapp.review import services
from webapp.review.models import Item, Queue

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Fault:
    """A stretch of the answer to mark: its words, what should stand there, and the words of a source it rests on."""

    text: str
    new: str | None = None
    evidence: str = ""
    reason: str = "contradicted"
    kind: str = "duration"
    support: float = 0.0
    candidates: tuple[str, ...] = ()  # corrections that the sources leave open


def make_user(name: str, project: Project | None = None, role: str = "reviewer") -> User:
    user = User.objects.create_user(name, password="a-long-pass-phrase")
    if project is not None:
        Membership.objects.create(project=project, user=user, role=role)
    return user


def make_queue(name: str = "Support bot", **fields: Any) -> Queue:
    project, _ = Project.objects.get_or_create(slug="shop", defaults={"name": "Shop"})
    return Queue.objects.create(project=project, name=name, **{"audit_share": 0.0, **fields})


def make_item(
    queue: Queue,
    answer: str,
    faults: Sequence[Fault] = (),
    *,
    sources: Sequence[tuple[str, str]] = (("policy.md#1", "Articles may come back within 14 days."),),
    question: str = "How long may I keep it?",
    probability: float = 0.8,
    notes: Sequence[tuple[str, str]] = (),
    now: datetime = NOW,
) -> Item:
    """An answer that was proofread, waiting in `queue`."""
    stored = _store_answer(queue.project, question, answer, sources, now)
    report = _report(answer, faults, sources, probability, notes)
    inspection = Inspection.objects.create(
        answer=stored, engine_version="test", sha256=_sha(answer), report=report,
        unsupported_probability=probability, above_cut=probability > 0.5, floor=0.0 if faults else None,
        risk=report["risk"], route="healed_accept" if faults else "accept", final_score=0.5,
        tokens=rendering.stream_of(answer, report), render_version=rendering.RENDER_VERSION, created_at=now,
    )  # fmt: skip
    Mark.objects.bulk_create(
        Mark(inspection=inspection, index=index, **{k: row[k] for k in _MARK_FIELDS})
        for index, row in enumerate(report["marks"])
    )
    healing = report["healing"]
    Healing.objects.create(
        inspection=inspection, strategy=healing["strategy"], applied=healing["applied"], text=healing["text"],
        edits=healing["edits"], initial_risk="high", final_risk="low",
    )  # fmt: skip
    return services.put_in_queue(answer=stored, inspection=inspection, now=now, queue=queue)


_MARK_FIELDS = ("start", "end", "text", "kind", "support", "probability", "reason", "receipt")


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _store_answer(
    project: Project, question: str, answer: str, sources: Sequence[tuple[str, str]], now: datetime
) -> Answer:
    asked, _ = Question.objects.get_or_create(project=project, text_hash=_sha(question), defaults={"text": question})
    stored = Answer.objects.create(
        project=project, question=asked, text=answer, content_hash=_sha(answer + repr(sources)),
        state=Answer.State.PROOFREAD, received_at=now,
    )  # fmt: skip
    for position, (key, text) in enumerate(sources):
        source, _ = Source.objects.get_or_create(
            project=project, source_key=key, text_hash=_sha(text), defaults={"text": text}
        )
        AnswerSource.objects.create(answer=stored, source=source, position=position)
    return stored


def _report(
    answer: str,
    faults: Sequence[Fault],
    sources: Sequence[tuple[str, str]],
    probability: float,
    notes: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    marks = [_mark(answer, fault, sources) for fault in faults]
    edits = [
        {
            "start": mark["start"], "end": mark["end"], "from": fault.text, "to": fault.new,
            "kind": "value" if fault.new else "removal", "marks": [index], "parent": None, "origin": "",
        }
        for index, (fault, mark) in enumerate(zip(faults, marks, strict=True))
        if fault.new is not None
    ]  # fmt: skip
    healed = answer
    for edit in sorted(edits, key=lambda e: -e["start"]):
        healed = healed[: edit["start"]] + edit["to"] + healed[edit["end"] :]
    return {
        "schema": "report/1", "unsupported_probability": probability, "above_cut": probability > 0.5,
        "floor": 0.0 if faults else None, "risk": "high" if faults else "low",
        "triggered": ["contradiction"] if faults else [], "marks": marks, "weakest": [],
        "notes": [
            {"start": answer.index(text), "end": answer.index(text) + len(text), "text": text, "kind": "derived",
             "formula": formula}
            for text, formula in notes
        ],
        "checks": {},
        "quality": {
            "final_score": 0.5, "route": "accept", "healed_score": 0.95 if edits else None,
            "components": {"faithfulness": 1.0, "consistency": 0.0, "confidence": 0.25, "latency": 1.0, "drift": 0.0},
        },
        "healing": {
            "strategy": "contradiction_patch" if edits else "none", "applied": bool(edits), "text": healed,
            "proposal": None, "proposed": [], "edits": edits, "initial_risk": "high",
            "alternatives": [
                {"mark": index, "start": mark["start"], "end": mark["end"], "text": fault.text,
                 "candidates": [{"text": text, "source_id": sources[0][0], "note": ""} for text in fault.candidates]}
                for index, (fault, mark) in enumerate(zip(faults, marks, strict=True)) if fault.candidates
            ],
            "final_risk": "low", "confidence": [0.5, 0.6],
        },
        "calibration": None, "engine": {"cut": 0.5}, "sha256": _sha(answer), "warnings": [], "timings_ms": {},
    }  # fmt: skip


def _mark(answer: str, fault: Fault, sources: Sequence[tuple[str, str]]) -> dict[str, Any]:
    start = answer.index(fault.text)
    found = [
        (key, text.index(fault.evidence), text) for key, text in sources if fault.evidence and fault.evidence in text
    ]
    key, at, text = found[0] if found else (None, 0, "")
    return {
        "start": start, "end": start + len(fault.text), "text": fault.text, "kind": fault.kind,
        "support": fault.support, "probability": 0.9, "reason": fault.reason,
        "receipt": {
            "source_id": key, "start": at, "end": at + len(fault.evidence) if key else 0,
            "text": fault.evidence if key else "", "note": "", "formula": None, "operands": [],
            "sentence": {"start": 0, "end": len(text), "text": text},
        },
    }  # fmt: skip
