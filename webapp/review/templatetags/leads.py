"""Words for what leads set and do, in the reader's language."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()

ORDERS: dict[str, Promise] = {
    "weakest": _("most likely unsupported first"),
    "uncertain": _("where a decision teaches most first"),
    "newest": _("newest first"),
    "random": _("in random order"),
}
ACTIONS: dict[str, Promise] = {
    "queue": _("Put into a queue"),
    "priority": _("Change the place in the queue"),
    "flag": _("Flag for a lead"),
    "archive": _("Archive: take out of the queue"),
    "return": _("Return to the queue"),
    "again": _("Proofread again"),
}
PLACES: dict[str, Promise] = {
    "first": _("before all others"),
    "usual": _("where the queue’s order puts it"),
    "last": _("behind all others"),
}
LEFT_OUT: dict[str, Promise] = {
    "there": _("in the queue already"),
    "unread": _("not proofread yet"),
    "replaced": _("replaced by a newer answer"),
    "no_queue": _("in no queue"),
    "held": _("in somebody’s hands"),
    "state": _("not in a state for this"),
}
_TABLES = {"order": ORDERS, "action": ACTIONS, "place": PLACES, "left_out": LEFT_OUT}


@register.filter
def lead_words(code: Any, table: str) -> Promise | str:
    """The words for a code, from one of the tables; an unknown code is shown as it is."""
    return _TABLES[table].get(str(code), str(code))


@register.filter
def label_words(label: Any) -> str:
    """What an answer label says."""
    return str({1: _("something is unsupported"), 0: _("nothing is unsupported")}.get(label, _("says nothing")))


@register.filter
def verdict_words(verdict: str) -> Promise | str:
    """A verdict on a mark in words."""
    words = {"unsupported": _("unsupported"), "supported": _("supported"), "unsure": _("don’t know")}
    return words.get(verdict, verdict)


@register.filter
def time_taken(seconds: Any) -> str:
    """A time in seconds as people say it."""
    if seconds is None:
        return "–"
    whole = round(float(seconds))
    return f"{whole} s" if whole < 90 else f"{whole // 60} min {whole % 60:02d} s"


@register.filter
def coefficient(value: Any) -> str:
    """A coefficient of agreement with two decimals."""
    return "–" if value is None else f"{float(value):.2f}"


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """A value of a mapping by a key that is no text; None where there is none."""
    return mapping.get(key)
