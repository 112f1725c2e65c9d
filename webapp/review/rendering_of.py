"""An item's answer and sources as a lead reads them: marked, without anybody's draft."""

from __future__ import annotations

from webapp.records import rendering, retrieved
from webapp.review.models import Item
from webapp.review.selectors import web_address


def answer_of(item: Item) -> rendering.AnswerView:
    """The marked answer on the inspection that the item carries."""
    stream = item.inspection.tokens if item.inspection.render_version == rendering.RENDER_VERSION else None
    return rendering.render_answer(item.answer.text, item.inspection.report, stream or None)


def sources_of(item: Item) -> list[rendering.SourceView]:
    """The sources, with the evidence of the marks in them; one query."""
    marks = answer_of(item).marks
    scores = retrieved.scores_of(item.inspection.report)
    return [
        rendering.render_source(
            s.source_key, s.text, marks, title=s.title, url=web_address(s.url), score=scores.get(s.source_key)
        )
        for s in retrieved.sources_of(item.inspection)
    ]
