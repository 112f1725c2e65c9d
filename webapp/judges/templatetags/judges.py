"""The judges' layer on the desk, and words for what judges and rounds come to."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.judges import selectors

register = template.Library()

KINDS: dict[str, Promise] = {
    "sanity": _("Try the judges"),
    "answers": _("Ask about waiting answers"),
    "audit": _("Look through the labels"),
}
FAULTS: dict[str, Promise] = {
    "no_verdict": _("said neither yes nor no"),
    "echo": _("repeated orders instead of judging"),
    "timeout": _("took too long"),
    "rate_limited": _("its endpoint was busy"),
    "connection": _("could not be reached"),
    "unreadable": _("sent something unreadable"),
    "too_long": _("the texts are too long for it"),
    "away": _("was not asked after failing several times"),
    "no_key": _("its key is not set"),
    "budget": _("its budget is spent"),
}
ADVICE: dict[str, Promise] = {
    "always_yes": _("Drop %(judge)s: it calls nearly every answer unsupported."),
    "always_no": _("Drop %(judge)s: it calls nearly every answer supported."),
    "no_better_than_chance": _("Drop %(judge)s: its votes are no better than chance."),
    "twin": _("Drop %(judge)s or %(other)s: they say the same on nearly everything, so together they count double."),
    "too_many_lost": _("Drop %(judge)s: too many of its votes failed or were unusable."),
    "too_few_votes": _("%(judge)s: too few votes to say anything."),
}
DENIED: dict[str, Promise] = {
    "engine": _("the engine denies it"),
    "judges": _("all judges deny it"),
    "both": _("engine and all judges deny it"),
    "together": _("engine and judges together deny it"),
}
ORIGINS: dict[str, Promise] = {
    "decision": _("from a decision"),
    "given": _("came with the answer"),
}
RESULTS: dict[str, Promise] = {
    "answers": _("Answers asked about"),
    "unsupported": _("Unsupported, say the judges"),
    "supported": _("Supported, say the judges"),
    "no_consensus": _("No consensus"),
    "labels": _("Labels looked through"),
    "doubted": _("Doubted labels, still open"),
}
FAULTS_PUT: dict[str, Promise] = {
    "number": _("number"),
    "money": _("money"),
    "percent": _("percent"),
    "date": _("date"),
    "time": _("time"),
    "duration": _("duration"),
    "unit": _("unit"),
    "name": _("name"),
    "version": _("version"),
    "negation": _("negation"),
    "swapped roles": _("swapped roles"),
    "other subject": _("another thing’s value"),
    "obligation": _("may taken for must"),
    "limit": _("limit turned round"),
    "quotation": _("altered quotation"),
    "invention": _("invention"),
    "self-contradiction": _("contradiction with itself"),
    "sum": _("wrong sum"),
    "order": _("order of steps"),
    "exception": _("exception left out"),
    "certainty": _("too much certainty"),
    "planted order": _("fault beside a planted order"),
}
_TABLES = {"round": KINDS, "denied": DENIED, "origin": ORIGINS, "result": RESULTS}


@register.simple_tag
def judges_layer(item: Any) -> selectors.Layer | None:
    """What judges said of an item's answer; None where there is nothing to show."""
    return selectors.layer_of(item)


@register.filter
def judge_words(code: str, table: str) -> Any:
    """The words for a code: of a `round`, who `denied`, an `origin`, a `result`; the code itself when unknown."""
    return _TABLES[table].get(code, code)


@register.filter
def fault_words(fault: str) -> Any:
    if fault.startswith("http_"):
        return _("its endpoint refused (%(status)s)") % {"status": fault.removeprefix("http_")}
    return FAULTS.get(fault, fault)


@register.filter
def advice_words(advice: dict[str, str]) -> Any:
    words = ADVICE.get(advice.get("code", ""))
    return words % {"judge": advice.get("judge", ""), "other": advice.get("other", "")} if words else advice.get("said")


@register.filter
def put_words(kinds: list[str]) -> str:
    """Kinds of faults in the built-in answers, in words, with commas."""
    return ", ".join(str(FAULTS_PUT.get(kind, kind)) for kind in kinds)


@register.filter
def in_percent(share: float | None) -> str:
    """A share from 0 to 1 as a whole percentage."""
    return "–" if share is None else f"{share * 100:.0f}\N{NO-BREAK SPACE}%"
