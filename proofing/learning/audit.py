"""Labels that are most likely wrong: where the engine, or the judges, are sure and the label says otherwise.

A label audit needs no judge. The engine's calibrated probability is held against the stored label; the more it is
surprised, the higher the label stands in the list. Where judges were asked as well, what they said takes part, and a
label that all of them deny is listed whatever the engine thinks. Whether the label is wrong is for a person to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from proofing.exchange.answers import AnswerLine
from proofing.learning.labelled import Labelled, Scored

#: So many judges must have said something before "all of them deny it" means anything.
LEAST_JUDGES = 2


@dataclass(frozen=True, slots=True)
class Heard:
    """What judges said of one answer.

    Attributes:
        valid: how many votes count.
        yes: how many of them say that something is unsupported.
        reasons: (judge, says unsupported, its sentence) of each vote that counts.
        probability: that something is unsupported, 0-1, engine and votes taken together; None where nothing has been
            fitted to take them together.
    """

    valid: int
    yes: int
    reasons: tuple[tuple[str, bool, str], ...] = ()
    probability: float | None = None

    def against(self, label: int) -> int:
        """How many of the votes deny the label."""
        return self.valid - self.yes if label else self.yes


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One label and how surprising it is.

    Attributes:
        label: as stored; 1 = unsupported.
        probability: the engine's, 0-1.
        surprise: probability of the other label, 0-1, by engine and judges together; the order of the list.
        weakest: words of the weakest mark, "" without one.
        by: who denies the label: ``engine``, ``judges`` (all that voted), ``both``, or ``together`` where neither
            does alone.
        heard: what judges said; None when none were asked.
    """

    line: AnswerLine
    label: int
    probability: float
    surprise: float
    weakest: str
    by: str = "engine"
    heard: Heard | None = None

    def denials(self) -> Iterator[tuple[str, str]]:
        """(judge, reason) of those who deny the label."""
        for judge, unsupported, reason in self.heard.reasons if self.heard else ():
            if unsupported != bool(self.label):
                yield judge, reason

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "id": self.line.id,
            "line": self.line.line,
            "label": self.label,
            "unsupported_probability": self.probability,
            "surprise": round(self.surprise, 6),
            "weakest": self.weakest,
        }
        if self.heard is not None:
            out["by"] = self.by
            out["votes"] = {"valid": self.heard.valid, "unsupported": self.heard.yes}
            out["reasons"] = [{"judge": judge, "reason": reason} for judge, reason in self.denials()]
        return out

    def __str__(self) -> str:
        name = self.line.id or f"line {self.line.line}"
        why = f', look at "{self.weakest}"' if self.label == 0 and self.weakest else ""
        said = "unsupported" if self.label else "supported"
        text = f"{self.surprise:.3f}  {name}: labelled {said}, the engine says {self.probability:.2f}{why}"
        if self.heard is None:
            return text
        against, valid = self.heard.against(self.label), self.heard.valid
        lines = [f"{text}; {against} of {valid} judges deny it" if valid else f"{text}; no judge said anything"]
        lines += [f"         {judge}: {reason or 'no reason given'}" for judge, reason in self.denials()]
        return "\n".join(lines)


def suspicious_labels(
    labelled: Labelled, scores: Sequence[Scored], *, least: float = 0.5, heard: Sequence[Heard] | None = None
) -> list[Suspicion]:
    """The labels that engine or judges deny, most suspicious first; ties in the order of the file.

    Args:
        least: surprises below this are left out unless all judges deny the label; 0.5 = more likely wrong than not.
        heard: what judges said of each answer; None = the engine alone.
    """
    said = [None] * len(scores) if heard is None else heard
    found = []
    for example, score, votes in zip(labelled.examples, scores, said, strict=True):
        label = int(example.line.label or 0)
        surprise = surprise_of(label, score.probability, votes)
        by = denied_by(label, score.probability, votes, least=least)
        if by is None and surprise >= least:
            by = "together"
        if by is not None:
            found.append(Suspicion(example.line, label, score.probability, surprise, score.weakest, by, votes))
    return sorted(found, key=lambda suspicion: -suspicion.surprise)


def surprise_of(label: int, probability: float, heard: Heard | None) -> float:
    """Probability of the other label: by the fitted combination, else by the mean of engine and judges.

    The share of judges is smoothed by half a vote on either side, so that two judges weigh less than five.
    """
    engine = 1.0 - probability if label else probability
    if heard is None or not heard.valid:
        return engine
    if heard.probability is not None:
        return 1.0 - heard.probability if label else heard.probability
    return (engine + (heard.against(label) + 0.5) / (heard.valid + 1)) / 2


def denied_by(label: int, probability: float, heard: Heard | None, *, least: float = 0.5) -> str | None:
    """Who denies the label by themselves: ``engine``, ``judges``, ``both``; None = nobody."""
    engine = (1.0 - probability if label else probability) >= least
    judges = heard is not None and heard.valid >= LEAST_JUDGES and heard.against(label) == heard.valid
    if engine and judges:
        return "both"
    return "engine" if engine else "judges" if judges else None
