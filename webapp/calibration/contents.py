"""What a frozen set holds, counted, and how two sets differ. A set never changes, so neither do these figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.core.cache import cache

from webapp.calibration import labels
from webapp.calibration.models import LabelledRow, LabelledSet

#: Lines of a table, the most frequent first.
SHOWN = 20
#: Differing answers named on the page of a comparison.
NAMED = 100
#: How long counts are kept, in seconds.
KEPT = 24 * 3600


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


def contents_of(labelled_set: LabelledSet) -> Contents:
    """The counts of a set, made once and then kept."""
    key = f"contents:{labelled_set.pk}:{labelled_set.sha256}"
    found = cache.get(key)
    if not isinstance(found, Contents):
        found = _counted(labelled_set)
        cache.set(key, found, KEPT)
    return found


def _counted(labelled_set: LabelledSet) -> Contents:
    counts: dict[str, Counter[tuple[str, int | None]]] = {
        name: Counter() for name in ("sources", "queues", "reviewers", "days", "split")
    }
    rows = labelled_set.members.select_related("decision__item__queue").order_by("pk")
    for row in rows.iterator(chunk_size=labels.CHUNK):
        names = {
            "sources": {str(source["id"]) for source in row.line["sources"]},
            "queues": {row.decision.item.queue.name},
            "reviewers": {str(review["reviewer"]) for review in row.line["reviews"]},
            "days": {row.decision.decided_at.date().isoformat()},
            "split": {row.split},
        }
        for kind, values in names.items():
            counts[kind].update((value, row.label) for value in values)
    lines = {kind: _lines(counted) for kind, counted in counts.items()}
    lines["days"].sort(key=lambda line: line.name, reverse=True)
    return Contents(**{kind: found[:SHOWN] for kind, found in lines.items()})


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
    """Answers are matched by their rows; one that was proofread again in between is known by its newest label."""
    before, after = _labels(older), _labels(newer)
    added = [key for key in after if key not in before]
    removed = [key for key in before if key not in after]
    both = [key for key in after if key in before]
    changed = [key for key in both if before[key] != after[key]]
    named = {"added": added[:NAMED], "removed": removed[:NAMED], "changed": changed[:NAMED]}
    texts = _texts(older, newer, {key for keys in named.values() for key in keys})
    return Comparison(
        same=len(both) - len(changed),
        added=len(added),
        removed=len(removed),
        changed=len(changed),
        first={
            kind: [Difference(key, texts.get(key, ""), before.get(key), after.get(key)) for key in keys]
            for kind, keys in named.items()
        },
    )


def _labels(labelled_set: LabelledSet) -> dict[UUID, int | None]:
    return dict(labelled_set.members.order_by("pk").values_list("answer_id", "label"))


def _texts(older: LabelledSet, newer: LabelledSet, wanted: set[UUID]) -> dict[UUID, str]:
    """At most three times `NAMED` of them, so one query is enough."""
    rows = LabelledRow.objects.filter(labelled_set__in=[older, newer], answer__in=wanted).order_by("pk")
    return dict(rows.values_list("answer_id", "answer__text"))
