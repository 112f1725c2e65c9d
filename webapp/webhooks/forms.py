from __future__ import annotations

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.webhooks.services import EVENTS

EVENT_WORDS: dict[str, Promise] = {
    "answer.proofread": _("an answer was proofread"),
    "answer.decided": _("a reviewer decided on an answer"),
    "answer.undone": _("a decision was taken back"),
    "export.ready": _("an export is ready"),
}


def _events_field() -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=_("When"),
        choices=[(name, EVENT_WORDS.get(name, name)) for name in EVENTS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick at least one.")},
    )


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput({"placeholder": "https://…", "autocomplete": "off"}),
        help_text=_("Called with POST and a JSON body. Addresses inside this network are refused."),
    )
    events = _events_field()


class EventsForm(forms.Form):
    """Which events a webhook is told of."""

    events = _events_field()
