"""What the desk accepts from a browser, checked before any service sees it."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.review.models import Decision, Verdict
from webapp.review.services import Choice
from webapp.review.services.checks import LONGEST_REASON, LONGEST_TEXT

#: An index as a page writes it: no answer has more edits.
INDEX = re.compile(r"[0-9]{1,6}")


class VerbatimField(forms.CharField):
    """A text kept as typed, but for the line breaks that HTML forms rewrite (CR LF becomes LF again)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, max_length=LONGEST_TEXT, **kwargs)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class DecisionForm(forms.Form):
    """One decision as the item page sends it.

    ``edits`` lists the edits that were on the page and ``on`` those still switched on, because a browser does not send
    an empty box.
    """

    kind = forms.ChoiceField(
        choices=Decision.Kind.choices, error_messages={"required": _("Choose what to do with this answer.")}
    )
    request_key = forms.CharField(max_length=100)
    text = VerbatimField(required=False)
    edits = forms.CharField(required=False, max_length=20_000)
    wording_only = forms.BooleanField(required=False)
    nothing_else_unsupported = forms.BooleanField(required=False)
    confirmed = forms.BooleanField(required=False)
    reason = forms.CharField(required=False, max_length=LONGEST_REASON)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("kind") == Decision.Kind.ACCEPT_EDITED and not cleaned.get("text", "").strip():
            self.add_error("text", _("An edited answer needs some words. To discard the answer, reject it."))
        return cleaned

    def switched_off(self) -> tuple[int, ...]:
        return switched_off(self.data, self.cleaned_data.get("edits", ""))

    def choice(self) -> Choice:
        """The decision as the services know it. Call it on a valid form."""
        data = self.cleaned_data
        edited = data["kind"] == Decision.Kind.ACCEPT_EDITED
        return Choice(
            kind=data["kind"],
            request_key=data["request_key"],
            text=data["text"] if edited else None,
            switched_off=self.switched_off() if data["kind"] == Decision.Kind.ACCEPT_HEALED else (),
            wording_only=data["wording_only"] and edited,
            reason=data["reason"],
            nothing_else_unsupported=data["nothing_else_unsupported"],
            confirmed=data["confirmed"],
        )


def switched_off(data: Any, offered: str) -> tuple[int, ...]:
    """Indexes of edits that were on the page (`offered`, "0 1 2") and came back without their tick."""
    shown = [int(part) for part in offered.split() if INDEX.fullmatch(part)]
    on = {int(part) for part in data.getlist("on") if INDEX.fullmatch(part)}
    return tuple(index for index in shown if index not in on)


class VerdictForm(forms.Form):
    """A verdict on one mark; an empty one takes it back."""

    mark = forms.IntegerField(min_value=0)
    verdict = forms.ChoiceField(choices=[("", "-"), *Verdict.Says.choices], required=False)


class AlternativeForm(forms.Form):
    """One of the corrections a receipt leaves open; no candidate takes the choice back."""

    mark = forms.IntegerField(min_value=0)
    candidate = forms.IntegerField(min_value=0, required=False)


class AddMarkForm(forms.Form):
    """The first and the last word of a missed mark, as token ids."""

    first = forms.IntegerField(min_value=0)
    last = forms.IntegerField(min_value=0)


class TextForm(forms.Form):
    """What is kept while somebody works: a text that is being edited, which edits are on, a reason."""

    text = VerbatimField(required=False)
    reason = forms.CharField(required=False, max_length=LONGEST_REASON)
    edits = forms.CharField(required=False, max_length=20_000)
