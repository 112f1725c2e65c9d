from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.records.models import Answer
from webapp.records.selectors import AnswerFilter
from webapp.records.templatetags.records import STATES
from webapp.review.templatetags.desk import RISKS, ROUTES


class FilterForm(forms.Form):
    """The filter of the answers page; its fields live in the address, so that a filter can be sent to a colleague."""

    q = forms.CharField(label=_("Text"), required=False, max_length=200)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("any")), *((state, STATES[state]) for state in Answer.State.values)],
    )
    risk = forms.ChoiceField(label=_("Risk"), required=False, choices=[("", _("any")), *RISKS.items()])
    route = forms.ChoiceField(label=_("Route"), required=False, choices=[("", _("any")), *ROUTES.items()])
    source = forms.CharField(label=_("Source"), required=False, max_length=500)
    drift = forms.BooleanField(label=_("Drifted"), required=False)

    def chosen(self) -> AnswerFilter:
        """What was filled in; fields that cannot be used narrow nothing."""
        self.is_valid()
        data = self.cleaned_data
        return AnswerFilter(
            text=data.get("q", ""),
            state=data.get("state", ""),
            risk=data.get("risk", ""),
            route=data.get("route", ""),
            source=data.get("source", ""),
            drift=bool(data.get("drift")),
        )
