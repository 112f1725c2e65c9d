from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.judges.models import JudgeRun, JudgeSettings
from webapp.judges.operators import Offered


class SettingsForm(forms.Form):
    """What a lead switches on. The judges offered are the site's; nobody types an address."""

    enabled = forms.BooleanField(label=_("Judges are on for this project"), required=False)
    names = forms.MultipleChoiceField(label=_("Judges"), required=False, widget=forms.CheckboxSelectMultiple)
    agreed = forms.BooleanField(
        label=_("I agree that questions, sources and answers of this project are sent to the judges ticked"),
        required=False,
    )
    automatic = forms.BooleanField(
        label=_("Ask about new answers by themselves"),
        required=False,
        help_text=_("Otherwise judges are asked only when a lead begins a round."),
    )
    threshold = forms.ChoiceField(
        label=_("An answer counts as unsupported when"),
        choices=[
            ("one_of_three", _("a third of the judges say so (0.33)")),
            ("majority", _("half of the judges say so (0.5)")),
            ("calibrated", _("as many say so as fitted on your labels")),
        ],
    )
    least_votes = forms.IntegerField(
        label=_("Votes needed"),
        min_value=1,
        max_value=50,
        help_text=_("With fewer usable votes there is no consensus."),
    )

    def __init__(self, *args: Any, found: JudgeSettings, offered: Sequence[Offered], **kwargs: Any) -> None:
        initial = {
            "enabled": found.enabled,
            "names": [row.judge.name for row in offered if row.agreed],
            "automatic": found.automatic,
            "threshold": found.threshold,
            "least_votes": found.least_votes,
        }
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        self.fields["names"].choices = [(row.judge.name, row.judge.name) for row in offered]  # type: ignore[attr-defined]


class BeginForm(forms.Form):
    kind = forms.ChoiceField(choices=JudgeRun.Kind.choices)
    with_judges = forms.BooleanField(required=False)


class SettleForm(forms.Form):
    action = forms.ChoiceField(choices=[("keep", "keep"), ("change", "change"), ("reopen", "reopen")])
    note = forms.CharField(required=False, max_length=1000)
