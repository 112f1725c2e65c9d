from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from webapp.calibration.exports import FORMATS
from webapp.calibration.labels import FILTERS
from webapp.calibration.models import LEVELS, FittedModel, LabelledSet
from webapp.calibration.reading_models import chosen_model, models_of
from webapp.calibration.selectors import frozen_sets, missing_to_fit
from webapp.records.models import Project
from webapp.review.models import Queue


class SelectionForm(forms.Form):
    """Which decisions are meant; empty fields narrow nothing."""

    queue = forms.ModelChoiceField(
        label=_("Queue"), required=False, queryset=Queue.objects.none(), to_field_name="name", empty_label=_("all")
    )
    task = forms.CharField(
        label=_("Task"), required=False, max_length=60, help_text=_("As the answers name it; empty takes all.")
    )
    decided_from = forms.DateField(label=_("Decided from"), required=False, widget=forms.DateInput({"type": "date"}))
    decided_to = forms.DateField(label=_("Decided before"), required=False, widget=forms.DateInput({"type": "date"}))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["queue"].queryset = Queue.objects.filter(project=project).order_by("pk")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Two dates must leave a day between them."""
        data = self.cleaned_data
        first, end = data.get("decided_from"), data.get("decided_to")
        if first and end and first >= end:
            self.add_error("decided_from", _("“Decided from” must be a day before “Decided before”."))
        return data

    def filters(self) -> dict[str, str]:
        """The filled-in fields, as the services take them."""
        return {name: str(self.cleaned_data[name]) for name in FILTERS if self.cleaned_data.get(name)}


def chosen_by(filters: Mapping[str, str]) -> list[tuple[str, str]]:
    """The filters that a set was frozen with, in the words and dates of the form."""
    fields = SelectionForm.base_fields
    return [
        (str(fields[name].label), date_format(date.fromisoformat(filters[name]), "SHORT_DATE_FORMAT")
         if name.startswith("decided_") else filters[name])
        for name in FILTERS if filters.get(name)
    ]  # fmt: skip


class ExportForm(SelectionForm):
    format = forms.ChoiceField(label=_("Format"), choices=[(name, form.title) for name, form in FORMATS.items()])
    labelled_set = forms.ModelChoiceField(
        label=_("Labelled set"), required=False, queryset=LabelledSet.objects.none(), empty_label=_("today’s decisions")
    )
    field_order = ("format", "labelled_set", "queue", "task", "decided_from", "decided_to")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        self.fields["labelled_set"].queryset = frozen_sets(project)  # type: ignore[attr-defined]


class SetForm(SelectionForm):
    name = forms.CharField(label=_("Name"), max_length=100)
    field_order = ("name", "queue", "task", "decided_from", "decided_to")


class RunForm(forms.Form):
    target_recall = forms.FloatField(
        label=_("Share of unsupported answers to find"),
        initial=0.95,
        min_value=0.01,
        max_value=1,
        widget=forms.NumberInput({"step": "0.01"}),
    )
    level = forms.ChoiceField(
        label=_("Level"), choices=LEVELS, help_text=_("answer: order and routing; mark: which words are drawn as marks")
    )
    model = forms.ModelChoiceField(
        label=_("Scores"),
        required=False,
        queryset=FittedModel.objects.none(),
        empty_label=_("as they were when decided on"),
        help_text=_(
            "A model that was fitted on this set is calibrated on what it said before it knew an answer’s label."
        ),
    )

    def __init__(self, *args: Any, labelled_set: LabelledSet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fitted = models_of(labelled_set.project).filter(refit__labelled_set=labelled_set)
        in_force = chosen_model(labelled_set.project)
        if in_force is not None and in_force.refit.labelled_set_id == labelled_set.pk:
            self.fields["model"].initial = in_force.pk
        self.fields["model"].queryset = fitted  # type: ignore[attr-defined]
        if not fitted:
            del self.fields["model"]


class ChooseForm(forms.Form):
    reason = forms.CharField(label=_("Why this point"), max_length=500)


class SetSelect(forms.Select):
    """A choice of sets in which those in `too_small` (keys) cannot be chosen."""

    too_small: frozenset[str] = frozenset()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if str(value) in self.too_small:
            option["attrs"]["disabled"] = True
        return option


class RefitForm(forms.Form):
    """On which set; those that lack labels for sure are shown, but cannot be chosen."""

    labelled_set = forms.ModelChoiceField(
        label=_("Labelled set"), queryset=LabelledSet.objects.none(), empty_label=_("choose one"), widget=SetSelect
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["labelled_set"]
        field.queryset = sets = frozen_sets(project)  # type: ignore[attr-defined]
        lacking = [(found, missing_to_fit(found)) for found in sets]
        self.lacking = [(found, missing) for found, missing in lacking if missing]
        self.can_fit = len(self.lacking) < len(lacking)
        field.widget.too_small = frozenset(str(found.pk) for found, _ in self.lacking)


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Why this model"), max_length=500)
