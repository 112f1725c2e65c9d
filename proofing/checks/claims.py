"""Claims: the declarative sentences of an answer that say something checkable."""

from __future__ import annotations

from collections.abc import Iterator

from proofing.documents import Sentence
from proofing.support.reading import Proof

#: Shorter sentences ("Yes.", "Thank you!") make no claim of their own.
CLAIM_WORDS = 4


def claims_of(proof: Proof) -> Iterator[Sentence]:
    """The claims of the answer in text order: sentences of four words or more that are no question, no heading
    and none of the healer's own notes."""
    answer = proof.answer
    for sentence in answer.sentences:
        text = sentence.text.strip()
        if text.endswith(("?", "？", ":")) or is_own_phrase(text):
            continue
        words = sum(1 for t in answer.tokens[sentence.first_token : sentence.last_token] if t.kind != "sign")
        if words >= CLAIM_WORDS:
            yield sentence


def is_own_phrase(text: str) -> bool:
    """Whether a sentence is one the healer itself wrote (a decline, a note that something was removed)."""
    from proofing.healing.phrases import is_own_phrase as own

    return own(text)
