"""Has an answer to the same question changed over time?

Each answer leaves a fingerprint (the values it names, its first content words, whether it denies, how long it
is) and never its text. A new answer is compared with the newest earlier ones of the same question; far from
them on average, it has drifted. A question is the same one only where the answers also stand on the same sources
(see `proofing.checks.ground`). Where fingerprints are kept is not decided here: see `proofing.history` for
the file, and a web application may pass its own `DriftHistory`.

>>> first = fingerprint("The Atlas plan costs $40 per month.")
>>> similarity(first, fingerprint("The Atlas plan costs $40 per month."))
1.0
>>> similarity(first, fingerprint("The Atlas plan costs $55 per month."))
0.6
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from proofing.checks.ground import Ground, ground_of
from proofing.settings import Settings
from proofing.support.reading import Proof, TextView
from proofing.values import Value

#: Weights of the three parts of a similarity; parts that neither side has are left out and the rest scaled up.
NUMBERS_WEIGHT, WORDS_WEIGHT, POLARITY_WEIGHT = 0.4, 0.4, 0.2
#: How many content words, from the start of the answer, a fingerprint keeps.
WORDS_KEPT = 20
#: Upper bounds in words of the length buckets, kept for display only: length never votes.
BUCKETS = ((10, "under 10"), (25, "10 to 24"), (50, "25 to 49"), (100, "50 to 99"), (200, "100 to 199"))

_DENIALS = frozenset(
    "no not never none nothing nobody neither nor cannot without "
    "nicht kein keine keinen nie ne pas jamais aucun nunca ningún ninguna sin "
    "non mai nessun não sem не нет никогда".split()
)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is kept of an answer for comparison; the text cannot be rebuilt from it.

    Attributes:
        numbers: canonical values named in the answer, sorted, each once.
        words: the first twenty different content words, sorted.
        polarity: ``"denies"``, ``"affirms"`` or ``""`` for an answer without any word.
        bucket: length in words, as a range.
        ground: what it stands on; None where that is not known, which is comparable with anything.
    """

    numbers: tuple[str, ...]
    words: tuple[str, ...]
    polarity: str
    bucket: str
    ground: Ground | None = None

    def to_dict(self) -> dict[str, Any]:
        kept: dict[str, Any] = {
            "numbers": list(self.numbers),
            "words": list(self.words),
            "polarity": self.polarity,
            "bucket": self.bucket,
        }
        return kept if self.ground is None else {**kept, "ground": self.ground.to_dict()}

    def is_about_the_same(self, other: Fingerprint) -> bool:
        """Whether both answers were given about the same sources."""
        return self.ground is None or other.ground is None or self.ground.shares(other.ground)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Fingerprint:
        """The fingerprint that `to_dict` wrote."""
        ground = Ground.from_dict(data["ground"]) if data.get("ground") else None
        return cls(tuple(data["numbers"]), tuple(data["words"]), str(data["polarity"]), str(data["bucket"]), ground)


@dataclass(frozen=True, slots=True)
class DriftResult:
    """What a comparison found.

    Attributes:
        drifted: the distance is over the threshold.
        distance: 1 - mean similarity to the newest earlier answers, 0-1; None with too few of them.
        compared: how many earlier answers it was compared with.
        earlier: how many earlier answers are known, at most as many as were loaded.
        new_numbers: values named now and in none of the compared answers.
        gone_numbers: values that all compared answers named and this one does not.
        changed_sources: ids of sources whose text had changed since the compared answers, the likely cause; only a
            history that knows the sources can tell.
    """

    drifted: bool
    distance: float | None
    compared: int
    earlier: int
    new_numbers: tuple[str, ...] = ()
    gone_numbers: tuple[str, ...] = ()
    changed_sources: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "drifted": self.drifted,
            "distance": self.distance,
            "compared": self.compared,
            "earlier": self.earlier,
            "new_numbers": list(self.new_numbers),
            "gone_numbers": list(self.gone_numbers),
            "changed_sources": list(self.changed_sources),
        }


class DriftHistory(Protocol):
    """Keeps the fingerprints of each question's answers, oldest out first."""

    def compare_and_record(self, question_key: str, fingerprint: Fingerprint, settings: Settings) -> DriftResult:
        """Compare with the newest earlier answers and keep this one, as one step.

        Two writers at once must each see all that was recorded before them.
        """
        ...


def question_key(question: str) -> str:
    """The key of a question: the same for other case, spacing and end punctuation.

    >>> question_key("What does it  cost?") == question_key("what does it cost")
    True
    """
    plain = " ".join(unicodedata.normalize("NFKC", question).casefold().split()).strip(" ?!.¿¡؟。")
    return hashlib.sha256(plain.encode()).hexdigest()[:32]


def fingerprint(answer: str | TextView, locale: str = "und") -> Fingerprint:
    """The fingerprint of an answer.

    Args:
        answer: its text, or its view where it has been read already.
        locale: language tag for number forms; not used with a view.
    """
    view = TextView(None, answer, locale) if isinstance(answer, str) else answer
    content: dict[str, None] = {}
    for index, is_content in enumerate(view.content):
        if len(content) == WORDS_KEPT:
            break
        if is_content and view.folds[index] not in _DENIALS and view.value_at(view.tokens[index].start) is None:
            content[view.stems[index]] = None
    has_words = any(token.kind == "word" for token in view.tokens)
    denies = any(fold in _DENIALS for fold in view.folds) or "n't" in view.text.replace("\u2019", "'").casefold()
    return Fingerprint(
        numbers=tuple(sorted({_canonical(value) for value in view.values})),
        words=tuple(sorted(content)),
        polarity=("denies" if denies else "affirms") if has_words else "",
        bucket=_bucket(view.text),
    )


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """How alike two answers are, 0-1; identical answers, and two empty ones, are at 1."""
    parts: list[tuple[float, float]] = []
    if one.numbers or other.numbers:
        parts.append((NUMBERS_WEIGHT, _jaccard(one.numbers, other.numbers)))
    if one.words or other.words:
        parts.append((WORDS_WEIGHT, _jaccard(one.words, other.words)))
    if one.polarity or other.polarity:
        parts.append((POLARITY_WEIGHT, 1.0 if one.polarity == other.polarity else 0.0))
    if not parts:
        return 1.0
    return round(sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts), 9)


def judge_drift(now: Fingerprint, earlier: Sequence[Fingerprint], settings: Settings) -> DriftResult:
    """Compare an answer with the earlier ones of its question.

    Args:
        now: the new answer.
        earlier: earlier answers to its question, newest first; those about other sources are left out, and of the
            others all beyond `Settings.drift_compared`.
        settings: threshold, window and minimum.
    """
    earlier = [past for past in earlier if now.is_about_the_same(past)]
    compared = earlier[: settings.drift_compared]
    if len(earlier) < settings.drift_minimum or not compared:
        return DriftResult(False, None, 0, len(earlier))
    distance = round(1.0 - sum(similarity(now, past) for past in compared) / len(compared), 6)
    seen = {number for past in compared for number in past.numbers}
    steady = set(compared[0].numbers).intersection(*(past.numbers for past in compared[1:]))
    return DriftResult(
        drifted=distance > settings.drift_threshold,
        distance=distance,
        compared=len(compared),
        earlier=len(earlier),
        new_numbers=tuple(n for n in now.numbers if n not in seen),
        gone_numbers=tuple(sorted(steady.difference(now.numbers))),
    )


def check_drift(proof: Proof, history: DriftHistory | None, settings: Settings) -> dict[str, Any]:
    """The drift check of a report; without a history nothing is compared or recorded.

    Args:
        proof: question and answer as read; an empty question has no history.
        history: where earlier fingerprints are kept, or None.
        settings: see `judge_drift`.
    """
    if history is None or not proof.question.text.strip():
        return {"checked": False, "drifted": False, "distance": None, "compared": 0}
    ground = ground_of(view.source for view in proof.sources if view.source is not None)
    now = replace(fingerprint(proof.answer), ground=ground)
    result = history.compare_and_record(question_key(proof.question.text), now, settings)
    return {"checked": True, **result.to_dict()}


def drift_rate(results: Sequence[tuple[bool, Sequence[str]]]) -> dict[str, float]:
    """Share of drifted answers by source document, over answers of any question.

    Args:
        results: per answer, whether it drifted and the ids of the sources it was given.

    Returns:
        Rate (0-1) per source id, sorted by rate downwards, then by id; answers that were compared only.
    """
    counts: dict[str, list[int]] = {}
    for drifted, source_ids in results:
        for source_id in dict.fromkeys(source_ids):
            count = counts.setdefault(source_id, [0, 0])
            count[0] += int(drifted)
            count[1] += 1
    rates = {source_id: drifted / seen for source_id, (drifted, seen) in counts.items()}
    return dict(sorted(rates.items(), key=lambda item: (-item[1], item[0])))


def _jaccard(one: Collection[str], other: Collection[str]) -> float:
    union = set(one) | set(other)
    return len(set(one) & set(other)) / len(union) if union else 1.0


def _canonical(value: Value) -> str:
    if not value.readings:
        return f"{value.kind}:{value.text.casefold()}"
    first = value.readings[0]
    return f"{first.dimension}:{first.amount}"


def _bucket(answer: str) -> str:
    count = len(answer.split())
    return next((name for bound, name in BUCKETS if count < bound), "200 and more")
