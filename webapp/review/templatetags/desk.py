"""Words for the engine's codes, in the reader's language."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.review.notes import in_words
from webapp.review.words import decision_sentence

register = template.Library()

REASONS: dict[str, Promise] = {
    "contradicted": _("a source says otherwise"),
    "absent": _("in no source"),
    "unbound": _("said of something else"),
    "negated": _("a source says the opposite"),
    "unit": _("another unit"),
    "altered_quote": _("not quoted word for word"),
    "derived_wrong": _("does not add up"),
}
KINDS: dict[str, Promise] = {
    "number": _("number"),
    "money": _("money"),
    "percent": _("percentage"),
    "points": _("percentage points"),
    "quantity": _("quantity"),
    "date": _("date"),
    "time": _("time"),
    "duration": _("duration"),
    "range": _("range"),
    "ordinal": _("ordinal"),
    "version": _("version"),
    "phone": _("phone number"),
    "identifier": _("identifier"),
    "citation": _("citation"),
    "quote": _("quotation"),
    "name": _("name"),
    "negation": _("negation"),
    "modality": _("certainty"),
    "comparator": _("comparison"),
    "word": _("wording"),
    "url": _("web address"),
    "code": _("code"),
}
STRATEGIES: dict[str, Promise] = {
    "none": _("nothing to heal"),
    "contradiction_patch": _("values corrected from the sources"),
    "entity_scrub": _("what no source backs taken out"),
    "grounding_rewrite": _("kept what the sources say"),
    "safe_decline": _("the sources do not answer this"),
}
ROUTES: dict[str, Promise] = {
    "accept": _("serve as it is"),
    "healed_accept": _("serve healed"),
    "fallback": _("fall back"),
    "discard": _("discard"),
}
RISKS: dict[str, Promise] = {
    "low": _("low"),
    "medium": _("medium"),
    "high": _("high"),
    "critical": _("critical"),
}
CHECKS: dict[str, Promise] = {
    "confidence": _("confident wording"),
    "faithfulness": _("claims backed by the sources"),
    "contradiction": _("contradiction"),
    "entities": _("names and references"),
    "drift": _("drift from earlier answers"),
    "verification": _("likeness to the sources"),
    "confident_but_unfaithful": _("confident but not backed"),
    "unsupported_claim": _("a claim that no source backs"),
}
PARTS: dict[str, Promise] = {
    "faithfulness": _("claims backed"),
    "consistency": _("no contradiction"),
    "confidence": _("fitting wording"),
    "latency": _("answer time"),
    "drift": _("taken off for drift"),
}
WAYS: dict[str, Promise] = {
    "tfidf": _("by words"),
    "dense": _("by meaning"),
    "hybrid": _("by words and meaning"),
}
_TABLES = {
    "way": WAYS,
    "reason": REASONS,
    "kind": KINDS,
    "strategy": STRATEGIES,
    "route": ROUTES,
    "risk": RISKS,
    "check": CHECKS,
    "part": PARTS,
}


@register.filter
def words(code: Any, table: str) -> Promise | str:
    """The words for a code, from one of the tables; an unknown code is shown as it is."""
    return _TABLES[table].get(str(code), str(code).replace("_", " "))


@register.filter
def said(note: Any) -> str:
    """A note of the engine in the reader's language."""
    return in_words(str(note or ""))


@register.filter
def guidelines(text: str) -> str:
    """A queue's guidelines as HTML, from the little Markdown that a lead may write."""
    from webapp.review.markdown import render

    return render(text)


@register.filter
def decided(kind: Any) -> str:
    """What a decision did, as a sentence."""
    return decision_sentence(str(kind))


@register.filter
def get(mapping: Any, key: str) -> Any:
    """A value of a mapping by a computed key."""
    return mapping.get(key, "")


@register.filter
def short(text: Any, longest: int) -> str:
    """At most so many characters, with an ellipsis where something is missing; `truncatechars` costs a page dearly."""
    text = str(text)
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
