from __future__ import annotations

import pytest

from tests.webapp.conftest import NOW, line_of
from webapp.review import services as review


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
    from tests.webapp.review.builders import Fault, make_item

    def make(count, *, faulty=0.5):
        items = []
        for number in range(count):
            bad = number < count * faulty
            text = f"Case {number}: you have {'30' if bad else '14'} days."
            faults = [Fault("30 days", "14 days", "14 days")] if bad else []
            score = 0.9 - number / (4 * count) if bad else 0.5 - number / (4 * count)
            sources = [(f"policy-{number}.md", f"Case {number}: articles may come back within 14 days.")]
            items.append(make_item(queue, text, faults, sources=sources, probability=round(score, 6)))
        for item in items:
            claim = review.claim_item(item=item, reviewer=reviewer, now=NOW)
            kind = "accept_healed" if item.inspection.marks.exists() else "keep"
            review.decide(claim=claim, now=NOW, choice=review.Choice(kind=kind, request_key=str(item.pk)))
        return items

    return make
