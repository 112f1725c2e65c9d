"""W3C Web Annotations: each mark, and each stretch that people marked, as one annotation of the answer.

Offsets of a TextPositionSelector count code points (Web Annotation Data Model, 4.2.5), as ours do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofing.exchange.rows import Row, added_spans
from proofing.learning import labels as rules

#: How much text before and after its words a quotation carries, in code points.
AROUND = 32
#: What stands before and after the annotations: they are the items of one page.
AROUND_ITEMS = (b'{"@context":"http://www.w3.org/ns/anno.jsonld","type":"AnnotationPage","items":[', b"]}")


def annotations_of_row(row: Row) -> list[Mapping[str, Any]]:
    """The annotations of one answer."""
    software = {"type": "Software", "name": f"Proofmark {row.engine}".strip()}
    out: list[Mapping[str, Any]] = []
    for index, mark in enumerate(row.marks):
        note = (mark.get("receipt") or {}).get("text") or ""
        out.append(_annotation(row, f"m{index}", mark["start"], mark["end"], software, mark.get("reason"), note))
    by_id = {mark.get("id"): mark for mark in row.marks}
    for number, review in enumerate(row.reviews):
        person = {"type": "Person", "nickname": str(review.get("reviewer"))}
        for verdict in review.get("verdicts") or ():
            judged = by_id.get(verdict.get("mark_id"))
            if judged is not None and verdict.get("source") == "explicit":
                name = f"r{number}-{verdict['mark_id']}"
                out.append(_annotation(row, name, judged["start"], judged["end"], person, verdict.get("verdict"), ""))
        for index, span in enumerate(added_spans(review, row.line.answer)):
            out.append(_annotation(row, f"r{number}-a{index}", span.start, span.end, person, rules.UNSUPPORTED, ""))
    if not row.marks and not row.reviews:
        for index, span in enumerate(row.spans or ()):
            out.append(_annotation(row, f"g{index}", span.start, span.end, None, span.type or rules.UNSUPPORTED, ""))
    return out


def _annotation(
    row: Row, name: str, start: int, end: int, creator: Mapping[str, str] | None, tag: Any, note: str
) -> dict[str, Any]:
    answer = row.line.answer
    bodies = [{"type": "TextualBody", "purpose": "classifying", "value": str(tag or rules.UNSUPPORTED)}]
    if note:
        bodies.append({"type": "TextualBody", "purpose": "commenting", "value": note, "format": "text/plain"})
    quote = {
        "type": "TextQuoteSelector",
        "exact": answer[start:end],
        "prefix": answer[max(0, start - AROUND) : start],
        "suffix": answer[end : end + AROUND],
    }
    annotation: dict[str, Any] = {
        "id": f"urn:proofmark:{row.key}:{name}",
        "type": "Annotation",
        "motivation": "assessing",
        "body": bodies,
        "target": {
            "source": f"urn:proofmark:answer:{row.key}",
            "selector": [quote, {"type": "TextPositionSelector", "start": start, "end": end}],
        },
    }
    if creator is not None:
        annotation["creator"] = dict(creator)
    return annotation
