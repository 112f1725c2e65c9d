"""Proofreads a text that is being edited, without storing anything."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.records import rendering
from webapp.records.retrieved import sources_of
from webapp.review.models import Item


@dataclass(frozen=True, slots=True)
class Again:
    """What the proofreader says about an edited text, and how it differs from the answer."""

    answer: rendering.AnswerView
    pieces: list[rendering.DiffPiece]
    changed: bool
    refused: str = ""


def proofread_again(item: Item, text: str) -> Again:
    """Proofread `text` against the item's sources with the fast tier: it answers while somebody types."""
    import proofing
    from proofing.errors import ProofingError

    pieces = rendering.word_diff(item.answer.text, text, always=True)
    sources = [(source.source_key, source.text) for source in sources_of(item.inspection)]
    settings = proofing.Settings.for_profile(
        item.queue.project.profile, tier="fast", locale=item.answer.locale or item.queue.project.locale
    )
    try:
        finding = proofing.proofread(text, sources, question=item.answer.question.text, settings=settings)
    except ProofingError as refused:
        return Again(rendering.AnswerView([], [], []), pieces, text != item.answer.text, str(refused))
    shown = rendering.render_answer(text, finding.to_dict(), None)
    return Again(shown, pieces, text != item.answer.text)
