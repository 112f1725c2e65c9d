"""Answers that formats like to break: signs outside the BMP, right-to-left text, formulas, line breaks."""

from __future__ import annotations

from proofing.exchange.reviews import review_line

ASTRAL = "🎓👩‍🎓 Opened in 1932 😀 by 𝔸nna"
RTL = "נפתח בשנת 1932, كان ذلك في 14 يوما"
FORMULA = '=HYPERLINK("http://x","1932")'


def span(answer: str, text: str, kind: str = "contradicted") -> dict:
    start = answer.index(text)
    return {"start": start, "end": start + len(text), "text": text, "type": kind}


def labelled(answer: str, text: str = "1932", kind: str = "contradicted", **fields) -> dict:
    """One `answers/1` line whose words `text` are unsupported."""
    return {
        "id": "a-1", "question": "When — متى — 🕐?", "answer": answer,
        "sources": [{"id": "s,1", "text": "It opened in 1931.\n\n😀 «second»"}, {"id": "@s", "text": "-5 °C\tתאריך"}],
        "model": "m-1", "task": "qa", "label": 1, "labels": [span(answer, text, kind)], **fields,
    }  # fmt: skip


#: One line of each kind; the last holds nothing unsupported.
LABELLED = [
    labelled(ASTRAL),
    labelled(RTL, id="a-2"),
    labelled(FORMULA, id="a-3"),
    labelled("+1 @x\r\n-2 'quoted' 1932", id="a-4", kind="absent"),
    labelled("'=already guarded, 1932", id="a-5", question="\t-?", external_id="=1+1"),
    labelled("a_x000D_b \x0b\x1f\ufffe 1932\r", id="a-7"),
    {"id": "a-6", "question": "", "answer": "All is right.", "sources": [{"id": "s1", "text": "All is right."}],
     "label": 0, "labels": []},
]  # fmt: skip


def reviewed(answer: str = ASTRAL, text: str = "1932", *, decision: str = "accept_healed", id: str = "r-1") -> dict:
    """One `reviews/1` line: a mark on `text`, called unsupported, and a word the reviewer added."""
    mark = span(answer, text)
    report = {
        "id": id, "unsupported_probability": 0.9, "above_cut": True, "risk": "critical", "floor": 0.0,
        "marks": [{"start": mark["start"], "end": mark["end"], "text": text, "probability": 0.8, "kind": "date",
                   "support": 0.0, "reason": "contradicted", "receipt": {"source_id": "s1", "text": "1931"}}],
        "healing": {"text": answer.replace(text, "1931"),
                    "edits": [{"start": mark["start"], "end": mark["end"], "from": text, "to": "1931", "marks": [0],
                               "parent": None}]},
        "quality": {"route": "healed_accept"}, "engine": {"version": "9.9"}, "sha256": "0" * 64,
    }  # fmt: skip
    added = span(answer, "in")
    review = {
        "id": "d-1", "reviewer": "reviewer-0123456789", "decision": decision, "final": answer.replace(text, "1931"),
        "guideline_version": "1", "seconds": 12.5,
        "verdicts": [{"mark_id": "m0", "verdict": "unsupported", "source": "explicit"}],
        "added": [{name: added[name] for name in ("start", "end", "text")}],
    }  # fmt: skip
    return review_line(
        report, question="When 🕐?", sources=[("s1", "It opened in 1931."), ("s2", "😀")], answer=answer, model="m-1",
        external_id="x-1", reviews=[review], sampling={"policy": "weakest", "probability": 1.0}, split="test",
    )  # fmt: skip
