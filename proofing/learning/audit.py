"""Labels that are most likely wrong: where the engine is sure and the label says otherwise.

A label audit needs no judge. The engine's calibrated probability is held against the stored label; the more it is
surprised, the higher the label stands in the list. Whether the label is wrong is for a person to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from proofing.exchange.answers import AnswerLine
from proofing.learning.labelled import Labelled, Scored


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One label and how much the engine is surprised by it (0-1, its probability of the other label)."""

    line: AnswerLine
    label: int
    probability: float
    surprise: float
    weakest: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.line.id,
            "line": self.line.line,
            "label": self.label,
            "unsupported_probability": self.probability,
            "surprise": round(self.surprise, 6),
            "weakest": self.weakest,
        }

    def __str__(self) -> str:
        name = self.line.id or f"line {self.line.line}"
        why = f', look at "{self.weakest}"' if self.label == 0 and self.weakest else ""
        said = "unsupported" if self.label else "supported"
        return f"{self.surprise:.3f}  {name}: labelled {said}, the engine says {self.probability:.2f}{why}"


def suspicious_labels(labelled: Labelled, scores: Sequence[Scored], *, least: float = 0.5) -> list[Suspicion]:
    """The labels the engine disagrees with, most suspicious first; ties in the order of the file.

    Args:
        least: surprises below this are left out; 0.5 = the engine leans the other way.
    """
    found = []
    for example, score in zip(labelled.examples, scores, strict=True):
        label = int(example.line.label or 0)
        surprise = 1.0 - score.probability if label else score.probability
        if surprise >= least:
            found.append(Suspicion(example.line, label, score.probability, surprise, score.weakest))
    return sorted(found, key=lambda suspicion: -suspicion.surprise)
