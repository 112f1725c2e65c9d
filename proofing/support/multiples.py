"""Multiplying verbs of the answer: "tripled" is right when a source value is three times an earlier one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice

from proofing.support.asking import MULTIPLES
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place, evidence_at
from proofing.support.reading import Proof
from proofing.support.steps import in_time
from proofing.support.words import word_set

#: "Nearly tripled" and plain "tripled" may be this far from the exact multiple, as a share of it.
TOLERANCE = Fraction(5, 100)
#: How many source values are paired at most.
PAIRED = 12
HEDGES = word_set("nearly almost about roughly approximately more over less than fast presque casi quase fast")


def judge_multiples(proof: Proof, ledger: Ledger) -> list[Judgement]:
    """One judgement for each multiplying verb of the answer that is no typed value and in no source."""
    view = proof.answer
    known = {stem for source in proof.sources for stem in source.stem_set}
    found = []
    for i, fold in enumerate(view.folds):
        factor = MULTIPLES.get(fold)
        if factor is None or view.value_at(view.tokens[i].start) is not None or view.stems[i] in known:
            continue
        judgement = _judge(proof, ledger, i, factor)
        if judgement is not None:
            found.append(judgement)
    return found


def _judge(proof: Proof, ledger: Ledger, i: int, factor: Fraction) -> Judgement | None:
    view = proof.answer
    token = view.tokens[i]
    index = view.sentence_index_at(token.start)
    sentence = view.sentences[index or 0]
    words = {view.stems[j] for j in range(sentence.first_token, sentence.last_token) if view.content[j]}
    hedged = any(view.folds[j] in HEDGES for j in range(max(0, i - 3), i))
    pairs = _pairs(ledger, words)
    for earlier, later in pairs:
        if _is_multiple(_amount(later) / _amount(earlier), factor, hedged):
            formula = f"{later.value.text} / {earlier.value.text} = {_shown(_amount(later) / _amount(earlier))}"
            return _said(view.text, token.start, token.end, later, earlier, formula, None)
    if len(pairs) == 1:
        earlier, later = pairs[0]
        formula = f"{later.value.text} / {earlier.value.text} = {_shown(_amount(later) / _amount(earlier))}"
        return _said(view.text, token.start, token.end, later, earlier, formula, "derived_wrong")
    return None


def _pairs(ledger: Ledger, words: set[str]) -> list[tuple[Place, Place]]:
    """Pairs of like source values, earlier first, from places that share words with the answer's sentence."""
    meant = (
        p for p in ledger.places
        if p.number and p.number > 0 and not p.value.ends and not p.value.implicit
        and p.value.kind in ("number", "money", "percent", "quantity") and p.wide & words
    )  # fmt: skip
    near = list(islice(meant, PAIRED))
    found = []
    for one, other in combinations(near, 2):
        alike = one.value.dimension == other.value.dimension and one.view is other.view
        if alike and abs(one.sentence - other.sentence) <= 1:
            found.append(in_time(one, other))
    return found


def _amount(place: Place) -> Fraction:
    return place.number or Fraction(1)


def _is_multiple(ratio: Fraction, factor: Fraction, hedged: bool) -> bool:
    slack = factor * (Fraction(12, 100) if hedged else TOLERANCE)
    return abs(ratio - factor) <= slack


def _shown(ratio: Fraction) -> str:
    return f"{round(float(ratio), 2):g}"


def _said(text: str, start: int, end: int, later: Place, earlier: Place, formula: str, reason: str | None) -> Judgement:
    operands = (later.value.text, earlier.value.text)
    note = "ratio of source values" if reason is None else f"the sources give {formula}"
    receipt = evidence_at(earlier, note, formula, operands)
    return Judgement(
        start, end, text[start:end], "number", 0.0 if reason else 0.95, reason, receipt, (), "arithmetic", note,
        formula, operands, "values",
    )  # fmt: skip
