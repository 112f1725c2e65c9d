"""What a frozen set holds, counted when it was frozen, and how two sets differ, counted by the database.

A set never changes, so its counts are kept with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from webapp.calibration import labels
from webapp.calibration.models import LabelledRow, LabelledSet

#: Lines of a table, the most frequent first.
SHOWN = 20
#: Differing answers named on the page of a comparison.
NAMED = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One group of a set: how many answers are labelled unsupported, supported, or only have judged words."""

    name: str
    unsupported: int
    supported: int
    words_only: int

    @property
    def count(self) -> int:
        return self.unsupported + self.supported + self.words_only


@dataclass(slots=True)
class Contents:
    """A set by source, queue, reviewer (pseudonyms, as in exports), day of the decision and side of the split.

    An answer with several sources or reviewers counts for each of them.
    """

    sources: list[Line] = field(default_factory=list)
    queues: list[Line] = field(default_factory=list)
    reviewers: list[Line] = field(default_factory=list)
    days: list[Line] = field(default_factory=list)
    split: list[Line] = field(default_factory=list)


KINDS = ("sources", "queues", "reviewers", "days", "split")


class Counting:
    """Counts the rows of a set while it is being frozen."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[tuple[str, int | None]]] = {name: Counter() for name in KINDS}
        self.marks: Counter[int] = Counter()

    def add(self, item: labels.Labelled) -> None:
        """One more row; its decision knows its item and the item its queue."""
        self._add(item.line, item.label, item.split, item.decision)

    def add_row(self, row: LabelledRow) -> None:
        self._add(row.line, row.label, row.split, row.decision)

    def _add(self, line: Mapping[str, Any], label: int | None, split: str, decision: Any) -> None:
        names = {
            "sources": {str(source["id"]) for source in line["sources"]},
            "queues": {decision.item.queue.name},
            "reviewers": {str(review["reviewer"]) for review in line["reviews"]},
            "days": {decision.decided_at.date().isoformat()},
            "split": {split},
        }
        for kind, values in names.items():
            self.counts[kind].update((value, label) for value in values)
        self.marks.update(label for _, label in labels.mark_scores(line))

    def to_dict(self) -> dict[str, Any]:
        """The lines to show and how many marks were judged, JSON-ready."""
        lines = {kind: _lines(counted) for kind, counted in self.counts.items()}
        lines["days"].sort(key=lambda line: line.name, reverse=True)
        shown: dict[str, Any] = {kind: [asdict(line) for line in found[:SHOWN]] for kind, found in lines.items()}
        return shown | {"marks": {"unsupported": self.marks[1], "supported": self.marks[0]}}


def contents_of(labelled_set: LabelledSet) -> Contents:
    """The counts of a set, as kept when it was frozen."""
    kept = _kept(labelled_set)
    return Contents(**{kind: [Line(**line) for line in kept.get(kind, [])] for kind in KINDS})


def judged_marks(labelled_set: LabelledSet) -> tuple[int, int]:
    """How many marks of a set people called unsupported and supported, explicitly and in agreement."""
    kept = _kept(labelled_set)["marks"]
    return kept["unsupported"], kept["supported"]


def _kept(labelled_set: LabelledSet) -> dict[str, Any]:
    kept: dict[str, Any] | None = labelled_set.contents
    if kept is None or "marks" not in kept:  # frozen before these were counted: count once more, and keep it
        counting = Counting()
        rows = labelled_set.members.select_related("decision__item__queue").order_by("pk")
        for row in rows.iterator(chunk_size=labels.CHUNK):
            counting.add_row(row)
        labelled_set.contents = kept = counting.to_dict()
        LabelledSet.objects.filter(pk=labelled_set.pk).update(contents=kept)
    return kept


def _lines(counted: Counter[tuple[str, int | None]]) -> list[Line]:
    names = {name for name, _ in counted}
    lines = [Line(name, counted[name, 1], counted[name, 0], counted[name, None]) for name in names]
    return sorted(lines, key=lambda line: (-line.count, line.name))


# Two sets -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """One answer that stands in one set only, or with another label; None: no label of the answer as a whole."""

    answer: UUID
    text: str
    then: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How `newer` differs from `older`: counts of all, and the first answers of each kind."""

    same: int
    added: int
    removed: int
    changed: int
    first: dict[str, list[Difference]]


def compare(older: LabelledSet, newer: LabelledSet) -> Comparison:
    """Answers are matched by their rows; one that was proofread again in between is known by its newest label.

    The database counts; only the rows that are named are read.
    """
    before, after = _speaking(older), _speaking(newer)
    added = after.filter(~_there(before))
    removed = before.filter(~_there(after))
    changed = after.filter(_there(before), ~_same_label(before))
    counts = {"added": added.count(), "removed": removed.count(), "changed": changed.count()}
    both = after.count() - counts["added"]
    named = {"added": _named(added), "removed": _named(removed), "changed": _named(changed)}
    then = _labels(before, named["changed"])
    return Comparison(
        same=both - counts["changed"],
        added=counts["added"],
        removed=counts["removed"],
        changed=counts["changed"],
        first={
            "added": [Difference(key, text, None, label) for key, text, label in named["added"]],
            "removed": [Difference(key, text, label, None) for key, text, label in named["removed"]],
            "changed": [Difference(key, text, then.get(key), label) for key, text, label in named["changed"]],
        },
    )


#: An answer's key, its text and what the set says of it.
Named = tuple[UUID, str, int | None]


def _speaking(labelled_set: LabelledSet) -> QuerySet[LabelledRow]:
    """One row an answer; the index `labelled_rows_by_answer` holds just these."""
    return LabelledRow.objects.filter(labelled_set=labelled_set, newest=True)


def _there(others: QuerySet[LabelledRow]) -> Exists:
    return Exists(others.filter(answer=OuterRef("answer")))


def _same_label(others: QuerySet[LabelledRow]) -> Q:
    """No label is the same as no label."""
    same = others.filter(answer=OuterRef("answer"), label=OuterRef("label"))
    neither = others.filter(answer=OuterRef("answer"), label__isnull=True)
    return Q(Exists(same)) | Q(Exists(neither), label__isnull=True)


def _named(rows: QuerySet[LabelledRow]) -> list[Named]:
    return list(rows.order_by("pk").values_list("answer_id", "answer__text", "label")[:NAMED])


def _labels(rows: QuerySet[LabelledRow], wanted: list[Named]) -> dict[UUID, int | None]:
    return dict(rows.filter(answer__in=[key for key, _, _ in wanted]).values_list("answer_id", "label"))
