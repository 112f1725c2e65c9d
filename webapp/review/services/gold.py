"""Gold: the one agreed label of an item, settled by a lead where reviewers differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from proofing.exchange.jsonl import text_problem
from proofing.learning.labels import answer_label
from webapp.accounts.models import User
from webapp.review.models import Decision, Event, Gold, Item, Verdict
from webapp.review.problems import Unusable
from webapp.review.services.checks import LONGEST_REASON, LONGEST_TEXT

KINDS = (Decision.Kind.ACCEPT_HEALED, Decision.Kind.ACCEPT_EDITED, Decision.Kind.KEEP, Decision.Kind.REJECT)


@transaction.atomic
def set_gold(
    *,
    item: Item,
    kind: str,
    actor: User,
    now: datetime,
    reason: str = "",
    final_text: str = "",
    wording_only: bool = False,
    verdicts: Mapping[Any, str] | None = None,
    added_marks: Sequence[Mapping[str, Any]] = (),
    decision: Decision | None = None,
) -> Gold:
    """Settle an item's label; an earlier gold of it is replaced, and the log keeps both.

    Args:
        verdicts: by mark index; marks left out are not settled.
        added_marks: missed marks, as ``{"start", "end", "text"}`` of the answer.
        decision: the reviewer's decision that is taken over, if one is.

    Raises:
        Unusable: a kind that says nothing of the answer, a text that cannot be stored, a mark or a verdict that is
            unknown, an added mark that is not the answer's text.
    """
    if kind not in KINDS:
        raise Unusable("kind", f"use one of {', '.join(KINDS)}")
    for field, text, longest in (("final_text", final_text, LONGEST_TEXT), ("reason", reason, LONGEST_REASON)):
        problem = text_problem(text) or (f"longer than {longest} characters" if len(text) > longest else None)
        if problem:
            raise Unusable(field, problem)
    inspection = decision.inspection if decision is not None else item.inspection
    said = _checked_verdicts(inspection, verdicts or {})
    for mark in added_marks:
        if item.answer.text[mark["start"] : mark["end"]] != mark["text"]:
            raise Unusable("added_marks", "its offsets do not give its text")
    gold, fresh = Gold.objects.update_or_create(
        item=item,
        defaults={
            "inspection": inspection,
            "kind": kind,
            "final_text": final_text,
            "wording_only": wording_only,
            "verdicts": said,
            "added_marks": [dict(mark) for mark in added_marks],
            "decision": decision,
            "reason": reason,
            "decided_by": actor,
            "decided_at": now,
        },
    )
    Event.record(
        "gold.set" if fresh else "gold.replaced", item, project=item.queue.project_id, actor=actor, at=now,
        decision=kind, label=label_of(gold),
    )  # fmt: skip
    return gold


def _checked_verdicts(inspection: Any, verdicts: Mapping[Any, str]) -> dict[str, str]:
    known = set(inspection.marks.values_list("index", flat=True))
    said = {int(index): verdict for index, verdict in verdicts.items() if verdict}
    if set(said) - known:
        raise Unusable("verdicts", f"this answer has {len(known)} marks, counted from 0")
    if set(said.values()) - set(Verdict.Says.values):
        raise Unusable("verdicts", f"use one of {', '.join(Verdict.Says.values)}")
    return {str(index): said[index] for index in sorted(said)}


@transaction.atomic
def clear_gold(*, item: Item, actor: User, now: datetime) -> bool:
    """Take an item's gold back, so that its decisions speak for themselves again. False when it has none."""
    gone, _ = Gold.objects.filter(item=item).delete()
    if gone:
        Event.record("gold.cleared", item, project=item.queue.project_id, actor=actor, at=now)
    return bool(gone)


def label_of(gold: Gold) -> int | None:
    """1 = the answer held something unsupported, 0 = it did not."""
    return answer_label(gold.kind, wording_only=gold.wording_only)


def gold_record(gold: Gold, *, by: str) -> dict[str, Any]:
    """The `gold` of a `reviews/1` line.

    Args:
        by: who settled it, as a pseudonym.
    """
    marks = {mark.index: mark for mark in gold.inspection.marks.all()}
    spans = [
        {"start": marks[int(i)].start, "end": marks[int(i)].end, "text": marks[int(i)].text, "verdict": verdict}
        for i, verdict in gold.verdicts.items()
        if int(i) in marks
    ]
    spans += [{**mark, "verdict": Verdict.Says.UNSUPPORTED.value} for mark in gold.added_marks]
    spans.sort(key=lambda span: (span["start"], span["end"]))
    return {"by": by, "how": "lead", "labels": spans, "answer": label_of(gold)}
