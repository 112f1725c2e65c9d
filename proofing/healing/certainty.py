"""How sure the healer is that something must change, 0-1: what it compares with `Settings.caution`.

An edit that rests on a wrong mark makes a right answer wrong, which is the one thing a healer must never do.
So every mark, and every sentence that holds marks or that no source seems to back, gets a certainty from what is known
about it: how much of it stands in the receipt's sentence (a value that differs where all else is equal is nearly
certain; the same value in a sentence that shares two words with its receipt is a guess), how many of its words the
support model doubts and how strongly, what else is marked in it. Two logistic regressions, fitted on labelled spans,
weigh these; their weights and where they come from stand in ``data/certainty.json`` (made by
``bench/train/certainty.py``, which also moves both onto one scale: at one caution about as few right answers suffer
from one as from the other).
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from proofing.documents import Sentence
from proofing.healing.left_open import bound_still_holds, may_be_another_case
from proofing.healing.overlap import (
    shared_with_bound,
    shared_with_receipt,
    shared_with_sources,
    stands_in_sources,
    unknown_share,
)
from proofing.healing.pieces import OFFERED, in_pieces, speaks_of_something_else
from proofing.learning.trees import log_odds
from proofing.quality import check_score
from proofing.report import Anchor, Mark, Report
from proofing.support.reading import Proof

NOT_VALUES = frozenset({"word", "name", "negation", "modality", "comparator", "quote", "citation", "url", "code"})
#: Kinds that are rated together.
GROUPS = {
    "name": {"name"}, "negation": {"negation"}, "modality": {"modality", "comparator"}, "quote": {"quote"},
    "coded": {"citation", "url", "code", "identifier", "version", "phone"}, "date": {"date", "time", "ordinal"},
    "money": {"money"}, "range": {"range"},
}  # fmt: skip

MARK_FEATURES = (
    "name", "negation", "modality", "quote", "coded", "date", "money", "range", "absent", "unbound", "unit", "derived",
    "near", "near_value", "near_negation", "near_name", "known", "unknown_absent", "answer", "mark", "around",
    "short_sources", "one_choice", "stands_elsewhere", "about_itself", "judged",
)  # fmt: skip
SENTENCE_FEATURES = (
    "missing", "near", "answer", "top", "second", "third", "mean", "hot", "many_hot", "weakest", "marked", "marks",
    "surest", "contrary", "negated", "hours", "name", "value", "unfaithful", "claim", "ungrounded", "short", "long",
    "short_sources", "about_itself", "judged", "others",
)  # fmt: skip
#: A word is hot from this probability of being unsupported on.
HOT = 0.5
#: Counts from which a feature is at its end: marks of a sentence, its hot words, its words.
MANY_MARKS, MANY_HOT, MANY_WORDS = 4, 5, 40

#: The labelled spans the weights were fitted on come with long sources, where a mark may rest on the wrong sentence.
#: With up to this many words of sources there is next to nothing to confuse, and what a mark says is taken plainly;
#: the plain certainty fades out until `CONFUSING_FROM`.
CLEAR_UP_TO, CONFUSING_FROM = 80, 240
#: Plain certainty of a mark that contradicts a receipt it shares no other word with; it grows with what they share.
PLAIN_CONTRARY = 0.75
#: Plain certainty of something absent, where all else in its sentence is known; it grows with what is unknown.
PLAIN_ABSENT = 0.6
#: Plain certainty of a reference in brackets that stands in no source: it is looked up letter by letter, and taking it
#: out leaves its sentence as it is.
PLAIN_REFERENCE = 0.85
#: A turned word is only as sure as `PLAIN_CONTRARY` where less than this share of its sentence stands in any source:
#: "seats must be reserved by telephone" is not right once "must" is "can".
SAID_ENOUGH = 0.75
SAID_OF = frozenset({"negation", "modality", "comparator"})
REFERENCES = frozenset({"citation", "identifier", "url"})
_OPENS_REFERENCE = re.compile(
    r",\s*(?:see|cf\.)\s+$|[(\[]\s*(?:(?:see|cf\.|vgl\.|doi|arxiv|pmid|isbn)[:\s]\s*)?$"
    r"|\b(?:according\s+to|selon|según|secondo|segundo|согласно|at|via|under|unter)\s+$",
    re.IGNORECASE,
)

#: A value with one correction, in a sentence of which this share stands in the receipt's sentence, is taken plainly
#: too, however long the sources are: that hardly ever happens in right answers (5 marks in 2,912 answers of fold 1).
SAME_SENTENCE = 0.7
SWAPPED = frozenset({"contradicted", "unit", "derived_wrong"})

#: A sentence about the answer or the material itself ("Based on the passages given …") claims nothing about the world.
_ABOUT_ITSELF = re.compile(
    r"\b(?:passages?|summar(?:y|ies|ise|ize)|unable to answer|(?:the|given|provided|available) "
    r"(?:text|context|information|sources?|documents?|data)|not (?:mentioned|specified|stated|provided|given)|"
    r"cannot (?:answer|be determined)|based on|in \d+ words|i (?:am|cannot|can't|would|could|don't)|i'm|note that|"
    r"sure[,!]|certainly[,!]|here (?:is|are|'s))\b",
    re.IGNORECASE,
)


class Certainty:
    """What is known about the marks and sentences of one report, and how sure that makes the healer.

    Args:
        proof: the report's texts.
        report: the inspection.
    """

    def __init__(self, proof: Proof, report: Report) -> None:
        self.proof = proof
        self.report = report
        self._starts = [anchor.start for anchor in report.finding.anchors]
        claims = report.checks.get("faithfulness", {}).get("claims", ())
        found = ((proof.answer.sentence_at(int(claim["start"])), claim) for claim in claims)
        self._claims = {sentence.start: claim for sentence, claim in found if sentence is not None}
        self._judged = {start: probability for start, _, probability in report.sentences}
        words = sum(len(view.tokens) for view in proof.sources)
        #: 0-1: how far the sources are too long to see through, so that only the fitted certainty counts.
        self.confusing = 1.0 - min(1.0, max(0.0, (CONFUSING_FROM - words) / (CONFUSING_FROM - CLEAR_UP_TO)))
        #: Silence of sources in pieces is no ground to change anything (`healing.pieces`).
        self.in_pieces = in_pieces(proof)
        self._short = 1.0 / (1.0 + math.log2(max(1, len(proof.evidence))))

    def of_mark(self, mark: Mark) -> float:
        """How sure it is that `mark` covers something the sources do not back, 0-1, to four decimals."""
        found = self._of_mark(mark)
        return min(found, OFFERED) if self._is_left_open(mark) else found

    def _is_left_open(self, mark: Mark) -> bool:
        """Whether the sources do not rule out what is marked, so that it is offered and not changed."""
        in_doubt = self.in_pieces and mark.kind not in REFERENCES
        if in_doubt and (mark.reason == "absent" or speaks_of_something_else(self.proof, mark)):
            return True
        return may_be_another_case(self.proof, mark) or bound_still_holds(self.proof, mark)

    def _of_mark(self, mark: Mark) -> float:
        features = self.mark_features(mark)
        plain = self._plain(mark)
        unknown = unknown_share(self.proof, mark) if mark.kind == "word" else features["unknown_absent"]
        near = (
            max(features["near"], shared_with_bound(self.proof, mark)) if mark.reason == "unbound" else features["near"]
        )
        if mark.kind not in SAID_OF or features["known"] >= SAID_ENOUGH:
            plain += (1.0 - plain) * (unknown if mark.reason == "absent" else near)
        if mark.reason in SWAPPED and features["one_choice"] and features["near_value"] >= SAME_SENTENCE:
            return round(plain, 4)
        return self._either(_logistic("mark", MARK_FEATURES, features), plain)

    def _plain(self, mark: Mark) -> float:
        if mark.reason != "absent":
            return PLAIN_CONTRARY
        before = self.proof.answer.text[max(0, mark.start - 16) : mark.start]
        alone = mark.kind in REFERENCES and _OPENS_REFERENCE.search(before) is not None
        return PLAIN_REFERENCE if alone else PLAIN_ABSENT

    def of_sentence(self, sentence: Sentence, overlap: float | None) -> float:
        """How sure it is that a large part of a sentence says what no source backs, 0-1, to four decimals.

        Args:
            sentence: one of the answer's.
            overlap: share of its content words that stand in the sources, as the faithfulness check found it for a
                claim that is not grounded; None for a grounded one and for what is no claim, where only the marks in
                it speak.
        """
        fitted = _logistic("sentence", SENTENCE_FEATURES, self.sentence_features(sentence))
        found = self._of_claim(fitted, overlap)
        left_open = self.in_pieces and all(
            mark.reason == "absent" or self._is_left_open(mark) for mark in self._marks_of(sentence)
        )
        return min(found, OFFERED) if left_open else found

    def _marks_of(self, sentence: Sentence) -> list[Mark]:
        return [m for m in self.report.marks if sentence.start <= m.start < sentence.end]

    def _of_claim(self, fitted: float, overlap: float | None) -> float:
        if overlap is None:
            return fitted
        return self._either(fitted, PLAIN_ABSENT + (1.0 - PLAIN_ABSENT) * (1.0 - overlap))

    def of_rewrite(self, whole: float) -> float:
        """How sure it is that the whole answer must give way to source sentences, 0-1.

        Args:
            whole: how sure it is that something in it is wrong. With long sources that is not enough: the more of
                the answer is grounded, the more a rewrite would take away.
        """
        kept = 0.5 * check_score(self.report.checks, "faithfulness", 1.0)
        return self._either(whole * (1.0 - kept), whole)

    def _either(self, fitted: float, plain: float) -> float:
        """The fitted certainty, or the plain one as far as the sources are few enough to see through."""
        return round(max(fitted, plain * (1.0 - self.confusing)), 4)

    def mark_features(self, mark: Mark) -> dict[str, float]:
        """What is known about a mark before anything is changed because of it; each about 0-1."""
        sentence = self.proof.answer.sentence_at(mark.start)
        near = shared_with_receipt(self.proof, mark)
        known = shared_with_sources(self.proof, mark)
        absent = mark.reason == "absent"
        return {
            **{group: float(mark.kind in kinds) for group, kinds in GROUPS.items()},
            "absent": float(absent),
            "unbound": float(mark.reason == "unbound"),
            "unit": float(mark.reason == "unit"),
            "derived": float(mark.reason == "derived_wrong"),
            "near": near,
            "near_value": near * (mark.kind not in NOT_VALUES),
            "near_negation": near * (mark.kind == "negation"),
            "near_name": near * (mark.kind == "name"),
            "known": known,
            "unknown_absent": (1.0 - known) * absent,
            "answer": self.report.unsupported_probability,
            "mark": mark.probability,
            "around": self._doubt_around(mark),
            "short_sources": self._short,
            "one_choice": float(len(mark.replacements) == 1),
            "stands_elsewhere": float(stands_in_sources(self.proof, mark)),
            "about_itself": _about_itself(sentence),
            "judged": 0.0 if sentence is None else self._odds_of(sentence),
        }

    def sentence_features(self, sentence: Sentence) -> dict[str, float]:
        """What is known about a sentence before anything is taken out; each about 0-1."""
        stems = self.proof.answer.content_stems_in(sentence)
        nearest = self.proof.nearest(stems, 1)
        anchors = self._anchors_of(sentence)
        doubts = sorted((anchor.probability for anchor in anchors), reverse=True)
        hot = sum(doubt > HOT for doubt in doubts)
        marks = self._marks_of(sentence)
        telling = [m for m in marks if m.kind != "word" or m.reason != "absent"]
        claim = self._claims.get(sentence.start)
        return {
            "missing": 1.0 - (1.0 if claim is None else float(claim["overlap"])),
            "near": nearest[0][1] if nearest else 0.0,
            "answer": self.report.unsupported_probability,
            "top": doubts[0] if doubts else 0.0,
            "second": doubts[1] if len(doubts) > 1 else 0.0,
            "third": doubts[2] if len(doubts) > 2 else 0.0,
            "mean": sum(doubts) / max(1, len(doubts)),
            "hot": hot / max(1, len(doubts)),
            "many_hot": min(1.0, hot / MANY_HOT),
            "weakest": min((anchor.support for anchor in anchors), default=1.0),
            "marked": min(1.0, sum(m.end - m.start for m in marks) / max(1, sentence.end - sentence.start)),
            "marks": min(1.0, len(marks) / MANY_MARKS),
            "surest": max((self.of_mark(m) for m in telling), default=0.0),
            "contrary": float(any(m.reason != "absent" for m in marks)),
            "negated": float(any(m.kind == "negation" for m in marks)),
            "hours": float(any(m.kind in ("time", "range") for m in marks)),
            "name": float(any(m.kind == "name" for m in marks)),
            "value": float(any(m.kind not in NOT_VALUES for m in marks)),
            "unfaithful": 1.0 - check_score(self.report.checks, "faithfulness", 1.0),
            "claim": float(claim is not None),
            "ungrounded": float(claim is not None and not claim["grounded"]),
            "short": 1.0 / max(1, len(stems)),
            "long": min(1.0, len(doubts) / MANY_WORDS),
            "short_sources": self._short,
            "about_itself": _about_itself(sentence),
            "judged": self._odds_of(sentence),
            "others": max((p for start, p in self._judged.items() if start != sentence.start), default=0.0),
        }

    def _odds_of(self, sentence: Sentence) -> float:
        """Log odds of a sentence as the support model judged it, scaled to about -1 to 1; its likeliest word's else."""
        known = self._judged.get(sentence.start)
        if known is None:
            known = max((anchor.probability for anchor in self._anchors_of(sentence)), default=0.0)
        return log_odds(known, edge=0.001) / 7.0

    def _anchors_of(self, sentence: Sentence) -> Sequence[Anchor]:
        """The scored words of a sentence."""
        first, last = bisect_left(self._starts, sentence.start), bisect_left(self._starts, sentence.end)
        return self.report.finding.anchors[first:last]

    def _doubt_around(self, mark: Mark) -> float:
        """Mean probability of the words around a mark of being unsupported, as the report scored them."""
        sentence = self.proof.answer.sentence_at(mark.start)
        anchors = () if sentence is None else self._anchors_of(sentence)
        return sum(anchor.probability for anchor in anchors) / max(1, len(anchors))


@lru_cache(maxsize=16)  # asked for every mark of a sentence, and a hostile one may have a thousand
def _about_itself(sentence: Sentence | None) -> float:
    return float(sentence is not None and _ABOUT_ITSELF.search(sentence.text) is not None)


def _logistic(part: str, names: tuple[str, ...], features: Mapping[str, float]) -> float:
    weights = _weights()[part]
    total = float(weights["intercept"]) + sum(float(weights["weights"][name]) * features[name] for name in names)
    return round(1.0 / (1.0 + math.exp(-total)), 4)


@cache
def _weights() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(
        resources.files("proofing.healing").joinpath("data", "certainty.json").read_text("utf-8")
    )
    return loaded
