"""Where a mark's receipt stands: the source it was taken from, and the sentence of it."""

from __future__ import annotations

from proofing.documents import Sentence
from proofing.report import Mark
from proofing.support.reading import Proof, TextView


def receipt_source(proof: Proof, mark: Mark) -> TextView | None:
    """The source of a mark's receipt; None where nothing near it was found."""
    return next((v for v in proof.sources if v.source and v.source.id == mark.receipt.source_id), None)


def receipt_sentence(proof: Proof, mark: Mark) -> tuple[TextView, Sentence] | None:
    """The source of a mark's receipt and the sentence around it there."""
    view = receipt_source(proof, mark)
    theirs = view.sentence_at(mark.receipt.sentence_start) if view else None
    return None if view is None or theirs is None else (view, theirs)
