"""Words for states and events, in the reader's language."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()

STATES: dict[str, Promise] = {
    "received": _("waiting for a worker"),
    "proofreading": _("being proofread"),
    "proofread": _("proofread"),
    "failed": _("failed"),
    "decided": _("decided"),
    "running": _("running"),
    "requested": _("requested"),
    "done": _("done"),
    "cancelled": _("cancelled"),
    "expired": _("expired"),
    "refused": _("refused"),
    "frozen": _("frozen"),
    "waiting": _("waiting"),
    "claimed": _("in review"),
    "flagged": _("flagged"),
    "archived": _("archived"),
}
#: Which states are good news and which are bad; the others are neither.
LOOKS = {"done": "good", "decided": "good", "failed": "bad", "refused": "warn", "cancelled": "warn", "flagged": "warn"}
EVENTS: dict[str, Promise] = {
    "answer.received": _("received"),
    "answer.proofread": _("proofread"),
    "answer.failed": _("proofreading failed"),
    "answer.retried": _("sent to be proofread again"),
    "answer.superseded": _("replaced by a newer answer"),
    "answer.decided": _("decided"),
    "answer.skipped": _("skipped"),
    "answer.flagged": _("flagged for a lead"),
    "answer.undone": _("decision taken back"),
    "item.queued": _("put into the queue"),
    "item.claimed": _("taken into review"),
    "item.released": _("given back"),
    "item.lapsed": _("claim ran out"),
    "item.unqueued": _("taken out of the queue"),
    "item.moved": _("moved in the queue"),
    "item.flagged": _("flagged for a lead"),
    "item.archived": _("archived"),
    "item.returned": _("returned to the queue"),
    "item.put_back": _("put back as it was"),
    "gold.set": _("settled as gold"),
    "gold.replaced": _("settled anew as gold"),
    "gold.cleared": _("gold taken back"),
}
DECISIONS: dict[str, Promise] = {
    "accept_healed": _("healed answer accepted"),
    "accept_edited": _("edited answer accepted"),
    "keep": _("original kept"),
    "reject": _("rejected"),
    "skip": _("skipped"),
    "flag": _("flagged"),
}


#: Why an export leaves an answer out, as `proofing.exchange` says it.
LEFT_OUT: dict[str, Promise] = {
    "nobody said which words are unsupported": _("nobody said which words are unsupported"),
    "the answer is not labelled": _("the answer is not labelled"),
    "the engine did not judge this answer": _("the engine did not judge this answer"),
    "nobody decided on this answer": _("nobody decided on this answer"),
}


ROLES: dict[str, Promise] = {
    "reviewer": _("reviewer"),
    "lead": _("lead"),
    "admin": _("admin"),
    "service": _("service account"),
    "former": _("left"),
}


@register.filter
def left_out_words(reason: str) -> Promise | str:
    """Why an answer is not in an export; a reason without words of ours is shown as it is."""
    return LEFT_OUT.get(reason, reason)


@register.filter
def role_words(code: str) -> Promise | str:
    """What a role in a project is called."""
    return ROLES.get(code, code)


@register.filter
def state_words(code: str) -> Promise | str:
    """What a state is called."""
    return STATES.get(code, code)


@register.filter
def state_look(code: str) -> str:
    """The pill's class for a state."""
    return LOOKS.get(code, "")


@register.filter
def event_words(code: str) -> Promise | str:
    """What happened, in words."""
    return EVENTS.get(code, code.replace(".", " ").replace("_", " "))


@register.filter
def decision_words(code: str) -> Promise | str:
    """A kind of decision in words."""
    return DECISIONS.get(code, code)


@register.filter
def share(value: Any) -> str:
    """A share from 0 to 1 as a percentage."""
    return "–" if value is None else f"{float(value) * 100:.1f}\N{NO-BREAK SPACE}%"
