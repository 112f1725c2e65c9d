"""How well the engine does on a labelled file: all answers, and each task on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofing.errors import BadInput
from proofing.learning.labelled import Labelled, Scored
from proofing.learning.metrics import Estimate, evaluate, printed, span_figures

SCHEMA = "evaluation/1"


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of one task (or of all): how many answers, how many faulty, how many with marked spans."""

    answers: int
    faulty: int
    with_spans: int
    figures: Mapping[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        counts = {"answers": self.answers, "faulty": self.faulty, "with_spans": self.with_spans}
        return {**counts, "figures": {name: estimate.to_dict() for name, estimate in self.figures.items()}}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures of a labelled file; `cut` is the support model's own, chosen on other data."""

    cut: float
    whole: Part
    tasks: Mapping[str, Part] = field(default_factory=dict)
    engine: Mapping[str, str] = field(default_factory=dict)
    faults: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "cut": self.cut,
            "engine": dict(self.engine),
            "faults": self.faults,
            "all": self.whole.to_dict(),
            "tasks": {name: part.to_dict() for name, part in self.tasks.items()},
        }

    def __str__(self) -> str:
        blocks = [_printed("all", self.whole)]
        if len(self.tasks) > 1:
            blocks += [_printed(name, part) for name, part in self.tasks.items()]
        known = any(estimate.interval for estimate in self.whole.figures.values())
        spread = "95 % intervals, resampled by source" if known else "one source alone: no intervals"
        return "\n\n".join([*blocks, f"the model's own cut is {self.cut:.3f}; {spread}"])


def evaluate_scored(labelled: Labelled, scores: Sequence[Scored], resamples: int = 400) -> Evaluation:
    """Figures over all answers and per task (in the order tasks first appear).

    Raises:
        BadInput: there is no usable answer.
    """
    if not scores:
        first = labelled.faults[0] if labelled.faults else None
        why = f"; line {first.line}: {first}" if first else ""
        raise BadInput(f"no labelled answer could be read{why}")
    groups = labelled.groups()
    tasks = list(dict.fromkeys(line.task or "no task" for line in labelled.lines))
    rows_of = {
        task: [row for row, line in enumerate(labelled.lines) if (line.task or "no task") == task] for task in tasks
    }
    cut = scores[0].cut
    return Evaluation(
        cut=cut,
        whole=_part(labelled, scores, groups, range(len(scores)), cut, resamples),
        tasks={task: _part(labelled, scores, groups, rows, cut, resamples) for task, rows in rows_of.items()},
        engine=dict(scores[0].engine),
        faults=len(labelled.faults),
    )


def _part(
    labelled: Labelled, scores: Sequence[Scored], groups: Sequence[str], rows: Sequence[int], cut: float, resamples: int
) -> Part:
    labels = labelled.labels
    lines = labelled.lines
    figures = evaluate(
        [scores[row].probability for row in rows],
        [labels[row] for row in rows],
        cut=cut,
        groups=[groups[row] for row in rows],
        resamples=resamples,
    )
    with_spans = [row for row in rows if lines[row].labels is not None]
    if any(lines[row].labels for row in with_spans):
        figures |= span_figures(
            [scores[row].spans for row in with_spans],
            [[(label.start, label.end) for label in lines[row].labels or ()] for row in with_spans],
            groups=[groups[row] for row in with_spans],
            resamples=resamples,
        )
    return Part(len(rows), sum(labels[row] for row in rows), len(with_spans), figures)


def _printed(name: str, part: Part) -> str:
    answers = "answer" if part.answers == 1 else "answers"
    return f"{name}: {part.answers} {answers}, {part.faulty} faulty\n{printed(part.figures)}"
