"""Joins what the channels said into marks: phrases with receipts, weakest first.

Rules and values give their marks as they are; words whose probability reaches the drawing line
(`Settings.mark_cut`) join into phrases, never into confetti: neighbours of one claim become one mark, function
words inside join, function words at the edges do not. Nothing here holds a threshold that is not named.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from proofing.documents import Span
from proofing.report import Anchor, Finding, Mark, Note, Receipt
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import Proof, TextView

#: Reasons that count as a contradiction of the sources (the others say that something is not there).
CONTRADICTING = frozenset({"contradicted", "unbound", "negated", "unit", "derived_wrong", "altered_quote"})
#: How sure a rule is that the stretch is unsupported, before any calibration, by reason.
RULE_PROBABILITY = {
    "contradicted": 0.95, "derived_wrong": 0.95, "unit": 0.9, "unbound": 0.85, "negated": 0.85,
    "altered_quote": 0.8, "absent": 0.75,
}  # fmt: skip
#: Kinds read as words; all others are values or value-like and win at equal support.
WORD_KINDS = frozenset({"word", "name", "negation", "modality", "comparator", "quote"})
#: Which judgement stays when two overlap: the more specific kind.
RANK = {"citation": 0, "identifier": 1, "url": 1, "code": 1, "name": 3, "negation": 4, "modality": 4, "comparator": 4,
        "quote": 5, "word": 6}  # fmt: skip
VALUE_RANK = 2
#: At most this many unmarked function words and signs lie between two parts of one phrase.
BRIDGE = 4
#: An unmarked content word between two marked ones joins them from this share of the drawing line on.
SMOOTH = 0.6


def find_marks(
    proof: Proof, judgements: Sequence[Judgement], token_probabilities: Sequence[float] | None, settings: Settings
) -> Finding:
    """All marks of one answer.

    Args:
        proof: the texts.
        judgements: what the channels said, in any order.
        token_probabilities: per token of ``proof.answer.tokens`` the probability (0-1) that it is unsupported, as
            the support model sees it; None = no model, then only rules draw marks.
        settings: `mark_cut` is the drawing line.

    Returns:
        A `Finding` with marks ordered weakest first, values before words at equal support, then by position. It has
        no hash yet: that covers the engine and its models too, which only the caller knows.
    """
    ordered = sorted(judgements, key=lambda j: (j.start, j.end, j.kind))
    kept = _without_overlaps(j for j in ordered if j.reason is not None)
    fixed = [j for j in kept if not _joins(j)]
    marks = [_mark_of(j, _highest(proof.answer, j.span, token_probabilities)) for j in fixed]
    marks += _phrases(proof, ordered, [j for j in kept if _joins(j)], fixed, token_probabilities, settings)
    marks.sort(key=lambda m: (m.support, m.kind in WORD_KINDS, m.start))
    anchors = _anchors(proof, ordered, token_probabilities)
    return Finding(
        marks=tuple(marks),
        notes=_notes(ordered),
        anchors=anchors,
        floor=min((a.support for a in anchors), default=None),
        warnings=(),
        sha256="",
    )


def canonical_sha256(content: Any) -> str:
    """SHA-256 of `content` as JSON with sorted keys, no white space, UTF-8; the same on every machine."""
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def rank_of(judgement: Judgement) -> int:
    """Place of a kind when two judgements want the same words: lower stays."""
    return RANK.get(judgement.kind, VALUE_RANK)


def _without_overlaps(candidates: Iterable[Judgement]) -> list[Judgement]:
    """The candidates that stay: whole stretches first, then the more specific, the longer, the earlier."""
    ranked = sorted(candidates, key=lambda j: (not j.whole, rank_of(j), j.start - j.end, j.start))
    kept: list[Judgement] = []  # in text order and never overlapping, so only the neighbours need a look
    for judgement in ranked:
        at = bisect_left(kept, judgement.start, key=lambda other: other.start)
        if at and kept[at - 1].end > judgement.start:
            continue
        if at < len(kept) and kept[at].start < judgement.end:
            continue
        kept.insert(at, judgement)
    return kept


def _joins(judgement: Judgement) -> bool:
    """Whether a rule mark is a loose word that may join its marked neighbours."""
    return judgement.kind == "word" and not judgement.whole and judgement.reason == "absent"


def _highest(view: TextView, span: Span, probabilities: Sequence[float] | None) -> float:
    if not probabilities:
        return 0.0
    return max((probabilities[i] for i in view.tokens_between(*span)), default=0.0)


def _mark_of(judgement: Judgement, model_probability: float) -> Mark:
    probability = max(RULE_PROBABILITY.get(judgement.reason or "", 0.5), model_probability)
    return Mark(
        start=judgement.start,
        end=judgement.end,
        text=judgement.text,
        kind=judgement.kind,
        support=_rounded(judgement.support),
        probability=_rounded(probability),
        reason=judgement.reason or "absent",
        receipt=judgement.receipt or Receipt(None, note="no sentence of the sources is close to this"),
        replacements=judgement.replacements,
    )


def _phrases(
    proof: Proof,
    judgements: Sequence[Judgement],
    loose: Sequence[Judgement],
    fixed: Sequence[Judgement],
    probabilities: Sequence[float] | None,
    settings: Settings,
) -> list[Mark]:
    """Word marks: loose rule words and tokens above the drawing line, joined into phrases of one sentence."""
    answer = proof.answer
    closed = _closed_tokens(answer, judgements, fixed)
    by_rule = {i: j for j in loose for i in answer.tokens_between(j.start, j.end)}
    drawn = {
        i
        for i in range(len(answer.tokens))
        if i not in closed
        and (i in by_rule or (answer.content[i] and probabilities and probabilities[i] >= settings.mark_cut))
    }
    drawn = _whole_values(answer, drawn, closed)
    return [
        _phrase_mark(proof, run, [by_rule[i] for i in run if i in by_rule], judgements, probabilities)
        for run in _runs(answer, drawn, closed, probabilities, settings.mark_cut * SMOOTH)
    ]


def _whole_values(answer: TextView, drawn: set[int], closed: frozenset[int]) -> set[int]:
    """`drawn` with every typed value in it whole, or left out where another mark or a backed value holds part of it."""
    whole = set(drawn)
    for value in answer.values:
        tokens = answer.tokens_between(value.start, value.end)
        inside = [i for i in tokens if i in drawn]
        if not inside or len(inside) == len(tokens):
            continue
        if any(i in closed for i in tokens):
            whole.difference_update(tokens)
        else:
            whole.update(tokens)
    return whole


def _closed_tokens(answer: TextView, judgements: Sequence[Judgement], fixed: Sequence[Judgement]) -> frozenset[int]:
    """Tokens that no word mark may take: those of other marks, of supported values, names and quotations."""
    backed = [j for j in judgements if j.reason is None and j.support >= 0.999 and j.kind != "word"]
    return frozenset(i for j in [*fixed, *backed] for i in answer.tokens_between(j.start, j.end))


def _runs(
    answer: TextView, drawn: set[int], closed: frozenset[int], probabilities: Sequence[float] | None, smooth: float
) -> list[list[int]]:
    """Groups of token indices that read as one phrase, in text order."""
    runs: list[list[int]] = []
    for index in sorted(drawn):
        if runs and _bridged(answer, runs[-1][-1], index, closed, probabilities, smooth):
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _bridged(
    answer: TextView,
    left: int,
    right: int,
    closed: frozenset[int],
    probabilities: Sequence[float] | None,
    smooth: float,
) -> bool:
    between = range(left + 1, right)
    if len(between) > BRIDGE:
        return False
    if answer.sentence_index_at(answer.tokens[left].start) != answer.sentence_index_at(answer.tokens[right].start):
        return False
    doubtful = 0
    for index in between:
        if index in closed or answer.tokens[index].text in ";:()[]|":
            return False
        if answer.content[index]:
            doubtful += 1
            if doubtful > 1 or not probabilities or probabilities[index] < smooth:
                return False
    return True


def _phrase_mark(
    proof: Proof,
    run: Sequence[int],
    rules: Sequence[Judgement],
    judgements: Sequence[Judgement],
    probabilities: Sequence[float] | None,
) -> Mark:
    answer = proof.answer
    start, end = answer.tokens[run[0]].start, answer.tokens[run[-1]].end
    scored = [j.support for j in judgements if j.start >= start and j.end <= end and j.kind == "word"]
    from_model = max((probabilities[i] for i in run), default=0.0) if probabilities else 0.0
    from_rule = RULE_PROBABILITY["absent"] if rules else 0.0
    receipt = next((j.receipt for j in rules if j.receipt), None) or nearest_receipt(proof, start, end)
    return Mark(
        start=start,
        end=end,
        text=answer.text[start:end],
        kind="word",
        support=_rounded(min(scored, default=0.0)),
        probability=_rounded(max(from_model, from_rule)),
        reason="absent",
        receipt=receipt,
    )


def nearest_receipt(proof: Proof, start: int, end: int, note: str = "") -> Receipt:
    """A receipt on the source sentence nearest to the answer sentence around ``[start, end)``.

    The span is the stretch of that sentence from its first to its last word shared with the answer sentence. Without
    any shared word there is no nearest evidence: ``source_id`` is None and the note says so, whatever `note` is.
    """
    answer = proof.answer
    sentence = answer.sentence_at(start)
    stems = answer.content_stems_in(sentence) if sentence else []
    found = proof.nearest(stems, count=1)
    if not found:
        return Receipt(None, note="no sentence of the sources shares a word with this one")
    index = found[0][0]
    view, near = proof.located(index)
    wanted = set(stems)
    shared = [i for i in range(near.first_token, near.last_token) if view.stems[i] in wanted]
    note = note or "nearest sentence; it does not say this"
    if not shared:
        return proof.receipt(index, note=note)
    return proof.receipt(index, view.tokens[shared[0]].start, view.tokens[shared[-1]].end, note)


def _notes(judgements: Sequence[Judgement]) -> tuple[Note, ...]:
    """Formulas and remarks on stretches that are backed."""
    return tuple(
        Note(j.start, j.end, j.text, "derived" if j.formula else j.kind, j.formula, j.note)
        for j in judgements
        if j.reason is None and (j.formula or j.note)
    )


def _anchors(
    proof: Proof, judgements: Sequence[Judgement], probabilities: Sequence[float] | None
) -> tuple[Anchor, ...]:
    """Every scored stretch once, in text order: rule marks and values as they are, words where nothing else speaks."""
    ranked = sorted(judgements, key=lambda j: (j.reason is None, rank_of(j), j.support, j.start))
    taken: set[int] = set()
    anchors = []
    for judgement in ranked:
        tokens = proof.answer.tokens_between(judgement.start, judgement.end)
        if not tokens or not taken.isdisjoint(tokens):
            continue
        taken.update(tokens)
        model = max([probabilities[i] for i in tokens]) if probabilities else 0.0
        rule = RULE_PROBABILITY.get(judgement.reason, 0.5) if judgement.reason else 0.0
        anchors.append(
            Anchor(
                judgement.start,
                judgement.end,
                judgement.text,
                _rounded(judgement.support),
                _rounded(max(model, rule) if probabilities else max(rule, 1.0 - judgement.support)),
                judgement.checked_by,
                judgement.receipt,
            )
        )
    return tuple(sorted(anchors, key=lambda a: a.start))


def _rounded(number: float) -> float:
    return round(float(number), 6) + 0.0
