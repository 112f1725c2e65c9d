"""A project's own labels against the model that ships: refitted on one part, compared on the other.

The refit keeps all forests of the model that ships but the last ones (`proofing.learning.staged.refit`), so it moves
the probability of an answer and the model's cut; what is said of single words stays. It is always made from the model
that ships, never from an earlier refit: a base must not have seen the answers it is fitted on.

Everything is bounded: at most `AT_MOST` answers, drawn by hash where there are more, so the same set
gives the same model. Needs the [train] extra to fit; comparing needs nothing.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from proofing.engine import READ_AT_MOST, judge_all
from proofing.errors import Refused
from proofing.exchange.answers import AnswerLine
from proofing.inspection import prepare
from proofing.learning.calibrate import missing_labels
from proofing.learning.comparison import Compared, compare
from proofing.learning.examples import Example, telling
from proofing.learning.features import sheet_of
from proofing.learning.fit import Fitted
from proofing.learning.last import heard_of, mark_counts, to_read
from proofing.learning.model import SupportModel
from proofing.learning.reader import NoReader, Reader
from proofing.learning.staged import refit
from proofing.settings import Settings

#: Answers fitted on and compared on at most, by tier: some minutes of one core at the first two, half an hour at the
#: third, which reads every sentence. Fewer than the number from which `refit` would fit forests of words.
AT_MOST = {"fast": (3000, 1000), "standard": (3000, 1000), "deep": (750, 250)}
#: Held-out answers of each kind without which a comparison says nothing.
LEAST_HELD_OUT = 10
#: How many answers are resampled how often for the intervals of a comparison.
RESAMPLES = 400

Say = Callable[[str], None]


def _nothing(line: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled answer of a frozen set.

    Attributes:
        key: names the row to the caller.
        content: a hash over question, sources and answer; the same answer twice has the same.
        group: answers that share a source are in one group.
        held_out: compared on, never fitted on.
    """

    key: int
    content: str
    group: str
    label: int
    held_out: bool


def drawn(rows: Sequence[Row], tier: str = "fast") -> tuple[list[Row], list[Row]]:
    """The rows to fit on and those to compare on, each answer once (its last row), not more than the tier may take.

    Raises:
        Refused: too few labels (how many more of which kind), or an answer or a source on both sides of the split.
    """
    newest = list({row.content: row for row in rows}.values())
    _refuse_both_sides(rows)
    training = _most([row for row in newest if not row.held_out], AT_MOST[tier][0])
    held_out = _most([row for row in newest if row.held_out], AT_MOST[tier][1])
    lacks = missing_labels(len(training), sum(row.label for row in training))
    if lacks:
        raise Refused(f"in the part to fit on (four fifths of the sources), {lacks}")
    refuse_too_few_held_out([row.label for row in held_out])
    return training, held_out


def refuse_too_few_held_out(labels: Sequence[int]) -> None:
    """Raise `Refused` where a comparison on answers with these labels would say nothing."""
    for kind, name in ((1, "unsupported"), (0, "supported")):
        count = sum(label == kind for label in labels)
        if count < LEAST_HELD_OUT:
            raise Refused(
                f"in the held-out part (a fifth of the sources), {LEAST_HELD_OUT} {name} examples are needed to "
                f"compare on, there are {count}: {LEAST_HELD_OUT - count} more"
            )


def _refuse_both_sides(rows: Sequence[Row]) -> None:
    for what, name in (("content", "answers"), ("group", "groups of sources")):
        sides: dict[str, set[bool]] = {}
        for row in rows:
            sides.setdefault(getattr(row, what), set()).add(row.held_out)
        both = sum(len(found) > 1 for found in sides.values())
        if both:
            raise Refused(
                f"{both} {name} stand on both sides of the split, so the comparison would flatter the new model; "
                "remove repeats and freeze a new set"
            )


def _most(rows: Sequence[Row], most: int) -> list[Row]:
    """All rows, or `most` of them by hash of their content; in the order they came."""
    if len(rows) <= most:
        return list(rows)
    kept = {row.key for row in sorted(rows, key=lambda row: hashlib.sha256(row.content.encode()).hexdigest())[:most]}
    return [row for row in rows if row.key in kept]


# Reading ------------------------------------------------------------------------------------------------------


class Counting:
    """Turns labelled answers into examples to fit on, reading as many sentences as a proofreading would.

    Attributes:
        base: the model that ships, with the last stages that the tier can use.
        engine: what read the answers, as in a report; filled by the first of them.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.most = READ_AT_MOST[settings.tier]
        self.reader = self._reader()
        shipped = SupportModel.load(None)
        self.base = replace(shipped, last={n: stage for n, stage in shipped.last.items() if n <= self.most})
        self.engine: dict[str, Any] = {}

    def _reader(self) -> Reader | None:
        if not self.most:
            return None
        try:
            return Reader.load()
        except NoReader:
            self.most = 0
            return None

    def example(self, line: AnswerLine, row: Row) -> Example:
        """One answer, counted, and read where the tier reads.

        Raises:
            BadInput: the answer or a source is beyond the limits.
        """
        own = self.settings if line.locale in (None, "und") else replace(self.settings, locale=str(line.locale))
        proof = prepare(line.question, line.sources, line.answer, own)
        said = judge_all(proof)
        if not self.engine:
            reader = self.reader.name if self.reader else "none"
            self.engine = {**said.engine, "tier": own.tier, "profile": own.profile, "reader": reader}
        sheet = sheet_of(proof, said.judgements)
        tokens = proof.answer.tokens
        starts = tuple((tokens[i].start, tokens[i].end) for i in sheet.row_tokens)
        read = None
        if self.reader is not None:
            known = self.base.known(sheet, starts, said.judgements)
            wanted = to_read(sheet.spans, known.judged, self.most) if known else []
            read = self.reader.read(proof, [sheet.spans[i] for i in wanted])
        sheet.rows = [array("d", counts) for counts in sheet.rows]  # type: ignore[misc]  # a quarter of the memory
        return Example(
            sheet=sheet, starts=starts, label=row.label, spans=None, group=row.group, judgements=said.judgements,
            read=read,
        )  # fmt: skip


def said_of(model: SupportModel, examples: Sequence[Example], most: int, say: Say = _nothing) -> list[float]:
    """What a model says of each answer: the probability a proofreading would report.

    Args:
        most: how many sentences the reader may read, by the tier.
    """
    out = []
    for example in telling(examples, say, model.name):
        allowed = max((n for n in model.last if n <= (most if example.read is not None else 0)), default=0)
        judgements = example.judgements or ()
        known, stage = model.known(example.sheet, example.starts, judgements), model.last.get(allowed)
        if known is None or stage is None:
            out.append(round(model.probabilities(example.sheet, judgements)[0], 6))
            continue
        wanted = {example.sheet.spans[i][0] for i in to_read(example.sheet.spans, known.judged, allowed)}
        read = [one for one in example.read or () if one.start in wanted]
        heard = heard_of(example.sheet, example.starts, read) if allowed else None
        answer, _, _ = stage.probabilities(example.sheet, known, heard, mark_counts(judgements))
        out.append(round(answer, 6))
    return out


def cut_of(model: SupportModel, most: int) -> float:
    """The cut a proofreading at this tier goes by."""
    allowed = max((n for n in model.last if n <= most), default=0)
    return model.last[allowed].cut if allowed in model.last else model.cut


# Fitting and comparing ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refitted:
    """A refitted model and how it does.

    Attributes:
        fitted: the model; its probabilities are out of fold, one per training example.
        new, old: what it and the model in force say of the held-out examples.
        cuts: of the model in force, and its own.
        figures: against the model in force, on the held-out examples.
        shipped: against the model that ships, on the same; None where that is the one in force.
    """

    fitted: Fitted
    new: list[float]
    old: list[float]
    cuts: tuple[float, float]
    figures: Mapping[str, Compared]
    shipped: Mapping[str, Compared] | None


def refit_and_compare(
    counting: Counting,
    training: Sequence[Example],
    held_out: Sequence[Example],
    *,
    in_force: SupportModel | None = None,
    say: Say = _nothing,
) -> Refitted:
    """Fit on one part and compare on the other.

    Args:
        in_force: the model the project uses; None = the one that ships.
        say: takes a line of progress; may raise to stop the work.

    Raises:
        Refused: too few labels.
        BadInput: the [train] extra is not installed.
    """
    refuse_too_few_held_out([example.label for example in held_out])
    fitted = refit(counting.base, training, name="refitted", most=counting.most, say=say)
    model = fitted.model()
    new = said_of(model, held_out, counting.most, say)
    cut = cut_of(model, counting.most)
    labels, groups = [e.label for e in held_out], [e.group for e in held_out]

    def against(base: SupportModel) -> tuple[list[float], float, dict[str, Compared]]:
        old, old_cut = said_of(base, held_out, counting.most, say), cut_of(base, counting.most)
        found = compare(old, new, labels, groups=groups, resamples=RESAMPLES, old_cut=old_cut, new_cut=cut)
        say("compared")
        return old, old_cut, found

    old, old_cut, figures = against(counting.base)
    shipped = None
    if in_force is not None:
        shipped = figures
        old, old_cut, figures = against(in_force)
    return Refitted(fitted, new, old, (old_cut, cut), figures, shipped)
