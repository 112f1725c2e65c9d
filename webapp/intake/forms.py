from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from proofing.exchange.tables import COLUMNS
from webapp.intake.columns import NEEDED, Columns
from webapp.intake.readers import FORMATS, format_of
from webapp.records.models import Project
from webapp.review.models import Queue


class UploadForm(forms.Form):
    """A file of answers, how to read it, and where its answers should wait."""

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,  # an empty one is refused with our own words
        help_text=_(
            "One answer a line, with its question and sources: JSON Lines (our own or Ragas’ names), CSV or TSV."
        ),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=[("", _("as the file’s name says")), *FORMATS.items()],
    )
    queue = forms.ModelChoiceField(label=_("Queue"), required=False, queryset=Queue.objects.none())

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        queues = Queue.objects.filter(project=project).order_by("pk")
        self.fields["queue"].queryset = queues  # type: ignore[attr-defined]
        self.fields["queue"].empty_label = _("the project’s first") if not queues else None  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("file") and not data.get("format"):
            data["format"] = format_of(data["file"].name or "")
            if data["format"] is None:
                self.add_error("format", _("The file’s name does not say what it is; choose the format."))
        return data


FIELD_WORDS = {
    "question": _("Question"),
    "answer": _("Answer"),
    "sources": _("Sources"),
    "id": _("Id of the row"),
    "external_id": _("External id"),
    "model": _("Model"),
    "task": _("Task"),
    "locale": _("Language"),
    "latency_ms": _("Milliseconds it took"),
    "label": _("Label of the answer"),
    "labels": _("Labelled words"),
    "score": _("Score"),
    "group": _("Group"),
}


class ColumnsForm(forms.Form):
    """Which column of a table fills which field; the fields are those that a table can fill."""

    def __init__(self, data: Any = None, *, columns: Columns) -> None:
        super().__init__(data)
        choices = [("", _("none")), *((name, name) for name in columns.header if name)]
        for field in COLUMNS:
            self.fields[field] = forms.ChoiceField(
                label=FIELD_WORDS.get(field, field),
                choices=choices,
                required=field in NEEDED,
                initial=columns.suggested.get(field, ""),
                error_messages={"required": _("Choose the column that holds it.")},
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken: dict[str, str] = {}
        for field, column in list(cleaned.items()):
            if column and column in taken:
                self.add_error(field, _("This column is chosen twice."))
            taken[column] = field
        return cleaned

    def mapping(self) -> dict[str, str]:
        """Field → column, of those that are filled. Call it on a valid form."""
        return {field: column for field, column in self.cleaned_data.items() if column}
