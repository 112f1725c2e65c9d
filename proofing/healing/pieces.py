"""When the sources are pieces: passages of a sentence each, picked from pages that are not given.

A page that is silent about something speaks: a shop's whole policy that names no guarantee gives none. A piece that is
silent says nothing: the sentence before or after it may say just that. So what stands in no piece is marked and its
removal offered, and the answer stays as it is until a person takes the offer. What a piece *contradicts* is another
matter: it was said, in whichever place.
"""

from __future__ import annotations

from proofing.support.reading import Proof

#: The most that silence of pieces is worth: enough to be offered, not to be acted on.
OFFERED = 0.5


def in_pieces(proof: Proof) -> bool:
    """Whether there are several sources and most of them are a single sentence (or less)."""
    single = sum(len(view.sentences) <= 1 for view in proof.sources)
    return len(proof.sources) > 1 and 2 * single > len(proof.sources)
