"""What a channel returns and how it is called.

A channel looks at a `Proof` (question, sources and answer, read once) and returns one `Judgement` for each
stretch of the answer it has something to say about. It sees what earlier channels said, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from proofing.documents import Span
from proofing.report import Receipt

if TYPE_CHECKING:
    from proofing.support.reading import Proof

CheckedBy = Literal["arithmetic", "meaning", "rule"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one channel says about one stretch of the answer.

    Attributes:
        start: first code point in the answer.
        end: one past the last code point.
        text: the stretch itself, equal to ``answer[start:end]``.
        kind: one of `proofing.report.KINDS`.
        support: how far the sources back it, 0-1.
        reason: one of `proofing.report.REASONS` for a candidate mark, None where the stretch is backed or
            merely scored (then only `support` speaks, and the support model may still draw a mark).
        receipt: the nearest evidence; None when nothing is near.
        replacements: texts that may stand in its place, best first; empty when the receipt offers none.
        checked_by: ``arithmetic`` (values), ``meaning`` (encoder) or ``rule``.
        note: something a reviewer should know, in one short sentence.
        formula: the arithmetic that backs a derived value, as text.
        operands: the source texts the formula was built from.
        channel: name of the channel that said it.
        whole: the stretch must be drawn as it is and never joined with its neighbours.
    """

    start: int
    end: int
    text: str
    kind: str
    support: float
    reason: str | None = None
    receipt: Receipt | None = None
    replacements: tuple[str, ...] = ()
    checked_by: CheckedBy = "rule"
    note: str = ""
    formula: str | None = None
    operands: tuple[str, ...] = ()
    channel: str = ""
    whole: bool = False

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Channel(Protocol):
    """One way of asking whether the sources back a stretch of the answer."""

    name: str

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """Judgements on `proof.answer`, in text order.

        Args:
            proof: the texts, read once.
            earlier: what the channels before this one said, in text order.
        """
        ...
