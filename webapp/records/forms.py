from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.records.models import Answer, Project
from webapp.records.selectors import SORTS, AnswerFilter
from webapp.records.templatetags.records import DECISIONS, STATES
from webapp.review.models import BulkChange, Item, Queue
from webapp.review.services.bulk import PLACES
from webapp.review.templatetags.desk import RISKS, ROUTES
from webapp.review.templatetags.leads import ACTIONS
from webapp.review.templatetags.leads import PLACES as PLACE_WORDS

ANY = ("", _("any"))
SORT_WORDS = {
    "newest": _("newest first"),
    "oldest": _("oldest first"),
    "unsupported": _("most likely unsupported first"),
}


def _date_field(label: Any) -> forms.DateField:
    return forms.DateField(label=label, required=False, widget=forms.DateInput({"type": "date"}))


class FilterForm(forms.Form):
    """The filter of the answers page; its fields live in the address, so that a filter can be sent to a colleague."""

    q = forms.CharField(label=_("Text"), required=False, max_length=200)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[ANY, *((state, STATES[state]) for state in Answer.State.values)],
    )
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=[(name, SORT_WORDS[name]) for name in SORTS])
    risk = forms.ChoiceField(label=_("Risk"), required=False, choices=[ANY, *RISKS.items()])
    route = forms.ChoiceField(label=_("Route"), required=False, choices=[ANY, *ROUTES.items()])
    queue = forms.ChoiceField(label=_("Queue"), required=False, choices=[ANY])
    review = forms.ChoiceField(
        label=_("In the queue"),
        required=False,
        choices=[ANY, ("none", _("in no queue")), *((state, STATES[state]) for state in Item.State.values)],
    )
    decision = forms.ChoiceField(label=_("Decision"), required=False, choices=[ANY, *DECISIONS.items()])
    reviewer = forms.CharField(label=_("Decided by"), required=False, max_length=150)
    model = forms.CharField(label=_("Model"), required=False, max_length=200)
    task = forms.CharField(label=_("Task"), required=False, max_length=60)
    source = forms.CharField(label=_("Source"), required=False, max_length=500)
    external_id = forms.CharField(label=_("External id"), required=False, max_length=200)
    received_from = _date_field(_("Received from"))
    received_to = _date_field(_("Received until"))
    drift = forms.BooleanField(label=_("Drifted"), required=False)

    #: Shown at once; the others stand behind "more".
    FIRST = ("q", "state", "sort")
    #: What else the address of the page may hold.
    BESIDE = frozenset({"project", "cursor"})

    def __init__(self, data: Any = None, *, project: Project) -> None:
        super().__init__(data, label_suffix="")
        queues = Queue.objects.filter(project=project).order_by("name", "pk").values_list("pk", "name")
        self.fields["queue"].choices = [ANY, *((str(pk), name) for pk, name in queues)]  # type: ignore[attr-defined]

    def first_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.FIRST]

    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in self.FIRST and name != "drift"]

    def filters(self) -> dict[str, str]:
        """What was filled in, as in the address, without the order."""
        named = (name for name in self.fields if name != "sort")
        return {name: str(self.data[name]) for name in named if self.data.get(name) and name not in self.errors}

    def is_readable(self) -> bool:
        """Whether every part of it narrows as it says: no value that cannot be used, and no name that nobody knows."""
        return self.is_valid() and not set(self.data) - set(self.fields) - self.BESIDE

    def narrowed_by_more(self) -> bool:
        return any(name not in self.FIRST for name in self.filters())

    def sort_by(self) -> str:
        """The order asked for; the usual one where none is."""
        self.is_valid()
        return self.cleaned_data.get("sort") or "newest"

    def chosen(self) -> AnswerFilter:
        """What was filled in; fields that cannot be used narrow nothing."""
        self.is_valid()
        data = self.cleaned_data
        named = ("state", "risk", "route", "source", "queue", "review", "decision", "reviewer", "model", "task")
        return AnswerFilter(
            text=data.get("q", ""),
            external_id=data.get("external_id", ""),
            drift=bool(data.get("drift")),
            received_from=data.get("received_from"),
            received_to=data.get("received_to"),
            **{name: data.get(name, "") for name in named},
        )


class BulkForm(forms.Form):
    """What to do to many answers: first shown, then, with `confirmed`, done."""

    action = forms.ChoiceField(
        label=_("Do"), choices=list(ACTIONS.items()), error_messages={"required": _("Choose what to do.")}
    )
    queue = forms.ModelChoiceField(label=_("Queue"), required=False, queryset=Queue.objects.none())
    place = forms.ChoiceField(
        label=_("Place"), required=False, choices=[(place, PLACE_WORDS[place]) for place in PLACES]
    )
    reason = forms.CharField(label=_("Why"), required=False, max_length=2000)
    confirmed = forms.IntegerField(required=False, min_value=0)  # how many answers the preview promised

    def __init__(self, data: Any = None, *, project: Project) -> None:
        super().__init__(data)
        queues = Queue.objects.filter(project=project).order_by("name", "pk")
        self.fields["queue"].queryset = queues  # type: ignore[attr-defined]
        several = queues[1:2].exists()
        self.fields["queue"].empty_label = _("choose one") if several else None  # type: ignore[attr-defined]

    def wanted(self) -> tuple[str, ...]:
        """The fields that the chosen action needs."""
        return {
            BulkChange.Kind.QUEUE: ("queue",),
            BulkChange.Kind.PRIORITY: ("place",),
            BulkChange.Kind.AGAIN: (),
        }.get(BulkChange.Kind(self.cleaned_data["action"]), ("reason",))

    def options(self) -> dict[str, Any]:
        """What the services take. Call it on a valid form."""
        return {name: self.cleaned_data[name] for name in self.wanted()}

    def lacks(self) -> str | None:
        """The first field that the action needs and that is empty."""
        return next((name for name in self.wanted() if not self.cleaned_data.get(name)), None)
