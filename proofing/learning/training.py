"""Fitting the support model on a labelled file: `proofmark train`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from proofing.batch import Job
from proofing.engine import READ_AT_MOST, judge_all
from proofing.errors import ProofingError, Refused
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault
from proofing.inspection import prepare
from proofing.learning.calibrate import missing_labels
from proofing.learning.evaluation import Evaluation, evaluate_scored
from proofing.learning.evidence import first_windows
from proofing.learning.examples import Example
from proofing.learning.features import sheet_of
from proofing.learning.fit import Fitted, fit, import_training
from proofing.learning.labelled import Labelled, Scored, read_labelled
from proofing.learning.model import SupportModel
from proofing.learning.reader import NoReader, Reader
from proofing.learning.staged import fit_all, refit
from proofing.settings import Settings

#: Below this many labelled answers, the model that ships keeps its lower levels and only the last stages are fitted.
ENOUGH_FOR_WORDS = 4000
Show = Callable[[Iterator["Example | LineFault"], int], Iterable["Example | LineFault"]]


def train_file(
    path: str | Path, job: Job, *, name: str, show: Show | None = None
) -> tuple[Fitted, Evaluation, list[LineFault]]:
    """A model fitted on a labelled file, its cross-validated figures (grouped by source), and unusable lines.

    Raises:
        Refused: too few labels; the message says how many more.
        BadInput: the file cannot be read, or the [train] extra is not installed.
    """
    import_training()
    labelled = read_labelled(path)
    missing = missing_labels(len(labelled.examples), sum(labelled.labels))
    if missing:
        raise Refused(missing)
    show = show or (lambda items, _: items)
    counted = list(show(_counted(labelled, job), len(labelled.examples)))
    usable = [n for n, item in enumerate(counted) if isinstance(item, Example)]
    labelled.faults += [item for item in counted if isinstance(item, LineFault)]
    labelled.examples = [labelled.examples[n] for n in usable]
    examples = [item for item in counted if isinstance(item, Example)]
    card = {"what": "fitted by `proofmark train`", "answers": len(examples), "tier": job.settings.tier}
    fitted = _fitted(examples, _base(job, len(examples)), name, card, READ_AT_MOST[job.settings.tier])
    cut = float(fitted.data["cut"])
    answers_only = Labelled([replace(e, line=replace(e.line, labels=None)) for e in labelled.examples], labelled.faults)
    found = evaluate_scored(answers_only, [Scored(p, cut) for p in fitted.probabilities])
    return fitted, found, labelled.faults


def _fitted(
    examples: list[Example], base: SupportModel | None, name: str, card: Mapping[str, object], most: int
) -> Fitted:
    """The model that fits the number of labels: last stages of `base` refitted, or all levels anew (no base)."""
    if base is not None and base.last:
        return refit(base, examples, name=name, card=card, most=most)
    if base is None:
        heard = all(example.read is not None for example in examples)
        stages = sorted(set(READ_AT_MOST.values())) if heard else [0]
        return fit_all(examples, stages, name=name, card=card, most=most)
    return fit(examples, name=name, card=card, base=base)


def _base(job: Job, count: int) -> SupportModel | None:
    """The model whose word and sentence forests are kept when there is too little to fit them anew."""
    if count >= ENOUGH_FOR_WORDS and not job.model:
        return None
    try:
        return SupportModel.load(job.model)
    except FileNotFoundError:
        return None


def _counted(labelled: Labelled, job: Job) -> Iterator[Example | LineFault]:
    reader = _reader(job.settings)
    for example, group in zip(labelled.examples, labelled.groups(), strict=True):
        try:
            yield example_of(example.line, group, job.settings, reader)
        except ProofingError as error:
            yield LineFault(str(error), line=example.line.line, id=example.line.id)


def _reader(settings: Settings) -> Reader | None:
    """The reader, where the tier asks it and it is installed."""
    if not READ_AT_MOST[settings.tier]:
        return None
    try:
        return Reader.load()
    except NoReader:
        return None


def example_of(line: AnswerLine, group: str, settings: Settings, reader: Reader | None = None) -> Example:
    """One labelled answer, counted, and read sentence by sentence where there is a reader.

    Raises:
        BadInput: the answer or a source is beyond the limits.
    """
    own = settings if line.locale is None else replace(settings, locale=line.locale)
    proof = prepare(line.question, line.sources, line.answer, own)
    judgements = judge_all(proof).judgements
    sheet = sheet_of(proof, judgements)
    tokens = proof.answer.tokens
    spans = None if line.labels is None else tuple((label.start, label.end) for label in line.labels)
    return Example(
        sheet=sheet,
        starts=tuple((tokens[i].start, tokens[i].end) for i in sheet.row_tokens),
        label=int(line.label or 0),
        spans=None if line.label and not spans else spans,
        group=group,
        family=line.task,
        judgements=judgements,
        read=reader.read(proof, first_windows(sheet.spans, max(READ_AT_MOST.values()))) if reader else None,
    )
