"""Claims: the declarative sentences of an answer that say something checkable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofing.checks.courtesies import is_courtesy
from proofing.documents import Sentence
from proofing.support.reading import Proof

#: Saying that the sources do not say it is no claim about the matter.
_REFUSAL = re.compile(
    r"\b(?:unable to answer|(?:i|we) (?:could|can|do|did)(?:n['’]t| not|not) (?:find|answer|know|tell|see))\b",
    re.IGNORECASE,
)
_SILENCE = re.compile(
    r"\b(?:(?:do|does|did)(?:n['’]t| not) (?:mention|say|state|specify|contain|provide|cover|answer|tell)|"
    r"(?:no|not enough|insufficient) (?:information|mention|answer)|keine (?:angaben?|informationen?|antwort)|"
    r"nicht (?:genannt|erwähnt|angegeben)|no (?:encuentro|hay|consta|dicen?|mencionan?)|"
    r"ne (?:trouve|dit|disent|mentionnent?|contien\w+) (?:pas|rien)|non (?:trovo|dicono|menzionano)|"
    r"não (?:encontro|dizem|mencionam))\b",
    re.IGNORECASE,
)
_SOURCES = re.compile(
    r"\b(?:sources?|passages?|documents?|texts?|context|information|excerpts?|quellen?|unterlagen|fuentes?|"
    r"documentos?|textos?|fonti|fontes?)\b",
    re.IGNORECASE,
)
#: One of these stands in every text in which one of the first two finds something.
_HINTS = ("no", "n't", "unable", "insufficient", "keine", "nicht", "ne ")
#: Shorter sentences ("Yes.", "Thank you!") make no claim of their own.
CLAIM_WORDS = 4


def claims_of(proof: Proof) -> Iterator[Sentence]:
    """The claims of the answer in text order: sentences of four words or more that are no question, no heading, no
    refusal ("I could not find that in the sources"), no courtesy and none of the healer's own notes."""
    answer = proof.answer
    for sentence in answer.sentences:
        text = sentence.text.strip()
        if text.endswith(("?", "？", ":")) or is_own_phrase(text) or says_nothing(text) or is_courtesy(text):
            continue
        words = sum(1 for t in answer.tokens[sentence.first_token : sentence.last_token] if t.kind != "sign")
        if words >= CLAIM_WORDS:
            yield sentence


def says_nothing(text: str) -> bool:
    """Whether a sentence only says that the sources, or the answerer, do not know.

    >>> says_nothing("The passages do not mention a price."), says_nothing("The price is not refundable.")
    (True, False)
    """
    if text.isascii() and not any(map(text.lower().__contains__, _HINTS)):
        return False
    if _REFUSAL.search(text):
        return True
    return _SILENCE.search(text) is not None and _SOURCES.search(text) is not None


def is_own_phrase(text: str) -> bool:
    """Whether a sentence is one the healer itself wrote (a decline, a note that something was removed)."""
    from proofing.healing.phrases import is_own_phrase as own

    return own(text)
