"""Faithfulness: the share of claims whose content words stand in the sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofing.checks.claims import claims_of
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import Proof


def check_faithfulness(proof: Proof, judgements: list[Judgement], settings: Settings) -> dict[str, Any]:
    """How many claims are grounded.

    A claim is grounded when at least ``settings.claim_overlap_threshold`` of its content words stand in the sources
    (as stems, or as words the lexical channel found backed: synonyms, acronyms, close spellings); values count as one
    content word each and stand in the sources when the value channel backs them.

    Returns:
        ``score`` = grounded / claims (1.0 without claims), ``grounded``, ``total`` and ``claims``: start, end, text,
        overlap (0-1) and grounded of each; ``invented``: start, end, text of clauses inside a grounded claim that say
        what no source says. They do not lower the score, but are claims that no source backs all the same.
    """
    held: set[int] = set()
    lost: set[int] = set()
    parts: set[int] = set()
    for judgement in judgements:
        if judgement.kind in REFERENCES and judgement.support < BACKED:
            parts.update(list(proof.answer.tokens_between(judgement.start, judgement.end))[1:])
        if judgement.kind == "word" or judgement.checked_by == "arithmetic":
            target = held if judgement.support >= BACKED else lost
            target.update(proof.answer.tokens_between(judgement.start, judgement.end))
    claims: list[dict[str, Any]] = []
    for sentence in claims_of(proof):
        overlap = _overlap(
            proof, [i for i in range(sentence.first_token, sentence.last_token) if i not in parts], held, lost
        )
        claims.append(
            {
                "start": sentence.start,
                "end": sentence.end,
                "text": sentence.text,
                "overlap": round(overlap, 6),
                "grounded": overlap >= settings.claim_overlap_threshold,
            }
        )
    grounded = sum(1 for claim in claims if claim["grounded"])
    score = grounded / len(claims) if claims else 1.0
    view = proof.answer
    backed = {view.sentence_index_at(claim["start"]) for claim in claims if claim["grounded"]}
    invented = [
        {"start": j.start, "end": j.end, "text": j.text}
        for j in judgements
        if j.whole and j.kind == "word" and j.reason == "absent" and view.sentence_index_at(j.start) in backed
    ]
    return {
        "score": round(score, 6), "grounded": grounded, "total": len(claims), "claims": claims, "invented": invented,
    }  # fmt: skip


#: From this support on a word counts as standing in the sources.
BACKED = 0.5
#: Kinds whose many pieces count as one word where no source has them: a DOI or an address says one thing.
REFERENCES = frozenset({"identifier", "url", "citation"})


def _overlap(proof: Proof, tokens: Sequence[int], held: set[int], lost: set[int]) -> float:
    view = proof.answer
    scored = [i for i in tokens if view.stating[i]]
    if not scored:
        return 1.0
    hits = sum(1 for i in scored if i in held or (i not in lost and view.stems[i] in proof.postings))
    return hits / len(scored)
