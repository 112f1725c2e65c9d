"""Forms of the leads' pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.accounts.models import User
from webapp.accounts.project_forms import ReviewDefaultsMixin
from webapp.records.models import Project
from webapp.review import lead_selectors
from webapp.review.forms import VerbatimField
from webapp.review.models import Queue, Verdict
from webapp.review.services.checks import LONGEST_REASON
from webapp.review.services.queues import FILTERS
from webapp.review.templatetags.leads import ORDERS


class People(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Some of the project's people; a number too large for any database is nobody's."""

    def _check_values(self, value: Any) -> Any:
        try:
            return super()._check_values(value)  # type: ignore[misc]
        except OverflowError:
            raise forms.ValidationError(self.error_messages["invalid_list"], code="invalid_list") from None


class QueueForm(ReviewDefaultsMixin):
    """A queue: what it takes, in which order, who gets it, for how long."""

    name = forms.CharField(label=_("Name"), max_length=100)
    order = forms.ChoiceField(
        label=_("Order"),
        choices=list(ORDERS.items()),
        help_text=_("What reviewers are shown first."),
    )
    lease_minutes = forms.IntegerField(
        label=_("Minutes an answer is held"),
        min_value=1,
        max_value=24 * 60,
        help_text=_("After so long without a key press, an answer goes back to the queue. Drafts are kept."),
    )
    reviewers = People(
        label=_("Assigned to"),
        required=False,
        queryset=User.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    filter_task = forms.CharField(label=_("Task"), required=False, max_length=60)
    filter_model = forms.CharField(label=_("Model"), required=False, max_length=200)
    filter_locale = forms.CharField(label=_("Language"), required=False, max_length=35)

    def __init__(self, data: Any = None, *, project: Project, queue: Queue | None = None) -> None:
        self.project, self.queue = project, queue
        given: Any = queue if queue is not None else project
        kept = {"slots": given.slots, "blind": given.blind, "audit_share": given.audit_share, "lease_minutes": 15}
        if queue is not None:
            kept |= {"name": queue.name, "order": queue.order, "lease_minutes": int(queue.lease.total_seconds() // 60)}
            kept |= {f"filter_{name}": queue.filters.get(name, "") for name in FILTERS}
            kept["reviewers"] = list(queue.reviewers.values_list("pk", flat=True))
        super().__init__(data, initial=kept)
        members = lead_selectors.members_who_review(project)
        self.fields["reviewers"].queryset = members  # type: ignore[attr-defined]

    def fields_of_queue(self) -> dict[str, Any]:
        """What the services take. Call it on a valid form."""
        data = self.cleaned_data
        return {
            **{name: data[name] for name in ("name", "order", "slots", "blind", "audit_share")},
            "lease": timedelta(minutes=data["lease_minutes"]),
            "filters": {name: data[f"filter_{name}"] for name in FILTERS if data[f"filter_{name}"]},
            "reviewers": list(data["reviewers"]),
        }


class GuidelinesForm(forms.Form):
    """The guidelines of a queue, with the version their writer began from."""

    text = VerbatimField(
        label=_("Guidelines"), required=False, widget=forms.Textarea({"rows": 16, "class": "mono", "dir": "auto"})
    )
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class GoldForm(forms.Form):
    """How a lead settles an item: by taking a decision over, or in other words."""

    SETTLED = (
        ("keep", _("Nothing is unsupported: the answer stands")),
        ("reject", _("Something is unsupported: the answer may not be served")),
        ("accept_edited", _("Something is unsupported: this is what should be served")),
    )
    settle = forms.ChoiceField(label=_("Settle it"), choices=[], error_messages={"required": _("Choose one.")})
    text = VerbatimField(
        label=_("What should be served"), required=False, widget=forms.Textarea({"rows": 5, "dir": "auto"})
    )
    reason = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea({"rows": 2}),
        error_messages={"required": _("Say why, for those who read it later.")},
    )

    def __init__(self, data: Any = None, *, decisions: list[str], marks: list[int], initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        choices = [(f"d:{key}", "") for key in decisions] + list(self.SETTLED)
        self.fields["settle"].choices = choices  # type: ignore[attr-defined]
        self.marks = marks
        says = [("", _("not settled")), ("unsupported", _("unsupported")), ("supported", _("supported"))]
        for index in marks:
            self.fields[f"mark_{index}"] = forms.ChoiceField(
                choices=[*says, ("unsure", _("don’t know"))], required=False
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("settle") == "accept_edited" and not cleaned.get("text", "").strip():
            self.add_error("text", _("Write what should be served."))
        return cleaned

    def verdicts(self) -> dict[int, str]:
        """Verdict by mark index, for those that are settled."""
        said = {index: str(self.cleaned_data.get(f"mark_{index}", "")) for index in self.marks}
        return {index: verdict for index, verdict in said.items() if verdict in Verdict.Says.values}
