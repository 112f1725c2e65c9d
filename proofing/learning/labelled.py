"""Labelled files read by the engine: what evaluate, calibrate, train and audit have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proofing.batch import Job, read_all
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault
from proofing.exchange.reviews import LabelledAnswer, groups_by_source, scan_labelled
from proofing.learning.calibrate import OperatingPoint, calibrate
from proofing.learning.metrics import Spans
from proofing.report import Report


@dataclass(frozen=True, slots=True)
class Scored:
    """What the engine says about one labelled answer.

    ``engine`` is (name, value) pairs of the report's engine; ``marks`` are (probability, start, end) of each mark.
    """

    probability: float
    cut: float
    marks: tuple[tuple[float, int, int], ...] = ()
    engine: tuple[tuple[str, str], ...] = ()
    weakest: str = ""

    @property
    def spans(self) -> Spans:
        return [(start, end) for _, start, end in self.marks]


@dataclass(slots=True)
class Labelled:
    """The usable labelled answers of a file, in order, and the faults of the others."""

    examples: list[LabelledAnswer] = field(default_factory=list)
    faults: list[LineFault] = field(default_factory=list)

    @property
    def lines(self) -> list[AnswerLine]:
        return [example.line for example in self.examples]

    @property
    def labels(self) -> list[int]:
        return [int(example.line.label or 0) for example in self.examples]

    def groups(self) -> list[str]:
        """The group of each answer: as the line says, else by the sources it shares with others."""
        shared = groups_by_source([[source.text for source in line.sources] for line in self.lines])
        return [line.group or group for line, group in zip(self.lines, shared, strict=True)]

    def keys(self) -> list[str]:
        """What each answer is: a hash over question, answer and sources."""
        return [_key(line) for line in self.lines]


def _key(line: AnswerLine) -> str:
    parts = [line.question, line.answer, *(source.text for source in line.sources)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read_labelled(path: str | Path, *, need_label: bool = True) -> Labelled:
    """All labelled answers of a file in `answers/1` or `reviews/1`.

    A review that gives no label (skipped, flagged, reviewers at odds) is passed over; an `answers/1` line without a
    label is a fault.

    Raises:
        BadInput: the file cannot be read.
    """
    found = Labelled()
    for item in scan_labelled(path):
        if isinstance(item, LineFault):
            found.faults.append(item)
        elif item.line.label is not None or not need_label:
            found.examples.append(item)
        elif item.how == "given":
            found.faults.append(LineFault("missing; give 0 or 1", field="label", line=item.line.line, id=item.line.id))
    return found


def scored(examples: Sequence[LabelledAnswer], job: Job, jobs: int = 1) -> Iterator[Scored | LineFault]:
    """What the engine says about each, in order."""
    return read_all((example.line for example in examples), job, score_of, jobs)


def score_of(line: AnswerLine, report: Report) -> Scored:
    """The parts of a report that figures are made of."""
    return Scored(
        probability=report.unsupported_probability,
        cut=float(report.engine.get("cut", 0.5)),
        marks=tuple((mark.probability, mark.start, mark.end) for mark in report.marks),
        engine=tuple((name, str(value)) for name, value in report.engine.items()),
        weakest=report.marks[0].text if report.marks else "",
    )


def kept(labelled: Labelled, outcomes: Iterable[Scored | LineFault]) -> list[Scored]:
    """The scores; answers that could not be read move from the examples to the faults."""
    scores: list[Scored] = []
    examples: list[LabelledAnswer] = []
    for example, outcome in zip(labelled.examples, outcomes, strict=True):
        if isinstance(outcome, LineFault):
            labelled.faults.append(outcome)
        else:
            examples.append(example)
            scores.append(outcome)
    labelled.examples = examples
    return scores


# Calibration of a file -------------------------------------------------------------------------------------

Show = Callable[[Iterator[Scored | LineFault], int], Iterable[Scored | LineFault]]


def calibrated_file(
    path: str | Path, job: Job, *, target_recall: float, level: str = "answer", jobs: int = 1, show: Show | None = None
) -> tuple[OperatingPoint, list[LineFault]]:
    """An operating point fitted on a labelled file, and the lines that could not be used.

    Lines that carry a score are not read again. At level ``mark`` the examples are marks: those that people judged
    explicitly (`reviews/1`), or those the engine draws on answers with labelled spans.

    Raises:
        Refused: too few labels, scores out of range, and so on; see `proofing.learning.calibrate.calibrate`.
        BadInput: the file cannot be read.
    """
    labelled = read_labelled(path, need_label=level == "answer")
    show = show or (lambda items, _: items)
    if level == "mark":
        return _calibrated_marks(labelled, job, target_recall, jobs, show), labelled.faults
    unscored = [example for example in labelled.examples if example.line.score is None]
    outcomes = iter(list(show(scored(unscored, job, jobs), len(unscored))))
    merged: list[Scored | LineFault] = []
    for example in labelled.examples:
        given = example.line.score
        merged.append(next(outcomes) if given is None else Scored(given, 0.5))
    scores = kept(labelled, merged)
    how: dict[str, int] = {}
    for example in labelled.examples:
        how[example.how] = how.get(example.how, 0) + 1
    point = calibrate(
        [score.probability for score in scores],
        labelled.labels,
        target_recall,
        labelled.groups(),
        keys=labelled.keys(),
        label_sources=dict(sorted(how.items())),
        engine=next((dict(score.engine) for score in scores if score.engine), {}),
    )
    return point, labelled.faults


def _calibrated_marks(labelled: Labelled, job: Job, target_recall: float, jobs: int, show: Show) -> OperatingPoint:
    judged = [(example, example.marks) for example in labelled.examples if example.marks]
    spanned = Labelled([e for e in labelled.examples if not e.marks and e.how == "given" and e.line.labels is not None])
    scores = kept(spanned, list(show(scored(spanned.examples, job, jobs), len(spanned.examples))))
    labelled.faults += spanned.faults
    for example, score in zip(spanned.examples, scores, strict=True):
        wanted = [(label.start, label.end) for label in example.line.labels or ()]
        marks = tuple((p, int(any(start < b and a < end for a, b in wanted))) for p, start, end in score.marks)
        judged.append((example, marks))
    groups = Labelled([example for example, _ in judged]).groups()
    rows = [(*mark, group) for (_, marks), group in zip(judged, groups, strict=True) for mark in marks]
    return calibrate(
        [score for score, _, _ in rows],
        [label for _, label, _ in rows],
        target_recall,
        [group for _, _, group in rows],
        level="mark",
    )
