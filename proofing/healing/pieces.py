"""When the sources are pieces: short passages of a sentence or two, picked from pages that are not given.

A page that is silent about something speaks: a shop's whole policy that names no guarantee gives none. A piece that is
silent says nothing: the sentence before or after it may say just that. So what stands in no piece is marked and its
removal offered, and the answer stays as it is until a person takes the offer.

What a piece *contradicts* was said, in whichever place; but pieces speak of many things, and the nearest one may speak
of another than the answer. A name, a word, a denial or a date is exchanged where both say the same but for it; a
counted value was bound to its thing when it was marked.
"""

from __future__ import annotations

from proofing.healing.overlap import shared_with_answer, shared_with_receipt
from proofing.healing.receipts import receipt_sentence
from proofing.report import Mark
from proofing.support.reading import Proof

#: The most that silence of pieces is worth: enough to be offered, not to be acted on.
OFFERED = 0.5
#: A source of up to so many tokens is a piece, however its sentences are counted: initials may look like ends of some.
PIECE_WORDS = 30
#: From this share of the other words on, counted in the answer's sentence and in the piece's, both say the same thing.
#: Chosen on folds 1 to 4 of TruthfulQA (decision 0008).
SAME_STATEMENT = 0.65
#: A price, a share or a measure is bound to the thing it counts before it is called contradicted
#: (and so is whatever is right but for its unit).
COUNTED = frozenset({"money", "percent", "quantity", "number", "range"})


def in_pieces(proof: Proof) -> bool:
    """Whether there are several sources and most of them are a single sentence (or less), or as short as one."""
    single = sum(len(view.sentences) <= 1 or len(view.tokens) <= PIECE_WORDS for view in proof.sources)
    return len(proof.sources) > 1 and 2 * single > len(proof.sources)


def speaks_of_something_else(proof: Proof, mark: Mark) -> bool:
    """Whether the piece that contradicts a mark says other or more things beside it than the answer's sentence."""
    if mark.reason == "unit" or mark.kind in COUNTED or receipt_sentence(proof, mark) is None:
        return False
    return min(shared_with_receipt(proof, mark), shared_with_answer(proof, mark)) < SAME_STATEMENT
